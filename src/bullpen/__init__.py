"""Bullpen: Wolfgang Kramer's bull-head card games, exactly as their rulebooks say.

>>> import bullpen
>>> match = bullpen.new("x-nimmt", seats=3, seed=7)
>>> match.legal(0)[:2]
['play 2', 'play 22']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bullpen.cards import Problem
    from bullpen.game import IllegalMove
    from bullpen.games import GAMES
    from bullpen.match import Match, new
    from bullpen.record import BadRecord, load, replay, save

__all__ = ["GAMES", "BadRecord", "IllegalMove", "Match", "Problem", "load", "new", "replay", "save"]
__version__ = "0.1.0"

HOME_OF = {
    "Problem": "cards",
    "IllegalMove": "game",
    "GAMES": "games",
    "Match": "match",
    "new": "match",
    "BadRecord": "record",
    "load": "record",
    "replay": "record",
    "save": "record",
}


def __dir__() -> list[str]:
    """What `dir` and completion show, also before it is first used."""
    return sorted({*__all__, *globals()} - {"Any", "TYPE_CHECKING", "HOME_OF", "annotations"})


def __getattr__(name: str) -> Any:
    """Each name is imported when it is first used: `bullpen --help` needs none of them."""
    if name not in HOME_OF:
        raise AttributeError(f"module 'bullpen' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"bullpen.{HOME_OF[name]}"), name)
