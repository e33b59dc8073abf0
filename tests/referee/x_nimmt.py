"""X nimmt! (XN): rows of three, four and five, and an X row of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.referee.script import (
    MEMORY_AID,
    Asking,
    Fault,
    Header,
    Option,
    Script,
    choose,
    choose_cards,
    deal,
    event,
    heads_faults,
    key_faults,
    nearest_lower,
    one_of,
    result,
    round_line,
    shuffle,
    total,
    whole,
)

SEATS = range(2, 5)
DECK = range(1, 101)  # XN-1
FULL_AT = (3, 4, 5)  # XN-2, XN-6
HAND_SIZE = 8


@dataclass
class Table:
    """The rows, and each seat's hand, X row and X pile."""

    rows: list[list[int]]
    hands: list[list[int]]
    x_rows: list[list[int]]
    x_piles: list[list[int]]
    strict: bool


def options(players: int) -> dict[str, Option]:
    """The options of the game."""
    return {"rounds": whole(2, 1), "x_choice": one_of("strict", "free"), "memory_aid": MEMORY_AID}


def deck_faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """XN-1: 1, 2, 3, 5 or 7 heads."""
    yield from key_faults(deck, "heads")
    yield from heads_faults(
        deck, len(DECK), lambda heads: heads in (1, 2, 3, 5, 7), "1, 2, 3, 5 or 7 heads"
    )


def script(header: Header) -> Script:
    """XN-14: a game of `rounds` rounds; fewest points win."""
    totals = [0] * header.players
    for number in range(1, header.options["rounds"] + 1):
        table = yield from play_round(header)
        points = [score(header.deck["heads"], table, seat) for seat in range(header.players)]
        yield event("round_end")
        yield round_line(number, points)
        totals = [old + new for old, new in zip(totals, points, strict=True)]
    yield result(totals, min)


def play_round(header: Header) -> Asking[Table]:
    """XN-2, XN-12: turns until, at the end of one, a hand is empty."""
    cards = iter((yield from shuffle(DECK)))
    rows = [deal(cards, 1) for _ in FULL_AT]
    hands = [deal(cards, HAND_SIZE) for _ in range(header.players)]
    strict = header.options["x_choice"] == "strict"
    table = Table(rows, hands, [[] for _ in hands], [[] for _ in hands], strict)
    while all(table.hands):
        yield from turn(table)
    return table


def turn(table: Table) -> Script:
    """XN-3: a secret choice, then the cards are placed, lowest first."""
    cards = yield from choose_cards(table.hands)
    for seat, card in enumerate(cards):
        table.hands[seat].remove(card)
    for card in sorted(cards):
        yield from place(table, cards.index(card), card)


def place(table: Table, seat: int, card: int) -> Script:
    """XN-4 to XN-7: to the nearest lower row; a full row or a chosen one is collected first."""
    index = nearest_lower([row[-1] for row in table.rows], card)
    too_low = index is None
    if index is None:
        index = (yield from choose(seat, "row", range(1, len(FULL_AT) + 1))) - 1
    row = table.rows[index]
    collected: list[int] = []
    if too_low or len(row) + 1 == FULL_AT[index]:
        collected, table.rows[index] = row, []
        yield event("collect", seat=seat, cards=list(collected), row=index + 1)
    table.rows[index].append(card)
    yield event("place", seat=seat, card=card, row=index + 1)
    if collected:
        yield from keep(table, seat, collected)


def keepable(x_row: list[int], collected: list[int], strict: bool) -> list[int]:
    """XN-11: while a collected card is higher than the X row's last, only such a card."""
    higher = [card for card in collected if x_row and card > x_row[-1]]
    return higher if strict and higher else collected


def keep(table: Table, seat: int, collected: list[int]) -> Script:
    """XN-8 to XN-10: one collected card to the X row, which must ascend; the others to the hand."""
    x_row = table.x_rows[seat]
    card = yield from choose(seat, "keep", keepable(x_row, collected, table.strict))
    if x_row and card < x_row[-1]:
        yield event("x_flush", seat=seat, cards=list(x_row))
        table.x_piles[seat].extend(x_row)
        x_row.clear()
    x_row.append(card)
    table.hands[seat].extend(other for other in collected if other != card)
    yield event("keep", seat=seat, card=card)


def score(heads: list[int], table: Table, seat: int) -> int:
    """XN-13: a head in hand counts 1, in the X pile 2, in the X row nothing."""
    return total(heads, table.hands[seat]) + 2 * total(heads, table.x_piles[seat])
