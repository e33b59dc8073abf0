"""11 nimmt!: be rid of cards and heads; a first bull card is worth a dozen cards."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, count_bits, lowest_bit
from bullpen.games.eleven_nimmt.rules import BIG_STACK, BULL_OF, END, FURTHEST, PLAY, TAKE
from bullpen.games.eleven_nimmt.twin import CARDS, fitting, slot_with, spread_hand

A_CARD, A_HEAD = 1.0, 0.3
FIRST_BULL_CARD, FURTHER_BULL_CARD = 12.0, 1.0
A_FITTING_CARD = 0.2
ENDING_EARLY = 0.5


@compiled
def drawback(state, action):
    if action == END:
        return ENDING_EARLY
    if action >= BULL_OF:
        return 0.0
    spread_hand(state, state.actor)
    if action <= TAKE:
        return cost_of_playing(state, (action - PLAY) // FURTHEST, (action - PLAY) % FURTHEST)
    slot = slot_with(state, action - TAKE)
    cost, card = 0.0, state.top[slot]
    for _ in range(np.int64(state.size[slot])):
        cost += A_CARD + A_HEAD * state.heads[card]
        card = state.under[card]
    if state.size[slot] >= BIG_STACK:
        cost -= FURTHER_BULL_CARD if state.bulls[state.actor] else FIRST_BULL_CARD
    return cost


@compiled
def cost_of_playing(state, card, far):
    """Below zero: being rid of cards is a gain.  With a bull card, all that fit beyond it will follow."""
    name = (card - far - 2 + CARDS) % CARDS + 1
    gone = ONE << U(far)
    if state.bulls[state.actor]:
        gone = fitting(state, name) & ~(gone - ONE)
    cost, top = 0.0, card
    while gone != ZERO:
        top = (name + lowest_bit(gone)) % CARDS + 1
        gone &= gone - ONE
        cost -= A_CARD + A_HEAD * state.heads[top]
    return cost - A_FITTING_CARD * count_bits(fitting(state, top))
