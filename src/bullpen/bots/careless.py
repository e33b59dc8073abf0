"""The careless bot: careful, but its mind wanders, and then it plays anything that is allowed."""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.bots import careful, uniform
from bullpen.game import Action, Game, View

WANDERS = 0.4  # how often


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:
    if rng.random() < WANDERS:
        return uniform.choose(game, view, rng)
    return careful.choose(game, view, rng)
