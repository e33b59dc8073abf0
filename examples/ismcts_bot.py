"""OpenSpiel's IS-MCTS as a bot in our tournaments, thinking for so many milliseconds a move.

    bullpen tournament six-nimmt --table examples/ismcts_bot.py:choose,careful --option rounds=1

`choose` takes OpenSpiel's own random rollouts, `choose_compiled` our compiled playouts in their place.
Needs the extra `openspiel`.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from bullpen.envs.spiel.searching import CompiledPlayouts, choose_by_ismcts
from bullpen.game import Action, Game, View

MS = float(os.environ.get("BULLPEN_ISMCTS_MS", "100"))
# How much it explores, for leads in points; OpenSpiel leaves this number to its user.
UCT_C = float(os.environ.get("BULLPEN_ISMCTS_C", "10"))


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:
    return choose_by_ismcts(
        game, view, rng, ms=MS, uct_c=UCT_C, evaluator=RandomRolloutEvaluator(1)
    )


def choose_compiled(game: Game[Any], view: View[Any], rng: Random) -> Action:
    evaluator = CompiledPlayouts(rng.getrandbits(31))
    return choose_by_ismcts(game, view, rng, ms=MS, uct_c=UCT_C, evaluator=evaluator)
