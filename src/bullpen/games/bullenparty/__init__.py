"""Bullenparty: its rules, and all that is made of them."""

from __future__ import annotations

from collections.abc import Sequence

from bullpen.about import ALL_MOVES, About, Bounds, Cover, Lesson, Scene
from bullpen.deck import Deck
from bullpen.game import Options, Seat
from bullpen.games.bullenparty import rules

ABOUT = About(
    order=5,
    strengths=((-16.6, 4.9), (25.0, 1.0), (38.2, 3.6), (50.0, 4.1)),
    spread=8.5,
    looks=ALL_MOVES,
    others_learn=True,
    trees=tuple(rules.SEATS),
    cover=Cover(6, (18, 53, 101, 112, 90), "#8a5fc7", minutes=20, bots=2),
    age=8,
    lessons=(
        Lesson("goal", "start"),
        Lesson("rows", "start"),
        Lesson("bid", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("take", "phase taking", "asks"),
        Lesson("extend", "phase extending", "asks"),
        Lesson("zero", "event reveal"),
        Lesson("pile", "phase piling", "asks"),
        Lesson("piles", "event pile"),
    ),
    scenes=(
        Scene("BP-9", "take", 3, 1, 0, ("bid 40", "take 1")),
        Scene("BP-10", "extend", 3, 1, 0, ("bid 0", "extend 1")),
        Scene("BP-12", "bull", 3, 1, 0, ("bid 0", "extend 1", "bid 0", "extend 2")),
        Scene("BP-16", "pile", 3, 15, 7, ("pile 93 on 67",)),
    ),
    pictures=(
        (
            "row 1: 22 24 60 / pile 1 of 0: 13 / hand 0: 20",
            "pile 1 of 0: 13 *20 *22 / hand 0: *24 *60",
        ),
        (
            "row 1: 2 4 18 / pile 1 of 0: 13 20 22 / bid 0: 24",
            "pile 1 of 0: 13 20 22 / pile 2 of 0: *4 *18 / hand 0: *2",
        ),
        (
            (
                "row 1: 17 18 35 49 77 106 / row 2: 24 33 3 75 94 107 / row 3: 11 19 55 63 93 110 / "
                "bid 0: 13 / bid 1: 85 / bid 2: 36"
            ),
            (
                "pile 1 of 0: 23 / hand 0: 51 72 *24 *33 *3 *75 *94 / pile 3 of 2: 10 / "
                "pile 4 of 2: 86 / hand 2: 87 *11 *19 *55 *63 *93 / pile 2 of 1: 31 / "
                "hand 1: *17 *18 *35 *49 *77"
            ),
            (
                "pile 1 of 0: 23 *24 *33 / pile 5 of 0: *51 *72 / hand 0: 3 75 94 / "
                "pile 3 of 2: 10 *11 *19 / pile 4 of 2: 86 *87 *93 / hand 2: 55 63 / "
                "pile 2 of 1: 31 *49 / pile 6 of 1: *17 *18 *35 / hand 1: 77"
            ),
        ),
    ),
)


# -- What its observations tell besides the places --------------------------------------------

CODE_NAMES = {"bulls": "won"}
OWN_NUMBERS = ("last round", "draw pile", "discard pile")
OWN_BY_SEAT = ("bidding", "took as")
MOST = {"last round": 1}


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    piles = (table.lying[place] for place in (rules.DRAW, rules.DISCARD))
    took = [table.takers.index(other) + 1 if other in table.takers else 0 for other in order]
    return [
        min(table.emptied, 1),
        *map(len, piles),
        *(int(other in table.bidders) for other in order),
        *took,
    ]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every round draws two cards a row while the draw pile lasts.  In a round at most 3 cards extend a
    row and everyone takes one, and each bidding does one of these at least; then hands are laid down."""
    drawn = len(rules.NUMBERS) - rules.HAND_SIZE * seats
    rounds = drawn // (rules.FIRST_IN_ROW * seats) + 2
    served = (rules.FULL_ROW - rules.FIRST_IN_ROW + 1) * seats
    a_round = served * seats + served + rules.FULL_ROW * seats
    decisions = a_round * rounds + 2 * rules.HAND_SIZE * seats
    heads, bulls = sum(deck.heads), sum(deck.bulls)
    # Zero cards and number cards at first; in the last round perhaps the discards for each card drawn.
    shuffles = 2 + rules.FULL_ROW * seats
    return Bounds(decisions, shuffles, -heads, heads + bulls)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return table.seats if table.phase == rules.DEALING_ZEROS else len(rules.CARDS)
