"""6 nimmt!: lay the card that is expected to cost the fewest heads.

A card costs when it comes to lie as the sixth of its row: how likely that is follows from the unseen
cards between the end of the row and the card, any of which another player may lay first.  A card that
is too low costs the cheapest row, unless somebody lays a lower one.
"""

from __future__ import annotations

from bisect import bisect
from random import Random

from bullpen.bots.careful.weighing import chance_of, cheapest, unseen_cards
from bullpen.cards import Card
from bullpen.game import Action, View
from bullpen.games.six_nimmt import (
    CARDS,
    FULL_AT,
    PLAY,
    ROW,
    ROWS,
    TAKE_ROW,
    TAKING,
    Table,
    row_for,
)


def choose(view: View[Table], rng: Random) -> Action:
    table = view.table
    if table.phase == TAKING:
        return cheapest(view.legal, lambda action: row_heads(table, action - TAKE_ROW), rng)
    unseen = unseen_cards(view.remembered, CARDS)
    return cheapest(view.legal, lambda action: expected_cost(table, action - PLAY, unseen), rng)


def row_heads(table: Table, row: int) -> int:
    return sum([table.deck.heads[card] for card in table.lying[ROW + row]])


def expected_cost(table: Table, card: Card, unseen: list[Card]) -> float:
    row, others = row_for(table, card), table.seats - 1
    lower = bisect(unseen, card)
    if row is None:
        nobody_lower = chance_of(0, others, lower / len(unseen))
        return nobody_lower * min([row_heads(table, each) for each in ROWS])
    cards = table.lying[ROW + row]
    between = (lower - bisect(unseen, cards[-1])) / len(unseen)
    missing = FULL_AT - 1 - len(cards)
    cost = 0.0
    for first in range(missing, others + 1, FULL_AT - 1):
        cost += chance_of(first, others, between) * (row_heads(table, row) + 1.7 * missing)
    return cost
