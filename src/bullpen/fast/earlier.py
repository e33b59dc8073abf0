"""How likely so many cards of other players come in between, if so many are expected to."""

from __future__ import annotations

from math import exp, factorial

import numpy as np

from bullpen.fast.compiling import compiled

STEPS = 16  # of the table, for each card expected
MOST_EXPECTED = 16
MOST_EARLIER = 5

# Poisson's distribution, in a table: to compute it would take most of a playout's time.
CHANCES = np.array(
    [
        [
            exp(-at / STEPS) * (at / STEPS) ** cards / factorial(cards)
            for cards in range(MOST_EARLIER + 1)
        ]
        for at in range(STEPS * MOST_EXPECTED)
    ]
)


@compiled
def chance_of_earlier(expected, cards):
    """That exactly so many come, up to MOST_EARLIER."""
    return CHANCES[min(np.int64(expected * STEPS + 0.5), CHANCES.shape[0] - 1), cards]
