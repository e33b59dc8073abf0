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

from bullpen.bots.likelihood import chance_of, cheapest, others_may_hold
from bullpen.cards import Card
from bullpen.game import Action, View
from bullpen.games.bullenparty.rules import (
    BID_CARD,
    BIDDING,
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


class Own(NamedTuple):
    """What this seat has, and what a head is worth to it at this point of the game."""

    piles: list[Pile]
    hand: list[Card]  # number cards
    heads: Sequence[int]  # by card
    fits: float  # a head in hand that fits on the main pile
    does_not: float  # costs so much
    number: float  # that the main pile still has before it
    waiting: float


def choose(view: View[Table], rng: Random) -> Action:
    table, own = view.table, what_it_has(view)
    if table.phase == BIDDING:
        worths = worths_of_bids(view, own)
        return cheapest(view.legal, lambda action: -worths[action - BID_CARD], rng)
    weigh = {PILING: worth_of_laying, TAKING: worth_of_taking, EXTENDING: worth_of_extending}
    worth = weigh[table.phase]
    return cheapest(view.legal, lambda action: -worth(table, own, action), rng)


def what_it_has(view: View[Table]) -> Own:
    table, seat, heads = view.table, view.seat, view.table.deck.heads
    assert seat is not None
    own_piles = [Pile(pile[-1], sum([heads[card] for card in pile])) for pile in piles(table, seat)]
    hand = numbers_in(table.lying[HAND + seat])
    if table.emptied:
        return Own(own_piles, hand, heads, fits=1, does_not=1, number=0, waiting=0)
    number = A_NUMBER_BEFORE_THE_PILE * len(table.lying[DRAW]) / table.seats
    return Own(own_piles, hand, heads, A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT, number, WAITING)


# -- Prospects --------------------------------------------------------------------------------


def prospects(own: Own) -> float:
    """With the best main pile; it may be one that is not begun yet."""
    heads, fits, does_not = own.heads, own.fits, own.does_not
    all_heads = sum([pile.heads for pile in own.piles])
    best = float("-inf")
    for top, pile_heads in (*own.piles, (0, 0)):
        worth = 2 * pile_heads - all_heads + own.number * (LAST_NUMBER - top)
        for card in own.hand:
            worth += fits * heads[card] if card > top else -does_not * heads[card]
        best = max(best, worth)
    return best


def with_row(table: Table, own: Own, row: tuple[Card, ...]) -> float:
    numbers = numbers_in(row)
    bulls = sum([bull_heads(table, bull) for bull in row[len(numbers) :]])
    return prospects(own._replace(hand=own.hand + numbers)) + bulls


# -- Bidding ----------------------------------------------------------------------------------


def worths_of_bids(view: View[Table], own: Own) -> dict[Card, float]:
    """By card, 0 for the zero card."""
    table = view.table
    rivals = [HAND + seat for seat in table.bidders if seat != view.seat]
    unseen = others_may_hold(view.remembered, NUMBERS, rivals)
    worths: dict[Card, float] = {}
    after_waiting = []
    for card in own.hand:
        rows = rows_best_first(table, own._replace(hand=[c for c in own.hand if c != card]))
        lower = BIDS_A_CARD * bisect(unseen, card) / max(1, len(unseen))
        likely = [chance_of(earlier, len(rivals), lower) for earlier in range(len(rivals) + 1)]
        worths[card] = sum([chance * row for chance, row in zip(likely, rows, strict=True)])
        left = rows[1:] or rows
        after_waiting.append(sum(left) / len(left))
    worths[0] = max(after_waiting) + own.waiting
    return worths


def rows_best_first(table: Table, own: Own) -> list[float]:
    """The prospects with each row that can still be taken: as many as there are bidders."""
    rows = [table.lying[ROW + row] for row in open_rows(table)]
    return sorted([with_row(table, own, row) for row in rows], reverse=True)


# -- Taking and extending a row, laying cards -------------------------------------------------


def worth_of_taking(table: Table, own: Own, action: Action) -> float:
    return with_row(table, own, table.lying[ROW + action - TAKE_ROW])


def worth_of_extending(table: Table, own: Own, action: Action) -> float:
    """BP-10, BP-12: of the best row, once the drawn card, perhaps with a bull card, has joined this one."""
    lying = table.lying
    extended = lying[ROW + action - EXTEND] + lying[DRAWN]
    if len(extended) == FULL_ROW:
        extended += lying[BULL_SUPPLY][:1]
    others = [lying[ROW + row] for row in open_rows(table) if row != action - EXTEND]
    return max([with_row(table, own, row) for row in (extended, *others)])


def worth_of_laying(table: Table, own: Own, action: Action) -> float:  # noqa: ARG001
    card, onto = pile_move(action)
    grown = sum([pile.heads for pile in own.piles if pile.top == onto]) + own.heads[card]
    others = [pile for pile in own.piles if pile.top != onto]
    hand = [other for other in own.hand if other != card]
    return prospects(own._replace(piles=[*others, Pile(card, grown)], hand=hand))
