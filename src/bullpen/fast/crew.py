"""Threads that do parts of one piece of compiled work side by side.

A step of a few thousand games takes a fifth of a millisecond, and an executor's futures a third of
that again; two plain queues hand the work over in less.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from threading import Thread

Work = Callable[[int, int], None]  # does the items from the first to before the last

LEAST_GAMES_PER_THREAD = 256  # with less, waking it costs more than it brings
BALANCING = 1 / 256  # of all items: how much goes from one thread to another at a time
LARGEST_PART = 0.75


class Crew:
    """The calling thread and `jobs - 1` others."""

    def __init__(self, jobs: int, smallest_share: int) -> None:
        self._jobs, self._smallest_share = jobs, smallest_share
        self._todo: SimpleQueue[tuple[Work, int, int] | None] = SimpleQueue()
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        self._own_part = 1 / jobs
        for _ in range(jobs - 1):
            Thread(target=_toil, args=(self._todo, self._done), daemon=True).start()
            weakref.finalize(self, self._todo.put, None)

    def share(self, work: Work, count: int) -> None:
        """All items from 0 on, each once; returns when they are done.

        The others begin later, by the time it takes to wake them, so the caller's own part is larger:
        it shrinks when the others were there first, and grows when they were not."""
        parts = max(1, min(self._jobs, count // self._smallest_share))
        if parts == 1:
            work(0, count)
            return
        own = int(count * max(self._own_part, 1 / parts))
        bounds = [own + (count - own) * part // (parts - 1) for part in range(parts)]
        for first, last in pairwise(bounds):
            self._todo.put((work, first, last))
        try:
            work(0, own)
        finally:  # whatever happens here, the others are waited for
            waited_for = parts - 1 - self._done.qsize()
            failed = [failure for _ in range(parts - 1) if (failure := self._done.get())]
        self._own_part += BALANCING if waited_for else -BALANCING
        self._own_part = min(max(self._own_part, 1 / parts), LARGEST_PART)
        if failed:
            raise failed[0]


def _toil(
    todo: SimpleQueue[tuple[Work, int, int] | None], done: SimpleQueue[BaseException | None]
) -> None:
    while (task := todo.get()) is not None:
        work, first, last = task
        try:
            work(first, last)
        except BaseException as failure:  # the caller raises it
            done.put(failure)
        else:
            done.put(None)
        del task, work  # they hold the batch, which else would never end
