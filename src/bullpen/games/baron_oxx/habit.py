"""Baron Oxx: what speaks against a card, or a row, at a glance.

The rule of thumb: the bulls that a card is likely to bring, which is bad, or in one variant good.  It chooses any of the rows that cost
nothing.  In the standard game playouts choose better: a row is looked at in five ways, and each way has a table of weights in `habit.json`;
what speaks against the row is their sum.  The weights were fitted to what playouts by the rule of thumb had found:
`python -m benchmarks.fitting baron-oxx` (docs/decisions/0052-habits-fitted-to-what-playouts-find.md).
"""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.earlier import MOST_EARLIER, chance_of_earlier
from bullpen.fast.words import ONE, ZERO, U, count_bits, lowest_bit
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
)

COLOURS = 6

A_COLOUR_KEPT = 0.3
A_FURTHER_CARD = 2.0
GOING_UNDER, A_BULL_GOING_UNDER = 2.0, 0.3
A_BULL_LAID, A_BULL_LEFT_TO_OTHERS = 0.1, 0.3


@compiled
def drawback(state, action):
    return rule_of_thumb(state, action)


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


# -- Rows in the standard game: where the weights lie -------------------------------------------

# As what a row is looked at: it is taken; or, with the card, the next one takes it, the one after that, or a later one.
TAKEN, LAST, LAST_BUT_ONE, ROOMY = range(4)
KINDS = ROOMY + 1
# Up to where things are told apart: bulls, cards that fit, cards in the row, colours of its end.
BULLS, FEW, LENGTHS, COLOURS_SHOWN = 26, 4, 6, COLOURS + 1
ON_ROW = 0
COMING = ON_ROW + KINDS * BULLS
OWN = COMING + KINDS * FEW * FEW
END = OWN + FEW**3
LEFT_BEHIND = END + KINDS * LENGTHS * COLOURS_SHOWN
TABLES = LEFT_BEHIND + KINDS * FEW * BULLS
# So many sets of tables: for two players, three or four, and more.
SIZE = 3 * TABLES


@compiled
def slots(state, action):
    """Where the weights of a row lie; cards have none."""
    if action < CHOOSE_ROW:
        return None
    return slots_of_row(state, action - CHOOSE_ROW)


@compiled
def slots_of_row(state, row):
    tables = TABLES * (0 if state.seats == 2 else 1 if state.seats <= 4 else 2)
    half = 0 if state.laid[0] != ZERO else 1
    card = (half << 6) + lowest_bit(state.laid[half])
    own, end = colours_of(state, card), colours_of(state, state.row_end[row])
    bulls, kind = np.int64(bulls_in(state, row)), TAKEN
    halves, quarters = bulls, 0
    if state.fitting and not takes(state, card, row):
        kind = min(ROOMY, max(LAST, room(state, card, row)))
        bulls += np.int64(state.face[card] >> ALL_BULLS)
        halves, quarters = bulls >> 1, bulls >> 2
    to_card, to_row = coming(state, card, own, end)
    fits, shares, needs = in_hand_for(state, row, own, end)
    length = min(LENGTHS - 1, np.int64(state.row_length[row]))
    return (
        tables + ON_ROW + kind * BULLS + min(BULLS - 1, halves),
        tables + COMING + (kind * FEW + to_card) * FEW + to_row,
        tables + OWN + (fits * FEW + shares) * FEW + needs,
        tables + END + (kind * LENGTHS + length) * COLOURS_SHOWN + count_bits(end),
        tables + LEFT_BEHIND + (kind * FEW + to_card) * BULLS + min(BULLS - 1, quarters),
    )


@compiled
def coming(state, card, own, end):
    """Of the cards that are still to be placed in this turn: how many fit this one, and how many the row as it is."""
    to_card, to_row = 0, 0
    for half in range(2):
        word = state.laid[half]
        while word != ZERO:
            other = (half << 6) + lowest_bit(word)
            word &= word - ONE
            if other != card:
                colours = colours_of(state, other)
                to_card += own & colours != ZERO
                to_row += end & colours != ZERO
    return min(FEW - 1, to_card), min(FEW - 1, to_row)


@compiled
def in_hand_for(state, row, own, end):
    """Of the cards in hand: how many fit the row as it is, how many the card that is laid, and how many nothing but that row."""
    seat, fits, shares, needs = np.int64(state.actor), 0, 0, 0
    for n in range(state.in_hand[seat]):
        other = np.int64(state.ring[ring_at(state, seat, n)])
        colours = colours_of(state, other)
        fits += end & colours != ZERO
        shares += own & colours != ZERO
        needs += own & colours == ZERO and fitting_rows(state, other) == ONE << U(row)
    return min(FEW - 1, fits), min(FEW - 1, shares), min(FEW - 1, needs)
