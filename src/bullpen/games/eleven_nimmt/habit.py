"""11 nimmt!: be rid of cards, and towards the end of heads; a bull card is worth the more, the more cards there are to play."""

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
    HAND_SIZE,
    PLAY,
    TAKE,
)
from bullpen.games.eleven_nimmt.twin import (
    CARDS,
    beyond_last,
    fitting,
    may_open_another,
    name_below,
    open_slots,
    play_action,
    richest_others,
    spread_hand,
)

# Found by what `montecarlo` thought of all moves in 11,000 positions with two and four players: these would have played best
# there (docs/decisions/0049-habits-that-see-the-turn.md).
A_CARD = 1.0
A_HEAD, A_HEAD_AT_THE_END = 0.16, 1.14
NEAR_THE_END = 4  # nobody else has so few cards: heads count no more than at the start
FIRST_BULL_CARD, FURTHER_BULL_CARD = 9.6, 0.3  # with as many cards as at the deal
BULL_BY_CARD = 0.9  # so much more with each further card in hand; of a second one half, and so on
BULL_FOR_OTHERS = 0.93  # a stack that a play makes big enough to bring one
A_FITTING_CARD = 0.11
ENDING_EARLY = 2.6


@uncounted
def drawback(state, action):
    if action == END:
        return ENDING_EARLY
    if action >= BULL_OF:
        return 0.0
    if action > TAKE:
        return cost_of_taking(state, np.int64(state.slot_of[action - TAKE]), a_head(state))
    card, far = U(action - PLAY) // U(FURTHEST), U(action - PLAY) % U(FURTHEST)
    name, spread = np.int64(name_below(card, far)), spread_hand(state, state.actor)
    last = np.int64(state.served) - 1
    is_last = last >= 0 and state.served_name[last] == name
    slot = np.int64(state.served_slot[last] if is_last else state.slot_of[name])
    return cost_of_playing(state, spread, slot, name, far, a_head(state))


@uncounted
def a_head(state):
    """What a head in hand counts: the nearer somebody else is to the end of the round, the more."""
    fewest = NEAR_THE_END
    for seat in range(np.int64(state.seats)):
        if seat != state.actor:
            fewest = min(fewest, cards_in_hand(state, seat))
    near = (NEAR_THE_END - fewest) / (NEAR_THE_END - 1)
    return A_HEAD + (A_HEAD_AT_THE_END - A_HEAD) * near


@uncounted
def cards_in_hand(state, seat):
    return count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1])


@uncounted
def cost_of_taking(state, slot, a_head):
    cost, card = -gain_of_bull(state, slot), state.top[slot]
    for _ in range(np.int64(state.size[slot])):
        cost += A_CARD + a_head * state.heads[card]
        card = state.under[card]
    return cost


@uncounted
def gain_of_bull(state, slot):
    if state.size[slot] < BIG_STACK:
        return 0.0
    bulls = np.int64(state.bulls[state.actor])
    more_cards = cards_in_hand(state, state.actor) - HAND_SIZE
    return (FURTHER_BULL_CARD if bulls else FIRST_BULL_CARD) + BULL_BY_CARD * more_cards / (
        1 + bulls
    )


@uncounted
def cost_of_playing(state, spread, slot, name, far, a_head):
    """Below zero: being rid of cards is a gain.  With a bull card, all that fit beyond it will follow."""
    gone = ONE << U(far)
    if state.bulls[state.actor]:
        gone = fitting(spread, name) & ~(gone - ONE)
    size = np.int64(state.size[slot])
    grows_big = size < BIG_STACK and size + count_bits(gone) >= BIG_STACK
    cost, top = BULL_FOR_OTHERS if grows_big else 0.0, 0
    while gone != ZERO:
        top = (name + lowest_bit(gone)) % CARDS + 1
        gone &= gone - ONE
        cost -= A_CARD + a_head * state.heads[top]
    return cost - A_FITTING_CARD * count_bits(fitting(spread, top))


# -- All at once ------------------------------------------------------------------------------


@uncounted
def favourite(state):
    """The legal action against which the least speaks: what a look at all of them one by one would find."""
    if state.phase == CHOOSING_BULL:
        return BULL_OF + lowest_bit(richest_others(state, state.actor))
    spread, head = spread_hand(state, state.actor), a_head(state)
    choice, least = END, np.inf
    if state.served:
        slot = np.int64(state.served_slot[state.served - 1])
        name = np.int64(state.served_name[state.served - 1])
        fits = beyond_last(state, spread)
        choice, least = best_play(state, spread, slot, name, fits, head, END, ENDING_EARLY)
        if not may_open_another(state):
            return choice
    left = open_slots(state)
    while left != ZERO:
        slot = lowest_bit(left)
        left &= left - ONE
        top = np.int64(state.top[slot])
        fits = fitting(spread, top)
        choice, least = best_play(state, spread, slot, top, fits, head, choice, least)
    if state.served == 0:
        left = state.stacks
        while left != ZERO:
            slot = lowest_bit(left)
            left &= left - ONE
            # Most stacks need not be counted: they cost too much already by their cards.
            if A_CARD * state.size[slot] - gain_of_bull(state, slot) < least:
                action, cost = TAKE + np.int64(state.top[slot]), cost_of_taking(state, slot, head)
                if is_better(cost, action, least, choice):
                    choice, least = action, cost
    return choice


@uncounted
def best_play(state, spread, slot, name, fits, a_head, choice, least):
    """Whether one of the cards that fit on a stack is better than what was found before."""
    while fits != ZERO:
        far = lowest_bit(fits)
        fits &= fits - ONE
        action = play_action(name, far)
        cost = cost_of_playing(state, spread, slot, name, far, a_head)
        if is_better(cost, action, least, choice):
            choice, least = action, cost
    return choice, least


@uncounted
def is_better(cost, action, least, choice):
    """The first of those that cost the same."""
    return cost < least or (cost == least and action < choice)
