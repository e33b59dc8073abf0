"""Many games of one kind at once, stepped from Python with NumPy arrays.

>>> from bullpen import fast
>>> games = fast.batch("x-nimmt", seats=4, n=1000, seed=1)
>>> games.step(games.sample())
>>> games.masks.shape, games.actors.shape, games.scores.shape, games.done.shape
((1000, 204), (1000,), (1000, 4), (1000,))
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.cards import Problem
from bullpen.deck import load_deck
from bullpen.fast import playouts
from bullpen.fast.crew import LEAST_GAMES_PER_THREAD, Crew, Work
from bullpen.game import OptionValue, complete_options
from bullpen.games import game_called


class Batch:
    """n games in step.  Each game waits for one decision, of `actors[i]`; in a secret choice the seats
    choose one after the other, unseen by the others.  A game that ends starts again by itself."""

    actors: NDArray[np.int8]  # [n]: whose decision it is
    masks: NDArray[np.uint8]  # [n, actions]: 1 where an action is legal
    done: NDArray[np.bool_]  # [n]: whether the last step ended the game
    scores: NDArray[np.int32]  # [n, seats]: of the game that ended last, as the rules count

    def __init__(
        self,
        game: str,
        seats: int,
        n: int,
        *,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        deck: str | Path | Sequence[str | Path] = (),
        jobs: int | None = None,
    ) -> None:
        rules = game_called(game)
        if n < 1:
            raise Problem("batch_size", n=n)
        self.twin = fast.twin(game)
        chosen = complete_options(rules, seats, options or {})
        table = rules.set_up(seats, chosen, load_deck(rules.DECK_FILES, deck))
        self.game, self.seats, self.n, self.options = rules, seats, n, chosen
        fresh = self.twin.to_record(table)
        self.states = np.repeat(fresh, n)
        self.actors = np.zeros(n, np.int8)
        self.masks = np.zeros((n, self.twin.ACTIONS), np.uint8)
        self.done = np.zeros(n, np.bool_)
        points = np.zeros((n, self.twin.SEATS), np.int32)
        self.scores = points[:, :seats]
        self._games = playouts.Games(self.states, fresh, _streams(seed, n))
        self._decisions = playouts.Decisions(self.actors, self.masks, np.zeros(n, np.int64))
        self._ends = playouts.Ends(self.done, points)
        self._crew = Crew(jobs or os.cpu_count() or 1, LEAST_GAMES_PER_THREAD)
        self._share(
            lambda first, last: playouts.start_all(self._games, self._decisions, first, last)
        )

    def step(self, actions: NDArray[Any] | Sequence[int]) -> None:
        """One decision in every game; an illegal one anywhere changes nothing."""
        given = np.ascontiguousarray(actions, np.int64)
        if given.shape != (self.n,):
            raise Problem("batch_actions", shape=given.shape, n=self.n)
        at = playouts.first_illegal(self.masks, given)
        if at >= 0:
            move = self.game.NOTATION.get(int(given[at]), str(given[at]))
            raise Problem("batch_illegal", at=at, move=move, seat=int(self.actors[at]))
        self._share(
            lambda first, last: playouts.step_all(
                self._games, given, self._decisions, self._ends, first, last
            )
        )

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every game; the same ones until the next step."""
        return self._decisions.proposed.copy()

    def _share(self, work: Work) -> None:
        self._crew.share(work, self.n)


def _streams(seed: int, n: int) -> NDArray[np.uint64]:
    """A random stream of its own for every game."""
    rngs = np.empty((n, 1), np.uint64)
    playouts.seed_all(rngs, seed)
    return rngs
