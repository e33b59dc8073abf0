"""Which of the stronger bots can play: they are compiled before, by the process that reviews games."""

from __future__ import annotations

import asyncio
import logging

from bullpen.games import GAMES
from bullpen.server.levels import COMPILED, OFFERED
from bullpen.server.refused import Refused
from bullpen.server.thinking.pool import NoAnswer, Pool

log = logging.getLogger("bullpen.warming")

WARM_SECONDS = 600.0
AGAIN_SECONDS = 600.0  # until it is tried again what has failed

Bot = tuple[str, str]  # its level, and the game


class Warming:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.ready = set[Bot]()
        self.failed: dict[Bot, float] = {}  # tried in vain, and when
        self.tasks: dict[Bot, asyncio.Task[None]] = {}

    async def all(self) -> None:
        for game in GAMES:
            for level in COMPILED:
                await self._compile((level, game))
            log.info("bots ready", extra={"game": game})

    def is_ready(self, level: str, game: str) -> bool:
        """One that is not is compiled now, unless that has failed before."""
        bot = level, game
        if level not in COMPILED or bot in self.ready:
            return True
        if not self.has_failed(bot) and bot not in self.tasks:
            task = asyncio.create_task(self._compile(bot))
            self.tasks[bot] = task
            task.add_done_callback(lambda _: self.tasks.pop(bot, None))
        return False

    def must_be_playable(self, level: str, game: str) -> None:
        """A new table has no bot that another one would have to play for."""
        if level not in OFFERED:
            raise Refused(422, "level_missing", level=level, known=", ".join(OFFERED))
        if self.has_failed((level, game)):
            raise Refused(503, "level_failed", level=level)

    def has_failed(self, bot: Bot) -> bool:
        since = self.failed.get(bot)
        return since is not None and asyncio.get_running_loop().time() < since + AGAIN_SECONDS

    async def _compile(self, bot: Bot) -> None:
        if bot in self.ready or self.has_failed(bot):
            return
        level, game = bot
        try:
            await self.pool.ask("warm", WARM_SECONDS, game=game, bot=level)
            self.ready.add(bot)
        except NoAnswer as failure:
            self.failed[bot] = asyncio.get_running_loop().time()
            log.error("bot not ready", extra={"bot": level, "game": game, "reason": str(failure)})

    async def close(self) -> None:
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
