"""Positions of real games, and where a card went: what the previews of the browser are compared with.

`make landings` writes web/tests/landings.json anew; test_landings.py and web/tests/landings.test.ts compare.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import bullpen
from bullpen.cards import Card
from bullpen.game import Event, OptionValue
from bullpen.match import Match
from tests.positions import as_text

FILE = Path(__file__).parent.parent / "web" / "tests" / "landings.json"
GAMES, OF_A_KIND = (
    24,
    20,
)  # of each game and variant: so many games, and so many positions of one kind
Landing = dict[str, Any]
Looker = Callable[[Match, Random], Iterator[Landing]]


def rows(match: Match) -> dict[str, list[Card]]:
    places = match.game.places(match.table)
    return {
        name: list(match.table.lying[place])
        for name, place in places.items()
        if name.startswith("row ")
    }


# -- Cards chosen secretly: the one that is placed first lands in the rows as all saw them --------


def first_of_a_turn(match: Match, rng: Random) -> Iterator[Landing]:
    before, choosing, events = rows(match), match.waiting_for, list[Event]()
    for seat in choosing:
        events = match.move(seat, rng.choice(match.legal(seat)))
    if events and events[0]["event"] == "reveal":
        yield {"rows": before, **what_came_first(match, events[0]["cards"], events[1:])}


def what_came_first(match: Match, revealed: list[Card], events: list[Event]) -> Landing:
    if not events:  # somebody has to choose
        seat = match.table.actor
        return {"card": revealed[seat], "kind": "choose", "places": match.legal(seat)}
    event = events[0]
    card, kind = revealed[event["seat"]], {"place": "add", "under": "under"}
    places = [] if event["event"] == "under" else [f"row {event['row']}"]
    return {"card": card, "kind": kind.get(event["event"], "take"), "places": places}


# -- Cards played one by one ----------------------------------------------------------------------


def one_card(match: Match, rng: Random) -> Iterator[Landing]:
    """Hornochsen!: the row by its end, and whether it was taken."""
    before, seat = rows(match), match.waiting_for[0]
    move = rng.choice(match.legal(seat))
    events = match.move(seat, move)
    if move.startswith("play "):
        takes = len(events) > 1 and events[1]["event"] == "take"
        kind, onto = "take" if takes else "add", events[0]["onto"]
        yield {"rows": before, "card": events[0]["card"], "kind": kind, "onto": onto}


def fitting_stacks(match: Match, rng: Random) -> Iterator[Landing]:
    """11 nimmt!: at the beginning of a turn, every card of the hand and the stacks that it fits on."""
    seat = match.waiting_for[0]
    legal = match.legal(seat)
    if not match.table.served and any(move.startswith("take ") for move in legal):
        places = match.game.places(match.table)
        tops = [
            match.table.lying[place][-1]
            for name, place in places.items()
            if name.startswith("stack ")
        ]
        card = rng.choice(match.table.lying[places[f"hand {seat}"]])
        fits = [top for top in tops if f"play {card} on {top}" in legal]
        yield {"tops": tops, "card": card, "fits": fits}
    match.move(seat, rng.choice(legal))


def change_by_a_card(match: Match, rng: Random) -> Iterator[Landing]:
    """Bullenparty: what laying a card on a pile does to the points."""
    seat = rng.choice(match.waiting_for)
    move, heads = rng.choice(match.legal(seat)), match.deck.heads
    places, points = match.game.places(match.table), match.scores[seat]
    piles = [
        list(match.table.lying[place])
        for name, place in places.items()
        if name.startswith("pile ") and name.endswith(f" of {seat}")
    ]
    events = match.move(seat, move)
    if move.startswith("pile "):
        onto = events[0]["onto"]
        yield {
            "piles": [
                {"top": pile[-1], "heads": sum(heads[card] for card in pile)} for pile in piles
            ],
            "heads": heads[events[0]["card"]],
            "onto": onto,
            "change": match.scores[seat] - points,
        }


# -- All of them ----------------------------------------------------------------------------------

WANTED: list[tuple[str, int, dict[str, OptionValue], Looker]] = [
    ("six-nimmt", 2, {}, first_of_a_turn),
    ("x-nimmt", 2, {}, first_of_a_turn),
    ("baron-oxx", 2, {}, first_of_a_turn),
    ("baron-oxx", 2, {"variant": "colour"}, first_of_a_turn),
    ("baron-oxx", 2, {"variant": "positive"}, first_of_a_turn),
    ("hornochsen", 3, {}, one_card),
    ("eleven-nimmt", 3, {}, fitting_stacks),
    ("bullenparty", 3, {}, change_by_a_card),
]


def landings(
    game: str, seats: int, options: dict[str, OptionValue], look: Looker
) -> Iterator[Landing]:
    rng = Random(f"{game} {options}")
    for seed in range(GAMES):
        match = bullpen.new(game, seats, seed=seed, options=options)
        while not match.is_over:
            yield from look(match, rng)


def some_of_each_kind(found: Iterator[Landing]) -> Iterator[Landing]:
    kinds: Counter[str] = Counter()
    for one in found:
        kinds[kind := one.get("kind", "")] += 1
        if kinds[kind] <= OF_A_KIND:
            yield one


def written() -> str:
    return as_text(
        (facts(game, seats, options), some_of_each_kind(landings(game, seats, options, look)))
        for game, seats, options, look in WANTED
    )


def facts(game: str, seats: int, options: dict[str, OptionValue]) -> dict[str, Any]:
    match = bullpen.new(game, seats, seed=0, options=options)
    return {"game": game, "options": dict(match.options), "deck": match.deck.as_json()}


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.landings --write")
    FILE.write_text(written(), "utf-8")
