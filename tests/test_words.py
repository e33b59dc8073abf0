"""Sets of cards as words: what is written with one instruction instead of a loop."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from bullpen.fast.compiling import compiled
from bullpen.fast.observing import write_all_cards, write_cards
from bullpen.fast.words import U, words_of, write_bits, write_where


@compiled
def bits_written(bits: Any, out: Any, at: Any) -> None:
    write_bits(out, at, U(bits))  # type: ignore[call-arg]  # the first one is of the compiler


@compiled
def written_where(bits: Any, value: Any, out: Any, at: Any) -> None:
    write_where(U(bits), value, out, at)  # type: ignore[call-arg]


@pytest.mark.parametrize("at", [0, 1, 37])
def test_a_word_is_written_as_ones_and_zeros_and_nothing_beside_them(at: int) -> None:
    for bits in (0, 1, 1 << 63, (1 << 64) - 1, Random(at).getrandbits(64)):
        out = np.full(64 + 40, 7, np.int8)
        bits_written(np.uint64(bits), out, at)
        assert out[at : at + 64].tolist() == [bits >> bit & 1 for bit in range(64)]
        assert (np.delete(out, range(at, at + 64)) == 7).all()


@pytest.mark.parametrize("at", [0, 1, 37])
def test_a_value_is_written_where_a_bit_is_one_and_nowhere_else(at: int) -> None:
    for bits in (0, 1, 1 << 63, (1 << 64) - 1, Random(at).getrandbits(64)):
        out = np.arange(64 + 40, dtype=np.int16)
        written_where(np.uint64(bits), 999, out, at)
        chosen = [index - at in range(64) and bits >> index - at & 1 for index in range(out.size)]
        assert out.tolist() == [999 if is_one else index for index, is_one in enumerate(chosen)]


def test_cards_are_written_without_a_loop_as_with_one() -> None:
    rng = Random(1)
    for size in (0, 1, 10, 115):
        low, high = words_of(rng.sample(range(1, 116), size))
        expected, out = np.arange(150, dtype=np.int16), np.arange(150, dtype=np.int16)
        write_cards(np.uint64(low), np.uint64(high), 500, expected)
        write_all_cards(np.uint64(low), np.uint64(high), 500, out)
        assert out.tolist() == expected.tolist()
        assert (out == 500).sum() == size
