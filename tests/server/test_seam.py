"""What we override, or use, of uvicorn's inner parts is where we expect it: a new version that moves it fails here."""

import inspect
import re
from pathlib import Path

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from bullpen.server.transport import Frames, Http

ROOT = Path(__file__).parent.parent.parent
OURS = {  # what is ours alone
    Http: {
        "is_too_long",
        "is_stalled",
        "allow",
        "stop_clock",
        "too_slow",
        "hit",
        "refuse",
        "leave",
    },
    Frames: {"listen", "end", "_keep", "_read_on", "_is_between_messages", "_may_go_on"},
}
USED = {
    HttpToolsProtocol: {"transport", "loop", "cycle", "parser"},
    WebSocketsSansIOProtocol: {
        "transport",
        "loop",
        "conn",
        "queue",
        "frames",
        "close_sent",
        "close_timer",
    },
    RequestResponseCycle: {"response_complete"},
}


def test_uvicorn_is_the_one_that_was_read() -> None:
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    pinned = re.search(r"^uvicorn==(\S+)", lock, re.MULTILINE)
    assert pinned is not None
    assert uvicorn.__version__ == pinned[1]


@pytest.mark.parametrize("ours", OURS)
def test_what_is_overridden_is_there_to_be_overridden(ours: type) -> None:
    base = ours.__mro__[1]
    own = {name for name, what in vars(ours).items() if inspect.isfunction(what)}
    overridden = own - OURS[ours] - {"__init__"}
    assert overridden
    for name in overridden:
        assert hasattr(base, name), f"{base.__name__} has no {name} any more"
        theirs = inspect.signature(getattr(base, name)).parameters
        assert list(inspect.signature(getattr(ours, name)).parameters) == list(theirs)


@pytest.mark.parametrize("kind", USED)
def test_what_is_used_is_set_by_uvicorn_itself(kind: type) -> None:
    source = inspect.getsource(kind)
    for name in USED[kind]:
        assert re.search(rf"self\.{name}\b(: [^=]+)? = ", source), f"{kind.__name__} sets no {name}"
