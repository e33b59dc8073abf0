"""Counted in compiled code: the same as one by one."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from bullpen.fast.counting import count_games
from bullpen.fast.words import digits_of, heads_by_digits, heads_in, words_of

CARDS = 104


@pytest.mark.parametrize(("sign", "best"), [(1, max), (-1, min)])
def test_games_are_counted_as_one_would_count_them_by_hand(sign, best) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(3)
    points = rng.integers(-9, 4, (500, 3)).astype(np.int32)
    lengths = rng.integers(20, 31, 500).astype(np.int32)
    found = count_games(points, lengths, sign)
    assert found.decisions == lengths.sum()
    by_length = enumerate(found.lengths[0].tolist(), found.least_length)
    assert {number: times for number, times in by_length if times} == Counter(lengths.tolist())
    for seat in range(3):
        by_score = enumerate(found.scores[seat].tolist(), found.least_score)
        own = Counter(points[:, seat].tolist())
        assert {number: times for number, times in by_score if times} == own
    won = np.zeros((3, 4), int)
    for game in points.tolist():
        winners = [seat for seat in range(3) if game[seat] == best(game)]
        for seat in winners:
            won[seat, len(winners)] += 1
    assert found.won.tolist() == won.tolist()


def test_a_seat_s_part_of_a_wider_array_is_counted_alone() -> None:
    """The twins have room for the most seats; those that nobody sits in must not win."""
    wide = np.array([[5, 3, 0, 0], [2, 2, 0, 0]], np.int32)
    found = count_games(wide[:, :2], np.array([1, 1], np.int32), -1)
    assert found.won.tolist() == [[0, 0, 1], [0, 1, 1]]


@pytest.mark.parametrize("most", [0, 1, 7, 8, 255])
def test_heads_by_digits_are_the_heads_on_the_cards(most: int) -> None:
    """Also with a deck of one's own, whose cards have more heads than any printed one."""
    rng = Random(most)
    heads = [0, *(rng.randint(0, most) for _ in range(CARDS))]
    heads[CARDS] = most
    digits = np.zeros((8, 2), np.uint64)
    known = digits_of(heads)
    if known:
        digits[: len(known)] = known
    for _ in range(50):
        cards = [card for card in range(1, CARDS + 1) if rng.random() < 0.3]
        low, high = (np.uint64(word) for word in words_of(cards))
        expected = sum(heads[card] for card in cards)
        assert heads_by_digits(digits, len(known), low, high) == expected
        assert heads_in(np.array(heads, np.uint8), low, high) == expected
