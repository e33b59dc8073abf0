"""11 nimmt!: its rules, and all that is made of them."""

from __future__ import annotations

from collections.abc import Sequence

from bullpen.about import ALL_MOVES, About, Bounds, Cover, Lesson, Scene, whole
from bullpen.deck import Deck
from bullpen.game import Options, Seat
from bullpen.games.eleven_nimmt import rules

ABOUT = About(
    order=2,
    strengths=((-9.1, 12.6), (25.0, 1.0), (30.2, 2.7), (37.9, 3.1)),
    spread=20,
    looks=ALL_MOVES,
    others_learn=True,
    trees=(4,),
    hard_playouts=200,
    practice_seed=8,
    practice_options={"rounds": 1},
    cover=Cover(5, (9, 44, 55, 60, 100), "#dd6a2c", minutes=30, bots=2),
    age=8,
    lessons=(
        Lesson("goal", "start"),
        Lesson("turn", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("take", "event place"),
        Lesson("open", "event open"),
        Lesson("bull", "fact bulls"),
    ),
    scenes=(
        Scene("EN-6", "place", 3, 1, 3, ("play 22 on 19",)),
        Scene("EN-9", "take", 3, 2, 3, ("take 91",)),
        Scene("EN-11", "bull", 3, 1, 3, ("take 19",)),
        Scene("EN-14", "place", 3, 1, 9, ("play 45 on 44", "play 49 on 44")),
    ),
    pictures=(
        (
            "stack 1: 98 / hand 0: 5",
            "stack 1: 98 *5",
        ),
        (
            "stack 1: 33 / hand 0: 34 35 36 37 38 39 40 41 42 43",
            "stack 1: 33 *34 *35 *36 *37 *38 *39 *40 *41 *42 *43",
        ),
        (
            "stack 1: 31",
            "stack 1: 31 *36 *46",
            "stack 2: *23 / stack 3: *87 / hand 2: *31 *36 *46",
            "stack 2: 23 / stack 3: 87 *88 *92 *98 *5",
            "stack 3: 87 88 92 98 5 / stack 4: *70 / stack 5: *44 / hand 0: *23",
        ),
    ),
)


# -- What its observations tell besides the places --------------------------------------------

HEAP_CODES = ("top of a stack", "top of a stack played on", "under a top")
OWN_NUMBERS = ("rounds played", "starter", "draw pile", "stacks played on", "last name")
OWN_BY_SEAT = ("bull cards",)


def heap_kind(table: rules.Table, at: int) -> int:
    return int(at in [slot for slot, _ in table.served])


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    last_name = table.served[-1][1] if table.served else 0
    return [
        len(table.points),
        order.index(table.starter),
        len(table.lying[rules.DRAW]),
        len(table.served),
        last_name,
        *(len(table.lying[rules.BULLS + other]) for other in order),
    ]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every stack is opened from the draw pile and taken once at most; between two takings no card is
    played twice.  A play may be followed by the end of a turn, a taking by the choice of a bull card."""
    rounds = whole(options["rounds"])
    cards = len(rules.CARDS)
    takings = cards - rules.HAND_SIZE * seats
    a_round = 2 * cards * (takings + 1) + 2 * takings
    return Bounds(a_round * rounds, rounds, 0, sum(deck.heads) * rounds)
