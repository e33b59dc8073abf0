"""Reviews on demand: thought out once, by processes of their own, and kept for a while."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from bullpen.server.budget import Held
from bullpen.server.refused import Refused
from bullpen.server.room import Room
from bullpen.server.thinking.pool import NoAnswer, Pool

log = logging.getLogger("bullpen.reviews")

KEPT = 200  # reviews
SECONDS = 600.0  # that one may take
AGAIN_SECONDS = 60.0  # after one that could not be made
WAITING = 20  # reviews that may be asked for at a time


class Reviews:
    def __init__(self, reviewers: Pool, by_address: Held) -> None:
        self.reviewers, self.by_address = reviewers, by_address
        self.done: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, float] = {}  # when; it is tried again after a while
        self.doing: dict[str, asyncio.Task[None]] = {}

    async def of(self, room: Room, address: str) -> dict[str, Any] | None:
        """None while the coach thinks."""
        if review := self.done.get(room.id):
            return review
        if room.id not in self.doing:
            now = asyncio.get_running_loop().time()
            if now < self.failed.get(room.id, -AGAIN_SECONDS) + AGAIN_SECONDS:
                raise Refused(503, "coach_silent")
            if len(self.doing) >= WAITING:
                raise Refused(429, "coach_busy")
            if not self.by_address.takes(address):
                raise Refused(429, "too_much_work", most=self.by_address.most)
            task = self.doing[room.id] = asyncio.create_task(self._think(room))
            task.add_done_callback(lambda _: self.by_address.give_back(address))
        return None

    async def _think(self, room: Room) -> None:
        try:
            answer = await self.reviewers.ask("review", SECONDS, **room.written_out())
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
