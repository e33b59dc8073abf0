"""The candidates of a decision played on, as far as one seat can know what lies there."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.bots.plain_playouts import Outcomes, PlainEvaluator
from bullpen.game import Game, View
from bullpen.games import about, has_part, part

OTHER_TABLES = 1 << 50  # further on in the numbered tables than any look gets


def evaluator_for(game: Game[Any], view: View[Any], seed: int) -> Evaluator | PlainEvaluator:
    if not has_part(game.ID, "twin"):
        return PlainEvaluator(game, view, seed)
    return Evaluator(game, view, seed)


class Evaluator:
    """The position as a seat knows it, compiled.  The imagined tables are numbered: each is played on
    once."""

    def __init__(self, game: Game[Any], view: View[Any], seed: int) -> None:
        assert view.seat is not None  # spectators decide nothing
        twin = fast.twin(game.ID)
        from bullpen.fast.evaluation import Position, nothing_read

        # Any table that gives this view will do: the hidden cards are dealt anew for every playout.
        table = game.imagine(game.before_choices(view), Random(seed))
        known = about(game)
        by_thumb, likely = nothing_read(known.by_thumb, len(game.CARDS))
        self.position = Position(
            states=np.repeat(twin.to_record(table), 3),
            viewer=view.seat,
            sign=-1 if game.best(view.table.options) is min else 1,
            looks=known.looks,
            aimless=known.aimless,
            by_thumb=by_thumb,
            likely=likely,
            is_last=False,
            words=np.zeros(-(-twin.ACTIONS // 64), np.uint64),
        )
        self.choices = len(view.legal)
        self.next_seed = seed  # of the imagined table that comes next
        self.guesses: Any = None
        # Whether the others choose now as well, and so something of them can be guessed.
        self.all_choose = any(
            one.secret_in == view.table.phase for one in view.table.PLACES.families
        )

    def read_others(self, game: Game[Any], view: View[Any]) -> None:
        """Reckon with what the others have shown so far, and in the end with who wins, where the game's folder knows how."""
        if (reading := part(game.ID, "reading")) is None:
            return
        before = game.before_choices(view)
        by_thumb, likely = reading.read(before, self.position.states, about(game).by_thumb)
        self.position = self.position._replace(
            by_thumb=by_thumb, likely=likely, is_last=reading.is_last(before)
        )

    def guess(self, playouts: int) -> None:
        """Learn what the others are likely to choose; again, to learn more."""
        from bullpen.fast import guesses

        position, actions = self.position, len(self.position.words) * 64
        if self.guesses is None:
            self.guesses = guesses.no_guesses(int(position.states[0]["seats"]), actions)
            self.next_guess = self.next_seed + OTHER_TABLES
        tables = playouts // self.choices
        guesses.learn(position, self.guesses, self.next_guess, tables)
        self.next_guess += tables

    def play_out(self, candidates: NDArray[np.int64], tables: int) -> Outcomes:
        """The results on so many new tables."""
        outcomes = self._play_candidates(candidates, np.empty((tables, len(candidates))))
        self.next_seed += tables
        return outcomes

    def _play_candidates(
        self, candidates: NDArray[np.int64], leads: NDArray[np.float64]
    ) -> Outcomes:
        if self.guesses is None:
            from bullpen.fast import evaluation

            worths = np.empty_like(leads)
            evaluation.play_candidates(self.position, self.next_seed, candidates, leads, worths)
            return Outcomes(leads, worths)
        from bullpen.fast import guesses

        guesses.play_candidates(self.position, self.guesses, self.next_seed, candidates, leads)
        return Outcomes(leads, leads)
