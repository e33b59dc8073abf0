"""Whoever is asked last in a secret choice thinks as if asked first: what lies face down was chosen, not drawn."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature
from random import Random
from typing import Any

import numpy as np
import pytest

import bullpen
from bullpen.bots import bot_called
from bullpen.bots.judgement import evaluate
from bullpen.bots.plain_playouts import PlainEvaluator
from bullpen.coach.candidates import USUAL_PLAYOUTS
from bullpen.coach.hint import hint
from bullpen.coach.positions import positions
from bullpen.coach.reasons import reason
from bullpen.coach.review import judge_decision, review
from bullpen.game import View
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.server.thinking import coaching

SECRET = [
    name
    for name, game in GAMES.items()
    if any(family.secret_in >= 0 for family in game.rules.places.families)
]
each_secret_game = pytest.mark.parametrize("name", SECRET)
SEATS = 4


def is_secret(match: Match) -> bool:
    return any(one.secret_in == match.table.phase for one in match.table.PLACES.families)


def secret_choices(name: str, number: int) -> Iterator[Match]:
    """Matches that wait for all seats to choose in secret, each some moves further on."""
    match, rng = bullpen.new(name, SEATS, seed=11), Random(2)
    everybody = list(range(SEATS))
    while number and not match.is_over:
        if is_secret(match) and match.waiting_for == everybody:
            number -= 1
            yield match
        seat = match.waiting_for[0]
        match.act(seat, bot_called("careless")(match.game, match.view(seat), rng))


def looks(match: Match, seat: int) -> Iterator[View[Any]]:
    """What a seat sees when it is asked first, second and so on."""
    game, table, rng = match.game, match.table, Random(seat)
    yield game.view(table, seat)
    for other in range(SEATS):
        if other != seat:
            table, _ = game.apply(table, other, rng.choice(game.legal(table, other)))
            yield game.view(table, seat)


def test_four_of_the_games_have_secret_choices() -> None:
    assert len(SECRET) == 4


@each_secret_game
def test_before_the_choices_of_others_a_view_is_the_one_of_who_is_asked_first(name: str) -> None:
    for match in secret_choices(name, 25):
        for seat in range(SEATS):
            first, *later = looks(match, seat)
            assert match.game.before_choices(first) == first
            for view in later:
                kept = view.table.lying[:]
                assert view != first
                assert match.game.before_choices(view) == first
                assert view.table.lying == kept


@each_secret_game
def test_an_own_choice_stays_chosen(name: str) -> None:
    match = next(secret_choices(name, 1))
    game = match.game
    table, _ = game.apply(match.table, 1, game.legal(match.table, 1)[0])
    view = game.view(table, 1)
    assert game.before_choices(view) == view


@each_secret_game
def test_asked_first_in_the_middle_and_last_the_candidates_are_worth_the_same(name: str) -> None:
    for match in secret_choices(name, 2):
        for seat in (0, 2):
            first, *later = (
                evaluate(match.game, view, playouts=200, seed=3) for view in looks(match, seat)
            )
            assert later == [first] * (SEATS - 1)


@pytest.mark.parametrize("bot", ["montecarlo", "search"])
def test_asked_first_or_last_a_bot_that_thinks_chooses_the_same(bot: str) -> None:
    choose = bot_called(f"{bot}:playouts=60")
    for match in secret_choices("six-nimmt", 3):
        chosen = [choose(match.game, view, Random(5)) for view in looks(match, 1)]
        assert len(set(chosen)) == 1


def test_without_compiled_code_it_makes_no_difference_either() -> None:
    for match in secret_choices("six-nimmt", 2):
        first, *later = (
            PlainEvaluator(match.game, view, 3).play_out(np.array(view.legal), 3).leads
            for view in looks(match, 2)
        )
        assert all((other == first).all() for other in later)


@each_secret_game
def test_a_reason_does_not_depend_on_who_has_laid_already(name: str) -> None:
    match = next(secret_choices(name, 1))
    first, *_, last = looks(match, 0)
    action = first.legal[0]
    assert reason(match.game, first, action, seed=1) == reason(match.game, last, action, seed=1)


def test_a_hint_and_a_review_think_alike_by_themselves_and_at_a_server() -> None:
    usual = [signature(one).parameters["playouts"].default for one in (hint, review)]
    assert usual == [USUAL_PLAYOUTS] * 2
    match = bullpen.new("six-nimmt", 2, seed=3)
    asked = {"game": "six-nimmt", "view": match.view(0), "language": "en", "names": ["A", "B"]}
    given = coaching.hint(asked)["details"]
    match.move(0, match.legal(0)[-1])
    match.move(1, match.legal(1)[-1])
    (judged,) = review(match, seat=0, playouts=coaching.PLAYOUTS).decisions
    told = [{**one, "means": ""} for one in given["candidates"]]
    assert told == [{**one.as_json(), "means": ""} for one in judged.candidates]


@each_secret_game
def test_a_hint_after_the_others_have_laid_is_what_the_review_finds_best(name: str) -> None:
    match = next(secret_choices(name, 1))
    game = match.game
    *_, last = looks(match, 3)
    given = hint(game, last, playouts=300)
    for seat in range(SEATS):
        match.move(seat, match.legal(seat)[0])
    decided = list(positions(match))[-SEATS:]
    (own,) = [one for one in decided if one.seat == 3]
    judged = judge_decision(game, own, 300, 0)
    assert judged.candidates == given.candidates
