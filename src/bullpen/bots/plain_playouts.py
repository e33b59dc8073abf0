"""Playouts on the plain rules, for a game without a compiled twin: the same questions, answered slower."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from bullpen.game import Action, Game, Seat, Table, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 2_000  # playouts of one decision: what a twin does in the time of a hint would take minutes here


class Outcomes(NamedTuple):
    """Of candidates [tables, candidates]: the leads where the playouts end, and what these are worth."""

    leads: NDArray[np.float64]
    worths: NDArray[np.float64]


class PlainEvaluator:
    """The position as a seat knows it.  Every candidate is played on at random on the same imagined tables,
    up to the end of the round."""

    def __init__(self, game: Game[Any], view: View[Any], seed: int) -> None:
        assert view.seat is not None
        self.game, self.seat, self.seed, self.tables = game, view.seat, seed, 0
        self.view = game.before_choices(view)
        self.sign = -1 if game.best(view.table.options) is min else 1

    def play_out(self, candidates: NDArray[np.int64], tables: int) -> Outcomes:
        """The results on so many new tables."""
        import numpy as np

        leads = np.empty((tables, len(candidates)))
        for row in range(tables):
            chance = f"{self.seed} {self.tables + row}"
            table = self.game.imagine(self.view, Random(chance))
            for at, action in enumerate(candidates):
                ahead = lead_after(self.game, table, self.seat, int(action), Random(chance))
                leads[row, at] = self.sign * ahead
        self.tables += tables
        return Outcomes(leads, leads)


def lead_after(game: Game[Any], table: Any, seat: Seat, action: Action, rng: Random) -> float:
    """In points over the others, when all have played on at random."""
    after, _ = game.apply(table, seat, action)
    return lead(game.scores(played_out(game, after, rng)), seat)


def lead(scores: list[int], seat: Seat) -> float:
    """Over the mean of the others."""
    others = (sum(scores) - scores[seat]) / (len(scores) - 1)
    return scores[seat] - others


def played_out(game: Game[Any], table: Any, rng: Random) -> Table:
    """At random to the end of the round, or of a game without rounds."""
    rounds = len(game.rounds(table))
    while len(game.rounds(table)) == rounds:
        if cards := game.to_shuffle(table):
            rng.shuffle(cards)
            table, _ = game.deal(table, cards)
        elif waiting := game.waiting_for(table):
            table, _ = game.apply(table, waiting[0], rng.choice(game.legal(table, waiting[0])))
        else:
            break
    played: Table = table
    return played
