"""6 nimmt! Baron Oxx: lay the card that is likely to cost the fewest bulls.

A card costs the row that it fills or gives six bulls of one colour.  It goes to the row where that is
least likely, by how many more cards the row can take and how many lower cards may come first.  Cards of
many colours are kept for later.  Where bulls are good (`positive`) everything is the other way round,
and a card that fits nowhere is a loss.
"""

from __future__ import annotations

from bisect import bisect
from random import Random

from bullpen.bots.likelihood import chance_of, cheapest, others_may_hold
from bullpen.cards import Card
from bullpen.game import Action, View
from bullpen.games.baron_oxx.rules import (
    CARDS,
    CHOOSE_ROW,
    CHOOSING,
    FULL_AT,
    HAND,
    LAID,
    PLAY,
    ROW,
    ROWS,
    TOO_MANY_BULLS,
    Table,
    bulls_on,
    fitting_rows,
)

A_COLOUR_KEPT = 0.3
A_FURTHER_CARD = 2  # bulls, on average
GOING_UNDER, A_BULL_GOING_UNDER = 2, 0.3  # `positive`
A_BULL_LAID, A_BULL_LEFT_TO_OTHERS = 0.1, 0.3


def choose(view: View[Table], rng: Random) -> Action:
    table, seat = view.table, view.seat
    assert seat is not None
    if table.phase == CHOOSING:
        (laid,) = table.lying[LAID + seat]
        return cheapest(
            view.legal, lambda action: cost_of_row(table, laid, action - CHOOSE_ROW), rng
        )
    hands = [HAND + other for other in range(table.seats) if other != seat]
    unseen = others_may_hold(view.remembered, CARDS, hands)
    weigh = cost_where_bulls_are_good if bulls_are_good(table) else cost_of_card
    return cheapest(view.legal, lambda action: weigh(table, action - PLAY, unseen), rng)


def bulls_are_good(table: Table) -> bool:
    return table.options["variant"] == "positive"


# -- Choosing a row ---------------------------------------------------------------------------


def cost_of_row(table: Table, card: Card, row: int) -> float:
    bulls = bulls_on(table.deck, table.lying[ROW + row])
    takes = not fitting_rows(table, card) or room(table, card, row) == 0
    if bulls_are_good(table):
        return -bulls if takes else A_BULL_LEFT_TO_OTHERS * bulls
    return bulls if takes else 0


def room(table: Table, card: Card, row: int) -> int:
    """How many other cards, of a bull or so of each colour, can join the row before this card takes it."""
    cards = table.lying[ROW + row]
    by_colour = zip(*[table.deck.colours[other] for other in (*cards, card)], strict=True)
    for_bulls = max(0, TOO_MANY_BULLS - max(map(sum, by_colour)))
    if table.options["variant"] == "colour":
        return for_bulls
    return min(for_bulls, FULL_AT - 1 - len(cards))


# -- Laying a card ----------------------------------------------------------------------------


def cost_of_card(table: Table, card: Card, unseen: list[Card]) -> float:
    rows = fitting_rows(table, card)
    if not rows:
        return min([bulls_on(table.deck, table.lying[ROW + row]) for row in ROWS])
    colours = table.deck.colour_sets[card].bit_count()
    likely = min([expected_bulls(table, card, row, unseen) for row in rows])
    return likely + A_COLOUR_KEPT * colours


def cost_where_bulls_are_good(table: Table, card: Card, unseen: list[Card]) -> float:
    rows, own = fitting_rows(table, card), sum(table.deck.colours[card])
    if not rows:
        return GOING_UNDER + A_BULL_GOING_UNDER * own
    return -max([expected_bulls(table, card, row, unseen) for row in rows]) - A_BULL_LAID * own


def expected_bulls(table: Table, card: Card, row: int, unseen: list[Card]) -> float:
    """Taken with this card; each lower card of another player goes to any row, this one too."""
    others, bulls = table.seats - 1, bulls_on(table.deck, table.lying[ROW + row])
    joins = bisect(unseen, card) / len(unseen) / len(ROWS)
    missing = room(table, card, row)
    if missing == 0:
        return bulls * chance_of(0, others, joins)
    too_few = sum(
        [chance_of(earlier, others, joins) for earlier in range(min(missing, others + 1))]
    )
    return (1 - too_few) * (bulls + A_FURTHER_CARD * missing)
