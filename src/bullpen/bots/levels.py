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


LEVELS = {
    "easy": Level("careless", None),
    "medium": Level("careful", None),
    # In Hornochsen! at two, 400 were no better than `medium`: 48 % in 60 deals; 1,600 won 67 %, 3,200 74 %.
    "hard": Level("montecarlo", Playouts(400), {"hornochsen": Playouts(3200)}),
    "expert": Level("montecarlo", Milliseconds(700)),
}
