"""The store: every promise of the contract, as work for the writer's thread or for the reader's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server.store import events, people, tables
from bullpen.server.store.claims import Claims
from bullpen.server.store.connection import Connection, Corrupt, Database, Notice, Unavailable
from bullpen.server.store.contract import (
    ABANDONED,
    LOBBY,
    ChatLine,
    Damage,
    Event,
    Finished,
    Json,
    Key,
    NewEvent,
    Result,
    Standing,
    StoreUnavailable,
)
from bullpen.server.store.writer import Writer

T = TypeVar("T")


class KeptStore:
    def __init__(self, database: Database, owner: str) -> None:
        self.database, self.claims = database, Claims(owner)
        self.writer = Writer(database.connect_writer, self.claims)
        self.reader = database.connect()
        self.reading = ThreadPoolExecutor(1, "store-reader")
        self.listeners: set[asyncio.Queue[str]] = set()
        self.listening: dict[Notice, threading.Thread] = {}
        self.closed = threading.Event()

    # -- Two ways in --------------------------------------------------------------------------

    async def _write(self, table: str, work: Callable[[Connection], T]) -> T:
        if self.closed.is_set():
            raise StoreUnavailable("store_is_closed", "nothing", "")
        return await self.writer.do(table, work)

    async def _changed(self, table: str, work: Callable[[Connection], T]) -> T:
        result = await self._write(table, work)
        if self.database.listen is None:  # else the database tells, this process too
            self._wake(table)
        return result

    async def _read(self, work: Callable[[Connection], T]) -> T:
        if self.closed.is_set():
            raise StoreUnavailable("store_is_closed", "nothing", "")
        return await asyncio.get_running_loop().run_in_executor(self.reading, self._reads, work)

    def _reads(self, work: Callable[[Connection], T]) -> T:
        try:
            self.reader.begin(reading=True)
            try:
                return work(self.reader)
            finally:
                self.reader.rollback()
        except Unavailable as unavailable:
            raise StoreUnavailable(unavailable.why, "nothing", unavailable.reason) from unavailable
        except Corrupt as corrupt:
            raise Problem("store_damaged", reason=str(corrupt)) from corrupt

    # -- Tables -------------------------------------------------------------------------------

    async def create(self, table: str, kind: str, header: Json, given: Sequence[Key] = ()) -> None:
        def created(connection: Connection) -> None:
            tables.create(connection, self.claims, table, kind, header)
            people.add_keys(connection, table, given)

        await self._changed(table, created)

    async def update(self, table: str, header: Json) -> None:
        await self._changed(table, lambda c: tables.update(c, self.claims, table, header))

    async def header(self, table: str) -> Json | None:
        return await self._read(lambda c: tables.header(c, table))

    async def all_tables(self) -> list[str]:
        return await self._read(tables.all_tables)

    async def live_tables(self) -> list[str]:
        return await self._read(tables.live_tables)

    async def finished(self, *, limit: int, before: str | None = None) -> list[Finished]:
        return await self._read(lambda c: tables.finished(c, limit, before))

    async def delete(self, table: str) -> None:
        await self._changed(table, lambda c: tables.delete(c, self.claims, table))

    async def reap(
        self, *, untouched_since: float, states: Sequence[str] = (LOBBY, ABANDONED)
    ) -> list[str]:
        return await self._write("", lambda c: tables.reap(c, self.claims, untouched_since, states))

    # -- Events -------------------------------------------------------------------------------

    async def append(self, table: str, first_seq: int, new: Sequence[NewEvent]) -> list[Event]:
        return await self._changed(table, events.Append(self.claims, table, first_seq, new))

    async def events(self, table: str, after: int = 0) -> list[Event]:
        return await self._read(lambda c: events.events(c, table, after))

    async def check(self, table: str) -> Damage | None:
        return await self._read(lambda c: events.check(c, table))

    # -- Ownership ----------------------------------------------------------------------------

    async def claim(self, table: str) -> bool:
        return await self._write(table, lambda c: self.claims.claim(c, table))

    async def release(self, table: str) -> None:
        await self._write(table, lambda c: self.claims.release(c, table))

    async def ask_for(self, table: str) -> None:
        await self._write(table, lambda c: c.ask_for(table))

    async def wanted(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._listen("wanted", queue.put_nowait)
        while self.is_shared:
            if table := await queue.get():
                yield table

    @property
    def is_shared(self) -> bool:
        return self.database.listen is not None

    async def listed(self, limit: int) -> list[tuple[str, Json]]:
        return await self._read(lambda c: tables.listed(c, limit))

    # -- Finished games -----------------------------------------------------------------------

    async def finish(self, table: str, header: Json, game: str, results: Sequence[Result]) -> None:
        await self._changed(
            table, lambda c: tables.finish(c, self.claims, table, header, game, results)
        )

    async def results(self, table: str) -> list[Result]:
        return await self._read(lambda c: tables.results(c, table))

    async def statistics(
        self, *, game: str | None = None, device: str | None = None
    ) -> list[Standing]:
        return await self._read(lambda c: tables.statistics(c, game, device))

    # -- People -------------------------------------------------------------------------------

    async def reseat(
        self, table: str, header: Json, ended: Sequence[Seat | None], given: Sequence[Key]
    ) -> None:
        await self._changed(
            table, lambda c: people.reseat(c, self.claims, table, header, ended, given)
        )

    async def keys(self, table: str) -> list[Key]:
        return await self._read(lambda c: people.keys(c, table))

    async def say(self, table: str, seat: Seat | None, name: str, text: str) -> ChatLine:
        return await self._changed(table, lambda c: people.say(c, table, seat, name, text))

    async def chat(self, table: str) -> list[ChatLine]:
        return await self._read(lambda c: people.chat(c, table))

    # -- Wake-ups -----------------------------------------------------------------------------

    async def changes(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self.listeners.add(queue)
        self._listen("changed", self._wake)
        try:
            while True:
                yield await queue.get()
        finally:
            self.listeners.discard(queue)

    def _listen(self, what: Notice, heard: Callable[[str], None]) -> None:
        """In a thread, until the store is closed."""
        if self.database.listen is None or what in self.listening:
            return
        loop = asyncio.get_running_loop()

        def hand_on(table: str) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(heard, table)

        thread = threading.Thread(
            target=self.database.listen, args=(what, hand_on, self.closed.is_set), daemon=True
        )
        self.listening[what] = thread
        thread.start()

    def _wake(self, table: str) -> None:
        for queue in self.listeners:
            queue.put_nowait(table)

    # -- The store itself ---------------------------------------------------------------------

    async def meta(self) -> dict[str, str]:
        rows: list[Any] = await self._read(lambda c: c.run("SELECT name, value FROM meta"))
        return dict(rows)

    async def close(self) -> None:
        """Write what waits, then let go."""
        if self.closed.is_set():
            return
        self.closed.set()
        await asyncio.to_thread(self.writer.stop)
        for thread in self.listening.values():
            await asyncio.to_thread(thread.join)
        self.reading.shutdown()
        self.reader.close()
