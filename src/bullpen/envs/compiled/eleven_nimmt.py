"""Observations of 11 nimmt!, compiled."""

from __future__ import annotations

import numpy as np

from bullpen.envs.compiled.writing import clockwise, limited, write_cards
from bullpen.fast.compiling import compiled
from bullpen.fast.eleven_nimmt import CARDS
from bullpen.fast.words import ONE, ZERO, U, count_bits
from bullpen.games.eleven_nimmt import OVER

TOP, TOP_PLAYED_ON, UNDER = 1, 2, 3
FIRST = 4  # of the codes by seat: hand
FIRST_NUMBER = 2 * CARDS


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:FIRST_NUMBER] = 0
    write_stacks(state, perfect, out)
    at = FIRST_NUMBER + 2
    own = at + 2 * seats
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = count_bits(low) + count_bits(high)
        out[own + 5 + far] = state.bulls[seat]
        if seat != viewer and phase != OVER:
            low, high = (low & state.seen[0], high & state.seen[1]) if perfect else (ZERO, ZERO)
        write_cards(low, high, FIRST + far, out)
    out[FIRST_NUMBER] = phase
    out[FIRST_NUMBER + 1] = seats + 1 if phase == OVER else clockwise(state.actor, viewer, seats)
    served = np.int64(state.served)
    out[own] = limited(state.rounds_played)
    out[own + 1] = clockwise(state.starter, viewer, seats)
    out[own + 2] = np.int64(state.draw_end) - np.int64(state.drawn)
    out[own + 3] = served
    out[own + 4] = state.served_name[served - 1] if served else 0


@compiled
def write_stacks(state, perfect, out):
    """Of a stack one sees the top card; a perfect memory knows what lies under it."""
    played_on = ZERO
    for at in range(np.int64(state.served)):
        played_on |= ONE << U(state.served_slot[at])
    for slot in range(np.int64(state.stacks)):
        top = np.int64(state.top[slot])
        out[top - 1] = TOP_PLAYED_ON if (played_on >> U(slot)) & ONE != ZERO else TOP
        out[CARDS + top - 1] = top
        card = top
        for _ in range(np.int64(state.size[slot]) - 1 if perfect else 0):
            card = np.int64(state.under[card])
            out[card - 1] = UNDER
            out[CARDS + card - 1] = top
