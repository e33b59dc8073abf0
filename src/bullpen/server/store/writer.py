"""One thread writes, and everything that waits goes into one transaction (group commit).

An answer is given only after the commit.  What fails by itself (a conflict) is rolled back to its own
savepoint and does not disturb its neighbours; what fails for all (a full disk) fails for all.  Where the answer
to the commit is missing, the database is asked what became of it, and until it says so nobody is answered.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Generic, Literal, TypeVar

from bullpen.cards import Problem
from bullpen.server.store.claims import Claims
from bullpen.server.store.connection import (
    Connection,
    Corrupt,
    Held,
    TryAgain,
    Unanswered,
    Unavailable,
    WriterConnection,
)
from bullpen.server.store.contract import Event, StoreUnavailable
from bullpen.server.store.events import Append, append_together

log = logging.getLogger("bullpen.store")

T = TypeVar("T")
Stored = Literal["nothing", "unknown"]
MOST_TOGETHER = 512  # jobs of one transaction, to which no more are added
# Where a transaction had so many, the next one waits a moment for more: all of them share the price of a commit.
BUSY_JOBS, GATHER_SECONDS = 3, 0.004
# One message to the database where it can be one: PostgreSQL may be far away.
FIRST_MARK, NEXT_MARK = "SAVEPOINT job", "RELEASE SAVEPOINT job; SAVEPOINT job"
TRIES = 5  # where transactions of several processes are in each other's way
LOOKING_SECONDS = 60.0  # for what became of a commit; then its tables are given up, and read again
SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # between two looks


class Job(Generic[T]):
    def __init__(
        self, table: str, work: Callable[[Connection], T], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.table, self.work = table, work
        self.done: asyncio.Future[T] = loop.create_future()
        self.result: T | None = None
        self.error: BaseException | None = None

    def answer(self) -> None:
        if self.done.done():  # nobody waits any more; what was stored is stored
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)  # type: ignore[arg-type]


class Writer:
    def __init__(self, connection: WriterConnection, claims: Claims) -> None:
        self.connection, self.claims = connection, claims
        self.is_stopping = threading.Event()
        self.gathered: list[Job[Any]] = []  # by the loop, in its present round
        self.waiting: SimpleQueue[list[Job[Any]] | None] = SimpleQueue()
        self.thread = threading.Thread(target=self._write, name="store-writer", daemon=True)
        self.thread.start()

    def do(self, table: str, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Jobs of one table are done in the order in which they come."""
        loop = asyncio.get_running_loop()
        job = Job(table, work, loop)
        if not self.gathered:
            loop.call_soon(self.hand_over)
        self.gathered.append(job)
        return job.done

    def hand_over(self) -> None:
        """All at once: to wake the thread costs more than all else that the loop does for a job."""
        if self.gathered:
            self.waiting.put(self.gathered)
            self.gathered = []

    def stop(self) -> None:
        """What waits is still written; a database that is away is not waited for."""
        self.is_stopping.set()
        self.waiting.put(None)
        self.thread.join()
        self.connection.close()

    # -- In the thread ------------------------------------------------------------------------

    def _write(self) -> None:
        is_busy = False
        while (first := self.waiting.get()) is not None:
            if is_busy:
                time.sleep(GATHER_SECONDS)
            jobs, is_last = self._together(first)
            is_busy = len(jobs) >= BUSY_JOBS
            # Rows are taken in the same order by every process, so that two rarely wait for each other.
            jobs.sort(key=lambda job: job.table)
            if not self._transaction(jobs):
                for job in jobs:
                    self._alone(job)
            self._answer(jobs)
            if is_last:
                return

    def _together(self, first: list[Job[Any]]) -> tuple[list[Job[Any]], bool]:
        jobs = first
        while len(jobs) < MOST_TOGETHER and not self.waiting.empty():
            more = self.waiting.get()
            if more is None:
                return jobs, True
            jobs = [*jobs, *more]
        return jobs, False

    def _alone(self, job: Job[Any]) -> None:
        """One row at a time is in nobody's way for long."""
        for _ in range(TRIES):
            if self._transaction([job]):
                return

    def _transaction(self, jobs: list[Job[Any]]) -> bool:
        """False: worth another try."""
        mark = 0
        try:
            self.connection.begin()
            mark = self.connection.mark()
            self.connection.run(FIRST_MARK)
            together = self._store_together(jobs)
            for job in jobs:
                if job not in together:
                    self._one(job)
            self.connection.commit()
            self.claims.settle()
        except Unanswered as error:
            self.connection.rollback()
            self._look_back(jobs, mark, error)
        except BaseException as error:
            self.connection.rollback()
            self._fail(jobs, error, "nothing")
            return not isinstance(error, TryAgain)
        return True

    def _fail(self, jobs: list[Job[Any]], error: BaseException, stored: Stored) -> None:
        self.claims.undo()
        for job in jobs:
            job.error = failure(error, stored)

    def _look_back(self, jobs: list[Job[Any]], mark: int, error: Unanswered) -> None:
        log.warning("commit not answered", extra={"reason": error.reason})
        stands = self._stands(mark)
        log.warning("commit looked up", extra={"stands": stands})
        if stands:
            self.claims.settle()  # and each job has its result, or an error of its own
        elif stands is None:
            self._fail(jobs, error, "unknown")
            for job in jobs:  # whatever we know of these tables may be wrong
                self.claims.lose(job.table)
        else:
            self._fail(jobs, error, "nothing")

    def _stands(self, mark: int) -> bool | None:
        """None: it could not be found out in time."""
        until, pause = time.monotonic() + LOOKING_SECONDS, SHORTEST_PAUSE
        while True:
            try:
                return self.connection.stands(mark)
            except (Unavailable, Corrupt) as error:
                log.info("not known yet", extra={"reason": str(error)})
            if self.is_stopping.wait(pause) or time.monotonic() > until:
                return None
            pause = min(2 * pause, LONGEST_PAUSE)

    def _store_together(self, jobs: list[Job[Any]]) -> set[Job[Any]]:
        """The moves of many tables at once.  What is odd about one of them shows when it is done alone, and
        what must keep its order is left alone, too."""
        times = Counter(job.table for job in jobs)
        moves = {
            job.table: job.work
            for job in jobs
            if isinstance(job.work, Append) and times[job.table] == 1
        }
        stored: dict[str, list[Event]] = {}
        try:
            stored = append_together(self.connection, moves)
        except BaseException as error:
            if is_for_all(error):
                raise
            log.warning("not stored together", extra={"reason": str(error)})
        self.connection.run(NEXT_MARK if stored else "ROLLBACK TO SAVEPOINT job")
        together = {job for job in jobs if job.table in stored}
        for job in together:
            job.result, job.error = stored[job.table], None
        return together

    def _one(self, job: Job[Any]) -> None:
        job.error = None
        try:
            job.result = job.work(self.connection)
        except BaseException as error:
            if is_for_all(error):
                raise
            job.error = failure(error, "nothing")
            self.connection.run("ROLLBACK TO SAVEPOINT job")
            self.claims.undo_job()
        self.connection.run(NEXT_MARK)
        self.claims.keep_job()

    def _answer(self, jobs: list[Job[Any]]) -> None:
        by_loop: dict[asyncio.AbstractEventLoop, list[Job[Any]]] = {}
        for job in jobs:
            by_loop.setdefault(job.done.get_loop(), []).append(job)
        for loop, own in by_loop.items():
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(answer_all, own)


def answer_all(jobs: list[Job[Any]]) -> None:
    for job in jobs:
        job.answer()


def is_for_all(error: BaseException) -> bool:
    return isinstance(error, Unavailable) and not isinstance(error, Held)


def failure(error: BaseException, stored: Stored) -> BaseException:
    """An error as whoever waits should see it: each gets an exception of its own."""
    if isinstance(error, Unavailable):
        return StoreUnavailable(error.why, stored, error.reason)
    if isinstance(error, Corrupt):
        return Problem("store_damaged", reason=str(error))
    return error
