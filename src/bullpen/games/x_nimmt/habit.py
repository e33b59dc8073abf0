"""X nimmt!: what collecting is likely to cost, and how high the X row grows."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.earlier import chance_of_earlier
from bullpen.games.x_nimmt.rules import KEEP, PLAY, TAKE_ROW
from bullpen.games.x_nimmt.twin import row_for

A_CARD_IN_HAND, A_HEAD_IN_HAND = 0.5, 0.5
A_HEAD_IN_X_PILE = 2.0
A_STEP_OF_THE_X_ROW = 0.15
A_FURTHER_CARD = 1.7


@compiled
def drawback(state, action):
    if action > TAKE_ROW:
        return cost_of_row(state, action - TAKE_ROW)
    if action > KEEP:
        return cost_of_keeping(state, action - KEEP)
    card, row = action - PLAY, row_for(state, action - PLAY)
    others_a_number = (state.seats - 1) / state.in_play
    if row == 0:
        cheapest = cost_of_row(state, 1)
        for other in range(2, state.rows + 1):
            cheapest = min(cheapest, cost_of_row(state, other))
        return cheapest * chance_of_earlier(others_a_number * (card - 1), 0)
    between = others_a_number * (card - state.row_end[row] - 1)
    missing = state.full_at[row] - 1 - state.row_length[row]
    likely = chance_of_earlier(between, missing)
    return likely * (cost_of_row(state, row) + A_FURTHER_CARD * missing)


@compiled
def cost_of_row(state, row):
    seat = state.actor
    cost = A_HEAD_IN_HAND * state.row_heads[row] + A_CARD_IN_HAND * (state.row_length[row] - 1.0)
    if state.row_end[row] < state.x_end[seat]:
        return cost + A_HEAD_IN_X_PILE * state.x_heads[seat]
    return cost


@compiled
def cost_of_keeping(state, card):
    seat, end = state.actor, state.x_end[state.actor]
    saved = A_CARD_IN_HAND + A_HEAD_IN_HAND * state.heads[card]
    if card < end:
        lost = A_HEAD_IN_X_PILE * state.x_heads[seat]
        return lost + A_STEP_OF_THE_X_ROW * card - saved
    return A_STEP_OF_THE_X_ROW * (np.int64(card) - end) - saved
