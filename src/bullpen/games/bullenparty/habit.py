"""Bullenparty: what a choice leaves of the prospects, as the careful bot counts them."""

from __future__ import annotations

from math import comb

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.words import ONE, ZERO, U, count_bits, heads_in, lower_than, lowest_bit
from bullpen.games.bullenparty.rules import (
    BID_CARD,
    BIDDING,
    EXTEND,
    EXTENDING,
    FULL_ROW,
    LAST_NUMBER,
    NEW_PILE,
    ON_PILE,
    PILING,
    TAKE_ROW,
)
from bullpen.games.bullenparty.twin import (
    BULLS,
    NUMBERS,
    SEATS,
    open_rows,
    short_rows,
    zero_may_be_bid,
)

A_NUMBER_BEFORE_THE_PILE = 0.016  # heads, for each card that a player's draws may still bring
A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT = 0.8, 0.2  # in hand; in the last round they count in full
WAITING = 7.6  # heads
BIDS_A_CARD = 5 / 6  # how likely another player bids a number card
# How likely so many of the rivals bid lower than a card, by rivals and card, in a table: it would take most of a bid's time.
LOWER_BIDS = np.array(
    [
        [
            [
                comb(rivals, earlier) * lower**earlier * (1 - lower) ** max(0, rivals - earlier)
                for earlier in range(SEATS)
            ]
            for lower in BIDS_A_CARD * np.arange(LAST_NUMBER + 1) / LAST_NUMBER
        ]
        for rivals in range(SEATS)
    ]
)
NO_PILE = -1
NO_DIFFERENCE = 1e-9  # heads
MOST_PILES = NUMBERS  # of one seat


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
def weights(state):
    """What a head in hand is worth that fits, and costs that does not, and a number before the pile."""
    if state.emptied:
        return 1.0, 1.0, 0.0
    left = np.int64(state.draw_end) - np.int64(state.drawn)
    number = A_NUMBER_BEFORE_THE_PILE * left / state.seats
    return A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT, number


@compiled
def prospects(state, seat, low, high):
    """With these cards in hand and the best main pile, which may be one that is not begun yet."""
    best, every = best_of_piles(state, seat, low, high, NO_PILE)
    return best - every


@compiled
def best_of_piles(state, seat, low, high, changed):
    """The worth of the best main pile except one, and the heads on all but that."""
    fits, does_not, number = weights(state)
    in_hand = heads_in(state.heads, low, high)
    every, best = 0, number * LAST_NUMBER + fits * in_hand
    misfits = 0  # the piles come in the order of their tops: each adds the cards since the last one
    for half in range(2):
        word = state.tops[seat, half]
        while word != ZERO:
            top = (half << 6) + lowest_bit(word)
            word &= word - ONE
            under_low, under_high = lower_than(top)
            misfits += heads_in(state.heads, low & under_low, high & under_high)
            low, high = low & ~under_low, high & ~under_high
            pile = np.int64(state.pile_of[top]) - 1
            if pile != changed:
                heads = np.int64(state.pile_heads[pile])
                every += heads
                worth = 2 * heads + number * (LAST_NUMBER - top) + fits * in_hand
                best = max(best, worth - (fits + does_not) * misfits)
    return best, every


@compiled
def with_row(state, seat, low, high, row, drawn):
    """The prospects once this row is in hand, and a card that joins it first."""
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
    return prospects(state, seat, low, high) + bulls_with(state, row, drawn)


@compiled
def bulls_with(state, row, drawn):
    """The heads on the bull cards that come with a row, once a card has joined it."""
    bulls = 0
    if drawn and state.row_length[row] + 1 == FULL_ROW and state.bulls_gone < BULLS:
        bulls += state.bull_heads[state.bulls_gone]
    if state.row_bull[row]:
        bulls += state.bull_heads[state.row_bull[row] - 1]
    return bulls


@compiled
def worth_of_bid(state, seat, low, high, card):
    """The prospects with the row that is likely to be left."""
    worths, rows, left = np.empty((SEATS, 1)), 0, open_rows(state)
    while left != ZERO:
        worths[rows, 0] = with_row(state, seat, low, high, lowest_bit(left), 0)
        left &= left - ONE
        rows += 1
    return row_expected(worths, 0, rows, 0, count_bits(U(state.bidders)) - 1, card)


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
    best, every = best_of_piles(state, seat, low, high, pile)
    fits, does_not, number = weights(state)
    under_low, under_high = lower_than(card)
    misfits = heads_in(state.heads, low & under_low, high & under_high)
    worth = 2 * heads + number * (LAST_NUMBER - card) + fits * heads_in(state.heads, low, high)
    return max(best, worth - (fits + does_not) * misfits) - every - heads


# -- All at once ------------------------------------------------------------------------------
# The same sums for all actions together: what a look at each of them one by one would find, in a tenth of the
# time.  The piles are counted once; a card more or less in hand changes only what fits on them.

# A table of numbers, made once for a decision: facts of the piles in the order of their tops, then for each row what
# each bid would leave.
TOPS, HEADS, WORTHS, JOINED, BEYOND, BIDS = range(6)


@compiled
def favourite(state):
    """The legal action against which the least speaks, mostly the first of several."""
    if state.phase == PILING:
        return best_laying(state, np.int64(state.actor))
    if state.phase == BIDDING:
        return best_bid(state, np.int64(state.actor))
    return best_row(state, np.int64(state.actor))


@compiled
def room():
    return np.empty((BIDS + SEATS, max(MOST_PILES, LAST_NUMBER) + 1))


@compiled
def counted_piles(state, seat, both, number, piles):
    """Fills `piles`, with their worths as the main pile but for the heads in hand, which are the same for all; how
    many they are, and the heads on them."""
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    misfits, every, count = 0, 0, 0
    for half in range(2):
        word = state.tops[seat, half]
        while word != ZERO:
            top = (half << 6) + lowest_bit(word)
            word &= word - ONE
            under_low, under_high = lower_than(top)
            misfits += heads_in(state.heads, low & under_low, high & under_high)
            low, high = low & ~under_low, high & ~under_high
            heads = np.int64(state.pile_heads[state.pile_of[top] - 1])
            piles[TOPS, count], piles[HEADS, count] = top, heads
            piles[WORTHS, count] = 2 * heads + number * (LAST_NUMBER - top) - both * misfits
            every += heads
            count += 1
    return count, every


@compiled
def look_beyond(piles, count, worths):
    """The best of these worths from each pile on."""
    best = -np.inf
    piles[BEYOND, count] = best
    for at in range(count - 1, -1, -1):
        best = max(best, piles[worths, at])
        piles[BEYOND, at] = best


@compiled
def best_laying(state, seat):
    """Every other pile stays as it was.  With the cards in their order the piles on which one may go grow."""
    fits, does_not, number = weights(state)
    both = fits + does_not
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    in_hand, misfits = heads_in(state.heads, low, high), 0
    piles = room()
    count, _ = counted_piles(state, seat, both, number, piles)
    look_beyond(piles, count, WORTHS)
    lower, richest = 0, 0  # how many piles lie under the card, and which of them has most heads
    best, best_at, second = number * LAST_NUMBER, NO_PILE, -np.inf  # of the lower ones
    new_pile, new_worth, on_pile, on_worth = 0, -np.inf, 0, -np.inf
    while low | high != ZERO:
        card = lowest_bit(low) if low != ZERO else 64 + lowest_bit(high)
        low, high = (low & (low - ONE), high) if card < 64 else (low, high & (high - ONE))
        while lower < count and piles[TOPS, lower] < card:
            worth = piles[WORTHS, lower]
            if worth > best:
                best, best_at, second = worth, lower, best
            else:
                second = max(second, worth)
            if piles[HEADS, lower] > piles[HEADS, richest]:
                richest = lower
            lower += 1
        heads = np.int64(state.heads[card])
        beyond = piles[BEYOND, lower] + both * heads
        rest = fits * (in_hand - heads) - heads
        alone = 2 * heads + number * (LAST_NUMBER - card) - both * misfits
        misfits += heads
        worth = max(best, beyond, alone) + rest
        if worth > new_worth + NO_DIFFERENCE:
            new_pile, new_worth = card, worth
        if lower:
            needed = best_at if best > beyond else NO_PILE
            at, worth = best_pile(piles, lower, richest, needed, alone, max(best, beyond))
            if at == needed:
                worth = max(second, beyond, alone + 2 * piles[HEADS, at])
            if worth + rest > on_worth + NO_DIFFERENCE:
                on_pile, on_worth = 100 * card + np.int64(piles[TOPS, at]), worth + rest
    return ON_PILE + on_pile if on_worth > new_worth + NO_DIFFERENCE else NEW_PILE + new_pile


@compiled
def best_pile(piles, lower, richest, needed, alone, untouched):
    """Onto which of the lower piles, and what it is worth: a richer main pile, or one that the main pile is not."""
    richer = alone + 2 * piles[HEADS, richest]
    if richer > untouched + NO_DIFFERENCE:
        return richest, richer
    if needed == 0:
        return min(1, lower - 1), untouched
    return 0, untouched


@compiled
def join_row(state, row, drawn, both, piles, count):
    """The worths of the piles once this row is in hand, and a card that joins it first; the heads on all these."""
    length, heads = np.int64(state.row_length[row]), np.int64(state.heads[drawn]) if drawn else 0
    for at in range(length):
        heads += state.heads[state.row[row, at]]
    for pile in range(count):
        top, misfits = piles[TOPS, pile], 0
        for at in range(length):
            card = state.row[row, at]
            misfits += state.heads[card] * (card < top)  # a branch would be guessed wrong too often
        if 0 < drawn < top:
            misfits += state.heads[drawn]
        piles[JOINED, pile] = piles[WORTHS, pile] - both * misfits
    look_beyond(piles, count, JOINED)
    return heads


@compiled
def best_row(state, seat):
    """To take, or to extend: then the best one is taken once the drawn card has joined this one."""
    fits, does_not, number = weights(state)
    both, none_begun = fits + does_not, number * LAST_NUMBER
    piles = room()
    count, _ = counted_piles(state, seat, both, number, piles)
    best, best_at, second, left = -np.inf, 0, -np.inf, open_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        heads = join_row(state, row, 0, both, piles, count)
        worth = max(none_begun, piles[BEYOND, 0]) + fits * heads + bulls_with(state, row, 0)
        if worth > best + NO_DIFFERENCE:
            best, best_at, second = worth, row, best
        else:
            second = max(second, worth)
    if state.phase != EXTENDING:
        return TAKE_ROW + best_at
    choice, most, left, drawn = 0, -np.inf, short_rows(state), np.int64(state.card_drawn)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        heads = join_row(state, row, drawn, both, piles, count)
        worth = max(none_begun, piles[BEYOND, 0]) + fits * heads + bulls_with(state, row, drawn)
        worth = max(worth, second if row == best_at else best)
        if worth > most + NO_DIFFERENCE:
            choice, most = row, worth
    return EXTEND + choice


@compiled
def best_bid(state, seat):
    """For each row what each bid would leave; then for each bid the rows that may be left for it."""
    fits, does_not, number = weights(state)
    both = fits + does_not
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    piles = room()
    count, every = counted_piles(state, seat, both, number, piles)
    in_hand, rows, left = heads_in(state.heads, low, high), 0, open_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        heads = in_hand + join_row(state, row, 0, both, piles, count)
        at_least = fits * heads + bulls_with(state, row, 0) - every
        weigh_bids(state, seat, piles, count, at_least, number * LAST_NUMBER, BIDS + rows)
        rows += 1
    rivals = count_bits(U(state.bidders)) - 1
    choice, most, at = 0, -np.inf, 0
    if zero_may_be_bid(state):
        waiting = 0.0 if state.emptied else WAITING
        most = row_expected(piles, BIDS, rows, 0, rivals, LAST_NUMBER) + waiting
    while low | high != ZERO:
        card = lowest_bit(low) if low != ZERO else 64 + lowest_bit(high)
        low, high = (low & (low - ONE), high) if card < 64 else (low, high & (high - ONE))
        at += 1
        worth = row_expected(piles, BIDS, rows, at, rivals, card)
        if worth > most + NO_DIFFERENCE:
            choice, most = card, worth
    return BID_CARD + choice


@compiled
def weigh_bids(state, seat, piles, count, at_least, best, row):
    """With a row in hand: first what is left after the zero card, then after each card."""
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    fits, does_not, lower, at = A_HEAD_THAT_FITS, A_HEAD_THAT_DOES_NOT, 0, 0
    if state.emptied:
        fits, does_not = 1.0, 1.0
    piles[row, 0] = at_least + max(best, piles[BEYOND, 0])
    while low | high != ZERO:
        card = lowest_bit(low) if low != ZERO else 64 + lowest_bit(high)
        low, high = (low & (low - ONE), high) if card < 64 else (low, high & (high - ONE))
        while lower < count and piles[TOPS, lower] < card:
            best = max(best, piles[JOINED, lower])
            lower += 1
        at += 1
        heads = np.int64(state.heads[card])
        beyond = piles[BEYOND, lower] + (fits + does_not) * heads
        piles[row, at] = at_least - fits * heads + max(best, beyond)


@compiled
def row_expected(worths, first, rows, at, rivals, card):
    """Low cards choose first: the best row that is likely to be left."""
    for row in range(first + 1, first + rows):
        worth, place = worths[row, at], row
        while place > first and worths[place - 1, at] < worth:
            worths[place, at] = worths[place - 1, at]
            place -= 1
        worths[place, at] = worth
    total = 0.0
    for earlier in range(min(rivals + 1, rows)):
        total += LOWER_BIDS[rivals, card, earlier] * worths[first + earlier, at]
    return total
