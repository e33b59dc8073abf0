"""Players that need no people: a bot is one function; see docs/adding-a-bot.md.

A bot is named as people type it: `careful`, `montecarlo`, `search:playouts=2000`, `expert:ms=50`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from bullpen import fast
from bullpen.bots import careful, careless, outside, uniform
from bullpen.bots.effort import Effort, Milliseconds, read_effort
from bullpen.bots.levels import LEVELS
from bullpen.cards import Problem
from bullpen.game import Action, BadOption, Game, View

# Chooses one of `view.legal`.  It knows what its view holds and nothing else, and draws its chance from
# the last argument alone, so that the same view and the same chance give the same choice.
Bot = Callable[[Game[Any], View[Any], Random], Action]

AT_ONCE: dict[str, Bot] = {
    "uniform": uniform.choose,
    "careless": careless.choose,
    "careful": careful.choose,
}
# Modules here, loaded when wanted: compiled code takes a moment.
THINKING = ("montecarlo", "guessing", "search", "judgement")
BOTS = (*LEVELS, *AT_ONCE, *THINKING)
USUAL_EFFORT = Milliseconds(100)


def bot_called(name: str) -> Bot:
    """The bot of this name, with the effort that stands behind a colon."""
    kind, _, effort = name.partition(":")
    by_game: Mapping[str, Effort] = {}
    if kind in LEVELS:
        kind, usual, by_game = LEVELS[kind]
    elif kind in AT_ONCE:
        usual = None
    elif kind in THINKING:
        usual = USUAL_EFFORT
    elif own := outside.bot_from(name):
        return own
    else:
        raise BadOption("unknown_bot", bot=name, known=", ".join(BOTS))
    if usual is None:
        if effort:
            raise BadOption("no_effort", bot=name)
        return AT_ONCE[kind]
    if effort:
        usual, by_game = read_effort(name, effort), {}
    if package := fast.missing_package():
        raise Problem("fast_missing", package=package)
    return WithEffort(import_module(f"bullpen.bots.{kind}").choose, usual, by_game)


@dataclass(frozen=True)
class WithEffort:
    """A bot that thinks, and how much."""

    choose: Callable[[Game[Any], View[Any], Random, Effort], Action]
    usual: Effort
    by_game: Mapping[str, Effort]

    def __call__(self, game: Game[Any], view: View[Any], rng: Random) -> Action:
        return self.choose(game, view, rng, self.by_game.get(game.ID, self.usual))
