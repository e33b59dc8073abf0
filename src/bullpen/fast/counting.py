"""What many games came to, counted in one pass: in NumPy it would take as long as to play them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.compiling import compiled


class Tables(NamedTuple):
    """How often each number came up; the first column stands for the least number that did."""

    scores: NDArray[np.int64]  # [seats, numbers]
    least_score: int
    lengths: NDArray[np.int64]  # [1, numbers], decisions a game
    least_length: int
    won: NDArray[np.int64]  # [seats, seats + 1]: by seat, and among how many that won the same game
    decisions: int


def count_games(points: NDArray[Any], lengths: NDArray[Any], sign: int) -> Tables:
    """Of points [games, seats] and lengths [games]; `sign` is -1 where the fewest points win."""
    seats, (least, most) = points.shape[1], range_of(points)
    scores = np.zeros((seats, most - least + 1), np.int64)
    won = np.zeros((seats, seats + 1), np.int64)
    count_results(points, sign, least, scores, won)
    shortest, longest = range_of(lengths.reshape(-1, 1))
    by_length = np.zeros((1, longest - shortest + 1), np.int64)
    decisions = count_lengths(lengths, shortest, by_length)
    return Tables(scores, least, by_length, shortest, won, decisions)


@compiled
def range_of(numbers):
    least, most = np.int64(numbers[0, 0]), np.int64(numbers[0, 0])
    for row in range(numbers.shape[0]):
        for column in range(numbers.shape[1]):
            number = np.int64(numbers[row, column])
            least, most = min(least, number), max(most, number)
    return least, most


@compiled
def count_results(points, sign, least, scores, won):
    seats = points.shape[1]
    for game in range(points.shape[0]):
        best, winners = np.int64(sign * points[game, 0]), 0
        for seat in range(seats):
            result = np.int64(points[game, seat])
            scores[seat, result - least] += 1
            best = max(best, sign * result)
        for seat in range(seats):
            winners += sign * points[game, seat] == best
        for seat in range(seats):
            won[seat, winners] += sign * points[game, seat] == best


@compiled
def count_lengths(lengths, shortest, by_length):
    """Returns their sum."""
    total = 0
    for game in range(lengths.size):
        by_length[0, lengths[game] - shortest] += 1
        total += lengths[game]
    return total
