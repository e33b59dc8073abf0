"""What a seat is shown is its own view, though most of it is made once for all seats."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bullpen.deck import load_deck
from bullpen.game import Seat, View, complete_options
from bullpen.games import GAMES
from bullpen.server.play import Play, new_play
from bullpen.server.sight import Happened, Sight, Telling, happened, places_shown
from bullpen.text import voice

MOST_SEATS = 10


def moments(game: str, rng: Random) -> Iterator[tuple[Play, list[Happened]]]:
    """A table after each decision of a short game, and what has happened."""
    rules = GAMES[game]
    seats = rng.choice(rules.SEATS)
    has_rounds = any(option.name == "rounds" for option in rules.OPTIONS)
    wishes = {"memory_aid": rng.random() < 0.5, **({"rounds": 2} if has_rounds else {})}
    options = complete_options(rules, seats, wishes)
    play = new_play(rules, seats, options, load_deck(rules.DECK_FILES))
    while not play.is_over:
        before, events = play.table, []
        if waiting := play.waiting:
            seat = rng.choice(waiting)
            action = rng.choice(play.offers(seat))
            events = play.move(seat, play.numbers[seat], action, "bot")
        told = happened(play, before, events)
        while cards := rules.to_shuffle(play.table):
            rng.shuffle(cards)
            before = play.table
            told += happened(play, before, play.shuffle(cards))
        yield play, told


def shown(play: Play, view: View[Any]) -> dict[str, Any]:
    """The same, made for one seat alone."""
    game, table = play.game, view.table
    return {
        "phase": game.phase_name(table),
        "places": places_shown(play.places, table.lying),
        "facts": game.facts(table),
        "scores": game.scores(table),
        "rounds": game.rounds(table),
    }


def worded(telling: Telling, one: Happened, seat: Seat | None, play: Play) -> dict[str, Any]:
    """A step, made for one seat alone."""
    seen = one.event and play.game.seen_by(one.event, seat, play.options)
    return telling.worded(one, seen, seat)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=4)
def test_what_a_seat_is_shown_is_what_it_sees(game: str, seed: int) -> None:
    names = [f"P{seat}" for seat in range(MOST_SEATS)]
    telling = Telling(GAMES[game], voice("en"), names)
    for play, told in moments(game, Random(seed)):
        sight = Sight(play, told, telling, None)
        everyone: tuple[Seat | None, ...] = (*range(play.seats), None)
        for seat in everyone:
            message, view = sight.to(seat), play.game.view(play.table, seat)
            assert {part: message[part] for part in shown(play, view)} == shown(play, view)
            offered = [] if message["decision"] is None else message["decision"]["moves"]
            legal = [] if seat is None else play.offers(seat)
            assert [offer["action"] for offer in offered] == legal
            assert message["steps"] == [worded(telling, one, seat, play) for one in told]
