"""A door between a server and PostgreSQL that loses connections at the worst moment.

    python -m tests.faults.proxy PORT      says its own port, then takes orders, a word a line

- `after`: the next commit of something written is passed on and done, and its answer is lost with the connection
- `before`: the next commit is not even passed on
- `all`: every connection is cut now
- `cuts`: how many commits were hit so far
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress

HOST = "127.0.0.1"
WROTE = (b"INSERT 0 ", b"UPDATE ")  # in PostgreSQL's answers: something was written


class Door:
    def __init__(self, to: int) -> None:
        self.to, self.armed, self.cuts = to, "", 0
        self.passages: set[Passage] = set()

    async def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passage = Passage(self, writer)
        self.passages.add(passage)
        try:
            await passage.serve(reader)
        finally:
            self.passages.discard(passage)
            passage.cut()

    def obey(self, word: str) -> str:
        if word in ("after", "before", ""):
            self.armed = word
        elif word == "all":
            for passage in list(self.passages):
                passage.cut()
        return str(self.cuts)


class Passage:
    """One connection."""

    def __init__(self, door: Door, to_server: asyncio.StreamWriter) -> None:
        self.door, self.to_server = door, to_server
        self.to_database: asyncio.StreamWriter | None = None
        self.has_written = self.loses_answer = False

    async def serve(self, from_server: asyncio.StreamReader) -> None:
        with suppress(OSError):
            from_database, self.to_database = await asyncio.open_connection(HOST, self.door.to)
            going, coming = (
                asyncio.create_task(self._going(from_server)),
                asyncio.create_task(self._coming(from_database)),
            )
            await asyncio.wait([going, coming], return_when=asyncio.FIRST_COMPLETED)
            self.cut()
            await asyncio.gather(going, coming, return_exceptions=True)

    async def _going(self, reader: asyncio.StreamReader) -> None:
        assert self.to_database is not None
        while data := await reader.read(65536):
            if b"COMMIT" in data:
                if self.has_written and self.door.armed:
                    armed, self.door.armed = self.door.armed, ""
                    self.door.cuts += 1
                    if armed == "before":
                        return
                    self.loses_answer = True
                self.has_written = False
            self.to_database.write(data)
            await self.to_database.drain()

    async def _coming(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(65536):
            if self.loses_answer:
                return
            self.has_written = self.has_written or any(word in data for word in WROTE)
            self.to_server.write(data)
            await self.to_server.drain()

    def cut(self) -> None:
        for writer in (self.to_server, self.to_database):
            if writer is not None:
                writer.transport.abort()


async def main(to: int) -> None:
    door = Door(to)
    server = await asyncio.start_server(door.enter, HOST, 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(orders), sys.stdin
    )
    while line := await orders.readline():
        print(door.obey(line.decode().strip()), flush=True)
    os._exit(0)  # nobody gives orders any more: whoever is connected finds out


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
