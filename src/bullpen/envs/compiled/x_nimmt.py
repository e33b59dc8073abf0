"""Observations of X nimmt!, compiled."""

from __future__ import annotations

import numpy as np

from bullpen.envs.compiled.writing import clockwise, limited, write_cards, write_laid
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ZERO, count_bits
from bullpen.fast.x_nimmt import CARDS, ROWS
from bullpen.games.x_nimmt import LAYING, OVER

COLLECTED = ROWS + 1
FIRST = COLLECTED + 1  # of the codes by seat: hand, laid, x row, x pile


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:CARDS] = 0
    for row in range(1, ROWS + 1):
        write_cards(state.row[row, 0], state.row[row, 1], row, out)
    write_cards(state.collected[0], state.collected[1], COLLECTED, out)
    at = CARDS + 2
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = count_bits(low) + count_bits(high)
        if seat != viewer and phase != OVER:
            low, high = (low & state.seen[0], high & state.seen[1]) if perfect else (ZERO, ZERO)
        write_cards(low, high, FIRST + far, out)
        write_cards(state.x_row[seat, 0], state.x_row[seat, 1], FIRST + 2 * seats + far, out)
        low, high = state.x_pile[seat, 0], state.x_pile[seat, 1]
        out[at + 2 * seats + far] = count_bits(low) + count_bits(high)
        if perfect or phase == OVER:
            write_cards(low, high, FIRST + 3 * seats + far, out)
    known = (state.seen[0], state.seen[1]) if perfect else (ZERO, ZERO)
    write_laid(state, viewer, phase == LAYING, known, FIRST, CARDS + 2 + seats, out)
    out[CARDS] = phase
    out[CARDS + 1] = clockwise(state.actor, viewer, seats)
    if phase == LAYING:
        out[CARDS + 1] = seats
    elif phase == OVER:
        out[CARDS + 1] = seats + 1
    out[at + 3 * seats] = limited(state.rounds_played)
