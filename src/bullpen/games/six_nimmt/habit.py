"""6 nimmt!: what speaks against a card at a glance.

The rule of thumb: the heads that a card is likely to cost.  Playouts go by more: a card is looked at in five ways, and each way has a
table of weights in `habit.json`; what speaks against the card is their sum.  The weights were fitted to what playouts by the
rule of thumb had found of all the cards of a hand: `python -m benchmarks.fitting six-nimmt`
(docs/decisions/0052-habits-fitted-to-what-playouts-find.md).
"""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.earlier import chance_of_earlier
from bullpen.fast.fitted import weights_beside
from bullpen.fast.words import cards_below, count_bits
from bullpen.games.six_nimmt.rules import FULL_AT, PLAY, TAKE_ROW
from bullpen.games.six_nimmt.twin import CARDS, row_for, unknown_to

A_HEAD_OR_TWO = 1.7  # on a card, on average
MIDDLE, FEW_SEATS, EDGE_FIRST = 52, 4, 0.04


@compiled
def rule_of_thumb(state, action):
    if action > TAKE_ROW:
        return float(state.row_heads[action - TAKE_ROW])
    card, row = action - PLAY, row_for(state, action - PLAY)
    others_a_number = (state.seats - 1) / state.in_play
    edge = EDGE_FIRST * abs(card - MIDDLE) if state.seats <= FEW_SEATS else 0.0
    if row == 0:
        cheapest = state.row_heads[1]
        for other in range(2, state.rows + 1):
            cheapest = min(cheapest, state.row_heads[other])
        return cheapest * chance_of_earlier(others_a_number * (card - 1), 0) - edge
    between = others_a_number * (card - state.row_end[row] - 1)
    missing = state.full_at - 1 - state.row_length[row]
    likely = chance_of_earlier(between, missing)
    return likely * (state.row_heads[row] + A_HEAD_OR_TWO * missing) - edge


# -- What playouts go by ------------------------------------------------------------------------

# As what a card is looked at: in a row that is 0 to 4 cards short of being taken, or as too low for all.
TOO_LOW = 5
KINDS = TOO_LOW + 1
# Up to where things are told apart, and how finely.
BETWEEN = 13  # cards of others expected between the end of the row and the card, by quarters
BEYOND = 9  # the same between the card and the next end, by quarters
HEADS = 9  # on the row, by twos
CHEAPEST = 9  # heads on the cheapest row
OWN = 4  # own cards that would go to the same row, below and above the card
PARTS = 26  # of the deck, by number
HAND_SIZES, STAGES = 10, 3  # cards in hand, one by one and roughly
# Where each table begins.
FILLING = 0
UNDERCUT = FILLING + TOO_LOW * BETWEEN * HEADS
NUMBER = UNDERCUT + BETWEEN * CHEAPEST
COMPANY = NUMBER + HAND_SIZES * PARTS
NEXT_ROW = COMPANY + KINDS * OWN * OWN
TIME = NEXT_ROW + KINDS * BEYOND * STAGES
ONE_SET = TIME + KINDS * HAND_SIZES * CHEAPEST
SIZE = 5 * ONE_SET  # for two players, three, four, five to seven, and more

WEIGHTS = weights_beside(__file__)


@compiled
def drawback(state, action):
    if action > TAKE_ROW or state.full_at != FULL_AT:  # nothing was fitted to these
        return rule_of_thumb(state, action)
    against = 0.0
    for slot in slots_of_card(state, action - PLAY):
        against += WEIGHTS[slot]
    return against


@compiled
def slots(state, action):
    """Where the weights of a card lie; a row has none, nor has a mini game with shorter rows."""
    if action > TAKE_ROW or state.full_at != FULL_AT:
        return None
    return slots_of_card(state, action - PLAY)


@compiled
def slots_of_card(state, card):
    seat = np.int64(state.actor)
    own_low, own_high = state.hand[seat, 0], state.hand[seat, 1]
    low, high = unseen(state, seat)
    # So many cards of others may be expected for each card that is unseen.
    each = (np.int64(state.seats) - 1) / max(1, count_bits(low) + count_bits(high))
    # One walk over the rows for all that is asked of them.
    row, end, next_end, cheapest = 0, 0, CARDS + 1, CHEAPEST - 1
    for other in range(1, np.int64(state.rows) + 1):
        other_end = np.int64(state.row_end[other])
        cheapest = min(cheapest, np.int64(state.row_heads[other]))
        if end < other_end < card:
            row, end = other, other_end
        elif card < other_end < next_end:
            next_end = other_end
    lower, own_lower = cards_below(low, high, card), cards_below(own_low, own_high, card)
    beyond = quarters(each * (cards_below(low, high, next_end) - lower), BEYOND)
    own_above = min(OWN - 1, cards_below(own_low, own_high, next_end) - own_lower - 1)
    own_below = min(OWN - 1, own_lower - cards_below(own_low, own_high, end))
    between = quarters(each * (lower - cards_below(low, high, end)), BETWEEN)
    if row == 0:
        kind = TOO_LOW
        first = UNDERCUT + between * CHEAPEST + cheapest
    else:
        kind = np.int64(state.full_at) - 1 - np.int64(state.row_length[row])
        heads = min(HEADS - 1, np.int64(state.row_heads[row]) >> 1)
        first = FILLING + (kind * BETWEEN + between) * HEADS + heads
    size = min(HAND_SIZES, count_bits(own_low) + count_bits(own_high)) - 1
    stage = 0 if size < 3 else 1 if size < 6 else 2
    part = (card - 1) * PARTS // np.int64(state.in_play)
    first_of_set = ONE_SET * (
        np.int64(state.seats) - 2 if state.seats <= 4 else 3 if state.seats <= 7 else 4
    )
    return (
        first_of_set + first,
        first_of_set + NUMBER + size * PARTS + part,
        first_of_set + COMPANY + (kind * OWN + own_below) * OWN + own_above,
        first_of_set + NEXT_ROW + (kind * BEYOND + beyond) * STAGES + stage,
        first_of_set + TIME + (kind * HAND_SIZES + size) * CHEAPEST + cheapest,
    )


@compiled
def unseen(state, seat):
    """By this seat: the cards that lie face down are as unknown as those in the hands."""
    low, high = unknown_to(state, seat)
    return low | state.laid[0], high | state.laid[1]


@compiled
def quarters(expected, most):
    return min(most - 1, np.int64(expected * 4 + 0.5))
