"""What is over, or was left, and how long it is kept: looked after in small portions while the server runs."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Literal

from bullpen.cards import Problem
from bullpen.server.header import without_people
from bullpen.server.settings import Settings
from bullpen.server.store import Store

log = logging.getLogger("bullpen.retention")

DAY = 86_400.0
IDLE_DAYS = 30.0  # that a player without a single table is kept
LOBBY_SECONDS = 60.0  # between two looks for lobbies that nobody keeps
AT_ONCE = 50  # tables in one transaction
PAUSE_SECONDS = 0.5  # between two of them


class Retention:
    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store

    async def run(self) -> None:
        """As long as the server runs: lobbies every minute, the rest every day."""
        started, next_day = time.time(), 0.0
        while True:
            try:
                now = time.time()
                longest = 60 * self.settings.lobby_minutes
                if now - started > longest:  # while we were away nobody could come
                    await self.store.reap(untouched_since=now - longest)
                if now >= next_day:
                    await self.look_through(now)
                    next_day = now + DAY
            except Problem as problem:
                log.warning("not pruned", extra={"reason": problem.key})
            except Exception:  # once is no reason never to try again
                log.exception("not pruned")
            await asyncio.sleep(LOBBY_SECONDS)

    async def look_through(self, now: float) -> None:
        pruned = abandoned = 0
        given_up: tuple[tuple[Literal["all", "alone"], float], ...] = (
            ("alone", self.settings.alone_days),
            ("all", self.settings.abandon_days),
        )
        for who, days in given_up:
            before = now - DAY * days
            while days and (
                some := await self.store.abandon(untouched_since=before, limit=AT_ONCE, who=who)
            ):
                abandoned += len(some)
                await asyncio.sleep(PAUSE_SECONDS)
        await self.store.players.drop_idle(now - DAY * IDLE_DAYS)
        if self.settings.keep_days:
            before = now - DAY * self.settings.keep_days
            while some := await self.store.prune(
                untouched_since=before, limit=AT_ONCE, how="blank", blank=without_people
            ):
                pruned += len(some)
                await asyncio.sleep(PAUSE_SECONDS)
        if pruned or abandoned:
            log.info("pruned", extra={"tables": pruned, "abandoned": abandoned})
