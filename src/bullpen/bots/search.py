"""Tree search on what each seat knows; see `bullpen.fast.tree_search`.

The effort is shared out among the candidates as `montecarlo` does it, but what follows is played better:
every playout learns from those before it.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.bots import endgames, montecarlo
from bullpen.bots.effort import Effort
from bullpen.bots.evaluation import Evaluator
from bullpen.bots.montecarlo import best_by_halving
from bullpen.bots.plain_playouts import Outcomes
from bullpen.game import Action, Game, View
from bullpen.games import about, has_part

TREES = 8


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """The candidate that leads to the best results on average."""
    if not has_part(game.ID, "twin"):  # no trees without one
        return montecarlo.choose(game, view, rng, effort)
    if (action := endgames.without_thinking(game, view, rng)) is not None:
        return action
    return best_by_halving(view.legal, TreeSearch(game, view, rng.getrandbits(62)), effort)


class TreeSearch(Evaluator):
    """An evaluator whose playouts follow trees that grow with each of them.

    There are several, which know nothing of each other: what one tree says depends on what it happened to try first, so its mean is
    better, and how far they are apart tells how sure they are."""

    def __init__(self, game: Game[Any], view: View[Any], seed: int) -> None:
        super().__init__(game, view, seed)
        from bullpen.fast import tree_search

        path = tree_search.no_path()
        self.grove = [
            tree_search.Trees(
                branches=branches,
                spread=np.zeros(3),
                for_others=int(about(game).others_learn),
                path=path,
            )
            for branches in tree_search.no_branches(TREES)
        ]

    def _play_candidates(
        self, candidates: NDArray[np.int64], leads: NDArray[np.float64]
    ) -> Outcomes:
        """Each tree has its share of the tables, one after the other."""
        from bullpen.fast import tree_search

        first = 0
        for trees, share in zip(self.grove, np.array_split(leads, TREES), strict=True):
            seed = self.next_seed + first
            tree_search.play_candidates(self.position, trees, seed, candidates, share)
            first += len(share)
        return Outcomes(leads, leads)
