"""One socket: what is written to it at once, what it may send, and when it is cut off.

Frames go straight to the transport: one piece of bytes can serve a whole table, and what a client has not
read yet is counted where it waits.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import orjson

from bullpen.game import Seat
from bullpen.server.budget import Bucket
from bullpen.server.sight import Detail

MOST_UNREAD = 256 * 1024  # bytes that wait for a client
LONGEST_STALL = 10.0  # seconds that they may wait
KERNEL_BUFFER = 64 * 1024  # so that the system does not hide that nobody reads
NORMAL, RESTARTING = 1000, 1012  # codes of closing; the second: come back at once
POLICY_VIOLATION = 1008
TOO_MANY_IGNORED = 100  # messages over the limit, until the socket is closed


def encoded(message: Mapping[str, Any]) -> bytes:
    """A message as one text frame of the WebSocket protocol, unmasked, as servers send it."""
    return framed(orjson.dumps(message))


def framed(payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:
        return bytes((0x81, length)) + payload
    if length < 65536:
        return b"\x81\x7e" + length.to_bytes(2, "big") + payload
    return b"\x81\x7f" + length.to_bytes(8, "big") + payload


class Transport(Protocol):
    def write(self, data: bytes) -> None: ...
    def abort(self) -> None: ...
    def close(self) -> None: ...
    def is_closing(self) -> bool: ...
    def get_write_buffer_size(self) -> int: ...
    def get_extra_info(self, name: str) -> Any: ...


class Connection:
    def __init__(
        self,
        transport: Transport,
        seat: Seat | None,
        language: str,
        allowance: Bucket,
        end: Callable[[int], None] | None = None,
    ) -> None:
        self.transport, self.seat, self.language = transport, seat, language
        self.end = end or self.hang_up
        self.detail: Detail = "plain"  # how much it wants to know of what it is offered
        self.key: str | None = None  # the hash of the token by which it has this seat
        self.stalled_since: float | None = None
        self.was_cut_off = False
        self.allowance = allowance  # of messages; all sockets of a seat share one
        self.ignored = 0
        self.unanswered: deque[Any] = deque()  # messages, the oldest just being answered
        self._held = b""
        if raw := transport.get_extra_info("socket"):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)

    # -- Writing ------------------------------------------------------------------------------

    def send(self, message: Mapping[str, Any]) -> None:
        self.write(encoded(message))

    def hold(self, message: Mapping[str, Any]) -> None:
        """Goes out with what is written next, or by `flush`: a write costs more than all else."""
        self._held += encoded(message)

    def flush(self) -> None:
        if self._held:
            self.write(b"")

    def write(self, frame: bytes) -> None:
        transport = self.transport
        if transport.is_closing():
            return
        if self._held:
            frame, self._held = self._held + frame, b""
        transport.write(frame)
        if transport.get_write_buffer_size() > MOST_UNREAD:
            self.cut_off()

    def close(self, code: int) -> None:
        """In order: what was written before is still sent."""
        self.flush()
        self.end(code)

    def hang_up(self, code: int) -> None:
        self.write(b"\x88\x02" + code.to_bytes(2, "big"))
        self.transport.close()

    def cut_off(self) -> None:
        """At once: a client that does not read would never let go by itself."""
        self.was_cut_off = True
        self.transport.abort()

    def cut_off_if_stalled(self, now: float) -> None:
        """Asked every second."""
        if self.transport.get_write_buffer_size() == 0:
            self.stalled_since = None
        elif self.stalled_since is None:
            self.stalled_since = now
        elif now - self.stalled_since >= LONGEST_STALL:
            self.cut_off()

    # -- Reading ------------------------------------------------------------------------------

    def may_send(self, now: float) -> bool:
        """Counts a message."""
        if self.allowance.takes(now):
            return True
        self.ignored += 1
        return False

    def forgive(self) -> None:
        """An accepted move does not count: the game itself says how many there can be."""
        self.allowance.give_back()
