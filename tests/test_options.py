"""Options: defaults, values that a game allows, and refusals that say what is allowed instead."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bullpen
from bullpen.cards import Problem
from bullpen.game import (
    BadOption,
    Game,
    Option,
    OptionValue,
    complete_options,
    read_options,
)
from bullpen.games import GAMES
from tests.walks import values_of

FOR_EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
EVERY_OPTION = pytest.mark.parametrize(
    ("game", "option"),
    [(game, option) for game in GAMES.values() for option in game.OPTIONS],
    ids=[f"{game.ID}-{option.name}" for game in GAMES.values() for option in game.OPTIONS],
)

# As the rules say it; 11 nimmt! has as many rounds as players.
DEFAULTS: dict[str, dict[str, OptionValue]] = {
    "hornochsen": {"first_seat": 0, "memory_aid": False},
    "eleven-nimmt": {"first_seat": 0, "rounds": 3, "memory_aid": False},
    "x-nimmt": {"rounds": 2, "x_choice": "strict", "memory_aid": False},
    "baron-oxx": {"variant": "standard", "games": 1, "memory_aid": False},
    "bullenparty": {"memory_aid": False},
    "six-nimmt": {"limit": 66, "rounds": None, "deck": "full", "memory_aid": False},
}
SEATS = {
    "hornochsen": (2, 6),
    "eleven-nimmt": (2, 7),
    "x-nimmt": (2, 4),
    "baron-oxx": (2, 10),
    "bullenparty": (2, 5),
    "six-nimmt": (2, 10),
}


def spelled(value: OptionValue) -> str:
    return "null" if value is None else str(value).lower()


# -- What a game has ------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_options_have_the_defaults_of_the_rules(game: Game[Any]) -> None:
    assert complete_options(game, 3, {}) == DEFAULTS[game.ID]


def test_eleven_nimmt_has_as_many_rounds_as_players() -> None:
    for seats in GAMES["eleven-nimmt"].SEATS:
        assert complete_options(GAMES["eleven-nimmt"], seats, {})["rounds"] == seats


@FOR_EVERY_GAME
def test_as_many_play_as_the_rules_say(game: Game[Any]) -> None:
    least, most = SEATS[game.ID]
    for seats in range(least, most + 1):
        assert bullpen.new(game.ID, seats).seats == seats
    for seats in (-1, 0, 1, most + 1, 10**20):
        with pytest.raises(BadOption) as refused:
            bullpen.new(game.ID, seats)
        assert refused.value.key == "bad_seats"
        assert refused.value.facts == {
            "game": game.ID,
            "seats": seats,
            "least": least,
            "most": most,
        }
    no_numbers: list[Any] = ["3", 3.0, True, None, [3]]
    for seats in no_numbers:
        with pytest.raises(BadOption) as refused:
            bullpen.new(game.ID, seats)
        assert (refused.value.key, refused.value.facts) == ("seats_type", {"seats": repr(seats)})


# -- Values -----------------------------------------------------------------------------------------


@EVERY_OPTION
def test_every_value_of_an_option_is_taken_and_read_as_it_is_spelled(
    game: Game[Any], option: Option
) -> None:
    for seats in game.SEATS:
        for value in values_of(option, seats):
            taken = complete_options(game, seats, {option.name: value})
            assert taken == {**complete_options(game, seats, {}), option.name: value}
            assert read_options(game, seats, [f" {option.name} = {spelled(value)} "]) == taken


@EVERY_OPTION
@pytest.mark.parametrize("value", [-1, 1.0, "", "maybe", [], {}, (), 10**6, "strict "])
def test_any_other_value_is_refused_with_what_is_allowed(
    game: Game[Any], option: Option, value: Any
) -> None:
    if value == 10**6 and option.name in ("rounds", "games", "limit"):
        return  # as many as you like
    with pytest.raises(BadOption) as refused:
        bullpen.new(game.ID, 2, options={option.name: value})
    facts = refused.value.facts
    assert refused.value.key == "bad_option"
    assert (facts["game"], facts["option"], facts["value"]) == (game.ID, option.name, value)
    for allowed in values_of(option, 2):
        assert spelled(allowed) in facts["allowed"] or option.name == "limit"


@EVERY_OPTION
def test_true_and_false_are_no_numbers_and_numbers_are_no_switches(
    game: Game[Any], option: Option
) -> None:
    wrong = (0, 1) if option.name == "memory_aid" else (False, True)
    for value in wrong:
        with pytest.raises(BadOption):
            complete_options(game, 2, {option.name: value})


@pytest.mark.parametrize("name", ["hornochsen", "eleven-nimmt"])
def test_the_first_seat_is_one_of_the_seats(name: str) -> None:
    for seats in GAMES[name].SEATS:
        for first in range(seats):
            match = bullpen.new(name, seats, options={"first_seat": first})
            assert match.waiting_for == [first]
        wrong: list[Any] = [-1, seats, True, "0", None]
        for first in wrong:
            with pytest.raises(BadOption):
                bullpen.new(name, seats, options={"first_seat": first})


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (("true", "on", "yes", "1", "True", "YES"), True),
        (("false", "off", "no", "0", "Off"), False),
    ],
)
def test_a_switch_has_several_words(words: tuple[str, ...], value: bool) -> None:
    for word in words:
        read = read_options(GAMES["bullenparty"], 2, [f"memory_aid={word}"])
        assert read == {"memory_aid": value}


# -- What is typed ----------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_an_option_that_does_not_exist_is_refused_with_those_that_do(game: Game[Any]) -> None:
    for name in ("bets", "", "Memory_aid", "memory aid"):
        with pytest.raises(BadOption) as refused:
            read_options(game, 2, [f"{name}=1"])
        assert refused.value.key == "unknown_option"
        known = [*(option.name for option in game.OPTIONS), *game.sizes(2)]
        assert refused.value.facts["known"] == ", ".join(known)
    for word in ("memory_aid", "", " "):
        with pytest.raises(BadOption) as refused:
            read_options(game, 2, [word])
        assert refused.value.key == "option_form"


def test_the_last_word_about_an_option_counts() -> None:
    assert read_options(GAMES["x-nimmt"], 2, ["rounds=3", "rounds=1"])["rounds"] == 1


@FOR_EVERY_GAME
@settings(max_examples=30)
@given(data=st.data())
def test_nothing_that_is_typed_raises_anything_but_a_problem(game: Game[Any], data: Any) -> None:
    names = st.sampled_from([option.name for option in game.OPTIONS])
    values = st.text("0123456789-+_. nultrefaso٣²") | st.just("9" * 5000)
    words = st.builds("{}={}".format, names, values)
    try:
        read = read_options(game, 2, data.draw(st.lists(words, max_size=3)))
    except Problem:
        return
    assert complete_options(game, 2, read) == read
