"""Tree search on what each seat knows; see `bullpen.fast.trees`."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from bullpen.bots.effort import Effort
from bullpen.bots.judging import Scales
from bullpen.game import Action, Game, View

PORTION = 256  # playouts between two looks at the clock
DARING = 0.6  # trying against trusting, in standard deviations of a result
MILDNESS = 1.5  # points of drawback that make a choice look e times worse


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """The candidate that was tried most often: the search returns to what serves it best."""
    if len(view.legal) == 1:
        return view.legal[0]
    from bullpen.fast import trees

    scales = Scales(game, view, rng.getrandbits(62))
    branches, spread = np.zeros(trees.ROOM, trees.BRANCH), np.zeros(3)
    playouts = 0
    (stage,) = effort.stages(1)
    for portion in stage.portions(PORTION):
        trees.grow(
            scales.states,
            view.seat,
            scales.sign,
            scales.looks,
            scales.seed,
            playouts,
            portion,
            DARING,
            MILDNESS,
            branches,
            spread,
            scales.words,
        )
        playouts += portion
    candidates = np.array(view.legal)
    visits, totals = np.zeros(len(candidates), np.int64), np.zeros(len(candidates))
    trees.tried(branches, view.seat, candidates, visits, totals)
    means = totals / np.maximum(visits, 1)
    return int(candidates[np.lexsort((means, visits))[-1]])
