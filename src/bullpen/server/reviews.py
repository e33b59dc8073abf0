"""Reviews on demand: thought out once, by the coach's processes, and kept for a while."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from bullpen.server import replay
from bullpen.server.refused import Refused
from bullpen.server.room import Room
from bullpen.server.thinking.pool import NoAnswer, Pool

log = logging.getLogger("bullpen.reviews")

KEPT = 200  # reviews
SECONDS = 600.0  # that one may take
AGAIN_SECONDS = 60.0  # after one that could not be made
WAITING = 20  # reviews that may be asked for at a time


class Reviews:
    def __init__(self, coach: Pool) -> None:
        self.coach = coach
        self.done: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, float] = {}  # when; it is tried again after a while
        self.doing: dict[str, asyncio.Task[None]] = {}

    async def of(self, room: Room) -> dict[str, Any] | None:
        """None while the coach thinks."""
        if review := self.done.get(room.id):
            return review
        if room.id not in self.doing:
            now = asyncio.get_running_loop().time()
            if now < self.failed.get(room.id, -AGAIN_SECONDS) + AGAIN_SECONDS:
                raise Refused(503, "coach_silent")
            if len(self.doing) >= WAITING:
                raise Refused(429, "coach_busy")
            self.doing[room.id] = asyncio.create_task(self._think(room))
        return None

    async def _think(self, room: Room) -> None:
        try:
            record = await asyncio.to_thread(replay.record, room)
            answer = await self.coach.ask("review", SECONDS, record=record)
            self.done[room.id] = answer["review"]
        except NoAnswer:
            self.failed[room.id] = asyncio.get_running_loop().time()
        except Exception:
            log.exception("no review", extra={"table": room.id})
            self.failed[room.id] = asyncio.get_running_loop().time()
        finally:
            del self.doing[room.id]
        for kept in (self.done, self.failed):
            while len(kept) > KEPT:
                del kept[next(iter(kept))]
