"""Hornochsen!: finish green rows, leave red ones to the others."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import uncounted
from bullpen.fast.words import count_bits
from bullpen.games.hornochsen.rules import (
    CARDS_A_TURN,
    FULL_AT,
    PLAY,
    PLUS5_ON,
    STOP,
    X2_ON,
)
from bullpen.games.hornochsen.twin import row_for

A_CARD_FURTHER_OFF = 0.6
LEFT_TO_OTHERS = 0.3
# What speaks against a head of a row that lacks so many more cards: of a full one, which is taken, it is a gain.  In a table, for a
# power takes longer than the rest.
AGAINST_A_HEAD = np.array(
    [-1.0] + [LEFT_TO_OTHERS * A_CARD_FURTHER_OFF**cards for cards in range(FULL_AT)]
)
SPECIAL_KEPT = 2.0
FEW_CARDS = 3


@uncounted
def drawback(state, action):
    if action == STOP:
        return 0.0
    if action > X2_ON:
        end = action - (PLUS5_ON if action > PLUS5_ON else X2_ON)
        heads, size = row_worth(state, state.row_of[end])
        seat = state.actor
        if count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1]) <= FEW_CARDS:
            return -SPECIAL_KEPT
        can_finish = state.full_at - size < CARDS_A_TURN - state.played
        return SPECIAL_KEPT - (LEFT_TO_OTHERS * heads if can_finish else 0.0)
    card = action - PLAY
    heads, size = row_worth(state, state.row_of[row_for(state, card)])
    return (heads + state.heads[card]) * AGAINST_A_HEAD[state.full_at - size - 1]


@uncounted
def row_worth(state, slot):
    """The heads on a row, twice as many with an x2, and how many number cards."""
    doubled = 1 + ((state.with_x2 >> slot) & 1)
    return np.float64(state.row_heads[slot] * doubled), np.int64(state.row_numbers[slot])
