"""Baron Oxx for those who study it: how long it can get, and its observations, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bullpen.cards import UNSEEN, Lying
from bullpen.deck import Deck
from bullpen.envs.bounds import Bounds, whole
from bullpen.envs.compiled.writing import clockwise, limited, write_laid
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, count_bits
from bullpen.game import Options, Seat
from bullpen.games.baron_oxx import rules
from bullpen.games.baron_oxx.rules import LAYING, OVER
from bullpen.games.baron_oxx.twin import CARDS, ROWS, ring_at

FIRST = ROWS + 1  # of the codes by seat: hand, laid, draw, bull pile


# -- What its observations tell besides the places --------------------------------------------

OWN_NUMBERS = ("games played", "gone under", *(f"end of row {row}" for row in rules.ROWS))


def links_told(options: Options) -> str:
    return "depth in its draw pile" if options.get("variant", "positive") == "positive" else ""


def link(game: Any, table: Any, lying: Lying, seat: Seat, form: Any, seen: Any) -> None:
    """BO-16 (positive): a card that went under is known where it lies in the draw pile; 1 is on top."""
    for pile in lying[rules.DRAW : rules.DRAW + table.seats]:
        for depth, card in enumerate(pile, start=1):
            if card != UNSEEN:
                seen[form.cards + card - 1] = depth


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    rows = [table.lying[rules.ROW + row] for row in rules.ROWS]
    gone_under = table.gone_under.bit_count() if memory == "perfect" else 0
    return [len(table.points), gone_under, *(row[-1] if row else 0 for row in rows)]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """A card and perhaps a row for each card; in the positive variant all cards that are left may go
    under between two that are placed."""
    games, cards = whole(options["games"]), rules.CARDS_EACH[seats] * seats
    bulls = sum(sum(colours) for colours in deck.colours) * games
    if options["variant"] == "positive":
        return Bounds(cards * (cards + 2) * games, games, -bulls, bulls)
    return Bounds(2 * cards * games, games, 0, bulls)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return rules.CARDS_EACH[table.seats] * table.seats + len(rules.ROWS)


# -- Observations -----------------------------------------------------------------------------


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    first_number = CARDS * (2 if state.positive else 1)
    out[:first_number] = 0
    at = first_number + 2
    rows_from = at + 4 * seats + 2
    for row in range(1, ROWS + 1):
        write_chain(state, state.row_end[row], row, out)
        out[rows_from + row - 1] = state.row_end[row]
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = state.in_hand[seat]
        out[at + 2 * seats + far] = np.int64(state.left[seat]) - np.int64(state.in_hand[seat])
        write_hand(state, seat, viewer, perfect, far, out)
        write_draw_pile(state, seat, perfect, far, out)
        code = FIRST + 3 * seats + far if perfect or phase == OVER else 0
        out[at + 3 * seats + far] = write_chain(state, state.pile_top[seat], code, out)
    known = (state.seen[0], state.seen[1]) if perfect else (ZERO, ZERO)
    write_laid(state, viewer, phase == LAYING, known, FIRST, at + seats, out)
    out[first_number] = phase
    out[first_number + 1] = clockwise(state.actor, viewer, seats)
    if phase == LAYING:
        out[first_number + 1] = seats
    elif phase == OVER:
        out[first_number + 1] = seats + 1
    out[at + 4 * seats] = limited(state.rounds_played)
    gone_under = count_bits(state.gone_under[0]) + count_bits(state.gone_under[1])
    out[at + 4 * seats + 1] = gone_under if perfect else 0


@compiled
def has_seen(state, card):
    return (state.seen[card >> 6] >> U(card & 63)) & ONE != ZERO


@compiled
def write_chain(state, top, code, out):
    """A card and all the cards below it; returns how many."""
    card, count = np.int64(top), 0
    while card != 0:
        out[card - 1] = code
        card = np.int64(state.lies_on[card])
        count += 1
    return count


@compiled
def write_hand(state, seat, viewer, perfect, far, out):
    is_open = seat == viewer or state.phase == OVER
    for n in range(np.int64(state.in_hand[seat])):
        card = np.int64(state.ring[ring_at(state, seat, n)])
        if is_open or (perfect and has_seen(state, card)):
            out[card - 1] = FIRST + far


@compiled
def write_draw_pile(state, seat, perfect, far, out):
    """Nobody sees it, but a perfect memory knows what went under it."""
    is_open, in_hand = state.phase == OVER, np.int64(state.in_hand[seat])
    if not is_open and not (perfect and state.positive):
        return
    for n in range(in_hand, np.int64(state.left[seat])):
        card = np.int64(state.ring[ring_at(state, seat, n)])
        if is_open or has_seen(state, card):
            out[card - 1] = FIRST + 2 * np.int64(state.seats) + far
            if state.positive:
                out[CARDS + card - 1] = n - in_hand + 1
