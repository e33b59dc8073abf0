"""The bytes of a connection, before anybody looks at what they mean: how many, how long, how often.

Uvicorn's two protocols, with a budget.  What is overridden here is tested as a seam (tests/server/test_seam.py):
uvicorn is pinned, and a new version that moves one of these methods fails there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import State

from bullpen.cards import Problem
from bullpen.server.budget import Bucket, Held, Hits, bucket
from bullpen.server.connection import POLICY_VIOLATION
from bullpen.server.guard import HEADERS, refusal
from bullpen.server.networks import Networks, network_of
from bullpen.server.settings import Settings

LONGEST_HEAD = 16 * 1024  # bytes of a request before its body
LONGEST_LINE = 4 * 1024  # of them: method, path and query
HEAD_END, LINE_END = b"\r\n\r\n", b"\r\n"
SIZES = LENGTH, CHUNKED = b"content-length", b"transfer-encoding"
ONE_AT_A_TIME = "One request at a time."  # nobody needs pipelines
NOT_TEXT = 1007  # the code of closing for it
LONGEST_STALL = 30.0  # seconds in which nobody reads anything of an answer
LINGER_SECONDS = 2.0  # that a socket which we close stays open for the answer
MOST_AFTER_END = 16 * 1024  # bytes that are read in this time
PIECE = 1024  # bytes that are read between two looks at the budget
# Frames that are no whole message: pings, pongs, fragments.
FRAMES, FRAMES_SECONDS = 60, 30.0
# Of a frame: the first byte of a whole text, where its words begin, the lengths that mean "see further on".
TEXT_FRAME, MASKED_AT, LONG = 0x81, 6, 126

REASONS = {
    408: b"Request Timeout",
    414: b"URI Too Long",
    429: b"Too Many Requests",
    431: b"Request Header Fields Too Large",
    503: b"Service Unavailable",
}


class Elsewhere(Protocol):
    """Where several processes share a port: whoever keeps the table that a request is about gets it."""

    def takes(self, head: bytes, transport: asyncio.Transport) -> bool: ...


class Crowd:
    """All connections: how many there are, and which of them wait for a request."""

    def __init__(self, settings: Settings, hits: Hits, most: int) -> None:
        self.settings, self.hits, self.most = settings, hits, most
        self.proxies = Networks(
            [word.strip() for word in settings.proxy.split(",") if word.strip()]
        )
        self.by_address = Held("connections", settings.connections_per_address, hits)
        self.all: set[Http | Frames] = set()
        self.waiting: dict[Http, None] = {}  # those that have not asked yet, the oldest first
        self.elsewhere: Elsewhere | None = None

    def enters(self, connection: Http) -> Problem | None:
        """None: welcome.  A full house first sends away whoever has said nothing for the longest time."""
        if len(self.all) >= self.most:
            self.hits.count("all_connections", network_of(connection.address))
            if not self.waiting:
                return Problem("too_many_connections")
            next(iter(self.waiting)).leave()
        address = connection.address
        if address not in self.proxies and not self.by_address.takes(address):
            return Problem("too_many_connections")
        self.all.add(connection)
        return None

    def goes_on_as(self, before: Http, socket: Frames) -> None:
        self.all.discard(before)
        self.waiting.pop(before, None)
        self.all.add(socket)

    def left(self, connection: Http | Frames) -> None:
        if connection in self.all:
            self.all.discard(connection)
            if connection.address not in self.proxies:
                self.by_address.give_back(connection.address)
        if isinstance(connection, Http):
            self.waiting.pop(connection, None)

    def cut_off_stalled(self, now: float) -> None:
        """Asked every second: answers that nobody reads."""
        for connection in list(self.all):
            if isinstance(connection, Http) and connection.is_stalled(now):
                self.hits.count("unread", network_of(connection.address))
                connection.transport.abort()


def address_behind(transport: asyncio.BaseTransport) -> str:
    client = get_remote_addr(transport)  # type: ignore[arg-type]
    return client[0] if client else ""


class Http(HttpToolsProtocol):
    """A request's head is read whole before anything of it is parsed: so long, in such a time."""

    def __init__(self, crowd: Crowd, first: bytes = b"", **rest: Any) -> None:
        super().__init__(**rest)
        self.crowd, self.address = crowd, ""
        self.first = first  # what another process has read of it already
        self.head = b""
        self.is_within_request = False
        self.body_left: int | None = 0  # bytes; None where the request does not say how many
        self.deadline: asyncio.TimerHandle | None = None
        self.unread, self.unread_since = 0, 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = address_behind(transport)
        if problem := self.crowd.enters(self):
            self.refuse(503 if len(self.crowd.all) >= self.crowd.most else 429, problem)
            return
        self.crowd.waiting[self] = None
        self.allow(self.crowd.settings.head_seconds)
        if self.first:
            self.data_received(self.first)

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_clock()
        self.crowd.left(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """What comes together need not belong together: the end of a body that nobody waited for, and the next head."""
        while data and not self.transport.is_closing() and self.transport.get_protocol() is self:
            data = self.body_received(data) if self.is_within_request else self.head_received(data)

    def body_received(self, data: bytes) -> bytes:
        """What is left belongs to the next request.  Where nobody can tell, the parser is given all, and refuses it."""
        if not self.body_left:
            super().data_received(data)
            return b""
        own, rest = data[: self.body_left], data[self.body_left :]
        self.body_left -= len(own)
        super().data_received(own)
        return rest

    def head_received(self, data: bytes) -> bytes:
        """What is left is the beginning of its body."""
        start = max(0, len(self.head) - len(HEAD_END) + 1)
        self.head += data
        end = self.head.find(HEAD_END, start)
        if self.is_too_long(len(self.head) if end < 0 else end) or end < 0:
            return b""
        head, self.head = self.head, b""
        if self.is_answering():
            self.send_400_response(ONE_AT_A_TIME)
            return b""
        elsewhere = self.crowd.elsewhere
        if elsewhere and elsewhere.takes(head, self.transport):
            self.leave()
            return b""
        self.is_within_request, self.body_left = True, 0
        self.crowd.waiting.pop(self, None)
        self.allow(self.crowd.settings.body_seconds)
        end += len(HEAD_END)
        super().data_received(head[:end])
        return head[end:]

    def is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def is_too_long(self, length: int) -> bool:
        line = self.head.find(LINE_END, 0, LONGEST_LINE + len(LINE_END))
        if line < 0 and length > LONGEST_LINE:
            self.hit(414, "line", Problem("line_too_long", most=LONGEST_LINE))
            return True
        if length > LONGEST_HEAD:
            self.hit(431, "head", Problem("head_too_long", most=LONGEST_HEAD))
            return True
        return False

    def on_message_begin(self) -> None:
        if self.body_left is None:  # behind one that did not say how long it is
            raise ValueError(ONE_AT_A_TIME)  # answered with 400
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        sizes = {name: value for name, value in self.headers if name in SIZES}
        self.body_left = None if CHUNKED in sizes else int(sizes.get(LENGTH, b"0"))
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.is_within_request = False
        self.stop_clock()
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.response_complete:  # before the request was whole
            self.wait_for_the_next()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.is_within_request and not self.transport.is_closing():
            self.crowd.waiting[self] = None  # uvicorn closes it by itself after a while

    def wait_for_the_next(self) -> None:
        self.crowd.waiting[self] = None
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def handle_websocket_upgrade(self) -> None:
        self.stop_clock()
        super().handle_websocket_upgrade()
        socket = self.transport.get_protocol()
        assert isinstance(socket, Frames)
        self.crowd.goes_on_as(self, socket)
        if self.transport.is_closing():
            self.crowd.left(socket)

    def is_stalled(self, now: float) -> bool:
        before, self.unread = self.unread, self.transport.get_write_buffer_size()
        if not self.unread or self.unread < before:
            self.unread_since = now
        return now - self.unread_since > LONGEST_STALL

    # -- The end ------------------------------------------------------------------------------

    def allow(self, seconds: float) -> None:
        self.unread_since = self.loop.time()
        self.stop_clock()
        self.deadline = self.loop.call_later(seconds, self.too_slow)

    def stop_clock(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def too_slow(self) -> None:
        self.hit(408, "slow", Problem("request_too_slow"))

    def hit(self, status: int, limit: str, problem: Problem) -> None:
        self.crowd.hits.count(limit, network_of(self.address))
        self.refuse(status, problem)

    def refuse(self, status: int, problem: Problem) -> None:
        """In English: whoever asks like this has not said which language to answer in."""
        body, headers = refusal(problem, "en")
        lines = [b"HTTP/1.1 %d %b" % (status, REASONS[status])]
        lines += [name + b": " + value for name, value in (*headers, *HEADERS)]
        lines += [b"connection: close", b"", body]
        if not self.transport.is_closing():
            self.transport.write(b"\r\n".join(lines))
        self.leave()

    def leave(self) -> None:
        self.stop_clock()
        self.crowd.left(self)
        self.transport.close()


class Frames(WebSocketsSansIOProtocol):
    """Hands its transport to the application, which writes frames to it by itself, and hands it every
    message as soon as it is there.

    What clients send most, one short text in one piece, is read here; all else by the library."""

    def __init__(self, crowd: Crowd, **rest: Any) -> None:
        super().__init__(**rest)
        self.crowd, self.address = crowd, ""
        self.frames_left: Bucket = bucket(FRAMES, FRAMES_SECONDS)
        self.hear: Callable[[str | None], None] = self._keep
        self._early: list[str | None] = []  # that came before anybody listened
        self.read_after_end = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = address_behind(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.crowd.left(self)
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"]["bullpen.socket"] = self  # type: ignore[assignment]

    def shutdown(self) -> None:
        """Who stands in the door when the server stops gets no answer, and comes back; the library would call it a
        server error."""
        if self.close_sent or (self.handshake_complete and self.conn.state is State.OPEN):
            super().shutdown()
            return
        if self.handshake_complete:  # it is being closed already: nothing can be said any more
            self.stop_keepalive()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1012})
            self.transport.close()
            return
        self.disconnected = True
        self.transport.abort()

    # -- Hearing ------------------------------------------------------------------------------

    def _keep(self, text: str | None) -> None:
        if len(self._early) < FRAMES:
            self._early.append(text)

    def listen(self, hear: Callable[[str | None], None]) -> None:
        """Every message from now on, and those that came already; None is one that is no text."""
        self.hear = hear
        # A table has its sockets for hours: what was said at the door need not stay in memory.
        self.scope["headers"] = []
        del self.request, self.response
        for text in self._early:
            hear(text)
        self._early = []

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._is_between_messages() and (text := short_text(data)) is not None:
            self.hear(text)
            return
        for start in range(0, len(data), PIECE):
            self._read(data[start : start + PIECE])
            if self.transport.is_closing():
                return

    def _read(self, piece: bytes) -> None:
        if self.close_sent:
            self._read_on(piece)
        else:
            super().data_received(piece)

    def _read_on(self, data: bytes) -> None:
        """After our closing only the answer to it matters; but who is hung up on while still speaking would
        not read why."""
        self.read_after_end += len(data)
        if self.read_after_end > MOST_AFTER_END:
            self.transport.abort()
            return
        super().data_received(data)

    def _is_between_messages(self) -> bool:
        return self.conn.state is State.OPEN and not self.frames and not self.conn.reader.buffer

    def send_receive_event_to_app(self) -> None:
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type != "text":
            self.hear(None)
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.end(NOT_TEXT)
            return
        self.hear(text)

    # -- What counts besides messages ---------------------------------------------------------

    def handle_ping(self) -> None:
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        if event.fin or self._may_go_on():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if event.fin or self._may_go_on():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may_go_on():
            super().handle_cont(event)

    def _may_go_on(self) -> bool:
        if self.close_sent:
            return False
        if self.frames_left.takes(self.loop.time()):
            return True
        self.crowd.hits.count("frames", network_of(self.address))
        self.end(POLICY_VIOLATION)
        return False

    def end(self, code: int) -> None:
        """In order: with a word why, which is still read."""
        self.frames = []
        if self.close_sent or self.transport.is_closing():
            return
        if self.conn.state is not State.OPEN:
            self.transport.abort()
            return
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        self.close_timer = self.loop.call_later(LINGER_SECONDS, self.transport.abort)


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
