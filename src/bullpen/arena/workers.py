"""Who plays the games of a tournament: this process, or several processes of this machine.

A source of work gives what came of the games, always in the order of their numbers, whoever played them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from typing import Protocol

from bullpen.arena.one_game import Work, listeners, play_games
from bullpen.arena.plan import Plan
from bullpen.bots import outside, programs
from bullpen.cards import Problem

MOST_JOBS = 256
SECONDS_A_SHARE = 0.3  # of work given out at once: little, for a lively bar and a quick end
MOST_A_SHARE = 64
SHARES_AHEAD = 3  # for each worker, so that none waits while another one thinks long
SECONDS_TO_STOP = 3.0
ENDED_BY_US = 143  # exit code, as of whoever ends by SIGTERM


class Workers(Protocol):
    def __call__(self, plan: Plan, numbers: range) -> Iterator[Work]:
        """What came of these games, in their order."""


class Shares:
    """Cuts the games into pieces of work that take about the same time."""

    def __init__(self, numbers: range) -> None:
        self.left, self.size = numbers, 1

    def __iter__(self) -> Iterator[range]:
        while self.left:
            share, self.left = self.left[: self.size], self.left[self.size :]
            yield share

    def learn(self, games: int, seconds: float) -> None:
        """Only how much is handed out at once depends on the clock, never what comes of it."""
        wanted = int(SECONDS_A_SHARE * games / max(seconds, 1e-6))
        self.size = max(1, min(wanted, 2 * self.size, MOST_A_SHARE))


def timed(plan: Plan, numbers: range) -> tuple[Work, float]:
    start = time.perf_counter()
    return play_games(plan, numbers), time.perf_counter() - start


def in_this_process(plan: Plan, numbers: range) -> Iterator[Work]:
    shares = Shares(numbers)
    for share in shares:
        work, seconds = timed(plan, share)
        shares.learn(len(share), seconds)
        yield work


def one_at_a_time(plan: Plan, numbers: range) -> Iterator[Work]:
    """Here; but where somebody's own code plays, in a process beside this one, which it may end."""
    own = any(outside.is_python(bot) for bot in plan.bots)
    return processes(1)(plan, numbers) if own else in_this_process(plan, numbers)


def usual_jobs() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processes(jobs: int) -> Workers:
    """So many processes of this machine."""

    def work(plan: Plan, numbers: range) -> Iterator[Work]:
        workers = min(jobs, MOST_JOBS, len(numbers))
        # Compiled code and its threads do not survive a fork, so every worker starts afresh.
        context = multiprocessing.get_context("spawn")
        bots = BotsAsked(context, workers)
        pool = ProcessPoolExecutor(workers, context, initializer=begin_work, initargs=(bots,))
        started: dict[int, BaseProcess] = {}
        shares = Shares(numbers)
        running: deque[tuple[range, Future[tuple[Work, float]]]] = deque()
        try:
            for share in shares:
                running.append((share, pool.submit(timed, plan, share)))
                started.update(pool._processes or {})
                if len(running) > SHARES_AHEAD * workers:
                    yield next_done(running, shares)
            while running:
                yield next_done(running, shares)
        except BrokenProcessPool:
            raise died(plan, list(started.values()), bots) from None
        finally:
            stop(pool)

    return work


def next_done(running: deque[tuple[range, Future[tuple[Work, float]]]], shares: Shares) -> Work:
    share, future = running.popleft()
    work, seconds = future.result()
    shares.learn(len(share), seconds)
    return work


class BotsAsked:
    """In memory that all processes share: which bot each worker asks just now, by its number in the plan."""

    def __init__(self, context: SpawnContext, workers: int) -> None:
        self.workers, self.begun = context.RawArray("q", workers), context.Value("q", 0)
        self.bots = context.RawArray("q", workers)

    def listen(self) -> None:
        """In a new worker."""
        with self.begun.get_lock():
            at = self.begun.value
            self.begun.value += 1
        self.workers[at] = os.getpid()

        def listener(bot: int) -> None:
            self.bots[at] = bot + 1

        listeners.append(listener)

    def last(self, worker: int | None) -> int:
        """Of a worker by its process: the bot that it asked last, -1 for none."""
        asked = dict(zip(self.workers, self.bots, strict=True))
        return int(asked.get(worker or 0, 0)) - 1


def died(plan: Plan, workers: Sequence[BaseProcess], bots: BotsAsked) -> Problem:
    """Of those that were ended with it, the one that ended first is known by its exit code."""
    for worker in workers:
        code = exit_code(worker)
        if code is not None and code >= 0 and code != ENDED_BY_US:
            bot = bots.last(worker.pid)
            if bot >= 0:
                return Problem("bot_ended_worker", bot=plan.bots[bot], code=code)
    return Problem("tournament_worker_died")


def exit_code(worker: BaseProcess) -> int | None:
    """The pool waits for it in a thread of its own: there is a moment in which it is gone, and its code not told yet."""
    until = time.monotonic() + SECONDS_TO_STOP
    while (code := worker.exitcode) is None and time.monotonic() < until:
        time.sleep(0.01)
    return code


def begin_work(bots: BotsAsked) -> None:
    """In a new worker: Ctrl-C is for the process that gives out the work, and nobody works for a dead one."""
    bots.listen()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=end_with_parent, daemon=True).start()


def leave(*_: object) -> None:
    """At once: the pool would catch an exception and go on."""
    programs.end_all()
    os._exit(ENDED_BY_US)


def end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def stop(pool: ProcessPoolExecutor) -> None:
    """Now, and not when the games that are being played have ended."""
    workers, results = list((pool._processes or {}).values()), pool._result_queue
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    deadline = time.monotonic() + SECONDS_TO_STOP
    for worker in workers:
        worker.join(max(0.0, deadline - time.monotonic()))
        if worker.is_alive():
            worker.kill()
            worker.join()
    # A worker may have ended in the middle of a result.  The pool's thread would wait for the rest as long as anybody
    # could write it, and this process for the thread.
    results._writer.close()  # type: ignore[attr-defined]
