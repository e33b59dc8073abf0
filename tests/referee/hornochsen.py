"""Hornochsen! (HO): rows in a ring, up to three cards a turn, x2 and +5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.referee.script import (
    MEMORY_AID,
    Asking,
    Fault,
    Header,
    Option,
    Script,
    deal,
    decide,
    event,
    heads_faults,
    key_faults,
    last_number,
    nearest_lower,
    result,
    shuffle,
    total,
    whole,
)

SEATS = range(2, 7)
DECK = range(1, 99)  # HO-1
HAND_SIZE = {2: 14, 3: 12, 4: 12, 5: 12, 6: 10}  # HO-4
ROWS = {2: 7, 3: 9, 4: 12, 5: 15, 6: 15}  # HO-4
SPECIALS = ("x2", "+5")  # HO-2
FULL = 5


@dataclass
class Row:
    """Number cards, first to last, and special cards in the order laid."""

    cards: list[int]
    specials: list[str] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The end value (HO-8): special cards have no part in it."""
        return self.cards[-1]


@dataclass
class Table:
    """The hands (number cards and, apart, special cards), the ring, the piles as taken rows."""

    hands: list[list[int]]
    specials: list[list[str]]
    rows: list[Row]
    piles: list[list[Row]]


def options(players: int) -> dict[str, Option]:
    """The options of the game."""
    return {"first_seat": whole(0, 0, players - 1), "memory_aid": MEMORY_AID}


def deck_faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """HO-1: 1 or 2 green heads, or 2, 3, 5 or 7 red ones, written as negative numbers."""
    yield from key_faults(deck, "heads")
    yield from heads_faults(
        deck,
        len(DECK),
        lambda heads: heads in (1, 2, -2, -3, -5, -7),
        "1, 2, -2, -3, -5 or -7 heads",
    )


def script(header: Header) -> Script:
    """A game: turns go clockwise (HO-6) until the last number card has left the hands (HO-15)."""
    table = yield from set_up(header.players)
    seat = header.options["first_seat"]
    while any(table.hands):
        if playable(table, seat):
            yield from turn(table, seat)
        else:
            yield event("pass_over", seat=seat)
        seat = (seat + 1) % header.players
    scores = [score(header.deck["heads"], table, seat) for seat in range(header.players)]
    yield result(scores, max)  # HO-17


def set_up(players: int) -> Asking[Table]:
    """HO-3 to HO-5: hands by seat, then the table cards, which ascend round the ring."""
    cards = iter((yield from shuffle(DECK)))
    hands = [deal(cards, HAND_SIZE[players]) for _ in range(players)]
    rows = [Row([card]) for card in sorted(deal(cards, ROWS[players]))]
    return Table(hands, [list(SPECIALS) for _ in hands], rows, [[] for _ in hands])


def playable(table: Table, seat: int) -> list[str]:
    """Every card the seat can play and where; with none it is passed over (HO-14)."""
    return [f"play {card}" for card in table.hands[seat]] + [
        f"{special} on {row.end}"
        for special in table.specials[seat]
        for row in table.rows
        if special not in row.specials  # HO-11
    ]


def turn(table: Table, seat: int) -> Script:
    """HO-6: one to three cards; it ends by itself when it cannot go on, or with the game."""
    for played in range(3):
        moves = playable(table, seat)
        if not moves:
            return
        move = yield from decide(seat, [*moves, "stop"] if played else moves)
        if move == "stop":
            return
        if move.startswith("play"):
            yield from play_number(table, seat, last_number(move))
        else:
            yield from play_special(table, seat, move.split()[0], last_number(move))
        if not any(table.hands):  # HO-15
            return


def row_for(rows: list[Row], card: int) -> Row:
    """HO-8: the highest end value below the card; HO-9: if there is none, the highest of all."""
    ends = [row.end for row in rows]
    place = nearest_lower(ends, card)
    return rows[ends.index(max(ends)) if place is None else place]


def play_number(table: Table, seat: int, card: int) -> Script:
    """A number card goes to its row; the fifth takes the row at once (HO-12, HO-13)."""
    row = row_for(table.rows, card)
    onto = row.end
    table.hands[seat].remove(card)
    row.cards.append(card)
    yield event("place", seat=seat, card=card, onto=onto)
    if len(row.cards) == FULL:
        table.rows.remove(row)
        table.piles[seat].append(row)
        yield event("take", seat=seat, cards=list(row.cards), specials=list(row.specials))


def play_special(table: Table, seat: int, special: str, onto: int) -> Script:
    """HO-11: a special card goes to the row named by its end value."""
    row = next(row for row in table.rows if row.end == onto)
    table.specials[seat].remove(special)
    row.specials.append(special)
    yield event("special", seat=seat, special=special, onto=onto)


def score(heads: list[int], table: Table, seat: int) -> int:
    """HO-16: heads and fives, doubled for every x2, minus 10 for a special card in hand."""
    pile = table.piles[seat]
    laid = [special for row in pile for special in row.specials]
    points = sum(total(heads, row.cards) for row in pile) + 5 * laid.count("+5")
    doubled: int = points * 2 ** laid.count("x2")
    return doubled - 10 * len(table.specials[seat])
