"""11 nimmt! for those who study it: how long it can get, and its observations, compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bullpen.deck import Deck
from bullpen.envs.bounds import Bounds, whole
from bullpen.envs.compiled.writing import clockwise, limited, write_cards
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, count_bits
from bullpen.game import Options, Seat
from bullpen.games.eleven_nimmt import rules
from bullpen.games.eleven_nimmt.rules import OVER
from bullpen.games.eleven_nimmt.twin import CARDS

TOP, TOP_PLAYED_ON, UNDER = 1, 2, 3
FIRST = 4  # of the codes by seat: hand
FIRST_NUMBER = 2 * CARDS


# -- What its observations tell besides the places --------------------------------------------

HEAP_CODES = ("top of a stack", "top of a stack played on", "under a top")
OWN_NUMBERS = ("rounds played", "starter", "draw pile", "stacks played on", "last name")
OWN_BY_SEAT = ("bull cards",)


def heap_kind(table: rules.Table, at: int) -> int:
    return int(at in [slot for slot, _ in table.served])


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    last_name = table.served[-1][1] if table.served else 0
    return [
        len(table.points),
        order.index(table.starter),
        len(table.lying[rules.DRAW]),
        len(table.served),
        last_name,
        *(len(table.lying[rules.BULLS + other]) for other in order),
    ]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every stack is opened from the draw pile and taken once at most; between two takings no card is
    played twice.  A play may be followed by the end of a turn, a taking by the choice of a bull card."""
    rounds = whole(options["rounds"])
    cards = len(rules.CARDS)
    takings = cards - rules.HAND_SIZE * seats
    a_round = 2 * cards * (takings + 1) + 2 * takings
    return Bounds(a_round * rounds, rounds, 0, sum(deck.heads) * rounds)


# -- Observations -----------------------------------------------------------------------------


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:FIRST_NUMBER] = 0
    write_stacks(state, perfect, out)
    at = FIRST_NUMBER + 2
    own = at + 2 * seats
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = count_bits(low) + count_bits(high)
        out[own + 5 + far] = state.bulls[seat]
        if seat != viewer and phase != OVER:
            low, high = (low & state.seen[0], high & state.seen[1]) if perfect else (ZERO, ZERO)
        write_cards(low, high, FIRST + far, out)
    out[FIRST_NUMBER] = phase
    out[FIRST_NUMBER + 1] = seats + 1 if phase == OVER else clockwise(state.actor, viewer, seats)
    served = np.int64(state.served)
    out[own] = limited(state.rounds_played)
    out[own + 1] = clockwise(state.starter, viewer, seats)
    out[own + 2] = np.int64(state.draw_end) - np.int64(state.drawn)
    out[own + 3] = served
    out[own + 4] = state.served_name[served - 1] if served else 0


@compiled
def write_stacks(state, perfect, out):
    """Of a stack one sees the top card; a perfect memory knows what lies under it."""
    played_on = ZERO
    for at in range(np.int64(state.served)):
        played_on |= ONE << U(state.served_slot[at])
    for slot in range(np.int64(state.stacks)):
        top = np.int64(state.top[slot])
        out[top - 1] = TOP_PLAYED_ON if (played_on >> U(slot)) & ONE != ZERO else TOP
        out[CARDS + top - 1] = top
        card = top
        for _ in range(np.int64(state.size[slot]) - 1 if perfect else 0):
            card = np.int64(state.under[card])
            out[card - 1] = UNDER
            out[CARDS + card - 1] = top
