"""6 nimmt!: lay the card that is likely to cost the fewest heads.

A card costs when it becomes the sixth of its row.  How likely that is follows from the unseen cards
between the end of the row and the card: any of them may be laid first.  A card that is too low costs
the cheapest row, unless somebody lays a lower one still.

With few players, very low and very high cards go first: they are the ones that fit nowhere later.
"""

from __future__ import annotations

from bisect import bisect
from random import Random

from bullpen.bots.likelihood import chance_of, cheapest, others_may_hold
from bullpen.cards import Card
from bullpen.game import Action, View
from bullpen.games.six_nimmt.rules import (
    CARDS,
    HAND,
    PLAY,
    ROW,
    TAKE_ROW,
    TAKING,
    Table,
    row_for,
)

A_HEAD_OR_TWO = 1.7  # on a card, on average
FEW_SEATS = 4
EDGE_FIRST = 0.04  # heads that it is worth, by number away from the middle, to be rid of a card


def choose(view: View[Table], rng: Random) -> Action:
    table = view.table
    if table.phase == TAKING:
        return cheapest(view.legal, lambda action: row_heads(table, action - TAKE_ROW), rng)
    hands = [HAND + seat for seat in range(table.seats) if seat != view.seat]
    unseen = others_may_hold(view.remembered, CARDS, hands)
    middle = len(table.sizes.cards) // 2
    edge_first = EDGE_FIRST if table.seats <= FEW_SEATS else 0

    def cost(action: Action) -> float:
        card = action - PLAY
        return expected_heads(table, card, unseen) - edge_first * abs(card - middle)

    return cheapest(view.legal, cost, rng)


def row_heads(table: Table, row: int) -> int:
    return sum([table.deck.heads[card] for card in table.lying[ROW + row]])


def expected_heads(table: Table, card: Card, unseen: list[Card]) -> float:
    row, others, lower = row_for(table, card), table.seats - 1, bisect(unseen, card)
    if row is None:
        nobody_lower = chance_of(0, others, lower / len(unseen))
        return nobody_lower * min([row_heads(table, each) for each in table.sizes.rows])
    cards = table.lying[ROW + row]
    between = (lower - bisect(unseen, cards[-1])) / len(unseen)
    full_at = table.sizes.full_at
    missing = full_at - 1 - len(cards)
    heads = row_heads(table, row) + A_HEAD_OR_TWO * missing
    # With ten players, a row can even be taken and filled a second time before the card comes.
    takes = range(missing, others + 1, full_at - 1)
    return heads * sum([chance_of(earlier, others, between) for earlier in takes])
