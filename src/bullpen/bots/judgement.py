"""What each candidate of a decision is worth, as far as one seat can know.

`expert`, hint, review and puzzles judge in one way, the one that was proven to play best with this game and number of players: by
trees (`About.trees`), or by habits alone; and by what the others have shown so far, where the game's folder has a `reading.py`.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots import endgames, plain_playouts
from bullpen.bots.effort import Effort
from bullpen.bots.evaluation import Evaluator, evaluator_for
from bullpen.bots.montecarlo import best_by_halving
from bullpen.bots.plain_playouts import Outcomes, PlainEvaluator
from bullpen.bots.search import TREES, TreeSearch
from bullpen.game import Action, Game, View
from bullpen.games import about, has_part

# Whoever reads an error takes twice of it for nearly sure, which it would be with many values; with those of TREES trees it takes
# 2.36 instead of 1.96 of it (Student's distribution).
TREES_ARE_FEW = 2.36 / 1.96


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """By the way that is proven here."""
    if (action := endgames.without_thinking(game, view, rng)) is not None:
        return action
    return best_by_halving(view.legal, judge_for(game, view, rng.getrandbits(62)), effort)


def judge_for(game: Game[Any], view: View[Any], seed: int) -> Evaluator | PlainEvaluator:
    if view.table.seats in about(game).trees:
        return TreeSearch(game, view, seed)
    judge = evaluator_for(game, view, seed)
    if isinstance(judge, Evaluator):
        judge.read_others(game, view)
    return judge


class Evaluation(NamedTuple):
    action: Action
    lead: float  # expected over the mean of the others where the playouts end, in points
    error: float  # its standard error
    behind: float  # how much less it is worth than the best candidate, on the same imagined tables
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
    judge = judge_for(game, view, seed)
    actions = np.array(view.legal)
    (leads, worths), tables, wider = outcomes_by(judge, actions, playouts // len(actions))
    best = worths[:, worths.mean(axis=0).argmax()]
    behind = best[:, None] - worths
    return [
        Evaluation(
            action,
            *mean_and_error(leads[:, at], wider),
            *mean_and_error(behind[:, at], wider),
            tables,
        )
        for at, action in enumerate(view.legal)
    ]


def outcomes_by(
    judge: Evaluator | PlainEvaluator, actions: NDArray[np.int64], tables: int
) -> tuple[Outcomes, int, float]:
    """Outcomes that know nothing of each other, on how many tables, and by how much an error of them is too small."""
    if not isinstance(judge, TreeSearch):
        tables = max(2, tables)
        return judge.play_out(actions, tables), tables, 1.0
    each = max(1, tables // TREES)
    leads = judge.play_out(actions, each * TREES).leads
    of_trees = leads.reshape(TREES, each, len(actions)).mean(axis=1)
    return Outcomes(of_trees, of_trees), len(leads), TREES_ARE_FEW


def mean_and_error(results: NDArray[np.float64], wider: float) -> tuple[float, float]:
    return float(results.mean()), float(results.std(ddof=1) / len(results) ** 0.5 * wider)
