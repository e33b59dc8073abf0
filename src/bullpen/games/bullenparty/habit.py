"""Bullenparty: what a choice leaves of the prospects, as the careful bot counts them."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, count_bits, heads_in, lower_than, lowest_bit
from bullpen.games.bullenparty.rules import (
    BID_CARD,
    EXTEND,
    FULL_ROW,
    LAST_NUMBER,
    NEW_PILE,
    ON_PILE,
    TAKE_ROW,
)
from bullpen.games.bullenparty.twin import BULLS, SEATS, open_rows

A_NUMBER_BEFORE_THE_PILE = 0.016  # heads, for each card that a player's draws may still bring
A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT = 0.8, 0.2  # in hand; in the last round they count in full
WAITING = 7.6  # heads
BIDS_A_CARD = 5 / 6  # how likely another player bids a number card
NO_PILE = -1


@compiled
def drawback(state, action):
    seat = np.int64(state.actor)
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    if action > NEW_PILE:
        return -worth_of_laying(state, seat, action)
    if action > EXTEND:
        return -worth_of_extending(state, seat, low, high, action - EXTEND)
    if action > TAKE_ROW:
        return -with_row(state, seat, low, high, action - TAKE_ROW, 0)
    if action == BID_CARD:
        waiting = 0.0 if state.emptied else WAITING
        return -worth_of_bid(state, seat, low, high, LAST_NUMBER) - waiting
    card = action - BID_CARD
    half, bit = card >> 6, ONE << U(card & 63)
    if half == 0:
        return -worth_of_bid(state, seat, low & ~bit, high, card)
    return -worth_of_bid(state, seat, low, high & ~bit, card)


@compiled
def prospects(state, seat, low, high, changed, changed_top, changed_heads):
    """With these cards in hand, and one pile changed or begun, and the best main pile, which may be one
    that is not begun yet."""
    fits, does_not, number = 1.0, 1.0, 0.0
    if not state.emptied:
        fits, does_not = A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT
        left = np.int64(state.draw_end) - np.int64(state.drawn)
        number = A_NUMBER_BEFORE_THE_PILE * left / state.seats
    in_hand = heads_in(state.heads, low, high)
    begun = changed == NO_PILE and changed_top > 0
    every, best = changed_heads if begun else 0, number * LAST_NUMBER + fits * in_hand
    if begun:
        best = max(
            best,
            main_pile(
                state, low, high, in_hand, changed_top, changed_heads, fits, does_not, number
            ),
        )
    for half in range(2):
        word = state.tops[seat, half]
        while word != ZERO:
            top = (half << 6) + lowest_bit(word)
            word &= word - ONE
            pile = np.int64(state.pile_of[top]) - 1
            heads = np.int64(state.pile_heads[pile])
            if pile == changed:
                top, heads = changed_top, changed_heads
            every += heads
            best = max(
                best, main_pile(state, low, high, in_hand, top, heads, fits, does_not, number)
            )
    return best - every


@compiled
def main_pile(state, low, high, in_hand, top, heads, fits, does_not, number):
    under_low, under_high = lower_than(top)
    misfits = heads_in(state.heads, low & under_low, high & under_high)
    return (
        2 * heads + number * (LAST_NUMBER - top) + fits * (in_hand - misfits) - does_not * misfits
    )


@compiled
def with_row(state, seat, low, high, row, drawn):
    """The prospects once this row is in hand, and a card that joins it first."""
    bulls = 0
    for at in range(np.int64(state.row_length[row])):
        card = np.int64(state.row[row, at])
        if card < 64:
            low |= ONE << U(card)
        else:
            high |= ONE << U(card - 64)
    if drawn:
        if drawn < 64:
            low |= ONE << U(drawn)
        else:
            high |= ONE << U(drawn - 64)
        if state.row_length[row] + 1 == FULL_ROW and state.bulls_gone < BULLS:
            bulls += state.bull_heads[state.bulls_gone]
    if state.row_bull[row]:
        bulls += state.bull_heads[state.row_bull[row] - 1]
    return prospects(state, seat, low, high, NO_PILE, 0, 0) + bulls


@compiled
def worth_of_bid(state, seat, low, high, card):
    """Low cards choose first: the prospects with the row that is likely to be left."""
    worths, rows = np.empty(SEATS), 0
    left = open_rows(state)
    while left != ZERO:
        worth = with_row(state, seat, low, high, lowest_bit(left), 0)
        left &= left - ONE
        at = rows
        while at > 0 and worths[at - 1] < worth:
            worths[at] = worths[at - 1]
            at -= 1
        worths[at] = worth
        rows += 1
    rivals = count_bits(U(state.bidders)) - 1
    lower = BIDS_A_CARD * card / LAST_NUMBER
    likely, total = (1.0 - lower) ** rivals, 0.0
    for earlier in range(min(rivals + 1, rows)):
        total += likely * worths[earlier]
        likely *= lower / (1.0 - lower) * (rivals - earlier) / (earlier + 1)
    return total


@compiled
def worth_of_extending(state, seat, low, high, row):
    best, left = -1e9, open_rows(state)
    while left != ZERO:
        other = lowest_bit(left)
        left &= left - ONE
        drawn = np.int64(state.card_drawn) if other == row else 0
        best = max(best, with_row(state, seat, low, high, other, drawn))
    return best


@compiled
def worth_of_laying(state, seat, action):
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    pile, heads = NO_PILE, 0
    if action <= NEW_PILE + LAST_NUMBER:
        card = action - NEW_PILE
    else:
        card = (action - ON_PILE) // 100
        pile = np.int64(state.pile_of[(action - ON_PILE) % 100]) - 1
        heads = np.int64(state.pile_heads[pile])
    heads += np.int64(state.heads[card])
    if card < 64:
        low &= ~(ONE << U(card))
    else:
        high &= ~(ONE << U(card - 64))
    return prospects(state, seat, low, high, pile, card, heads)
