"""What is over, or was left, and how long it is kept: looked after in small portions while the server runs."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Literal

from pydantic import ValidationError

from bullpen import days
from bullpen.cards import Problem
from bullpen.server.contestants import given_up, unmarked
from bullpen.server.header import Header, without_people
from bullpen.server.settings import Settings
from bullpen.server.store import PLAYING, GivenUp, Json, Store

log = logging.getLogger("bullpen.retention")

DAY = 86_400.0
REPORT_DAYS = 90.0  # that a report is kept which nobody closes
IDLE_DAYS = 30.0  # that a player without a single table is kept
LOBBY_SECONDS = 60.0  # between two looks for lobbies that nobody keeps
AT_ONCE = 50  # tables in one transaction
PAUSE_SECONDS = 0.5  # between two of them


class Retention:
    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store

    async def run(self) -> None:
        """As long as the server runs: lobbies every minute, the rest every day."""
        started, next_day, today = time.time(), 0.0, ""
        while True:
            try:
                now = time.time()
                longest = 60 * self.settings.lobby_minutes
                if now - started > longest:  # while we were away nobody could come
                    await self.store.reap(untouched_since=now - longest)
                if today != str(days.today()):
                    await self.store.daily.forget_networks(str(days.today()))
                    today = str(days.today())
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
        for who, untouched in given_up:
            before = now - DAY * untouched
            while untouched and (
                some := await self.store.abandon(
                    untouched_since=before, limit=AT_ONCE, who=who, give_up=given_up_by_itself
                )
            ):
                abandoned += len(some)
                await asyncio.sleep(PAUSE_SECONDS)
        await self.store.players.drop_idle(now - DAY * IDLE_DAYS)
        await self.store.decency.drop(now - DAY * report_days(self.settings))
        if self.settings.keep_days:
            before = now - DAY * self.settings.keep_days
            while some := await self.store.prune(
                untouched_since=before, limit=AT_ONCE, how="blank", blank=without_people
            ):
                pruned += len(some)
                await asyncio.sleep(PAUSE_SECONDS)
        if pruned or abandoned:
            log.info("pruned", extra={"tables": pruned, "abandoned": abandoned})


def report_days(settings: Settings) -> float:
    """That a report is kept at most: it has names and chat in it."""
    return min(REPORT_DAYS, settings.keep_days or REPORT_DAYS)


def given_up_by_itself(kept: Json) -> GivenUp:
    """A game that nobody came back to; who played alone with bots has lost it."""
    try:
        header = Header.model_validate(kept)
    except ValidationError:  # of a server that knew more, or less: it is given up all the same
        return GivenUp(kept)
    lost = [one._asdict() for one in given_up(header)] if header.state == PLAYING else []
    return GivenUp(unmarked(header).model_dump(), lost)
