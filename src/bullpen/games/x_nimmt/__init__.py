"""X nimmt!: its rules, and all that is made of them."""

from __future__ import annotations

from bullpen.about import About, Bounds, Cover, Lesson, Scene, whole
from bullpen.deck import Deck
from bullpen.game import Options
from bullpen.games.x_nimmt import rules
from bullpen.sizes import made_smaller

ABOUT = About(
    order=3,
    strengths=((18.7, 1.9), (25.0, 1.0), (31.7, 2.7), (38.2, 2.8)),
    spread=14,
    looks=4,
    trees=tuple(rules.SEATS),
    hard_playouts=130,
    practice_options={"rounds": 1},
    cover=Cover(2, (10, 22, 55, 71, 95), "#b0213c", minutes=25, bots=2),
    age=8,
    lessons=(
        Lesson("goal", "start"),
        Lesson("hand", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("keep", "phase keeping", "asks"),
        Lesson("low", "phase taking", "asks"),
        Lesson("order", "event place"),
        Lesson("row", "own x row"),
        Lesson("end", "hand 4"),
    ),
    scenes=(
        Scene("XN-5", "place", 3, 26, 2, ("play 82",)),
        Scene("XN-6", "collect", 3, 34, 1, ("play 55", "keep 15")),
        Scene("XN-7", "collect", 3, 3, 1, ("play 27", "row 1")),
        Scene("XN-10", "x_flush", 3, 22, 2, ("play 94", "play 60", "keep 33")),
    ),
    pictures=(
        (
            "row 1: 2 / row 2: 17 / row 3: 55 / laid: 18 22 60",
            "row 1: 2 / row 2: 17 *18 *22 / row 3: 55 *60",
        ),
        (
            "row 1: 20 / row 2: 31 40 58 / row 3: 80 / laid: 59",
            "row 1: 20 / row 2: *59 / row 3: 80 / collected: *31 *40 *58",
        ),
        (
            "row 1: 81 / row 2: 59 / row 3: 93 94 / laid: 43 66 89",
            "row 1: 81 / row 2: *43 / row 3: 93 94 / laid: 66 89 / x row 0: *59",
        ),
        (
            "collected: 31 40 58",
            "x row 0: *40 / hand 0: *31 *58",
        ),
        (
            "x row 0: 50 60 / collected: 30 44",
            "x row 0: *44 / x pile 0: *50 *60 / hand 0: *30",
        ),
        ("hand 0: 66 / x pile 0: 15 55",),
    ),
)


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every collection takes a card out of play for good, and the rows have room for six cards between
    two of them; each brings at most two choices.  A head counts 2 at most."""
    sizes = made_smaller(rules.PRINTED[seats], options)
    rounds, cards = whole(options["rounds"]), sizes.hand * seats + len(sizes.rows)
    room = sum(sizes.full_at + row - 3 for row in sizes.rows)
    a_round = cards * (1 + room + 2) + room
    return Bounds(a_round * rounds, rounds, 0, 2 * sum(deck.heads) * rounds)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return table.sizes.hand * table.seats + len(table.sizes.rows)


def packets(table: rules.Table) -> tuple[int, ...]:
    """Cards that are dealt together: a card to each row, and then the hands."""
    return (*[1] * len(table.sizes.rows), *[table.sizes.hand] * table.seats)
