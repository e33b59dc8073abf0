"""Tree search on what each seat knows; see `bullpen.fast.trees`.

The effort is shared out among the candidates as `montecarlo` does it, but what follows is played better:
every playout learns from those before it.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.effort import Effort
from bullpen.bots.judging import Scales
from bullpen.bots.montecarlo import best_by_halving
from bullpen.game import Action, Game, View

# Where cards are laid in secret, the others are better taken as they are than as they might learn to be.
OTHERS_LEARN = {"hornochsen", "eleven-nimmt", "bullenparty"}


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """The candidate that leads to the best results on average."""
    if len(view.legal) == 1:
        return view.legal[0]
    return best_by_halving(view.legal, Trees(game, view, rng.getrandbits(62)), effort)


class Trees(Scales):
    """Scales on which playouts follow trees that grow with each of them."""

    def __init__(self, game: Game[Any], view: View[Any], seed: int) -> None:
        super().__init__(game, view, seed)
        from bullpen.fast import trees

        self.branches, self.spread = np.zeros(trees.ROOM, trees.BRANCH), np.zeros(3)
        self.others = int(game.ID in OTHERS_LEARN)

    def weigh(self, candidates: NDArray[np.int64], tables: int) -> NDArray[np.float64]:
        from bullpen.fast import trees

        leads = np.empty((tables, len(candidates)))
        trees.grow(
            self.states,
            self.seat,
            self.sign,
            self.looks,
            self.others,
            self.seed,
            self.tables,
            candidates,
            leads,
            self.words,
            self.branches,
            self.spread,
        )
        self.tables += tables
        return leads
