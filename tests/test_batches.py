"""Many games at once: masks, actions, scores, and games that start again."""

from typing import Any

import numpy as np
import pytest

import bullpen
from bullpen import fast
from bullpen.games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_games_in_a_batch_end_with_scores_and_start_again(game: str) -> None:
    games = fast.batch(game, seats=3, n=20, seed=4)
    ended = np.zeros(20, int)
    for _ in range(3_000):
        games.step(games.sample())
        ended += games.done
        assert games.masks.any(axis=1).all()
        if ended.min() > 0:
            break
    assert ended.min() > 0
    assert games.scores.any()


@pytest.mark.parametrize("game", GAMES)
def test_a_mask_says_what_the_plain_rules_say(game: str) -> None:
    rules, games = GAMES[game], fast.batch(game, seats=2, n=5, seed=8)
    deck = bullpen.new(game, seats=2).deck
    for _ in range(60):
        for at in range(games.n):
            table = games.twin.from_record(games.states[at : at + 1], games.options, deck)
            seat = int(games.actors[at])
            assert rules.waiting_for(table)[0] == seat
            assert sorted(rules.legal(table, seat)) == np.flatnonzero(games.masks[at]).tolist()
        games.step(games.sample())


def test_an_illegal_action_anywhere_is_refused_and_changes_nothing() -> None:
    games = fast.batch("x-nimmt", seats=4, n=8, seed=1)
    before, actions = games.states.copy(), games.sample()
    actions[5] = 203  # there is no row to take yet
    with pytest.raises(bullpen.Problem, match="batch illegal") as refused:
        games.step(actions)
    assert refused.value.facts == {"at": 5, "move": "row 3", "seat": 0}
    for name in before.dtype.names or ():
        assert (games.states[name] == before[name]).all()


@pytest.mark.parametrize("actions", [[1, 2], [[1] * 8], []])
def test_a_step_needs_one_action_a_game(actions: Any) -> None:
    games = fast.batch("x-nimmt", seats=4, n=8, seed=1)
    with pytest.raises(bullpen.Problem, match="batch actions"):
        games.step(actions)


def test_a_batch_needs_a_game() -> None:
    with pytest.raises(bullpen.Problem, match="batch size"):
        fast.batch("x-nimmt", seats=4, n=0)


def test_the_number_of_threads_does_not_change_the_games() -> None:
    one, many = (fast.batch("six-nimmt", seats=4, n=1_000, seed=6, jobs=jobs) for jobs in (1, 4))
    for _ in range(100):
        actions = one.sample()
        assert (actions == many.sample()).all()
        one.step(actions)
        many.step(actions)
        assert (one.masks == many.masks).all()
        assert (one.scores == many.scores).all()
