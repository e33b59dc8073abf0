"""6 nimmt! for those who study it: how long it can get, and its observations, compiled."""

from __future__ import annotations

import numpy as np

from bullpen.deck import Deck
from bullpen.envs.bounds import Bounds, whole
from bullpen.envs.compiled.writing import clockwise, limited, write_cards, write_laid
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ZERO, count_bits
from bullpen.game import Options
from bullpen.games.six_nimmt import rules
from bullpen.games.six_nimmt.rules import LAYING, OVER
from bullpen.games.six_nimmt.twin import CARDS, ROWS

BOX = 1
FIRST = BOX + ROWS + 1  # of the codes by seat: hand, laid, taken


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """A card and perhaps a row for each card of the hands.  At least what the rows cannot hold is taken
    in a round, so the limit is reached after so many."""
    played = rules.HAND_SIZE * seats
    heads = sum(deck.heads)
    if options["rounds"] is not None:
        rounds = whole(options["rounds"])
        most = heads * rounds
    else:
        limit = whole(options["limit"])
        room = (rules.FULL_AT - 2) * len(rules.ROWS)
        rounds = seats * (limit - 1) // (played - room) + 1
        most = limit - 1 + heads
    return Bounds(2 * played * rounds, rounds, 0, most)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return rules.HAND_SIZE * table.seats + len(rules.ROWS)


# -- Observations -----------------------------------------------------------------------------


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:CARDS] = 0
    out[np.int64(state.in_play) : CARDS] = BOX  # SN-9: a tactical deck has all its cards in play
    for row in range(1, ROWS + 1):
        write_cards(state.row[row, 0], state.row[row, 1], BOX + row, out)
    at = CARDS + 2
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = count_bits(low) + count_bits(high)
        if seat == viewer or phase == OVER:
            write_cards(low, high, FIRST + far, out)
        low, high = state.taken[seat, 0], state.taken[seat, 1]
        out[at + 2 * seats + far] = count_bits(low) + count_bits(high)
        if perfect or phase == OVER:
            write_cards(low, high, FIRST + 2 * seats + far, out)
    write_laid(state, viewer, phase == LAYING, (ZERO, ZERO), FIRST, CARDS + 2 + seats, out)
    out[CARDS] = phase
    out[CARDS + 1] = clockwise(state.actor, viewer, seats)
    if phase == LAYING:
        out[CARDS + 1] = seats
    elif phase == OVER:
        out[CARDS + 1] = seats + 1
    out[at + 3 * seats] = limited(state.rounds_played)
