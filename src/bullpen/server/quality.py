"""Decision quality: the points that somebody gives away with a decision, judged in the background as a review would.

One game at a time, on all processes together, in a process of the lowest priority that rests for most of the time
(`quality_share`), and is ended when nothing waits.  docs/ratings.md says how the number is made.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import NamedTuple

from pydantic import ValidationError

from bullpen import fast
from bullpen.cards import Problem
from bullpen.coach.grades import LIMITS
from bullpen.games import GAMES, about
from bullpen.server.header import Header
from bullpen.server.house import device_hash
from bullpen.server.metrics import Metrics
from bullpen.server.room import Room
from bullpen.server.settings import Settings
from bullpen.server.store import FINISHED, Store, TableDamaged
from bullpen.server.store.quality import INTERVAL, TAKEN_SECONDS, Sums, Tally
from bullpen.server.thinking.pool import NoAnswer, Pool

log = logging.getLogger("bullpen.quality")

LOOK_SECONDS = 2.0  # between two looks for games that wait
SECONDS = 900.0  # that one game may take
WAITING_SECONDS = 7 * 86_400.0  # what has not been judged by then never is
Found = list[tuple[str, Tally]]


class Shown(NamedTuple):
    """Points below the best a decision, and how sure that is."""

    points: float
    give_or_take: float
    decisions: int
    games: int


class Quality:
    def __init__(self, settings: Settings, store: Store, judges: Pool, metrics: Metrics) -> None:
        self.share, self.store, self.judges, self.metrics = (
            settings.quality_share,
            store,
            judges,
            metrics,
        )
        self.book = store.judgements

    @property
    def is_off(self) -> bool:
        return not self.share or fast.missing_package() is not None

    async def run(self) -> None:
        """As long as the server runs."""
        while True:
            try:
                await self.judge_all()
            except Problem as problem:
                log.warning("not judged", extra={"reason": problem.key})
            except Exception:  # once is no reason never to try again
                log.exception("not judged")
            await asyncio.sleep(LOOK_SECONDS)

    async def judge_all(self) -> None:
        """All that wait, and whose turn this process gets."""
        if not await self.book.are_waiting():
            await self.judges.close()  # nothing to do: it needs no memory
            return
        await self.book.drop(time.time() - (0 if self.is_off else WAITING_SECONDS))
        while not self.is_off and (table := await self.book.take()):
            begun = time.monotonic()
            await self.judge(table)
            taken = time.monotonic() - begun
            await asyncio.sleep(taken * (1 / self.share - 1))

    async def judge(self, table: str) -> None:
        saying = asyncio.create_task(self._still_at_it(table))
        try:
            found = await self._found(table)
        except NoAnswer:
            await self.book.put_back(table)
        else:
            await self.book.judged(table, found)
        finally:
            saying.cancel()
            await asyncio.gather(saying, return_exceptions=True)

    async def _still_at_it(self, table: str) -> None:
        while True:
            await asyncio.sleep(TAKEN_SECONDS / 3)
            await self.book.still_at_it(table)

    async def _found(self, table: str) -> Found:
        room = await self._read(table)
        if room is None:
            return []
        answer = await self.judges.ask("quality", SECONDS, **room.written_out())
        return [(device, Tally(*one)) for device, one in answer["found"].items()]

    async def _read(self, table: str) -> Room | None:
        """From the store alone: another process may have it.  None: it is gone, damaged, or of other rules."""
        try:
            kept = await self.store.header(table)
            header = None if kept is None else Header.model_validate(kept)
            if header is None or header.state != FINISHED or not header.can_be_played:
                return None
            room = Room(table, header, self.store, self.metrics)
            await room.restore()
        except (TableDamaged, ValidationError):
            return None
        return room

    # -- What is shown ------------------------------------------------------------------------

    async def own(self, device: str | None) -> dict[str, Shown]:
        """By game, of whoever asks."""
        hashed = device_hash(device)
        found = await self.book.of(hashed) if hashed else []
        return {one.game: shown(one.game, one.sums) for one in found if one.game in GAMES}


def shown(game: str, sums: Sums) -> Shown:
    """The interval grows by what one mistake would add, so that some decisions without any do not look certain."""
    mistake = dict(LIMITS)["mistake"] * (about(GAMES[game]).spread or 0.0)
    unseen = mistake / sums.decisions
    give_or_take = INTERVAL * (sums.error**2 + unseen**2) ** 0.5
    return Shown(sums.mean, give_or_take, sums.decisions, sums.games)
