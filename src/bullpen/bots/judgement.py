"""What each candidate of a decision is worth, as far as one seat can know.

`expert`, hint, review and puzzles judge in one way, the one that was proven to play best with this game and number of players: by
trees (`About.trees`), or by habits alone.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots import endgames, montecarlo, plain_playouts
from bullpen.bots.effort import Effort
from bullpen.bots.evaluation import evaluator_for
from bullpen.bots.search import TreeSearch
from bullpen.game import Action, Game, View
from bullpen.games import about, has_part

TREES = 8


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """By the way that is proven here."""
    if grows_trees(game, view):
        if (action := endgames.without_thinking(game, view, rng)) is not None:
            return action
        return montecarlo.best_by_halving(
            view.legal, Grove(game, view, rng.getrandbits(60)), effort
        )
    return montecarlo.choose(game, view, rng, effort)


def grows_trees(game: Game[Any], view: View[Any]) -> bool:
    return has_part(game.ID, "twin") and view.table.seats in about(game).trees


class Grove(TreeSearch):
    """Several trees that know nothing of each other.  What one tree says depends on what it happened to try first, and its results
    are no chance of one kind; how far several are apart tells how sure they are."""

    def __init__(self, game: Game[Any], view: View[Any], seed: int) -> None:
        super().__init__(game, view, seed)
        self.all_trees = [self.trees, *(self.new_trees() for _ in range(TREES - 1))]

    def play_out(self, candidates: NDArray[np.int64], tables: int) -> NDArray[np.float64]:
        """The results [tables, candidates], a tree's after another's, on about so many new tables."""
        results = []
        for trees in self.all_trees:
            self.trees = trees
            results.append(super().play_out(candidates, max(1, tables // TREES)))
        return np.concatenate(results)


class Evaluation(NamedTuple):
    action: Action
    lead: float  # expected over the mean of the others where the playouts end, in points
    error: float  # its standard error
    behind: float  # how much less than the best candidate's, on the same imagined tables
    behind_error: float
    playouts: int
    share: float | None = None  # solved, not estimated: how often a player without a fault takes it


def evaluate(game: Game[Any], view: View[Any], *, playouts: int, seed: int) -> list[Evaluation]:
    """One for each of `view.legal`, in its order; the playouts are shared out evenly, or none needed."""
    if found := endgames.solved(game, view):
        best_lead = max(one.lead for one in found.values())
        return [
            Evaluation(action, one.lead, 0.0, best_lead - one.lead, 0.0, 0, one.share)
            for action, one in found.items()
        ]
    if not has_part(game.ID, "twin"):
        playouts = min(playouts, plain_playouts.MOST)
    actions, tables = np.array(view.legal), max(2, playouts // len(view.legal))
    if grows_trees(game, view):
        leads = Grove(game, view, seed).play_out(actions, tables)
        leads = leads.reshape(TREES, -1, len(actions)).mean(axis=1)  # what each tree says
    else:
        leads = evaluator_for(game, view, seed).play_out(actions, tables)
    best = leads[:, leads.mean(axis=0).argmax()]
    behind = best[:, None] - leads
    return [
        Evaluation(action, *mean_and_error(leads[:, at]), *mean_and_error(behind[:, at]), tables)
        for at, action in enumerate(view.legal)
    ]


def mean_and_error(results: NDArray[np.float64]) -> tuple[float, float]:
    return float(results.mean()), float(results.std(ddof=1) / len(results) ** 0.5)
