"""Cards and numbers into an observation, compiled: what the twins' `observe` is written with."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import uncounted
from bullpen.fast.words import ONE, ZERO, U, lowest_bit, write_where

MOST = np.iinfo(np.int16).max  # that an entry can hold


@uncounted
def write_cards(low, high, code, out):
    """The code of a place for every card of a set."""
    while low != ZERO:
        out[lowest_bit(low) - 1] = code
        low &= low - ONE
    while high != ZERO:
        out[63 + lowest_bit(high)] = code
        high &= high - ONE


@uncounted
def write_all_cards(low, high, code, out):
    """The same without a loop, which is quicker; `out` has at least 128 entries."""
    write_where(low >> ONE | high << U(63), code, out, 0)
    write_where(high >> ONE, code, out, 64)


@uncounted
def write_laid(state, viewer, is_secret, known, first, counts, out):
    """Cards face up, or face down: then another's counts as in the hand, and is remembered there if `known`.
    The codes from `first` are those of hands, then of laid cards; `counts`: where the sizes of hands stand."""
    seats = np.int64(state.seats)
    for half in range(2):
        word = state.laid[half]
        while word != ZERO:
            bit = lowest_bit(word)
            card = (half << 6) + bit
            seat = np.int64(state.owner[card])
            far = clockwise(seat, viewer, seats)
            if is_secret:
                out[counts + far] += 1
            if seat == viewer or not is_secret:
                out[card - 1] = first + seats + far
            elif (known[half] >> U(bit)) & ONE != ZERO:
                out[card - 1] = first + far
            word &= word - ONE


@uncounted
def clockwise(seat, viewer, seats):
    """How far a seat is from the viewer's own."""
    far = np.int64(seat) - np.int64(viewer)
    return far + seats if far < 0 else far


@uncounted
def limited(number):
    """As much of a number as an entry can hold."""
    return min(max(np.int64(number), -MOST), MOST)
