"""11 nimmt!: be rid of cards and heads; a first bull card is worth a dozen cards."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.eleven_nimmt import BULL_OF, END, FURTHEST, PLAY, TAKE, slot_with
from bullpen.games.eleven_nimmt import BIG_STACK

A_CARD, A_HEAD = 1.0, 0.3
FIRST_BULL_CARD, FURTHER_BULL_CARD = 12.0, 1.0
ENDING_EARLY = 0.5


@compiled
def drawback(state, action):
    if action == END:
        return ENDING_EARLY
    if action >= BULL_OF:
        return 0.0
    if action <= TAKE:
        card = (action - PLAY) // FURTHEST
        far = (action - PLAY) % FURTHEST
        # With a bull card, a nearer card leaves more that can follow.
        further = 0.1 * far if state.bulls[state.actor] else 0.0
        return further - A_CARD - A_HEAD * state.heads[card]
    slot = slot_with(state, action - TAKE)
    cost, card = 0.0, state.top[slot]
    for _ in range(np.int64(state.size[slot])):
        cost += A_CARD + A_HEAD * state.heads[card]
        card = state.under[card]
    if state.size[slot] >= BIG_STACK:
        cost -= FURTHER_BULL_CARD if state.bulls[state.actor] else FIRST_BULL_CARD
    return cost
