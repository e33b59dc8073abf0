"""Monte Carlo without a tree: every candidate is played on at random, on the same imagined tables.

The effort is spent in stages; after each one the worse half of the candidates drops out (sequential
halving), so that most of it goes to those between which it is hard to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from bullpen.bots.effort import Effort
from bullpen.bots.judging import Scales
from bullpen.game import Action, Game, View

PORTION = 256  # playouts between two looks at the clock


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """The candidate that leads to the best results on average."""
    if len(view.legal) == 1:
        return view.legal[0]
    return best_by_halving(view.legal, Scales(game, view, rng.getrandbits(62)), effort)


def best_by_halving(legal: Sequence[Action], scales: Scales, effort: Effort) -> Action:
    candidates = np.array(legal)
    totals = np.zeros(len(candidates))
    for stage in effort.stages(max(1, (len(candidates) - 1).bit_length())):
        for portion in stage.portions(PORTION):
            tables = max(1, portion // len(candidates))
            totals += scales.weigh(candidates, tables).sum(axis=0)
        # All that are left were played on the same tables, so totals compare as means would.
        better = np.argsort(-totals, kind="stable")[: (len(candidates) + 1) // 2]
        candidates, totals = candidates[better], totals[better]
    return int(candidates[0])
