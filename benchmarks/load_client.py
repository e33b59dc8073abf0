"""The people of a load test, all in one process: they know docs/wire.md and nothing else of the server.

`benchmarks.load` starts it.  Every table gets a move at its own even pace, by any seat that has to decide; how
long a move took is counted from the moment it was due until everybody at the table had been told.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

import orjson
import psutil

Json = dict[str, Any]
GAME = "six-nimmt"
AT_ONCE = 32  # tables that are made, or sockets that are opened, at a time
WELCOME_SECONDS = 30.0
THINKING = "bullpen.server.thinking.worker"  # among the words of a process that thinks
LATE_SECONDS = 10.0  # that the last moves get to arrive


# One seat moves at a time; or all who are asked choose at once, and the turn counts; or a server that only
# tells everybody what one says.
ONE, TOGETHER, BARE = "one", "together", "bare"


class Load(NamedTuple):
    tables: int
    seats: int
    rate: float  # moves a second at all tables together; 0: each as soon as the last was told
    seconds: float
    how: str = ONE  # or TOGETHER, or BARE
    workers: int = 1  # processes of the server


class Measured(NamedTuple):
    tables: int
    seats: int
    asked: float  # moves a second
    moves: int
    seconds: float
    p50: float  # milliseconds until everybody knew
    p99: float
    slowest: float
    refused: int
    server_cpu: float  # seconds
    client_cpu: float
    memory: float  # megabytes of the server at the end

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    @property
    def per_cpu_second(self) -> float:
        return self.moves / self.server_cpu


class Seat(asyncio.Protocol):
    """One socket.  Only what a move needs is parsed: the client must not be the slow one."""

    def __init__(self, table: Table, number: int, request: bytes) -> None:
        self.table, self.number, self.request = table, number, request
        self.transport: asyncio.Transport | None = None
        self.buffer = b""
        self.is_open = False
        self.welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.decision: Json | None = None  # that this seat has to make

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's is no subclass of it
        self.transport.write(self.request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.welcomed.done():
            self.welcomed.set_exception(exc or ConnectionError("closed"))
        self.table.lost += 1

    def data_received(self, data: bytes) -> None:
        self.buffer = self.buffer + data if self.buffer else data
        if not self.is_open:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                raise ConnectionError(head.decode("latin-1"))
            self.is_open, self.buffer = True, rest
        self.buffer = self.buffer[self._frames(self.buffer) :]

    def _frames(self, data: bytes) -> int:
        """Hear every whole frame; how many bytes they were."""
        at = 0
        while len(data) >= at + 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if len(data) < start + length:
                break
            payload = data[start : start + length]
            if data[at] == 0x81:
                self.hear(payload)
            elif data[at] == 0x89:
                self.write(payload, 0x8A)
            at = start + length
        return at

    def hear(self, message: bytes) -> None:
        kind = message[9:15]  # {"type":"chosen"…
        if kind == b"chosen":
            if self.table.how != TOGETHER:
                self.table.told()
        elif kind == b'view",':
            self.decision = orjson.loads(message)["decision"]
            self.table.told()
        elif kind == b"accept":
            self.table.told()
        elif kind == b"refuse":
            self.table.refused += 1
        elif kind == b"welcom":
            self.decision = orjson.loads(message)["view"]["decision"]
            self.welcomed.set_result(None)

    def move(self, rng: Random) -> None:
        assert self.decision is not None
        action, number = rng.choice(self.decision["moves"])["action"], self.decision["number"]
        self.decision = None
        self.write(b'{"type":"move","decision":%d,"action":%d}' % (number, action), 0x81)

    def write(self, payload: bytes, opcode: int) -> None:
        """Clients mask what they send; a mask of zeros changes nothing."""
        assert self.transport is not None
        self.transport.write(bytes((opcode, 0x80 | len(payload))) + b"\0\0\0\0" + payload)


class BareSeat(Seat):
    """At a server that welcomes nobody and knows no moves."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.is_open and not self.welcomed.done():
            self.welcomed.set_result(None)

    def hear(self, message: bytes) -> None:  # noqa: ARG002 — whatever it is
        self.table.told()


class Table:
    """One move at a time, or one turn of all who are asked; each due at its moment."""

    def __init__(
        self, seed: int, every: float, how: str, done: Callable[[int, float, float], None]
    ) -> None:
        self.rng, self.every, self.how, self.done = Random(seed), every, how, done
        self.seats: list[Seat] = []
        self.movers = 0
        self.uncounted = (
            0  # moves before the measurement: else all tables would turn their cards at once
        )
        self.missing = 0  # messages that the present move has not brought yet
        self.due = self.until = 0.0
        self.refused = self.lost = 0

    def start(self, first: float, until: float) -> None:
        self.due, self.until = first, until
        asyncio.get_running_loop().call_at(first, self.move)

    def move(self) -> None:
        asked = [seat for seat in self.seats if seat.decision]
        movers = asked if self.how == TOGETHER else [self.rng.choice(asked)]
        self.movers = len(movers)
        self.missing = len(self.seats) + len(
            movers
        )  # all are told, and the movers that it is stored
        for seat in movers:
            seat.move(self.rng)

    def told(self) -> None:
        """One more message of the present move."""
        self.missing -= 1
        if self.missing:
            return
        loop = asyncio.get_running_loop()
        if self.uncounted:
            self.uncounted -= 1
            if self.uncounted:
                loop.call_soon(self.move)
            return
        now = loop.time()
        self.done(self.movers, self.due, now)
        self.due = self.due + self.every if self.every else now
        if self.due < self.until:
            if self.due > now:
                loop.call_at(self.due, self.move)
            else:
                loop.call_soon(self.move)


class BareTable(Table):
    def move(self) -> None:
        self.movers, self.missing = 1, len(self.seats)
        self.rng.choice(self.seats).write(b'{"type":"move","decision":10,"action":10}', 0x81)


# -- Making the tables --------------------------------------------------------------------------


class Http:
    """One connection that is kept; thousands of requests must not cost more than the server's answers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def post(self, path: str, body: Json, token: str = "") -> Any:
        content = orjson.dumps(body)
        own = f"Authorization: Bearer {token}\r\n" if token else ""
        head = (
            f"POST /api/tables{path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        )
        self.writer.write(f"{head}{own}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        status, *headers = (await self.reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        length = next(int(line[15:]) for line in headers if line.startswith(b"content-length:"))
        answer = await self.reader.readexactly(length)
        if status.split()[1][:1] != b"2":
            raise ConnectionError(answer.decode())
        return orjson.loads(answer)


async def new_table(http: Http, seats: int) -> tuple[str, list[str]]:
    wish = {
        "game": GAME,
        "options": {"rounds": 100},
        "name": "P0",
        "seats": [{"kind": "person"}] * seats,
        "clock": None,
        "listed": True,
        "as": "program",
    }
    made = await http.post("", wish)
    table, tokens = made["table"], [made["token"]]
    for number in range(1, seats):
        joined = await http.post(f"/{table}/join", {"name": f"P{number}", "as": "program"})
        tokens.append(joined["token"])
    await http.post(f"/{table}/start", {}, tokens[0])
    return table, tokens


def handshake(host: str, table: str, token: str) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = (
        f"GET /api/tables/{table}/socket HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
        f"Authorization: Bearer {token}",
    )
    return "\r\n".join((*lines, "", "")).encode()


async def seated(url: str, table: Table, wanted: int) -> None:
    where = urlsplit(url)
    host, port = where.hostname or "", where.port or 0
    loop = asyncio.get_running_loop()
    kind: type[Seat] = BareSeat if table.how == BARE else Seat
    if table.how == BARE:
        name, tokens = str(id(table)), [""] * wanted
    else:
        reader, writer = await asyncio.open_connection(host, port)
        name, tokens = await new_table(Http(reader, writer), wanted)
        writer.close()
    for number, token in enumerate(tokens):
        request = handshake(where.netloc, name, token)
        seat = kind(table, number, request)
        await loop.create_connection(lambda seat=seat: seat, host, port)  # type: ignore[misc]
        await asyncio.wait_for(seat.welcomed, WELCOME_SECONDS)
        table.seats.append(seat)


# -- Measuring ----------------------------------------------------------------------------------


async def run(url: str, server: psutil.Process, load: Load) -> Measured:
    loop = asyncio.get_running_loop()
    waits: list[float] = []
    ended = 0.0

    def done(moves: int, due: float, now: float) -> None:
        nonlocal ended
        waits.extend([now - due] * moves)
        ended = now

    every = load.tables / load.rate if load.rate else 0.0
    kind = BareTable if load.how == BARE else Table
    tables = [kind(seed, every, load.how, done) for seed in range(load.tables)]
    at_once = asyncio.Semaphore(AT_ONCE)

    async def sit(table: Table) -> None:
        async with at_once:
            await seated(url, table, load.seats)

    await asyncio.gather(*(sit(table) for table in tables))
    for number, table in enumerate(tables):
        if (uncounted := number % load.seats) and load.how == ONE:
            table.uncounted = uncounted
            table.move()
    await asyncio.sleep(1)  # the last greetings are read
    while any(table.missing or table.uncounted for table in tables):
        await asyncio.sleep(0.1)
    begun, before, own = loop.time() + 0.1, cpu_of(server), time.process_time()
    rng = Random(1)
    for table in tables:
        table.start(begun + rng.uniform(0, every or 0.1), begun + load.seconds)
    await asyncio.sleep(0.1 + load.seconds)
    until = loop.time() + LATE_SECONDS
    while any(table.missing for table in tables) and loop.time() < until:
        await asyncio.sleep(0.01)
    used, memory = cpu_of(server) - before, memory_of(server)
    if lost := sum(table.lost for table in tables):
        raise ConnectionError(f"{lost} sockets were lost")
    waits.sort()
    return Measured(
        load.tables,
        load.seats,
        load.rate,
        len(waits),
        max(ended - begun, load.seconds),
        1000 * waits[len(waits) // 2],
        1000 * waits[int(0.99 * (len(waits) - 1))],
        1000 * waits[-1],
        sum(table.refused + bool(table.missing) for table in tables),
        used,
        time.process_time() - own,
        memory,
    )


def serving(server: psutil.Process) -> list[psutil.Process]:
    """All its processes but those that think, which have nothing to do here."""
    others = server.children(recursive=True)
    return [server, *(one for one in others if THINKING not in one.cmdline())]


def cpu_of(server: psutil.Process) -> float:
    times = [process.cpu_times() for process in serving(server)]
    return float(sum(one.user + one.system for one in times))


def memory_of(server: psutil.Process) -> float:
    """Of several processes without what they share: the same code is there once."""
    together = serving(server)
    if len(together) == 1:
        return float(server.memory_info().rss / 2**20)
    return float(sum(process.memory_full_info().pss for process in together) / 2**20)


def main() -> None:
    import uvloop

    url, pid, tables, seats, rate, seconds, how, workers = sys.argv[1:]
    load = Load(int(tables), int(seats), float(rate), float(seconds), how, int(workers))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        measured = runner.run(run(url, psutil.Process(int(pid)), load))
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
