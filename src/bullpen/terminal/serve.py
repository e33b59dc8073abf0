"""`bullpen serve`: a server for tables over the network, or at home for everybody in the same room."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Thread
from typing import Any
from urllib.parse import quote

from bullpen import fast
from bullpen.cards import Problem
from bullpen.folders import data_folder
from bullpen.terminal.browser import has_display
from bullpen.text import Voice

AT_HOME = "0.0.0.0"  # noqa: S104 — friends join by phone
USUAL_PORTS = range(8000, 8020)  # the same each time, or the browser forgets one's name and colours


def serve(voice: Voice, wished: dict[str, str | None], *, at_home: bool = False) -> int:
    """Flags come before the environment, and that before what is usual."""
    try:
        from bullpen.server.advice import advice
        from bullpen.server.limits import most_open_files
        from bullpen.server.serving import run
        from bullpen.server.settings import Settings, from_environment, read
        from bullpen.server.store import is_file, sqlite
    except ModuleNotFoundError as error:
        raise Problem("server_missing", package=error.name) from None
    given: dict[str, Any] = {
        name: read(name, text) for name, text in wished.items() if text is not None
    }
    usual = usual_at_home() if at_home else {}
    settings = Settings(**{**usual, **from_environment(), **given})
    files = most_open_files()
    if not at_home and is_file(settings.db) and sqlite.can_be_made(settings.db):
        print(voice.say("server.serve.new_store", db=settings.db), file=sys.stderr, flush=True)

    def tell(port: int) -> None:
        where = f"{shown_host(settings.host)}:{port}"
        ready = voice.say("server.serve.ready", where=where, db=without_password(settings.db))
        print(ready, file=sys.stderr, flush=True)
        if package := fast.missing_package():
            print(voice.say("server.serve.no_compiler", package=package), file=sys.stderr)
        if at_home:
            invite(voice, settings, port)
            return
        for key, facts in advice(settings, files):
            print(voice.say(f"server.serve.{key}", **facts), file=sys.stderr, flush=True)

    if at_home and "port" not in {**from_environment(), **given}:
        at_a_usual_port(settings, partial(run, tell=tell))
    else:
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
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return {
        "host": AT_HOME,
        "db": f"sqlite:///{quote((folder / 'tables.db').as_posix(), safe='/:')}",
        "log": "warning",
    }


def at_a_usual_port(settings: Any, run: Callable[[Any], None]) -> None:
    """Somebody may be quicker at a port that was free a moment ago: then the next one is looked for."""
    while port := free_port(settings.host):
        try:
            run(replace(settings, port=port))
        except Problem as problem:
            if problem.key != "cannot_listen":
                raise
        else:
            return
    run(replace(settings, port=0))


def free_port(host: str) -> int:
    """The first of the usual ports that nobody uses; 0, for any, where all are taken."""
    from bullpen.server.nearby import family_of

    for port in USUAL_PORTS:
        with socket.socket(family_of(host)) as probe:
            if sys.platform != "win32":  # as the server itself
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
