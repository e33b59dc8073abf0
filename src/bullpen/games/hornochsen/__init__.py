"""Hornochsen!: its rules, and all that is made of them."""

from __future__ import annotations

from collections.abc import Sequence

from bullpen.about import About, Bounds, Cover, Lesson, Scene
from bullpen.deck import Deck
from bullpen.game import Options, Seat
from bullpen.games.hornochsen import rules
from bullpen.sizes import made_smaller

ABOUT = About(
    order=1,
    strengths=((12.5, 2.5), (25.0, 1.0), (31.0, 4.0), (39.1, 4.2)),
    spread=33,
    looks=5,
    others_learn=True,
    trees=(2,),
    hard_playouts=800,
    cover=Cover(4, (12, 55, 99, 32, 105), "#2f8a4c", minutes=30, bots=2),
    age=10,
    lessons=(
        Lesson("goal", "start"),
        Lesson("ring", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("more", "fact played"),
        Lesson("specials", "event place"),
        Lesson("ripe", "cards row 4"),
        Lesson("taken", "own pile"),
    ),
    scenes=(
        Scene("HO-8", "place", 3, 1, 0, ("play 82",)),
        Scene("HO-11", "special", 3, 14, 8, ("x2 on 19",)),
        Scene("HO-12", "take", 3, 14, 8, ("play 12",)),
    ),
    pictures=(
        (
            "row 1: 12 / row 2: 23 / row 3: 43 / row 4: 49 / row 5: 55 / row 6: 70 / hand 0: 35 50 60",
            "row 1: 12 / row 2: 23 *35 / row 3: 43 / row 4: 49 *50 / row 5: 55 *60 / row 6: 70",
        ),
        (
            "row 1: 20 / row 2: 71 / row 3: 94 / hand 0: 4 5 87",
            "row 1: 20 / row 2: 71 / row 3: 94 *5 / hand 0: 4 87",
            "row 1: 20 / row 2: 71 *87 *4 / row 3: 94 5",
        ),
        (
            "row 1: 30 35 / row 2: 50 / hand 0: 37 39 42",
            "row 1: 30 35 *37 *39 *42 / row 2: 50",
            "row 2: 50 / pile 0: *30 *35 *37 *39 *42",
        ),
        ("pile 0: 1 3 4 6 7 10 100 106 / hand 0: 105",),
    ),
)


# -- What its observations tell besides the places --------------------------------------------

HEAP_CODES = ("end of a row", "in a row")
OWN_NUMBERS = ("played",)
MOST = {"played": rules.CARDS_A_TURN}
heap_name = rules.end_value  # how rows lie in the ring makes no difference


def meaning_of_links(options: Options) -> str:
    return "end of its row"


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    return [table.played]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every card is played once, and after each the turn may be stopped.  One pile might get all x2."""
    cards = (made_smaller(rules.PRINTED[seats], options).hand + 2) * seats
    good = sum(head for head in deck.heads if head > 0) + 5 * seats
    bad = sum(head for head in deck.heads if head < 0)
    left = 2 * rules.SPECIAL_LEFT
    return Bounds(2 * cards, 1, (bad << seats) + left, good << seats)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return table.sizes.hand * table.seats + len(table.sizes.rows)


def packets(table: rules.Table) -> tuple[int, ...]:
    """Cards that are dealt together: the hands, and the rows, which are laid out in their order."""
    return (*[table.sizes.hand] * table.seats, len(table.sizes.rows))
