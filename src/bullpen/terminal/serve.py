"""`bullpen serve`: a server for tables over the network, or at home for everybody in the same room."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from threading import Thread
from typing import Any

from bullpen.cards import Problem
from bullpen.terminal.store import games_folder
from bullpen.text import Voice

AT_HOME = "0.0.0.0"  # noqa: S104 — friends join by phone
USUAL_PORTS = range(8000, 8020)  # the same each time, or the browser forgets one's name and colours


def serve(voice: Voice, wished: dict[str, str | None], *, at_home: bool = False) -> int:
    """Flags come before the environment, and that before what is usual."""
    try:
        from bullpen.server.advice import advice, open_files
        from bullpen.server.serving import run
        from bullpen.server.settings import Settings, from_environment, read
    except ModuleNotFoundError as error:
        raise Problem("server_missing", package=error.name) from None
    given: dict[str, Any] = {
        name: read(name, text) for name, text in wished.items() if text is not None
    }
    usual = usual_at_home() if at_home else {}
    settings = Settings(**{**usual, **from_environment(), **given})
    if at_home and "port" not in {**from_environment(), **given}:
        settings = Settings(**{**vars(settings), "port": free_port(settings.host)})

    files = open_files()

    def tell(port: int) -> None:
        where = f"{shown_host(settings.host)}:{port}"
        ready = voice.say("server.serve.ready", where=where, db=without_password(settings.db))
        print(ready, file=sys.stderr, flush=True)
        if at_home:
            invite(voice, settings, port)
            return
        for key, facts in advice(settings, files):
            print(voice.say(f"server.serve.{key}", **facts), file=sys.stderr, flush=True)

    run(settings, tell=tell)
    return 0


def shown_host(host: str) -> str:
    """What one types into a browser on this machine."""
    from bullpen.server.nearby import EVERYWHERE, in_address

    return "127.0.0.1" if host in EVERYWHERE else in_address(host)


def without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    user, at, place = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}{at}{place}" if at else url


# -- At home ------------------------------------------------------------------------------------


def usual_at_home() -> dict[str, Any]:
    folder = games_folder().parent
    folder.mkdir(parents=True, exist_ok=True)
    return {"host": AT_HOME, "db": f"sqlite:///{folder}/tables.db", "log": "warning"}


def free_port(host: str) -> int:
    """The first of the usual ports that nobody uses; 0, for any, where all are taken."""
    from bullpen.server.nearby import family_of

    for port in USUAL_PORTS:
        with socket.socket(family_of(host)) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    return 0


def invite(voice: Voice, settings: Any, port: int) -> None:
    """For phones in the same room: the address in the network, and as a picture to photograph."""
    from bullpen.server.nearby import address_for_others

    address = address_for_others(settings, port)
    if address:
        print(voice.say("server.serve.near", address=address), file=sys.stderr)
        show_qr(address)
    if has_display():
        # Some browsers let the opener wait, and the page can load only once this thread serves it.
        page = f"http://{shown_host(settings.host)}:{port}/"
        Thread(target=webbrowser.open, args=(page,), daemon=True).start()


def show_qr(address: str) -> None:
    import segno

    try:
        "█▀▄".encode(sys.stderr.encoding or "ascii")
    except UnicodeEncodeError:
        return  # a terminal that cannot draw it
    segno.make(address, micro=False).terminal(out=sys.stderr, compact=True)


def has_display() -> bool:
    """Whether a browser would have a window to open: not in CI, and not over a bare connection."""
    if os.environ.get("CI"):
        return False
    graphical = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform == "darwin" or any(os.environ.get(name) for name in graphical)
