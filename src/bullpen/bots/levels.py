"""Four levels to play against, each clearly stronger than the one below; see docs/levels.md.

`easy` and `medium` answer at once and need no compiled code.  `hard` has a number of playouts, so it plays
alike on every machine; `expert` has a time, and is the stronger the quicker the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bullpen.bots.effort import Effort, Milliseconds, Playouts
from bullpen.games import GAMES, about


class Level(NamedTuple):
    bot: str
    effort: Effort | None  # None: a bot that answers at once
    by_game: Mapping[str, Effort] = MappingProxyType({})


# Not everywhere alike: where 400 playouts are too few to beat `medium` (Hornochsen! at two), or so many that
# `expert` is hardly better (docs/levels.md).
HARD: dict[str, Effort] = {game.ID: Playouts(about(game).hard_playouts) for game in GAMES.values()}

LEVELS = {
    "easy": Level("careless", None),
    "medium": Level("careful", None),
    "hard": Level("montecarlo", Playouts(400), HARD),
    "expert": Level("judgement", Milliseconds(700)),
}
