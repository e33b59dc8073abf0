"""Bullenparty for those who study it: how long it can get, and its observations, compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bullpen.deck import Deck
from bullpen.envs.bounds import Bounds
from bullpen.envs.compiled.writing import clockwise, limited, write_cards
from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, count_bits
from bullpen.game import Options, Seat
from bullpen.games.bullenparty import rules
from bullpen.games.bullenparty.rules import BIDDING, LAST_NUMBER, OVER
from bullpen.games.bullenparty.twin import (
    BULLS,
    FIRST_BULL,
    FIRST_ZERO,
    NUMBERS,
    SEATS,
    ZEROS,
    scores,
)

CARDS = FIRST_BULL + BULLS - 1
BOX, DRAW, DISCARD, DRAWN, SUPPLY = 1, 2, 3, 4, 5
FIRST = 6  # of the codes by seat: row, hand, bid, won, top of a pile, under a top
FIRST_NUMBER = 2 * CARDS


# -- What its observations tell besides the places --------------------------------------------

CODE_NAMES = {"bulls": "won"}
OWN_NUMBERS = ("last round", "draw pile", "discard pile")
OWN_BY_SEAT = ("bidding", "took as")
MOST = {"last round": 1}


def numbers(table: rules.Table, order: Sequence[Seat], memory: str) -> list[int]:
    piles = (table.lying[place] for place in (rules.DRAW, rules.DISCARD))
    took = [table.takers.index(other) + 1 if other in table.takers else 0 for other in order]
    return [
        min(table.emptied, 1),
        *map(len, piles),
        *(int(other in table.bidders) for other in order),
        *took,
    ]


# -- How long it can get ----------------------------------------------------------------------


def bounds(seats: int, options: Options, deck: Deck) -> Bounds:
    """Every round draws two cards a row while the draw pile lasts.  In a round at most 3 cards extend a
    row and everyone takes one, and each bidding does one of these at least; then hands are laid down."""
    drawn = len(rules.NUMBERS) - rules.HAND_SIZE * seats
    rounds = drawn // (rules.FIRST_IN_ROW * seats) + 2
    served = (rules.FULL_ROW - rules.FIRST_IN_ROW + 1) * seats
    a_round = served * seats + served + rules.FULL_ROW * seats
    decisions = a_round * rounds + 2 * rules.HAND_SIZE * seats
    heads, bulls = sum(deck.heads), sum(deck.bulls)
    # Zero cards and number cards at first; in the last round perhaps the discards for each card drawn.
    shuffles = 2 + rules.FULL_ROW * seats
    return Bounds(decisions, shuffles, -heads, heads + bulls)


def cards_dealt(table: rules.Table) -> int:
    """How many cards of a shuffle lie where their order put them; the others go to the box."""
    return table.seats if table.phase == rules.DEALING_ZEROS else len(rules.CARDS)


# -- Observations -----------------------------------------------------------------------------


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:FIRST_NUMBER] = 0
    out[FIRST_ZERO - 1 : FIRST_ZERO - 1 + ZEROS] = BOX
    write_draw_and_discard(state, viewer, perfect, out)
    for bull in range(np.int64(state.bulls_gone), BULLS):
        out[FIRST_BULL + bull - 1] = SUPPLY
    write_rows(state, out)
    write_piles(state, viewer, out)
    counted = np.zeros(SEATS, np.int32)
    scores(state, counted)
    at = FIRST_NUMBER + 2
    own = at + 2 * seats
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        out[at + far] = limited(counted[seat])
        out[at + seats + far] = write_hand(state, seat, viewer, perfect, far, out)
        won = U(state.won[seat]) << U(FIRST_BULL - 64)
        write_cards(ZERO, won, FIRST + 3 * seats + far, out)
        out[own + 3 + far] = (state.bidders >> seat) & 1
        out[own + 3 + seats + far] = 0
    for nth in range(np.int64(state.taken)):
        out[own + 3 + seats + clockwise(state.takers[nth], viewer, seats)] = nth + 1
    out[FIRST_NUMBER] = phase
    out[FIRST_NUMBER + 1] = clockwise(state.actor, viewer, seats)
    if phase == BIDDING:
        out[FIRST_NUMBER + 1] = seats
    elif phase == OVER:
        out[FIRST_NUMBER + 1] = seats + 1
    out[own] = state.emptied > 0
    out[own + 1] = np.int64(state.draw_end) - np.int64(state.drawn)
    out[own + 2] = state.discards


@compiled
def has_seen(state, card):
    return (state.seen[card >> 6] >> U(card & 63)) & ONE != ZERO


@compiled
def write_draw_and_discard(state, viewer, perfect, out):
    """A perfect memory knows the discards, and after a shuffle which cards are drawn from; a card drawn
    by somebody else counts as still in the pile."""
    if perfect:
        for at in range(np.int64(state.drawn), np.int64(state.draw_end)):
            card = np.int64(state.draw[at])
            if has_seen(state, card):
                out[card - 1] = DRAW
        for at in range(np.int64(state.discards)):
            out[np.int64(state.discard[at]) - 1] = DISCARD
    drawn = np.int64(state.card_drawn)
    if drawn:
        if state.actor == viewer:
            out[drawn - 1] = DRAWN
        elif perfect and has_seen(state, drawn):
            out[drawn - 1] = DRAW


@compiled
def write_rows(state, out):
    for row in range(1, np.int64(state.seats) + 1):
        for at in range(np.int64(state.row_length[row])):
            out[np.int64(state.row[row, at]) - 1] = FIRST + row - 1
        if state.row_bull[row]:
            out[FIRST_BULL + np.int64(state.row_bull[row]) - 2] = FIRST + row - 1


@compiled
def write_piles(state, viewer, out):
    """Piles ascend, so the last card found of a pile is its top."""
    seats = np.int64(state.seats)
    top = np.zeros(NUMBERS, np.int16)
    for card in range(1, NUMBERS + 1):
        if state.pile_of[card]:
            top[np.int64(state.pile_of[card]) - 1] = card
    for card in range(1, NUMBERS + 1):
        if state.pile_of[card]:
            pile = np.int64(state.pile_of[card]) - 1
            far = clockwise(state.pile_owner[pile], viewer, seats)
            block = 4 if top[pile] == card else 5
            out[card - 1] = FIRST + block * seats + far
            out[CARDS + card - 1] = top[pile]


@compiled
def write_hand(state, seat, viewer, perfect, far, out):
    """Hand and bid; another's bid lying face down counts as in the hand.  Returns how many are in it."""
    seats, bid = np.int64(state.seats), np.int64(state.bid[seat])
    zero, is_own = np.int64(state.zero[seat]), seat == viewer
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    count = count_bits(low) + count_bits(high) + 1
    is_secret = bid != 0 and state.phase == BIDDING
    if bid > LAST_NUMBER and not is_secret:
        count -= 1
    elif 0 < bid <= LAST_NUMBER and is_secret:
        count += 1
    if not is_own:
        low, high = (low & state.seen[0], high & state.seen[1]) if perfect else (ZERO, ZERO)
    write_cards(low, high, FIRST + seats + far, out)
    out[zero - 1] = FIRST + seats + far if is_own or perfect else 0
    if bid:
        if is_own or not is_secret:
            out[bid - 1] = FIRST + 2 * seats + far
        elif perfect and bid <= LAST_NUMBER and has_seen(state, bid):
            out[bid - 1] = FIRST + seats + far
    return count
