"""Cards and numbers into an observation, compiled."""

from __future__ import annotations

import numpy as np

from bullpen.envs.layouts import MOST
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, lowest_bit


@compiled
def write_cards(low, high, code, out):
    """The code of a place for every card of a set."""
    while low != ZERO:
        out[lowest_bit(low) - 1] = code
        low &= low - ONE
    while high != ZERO:
        out[63 + lowest_bit(high)] = code
        high &= high - ONE


@compiled
def clockwise(seat, viewer, seats):
    """How far a seat is from the viewer's own."""
    far = np.int64(seat) - np.int64(viewer)
    return far + seats if far < 0 else far


@compiled
def limited(number):
    """As much of a number as an entry can hold."""
    return min(max(np.int64(number), -MOST), MOST)
