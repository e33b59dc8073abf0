"""Why a move is good or bad: what becomes of it until the same is asked again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import bullpen
from bullpen.coach import wording
from bullpen.coach.reasons import LEAST_TABLES, reason
from bullpen.game import View
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.match import Match
from bullpen.text import voice


def asked(match: Match) -> View[Any]:
    return match.view(match.waiting_for[0])


def number_of(match: Match, move: str) -> int:
    return next(action for action, name in match.game.NOTATION.items() if name == move)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_reasons_that_can_be_said(game: str, language: str) -> None:
    match = bullpen.new(game, seats=3, seed=7)
    view = asked(match)
    found = reason(match.game, view, view.legal[0], seed=1)
    assert found.tables >= LEAST_TABLES
    assert 0 <= found.nothing <= 1
    assert found == reason(match.game, view, view.legal[0], seed=1)
    said = wording.why(voice(language), match.game, view, found)
    assert all("{" not in sentence for sentence in said)


def test_a_card_that_is_too_low_surely_takes_a_row_and_one_in_an_open_row_hardly_ever() -> None:
    match = bullpen.new("six-nimmt", seats=3, seed=7)
    view = match.view(0)  # 1 and 87 are in the hand, and the rows are short
    low, high = (
        reason(match.game, view, number_of(match, f"play {card}"), seed=0) for card in (1, 87)
    )
    assert low.nothing == 0
    assert low.heads is not None
    assert low.heads >= 1
    assert high.nothing > 0.97
    assert high.place is not None
    assert high.place.startswith("row ")
    assert high.safe > 0
    english = voice("en")
    assert "you take something with it" in wording.why(english, match.game, view, low)[0]
    assert "you take nothing with it" in wording.why(english, match.game, view, high)[0]
    against = wording.why_not(english, "Play the 1", low, high)
    assert against == [f"With “Play the 1” it would be {low.heads:.1f} heads on average."]
    assert wording.why_not(english, "Play the 87", high, low) == []


def test_a_row_that_others_may_fill_first_is_named() -> None:
    match = bullpen.new("x-nimmt", seats=3, seed=7)
    view = match.view(0)
    found = reason(match.game, view, number_of(match, "play 94"), seed=0)
    assert not found.takes  # as everything lies now it would just be added
    assert 0.3 < found.there < 0.8
    said = wording.why(voice("en"), match.game, view, found)
    assert f"somebody is quicker and you have to take {found.place}" in said[1]


def test_reasons_come_from_the_view_alone() -> None:
    match = bullpen.new("six-nimmt", seats=3, seed=7)
    view = match.view(0)
    other = match.game.view(match.game.imagine(view, Random(5)), 0)
    action = view.legal[3]
    assert reason(match.game, view, action, seed=2) == reason(match.game, other, action, seed=2)
