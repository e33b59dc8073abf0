"""Monte Carlo without a tree: every candidate is played on at random, on the same imagined tables.

The effort is spent in stages; after each one the worse half of the candidates drops out (sequential
halving), so that most of it goes to those between which it is hard to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from bullpen.bots import endgames
from bullpen.bots.effort import Effort
from bullpen.bots.evaluation import Evaluator, evaluator_for
from bullpen.bots.plain_playouts import PlainEvaluator
from bullpen.game import Action, Game, View

PORTION = 256  # playouts between two looks at the clock
PLAIN_PORTION = 16  # without a twin


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """The candidate that leads to the best results on average, or what a solution says."""
    if (action := endgames.without_thinking(game, view, rng)) is not None:
        return action
    return best_by_halving(view.legal, evaluator_for(game, view, rng.getrandbits(62)), effort)


def best_by_halving(
    legal: Sequence[Action], evaluator: Evaluator | PlainEvaluator, effort: Effort
) -> Action:
    candidates = np.array(legal)
    totals = np.zeros(len(candidates))
    for stage in effort.stages(max(1, (len(candidates) - 1).bit_length())):
        size = PORTION if isinstance(evaluator, Evaluator) else PLAIN_PORTION
        for portion in stage.portions(size):
            tables = max(1, portion // len(candidates))
            totals += evaluator.play_out(candidates, tables).worths.sum(axis=0)
        # All that are left were played on the same tables, so totals compare as means would.
        better = np.argsort(-totals, kind="stable")[: (len(candidates) + 1) // 2]
        candidates, totals = candidates[better], totals[better]
    return int(candidates[0])
