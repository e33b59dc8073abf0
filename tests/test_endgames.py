"""Endgames that are solved: nothing estimated, nobody to be found out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

import bullpen
from benchmarks.endgames import is_dominated, positions, worths_of
from bullpen.bots import bot_called, endgames
from bullpen.bots.endgames import solved
from bullpen.coach import wording
from bullpen.coach.hint import hint
from bullpen.coach.review import review
from bullpen.game import Game, OptionValue
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.match import Match
from bullpen.text import voice
from tests.tables import table
from tests.test_coach import documented

six_nimmt = GAMES["six-nimmt"]
TACTICAL: dict[str, OptionValue] = {"deck": "tactical", "rounds": 1}


# -- Matrix games -----------------------------------------------------------------------------


def solution(gains: Any) -> tuple[float, Any, Any]:
    from bullpen.fast import matrix_games

    own, other = np.zeros(matrix_games.MOST_CHOICES), np.zeros(matrix_games.MOST_CHOICES)
    room, matrix = np.zeros(matrix_games.TABLEAU), np.array(gains, float)
    rows, columns = matrix.shape
    worth = matrix_games.solve(matrix, rows, columns, own, other, room)
    return worth, own[:rows], other[:columns]


def test_rock_paper_and_scissors_are_played_a_third_each() -> None:
    worth, own, other = solution([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert worth == pytest.approx(0)
    assert own == pytest.approx([1 / 3] * 3)
    assert other == pytest.approx([1 / 3] * 3)


def test_what_is_better_whatever_the_other_does_is_always_played() -> None:
    worth, own, _ = solution([[1, 2], [3, 4]])
    assert worth == pytest.approx(3)
    assert own == pytest.approx([0, 1])


def test_nobody_gains_by_choosing_otherwise() -> None:
    rng = np.random.default_rng(3)
    for _ in range(500):
        gains = rng.integers(-9, 10, (rng.integers(1, 6), rng.integers(1, 6)))
        worth, own, other = solution(gains)
        assert own.sum() == pytest.approx(1)
        assert other.sum() == pytest.approx(1)
        assert (gains @ other).max() == pytest.approx(worth)
        assert (own @ gains).min() == pytest.approx(worth)


# -- Solved decisions -------------------------------------------------------------------------


def by_the_plain_rules(game: Game[Any], t: Any) -> float:
    """The lead of seat 0 without a mistake of anybody, by trying everything on the plain rules."""
    waiting = game.waiting_for(t)
    if not waiting:
        scores = game.scores(t)
        return float(scores[1] - scores[0])
    if len(waiting) == 1:
        seat = waiting[0]
        after = [
            by_the_plain_rules(game, game.apply(t, seat, one)[0]) for one in game.legal(t, seat)
        ]
        return max(after) if seat == 0 else min(after)
    gains = []
    for own in game.legal(t, 0):
        laid, _ = game.apply(t, 0, own)
        replies = game.legal(laid, 1)
        gains.append([by_the_plain_rules(game, game.apply(laid, 1, one)[0]) for one in replies])
    return solution(gains)[0]


@pytest.mark.parametrize(("cards", "number"), [(2, 30), (3, 4)])
def test_a_solution_is_what_trying_everything_on_the_plain_rules_gives(
    cards: int, number: int
) -> None:
    for match in positions(cards, number, seed=5):
        found = solved(six_nimmt, match.view(0))
        assert found is not None
        expected = by_the_plain_rules(six_nimmt, match.table)
        assert max(one.lead for one in found.values()) == pytest.approx(expected)
        other = solved(six_nimmt, match.view(1))
        assert other is not None
        assert max(one.lead for one in other.values()) == pytest.approx(-expected)


def test_with_four_cards_what_is_taken_is_best_and_never_dominated() -> None:
    mixed = 0
    for match in positions(4, 12, seed=6):
        found = solved(six_nimmt, match.view(0))
        assert found is not None
        best, gains = max(one.lead for one in found.values()), worths_of(match)
        assert sum(one.share for one in found.values()) == pytest.approx(1)
        mixed += sum(one.share > 0 for one in found.values()) > 1
        for action, one in found.items():
            if one.share:
                assert one.lead == pytest.approx(best)
                assert not is_dominated(gains, action)
    assert mixed


def test_whoever_is_asked_last_gets_the_same_solution() -> None:
    (match,) = positions(3, 1, seed=7)
    first = solved(six_nimmt, match.view(0))
    match.move(1, match.legal(1)[0])
    assert solved(six_nimmt, match.view(0)) == first


def test_a_row_is_chosen_for_all_that_follows() -> None:
    """Row 2 costs most now; but whoever takes another one has to take it later with 21."""
    t = table(
        six_nimmt,
        "row 1: 90\nrow 2: 17 18 19 20 30\nrow 3: 91\nrow 4: 92\nlaid 0: 2\nlaid 1: 31\nhand 0: 33\nhand 1: 94",
        phase=six_nimmt.rules.TAKING,
        actor=0,
    )
    assert solved(six_nimmt, six_nimmt.view(t, 0)) is None  # what the other one holds is not known
    t = table(
        six_nimmt,
        "row 1: 90\nrow 2: 17 18 19 20 30\nrow 3: 91\nrow 4: 92\nlaid 0: 2\nlaid 1: 31",
        phase=six_nimmt.rules.TAKING,
        actor=0,
    )
    found = solved(six_nimmt, six_nimmt.view(t, 0))
    assert found is not None
    leads = [one.lead for one in found.values()]
    heads = t.deck.heads
    row_2 = sum(heads[card] for card in (17, 18, 19, 20, 30))
    assert leads == [row_2 - heads[90], -row_2, row_2 - heads[91], row_2 - heads[92]]


@pytest.mark.parametrize(
    ("seats", "options", "cards"),
    [(2, {"rounds": 1}, 2), (3, TACTICAL, 2), (2, TACTICAL, 6)],
    ids=["hidden hands", "three players", "too many cards"],
)
def test_what_cannot_be_solved_is_not(seats: int, options: dict[str, Any], cards: int) -> None:
    match, rng = bullpen.new("six-nimmt", seats, seed=1, options=options), Random(1)
    while len(match.waiting_for) < seats or len(match.legal(0)) > cards:
        seat = match.waiting_for[0]
        match.move(seat, rng.choice(match.legal(seat)))
    assert solved(six_nimmt, match.view(0)) is None


def mixed_position() -> Match:
    for match in positions(3, 100, seed=8):
        found = solved(six_nimmt, match.view(0))
        assert found is not None
        if max(one.share for one in found.values()) < 0.8:
            return match
    raise AssertionError("no such position")


def test_expert_takes_each_card_as_often_as_the_solution_says() -> None:
    match = mixed_position()
    found = solved(six_nimmt, match.view(0))
    assert found is not None
    expert, rng = bot_called("expert"), Random(4)
    taken = Counter(expert(six_nimmt, match.view(0), rng) for _ in range(300))
    for action, one in found.items():
        assert taken[action] / 300 == pytest.approx(one.share, abs=0.09)


def test_a_game_without_solutions_has_none() -> None:
    match = bullpen.new("x-nimmt", 2, seed=1)
    assert solved(match.game, match.view(0)) is None
    endgames.make_ready(match.game)


# -- The coach --------------------------------------------------------------------------------


def test_a_hint_that_was_solved_says_so_and_needs_no_playouts() -> None:
    match = mixed_position()
    found = hint(six_nimmt, match.view(0))
    shown = found.as_json()
    assert (shown["is_exact"], shown["playouts"]) == (True, 0)
    assert found.as_good  # nothing is better than what is mixed
    assert sum(one["share"] for one in shown["candidates"]) == pytest.approx(1)
    documented("bullpen-hint").validate(json.loads(json.dumps(shown)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_often_to_take_what_is_told(language: str) -> None:
    match, spoken = mixed_position(), voice(language)
    found = hint(six_nimmt, match.view(0))
    said, _ = wording.reasoned(spoken, six_nimmt, match.view(0), found)
    assert said[0] == spoken.say("coach.why.exact")
    share = found.candidates[0].share
    assert share is not None
    assert f"{spoken.move(six_nimmt, found.best)} ({round(100 * share)} %)" in said[1]


def test_an_estimate_is_not_called_exact() -> None:
    match = bullpen.new("six-nimmt", 2, seed=1)
    found = hint(six_nimmt, match.view(0), playouts=200)
    assert not found.as_json()["is_exact"]
    said, _ = wording.reasoned(voice("en"), six_nimmt, match.view(0), found)
    assert voice("en").say("coach.why.exact") not in said


def test_a_review_judges_the_last_cards_exactly_and_says_how_many() -> None:
    match, rng = bullpen.new("six-nimmt", 2, seed=3, options=TACTICAL), Random(2)
    while not match.is_over:
        seat = match.waiting_for[0]
        match.move(seat, rng.choice(match.legal(seat)))
    found = review(match, playouts=100, jobs=1)
    exact = [one for one in found.decisions if one.is_exact]
    assert len(exact) >= 6  # of both, with four, three and two cards
    assert all(one.behind_error == 0 for one in exact)
    assert any(one.grade in ("inaccuracy", "mistake", "blunder") for one in exact)
    assert wording.notes(voice("en"), found) == [
        voice("en").say("coach.review.exact", count=len(exact))
    ]
    documented("bullpen-review").validate(json.loads(json.dumps(found.as_json())))


def test_what_the_solution_takes_is_never_blamed() -> None:
    (match,) = positions(5, 1, seed=9)
    rng, careless = Random(5), len(match.decisions)
    while not match.is_over:
        seat = match.waiting_for[0]
        match.act(seat, bot_called("expert")(match.game, match.view(seat), rng))
    found = review(match, playouts=100, jobs=1)
    judged = [one for one in found.decisions[careless:] if one.is_exact]
    assert {one.grade for one in judged} == {"fine"}


def test_two_moves_compared_are_exact_too() -> None:
    from bullpen.coach.candidates import compared

    match = mixed_position()
    view = match.view(0)
    one, other = compared(six_nimmt, view, view.legal[:2], 100, 0)
    assert (one.behind_error, other.behind_error, one.playouts) == (0, 0, 0)
    assert replace(one, behind=0.0) == one
