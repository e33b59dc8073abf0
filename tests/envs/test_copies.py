"""Copies of environments, and those sent to another process, play on as the original does."""

import copy
import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest

from bullpen.envs.gym import EverySeat, OneSeat
from bullpen.envs.petting import aec_env, parallel_env
from bullpen.envs.spiel import read_state, spiel_name, written_state
from bullpen.envs.vector import vector_env
from bullpen.games import GAMES, found_games
from tests.envs.test_spiel import random_states

every_game = pytest.mark.parametrize("game", GAMES)
each_copy = pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deep", "pickled"]
)


def test_a_copied_game_is_the_game() -> None:
    """Also after somebody has looked for games again."""
    found_games()
    for game in GAMES.values():
        assert copy.deepcopy(game) is pickle.loads(pickle.dumps(game)) is game


@every_game
@each_copy
def test_a_copy_in_turn_plays_on_alike(game: str, copied: Any) -> None:
    env = aec_env(game, 3)
    env.reset(seed=1)
    twin = copied(env)
    rng = np.random.default_rng(1)
    for _ in range(60):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        seen, same = env.last()[0], twin.last()[0]
        assert all((seen[part] == same[part]).all() for part in seen)
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        env.step(action)
        twin.step(action)
    env.reset()
    twin.reset()
    assert (env.state() == twin.state()).all()


@each_copy
def test_copies_of_the_other_environments_play_on_alike(copied: Any) -> None:
    at_once = parallel_env("x-nimmt", 2)
    at_once.reset(seed=1)
    twin = copied(at_once)
    assert (twin.state() == at_once.state()).all()
    at_once.reset()
    twin.reset()
    assert (twin.state() == at_once.state()).all()
    for alone in (OneSeat("x-nimmt", 2, level="easy"), EverySeat("x-nimmt", 2)):
        _, info = alone.reset(seed=1)
        action, other = int(info["action_mask"].argmax()), copied(alone)
        assert (other.step(action)[0] == alone.step(action)[0]).all()
        assert (other.reset()[0] == alone.reset()[0]).all()


@each_copy
def test_a_copied_vector_plays_on_alike(copied: Any) -> None:
    envs = vector_env("x-nimmt", num_envs=600, players=2, rounds=1, jobs=2)
    envs.reset(seed=1)
    twin = copied(envs)
    for _ in range(30):
        actions = envs.sample()
        assert (twin.sample() == actions).all()
        for one, other in zip(envs.step(actions)[:3], twin.step(actions)[:3], strict=True):
            assert (one == other).all()
    assert (twin.states == envs.states).all()


@every_game
@pytest.mark.parametrize("dynamics", ["sequential", "simultaneous"])
def test_a_state_of_sampled_chance_is_written_down_with_its_history(
    game: str, dynamics: str
) -> None:
    name = f"{spiel_name(game)}(players=3,chance=sampled,dynamics={dynamics})"
    state = pyspiel.load_game(name).new_initial_state()
    rng = np.random.default_rng(2)
    for _ in range(9):
        if state.is_simultaneous_node():
            legal = [state.legal_actions(seat) for seat in range(3)]
            state.apply_actions([int(rng.choice(actions)) if actions else 0 for actions in legal])
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    for read in (read_state(written_state(state)), pickle.loads(pickle.dumps(state))):
        assert str(read) == str(state)
        assert read.history() == state.history()
        assert read.information_state_string(1) == state.information_state_string(1)


def test_a_resampled_state_is_written_down_without_one() -> None:
    state = next(random_states(pyspiel.load_game(f"{spiel_name('x-nimmt')}(chance=sampled)"), 1))
    other = state.resample_from_infostate(0, np.random.default_rng(3).random)
    read = read_state(written_state(other))
    assert (str(read), read.history()) == (str(other), [])
