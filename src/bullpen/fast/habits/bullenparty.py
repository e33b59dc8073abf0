"""Bullenparty: one rich pile; spend as few numbers as possible on each card of it."""

from __future__ import annotations

import numpy as np

from bullpen.fast.bullenparty import (
    EXTEND,
    LAST_NUMBER,
    NEW_PILE,
    ON_PILE,
    TAKE_ROW,
)
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, lowest_bit
from bullpen.games.bullenparty import BID_CARD

A_NUMBER_SKIPPED = 0.05
A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT = 0.8, 0.2
CHOOSING_EARLY = 0.02  # for each number that a bid is lower
WAITING = 2.0


@compiled
def drawback(state, action):
    seat = np.int64(state.actor)
    top = main_pile_top(state, seat)
    if action > NEW_PILE:
        return cost_of_laying(state, top, action)
    if action > EXTEND:
        return 0.0
    if action > TAKE_ROW:
        return -worth_of_row(state, top, action - TAKE_ROW)
    card = action - BID_CARD
    if card == 0:
        return -WAITING
    return CHOOSING_EARLY * card + worth_of_card(state, top, card)


@compiled
def main_pile_top(state, seat):
    """The top card of the richest pile; 0 without piles."""
    top, most = 0, -1
    for half in range(2):
        word = state.tops[seat, half]
        while word != ZERO:
            card = (half << 6) + lowest_bit(word)
            word &= word - ONE
            heads = np.int64(state.pile_heads[np.int64(state.pile_of[card]) - 1])
            if heads > most:
                most, top = heads, card
    return top


@compiled
def worth_of_card(state, top, card):
    heads = np.float64(state.heads[card])
    if card > top:
        return A_HEAD_THAT_FITS * heads - A_NUMBER_SKIPPED
    return -A_HEAD_THAT_DOES_NOT * heads


@compiled
def worth_of_row(state, top, row):
    worth = 0.0
    for at in range(np.int64(state.row_length[row])):
        worth += worth_of_card(state, top, np.int64(state.row[row, at]))
    if state.row_bull[row]:
        worth += state.bull_heads[state.row_bull[row] - 1]
    return worth


@compiled
def cost_of_laying(state, top, action):
    if action <= NEW_PILE + LAST_NUMBER:
        card = action - NEW_PILE
        return state.heads[card] + 0.0 if top else A_NUMBER_SKIPPED * card
    card, onto = (action - ON_PILE) // 100, (action - ON_PILE) % 100
    if onto == top:
        return A_NUMBER_SKIPPED * (card - onto) - state.heads[card]
    return state.heads[card] + 0.0
