"""6 nimmt!: its rules, and all that is made of them."""

from __future__ import annotations

from bullpen.about import About, Bounds, Cover, Lesson, Scene, whole
from bullpen.deck import Deck
from bullpen.game import Options
from bullpen.games.six_nimmt import rules
from bullpen.sizes import made_smaller

ABOUT = About(
    order=6,
    strengths=((10.0, 1.0), (25.0, 1.0), (32.1, 2.2), (35.6, 2.3)),
    spread=11,
    looks=5,
    aimless=0.25,
    practice_options={"rounds": 1},
    cover=Cover(1, (7, 40, 55, 88, 103), "#4f87a8", minutes=45, bots=3),
    lessons=(
        Lesson("goal", "start"),
        Lesson("hand", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("low", "phase taking", "asks"),
        Lesson("order", "event place"),
        Lesson("full", "cards row 5"),
        Lesson("taken", "own taken"),
    ),
    scenes=(
        Scene("SN-4", "place", 3, 2, 1, ("play 66",)),
        Scene("SN-5", "take", 3, 5, 3, ("play 96",)),
        Scene("SN-6", "take", 3, 2, 2, ("play 1", "row 1")),
    ),
)


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """A card and perhaps a row for each card of the hands.  At least what the rows cannot hold is taken
    in a round, so the limit is reached after so many."""
    sizes = made_smaller(rules.PRINTED[seats], options)
    played = sizes.hand * seats
    heads = sum(deck.heads)
    if options["rounds"] is not None:
        rounds = whole(options["rounds"])
        most = heads * rounds
    else:
        limit = whole(options["limit"])
        room = (sizes.full_at - 2) * len(sizes.rows)
        rounds = seats * (limit - 1) // (played - room) + 1
        most = limit - 1 + heads
    return Bounds(2 * played * rounds, rounds, 0, most)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return table.sizes.hand * table.seats + len(table.sizes.rows)


def packets(table: rules.Table) -> tuple[int, ...]:
    """Cards that are dealt together: the hands, and then a card to each row."""
    return (*[table.sizes.hand] * table.seats, *[1] * len(table.sizes.rows))
