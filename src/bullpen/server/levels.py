"""How well a bot plays, as people choose it, and the bot that plays so."""

from __future__ import annotations

from typing import Literal, get_args

Level = Literal["easy", "medium", "hard", "expert"]
LEVELS: tuple[Level, ...] = get_args(Level)

AT_ONCE: dict[str, str] = {"easy": "easy", "medium": "medium"}
# The stronger ones are compiled when first used: until that is done, `medium` plays for them.
COMPILED: dict[str, str] = {"hard": "hard", "expert": "expert"}


def bot_of(level: str, *, is_warm: bool) -> str:
    if level in COMPILED and is_warm:
        return COMPILED[level]
    return AT_ONCE.get(level, AT_ONCE["medium"])
