"""Cards that lie face down or wait to be placed: the same in the games where all choose at once, compiled."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, lowest_bit


@compiled
def next_laid(state):
    """Takes the lowest of the laid cards."""
    half = 0 if state.laid[0] != ZERO else 1
    word = state.laid[half]
    state.laid[half] = word & (word - ONE)
    return (half << 6) + lowest_bit(word)


@compiled
def still_to_lay(state):
    """The seats that have not laid a card yet, as a mask."""
    return ((1 << np.int64(state.seats)) - 1) & ~np.int64(state.laid_by)


@compiled
def chosen_card(state, seat):
    """The card that a seat has laid and that is not placed yet; 0: there is none."""
    for half in range(2):
        word = state.laid[half]
        while word != ZERO:
            card = (half << 6) + lowest_bit(word)
            if state.owner[card] == seat:
                return card
            word &= word - ONE
    return 0


@compiled
def take_back_choices(state):
    while state.laid[0] | state.laid[1] != ZERO:
        card = next_laid(state)
        state.hand[state.owner[card], card >> 6] |= ONE << U(card & 63)


@compiled
def lay(state, seat, card):
    half, bit = card >> 6, ONE << U(card & 63)
    state.hand[seat, half] &= ~bit
    state.laid[half] |= bit
    state.owner[card] = seat
