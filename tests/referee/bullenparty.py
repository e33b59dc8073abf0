"""Bullenparty (BP): bid for rows, build one rich ascending pile."""

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
    choose,
    deal,
    decide,
    event,
    heads_faults,
    is_whole,
    key_faults,
    last_number,
    result,
    shuffle,
    total,
)

SEATS = range(2, 6)
DECK = range(1, 101)  # BP-1
BULL_CARDS = 10  # BP-2
ZERO_CARDS = "ABCDE"  # BP-3
HAND_SIZE = 5  # BP-4, BP-15
BOXED = {2: 50, 3: 25, 4: 0, 5: 0}  # BP-5
ROW_HOLDS = 5  # BP-11


@dataclass
class Row:
    """The number cards of a row and the heads of its bull card, if it has one."""

    cards: list[int]
    bulls: list[int] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """BP-11: a row holds at most five number cards."""
        return len(self.cards) == ROW_HOLDS


@dataclass
class Table:
    """Hands (number cards only; the zero cards apart), pile tops last, draw pile top first."""

    zeros: list[str]
    hands: list[list[int]]
    draw: list[int]
    bulls: list[int]  # heads, the top of the pile first
    piles: list[list[list[int]]]
    won_bulls: list[list[int]]
    discard: list[int] = field(default_factory=list)
    rows: dict[int, Row] = field(default_factory=dict)  # by number; a taken row is gone
    last_round: bool = False
    announced: bool = False

    @property
    def can_draw(self) -> bool:
        """BP-11, BP-14: with draw pile and discard pile empty no card can be drawn."""
        return bool(self.draw or self.discard)

    @property
    def open_rows(self) -> list[int]:
        """The numbers of the remaining rows with fewer than five number cards."""
        return [number for number, row in self.rows.items() if not row.full]


def options(players: int) -> dict[str, Option]:
    """The one option of the game."""
    return {"memory_aid": MEMORY_AID}


def deck_faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """BP-1 and BP-2: 1-7 heads on a number card, 4-7 on a bull card."""
    yield from key_faults(deck, "heads", "bulls")
    yield from heads_faults(deck, len(DECK), lambda heads: 1 <= heads <= 7, "1 to 7 heads")
    bulls = deck.get("bulls")
    if not isinstance(bulls, list) or len(bulls) != BULL_CARDS:
        yield f"deck.bulls as a list of {BULL_CARDS}", f"{bulls!r}"
    elif not all(is_whole(heads) and 4 <= heads <= 7 for heads in bulls):
        yield "bull cards with 4 to 7 heads", f"{bulls}"


def script(header: Header) -> Script:
    """A game: rounds until the one in which the draw pile ran out (BP-18)."""
    table = yield from set_up(header)
    while not table.last_round:
        yield from lay_rows(table)
        takers: list[int] = []
        while table.rows:
            yield from bidding(table, takers)
        for seat in takers:  # in the order of BP-15
            yield from build(table, seat)
        yield event("round_end")
    heads = header.deck["heads"]
    yield result([score(heads, table, seat) for seat in range(header.players)], max)


def set_up(header: Header) -> Asking[Table]:
    """BP-4 to BP-6: zero cards, hands, the cards for the box, the draw pile."""
    zeros = yield from shuffle(ZERO_CARDS)
    cards = iter((yield from shuffle(DECK)))
    hands = [deal(cards, HAND_SIZE) for _ in range(header.players)]
    deal(cards, BOXED[header.players])
    bulls = sorted(header.deck["bulls"])
    return Table(
        zeros[: header.players], hands, list(cards), bulls, [[] for _ in hands], [[] for _ in hands]
    )


# -- The draw pile --------------------------------------------------------------------------------


def draw_card(table: Table) -> Asking[int]:
    """BP-19: the discard pile is shuffled when a card is wanted and none is left, not earlier."""
    if not table.draw:
        table.draw = yield from shuffle(table.discard)
        table.discard = []
    card = table.draw.pop(0)
    if not table.draw:
        table.last_round = True  # BP-18: this card is on its way to a row
    return card


def announce(table: Table) -> Script:
    """BP-18: once, right after the last card of the draw pile came into a row."""
    if table.last_round and not table.announced:
        table.announced = True
        yield event("last_round")


# -- A round --------------------------------------------------------------------------------------


def lay_rows(table: Table) -> Script:
    """BP-7: as many rows as players, each with two cards in drawn order."""
    for number in range(1, len(table.hands) + 1):
        first = yield from draw_card(table)
        second = yield from draw_card(table)
        table.rows[number] = Row([first, second])
        yield event("lay_row", row=number, cards=[first, second])
        yield from announce(table)


def bidding(table: Table, takers: list[int]) -> Script:
    """BP-8 to BP-10, BP-13: those still in it bid; numbers are served first, then zeros."""
    bids: list[int | None] = [None] * len(table.hands)
    for seat in range(len(table.hands)):
        if seat not in takers:
            move = yield from decide(seat, legal_bids(table, seat))
            bids[seat] = last_number(move)
    yield event("reveal", bids=list(bids))
    for bid in sorted(bid for bid in bids if bid):
        seat = bids.index(bid)
        takers.append(seat)
        yield from take_row(table, seat, bid)
    zero_bidders = [seat for seat, bid in enumerate(bids) if bid == 0]
    for seat in sorted(zero_bidders, key=lambda seat: table.zeros[seat]):
        yield from extend_row(table, seat)


def legal_bids(table: Table, seat: int) -> list[str]:
    """BP-8, BP-14: any number card; zero only while a row can be extended."""
    numbers = [f"bid {card}" for card in table.hands[seat]]
    return [*numbers, "bid 0"] if table.open_rows and table.can_draw else numbers


def take_row(table: Table, seat: int, bid: int) -> Script:
    """BP-9, BP-17: the bid is discarded, the row goes to the hand, its bull card to the table."""
    table.hands[seat].remove(bid)
    table.discard.append(bid)
    number = yield from choose(seat, "take", table.rows)
    row = table.rows.pop(number)
    table.hands[seat].extend(row.cards)
    table.won_bulls[seat].extend(row.bulls)
    yield event("take", seat=seat, row=number, cards=list(row.cards), bulls=list(row.bulls))


def extend_row(table: Table, seat: int) -> Script:
    """BP-10 to BP-12: a drawn card goes to a row; the fifth brings a bull card."""
    if not table.open_rows or not table.can_draw:  # BP-11: nothing happens
        return
    card = yield from draw_card(table)
    yield event("draw", seat=seat, card=card)
    number = yield from choose(seat, "extend", table.open_rows)
    row = table.rows[number]
    row.cards.append(card)
    yield event("extend", seat=seat, row=number, card=card)
    if row.full and table.bulls:
        row.bulls.append(table.bulls.pop(0))
        yield event("bull", row=number, heads=row.bulls[0])
    yield from announce(table)


# -- Building piles, and the end ------------------------------------------------------------------


def build(table: Table, seat: int) -> Script:
    """BP-16: cards go on lower tops or start piles until five (BP-15) or none (BP-20) are held."""
    hand, piles = table.hands[seat], table.piles[seat]
    keep = 0 if table.last_round else HAND_SIZE
    while len(hand) > keep:
        on_top = [
            f"pile {card} on {pile[-1]}" for card in hand for pile in piles if pile[-1] < card
        ]
        move = yield from decide(seat, on_top + [f"pile {card} new" for card in hand])
        card = int(move.split()[1])
        hand.remove(card)
        if move.endswith("new"):
            piles.append([card])
            yield event("pile", seat=seat, card=card, onto=None)
        else:
            top = last_number(move)
            next(pile for pile in piles if pile[-1] == top).append(card)
            yield event("pile", seat=seat, card=card, onto=top)


def score(heads: list[int], table: Table, seat: int) -> int:
    """BP-21: the richest pile and all bull cards count for, every other pile against."""
    piles = [total(heads, pile) for pile in table.piles[seat]]
    return 2 * max(piles) - sum(piles) + sum(table.won_bulls[seat])
