"""How quick a game written in Python can be in OpenSpiel at all: one without rules, played as `benchmarks.stepping` plays.

    python -m benchmarks.open_spiel_floor [--seconds S] [--turns N]

Forty decisions of four players, ten actions at first and one at last, as in a round of 6 nimmt!.  Once as OpenSpiel
asks for it, and once with the answers to Python given past C++, as `bullpen.envs.spiel` gives them.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

import pyspiel

CHANCE, TERMINAL = -1, -4
DECISIONS, PLAYERS, ACTIONS = 40, 4, 10
LEGAL = [list(range(count)) for count in range(ACTIONS + 1)]
KINDS = pyspiel.GameType
TYPE = KINDS(
    short_name="without_rules",
    long_name="A game without rules",
    dynamics=KINDS.Dynamics.SEQUENTIAL,
    chance_mode=KINDS.ChanceMode.SAMPLED_STOCHASTIC,
    information=KINDS.Information.IMPERFECT_INFORMATION,
    utility=KINDS.Utility.ZERO_SUM,
    reward_model=KINDS.RewardModel.TERMINAL,
    max_num_players=PLAYERS,
    min_num_players=PLAYERS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=1,
    num_players=PLAYERS,
    min_utility=0.0,
    max_utility=0.0,
    utility_sum=0.0,
    max_game_length=DECISIONS,
)


class WithoutRules(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, states: type[Asked]) -> None:
        super().__init__(TYPE, INFO, {})
        self.states = states

    def new_initial_state(self) -> Asked:
        return self.states(self)


class Asked(pyspiel.State):  # type: ignore[misc]
    """As OpenSpiel asks."""

    def __init__(self, game: WithoutRules) -> None:
        super().__init__(game)
        self.decided, self.player = -1, CHANCE

    def current_player(self) -> int:
        return self.player

    def is_terminal(self) -> bool:
        return self.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return LEGAL[ACTIONS - self.decided // PLAYERS]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def _apply_action(self, action: int) -> None:  # noqa: ARG002
        self.decided += 1
        self.player = TERMINAL if self.decided == DECISIONS else self.decided % PLAYERS


class Answered(Asked):
    """Past C++, where Python asks."""

    def is_chance_node(self) -> bool:
        return self.player == CHANCE

    def legal_actions(self, *player: int) -> list[int]:
        return self._legal_actions(*player or (self.player,)).copy()


def rate(game: Any, seconds: float) -> float:
    """Decisions per processor second; the loop of `benchmarks.stepping`."""
    rng, decisions, start = Random(1), 0, time.process_time()
    while time.process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
    return decisions / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.open_spiel_floor")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each measurement")
    parser.add_argument("--turns", type=int, default=5, help="of each, of which the best counts")
    wished = parser.parse_args()
    games = {"as OpenSpiel asks": WithoutRules(Asked), "past C++": WithoutRules(Answered)}
    rates: dict[str, float] = dict.fromkeys(games, 0.0)
    for _ in range(wished.turns):
        for name, game in games.items():
            rates[name] = max(rates[name], rate(game, wished.seconds))
    for name, best in rates.items():
        print(f"{name}: {best:,.0f} decisions per processor second")


if __name__ == "__main__":
    main()
