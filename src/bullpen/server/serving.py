"""Running the application: uvicorn, uvloop, and a stop that loses nothing."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import State

from bullpen import __version__
from bullpen.cards import Problem
from bullpen.server import logs
from bullpen.server.app import Server, make_app
from bullpen.server.nearby import family_of
from bullpen.server.settings import Settings
from bullpen.server.store import open_store, served_alone
from bullpen.server.thinking.pool import WORKER

log = logging.getLogger("bullpen.serving")

LONGEST_MESSAGE = 4 * 1024  # bytes that a client may send at once
NOT_TEXT = 1007  # the code of closing for it
MOST_WAITING = 8  # messages of one client, until no more are read
# Of a frame: the first byte of a whole text, where its words begin, the lengths that mean "see further on".
TEXT_FRAME, MASKED_AT, LONG = 0x81, 6, 126
PING_SECONDS = 20.0
STOP_SECONDS = 5


class Frames(WebSocketsSansIOProtocol):
    """Hands its transport to the application, which writes frames to it by itself.

    What clients send most, one short text in one piece, is read here; all else by the library."""

    def data_received(self, data: bytes) -> None:
        text = short_text(data) if self._is_between_messages() else None
        if text is None or self.close_sent:
            super().data_received(data)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.queue.qsize() >= MOST_WAITING:
            self.read_paused = True
            self.transport.pause_reading()

    def _is_between_messages(self) -> bool:
        return self.conn.state is State.OPEN and not self.frames and not self.conn.reader.buffer

    def send_receive_event_to_app(self) -> None:
        """The library would log a traceback where a text is no UTF-8."""
        if self.curr_msg_data_type == "text" and not is_utf8(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(NOT_TEXT)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"]["bullpen.transport"] = self.transport  # type: ignore[assignment]


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def short_text(data: bytes) -> str | None:
    """The text of exactly one frame: whole, final, masked, shorter than 126 bytes and UTF-8."""
    if len(data) < MASKED_AT or data[0] != TEXT_FRAME:
        return None
    length = data[1] - 0x80  # negative where nothing is masked
    if length >= LONG or len(data) != MASKED_AT + length:
        return None
    try:
        return apply_mask(data[MASKED_AT:], data[2:MASKED_AT]).decode()
    except UnicodeDecodeError:
        return None


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
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:  # the second one: a port beyond 65535
        listening.close()
        where = f"{settings.host}:{settings.port}"
        reason = error.strerror if isinstance(error, OSError) else error
        raise Problem("cannot_listen", where=where, reason=reason) from None
    listening.listen(2048)
    listening.settimeout(0)
    return listening


def configured(settings: Settings, app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="none",
        http="httptools" if has_httptools() else "h11",
        ws=Frames,
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
        h11_max_incomplete_event_size=16 * 1024,
    )


def has_httptools() -> bool:
    from importlib.util import find_spec

    return find_spec("httptools") is not None


async def serve(settings: Settings, worker: tuple[str, ...], tell: Callable[[int], None]) -> None:
    listening = bound(settings)
    port = listening.getsockname()[1]
    with served_alone(settings.db):
        store = await open_store(settings.db, owner=f"{socket.gethostname()}:{os.getpid()}")
        server = Server(settings, store, worker)
        uvicorn_server = Uvicorn(configured(settings, make_app(server)), server)
        await server.start()
        log.info("serving", extra={"version": __version__, "host": settings.host, "port": port})
        tell(port)
        await uvicorn_server.serve([listening])
    log.info("stopped")


def tell_nobody(_port: int) -> None:
    pass


def run(
    settings: Settings,
    worker: tuple[str, ...] = WORKER,
    tell: Callable[[int], None] = tell_nobody,
) -> None:
    """Serves until it is told to stop; `tell` hears the port as soon as somebody can connect."""
    import uvloop

    logs.set_up(settings.log)
    # The thread that writes to the disk needs Python's lock for a moment between its statements; by
    # default it would wait 5 ms each time while the loop is busy.
    sys.setswitchinterval(0.0005)
    # What is there now stays; and looking through all tables for garbage, of which there is hardly any
    # in circles, would stop everybody for a tenth of a second each time: a little, often.
    gc.freeze()
    gc.set_threshold(5_000, 5, 10_000)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(settings, worker, tell))
