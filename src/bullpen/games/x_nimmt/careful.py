"""X nimmt!: lay the card that is likely to cost the least, as in 6 nimmt!, and keep the X row low.

Collecting costs three things.  The cards that go into the hand must all be laid again.  A card for the
X row that is too low turns the whole X row into minus points, doubled.  And one that fits leaves less
room above it, so of several the X row gets the lowest.  In a turn that may be the last of the round, it
is good to be rid of heads.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from random import Random

from bullpen.bots.likelihood import chance_of, cheapest, others_may_hold
from bullpen.cards import Card
from bullpen.game import Action, Seat, View
from bullpen.games.x_nimmt.rules import (
    CARDS,
    COLLECTED,
    HAND,
    KEEP,
    KEEPING,
    LAID,
    PLAY,
    ROW,
    TAKE_ROW,
    TAKING,
    X_ROW,
    Table,
    candidates,
    full_at,
    row_for,
)

A_CARD_IN_HAND, A_HEAD_IN_HAND = 0.5, 0.5
A_HEAD_IN_X_PILE = 2
A_STEP_OF_THE_X_ROW = 0.15
A_FURTHER_CARD = 1.7  # that joins a row before it is collected


def choose(view: View[Table], rng: Random) -> Action:
    table, seat = view.table, view.seat
    assert seat is not None
    if table.phase == KEEPING:
        return cheapest(view.legal, lambda action: cost_of_keeping(table, seat, action - KEEP), rng)
    rows = [table.lying[ROW + row] for row in table.sizes.rows]
    by_row = [0.0, *[cost_of_collecting(table, seat, cards) for cards in rows]]
    if table.phase == TAKING:
        return cheapest(view.legal, lambda action: by_row[action - TAKE_ROW], rng)
    hands = [HAND + other for other in range(table.seats) if other != seat]
    unseen = others_may_hold(view.remembered, CARDS, hands)
    head = 1 if may_be_last_turn(table) else 0

    def cost(action: Action) -> float:
        card = action - PLAY
        return expected_cost(table, card, unseen, by_row) - head * table.deck.heads[card]

    return cheapest(view.legal, cost, rng)


# -- Laying a card ----------------------------------------------------------------------------


def expected_cost(table: Table, card: Card, unseen: list[Card], by_row: Sequence[float]) -> float:
    """`by_row` says what it would cost to collect each row as it lies."""
    row, others, lower = row_for(table, card), table.seats - 1, bisect(unseen, card)
    if row is None:
        return chance_of(0, others, lower / len(unseen)) * min(by_row[1:])
    cards = table.lying[ROW + row]
    between = (lower - bisect(unseen, cards[-1])) / len(unseen)
    room = full_at(table, row) - 1
    missing = room - len(cards)
    fills = range(missing, others + 1, room)
    likely = sum([chance_of(earlier, others, between) for earlier in fills])
    return likely * (by_row[row] + A_FURTHER_CARD * missing)


def may_be_last_turn(table: Table) -> bool:
    """Somebody holds a single card, or has laid it already."""
    hands = [table.lying[HAND + seat] + table.lying[LAID + seat] for seat in range(table.seats)]
    return min(map(len, hands)) == 1


# -- Collected cards --------------------------------------------------------------------------


def cost_of_collecting(table: Table, seat: Seat, cards: tuple[Card, ...]) -> float:
    """With the best card for the X row, of those that the rules allow."""
    collected = table.changed()
    collected.lying[COLLECTED] = cards
    return min([cost_of_keeping(collected, seat, card) for card in candidates(collected, seat)])


def cost_of_keeping(table: Table, seat: Seat, card: Card) -> float:
    heads, x_row = table.deck.heads, table.lying[X_ROW + seat]
    to_hand = [other for other in table.lying[COLLECTED] if other != card]
    cost = sum([A_CARD_IN_HAND + A_HEAD_IN_HAND * heads[other] for other in to_hand])
    if x_row and card < x_row[-1]:
        cost += A_HEAD_IN_X_PILE * sum([heads[lost] for lost in x_row])
        return cost + A_STEP_OF_THE_X_ROW * card
    return cost + A_STEP_OF_THE_X_ROW * (card - x_row[-1] if x_row else card)
