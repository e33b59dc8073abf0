"""How well a bot plays, as people choose it, and the bot that plays so."""

from __future__ import annotations

from typing import Literal, get_args

from bullpen.bots.levels import LEVELS as BOTS

Level = Literal["easy", "medium", "hard", "expert"]
LEVELS: tuple[Level, ...] = get_args(Level)

AT_ONCE: dict[str, str] = {level: level for level in LEVELS if BOTS[level].effort is None}
# The stronger ones are compiled when first used: until that is done, `medium` plays for them.
COMPILED: dict[str, str] = {level: level for level in LEVELS if level not in AT_ONCE}


def bot_of(level: str, *, is_warm: bool) -> str:
    if level in COMPILED and is_warm:
        return COMPILED[level]
    return AT_ONCE.get(level, AT_ONCE["medium"])
