"""Habits: what a playout does at a glance."""

from __future__ import annotations

import numpy as np
import pytest

from bullpen import fast
from bullpen.fast.dispatch import NO_SHORT_WAY, habit_of
from bullpen.fast.playouts import LONGEST_DECK, advance
from bullpen.fast.words import cards_of
from bullpen.games import GAMES
from bullpen.match import new


@pytest.mark.parametrize(
    "name", [name for name in GAMES if hasattr(habit_of(fast.twin(name)), "favourite")]
)
def test_a_short_way_to_the_best_looking_move_leads_where_a_look_at_all_does(name: str) -> None:
    twin, moves = fast.twin(name), 0
    habit = habit_of(twin)
    for seats in GAMES[name].SEATS:
        states = np.repeat(twin.to_record(new(name, seats, seed=seats).table), 2)
        rest = np.zeros(8 + 2 * LONGEST_DECK, np.uint8)
        rest[:8] = seats
        words = np.zeros(-(-twin.ACTIONS // 64), np.uint64)
        for number in range(400):
            words[:] = 0
            twin.legal(states[0], words)
            legal = [64 * at + bit for at in range(words.size) for bit in bits_of(words[at])]
            against = [habit.drawback(states[0], action) for action in legal]
            found = habit.favourite(states[0])
            assert found != NO_SHORT_WAY
            assert against[legal.index(found)] == pytest.approx(min(against), abs=1e-9)
            moves += len(legal) > 1
            # By habit and at random: so it comes to sensible positions and to odd ones.
            action = found if number % 4 else legal[number % len(legal)]
            advance(states, rest, action)
    assert moves > 500


def bits_of(word: np.uint64) -> tuple[int, ...]:
    return cards_of((word, 0))
