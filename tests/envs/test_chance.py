"""Deals: the same seed deals the same game everywhere, and other seeds share nothing with it."""

from typing import Any

import numpy as np
import pyspiel
import pytest

import bullpen
from bullpen.envs.chance import streams
from bullpen.envs.gym import EverySeat, OneSeat
from bullpen.envs.petting import aec_env, parallel_env
from bullpen.envs.spiel import spiel_name
from bullpen.envs.vector import vector_env
from bullpen.games import GAMES
from bullpen.text import voice

every_game = pytest.mark.parametrize("game", GAMES)


def cards(table: Any) -> list[list[int]]:
    """Where the cards lie; compiled records keep no order in some places."""
    return [sorted(place) for place in table.lying]


@every_game
def test_the_same_seed_deals_the_same_game_in_every_interface(game: str) -> None:
    """Through two games of one chance, whoever plays how."""
    in_turn, at_once, alone = aec_env(game, 3), parallel_env(game, 3), EverySeat(game, 3)
    many = vector_env(game, num_envs=2, players=3, jobs=1)
    spiel = pyspiel.load_game(f"{spiel_name(game)}(players=3,chance=sampled,seed=7)")
    for seed in (7, None):
        for env in (in_turn, at_once, alone):
            env.reset(seed=seed)
        many.reset(seed=None if seed is None else [seed, 8])
        state = spiel.new_initial_state()
        while state.is_chance_node():
            state.apply_action(0)
        first = cards(in_turn.play.table)
        tables = [at_once.play.table, alone._being_played().table, many.table(0)]
        assert all(cards(table) == first for table in [*tables, state.position.table])
        assert cards(many.table(1)) != first
    single = vector_env(game, num_envs=3, players=3, jobs=1)
    single.reset(seed=7)  # the first of one seed's games is that of the seed itself
    in_turn.reset(seed=7)
    assert cards(single.table(0)) == cards(in_turn.play.table) != cards(single.table(1))


def test_the_cards_come_alike_however_the_game_is_played() -> None:
    """The second round of X nimmt!, after other moves in both."""
    dealt = []
    for moves in (1, 2):
        env = aec_env("x-nimmt", 2, rounds=2)
        env.reset(seed=3)
        rng = np.random.default_rng(moves)
        while not env.play.table.points:
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
        dealt.append([env.play.table.lying[1:4], env.play.rules.legal(env.play.table, 0)])
    assert dealt[0] == dealt[1]


def test_the_games_of_neighbouring_seeds_have_nothing_in_common() -> None:
    assert not set(streams(7, 1000)) & set(streams(8, 1000))
    envs = vector_env("six-nimmt", num_envs=50, players=2, jobs=1)
    one, _ = envs.reset(seed=7)
    other, _ = envs.reset(seed=8)
    assert not {seen.tobytes() for seen in one} & {seen.tobytes() for seen in other}


@every_game
def test_a_shuffle_can_be_asked_for(game: str) -> None:
    match = bullpen.new(game, seats=3, seed=5)
    wish = {"shuffle": match.shuffles}
    in_turn, alone = aec_env(game, 3), OneSeat(game, 3, level="uniform")
    many = vector_env(game, num_envs=2, players=3, jobs=1)
    in_turn.reset(options=wish)
    alone.reset(options=wish)
    many.reset(options=wish)
    wanted = cards(match.table)
    assert cards(in_turn.play.table) == wanted
    assert cards(many.table(0)) == cards(many.table(1)) == wanted
    if match.waiting_for[0] == 0:  # nobody has played before the seat then
        assert cards(alone._being_played().table) == wanted
    in_turn.reset()
    assert cards(in_turn.play.table) != wanted


@pytest.mark.parametrize(
    ("shuffle", "said"),
    [
        ([1, 2, 3], "The shuffle has 3 cards, but the table wants its own 100, each once"),
        ("abc", "a list of cards"),
        (7, "a list of cards"),
        ([[1], 2], "a list of cards"),
    ],
)
def test_a_shuffle_that_is_none_is_refused_in_words(shuffle: Any, said: str) -> None:
    for env in (aec_env("x-nimmt", 2), vector_env("x-nimmt", players=2, jobs=1)):
        with pytest.raises(bullpen.Problem) as refused:
            env.reset(seed=1, options={"shuffle": shuffle})
        assert said in voice("en").problem(refused.value)


@pytest.mark.parametrize("seed", [-1, 0.5, "x"])
def test_a_seed_that_is_none_is_refused_in_words(seed: Any) -> None:
    for env in (aec_env("x-nimmt", 2), vector_env("x-nimmt", players=2, jobs=1)):
        with pytest.raises(bullpen.Problem, match="A seed is a whole number from 0 up"):
            env.reset(seed=seed)
