"""X nimmt! for those who study it: how long it can get, and its observations, compiled."""

from __future__ import annotations

import numpy as np

from bullpen.deck import Deck
from bullpen.envs.bounds import Bounds, whole
from bullpen.envs.compiled.writing import clockwise, limited, write_cards, write_laid
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ZERO, count_bits
from bullpen.game import Options
from bullpen.games.x_nimmt import rules
from bullpen.games.x_nimmt.rules import LAYING, OVER
from bullpen.games.x_nimmt.twin import CARDS, ROWS

COLLECTED = ROWS + 1
FIRST = COLLECTED + 1  # of the codes by seat: hand, laid, x row, x pile


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every collection takes a card out of play for good, and the rows have room for six cards between
    two of them; each brings at most two choices.  A head counts 2 at most."""
    rounds, cards = whole(options["rounds"]), rules.HAND_SIZE * seats + len(rules.ROWS)
    room = sum(rules.FULL_AT) - 2 * len(rules.ROWS)
    a_round = cards * (1 + room + 2) + room
    return Bounds(a_round * rounds, rounds, 0, 2 * sum(deck.heads) * rounds)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return rules.HAND_SIZE * table.seats + len(rules.ROWS)


# -- Observations -----------------------------------------------------------------------------


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
