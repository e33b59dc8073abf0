"""11 nimmt!: be rid of cards and heads; a first bull card is worth a dozen cards."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import uncounted
from bullpen.fast.words import ONE, ZERO, U, count_bits, lowest_bit
from bullpen.games.eleven_nimmt.rules import (
    BIG_STACK,
    BULL_OF,
    CHOOSING_BULL,
    END,
    FURTHEST,
    PLAY,
    TAKE,
)
from bullpen.games.eleven_nimmt.twin import (
    CARDS,
    beyond_last,
    fitting,
    may_open_another,
    play_action,
    richest_others,
    spread_hand,
)

A_CARD, A_HEAD = 1.0, 0.3
FIRST_BULL_CARD, FURTHER_BULL_CARD = 12.0, 1.0
A_FITTING_CARD = 0.2
ENDING_EARLY = 0.5


@uncounted
def drawback(state, action):
    if action == END:
        return ENDING_EARLY
    if action >= BULL_OF:
        return 0.0
    spread_hand(state, state.actor)
    if action <= TAKE:
        card, far = (action - PLAY) // FURTHEST, (action - PLAY) % FURTHEST
        return cost_of_playing(state, (card - far - 2 + CARDS) % CARDS + 1, far)
    return cost_of_taking(state, np.int64(state.slot_of[action - TAKE]))


@uncounted
def cost_of_taking(state, slot):
    cost, card = -gain_of_bull(state, slot), state.top[slot]
    for _ in range(np.int64(state.size[slot])):
        cost += A_CARD + A_HEAD * state.heads[card]
        card = state.under[card]
    return cost


@uncounted
def gain_of_bull(state, slot):
    if state.size[slot] < BIG_STACK:
        return 0.0
    return FURTHER_BULL_CARD if state.bulls[state.actor] else FIRST_BULL_CARD


@uncounted
def cost_of_playing(state, name, far):
    """Below zero: being rid of cards is a gain.  With a bull card, all that fit beyond it will follow."""
    gone = ONE << U(far)
    if state.bulls[state.actor]:
        gone = fitting(state, name) & ~(gone - ONE)
    cost, top = 0.0, 0
    while gone != ZERO:
        top = (name + lowest_bit(gone)) % CARDS + 1
        gone &= gone - ONE
        cost -= A_CARD + A_HEAD * state.heads[top]
    return cost - A_FITTING_CARD * count_bits(fitting(state, top))


# -- All at once ------------------------------------------------------------------------------


@uncounted
def favourite(state):
    """The legal action against which the least speaks: what a look at all of them one by one would find."""
    if state.phase == CHOOSING_BULL:
        return BULL_OF + lowest_bit(richest_others(state, state.actor))
    spread_hand(state, state.actor)
    choice, least = END, np.inf
    if state.served:
        name = np.int64(state.served_name[state.served - 1])
        choice, least = best_play(state, name, beyond_last(state), END, ENDING_EARLY)
        if not may_open_another(state):
            return choice
    for slot in range(np.int64(state.stacks)):
        if not (state.closed >> U(slot)) & ONE:
            top = np.int64(state.top[slot])
            choice, least = best_play(state, top, fitting(state, top), choice, least)
    if state.served == 0:
        for slot in range(np.int64(state.stacks)):
            # Most stacks need not be counted: they cost too much already by their cards.
            if A_CARD * state.size[slot] - gain_of_bull(state, slot) < least:
                action, cost = TAKE + np.int64(state.top[slot]), cost_of_taking(state, slot)
                if is_better(cost, action, least, choice):
                    choice, least = action, cost
    return choice


@uncounted
def best_play(state, name, fits, choice, least):
    """Whether one of the cards that fit on a stack is better than what was found before."""
    while fits != ZERO:
        far = lowest_bit(fits)
        fits &= fits - ONE
        action, cost = play_action(name, far), cost_of_playing(state, name, far)
        if is_better(cost, action, least, choice):
            choice, least = action, cost
    return choice, least


@uncounted
def is_better(cost, action, least, choice):
    """The first of those that cost the same."""
    return cost < least or (cost == least and action < choice)
