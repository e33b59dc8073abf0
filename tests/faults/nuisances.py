"""Clients that are slow, silent or loud, in a process of their own: what they do must not slow down the test itself.

    python -m tests.faults.nuisances KIND PORT SECONDS

All of them are bounded in number and time, and speak with loopback alone.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable

HOST = "127.0.0.1"
MANY = 600  # connections
LOUD = 4  # sockets of a flood
SILENT = (
    b"",
    b"GET /api/tab",
    b"GET /healthz HTTP/1.1\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Half: ",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
)

Counted = Counter[str]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
LOST = (OSError, EOFError, asyncio.IncompleteReadError, TimeoutError)


class Target:
    """A table to annoy: listed, with spectators, nobody's."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.until = port, time.monotonic() + seconds
        self.did: Counted = Counter()
        self.table = self.token = ""
        self._address = 0

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    def make_table(self) -> None:
        seats = [{"kind": "person"}, {"kind": "bot", "level": "easy"}]
        wish = {
            "game": "six-nimmt",
            "name": "Noisy",
            "seats": seats,
            "as": "program",
            "clock": None,
        }
        made = self._post("/api/tables", wish)
        self.table, self.token = made["table"], made["token"]
        self._post(f"/api/tables/{self.table}/start", {}, self.token)

    def _post(self, path: str, body: object, token: str = "") -> dict[str, str]:
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        url = f"http://{HOST}:{self.port}{path}"
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            found: dict[str, str] = json.load(answer)
            return found

    async def connected(self, receive_buffer: int = 0) -> Streams:
        self.did["connections"] += 1
        return await asyncio.wait_for(
            asyncio.open_connection(HOST, self.port, local_addr=("127.3.0.1", 0), limit=2**20), 10
        )

    async def socket(self, token: str = "") -> Streams:
        """A WebSocket; whoever has the token sits at the table."""
        reader, writer = await self.connected()
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET /api/tables/{self.table}/socket HTTP/1.1",
            f"Host: {HOST}:{self.port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            *([f"Authorization: Bearer {token}"] if token else []),
        ]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        return reader, writer


def frame(code: int, payload: bytes = b"", final: int = 0x80) -> bytes:
    """Masked by zeros, which is allowed, and cheap."""
    length = len(payload)
    head = (
        bytes((final | code, 0x80 | length))
        if length < 126
        else bytes((final | code, 0xFE)) + length.to_bytes(2, "big")
    )
    return head + b"\0\0\0\0" + payload


async def heard(reader: asyncio.StreamReader) -> None:
    """Read away what comes."""
    with contextlib.suppress(*LOST):
        while await reader.read(65536):
            pass


# -- Slow and silent ----------------------------------------------------------------------------


async def slow(target: Target) -> None:
    """Sockets that read a byte a second, while one seat makes talk for them."""
    target.make_table()
    await asyncio.gather(*(slow_one(target, at) for at in range(30)), chatter(target))


async def slow_one(target: Target, at: int) -> None:
    with contextlib.suppress(*LOST):
        reader, writer = await target.socket(target.token if at % 3 == 0 else "")
        while target.goes_on:
            await reader.read(1)
            writer.write(frame(1, b'{"type":"look"}'))
            target.did["bytes read"] += 1
            await asyncio.sleep(1)
        writer.transport.abort()


async def chatter(target: Target) -> None:
    with contextlib.suppress(*LOST):
        reader, writer = await target.socket(target.token)
        reading = asyncio.create_task(heard(reader))
        while target.goes_on:
            writer.write(frame(1, json.dumps({"type": "chat", "text": "x" * 150}).encode()))
            await asyncio.sleep(0.6)
        reading.cancel()
        writer.transport.abort()


async def silent(target: Target) -> None:
    """Connections that say nothing, or half of something; opened a few at a time."""
    held: list[asyncio.StreamWriter] = []
    for at in range(MANY):
        if not target.goes_on:
            break
        with contextlib.suppress(*LOST):
            _, writer = await target.connected()
            writer.write(SILENT[at % len(SILENT)])
            held.append(writer)
    while target.goes_on:
        await asyncio.sleep(0.1)
    target.did["closed by the server"] = sum(writer.transport.is_closing() for writer in held)
    for writer in held:
        writer.transport.abort()


# -- Floods -------------------------------------------------------------------------------------


def flood_of(
    what: str, data: bytes, *, opening: bytes = b"", seated: str = ""
) -> Callable[[Target], Awaitable[None]]:
    """The same frames over and over, on some sockets."""

    async def one(target: Target) -> None:
        with contextlib.suppress(*LOST):
            reader, writer = await target.socket(target.token if seated else "")
            reading = asyncio.create_task(heard(reader))
            writer.write(opening)
            many = data * max(1, 16_000 // len(data))
            while target.goes_on and not writer.transport.is_closing():
                writer.write(many)
                target.did[what] += len(many) // len(data)
                await asyncio.wait_for(writer.drain(), 10)
                await asyncio.sleep(0.01)
            reading.cancel()
            writer.transport.abort()

    async def flood(target: Target) -> None:
        target.make_table()
        while target.goes_on:  # whoever is closed comes again
            await asyncio.gather(*(one(target) for _ in range(LOUD)))
            await asyncio.sleep(0.05)

    return flood


JUNK = (
    frame(1, b"\xff\xfe junk"),
    frame(2, os.urandom(50)),
    frame(1, b'{"type":"move","decision":"x"}'),
    frame(1, b"[" * 60),
    bytes((0xF3, 0x85)) + b"\0\0\0\0junk!",
    frame(1, b"x" * 5000),
    frame(8, b"\x03"),
    frame(9, b"y" * 126),
)


async def junk(target: Target) -> None:
    """Frames that are none, each on a socket of its own."""
    target.make_table()

    async def one(at: int) -> None:
        with contextlib.suppress(*LOST):
            reader, writer = await target.socket()
            # Twice in one piece: what follows a fault must not be read.
            writer.write(JUNK[at % len(JUNK)] * 2)
            target.did["junk frames"] += 2
            await asyncio.wait_for(heard(reader), 0.3)
            writer.transport.abort()

    at = 0
    while target.goes_on:
        await asyncio.gather(*(one(at + more) for more in range(10)), return_exceptions=True)
        at += 10


async def requests(target: Target) -> None:
    """As many as they will answer."""

    async def one() -> None:
        with contextlib.suppress(*LOST):
            reader, writer = await target.connected()
            reading = asyncio.create_task(heard(reader))
            ask = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
            while target.goes_on and not writer.transport.is_closing():
                writer.write(ask * 20)
                target.did["requests"] += 20
                await asyncio.wait_for(writer.drain(), 10)
                await asyncio.sleep(0.02)
            reading.cancel()
            writer.transport.abort()

    while target.goes_on:
        await asyncio.gather(*(one() for _ in range(LOUD)))
        await asyncio.sleep(0.05)


MOST_HEADERS = 256 * 1024 * 1024  # bytes, of one flood


async def headers(target: Target) -> None:
    """Headers without end, one long header, a long path, and cookies that are slow to read."""
    cookie = (
        b'GET /api/statistics HTTP/1.1\r\nHost: localhost\r\nCookie: device="'
        + b"\\" * 16_000
        + b"\r\n\r\n"
    )

    async def slow_cookie() -> None:
        while target.goes_on:
            with contextlib.suppress(*LOST):
                reader, writer = await target.connected()
                writer.write(cookie)
                target.did["slow cookies"] += 1
                await asyncio.wait_for(reader.read(1000), 5)
                writer.transport.abort()
            await asyncio.sleep(0.5)

    async def endless(start: bytes, more: bytes) -> None:
        with contextlib.suppress(*LOST):
            reader, writer = await target.connected()
            reading = asyncio.create_task(heard(reader))
            writer.write(start)
            while target.goes_on and target.did["header bytes"] < MOST_HEADERS:
                writer.write(more)
                target.did["header bytes"] += len(more)
                await asyncio.wait_for(writer.drain(), 10)
                if reader.at_eof() or writer.transport.is_closing():
                    break
            reading.cancel()
            writer.transport.abort()

    async def again(start: bytes, more: bytes) -> None:
        while target.goes_on:
            await endless(start, more)
            await asyncio.sleep(0.2)

    line = b"X-Many: " + b"y" * 1000 + b"\r\n"
    await asyncio.gather(
        slow_cookie(),
        again(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", line * 60),
        again(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"z" * 65536),
        again(b"GET /", b"p" * 65536),
    )


KINDS: dict[str, Callable[[Target], Awaitable[None]]] = {
    "slow clients": slow,
    "silent clients": silent,
    "pings": flood_of("pings", frame(9, b"ping")),
    "pongs": flood_of("pongs", frame(10, b"pong")),
    "empty fragments": flood_of("fragments", frame(0, b"", 0), opening=frame(1, b"", 0)),
    "chat": flood_of("chat lines", frame(1, b'{"type":"chat","text":"noise"}'), seated="yes"),
    "junk frames": junk,
    "HTTP requests": requests,
    "headers": headers,
}


async def annoy(kind: str, port: int, seconds: float) -> dict[str, int]:
    """In a process of its own, which ends when its time is up."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.faults.nuisances", kind, str(port), str(seconds),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(process.communicate(), seconds + 25)
    except TimeoutError:
        process.kill()
        await process.wait()
        return {"did not end": 1}
    try:
        told: dict[str, int] = json.loads(out)
    except ValueError:
        return {"failed": 1}
    return told


async def main(kind: str, port: int, seconds: float) -> None:
    target = Target(port, seconds)
    with contextlib.suppress(*LOST):
        await asyncio.wait_for(KINDS[kind](target), seconds + 15)
    print(json.dumps(target.did))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
