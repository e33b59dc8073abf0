"""6 nimmt! Baron Oxx: its rules, and all that is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bullpen.about import About, Bounds, Cover, Lesson, Scene, whole
from bullpen.cards import UNSEEN, Lying
from bullpen.deck import Deck
from bullpen.game import Options, Seat
from bullpen.games.baron_oxx import rules

ABOUT = About(
    order=4,
    strengths=((7.2, 1.9), (25.0, 1.0), (28.5, 1.0), (31.7, 1.2)),
    spread=25,
    looks=6,  # by the rule of thumb; nets look at all moves
    by_thumb=0.5,
    hard_playouts=70,
    cover=Cover(3, (14, 33, 52, 70, 96), "#d99a1c", minutes=30, bots=3),
    lessons=(
        Lesson("goal", "start"),
        Lesson("colours", "start"),
        Lesson("pick", "picking", "asks"),
        Lesson("play", "picked", "asks"),
        Lesson("choose", "phase choosing", "asks"),
        Lesson("order", "event place"),
        Lesson("full", "cards row 4"),
        Lesson("taken", "own bull pile"),
    ),
    scenes=(
        Scene("BO-6", "place", 3, 2, 0, ("play 100", "row 1")),
        Scene("BO-9", "take", 3, 13, 6, ("play 85",)),
        Scene("BO-10", "take", 3, 36, 11, ("play 17",)),
        Scene("BO-11", "take", 3, 18, 0, ("play 16", "row 1")),
    ),
    pictures=(
        (
            "row 1: 58 / row 2: 1 / row 3: 5 / row 4: 42 / row 5: 84 / laid: 6 88",
            "row 1: 58 *88 / row 2: 1 / row 3: 5 / row 4: 42 *6 / row 5: 84",
        ),
        (
            "row 1: 70 9 / row 2: 1 / laid: 88",
            "row 1: *88 / row 2: 1 / bull pile 0: *70 *9",
        ),
        (
            "row 1: 1 6 42 73 74 / row 2: 5 / laid: 31",
            "row 1: *31 / row 2: 5 / bull pile 0: *1 *6 *42 *73 *74",
        ),
    ),
)


# -- What its observations tell besides the places --------------------------------------------

OWN_NUMBERS = ("games played", "gone under", *(f"end of row {row}" for row in rules.ROWS))


def meaning_of_links(options: Options) -> str:
    return "depth in its draw pile" if options.get("variant", "positive") == "positive" else ""


def link(game: Any, table: Any, lying: Lying, seat: Seat, form: Any, seen: Any) -> None:
    """BO-16 (positive): a card that went under is known where it lies in the draw pile; 1 is on top."""
    for pile in lying[rules.DRAW : rules.DRAW + table.seats]:
        for depth, card in enumerate(pile, start=1):
            if card != UNSEEN:
                seen[form.cards + card - 1] = depth


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    rows = [table.lying[rules.ROW + row] for row in rules.ROWS]
    gone_under = table.gone_under.bit_count() if memory == "perfect" else 0
    return [len(table.points), gone_under, *(row[-1] if row else 0 for row in rows)]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """A card and perhaps a row for each card; in the positive variant all cards that are left may go
    under between two that are placed."""
    games, cards = whole(options["games"]), rules.CARDS_EACH[seats] * seats
    bulls = sum(sum(colours) for colours in deck.colours) * games
    if options["variant"] == "positive":
        return Bounds(cards * (cards + 2) * games, games, -bulls, bulls)
    return Bounds(2 * cards * games, games, 0, bulls)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return rules.CARDS_EACH[table.seats] * table.seats + len(rules.ROWS)
