"""What we override, or use, of uvicorn's inner parts is where we expect it: a new version that moves it fails here.

What that is, is read from our own source, so that nothing can be forgotten here."""

import ast
import asyncio
import inspect
import re
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import uvicorn
import websockets
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State
from websockets.server import ServerProtocol

from bullpen.server.serving import Uvicorn
from bullpen.server.transport import Frames, Http

ROOT = Path(__file__).parent.parent.parent
OURS = {Http: HttpToolsProtocol, Frames: WebSocketsSansIOProtocol, Uvicorn: uvicorn.Server}
# What is not overridden but ours alone; whatever else we define must be there to be overridden.
NEW = {
    Http: {
        "body_received",
        "head_received",
        "is_answering",
        "wait_for_the_next",
        "is_too_long",
        "is_stalled",
        "allow",
        "stop_clock",
        "too_slow",
        "hit",
        "refuse",
        "leave",
    },
    Frames: {"listen", "end", "_keep", "_read", "_read_on", "_is_between_messages", "_may_go_on"},
    Uvicorn: set[str](),
}
# Their attributes that we change; any other of the same name would be theirs by chance.
CHANGED: dict[type, set[str]] = {
    Http: {"timeout_keep_alive_task"},
    Frames: {"frames", "close_sent", "close_timer", "disconnected"},
}
# Called by asyncio, by the parser of requests, or by uvicorn's server: no call in the class itself.
CALLED_FROM_OUTSIDE = {
    "connection_made",
    "connection_lost",
    "data_received",
    "on_headers_complete",
    "on_message_begin",
    "on_message_complete",
    "shutdown",
}


def chains(ours: type) -> set[str]:
    """`conn.reader.buffer` where our class says `self.conn.reader.buffer`; each as long as it gets."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(ours)))
    return {
        ast.unparse(node).removeprefix("self.")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and re.match(r"self\.[\w.]+$", ast.unparse(node))
    }


def set_in(kind: type) -> set[str]:
    """Attributes that a class gives itself: assigned, also with others at once, or deleted."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


def own_functions(ours: type) -> set[str]:
    return {name for name, what in vars(ours).items() if inspect.isfunction(what)} - {"__init__"}


@pytest.mark.parametrize("package", [uvicorn, websockets])
def test_what_is_installed_is_what_was_read(package: object) -> None:
    name, version = package.__name__, package.__version__  # type: ignore[attr-defined]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    pinned = re.search(rf"^{name}==(\S+)", lock, re.MULTILINE)
    assert pinned is not None
    assert version == pinned[1]
    # Nor does anybody get another one who installs without our lock.
    allowed = re.search(rf'"{name}~=(\S+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert allowed is not None
    assert pinned[1].startswith(allowed[1].rpartition(".")[0] + ".")


@pytest.mark.parametrize("ours", OURS)
def test_what_is_overridden_is_there_to_be_overridden(ours: type) -> None:
    base = OURS[ours]
    overridden = own_functions(ours) - NEW[ours]
    assert overridden
    for name in overridden:
        assert hasattr(base, name), f"{base.__name__} has no {name} any more"
        theirs = inspect.signature(getattr(base, name)).parameters
        assert list(inspect.signature(getattr(ours, name)).parameters) == list(theirs)
    for name in NEW[ours]:
        assert not hasattr(base, name), f"{base.__name__} has a {name} of its own now"


@pytest.mark.parametrize("ours", [Http, Frames])
def test_what_is_overridden_is_still_called(ours: type) -> None:
    module = inspect.getsource(inspect.getmodule(OURS[ours]))  # type: ignore[arg-type]
    for name in own_functions(ours) - NEW[ours] - CALLED_FROM_OUTSIDE:
        assert re.search(rf"self\.{name}\b", module), f"nobody calls {name} any more"


@pytest.mark.parametrize("ours", OURS)
def test_what_is_used_is_given_by_uvicorn_itself(ours: type) -> None:
    base = OURS[ours]
    theirs = set_in(base) | {name for name in dir(base) if not name.startswith("__")}
    if base is uvicorn.Server:
        theirs |= set(vars(uvicorn.Server(uvicorn.Config("none:app"))))
    used = {chain.partition(".")[0] for chain in chains(ours)} - set_in(ours) - own_functions(ours)
    assert used
    assert used <= theirs, f"{base.__name__} has no {sorted(used - theirs)} any more"
    assert set_in(ours) & theirs == CHANGED.get(ours, set())


def test_what_is_used_of_the_parts_is_there() -> None:
    """`self.conn` and `self.cycle` are not uvicorn's protocols themselves."""
    connection = ServerProtocol()
    for chain in chains(Frames):
        whole, part = connection, chain.split(".")
        if part[0] == "conn":
            for name in part[1:]:
                assert hasattr(whole, name), f"{type(whole).__name__} has no {name} any more"
                whole = getattr(whole, name)
    assert isinstance(connection.reader.buffer, bytearray)
    assert "response_complete" in set_in(RequestResponseCycle)
    for chain in chains(Http) | chains(Frames):
        part = chain.split(".")
        if part[0] == "transport" and len(part) > 1:
            assert hasattr(asyncio.Transport, part[1])


def test_a_line_that_is_being_closed_ends_with_the_server_without_a_word() -> None:
    """The library would send a second close, and raise: then nothing is stopped in order."""
    conn = ServerProtocol()
    conn.state = State.OPEN
    conn.send_close(1000)
    said: list[str] = []
    line = SimpleNamespace(
        close_sent=False,
        handshake_complete=True,
        conn=conn,
        queue=asyncio.Queue(),
        stop_keepalive=lambda: said.append("quiet"),
        transport=SimpleNamespace(close=lambda: said.append("closed")),
    )
    Frames.shutdown(cast("Frames", line))
    assert said == ["quiet", "closed"]
    assert line.queue.get_nowait()["type"] == "websocket.disconnect"
