"""Hornochsen!: finish green rows, in this turn if the hand can, and leave red ones to the others."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import uncounted
from bullpen.fast.words import ONE, ZERO, U, count_bits, lower_than, lowest_bit
from bullpen.games.hornochsen.rules import (
    CARDS_A_TURN,
    FULL_AT,
    PLAY,
    PLUS5_ON,
    PLUS5_POINTS,
    STOP,
    X2_ON,
)
from bullpen.games.hornochsen.twin import HIGH_NUMBERS, doubled, row_for

A_CARD_FURTHER_OFF = 0.6
LEFT_TO_OTHERS = 0.3
# What a head of a row counts that lacks so many more cards; in a table, for a power takes longer than the rest.
FURTHER_OFF = np.array([LEFT_TO_OTHERS * A_CARD_FURTHER_OFF**cards for cards in range(FULL_AT)])
SPECIAL_KEPT = 2.0
FEW_CARDS = 3


@uncounted
def drawback(state, action):
    if action == STOP:
        return 0.0
    if action > X2_ON:
        return cost_of_special(state, action)
    card = action - PLAY
    end = row_for(state, card)
    slot = np.int64(state.row_of[end])
    heads = np.int64(state.row_heads[slot]) + np.int64(state.heads[card])
    x2 = has_x2(state, slot)
    missing = missing_in(state, slot) - 1
    if missing == 0 or (heads > 0 and can_finish(state, card, end, missing)):
        return -np.float64(gain_of_taking(state, heads, x2))
    return doubled(heads, x2) * FURTHER_OFF[missing - 1]


@uncounted
def cost_of_special(state, action):
    """It is kept for a row that can be finished in this turn, until the hand runs out."""
    seat = state.actor
    numbers = count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1] & HIGH_NUMBERS)
    cost = SPECIAL_KEPT if numbers > FEW_CARDS else -SPECIAL_KEPT
    is_plus5 = action > PLUS5_ON
    end = action - (PLUS5_ON if is_plus5 else X2_ON)
    slot = np.int64(state.row_of[end])
    if can_finish(state, end, end, missing_in(state, slot)):
        heads, x2 = np.int64(state.row_heads[slot]), has_x2(state, slot)
        cost += LEFT_TO_OTHERS * gain_of_taking(state, heads, x2)
        if is_plus5:
            cost -= LEFT_TO_OTHERS * gain_of_taking(state, heads + PLUS5_POINTS, x2)
        else:
            cost -= LEFT_TO_OTHERS * gain_of_taking(state, heads, 1)
    return cost


@uncounted
def has_x2(state, slot):
    return (np.int64(state.with_x2) >> slot) & 1


@uncounted
def missing_in(state, slot):
    """Number cards, until the row is full."""
    return np.int64(state.full_at) - np.int64(state.row_numbers[slot])


@uncounted
def gain_of_taking(state, heads, x2):
    """What a row with so many heads would bring: an x2 doubles all that lies in the pile."""
    seat = state.actor
    pile, doublings = np.int64(state.pile_heads[seat]), np.int64(state.doublings[seat])
    return doubled(pile + heads, doublings + x2) - doubled(pile, doublings)


@uncounted
def can_finish(state, card, end, missing):
    """Whether the hand has as many cards as are missing to go on, in this turn and after the card that is weighed, with a row that
    now ends in `end` and then in `card`."""
    if missing >= CARDS_A_TURN - np.int64(state.played):
        return False
    low, high = state.hand[state.actor, 0], state.hand[state.actor, 1] & HIGH_NUMBERS
    reach_low, reach_high = reach(state, card, end)
    return count_bits(low & reach_low) + count_bits(high & reach_high) >= missing


@uncounted
def reach(state, card, end):
    """HO-8, HO-9: the cards that would go there, as a set: up to the next row's end, or round to the lowest one's."""
    low, high = state.ends[0], state.ends[1]
    if end < 64:
        low &= ~(ONE << U(end))
    else:
        high &= ~(ONE << U(end - 64))
    past_low, past_high = lower_than(card + 1)
    above_low, above_high = low & ~past_low, high & ~past_high
    if above_low | above_high != ZERO:
        low, high = lower_than(lowest_card(above_low, above_high))
        return low & ~past_low, high & ~past_high
    low, high = lower_than(lowest_card(low, high) if low | high != ZERO else card)
    return low | ~past_low, high | ~past_high


@uncounted
def lowest_card(low, high):
    return lowest_bit(low) if low != ZERO else 64 + lowest_bit(high)
