"""What each candidate of a decision is worth, as far as one seat can know."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.fast.habits import LOOKS
from bullpen.game import Action, Game, View


class Judgement(NamedTuple):
    action: Action
    lead: float  # expected over the mean of the others where the playouts end, in points
    error: float  # its standard error
    behind: float  # how much less than the best candidate's, on the same imagined tables
    behind_error: float
    playouts: int


def judge(game: Game[Any], view: View[Any], *, playouts: int, seed: int) -> list[Judgement]:
    """One for each of `view.legal`, in its order; the playouts are shared out evenly."""
    scales = Scales(game, view, seed)
    leads = scales.weigh(np.array(view.legal), max(2, playouts // len(view.legal)))
    best = leads[:, leads.mean(axis=0).argmax()]
    behind = best[:, None] - leads
    return [
        Judgement(action, *mean_and_error(leads[:, at]), *mean_and_error(behind[:, at]), len(leads))
        for at, action in enumerate(view.legal)
    ]


def mean_and_error(results: NDArray[np.float64]) -> tuple[float, float]:
    return float(results.mean()), float(results.std(ddof=1) / len(results) ** 0.5)


class Scales:
    """The position as a seat knows it, compiled.  The imagined tables are numbered: each is weighed
    once."""

    def __init__(self, game: Game[Any], view: View[Any], seed: int) -> None:
        twin = fast.twin(game.ID)
        # Any table that gives this view will do: the hidden cards are dealt anew for every playout.
        self.states = np.repeat(twin.to_record(game.imagine(view, Random(seed))), 3)
        self.seat, self.seed, self.tables = view.seat, seed, 0
        self.words = np.zeros(-(-twin.ACTIONS // 64), np.uint64)
        self.sign = -1 if game.best(view.table.options) is min else 1
        self.looks = LOOKS[game.ID]

    def weigh(self, candidates: NDArray[np.int64], tables: int) -> NDArray[np.float64]:
        """The results [tables, candidates] on so many new tables."""
        from bullpen.fast import weighing

        leads = np.empty((tables, len(candidates)))
        weighing.weigh(
            self.states,
            self.seat,
            self.sign,
            self.looks,
            self.seed,
            self.tables,
            candidates,
            leads,
            self.words,
        )
        self.tables += tables
        return leads
