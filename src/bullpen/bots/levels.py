"""Four levels to play against, each clearly stronger than the one below; see docs/levels.md.

`easy` and `medium` answer at once and need no compiled code.
"""

from __future__ import annotations

from typing import NamedTuple

from bullpen.bots.effort import Effort, Milliseconds


class Level(NamedTuple):
    bot: str
    effort: Effort | None  # None: a bot that answers at once


LEVELS = {
    "easy": Level("careless", None),
    "medium": Level("careful", None),
    "hard": Level("montecarlo", Milliseconds(20)),
    "expert": Level("montecarlo", Milliseconds(700)),
}
