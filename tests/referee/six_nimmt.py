"""6 nimmt! (SN), the classic: four rows, the sixth card takes."""

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
    is_whole,
    key_faults,
    nearest_lower,
    one_of,
    result,
    round_line,
    shuffle,
    total,
    whole,
)

SEATS = range(2, 11)
CARDS = 104  # SN-1
HAND_SIZE = 10  # SN-2
ROWS = 4
ROW_HOLDS = 5


@dataclass
class Table:
    """The rows, the hands, and the cards each seat took in this round."""

    rows: list[list[int]]
    hands: list[list[int]]
    taken: list[list[int]]


def options(players: int) -> dict[str, Option]:
    """The options of the game (SN-8, SN-9)."""
    return {
        "limit": whole(66, 1),
        "rounds": Option(
            None,
            lambda value: value is None or (is_whole(value) and value >= 1),
            "null or a whole number from 1",
        ),
        "deck": one_of("full", "tactical"),
        "memory_aid": MEMORY_AID,
    }


def deck_faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """SN-9: always all 104."""
    yield from key_faults(deck, "heads")
    yield from heads_faults(deck, CARDS, lambda heads: heads >= 1, "at least one head")


def script(header: Header) -> Script:
    """SN-8: rounds until one total reaches the limit, or a fixed number; fewest win."""
    totals = [0] * header.players
    number = 0
    while not is_over(header, totals, number):
        number += 1
        table = yield from play_round(header)
        points = [total(header.deck["heads"], cards) for cards in table.taken]  # SN-7
        yield event("round_end")
        yield round_line(number, points)
        totals = [old + new for old, new in zip(totals, points, strict=True)]
    yield result(totals, min)


def is_over(header: Header, totals: list[int], rounds: int) -> bool:
    """SN-8: `rounds` takes the place of the limit; the limit itself ends the game."""
    if header.options["rounds"] is not None:
        return bool(rounds >= header.options["rounds"])
    return bool(max(totals) >= header.options["limit"])


def play_round(header: Header) -> Asking[Table]:
    """SN-2, SN-7, SN-9: hands by seat, then the rows; ten turns."""
    tactical = header.options["deck"] == "tactical"
    highest = HAND_SIZE * header.players + ROWS if tactical else CARDS
    cards = iter((yield from shuffle(range(1, highest + 1))))
    hands = [deal(cards, HAND_SIZE) for _ in range(header.players)]
    table = Table([deal(cards, 1) for _ in range(ROWS)], hands, [[] for _ in hands])
    for _ in range(HAND_SIZE):
        yield from turn(table)
    return table


def turn(table: Table) -> Script:
    """SN-3: a secret choice, then the cards in ascending order."""
    cards = yield from choose_cards(table.hands)
    for seat, card in enumerate(cards):
        table.hands[seat].remove(card)
    for card in sorted(cards):
        yield from place(table, cards.index(card), card)


def place(table: Table, seat: int, card: int) -> Script:
    """SN-4 to SN-6: to the nearest lower row; a full row or a chosen one is taken first."""
    index = nearest_lower([row[-1] for row in table.rows], card)
    too_low = index is None
    if index is None:
        index = (yield from choose(seat, "row", range(1, ROWS + 1))) - 1
    row = table.rows[index]
    if too_low or len(row) == ROW_HOLDS:
        table.taken[seat].extend(row)
        yield event("take", seat=seat, cards=list(row), row=index + 1)
        row.clear()
    row.append(card)
    yield event("place", seat=seat, card=card, row=index + 1)
