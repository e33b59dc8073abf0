"""Mini games in the environments: the suites of PettingZoo, Gymnasium and OpenSpiel, and deals at one node."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

import bullpen
from bullpen import fast
from bullpen.envs.gym import IDS
from bullpen.envs.layouts import layout_of
from bullpen.envs.observing import observe
from bullpen.envs.petting import aec_env, parallel_env
from bullpen.envs.rows import rows_of
from bullpen.envs.spiel import spiel_name
from bullpen.envs.vector import vector_env
from bullpen.game import Game
from bullpen.games import GAMES
from tests.envs.test_compiled import check_same
from tests.envs.test_petting import as_dictionaries
from tests.lockstep import deal_in_twin
from tests.walks import MINI, mini_setups

SMALL: dict[str, dict[str, Any]] = {
    "six-nimmt": {"hand": 2, "rows": 2, "full_at": 3, "cards": 8},
    "x-nimmt": {"hand": 2, "rows": 2, "full_at": 2, "cards": 10},
    "hornochsen": {"hand": 2, "rows": 2, "full_at": 3, "cards": 8},
}
EACH = pytest.mark.parametrize("game", SMALL)


def loaded(game: str, **parameters: Any) -> Any:
    return pyspiel.load_game(spiel_name(game), {**SMALL[game], **parameters})


# -- The suites of others -------------------------------------------------------------------------


@EACH
@as_dictionaries
def test_a_mini_game_passes_the_tests_of_pettingzoo(game: str) -> None:
    api_test(aec_env(game, 2, **SMALL[game]), num_cycles=100)
    parallel_api_test(parallel_env(game, 2, **SMALL[game]), num_cycles=60)


@EACH
def test_a_mini_game_passes_the_checker_of_gymnasium(game: str) -> None:
    env = gymnasium.make(IDS[game], players=2, level="uniform", **SMALL[game])
    check_env(env.unwrapped)


@EACH
@pytest.mark.parametrize("dynamics", ["sequential", "simultaneous"])
def test_a_mini_game_passes_the_checks_of_open_spiel(game: str, dynamics: str) -> None:
    small = loaded(game, dynamics=dynamics)
    pyspiel.random_sim_test(small, num_sims=3, serialize=True, verbose=False)


@EACH
def test_a_mini_game_of_three_with_other_chance_passes_them_too(game: str) -> None:
    parameters = {"players": 3, "rows": 3, "cards": 12, "chance": "sampled"}
    small = loaded(game, **parameters)
    assert small.num_players() == 3
    pyspiel.random_sim_test(small, num_sims=2, serialize=False, verbose=False)


# -- Deals ----------------------------------------------------------------------------------------


@EACH
def test_whole_hands_are_dealt_at_one_node_and_no_deal_comes_twice(game: str) -> None:
    state = loaded(game).new_initial_state()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == loaded(game).max_chance_outcomes()
    assert sum(share for _, share in outcomes) == pytest.approx(1)
    children = [state.child(deal) for deal, _ in outcomes]
    dealt = Counter(map(str, children))
    assert set(dealt.values()) == {1}
    assert len(dealt) == len(outcomes)
    assert not any(child.is_chance_node() for child in children)
    assert "deal number 0" in state.action_to_string(0)


def test_where_there_are_too_many_deals_cards_are_dealt_one_by_one() -> None:
    state = pyspiel.load_game("bullpen_six_nimmt(hand=2)").new_initial_state()
    assert len(state.chance_outcomes()) == 104
    state.apply_action(17)
    assert state.is_chance_node()


@EACH
def test_a_mini_game_says_in_open_spiel_that_it_is_one(game: str) -> None:
    assert loaded(game).get_type().long_name.startswith(f"{GAMES[game].TITLE} mini (hand 2, ")
    assert pyspiel.load_game(spiel_name(game)).get_type().long_name == GAMES[game].TITLE


def test_zero_stands_for_the_printed_size_and_a_mini_game_has_one_round() -> None:
    printed = pyspiel.load_game("bullpen_x_nimmt(hand=0,rows=0)")
    assert (printed.setting.options["rounds"], "hand" in printed.setting.options) == (2, False)
    assert loaded("x-nimmt").setting.options["rounds"] == 1
    assert loaded("x-nimmt", rounds=3).setting.options["rounds"] == 3


# -- Observations ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GAMES[game] for game in MINI], ids=MINI)
def test_a_mini_game_played_in_both_is_observed_alike(game: Game[Any]) -> None:
    twin, rng = fast.twin(game.ID), Random(game.ID)
    for seats in (game.SEATS[0], game.SEATS[-1]):
        for setup in mini_setups(game, seats):
            table = game.set_up(seats, setup.options, setup.deck)
            states = twin.to_record(table)
            while True:
                if cards := game.to_shuffle(table):
                    rng.shuffle(cards)
                    table, _ = game.deal(table, cards)
                    deal_in_twin(twin, states, cards)
                    continue
                for viewer in range(seats):
                    check_same(setup, table, states[0], viewer)
                if not (waiting := game.waiting_for(table)):
                    break
                action = rng.choice(game.legal(table, waiting[0]))
                table, _ = game.apply(table, waiting[0], action)
                twin.apply(states[0], action)


def test_the_rows_of_an_observation_know_when_a_row_of_a_mini_game_is_taken() -> None:
    """A row of two cards is taken by the next one where the third card takes."""
    match = bullpen.new("six-nimmt", 2, seed=1, options=SMALL["six-nimmt"])
    costs = {}
    for full_at in (3, 6):
        options = {**match.options, "full_at": full_at}
        form = layout_of(match.game, 2, options)
        table = match.game.set_up(2, options, match.deck)
        deal = [4, 7, 6, 8, 3, 5, 1, 2]
        table, _ = match.game.deal(table, deal)
        for seat, card in ((0, 4), (1, 6)):
            table, _ = match.game.apply(table, seat, card)
        seen = observe(match.game, match.game.view(table, 1))
        costs[full_at] = float(rows_of(form, match.deck, seen)[8 * 9 - 1])  # of card 8
    assert costs[3] > 0
    assert costs[6] == 0


@EACH
def test_thousands_of_mini_games_are_played_at_once(game: str) -> None:
    envs = vector_env(game, num_envs=50, players=2, jobs=1, **SMALL[game])
    envs.reset(seed=2)
    ended = 0
    for _ in range(60):
        _, _, terminations, _, infos = envs.step(envs.sample())
        ended += int(np.sum(terminations))
        assert (infos["action_mask"].sum(axis=1) > 0).all()
    assert ended > 50
