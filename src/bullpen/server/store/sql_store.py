"""The store: every promise of the contract, as work for the writer's thread or for the reader's."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server.store import events, people, ratings, retention, tables
from bullpen.server.store.claims import LEASE_SECONDS, Claims
from bullpen.server.store.clubs import Clubs
from bullpen.server.store.connection import Connection, Corrupt, Database, Unavailable
from bullpen.server.store.contract import (
    ChatLine,
    Event,
    GiveUp,
    Json,
    Key,
    NewEvent,
    Result,
    Standing,
    StoreUnavailable,
    nobody_counts,
)
from bullpen.server.store.daily import Daily
from bullpen.server.store.deadlines import Deadline, Deadlines
from bullpen.server.store.decency import Decency
from bullpen.server.store.passkeys import Passkeys
from bullpen.server.store.players import MOST_DEVICES, Players, became
from bullpen.server.store.pushes import Pushes
from bullpen.server.store.puzzles import Puzzles
from bullpen.server.store.quality import Judgements
from bullpen.server.store.ratings import Ratings
from bullpen.server.store.sharing import Share
from bullpen.server.store.tournaments import Tournaments
from bullpen.server.store.writer import Writer

T = TypeVar("T")
BEATS_OF_A_LEASE = 4  # one or two may be lost
PROBE_SECONDS = 1.0  # between two probes, however often somebody asks
PROBE_PATIENCE = 5.0  # seconds that one may take


class Keeper(NamedTuple):
    """This process, as it stands in the database."""

    id: str
    name: str  # for people who look there; need not be unique


def become(connection: Connection, device: str, player: str) -> bool:
    return became(connection, device, player, MOST_DEVICES) is not None


class SqlStore:
    def __init__(self, database: Database, keeper: Keeper, share: Share) -> None:
        self.database, self.share = database, share
        self.is_shared = database.listen is not None or share.of > 1
        lease = LEASE_SECONDS if self.is_shared else 0.0
        self.claims = Claims(keeper.id, keeper.name, lease)
        self.writer = Writer(database.connect_writer(keeper.id), self.claims)
        self.reader = database.connect()
        self.reading = ThreadPoolExecutor(1, "store-reader")
        self.players = Players(self._write, self._read, self.claims)
        self.ratings = Ratings(self._write, self._read)
        self.daily = Daily(self._write, self._read)
        self.deadlines = Deadlines(self._write, self._read, self.claims)
        self.pushes = Pushes(self._write, self._read, share)
        self.clubs = Clubs(self._write, self._read)
        self.tournaments = Tournaments(self._write, self._read)
        self.passkeys = Passkeys(self._write, self._read, become)
        self.puzzles = Puzzles(self._write, self._read)
        self.decency = Decency(self._write, self._read, self.claims)
        self.judgements = Judgements(self._write, self._read, keeper.id)
        self.listening: threading.Thread | None = None
        self.gone: asyncio.Queue[str] = asyncio.Queue()
        self.beating: asyncio.Task[None] | None = None
        self.probing: asyncio.Task[None] | None = None
        self.probed_at = 0.0
        self.closed = threading.Event()

    # -- Two ways in --------------------------------------------------------------------------

    async def _write(self, table: str, work: Callable[[Connection], T]) -> T:
        if self.closed.is_set():
            raise StoreUnavailable("store_is_closed", "nothing", "")
        try:
            return await self.writer.do(table, work)
        except StoreUnavailable as unavailable:
            if unavailable.stored == "unknown":
                self.gone.put_nowait(table)
            raise

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

    async def create(self, table: str, game: str, header: Json, given: Sequence[Key] = ()) -> None:
        def created(connection: Connection) -> None:
            tables.create(connection, self.claims, table, game, header)
            people.add_keys(connection, table, given)

        await self._write(table, created)

    async def update(self, table: str, header: Json) -> None:
        await self._write(table, lambda c: tables.update(c, self.claims, table, header))

    async def header(self, table: str) -> Json | None:
        return await self._read(lambda c: tables.header(c, table))

    async def delete(self, table: str) -> None:
        await self._write(table, lambda c: tables.delete(c, self.claims, table))

    async def reap(self, *, untouched_since: float) -> list[str]:
        return await self._write(
            "", lambda c: tables.reap(c, self.claims, self.share, untouched_since)
        )

    async def abandon(
        self,
        *,
        untouched_since: float,
        limit: int,
        who: retention.Who = "all",
        give_up: GiveUp = nobody_counts,
    ) -> list[str]:
        def work(connection: Connection) -> list[str]:
            return retention.abandon(
                connection, self.claims, untouched_since, limit, who, self.share, give_up
            )

        return await self._write("", work)

    async def prune(
        self,
        *,
        untouched_since: float,
        limit: int,
        how: retention.How,
        blank: Callable[[Json], Json],
    ) -> list[str]:
        def work(connection: Connection) -> list[str]:
            return retention.prune(connection, untouched_since, limit, how, blank, self.share)

        return await self._write("", work)

    # -- Events -------------------------------------------------------------------------------

    def append(
        self,
        table: str,
        first_seq: int,
        new: Sequence[NewEvent],
        deadlines: Sequence[Deadline] | None = None,
    ) -> Coroutine[Any, Any, list[Event]]:
        return self._write(table, events.Append(self.claims, table, first_seq, new, deadlines))

    async def events(self, table: str) -> list[Event]:
        return await self._read(lambda c: events.events(c, table))

    # -- Ownership ----------------------------------------------------------------------------

    async def claim(self, table: str) -> bool:
        return await self._write(table, lambda c: self.claims.claim(c, table))

    async def release(self, table: str) -> None:
        await self._write(table, lambda c: self.claims.release(c, table))

    async def ask_for(self, table: str) -> None:
        await self._write(table, lambda c: c.ask_for(table))

    async def adopt(self, *, within: float, limit: int) -> list[str]:
        return await self._write(
            "", lambda c: self.claims.adopt(c, self.share, time.time() - within, limit)
        )

    async def wanted(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._listen(queue.put_nowait)
        while True:
            yield await queue.get()

    def _listen(self, heard: Callable[[str], None]) -> None:
        """In a thread, until the store is closed."""
        if self.database.listen is None or self.listening is not None:
            return
        loop = asyncio.get_running_loop()

        def hand_on(table: str) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(heard, table)

        self.listening = threading.Thread(
            target=self.database.listen, args=(hand_on, self.closed.is_set), daemon=True
        )
        self.listening.start()

    async def lost(self) -> AsyncIterator[str]:
        while True:
            table = await self.gone.get()
            if not self.claims.holds(table):  # else it was claimed and read again in the meantime
                yield table

    async def listed(self, limit: int) -> list[tuple[str, Json]]:
        return await self._read(lambda c: tables.listed(c, limit))

    # -- Finished games -----------------------------------------------------------------------

    async def finish(
        self,
        table: str,
        header: Json,
        game: str,
        results: Sequence[Result],
        contestants: Sequence[Json] = (),
    ) -> None:
        def finished(connection: Connection) -> None:
            tables.finish(connection, self.claims, table, header, game, results, contestants)

        await self._write(table, finished)

    async def statistics(self, *, device: str | None = None) -> list[Standing]:
        return await self._read(lambda c: tables.statistics(c, device))

    def _fenced(self, table: str, work: Callable[[Connection], T]) -> Callable[[Connection], T]:
        """For what may be written to a table of nobody's, but not to one that we have lost."""

        def fenced(connection: Connection) -> T:
            self.claims.fence(connection, table)
            return work(connection)

        return fenced

    # -- People -------------------------------------------------------------------------------

    async def reseat(
        self,
        table: str,
        header: Json,
        ended: Sequence[Seat | None],
        given: Sequence[Key],
        contestants: Sequence[Json] = (),
    ) -> None:
        def reseated(connection: Connection) -> None:
            people.reseat(connection, self.claims, table, header, ended, given)
            ratings.wait(connection, table, header.get("game", ""), contestants, time.time())

        await self._write(table, reseated)

    async def keys(self, table: str) -> list[Key]:
        return await self._read(lambda c: people.keys(c, table))

    async def say(self, table: str, seat: Seat | None, name: str, text: str) -> ChatLine:
        return await self._write(
            table, self._fenced(table, lambda c: people.say(c, table, seat, name, text))
        )

    async def chat(self, table: str) -> list[ChatLine]:
        return await self._read(lambda c: people.chat(c, table))

    # -- The store itself ---------------------------------------------------------------------

    async def enter(self) -> None:
        """From now on others see that this process lives."""
        if self.is_shared:
            await self._renew_if_possible()
            self.beating = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        """From the loop, not from a thread: a process whose loop hangs serves nobody."""
        while True:
            await asyncio.sleep(self.claims.lease / BEATS_OF_A_LEASE)
            await self._renew_if_possible()

    async def _renew_if_possible(self) -> None:
        with suppress(Problem):  # the next one may succeed
            await self._renew()

    async def _renew(self) -> None:
        for table in await self._write("", self.claims.renew):
            self.gone.put_nowait(table)

    async def probe(self) -> None:
        now = asyncio.get_running_loop().time()
        if self.probing is None or (self.probing.done() and now - self.probed_at > PROBE_SECONDS):
            self.probing, self.probed_at = asyncio.create_task(self._renew()), now
        done, _ = await asyncio.wait([self.probing], timeout=PROBE_PATIENCE)
        if not done:
            raise StoreUnavailable("store_busy", "unknown", f"{PROBE_PATIENCE:.0f} s")
        if self.probing.cancelled():  # the store was closed meanwhile
            raise StoreUnavailable("store_is_closed", "nothing", "")
        self.probing.result()

    def wait_no_longer(self) -> None:
        self.writer.is_stopping.set()

    async def close(self) -> None:
        """Write what waits, then let go."""
        if self.closed.is_set():
            return
        for task in (self.beating, self.probing):
            if task is not None:
                task.cancel()
        leaving = asyncio.ensure_future(self._write("", self.claims.leave))
        await asyncio.sleep(0)  # it waits in the queue now, behind all else
        self.closed.set()
        self.writer.hand_over()
        await asyncio.to_thread(self.writer.stop)
        with suppress(Problem):
            await leaving
        if self.listening is not None:
            await asyncio.to_thread(self.listening.join)
        self.reading.shutdown()
        self.reader.close()
