"""The careful bot: for each game a rule of thumb, as a thoughtful person at the table would have one.

Each module explains its rule at its top.  None of them plays on in its head: a choice is a small sum
over what lies open, so it takes about a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from bullpen.bots.careful import (
    baron_oxx,
    bullenparty,
    eleven_nimmt,
    hornochsen,
    six_nimmt,
    x_nimmt,
)
from bullpen.game import Action, Game, View

RULES_OF_THUMB: dict[str, Callable[[View[Any], Random], Action]] = {
    "hornochsen": hornochsen.choose,
    "eleven-nimmt": eleven_nimmt.choose,
    "x-nimmt": x_nimmt.choose,
    "baron-oxx": baron_oxx.choose,
    "bullenparty": bullenparty.choose,
    "six-nimmt": six_nimmt.choose,
}


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:
    """What the game's rule of thumb says."""
    return RULES_OF_THUMB[game.ID](view, rng)
