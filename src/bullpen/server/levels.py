"""How well a bot plays, as people choose it."""

from __future__ import annotations

from typing import Literal, get_args

from bullpen import fast
from bullpen.bots.levels import LEVELS as BOTS

Level = Literal["easy", "medium", "hard", "expert"]
LEVELS: tuple[Level, ...] = get_args(Level)

# The stronger ones are compiled when first used; where that is not possible they cannot play.
COMPILED = tuple(level for level in LEVELS if BOTS[level].effort is not None)
OFFERED = tuple(level for level in LEVELS if level not in COMPILED or not fast.missing_package())
