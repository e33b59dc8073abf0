"""What each candidate of a decision is worth, as far as one seat can know.

`expert`, hint, review and puzzles judge in one way, the one that was proven to play best with this game and number of players: by
trees (`About.trees`), by what the others are likely to choose (`About.guesses`), or by habits alone.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots import endgames, guessing, plain_playouts, search
from bullpen.bots.effort import Effort
from bullpen.bots.evaluation import GUESSING, Evaluator, evaluator_for
from bullpen.bots.plain_playouts import PlainEvaluator
from bullpen.bots.search import TreeSearch
from bullpen.game import Action, Game, View
from bullpen.games import about, has_part

GROWING = 1 / 3  # of an effort goes into trees before what they say is counted


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """By the way that is proven here."""
    if grows_trees(game, view):
        return search.choose(game, view, rng, effort)
    return guessing.choose(game, view, rng, effort)


def grows_trees(game: Game[Any], view: View[Any]) -> bool:
    return has_part(game.ID, "twin") and view.table.seats in about(game).trees


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
    evaluator, playouts = prepared(game, view, playouts, seed)
    leads = evaluator.play_out(np.array(view.legal), max(2, playouts // len(view.legal)))
    best = leads[:, leads.mean(axis=0).argmax()]
    behind = best[:, None] - leads
    return [
        Evaluation(
            action, *mean_and_error(leads[:, at]), *mean_and_error(behind[:, at]), len(leads)
        )
        for at, action in enumerate(view.legal)
    ]


def prepared(
    game: Game[Any], view: View[Any], playouts: int, seed: int
) -> tuple[Evaluator | PlainEvaluator, int]:
    """An evaluator that has learnt what it should, and how many of the playouts are left."""
    if grows_trees(game, view):
        trees, learning = TreeSearch(game, view, seed), int(playouts * GROWING)
        trees.play_out(np.array(view.legal), max(1, learning // len(view.legal)))
        return trees, playouts - learning
    evaluator = evaluator_for(game, view, seed)
    if evaluator.guesses_help:
        assert isinstance(evaluator, Evaluator)
        learning = int(playouts * GUESSING)
        evaluator.guess(learning)
        return evaluator, playouts - learning
    return evaluator, playouts


def mean_and_error(results: NDArray[np.float64]) -> tuple[float, float]:
    return float(results.mean()), float(results.std(ddof=1) / len(results) ** 0.5)
