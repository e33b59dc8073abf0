"""6 nimmt!: the heads that a card is likely to cost."""

from __future__ import annotations

from bullpen.fast.compiling import compiled
from bullpen.fast.earlier import chance_of_earlier
from bullpen.games.six_nimmt.rules import PLAY, TAKE_ROW
from bullpen.games.six_nimmt.twin import row_for

A_HEAD_OR_TWO = 1.7  # on a card, on average
MIDDLE, FEW_SEATS, EDGE_FIRST = 52, 4, 0.04


@compiled
def drawback(state, action):
    if action > TAKE_ROW:
        return float(state.row_heads[action - TAKE_ROW])
    card, row = action - PLAY, row_for(state, action - PLAY)
    others_a_number = (state.seats - 1) / state.in_play
    edge = EDGE_FIRST * abs(card - MIDDLE) if state.seats <= FEW_SEATS else 0.0
    if row == 0:
        cheapest = state.row_heads[1]
        for other in range(2, state.rows + 1):
            cheapest = min(cheapest, state.row_heads[other])
        return cheapest * chance_of_earlier(others_a_number * (card - 1), 0) - edge
    between = others_a_number * (card - state.row_end[row] - 1)
    missing = state.full_at - 1 - state.row_length[row]
    likely = chance_of_earlier(between, missing)
    return likely * (state.row_heads[row] + A_HEAD_OR_TWO * missing) - edge
