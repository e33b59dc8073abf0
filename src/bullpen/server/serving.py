"""Running the application: uvicorn, uvloop, and a stop that loses nothing."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from itertools import cycle
from typing import Any

import uvicorn

from bullpen import __version__
from bullpen.cards import Problem
from bullpen.server import logs
from bullpen.server.app import Server, make_app
from bullpen.server.limits import allowed_open_files
from bullpen.server.nearby import family_of
from bullpen.server.settings import Settings
from bullpen.server.store import ALL, open_store, served_alone
from bullpen.server.thinking.pool import WORKER
from bullpen.server.transport import Crowd, Frames, Http
from bullpen.server.workers import Family, Handing, run_several

log = logging.getLogger("bullpen.serving")

LONGEST_MESSAGE = 4 * 1024  # bytes that a client may send at once
OWN_FILES = 100  # that the server has open besides connections
PING_SECONDS = 20.0
STOP_SECONDS = 5
GARBAGE_SECONDS = 10.0  # between two looks for it: moves leave none, only what comes and goes does
MOST_YOUNG = 50_000  # objects, until it is looked for at once


class Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, served: Server) -> None:
        super().__init__(config)
        self.served = served

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.served.stop()
        await super().shutdown(sockets)
        self._captured_signals.clear()  # we have done what they ask for: the exit code is 0


def bound(settings: Settings) -> socket.socket:
    """Listening already, so that a port in use is a plain sentence; port 0 takes any that is free."""
    listening = socket.socket(family_of(settings.host), socket.SOCK_STREAM)
    if sys.platform != "win32":  # where it would let two servers have one port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(2048)  # of two that are bound at the same moment one may listen
    except (OSError, OverflowError) as error:  # the second one: a port beyond 65535
        listening.close()
        where = f"{settings.host}:{settings.port}"
        reason = error.strerror if isinstance(error, OSError) else error
        raise Problem("cannot_listen", where=where, reason=reason) from None
    listening.settimeout(0)
    return listening


def configured(settings: Settings, app: Any, crowd: Crowd) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="none",
        http=partial(Http, crowd),  # type: ignore[arg-type]
        ws=partial(Frames, crowd),  # type: ignore[arg-type]
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or None,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=30,
        backlog=2048,
    )


def most_connections(settings: Settings) -> int:
    """As many open files as the system lets us have, and not more connections than that."""
    return allowed_open_files(settings.connections + OWN_FILES) - OWN_FILES


async def serve(
    settings: Settings,
    worker: tuple[str, ...],
    tell: Callable[[int], None],
    listening: socket.socket,
    family: Family | None,
) -> None:
    port, share = listening.getsockname()[1], family.share if family else ALL
    owner = f"{socket.gethostname()}:{os.getpid()}"
    # Several processes have one guard, held by the one that started them.
    with served_alone(settings.db) if family is None else nullcontext():
        store = await open_store(settings.db, owner=owner, share=share)
        server = Server(settings, store, worker, most_connections(settings), share)
        config = configured(settings, make_app(server), server.crowd)
        uvicorn_server = Uvicorn(config, server)
        if family:
            take_over(uvicorn_server, Handing(family))
        await server.start()
        server.work.append(asyncio.create_task(look_for_garbage()))
        log.info("serving", extra={"version": __version__, "host": settings.host, "port": port})
        tell(port)
        await uvicorn_server.serve([listening])
    log.info("stopped")


async def look_for_garbage() -> None:
    """Among what is new since the last look or the one before it."""
    for generation in cycle((0, 1)):
        await asyncio.sleep(GARBAGE_SECONDS)
        gc.collect(generation)


def take_over(server: Uvicorn, handing: Handing) -> None:
    """Connections that another process has accepted, for tables that are kept here."""
    crowd, tasks = server.served.crowd, set[asyncio.Task[Any]]()
    crowd.elsewhere = handing

    def receive(accepted: socket.socket, head: bytes) -> None:
        accepted.settimeout(0)
        rest = {"config": server.config, "server_state": server.server_state, "app_state": {}}
        connecting = asyncio.get_running_loop().connect_accepted_socket(
            lambda: Http(crowd, head, **rest), accepted
        )
        task = asyncio.ensure_future(connecting)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    handing.listen(receive)


def quickest_loop() -> asyncio.AbstractEventLoop:
    """uvloop, or Python's own where there is none: on Windows, and with other Pythons than CPython."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def tell_nobody(_port: int) -> None:
    pass


def run(
    settings: Settings,
    worker: tuple[str, ...] = WORKER,
    tell: Callable[[int], None] = tell_nobody,
) -> None:
    """Serves until it is told to stop; `tell` hears the port as soon as somebody can connect."""
    logs.set_up(settings.log)
    if settings.workers > 1 and not hasattr(socket, "send_fds"):
        raise Problem("workers_not_here")
    listening = bound(settings)
    if settings.workers > 1:
        run_several(settings, worker, tell, listening)
    else:
        run_one(settings, worker, tell, listening)


def run_one(
    settings: Settings,
    worker: tuple[str, ...],
    tell: Callable[[int], None],
    listening: socket.socket,
    family: Family | None = None,
) -> None:
    logs.set_up(settings.log)
    # The thread that writes to the disk needs Python's lock for a moment between its statements; by
    # default it would wait 5 ms each time while the loop is busy.
    sys.setswitchinterval(0.0005)
    # What is there now stays; and looking through all tables for garbage, of which there is hardly any
    # in circles, would stop everybody for a tenth of a second each time: a little, by the clock.  By the number of
    # new objects alone it would be looked for again and again while many tables wait for the disk.
    gc.freeze()
    gc.set_threshold(MOST_YOUNG, 1, 30_000)
    with asyncio.Runner(loop_factory=quickest_loop) as runner:
        runner.run(serve(settings, worker, tell, listening, family))
