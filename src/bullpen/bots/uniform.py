"""The bot without a thought: the measure of every other one."""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.game import Action, Game, View


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:  # noqa: ARG001
    """Any legal action, each as likely as the others."""
    return rng.choice(view.legal)
