"""The cards that fly lead from the places before to the places after, in every game."""

from random import Random
from typing import Any

import pytest

from bullpen.deck import load_deck
from bullpen.game import Game, complete_options
from bullpen.games import GAMES
from bullpen.server.play import Play, new_play
from bullpen.server.steps import Flight, flights

CLOSING_UP = {"hornochsen": "row", "eleven-nimmt": "stack"}  # the ones behind a taken one move up
OPEN = ("row", "stack", "x row", "pile ", "taken", "bulls", "bull pile")


def by_card(game: Game[Any], table: Any) -> dict[int, str]:
    places = game.places(table).items()
    return {card: name for name, place in places for card in table.lying[place]}


def fly(game: Game[Any], places: dict[int, str], flight: Flight) -> None:
    if isinstance(flight.cards, int):
        return  # face down: which ones is for the rules to know
    for card in flight.cards:
        turned_up = flight.origin == flight.to
        assert turned_up or places[card] == flight.origin, (card, flight)
        places[card] = flight.to
    kind = CLOSING_UP.get(game.ID)
    if kind and flight.origin.startswith(kind) and not flight.to.startswith(kind):
        gone = int(flight.origin.split()[-1])
        for card, name in places.items():
            if name.startswith(kind) and int(name.split()[-1]) > gone:
                places[card] = f"{kind} {int(name.split()[-1]) - 1}"


def resting(places: dict[int, str]) -> dict[int, str]:
    """The cards that lie openly on the table."""
    return {card: name for card, name in sorted(places.items()) if name.startswith(OPEN)}


def check_one(play: Play, rng: Random) -> int:
    """One decision; whether something happened that can be compared."""
    game, before, seat = play.game, play.table, rng.choice(play.waiting)
    events = play.move(seat, play.numbers[seat], rng.choice(play.offers(seat)), "bot")
    if not events or game.to_shuffle(play.table):
        return 0
    places = by_card(game, before)
    for flying in flights(game, before, events):
        for flight in flying:
            fly(game, places, flight)
    assert resting(places) == resting(by_card(game, play.table)), events
    return 1


@pytest.mark.parametrize("game", GAMES)
def test_flights_lead_to_the_new_places(game: str) -> None:
    rules, checked = GAMES[game], 0
    for seed in range(12):
        rng = Random(seed)
        seats = rng.choice(list(rules.SEATS))
        options = complete_options(rules, seats, {})
        play = new_play(rules, seats, options, load_deck(rules.DECK_FILES))
        while not play.is_over:
            while cards := rules.to_shuffle(play.table):
                rng.shuffle(cards)
                play.shuffle(cards)
            checked += check_one(play, rng)
    assert checked > 50


COUNTED = {
    "six-nimmt": "taken",
    "x-nimmt": "x pile",
    "baron-oxx": "bull pile",
    "eleven-nimmt": "hand",
}


@pytest.mark.parametrize(("game", "place"), COUNTED.items())
def test_what_is_counted_is_opened(game: str, place: str) -> None:
    """Also for somebody who has come back in the middle of the round and has not seen it all."""
    rules, rng, counted = GAMES[game], Random(1), 0
    play = new_play(rules, 3, complete_options(rules, 3, {}), load_deck(rules.DECK_FILES))
    while not play.is_over:
        while cards := rules.to_shuffle(play.table):
            rng.shuffle(cards)
            play.shuffle(cards)
        before, seat = play.table, rng.choice(play.waiting)
        events = play.move(seat, play.numbers[seat], rng.choice(play.offers(seat)), "bot")
        for event, flying in zip(events, flights(rules, before, events), strict=True):
            if event["event"] not in ("round_end", "game_end"):
                continue
            counted += 1
            places = rules.places(play.table)
            lying = {
                f"{place} {one}": play.table.lying[places[f"{place} {one}"]] for one in range(3)
            }
            assert {flight.to: flight.cards for flight in flying} == {
                name: list(cards) for name, cards in lying.items() if cards
            }
    assert counted > 0
