"""The suites of PettingZoo, Gymnasium and OpenSpiel on the whole grid: every game with few, some and many players, and
the mini games.  Shortly each: what they find, they find in the first rounds."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium import wrappers
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import vector as vector_wrappers
from pettingzoo.test import api_test, parallel_api_test, seed_test

from bullpen.envs.gym import IDS, SELF_PLAY_IDS
from bullpen.envs.petting import aec_env, parallel_env
from bullpen.envs.spiel import spiel_name
from bullpen.games import GAMES
from tests.envs.test_petting import as_dictionaries


class Case(NamedTuple):
    game: str
    players: int
    options: dict[str, Any]

    def __str__(self) -> str:
        kind = " mini" if "hand" in self.options else ""
        return f"{self.game}{kind} {self.players}"


# One round, where a game has several.
SHORT = {"eleven-nimmt": {"rounds": 1}, "x-nimmt": {"rounds": 1}, "six-nimmt": {"rounds": 1}}
MINI: dict[str, dict[str, Any]] = {
    "six-nimmt": {"hand": 2, "full_at": 3},
    "x-nimmt": {"hand": 2, "full_at": 2},
    "hornochsen": {"hand": 2, "full_at": 3},
}


def player_counts(game: str) -> tuple[int, int, int]:
    """The fewest, some, and the most."""
    seats = GAMES[game].SEATS
    return seats[0], seats[len(seats) // 2], seats[-1]


def rows_of_a_mini_game(game: str, players: int) -> int:
    """One for each player, but not more than are printed."""
    return min(players, GAMES[game].sizes(players)["rows"])


CASES = [
    Case(game, players, SHORT.get(game, {})) for game in GAMES for players in player_counts(game)
] + [
    Case(game, players, {**sizes, "rows": rows_of_a_mini_game(game, players), "cards": 4 * players})
    for game, sizes in MINI.items()
    for players in (2, 3, 4)
]
grid = pytest.mark.parametrize("case", CASES, ids=str)


def test_the_grid_has_every_game_with_three_numbers_of_players_and_three_mini_games() -> None:
    for game in GAMES:
        assert len({case.players for case in CASES if case.game == game}) >= 3
    assert len({case.game for case in CASES if "hand" in case.options}) == 3


# -- PettingZoo -------------------------------------------------------------------------------------


@grid
@as_dictionaries
def test_pettingzoo_in_turn(case: Case) -> None:
    make = partial(aec_env, case.game, case.players, options=case.options, history="plays")
    api_test(make(), num_cycles=40)
    seed_test(make, num_cycles=10)


@grid
def test_pettingzoo_at_once(case: Case) -> None:
    parallel_api_test(parallel_env(case.game, case.players, options=case.options), num_cycles=30)


# -- Gymnasium --------------------------------------------------------------------------------------


def wrapped(env: Any) -> Any:
    """In wrappers that change what is observed, what is rewarded and how long an episode is."""
    env = wrappers.RecordEpisodeStatistics(wrappers.TimeLimit(env, 1000))
    env = wrappers.DtypeObservation(wrappers.FlattenObservation(env), np.float64)
    env = wrappers.NormalizeObservation(env)
    env = wrappers.FrameStackObservation(wrappers.TimeAwareObservation(env), 2)
    return wrappers.ClipReward(wrappers.NormalizeReward(env), -5, 5)


@grid
@pytest.mark.filterwarnings("ignore:.*Box.*:UserWarning")
def test_gymnasium(case: Case) -> None:
    words: dict[str, Any] = {"players": case.players, "options": case.options}
    for name, wishes in (
        (IDS[case.game], {"level": "uniform", **words}),
        (SELF_PLAY_IDS[case.game], words),
    ):
        check_env(gymnasium.make(name, **wishes).unwrapped, skip_render_check=True)
        env = wrapped(gymnasium.make(name, **wishes))
        _, info = env.reset(seed=1)
        over = False
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[-1])
            _, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        assert terminated
        assert info["episode"]["l"] > 0


@grid
def test_the_vectors_of_gymnasium(case: Case) -> None:
    words: dict[str, Any] = {"players": case.players, "options": case.options, "jobs": 1}
    words["autoreset_mode"] = "NextStep"  # the only one that all wrappers take
    many: Any = gymnasium.make_vec(SELF_PLAY_IDS[case.game], num_envs=3, **words)
    envs: Any = vector_wrappers.RecordEpisodeStatistics(many)
    envs = vector_wrappers.DtypeObservation(vector_wrappers.FlattenObservation(envs), np.float64)
    envs = vector_wrappers.ClipReward(vector_wrappers.NormalizeReward(envs), -5, 5)
    envs = vector_wrappers.DictInfoToList(envs)
    seen, infos = envs.reset(seed=1)
    for _ in range(30):
        assert envs.observation_space.contains(seen)
        seen, rewards, *_, infos = envs.step(many.sample())
        assert (np.abs(rewards) <= 5).all()
        assert len(infos) == 3


# -- OpenSpiel --------------------------------------------------------------------------------------


@grid
def test_open_spiel(case: Case) -> None:
    """With its check of copies written down, where chance is explicit."""
    words = {"players": case.players, **case.options}
    for dynamics in ("sequential", "simultaneous"):
        chance = "explicit" if dynamics == "sequential" else "sampled"
        game = pyspiel.load_game(
            spiel_name(case.game), {**words, "dynamics": dynamics, "chance": chance}
        )
        pyspiel.random_sim_test(game, num_sims=1, serialize=chance == "explicit", verbose=False)
