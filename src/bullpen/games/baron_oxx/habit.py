"""Baron Oxx: what speaks against a card, or a row, at a glance.

The rule of thumb: the bulls that a card is likely to bring, which is bad, or in one variant good.  In the standard game playouts go by more:
a card, or a row, is looked at in five ways, and each way has a table of weights in `habit.json`; what speaks against it is their sum.
The weights were fitted to what playouts by the rule of thumb had found: `python -m benchmarks.fitting baron-oxx`
(docs/decisions/0052-habits-fitted-to-what-playouts-find.md).
"""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.earlier import MOST_EARLIER, chance_of_earlier
from bullpen.fast.fitted import weights_beside
from bullpen.fast.words import ONE, ZERO, U, cards_below, count_bits, everything, lowest_bit
from bullpen.games.baron_oxx.rules import CHOOSE_ROW, PLAY, TOO_MANY_BULLS
from bullpen.games.baron_oxx.twin import (
    ALL_BULLS,
    CARDS,
    COLOUR_BITS,
    NEVER_FULL,
    ROWS,
    colours_of,
    fitting_rows,
    has_too_many_bulls,
    ring_at,
    without,
)

COLOURS = 6

A_COLOUR_KEPT = 0.3
A_FURTHER_CARD = 2.0
GOING_UNDER, A_BULL_GOING_UNDER = 2.0, 0.3
A_BULL_LAID, A_BULL_LEFT_TO_OTHERS = 0.1, 0.3


WEIGHTS = weights_beside(__file__)


@compiled
def drawback(state, action):
    if state.positive or state.full_at == NEVER_FULL:
        return rule_of_thumb(state, action)
    against = 0.0
    for slot in slots(state, action):
        against += WEIGHTS[slot]
    return against


@compiled
def rule_of_thumb(state, action):
    if action > CHOOSE_ROW:
        return cost_of_row(state, action - CHOOSE_ROW)
    card = action - PLAY
    rows = fitting_rows(state, card)
    if state.positive:
        own = np.float64(state.face[card] >> ALL_BULLS)
        if rows == ZERO:
            return GOING_UNDER + A_BULL_GOING_UNDER * own
        most = 0.0
        while rows != ZERO:
            most = max(most, expected_bulls(state, card, lowest_bit(rows)))
            rows &= rows - ONE
        return -most - A_BULL_LAID * own
    if rows == ZERO:
        return cheapest_row(state)
    least = 1e9
    while rows != ZERO:
        least = min(least, expected_bulls(state, card, lowest_bit(rows)))
        rows &= rows - ONE
    return least + A_COLOUR_KEPT * count_bits(colours_of(state, card))


@compiled
def bulls_in(state, row):
    return np.float64(state.row_face[row] >> ALL_BULLS)


@compiled
def cheapest_row(state):
    least = bulls_in(state, 1)
    for row in range(2, ROWS + 1):
        least = min(least, bulls_in(state, row))
    return least


@compiled
def takes(state, card, row):
    is_sixth = state.row_length[row] + 1 >= state.full_at
    return is_sixth or has_too_many_bulls(U(state.row_face[row]) + U(state.face[card]))


@compiled
def cost_of_row(state, row):
    half = 0 if state.laid[0] != ZERO else 1
    card = (half << 6) + lowest_bit(state.laid[half])
    bulls = bulls_in(state, row)
    taken = state.fitting == 0 or takes(state, card, row)
    if state.positive:
        return -bulls if taken else A_BULL_LEFT_TO_OTHERS * bulls
    return bulls if taken else 0.0


@compiled
def room(state, card, row):
    """How many other cards, of a bull or so of each colour, can join the row before this card takes it."""
    faces, most = U(state.row_face[row]) + U(state.face[card]), 0
    for colour in range(COLOURS):
        most = max(most, np.int64((faces >> U(COLOUR_BITS * colour)) & U(15)))
    for_bulls = max(0, TOO_MANY_BULLS - most)
    if state.full_at == NEVER_FULL:
        return for_bulls
    return min(for_bulls, np.int64(state.full_at) - 1 - np.int64(state.row_length[row]))


@compiled
def expected_bulls(state, card, row):
    """Each lower card of another player goes to any row, this one too."""
    lower = (state.seats - 1) * card / (CARDS * ROWS)
    bulls, missing = bulls_in(state, row), room(state, card, row)
    if missing == 0:
        return bulls * chance_of_earlier(lower, 0)
    enough = 1.0
    for earlier in range(min(missing, MOST_EARLIER + 1)):
        enough -= chance_of_earlier(lower, earlier)
    return max(0.0, enough) * (bulls + A_FURTHER_CARD * missing)


# -- The standard game: where the weights lie ---------------------------------------------------

# As what a card is looked at, by the row that it would best go to: one that it takes, one that it takes if one, two or more others come
# first, or none at all.
MISFIT = 4
CARD_KINDS = MISFIT + 1
# As what a row is looked at: it is taken; or, with the card, the next one takes it, the one after that, or a later one.
TAKEN, LAST, LAST_BUT_ONE, ROOMY = range(4)
ROW_KINDS = 4
# How finely, and up to where, things are told apart: bulls by twos, likely costs by halves, cards of others that may come first by
# quarters, colours of a card, cards of a hand.
BULLS, COSTS, LOWER, COLOURS_SHOWN, CARDS_IN_HAND, FEW = 10, 20, 8, 7, 4, 4
EACH_BULL, LENGTHS = 26, 6
COST_OF_CARD = CARD_KINDS * BULLS * LOWER
COLOURS_OF_CARD = COST_OF_CARD + COSTS * CARDS_IN_HAND
NUMBER_OF_CARD = COLOURS_OF_CARD + FEW * COLOURS_SHOWN * CARDS_IN_HAND
COMPANY_OF_CARD = NUMBER_OF_CARD + CARD_KINDS * LOWER
BULLS_OF_ROW = COMPANY_OF_CARD + FEW**3
COMING_TO_ROW = BULLS_OF_ROW + ROW_KINDS * EACH_BULL
OWN_AT_ROW = COMING_TO_ROW + ROW_KINDS * FEW * FEW
END_OF_ROW = OWN_AT_ROW + FEW**3
LEFT_BEHIND = END_OF_ROW + ROW_KINDS * LENGTHS * COLOURS_SHOWN
TABLES = LEFT_BEHIND + ROW_KINDS * FEW * EACH_BULL
# So many sets of tables: for two players, three or four, and more.
SIZE = 3 * TABLES

# How likely a card fits a row that ends in so many colours, and that it then goes there.
FITS = np.array([0.0, 0.35, 0.59, 0.76, 0.9, 0.95, 1.0])
GOES_THERE = 0.45


@compiled
def slots(state, action):
    """Where the weights of a card or a row lie."""
    seats = np.int64(state.seats)
    tables = TABLES * (0 if seats == 2 else 1 if seats <= 4 else 2)
    if action > CHOOSE_ROW:
        return slots_of_row(state, action - CHOOSE_ROW, tables)
    return slots_of_card(state, action - PLAY, tables)


@compiled
def slots_of_card(state, card, tables):
    seat, own = np.int64(state.actor), colours_of(state, card)
    size = np.int64(state.in_hand[seat])
    others = np.int64(state.seats) - 1
    first = others * share_of_lower(state, seat, card)
    kind, cost, bulls, lower, fitting, best = MISFIT, cheapest_row(state), 0.0, 0.0, 0, 0
    bulls = cost
    for row in range(1, ROWS + 1):
        ends_in = colours_of(state, state.row_end[row])
        if own & ends_in == ZERO:
            continue
        joining = first * FITS[count_bits(ends_in)] * GOES_THERE
        missing = room(state, card, row)
        likely = cost_if_joined(bulls_in(state, row), missing, joining)
        fitting += 1
        if best == 0 or likely < cost:
            kind, cost, best = min(MISFIT - 1, missing), likely, row
            bulls, lower = bulls_in(state, row), joining
    shares, fits, needs = company(state, seat, card, best)
    colours = tables + COLOURS_OF_CARD
    colours += (min(FEW - 1, fitting) * COLOURS_SHOWN + count_bits(own)) * CARDS_IN_HAND
    return (
        tables + (kind * BULLS + up_to(bulls / 2, BULLS)) * LOWER + up_to(4 * lower, LOWER),
        tables + COST_OF_CARD + up_to(2 * cost, COSTS) * CARDS_IN_HAND + size - 1,
        colours + size - 1,
        tables + NUMBER_OF_CARD + kind * LOWER + up_to(2 * first, LOWER),
        tables + COMPANY_OF_CARD + (shares * FEW + fits) * FEW + needs,
    )


@compiled
def up_to(value, most):
    """The nearest whole number, below `most`."""
    return min(most - 1, np.int64(value + 0.5))


@compiled
def share_of_lower(state, seat, card):
    """Of the cards that this seat has not seen."""
    low, high = everything(CARDS)
    low, high = low & ~state.seen[0], high & ~state.seen[1]
    for n in range(state.in_hand[seat]):
        low, high = without(low, high, np.int64(state.ring[ring_at(state, seat, n)]))
    return cards_below(low, high, card) / max(1, count_bits(low) + count_bits(high))


@compiled
def cost_if_joined(bulls, missing, joining):
    """What taking the row is likely to cost, if so many cards are expected to join it first."""
    if missing == 0:
        return bulls * chance_of_earlier(joining, 0)
    enough = 1.0
    for earlier in range(min(missing, MOST_EARLIER + 1)):
        enough -= chance_of_earlier(joining, earlier)
    return max(0.0, enough) * (bulls + A_FURTHER_CARD * missing)


@compiled
def company(state, seat, card, row):
    """Of the other cards in hand: how many share a colour with this one, fit the row, and fit no other."""
    own, ends_in = colours_of(state, card), colours_of(state, state.row_end[row])
    shares, fits, needs = 0, 0, 0
    if row == 0:
        return shares, fits, needs
    for n in range(state.in_hand[seat]):
        other = np.int64(state.ring[ring_at(state, seat, n)])
        colours = colours_of(state, other)
        if other != card:
            shares += own & colours != ZERO
            fits += ends_in & colours != ZERO
            needs += fitting_rows(state, other) == ONE << U(row)
    return min(FEW - 1, shares), min(FEW - 1, fits), min(FEW - 1, needs)


@compiled
def slots_of_row(state, row, tables):
    half = 0 if state.laid[0] != ZERO else 1
    card = (half << 6) + lowest_bit(state.laid[half])
    own, ends_in = colours_of(state, card), colours_of(state, state.row_end[row])
    bulls, kind = bulls_in(state, row), TAKEN
    if state.fitting and not takes(state, card, row):
        bulls += np.float64(state.face[card] >> ALL_BULLS)
        kind = min(ROOMY, LAST + room_behind(state, card, row))
    coming_to_card, coming_to_row = coming(state, card, own, ends_in)
    fits, shares, needs = hand_at(state, row, own, ends_in)
    end = count_bits(ends_in)
    return (
        tables
        + BULLS_OF_ROW
        + kind * EACH_BULL
        + up_to(bulls if kind == TAKEN else bulls / 2, EACH_BULL),
        tables + COMING_TO_ROW + (kind * FEW + coming_to_card) * FEW + coming_to_row,
        tables + OWN_AT_ROW + (fits * FEW + shares) * FEW + needs,
        tables
        + END_OF_ROW
        + (kind * LENGTHS + min(LENGTHS - 1, np.int64(state.row_length[row]))) * COLOURS_SHOWN
        + end,
        tables
        + LEFT_BEHIND
        + (kind * FEW + coming_to_card) * EACH_BULL
        + up_to(0.0 if kind == TAKEN else bulls / 4, EACH_BULL),
    )


@compiled
def room_behind(state, card, row):
    """How many more cards, of a bull or so of each colour, the row can hold after this one."""
    return max(0, room(state, card, row) - 1)


@compiled
def coming(state, card, own, ends_in):
    """How many of the cards that are still to be placed in this turn fit this one, and how many the row as it is."""
    to_card, to_row = 0, 0
    for half in range(2):
        word = state.laid[half]
        while word != ZERO:
            other = (half << 6) + lowest_bit(word)
            word &= word - ONE
            if other != card:
                colours = colours_of(state, other)
                to_card += own & colours != ZERO
                to_row += ends_in & colours != ZERO
    return min(FEW - 1, to_card), min(FEW - 1, to_row)


@compiled
def hand_at(state, row, own, ends_in):
    """Of the cards in hand: how many fit the row, how many the card that is laid, and how many nothing but that row."""
    seat, fits, shares, needs = np.int64(state.actor), 0, 0, 0
    for n in range(state.in_hand[seat]):
        other = np.int64(state.ring[ring_at(state, seat, n)])
        colours = colours_of(state, other)
        fits += ends_in & colours != ZERO
        shares += own & colours != ZERO
        needs += own & colours == ZERO and fitting_rows(state, other) == ONE << U(row)
    return min(FEW - 1, fits), min(FEW - 1, shares), min(FEW - 1, needs)
