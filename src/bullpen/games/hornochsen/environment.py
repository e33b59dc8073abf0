"""Hornochsen! for those who study it: how long it can get, and its observations, compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bullpen.deck import Deck
from bullpen.envs.bounds import Bounds
from bullpen.envs.compiled.writing import clockwise, limited, write_cards
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, count_bits, lowest_bit
from bullpen.game import Options, Seat
from bullpen.games.hornochsen import rules
from bullpen.games.hornochsen.rules import OVER
from bullpen.games.hornochsen.twin import CARDS, HIGH_NUMBERS, SLOTS, points

BOX, END, IN_ROW = 1, 2, 3
FIRST = 4  # of the codes by seat: hand, pile
FIRST_NUMBER = 2 * CARDS


# -- What its observations tell besides the places --------------------------------------------

HEAP_CODES = ("end of a row", "in a row")
OWN_NUMBERS = ("played",)
MOST = {"played": rules.CARDS_A_TURN}
heap_name = rules.end_value  # how rows lie in the ring makes no difference


def links_told(options: Options) -> str:
    return "end of its row"


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    return [table.played]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every card is played once, and after each the turn may be stopped.  One pile might get all x2."""
    cards = (rules.DEAL[seats][0] + 2) * seats
    good = sum(head for head in deck.heads if head > 0) + 5 * seats
    bad = sum(head for head in deck.heads if head < 0)
    left = 2 * rules.SPECIAL_LEFT
    return Bounds(2 * cards, 1, (bad << seats) + left, good << seats)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    hand, rows = rules.DEAL[table.seats]
    return hand * table.seats + rows


# -- Observations -----------------------------------------------------------------------------


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:FIRST_NUMBER] = 0
    write_cards(ZERO, state.box[1] & ~HIGH_NUMBERS, BOX, out)  # special cards that nobody got
    for slot in range(SLOTS):
        if (state.rows >> slot) & 1:
            write_row(state, slot, out)
    at = FIRST_NUMBER + 2
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(points(state, seat)) if phase == OVER else 0
        out[at + seats + far] = count_bits(low) + count_bits(high)
        if seat != viewer and phase != OVER:  # whose a special card is, all know from the start
            low, high = ZERO, high & ~HIGH_NUMBERS if perfect else ZERO
        write_cards(low, high, FIRST + far, out)
        code = FIRST + seats + far if perfect or phase == OVER else 0
        out[at + 2 * seats + far] = write_pile(state, seat, code, out)
    out[FIRST_NUMBER] = phase
    out[FIRST_NUMBER + 1] = seats + 1 if phase == OVER else clockwise(state.actor, viewer, seats)
    out[at + 3 * seats] = state.played


@compiled
def write_row(state, slot, out):
    row, end = state.row[slot], np.int64(state.row_end[slot])
    while row != ZERO:
        card = np.int64(row & U(255))
        out[card - 1] = IN_ROW
        out[CARDS + card - 1] = end
        row >>= U(8)
    out[end - 1] = END


@compiled
def write_pile(state, seat, code, out):
    """Returns how many cards there are."""
    slots, count = U(state.pile[seat]), 0
    while slots != ZERO:
        row = state.row[lowest_bit(slots)]
        while row != ZERO:
            out[np.int64(row & U(255)) - 1] = code
            count += 1
            row >>= U(8)
        slots &= slots - ONE
    return count
