"""Hornochsen!: finish green rows, leave red ones to the others."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.words import ZERO, U, count_bits
from bullpen.games.hornochsen.rules import (
    CARDS_A_TURN,
    FULL_AT,
    LAST_NUMBER,
    PLAY,
    PLUS5,
    PLUS5_ON,
    STOP,
    X2_ON,
)
from bullpen.games.hornochsen.twin import row_for

A_CARD_FURTHER_OFF = 0.6
LEFT_TO_OTHERS = 0.3
# What a head of a row counts that lacks so many more cards; in a table, for a power takes longer than the rest.
FURTHER_OFF = np.array([LEFT_TO_OTHERS * A_CARD_FURTHER_OFF**cards for cards in range(FULL_AT)])
SPECIAL_KEPT = 2.0
FEW_CARDS = 3


@compiled
def drawback(state, action):
    if action == STOP:
        return 0.0
    if action > X2_ON:
        end = action - (PLUS5_ON if action > PLUS5_ON else X2_ON)
        heads, size = row_worth(state, state.row_of[end])
        seat = state.actor
        if count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1]) <= FEW_CARDS:
            return -SPECIAL_KEPT
        can_finish = FULL_AT - size < CARDS_A_TURN - state.played
        return SPECIAL_KEPT - (LEFT_TO_OTHERS * heads if can_finish else 0.0)
    card = action - PLAY
    heads, size = row_worth(state, state.row_of[row_for(state, card)])
    heads += state.heads[card]
    if size + 1 == FULL_AT:
        return -heads
    return heads * FURTHER_OFF[FULL_AT - size - 2]


@compiled
def row_worth(state, slot):
    """The heads on a row, twice as many with an x2, and how many number cards."""
    total, doubled, row = 0.0, 1.0, state.row[slot]
    while row != ZERO:
        card = row & U(255)
        if card <= U(LAST_NUMBER):
            total += state.heads[card]
        elif card >= U(PLUS5):
            total += 5.0
        else:
            doubled = 2.0
        row >>= U(8)
    return total * doubled, np.int64(state.row_numbers[slot])
