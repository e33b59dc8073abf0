"""OpenSpiel's IS-MCTS on our games, and playouts for it at the speed of compiled code.

Its C++ bot cannot resample the states of games written in Python, so this is its Python one,
`open_spiel.python.algorithms.ismcts`, which says of itself that it was adapted from the C++.
"""

from __future__ import annotations

import time
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

from bullpen import fast
from bullpen.envs.spiel.positions import utilities
from bullpen.envs.spiel.registered import SpielGame, spiel_name, state_from_view
from bullpen.game import Action, Game, View

SEED_BITS = 31
UNLIMITED = 10**9


class CompiledPlayouts:
    """An evaluator, as `open_spiel.python.algorithms.mcts` describes it: one random playout to the end
    of the game, in compiled code.  OpenSpiel's own does the same move by move in Python."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    def evaluate(self, state: Any) -> list[float]:
        from bullpen.fast import playouts

        setting = state.position.setting
        twin = twin_of(setting.rules.ID)
        records = np.repeat(state.position.record, 2)
        points, lengths = np.zeros((1, twin.SEATS), np.int32), np.zeros(1, np.int64)
        tally = np.zeros(len(twin.TALLY), np.int64)
        playouts.play_games(records, self.rng.getrandbits(SEED_BITS), points, lengths, tally)
        return utilities(setting, points[0, : setting.seats].tolist())

    def prior(self, state: Any) -> list[tuple[Action, float]]:
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


@cache
def twin_of(game: str) -> Any:
    return fast.twin(game)


class TimeIsUp(Exception):
    """Ends a search from within."""


class TimedSearch(ismcts.ISMCTSBot):  # type: ignore[misc]
    """IS-MCTS that thinks for a time and not for a number of simulations."""

    def __init__(self, game: Any, evaluator: Any, uct_c: float, ms: float, seed: int) -> None:
        numbers = np.random.RandomState(seed)
        super().__init__(game, evaluator, uct_c, UNLIMITED, random_state=numbers)
        self.seconds, self.simulations = ms / 1000, 0

    def run_search(self, state: Any) -> Any:
        self.simulations, self.deadline = 0, time.perf_counter() + self.seconds
        try:
            return super().run_search(state)
        except TimeIsUp:
            return self.get_final_policy(state, self._root_node)

    def sample_root_state(self, state: Any) -> Any:
        """After two simulations at least: the first one only looks at the root."""
        if self.simulations >= 2 and time.perf_counter() > self.deadline:
            raise TimeIsUp
        self.simulations += 1
        return super().sample_root_state(state)


def choose_by_ismcts(
    game: Game[Any], view: View[Any], rng: Random, *, ms: float, uct_c: float, evaluator: Any
) -> Action:
    """What IS-MCTS would do in this seat."""
    if len(view.legal) == 1:
        return view.legal[0]
    table = loaded(game.ID, view.table.seats, tuple(view.table.options.items()))
    bot = TimedSearch(table, evaluator, uct_c, ms, rng.getrandbits(SEED_BITS))
    return int(bot.step(state_from_view(table, view, rng)))


@cache
def loaded(game: str, seats: int, options: tuple[tuple[str, Any], ...]) -> SpielGame:
    """The game as it is played at a table, with leads as utilities."""
    given = {name: value for name, value in options if value is not None}
    return pyspiel.load_game(spiel_name(game), {"players": seats, "chance": "sampled", **given})  # type: ignore[no-any-return]
