"""Four levels to play against, each clearly stronger than the one below; see docs/levels.md.

`easy` and `medium` answer at once and need no compiled code.  `hard` has a number of playouts, so it plays
alike on every machine; `expert` has a time, and is the stronger the quicker the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bullpen.bots.effort import Effort, Milliseconds, Playouts


class Level(NamedTuple):
    bot: str
    effort: Effort | None  # None: a bot that answers at once
    by_game: Mapping[str, Effort] = MappingProxyType({})  # where it takes another


# Where 400 playouts are too few to beat `medium` (Hornochsen! at two), or so many that `expert` is hardly
# better (docs/levels.md).
HARD: dict[str, Effort] = {
    "hornochsen": Playouts(3200),
    "eleven-nimmt": Playouts(200),
    "x-nimmt": Playouts(130),
    "baron-oxx": Playouts(130),
}

LEVELS = {
    "easy": Level("careless", None),
    "medium": Level("careful", None),
    "hard": Level("montecarlo", Playouts(400), HARD),
    "expert": Level("montecarlo", Milliseconds(700)),
}
