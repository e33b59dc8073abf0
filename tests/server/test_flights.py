"""The cards that fly lead from the places before to the places after, in every game."""

from itertools import zip_longest
from random import Random
from typing import Any

import pytest

from bullpen.cards import UNSEEN
from bullpen.deck import load_deck
from bullpen.game import Game, complete_options
from bullpen.games import GAMES
from bullpen.server.flights import Flight, Taking, flights
from bullpen.server.play import Play, new_play
from bullpen.server.sight import Telling, happened
from bullpen.text import voice
from tests.games import bullenparty
from tests.tables import after, table

OPEN = ("row", "stack", "x row", "pile ", "taken", "bulls", "bull pile")


def by_card(game: Game[Any], table: Any) -> dict[int, str]:
    places = game.places(table).items()
    return {card: name for name, place in places for card in table.lying[place] if card != UNSEEN}


def fly(places: dict[int, str], flight: Flight) -> None:
    if isinstance(flight.cards, int):
        return  # face down: which ones is for the rules to know
    for card in flight.cards:
        turned_up = flight.origin == flight.to
        assert turned_up or places[card] == flight.origin, (card, flight)
        places[card] = flight.to


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
    for flying in flights(game, play.table, events):
        for flight in flying:
            fly(places, flight)
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
        seat = rng.choice(play.waiting)
        events = play.move(seat, play.numbers[seat], rng.choice(play.offers(seat)), "bot")
        for event, flying in zip(events, flights(rules, play.table, events), strict=True):
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


def taken_to_hand(cards: list[int], origin: str, hand: str) -> Flight:
    """What is in a hand is counted to nobody yet."""
    heads = load_deck(bullenparty.DECK_FILES).shown_on(cards)
    return Flight(cards, origin, hand, taking=Taking(None, heads, "plain"))


def takings(game: str, **options: str) -> list[tuple[Flight, Taking]]:
    """Of three games at random."""
    rules, rng, found = GAMES[game], Random(1), []
    deck = load_deck(rules.DECK_FILES)
    for _ in range(3):
        play = new_play(rules, 3, complete_options(rules, 3, options), deck)
        while not play.is_over:
            while cards := rules.to_shuffle(play.table):
                rng.shuffle(cards)
                play.shuffle(cards)
            seat = rng.choice(play.waiting)
            events = play.move(seat, play.numbers[seat], rng.choice(play.offers(seat)), "bot")
            flown = [one for flying in flights(rules, play.table, events) for one in flying]
            found += [(one, one.taking) for one in flown if one.taking is not None]
    return found


@pytest.mark.parametrize(
    ("game", "options", "tones"),
    [
        ("six-nimmt", {}, {"bad"}),
        ("baron-oxx", {}, {"bad"}),
        ("baron-oxx", {"variant": "positive"}, {"good"}),  # where bulls are good
        ("hornochsen", {}, {"good", "bad", "plain"}),  # green heads and red ones
        ("x-nimmt", {}, {"plain"}),  # which card is kept is not known yet
        ("bullenparty", {}, {"plain"}),
    ],
)
def test_the_server_says_what_is_taken_and_whether_that_is_good(
    game: str, options: dict[str, str], tones: set[str]
) -> None:
    found, rules = takings(game, **options), GAMES[game]
    assert {taking.tone for _, taking in found} == tones
    deck = load_deck(rules.DECK_FILES)
    for flight, taking in found:
        assert isinstance(flight.cards, list)
        special = any(card in rules.CARD_NAMES for card in flight.cards)
        assert taking.heads == (None if special else deck.shown_on(flight.cards))
        assert taking.seat is None or flight.to.endswith(f" {taking.seat}")


def test_heads_on_cards_that_only_one_seat_sees_are_told_to_nobody() -> None:
    """11 nimmt!: who takes a stack sees what lay under its top."""
    found = takings("eleven-nimmt")
    hidden = [taking for flight, taking in found if flight.seen_by is not None]
    assert hidden
    assert set(hidden) == {Taking(None, None, "plain")}


def all_told(after: Any) -> list[tuple[str | None, list[Flight]]]:
    """By step: the event's name, and what flies."""
    flying = flights(bullenparty, after, after.events)
    return [(event and event["event"], flown) for event, flown in zip_longest(after.events, flying)]


def test_a_bid_is_laid_aside_when_it_is_served_and_not_again_when_a_row_is_chosen() -> None:
    """Bullenparty: no event tells of it, so it comes in a step of its own."""
    drawing = "row 1: 11 12\nrow 2: 21 22\ndraw: 31 32\nhand 0: 41 42 B\nhand 1: 51 52 A"
    before, _ = after(bullenparty, table(bullenparty, drawing), "0 bid 41")
    revealed, _ = after(bullenparty, before, "1 bid 51")
    turned_up = [Flight([41], "bid 0", "bid 0"), Flight([51], "bid 1", "bid 1")]
    laid_aside = [Flight([41], "bid 0", "discard")]
    assert all_told(revealed) == [("reveal", turned_up), (None, laid_aside)]
    taken, _ = after(bullenparty, revealed, "0 take 2")
    assert all_told(taken) == [
        ("take", [taken_to_hand([21, 22], "row 2", "hand 0")]),
        ("take", [Flight([51], "bid 1", "discard"), taken_to_hand([11, 12], "row 1", "hand 1")]),
    ]


def test_the_first_card_of_a_row_that_waits_for_a_shuffle_comes_from_the_old_draw_pile() -> None:
    before = table(
        bullenparty,
        """
        draw: 31
        discard: 61 62 63 64 65
        hand 0: 41 42 43 44 45 B
        hand 1: 51 52 53 54 55 56 A
        """,
        phase=bullenparty.rules.PILING,
        actor=1,
        takers=(0, 1),
        bidders=(),
    )
    laid, _ = after(bullenparty, before, "1 pile 56 new")
    assert all_told(laid) == [
        ("pile", [Flight([56], "hand 1", "pile 1 of 1")]),
        ("round_end", []),
        (None, [Flight([31], "draw", "row 1")]),
    ]
    shuffled, _ = bullenparty.deal(laid, [65, 64, 63, 62, 61])
    assert all_told(shuffled) == [
        ("lay_row", [Flight([65], "draw", "row 1")]),
        ("last_round", []),
        ("lay_row", [Flight([64, 63], "draw", "row 2")]),
    ]


def test_a_step_without_an_event_is_told_to_all_and_has_no_sentence() -> None:
    play = new_play(
        bullenparty, 3, complete_options(bullenparty, 3, {}), load_deck(bullenparty.DECK_FILES)
    )
    while cards := bullenparty.to_shuffle(play.table):
        play.shuffle(cards)
    told = []
    for seat in range(3):  # everybody bids the highest number
        before, action = play.table, play.offers(seat)[-1]
        told += happened(play, before, play.move(seat, play.numbers[seat], action, "bot"))
    telling = Telling(bullenparty, voice("en"), ("Anna", "Bo", "Cleo"))
    for reader in (0, 1, 2, None):
        reveal, last = telling.steps(told, reader, play.options)
        assert reveal["event"]["event"] == "reveal"
        bid = reveal["event"]["bids"][0]
        moves = [{"cards": [bid], "from": "bid 0", "to": "discard"}]
        assert (last["event"], last["text"], last["moves"]) == (None, "", moves)
