"""Bullenparty: one rich pile; spend as few numbers as possible on each card of it.

A seat's prospects are counted for the best main pile that it has or could begin: the heads on it, less
those on the other piles; the cards in hand that will go on it, less a little for those that will not (a
bid is the way to be rid of them); and the numbers that it still has before it, which matter more the
more rounds are left.
- Laying cards: whatever leaves the best prospects.  So the lowest card that fits goes first.
- Taking a row: the same, with the row in hand and its bull card won.
- Bidding: for each card, the prospects without it and with the row that is likely to be left when its
  turn comes; low cards choose first.  Waiting with the zero card is worth much before the last round:
  the rows grow, and a grown row is many cards for one bid.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from bullpen.bots.careful.weighing import chance_of, cheapest, others_may_hold
from bullpen.cards import Card
from bullpen.game import Action, View
from bullpen.games.bullenparty import (
    BID_CARD,
    BULL_SUPPLY,
    DRAW,
    DRAWN,
    EXTEND,
    EXTENDING,
    FULL_ROW,
    HAND,
    LAST_NUMBER,
    NUMBERS,
    PILING,
    ROW,
    TAKE_ROW,
    TAKING,
    Table,
    bull_heads,
    numbers_in,
    open_rows,
    pile_move,
    piles,
)

A_NUMBER_BEFORE_THE_PILE = 0.016  # heads, for each card that a player's draws may still bring
A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT = 0.8, 0.2  # in hand; in the last round they count in full
WAITING = 7.6  # heads
BIDS_A_CARD = 5 / 6  # how likely another player bids a number card


class Pile(NamedTuple):
    top: Card
    heads: int


class Scale(NamedTuple):
    """What things are worth at this point of the game."""

    heads: Sequence[int]
    fits: float
    does_not: float
    number: float
    waiting: float


def choose(view: View[Table], rng: Random) -> Action:
    table, seat = view.table, view.seat
    assert seat is not None
    scale = scale_now(table)
    own_piles = [
        Pile(pile[-1], sum([scale.heads[card] for card in pile])) for pile in piles(table, seat)
    ]
    hand = numbers_in(table.lying[HAND + seat])
    if table.phase == PILING:

        def cost(action: Action) -> float:
            return -prospects(scale, *after_laying(scale, own_piles, hand, action))
    elif table.phase == TAKING:

        def cost(action: Action) -> float:
            row = table.lying[ROW + action - TAKE_ROW]
            return -with_row(table, scale, own_piles, hand, row)
    elif table.phase == EXTENDING:

        def cost(action: Action) -> float:
            rows = rows_after_extending(table, action - EXTEND)
            return -max([with_row(table, scale, own_piles, hand, row) for row in rows])
    else:
        worths = bid_worths(view, scale, own_piles, hand)

        def cost(action: Action) -> float:
            return -worths[action - BID_CARD]

    return cheapest(view.legal, cost, rng)


def scale_now(table: Table) -> Scale:
    heads = table.deck.heads
    if table.emptied:
        return Scale(heads, fits=1, does_not=1, number=0, waiting=0)
    cards_to_come = len(table.lying[DRAW]) / table.seats
    number = A_NUMBER_BEFORE_THE_PILE * cards_to_come
    return Scale(heads, A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT, number, WAITING)


# -- Prospects --------------------------------------------------------------------------------


def prospects(scale: Scale, own_piles: Sequence[Pile], hand: Sequence[Card]) -> float:
    """With the best main pile; it may be one that is not begun yet."""
    heads, fits, does_not = scale.heads, scale.fits, scale.does_not
    all_heads = sum([pile.heads for pile in own_piles])
    best = float("-inf")
    for top, pile_heads in (*own_piles, (0, 0)):
        value = 2 * pile_heads - all_heads + scale.number * (LAST_NUMBER - top)
        for card in hand:
            value += fits * heads[card] if card > top else -does_not * heads[card]
        best = max(best, value)
    return best


def with_row(
    table: Table,
    scale: Scale,
    own_piles: Sequence[Pile],
    hand: Sequence[Card],
    row: tuple[Card, ...],
) -> float:
    numbers = numbers_in(row)
    bulls = sum([bull_heads(table, bull) for bull in row[len(numbers) :]])
    return prospects(scale, own_piles, [*hand, *numbers]) + bulls


# -- Choices ----------------------------------------------------------------------------------


def after_laying(
    scale: Scale, own_piles: Sequence[Pile], hand: Sequence[Card], action: Action
) -> tuple[list[Pile], list[Card]]:
    card, onto = pile_move(action)
    grown = [pile for pile in own_piles if pile.top == onto] or [Pile(0, 0)]
    others = [pile for pile in own_piles if pile.top != onto]
    piles_then = [*others, Pile(card, grown[0].heads + scale.heads[card])]
    return piles_then, [other for other in hand if other != card]


def rows_after_extending(table: Table, row: int) -> list[tuple[Card, ...]]:
    """BP-10, BP-12: the drawn card joins this row; the fifth number card brings a bull card."""
    lying = table.lying
    extended = lying[ROW + row] + lying[DRAWN]
    if len(extended) == FULL_ROW:
        extended += lying[BULL_SUPPLY][:1]
    return [extended if each == row else lying[ROW + each] for each in open_rows(table)]


def bid_worths(
    view: View[Table], scale: Scale, own_piles: Sequence[Pile], hand: Sequence[Card]
) -> dict[int, float]:
    """By card, 0 for the zero card."""
    table = view.table
    rows = [table.lying[ROW + row] for row in open_rows(table)]
    rivals = [HAND + seat for seat in table.bidders if seat != view.seat]
    unseen = others_may_hold(view.remembered, NUMBERS, rivals)
    worths: dict[int, float] = {}
    waiting = float("-inf")
    for card in hand:
        rest = [other for other in hand if other != card]
        best_first = sorted(
            [with_row(table, scale, own_piles, rest, row) for row in rows], reverse=True
        )
        lower = BIDS_A_CARD * bisect(unseen, card) / max(1, len(unseen))
        worths[card] = sum(
            [
                chance_of(earlier, len(rivals), lower) * best_first[earlier]
                for earlier in range(len(rivals) + 1)
            ]
        )
        left_over = best_first[1:] or best_first
        waiting = max(waiting, sum(left_over) / len(left_over))
    worths[0] = waiting + scale.waiting
    return worths
