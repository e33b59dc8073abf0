"""Baron Oxx: what others have shown by the cards that they laid, and when it counts who wins.

Some people do what is usual: they lay what `careful.py` would lay.  Whoever plays through a hand shows in the end whether they do, for
then it is known what they had to choose from.  And as long as a hand is not played through, those who do what is usual do not
hold what they would rather have laid before.  Only in the standard game; the reasons are in docs/decisions/0054-who-laid-what.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.about import whole
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import NO_SHORT_WAY
from bullpen.fast.words import (
    FINE,
    ONE,
    ZERO,
    below,
    cards_below,
    count_bits,
    everything,
    lowest_bit,
    random_card,
    words_of_mask,
)
from bullpen.game import View
from bullpen.games.baron_oxx.careful import A_COLOUR_KEPT, A_FURTHER_CARD
from bullpen.games.baron_oxx.facts import room_beside, unseen_by
from bullpen.games.baron_oxx.habit import bulls_in, cheapest_row, cost_of_row, is_fitted
from bullpen.games.baron_oxx.rules import (
    CHOOSE_ROW,
    CHOOSING,
    DRAW,
    HAND,
    HAND_SIZE,
    LAYING,
    PLAY,
    Table,
    Turn,
)
from bullpen.games.baron_oxx.twin import (
    CARDS,
    FORESIGHT,
    ROWS,
    SEATS,
    clear_row,
    colours_of,
    fitting_rows,
    imagine,
    place,
    ring_at,
    rows_to_choose,
    without,
)

# -- What is usual ------------------------------------------------------------------------------

WAYS = np.array(  # in which so many of so many others come before
    [[float(comb(others, earlier)) for earlier in range(SEATS)] for others in range(SEATS)]
)
ALIKE = 1e-9  # costs that the plain bot would find equal


@compiled
def usual(state, rng):
    """What the careful bot does; among equals, any."""
    if not is_fitted(state):
        return NO_SHORT_WAY
    if state.phase == LAYING:
        return usual_card(state, rng)
    rows, choice, least, equals = rows_to_choose(state), 0, np.inf, 0
    while rows != ZERO:
        row = lowest_bit(rows)
        rows &= rows - ONE
        cost = cost_of_row(state, row)
        equals = 1 if cost < least else equals + (cost == least)
        if cost < least or (cost == least and below(rng, equals) == 0):
            choice, least = row, cost
    return CHOOSE_ROW + choice


@compiled
def usual_card(state, rng):
    seat = np.int64(state.actor)
    low, high = unseen_by(state, seat)
    choice, least, equals = 0, np.inf, 0
    for n in range(state.in_hand[seat]):
        card = np.int64(state.ring[ring_at(state, seat, n)])
        cost = usual_cost(state, card, low, high)
        if cost < least - ALIKE:
            choice, least, equals = card, cost, 1
        elif cost < least + ALIKE:
            equals += 1
            choice = card if below(rng, equals) == 0 else choice
    return PLAY + choice


@compiled
def usual_cost(state, card, low, high):
    """Of a card, for somebody who does not know where these ones are."""
    rows = fitting_rows(state, card)
    if rows == ZERO:
        return cheapest_row(state)
    unseen = max(1, count_bits(low) + count_bits(high))
    joins = cards_below(low, high, card) / unseen / ROWS
    least = np.inf
    while rows != ZERO:
        least = min(least, expected_bulls(state, card, lowest_bit(rows), joins))
        rows &= rows - ONE
    return least + A_COLOUR_KEPT * count_bits(colours_of(state, card))


@compiled
def expected_bulls(state, card, row, joins):
    """Each lower card of another player joins this row with such a chance."""
    others, bulls = np.int64(state.seats) - 1, bulls_in(state, row)
    missing = room_beside(state, card, row)
    if missing == 0:
        return bulls * (1.0 - joins) ** others
    enough = 1.0
    for earlier in range(min(missing, others + 1)):
        enough -= WAYS[others, earlier] * joins**earlier * (1.0 - joins) ** (others - earlier)
    return enough * (bulls + A_FURTHER_CARD * missing)


# -- What others have shown -----------------------------------------------------------------------

# How often somebody lays what is usual, from a hand of so many cards: who does so always, but for a slip now and then; and who
# thinks, as measured of `expert`.
USUALLY = 0.96
BY_THINKING = np.array([1.0, 1.0, 0.75, 0.65, 0.55])
UNLIKELY = 0.001  # that they hold what they would rather have laid


def read(view: View[Table], states: NDArray[Any], usual_first: float) -> tuple[Any, Any]:
    """By seat: how likely it is that they do what is usual, and if they do, that they hold a card.  The record is of any table that gives
    this view; what was likely before anybody had laid a card is `usual_first`."""
    table, before = view.table, states[:1].copy()
    turns = table.past_turns if table.options["variant"] == "standard" else ()
    odds = np.full(SEATS, usual_first / (1.0 - usual_first))
    likely = np.ones((SEATS, CARDS + 1))
    read_turns(
        before[0],
        rows_of(turns),
        np.array([words_of_mask(turn.seen) for turn in turns], np.uint64).reshape(-1, 2),
        np.array([turn.held for turn in turns], np.int64).reshape(-1, table.seats),
        np.array([turn.laid for turn in turns], np.int64).reshape(-1, table.seats),
        odds,
        likely,
    )
    return odds / (1.0 + odds), likely


def rows_of(turns: Sequence[Turn]) -> NDArray[np.int64]:
    """[turns, rows, cards], with zeros behind the last card of a row."""
    longest = max((len(row) for turn in turns for row in turn.rows), default=0)
    rows = np.zeros((len(turns), ROWS, longest), np.int64)
    for at, turn in enumerate(turns):
        for number, row in enumerate(turn.rows):
            rows[at, number, : len(row)] = row
    return rows


@compiled
def read_turns(state, rows, seen, held, laid, odds, likely):
    """Hands that are played through tell who does what is usual; the others, what lies in them."""
    turns = held.shape[0]
    for turn in range(turns):
        look_back(state, rows[turn])
        for seat in range(state.seats):
            size = held[turn, seat]
            low, high = everything(CARDS)
            low, high = low & ~seen[turn, 0], high & ~seen[turn, 1]
            for later in range(turn, min(turn + size, turns)):
                low, high = without(low, high, laid[later, seat])
            if turn + size <= turns:
                is_usual = laid_what_is_usual(state, laid[turn : turn + size, seat], low, high)
                thinking = BY_THINKING[min(size, HAND_SIZE)]
                if size > 1:
                    odds[seat] *= (
                        USUALLY / thinking if is_usual else (1.0 - USUALLY) / (1.0 - thinking)
                    )
            else:
                doubt_what_is_better(state, laid[turn, seat], low, high, likely[seat])


@compiled
def look_back(state, rows):
    """The rows as they lay then."""
    for row in range(1, ROWS + 1):
        clear_row(state, row)
        for at in range(rows.shape[1]):
            if rows[row - 1, at] != 0:
                place(state, row, rows[row - 1, at])


@compiled
def laid_what_is_usual(state, hand, low, high):
    """The first of these cards, with the others in hand."""
    own, least = usual_cost(state, hand[0], low, high), np.inf
    for at in range(1, hand.size):
        least = min(least, usual_cost(state, hand[at], low, high))
    return own < least + ALIKE


@compiled
def doubt_what_is_better(state, card, low, high, likely):
    """What would have been laid instead of this card is hardly in the hand."""
    for other in range(1, CARDS + 1):
        low_without, high_without = without(low, high, other)
        if low_without == low and high_without == high:
            continue  # it was known where that one was
        least = usual_cost(state, card, low_without, high_without)
        cost = usual_cost(state, other, low_without, high_without)
        if cost < least - ALIKE:
            likely[other] *= UNLIKELY
        elif cost < least + ALIKE:
            likely[other] *= 0.5


MOST_REFUSED = 400  # before whatever comes is taken


@compiled
def imagine_as_read(state, viewer, likely, by_thumb, rng):
    """As `imagine`; those who do what is usual hold what they are likely to hold."""
    if not is_fitted(state):
        imagine(state, viewer, rng)
        return
    low, high = unseen_by(state, viewer)
    seats = np.int64(state.seats)
    first = below(rng, seats)
    for turn in range(seats):
        seat = (first + turn) % seats
        if seat == viewer:
            continue
        for n in range(state.in_hand[seat]):
            card = random_card(low, high, rng)
            if (by_thumb >> seat) & 1:
                for _ in range(MOST_REFUSED):
                    if below(rng, FINE) < likely[seat, card] * FINE:
                        break
                    card = random_card(low, high, rng)
            low, high = without(low, high, card)
            state.ring[ring_at(state, seat, n)] = card
    for seat in range(seats):
        for n in range(state.in_hand[seat], state.left[seat]):
            card = random_card(low, high, rng)
            low, high = without(low, high, card)
            state.ring[ring_at(state, seat, n)] = card


# -- When it counts who wins ------------------------------------------------------------------------


def is_last(view: View[Table]) -> bool:
    """Whether nothing comes after the turns that a playout sees."""
    table, seat = view.table, view.seat
    assert seat is not None
    left = len(table.lying[HAND + seat]) + len(table.lying[DRAW + seat])
    left += table.phase == CHOOSING  # the card of this turn has left the hand
    games_left = whole(table.options["games"]) - 1 - len(table.points)
    return table.options["variant"] == "standard" and games_left == 0 and left <= FORESIGHT
