"""Reviews on demand: thought out once, by the coach's processes, and kept for a while."""

from __future__ import annotations

import asyncio
from typing import Any

from bullpen.server import replay
from bullpen.server.house import Refused
from bullpen.server.room import Room
from bullpen.server.settings import Settings
from bullpen.server.thinking.pool import NoAnswer, Pool

KEPT = 200  # reviews
SECONDS = 600.0  # that one may take
WAITING = 20  # reviews that may be asked for at a time


class Reviews:
    def __init__(self, settings: Settings, coach: Pool) -> None:
        self.settings, self.coach = settings, coach
        self.done: dict[str, dict[str, Any] | None] = {}  # None: it could not be made
        self.doing: dict[str, asyncio.Task[None]] = {}

    async def of(self, room: Room) -> dict[str, Any] | None:
        """None while the coach thinks."""
        if room.id in self.done:
            if (review := self.done[room.id]) is None:
                raise Refused(503, "coach_silent")
            return review
        if room.id not in self.doing:
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
            self.done[room.id] = None
        finally:
            del self.doing[room.id]
        while len(self.done) > KEPT:
            del self.done[next(iter(self.done))]
