"""Bullenparty: what a choice leaves of the prospects, as the careful bot counts them."""

from __future__ import annotations

from math import comb

import numpy as np
from numba import carray  # type: ignore[attr-defined]

from bullpen.fast.compiling import compiled
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    count_bits,
    heads_by_digits,
    heads_in,
    lower_than,
    lowest_bit,
    numbers_on_the_stack,
    words_on_the_stack,
)
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

# A table of numbers, made once for a decision.  First facts of the piles that lead, in the order of their tops: they count from
# one, and column 0 stands for no pile.  Then of the cards in hand; then for each row what each bid would leave, or the drawn card.
# No step goes back and forth between piles and cards: which comes next would be guessed wrong too often.
TOPS, HEADS, WORTHS, JOINED = range(4)
BEST, BEYOND = range(4, 6)  # worth up to each pile, and after it
CARDS, LOWER, ON_CARD = range(6, 9)  # how many tops are lower, and the heads on it
EXTENDED, MISFITS = 9, 10
BIDS = 11
ROOM_SHAPE = (BIDS + SEATS, max(MOST_PILES, LAST_NUMBER) + 1)
ROOM = ROOM_SHAPE[0] * ROOM_SHAPE[1]
MASKS_SHAPE = (2, MOST_PILES + 1)
MASKS = 2 * (MOST_PILES + 1)


@compiled
def favourite(state):
    """The legal action against which the least speaks, mostly the first of several."""
    if state.phase == PILING:
        return best_laying(state, np.int64(state.actor))
    if state.phase == BIDDING:
        return best_bid(state, np.int64(state.actor))
    return best_row(state, np.int64(state.actor))


@compiled
def heads_on(state, low, high):
    return heads_by_digits(state.head_digits, state.digits, low, high)


@compiled
def list_leaders(state, seat, piles, under):
    """The piles that lead, and in `under` the cards that do not fit on them; how many, and their tops as a set.  A pile leads if
    none with a lower top has as many heads: one that does not is never worth more, whatever is in hand."""
    count, most, leading_low, leading_high = 1, -1, ZERO, ZERO
    for half in range(2):
        word = state.tops[seat, half]
        while word != ZERO:
            bit, top = word & -word, (half << 6) + lowest_bit(word)
            word ^= bit
            heads = np.int64(state.pile_heads[state.pile_of[top] - 1])
            piles[TOPS, count], piles[HEADS, count] = top, heads
            under[0, count] = ~ZERO if half else bit - ONE
            under[1, count] = bit - ONE if half else ZERO
            leads = heads > most
            most = max(most, heads)
            count += leads
            leading_low |= bit if leads and half == 0 else ZERO
            leading_high |= bit if leads and half == 1 else ZERO
    piles[TOPS, 0], piles[HEADS, 0] = 0, -np.inf
    return count - 1, leading_low, leading_high


@compiled
def weigh_leaders(state, seat, both, number, piles, under, count):
    """Their worths as the main pile, but for the heads in hand, which are the same for all."""
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    for at in range(1, count + 1):
        misfits = heads_on(state, low & under[0, at], high & under[1, at])
        worth = 2 * piles[HEADS, at] + number * (LAST_NUMBER - piles[TOPS, at])
        piles[WORTHS, at] = worth - both * misfits


@compiled
def look_around(piles, worths, count, none_begun):
    """The best worth up to each pile, or of one that is not begun, and the best after it."""
    best = none_begun
    piles[BEST, 0] = best
    for at in range(1, count + 1):
        best = max(best, piles[worths, at])
        piles[BEST, at] = best
    best = -np.inf
    piles[BEYOND, count] = best
    for at in range(count, 0, -1):
        best = max(best, piles[worths, at])
        piles[BEYOND, at - 1] = best


@compiled
def list_cards(state, seat, leading_low, leading_high, piles):
    """The hand in its order; how many."""
    low, high, count = state.hand[seat, 0], state.hand[seat, 1], 0
    while low != ZERO:
        card = lowest_bit(low)
        piles[CARDS, count], piles[ON_CARD, count] = card, state.heads[card]
        piles[LOWER, count] = count_bits(leading_low & ((low & -low) - ONE))
        low &= low - ONE
        count += 1
    leading = count_bits(leading_low)
    while high != ZERO:
        card = 64 + lowest_bit(high)
        piles[CARDS, count], piles[ON_CARD, count] = card, state.heads[card]
        piles[LOWER, count] = leading + count_bits(leading_high & ((high & -high) - ONE))
        high &= high - ONE
        count += 1
    return count


@compiled
def best_laying(state, seat):
    """Every other pile stays as it was.  A card begins a pile or goes on the richest that it may go on: on any other
    it brings no more than a pile of its own."""
    fits, does_not, number = weights(state)
    both = fits + does_not
    in_hand, misfits = heads_on(state, state.hand[seat, 0], state.hand[seat, 1]), 0
    piles = carray(numbers_on_the_stack(ROOM), ROOM_SHAPE)
    under = carray(words_on_the_stack(MASKS), MASKS_SHAPE)
    count, leading_low, leading_high = list_leaders(state, seat, piles, under)
    weigh_leaders(state, seat, both, number, piles, under, count)
    look_around(piles, WORTHS, count, number * LAST_NUMBER)
    new_pile, new_worth, on_pile, on_worth = 0, -np.inf, 0, -np.inf
    for at in range(list_cards(state, seat, leading_low, leading_high, piles)):
        card, lower = np.int64(piles[CARDS, at]), np.int64(piles[LOWER, at])
        heads = np.int64(piles[ON_CARD, at])
        untouched = max(piles[BEST, lower], piles[BEYOND, lower] + both * heads)
        rest = fits * (in_hand - heads) - heads
        alone = 2 * heads + number * (LAST_NUMBER - card) - both * misfits
        misfits += heads
        worth = max(untouched, alone) + rest
        if worth > new_worth + NO_DIFFERENCE:
            new_pile, new_worth = card, worth
        worth = alone + 2 * piles[HEADS, lower] + rest
        if worth > on_worth + NO_DIFFERENCE:
            on_pile, on_worth = 100 * card + np.int64(piles[TOPS, lower]), worth
    return ON_PILE + on_pile if on_worth > new_worth + NO_DIFFERENCE else NEW_PILE + new_pile


@compiled
def best_row(state, seat):
    """To take, or to extend: then the best one is taken once the drawn card has joined this one."""
    fits, does_not, number = weights(state)
    both = fits + does_not
    piles = carray(numbers_on_the_stack(ROOM), ROOM_SHAPE)
    under = carray(words_on_the_stack(MASKS), MASKS_SHAPE)
    count, _, _ = list_leaders(state, seat, piles, under)
    weigh_leaders(state, seat, both, number, piles, under, count)
    drawn = np.int64(state.card_drawn)
    on_drawn = np.int64(state.heads[drawn])
    best, best_at, second, left = -np.inf, 0, -np.inf, open_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        low, high = state.row_set[row, 0], state.row_set[row, 1]
        worth = extended = number * LAST_NUMBER
        for at in range(1, count + 1):
            misfits = heads_on(state, low & under[0, at], high & under[1, at])
            joined = piles[WORTHS, at] - both * misfits
            worth = max(worth, joined)
            extended = max(extended, joined - (both * on_drawn if drawn < piles[TOPS, at] else 0.0))
        heads = heads_on(state, low, high)
        worth += fits * heads + bulls_with(state, row, 0)
        extended += fits * (heads + on_drawn) + bulls_with(state, row, drawn)
        piles[EXTENDED, row] = extended
        if worth > best + NO_DIFFERENCE:
            best, best_at, second = worth, row, best
        else:
            second = max(second, worth)
    if state.phase != EXTENDING:
        return TAKE_ROW + best_at
    choice, most, left = 0, -np.inf, short_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        worth = max(piles[EXTENDED, row], second if row == best_at else best)
        if worth > most + NO_DIFFERENCE:
            choice, most = row, worth
    return EXTEND + choice


@compiled
def best_bid(state, seat):
    """For each row what each bid would leave; then for each bid the rows that may be left for it."""
    fits, does_not, number = weights(state)
    both = fits + does_not
    piles = carray(numbers_on_the_stack(ROOM), ROOM_SHAPE)
    under = carray(words_on_the_stack(MASKS), MASKS_SHAPE)
    count, leading_low, leading_high = list_leaders(state, seat, piles, under)
    weigh_leaders(state, seat, both, number, piles, under, count)
    cards, rows = list_cards(state, seat, leading_low, leading_high, piles), 0
    left = open_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        heads = join_row(state, row, both, piles, under, count)
        look_around(piles, JOINED, count, number * LAST_NUMBER)
        at_least = fits * heads + bulls_with(state, row, 0)
        weigh_bids(piles, cards, at_least, fits, both, BIDS + rows)
        rows += 1
    sort_bids(piles, cards, rows)
    rivals = count_bits(U(state.bidders)) - 1
    choice, most = 0, -np.inf
    if zero_may_be_bid(state):
        waiting = 0.0 if state.emptied else WAITING
        most = row_left(piles, BIDS, rows, 0, rivals, LAST_NUMBER) + waiting
    for at in range(cards):
        card = np.int64(piles[CARDS, at])
        worth = row_left(piles, BIDS, rows, at + 1, rivals, card)
        if worth > most + NO_DIFFERENCE:
            choice, most = card, worth
    return BID_CARD + choice


@compiled
def join_row(state, row, both, piles, under, count):
    """The worths of the piles once this row is in hand; the heads on it."""
    low, high = state.row_set[row, 0], state.row_set[row, 1]
    for at in range(1, count + 1):
        misfits = heads_on(state, low & under[0, at], high & under[1, at])
        piles[JOINED, at] = piles[WORTHS, at] - both * misfits
    return heads_on(state, low, high)


@compiled
def weigh_bids(piles, cards, at_least, fits, both, row):
    """With a row in hand: first what is left after the zero card, then after each card."""
    piles[row, 0] = at_least + max(piles[BEST, 0], piles[BEYOND, 0])
    for at in range(cards):
        lower, heads = np.int64(piles[LOWER, at]), piles[ON_CARD, at]
        beyond = piles[BEYOND, lower] + both * heads
        piles[row, at + 1] = at_least - fits * heads + max(piles[BEST, lower], beyond)


@compiled
def sort_bids(piles, cards, rows):
    """What each bid would leave of the rows, the best first."""
    for end in range(BIDS + rows - 1, BIDS, -1):
        for row in range(BIDS, end):
            for at in range(cards + 1):
                one, other = piles[row, at], piles[row + 1, at]
                piles[row, at] = max(one, other)
                piles[row + 1, at] = min(one, other)


@compiled
def row_expected(worths, first, rows, at, rivals, card):
    """Low cards choose first: the best row that is likely to be left."""
    for row in range(first + 1, first + rows):
        worth, place = worths[row, at], row
        while place > first and worths[place - 1, at] < worth:
            worths[place, at] = worths[place - 1, at]
            place -= 1
        worths[place, at] = worth
    return row_left(worths, first, rows, at, rivals, card)


@compiled
def row_left(worths, first, rows, at, rivals, card):
    """The same of rows that are sorted."""
    total = 0.0
    for earlier in range(min(rivals + 1, rows)):
        total += LOWER_BIDS[rivals, card, earlier] * worths[first + earlier, at]
    return total


# -- What speaks against each -----------------------------------------------------------------
# As `drawback` finds it, to the last bit: whole numbers are shared between the actions, and whatever is rounded is added up in its order.


@compiled
def weigh_all(state, actions, drawbacks):
    """The legal actions in their order, and the drawback of each; how many there are."""
    piles = carray(numbers_on_the_stack(ROOM), ROOM_SHAPE)
    seat = np.int64(state.actor)
    if state.phase == PILING:
        return weigh_layings(state, seat, piles, actions, drawbacks)
    under = carray(words_on_the_stack(MASKS), MASKS_SHAPE)
    count, leading_low, leading_high = list_leaders(state, seat, piles, under)
    count_misfits(state, seat, piles, under, count)
    if state.phase == BIDDING:
        bids = list_cards(state, seat, leading_low, leading_high, piles)
        return weigh_each_bid(state, seat, piles, under, count, bids, actions, drawbacks)
    if state.phase == EXTENDING:
        return weigh_extensions(state, seat, piles, under, count, actions, drawbacks)
    return weigh_rows(state, seat, piles, under, count, actions, drawbacks)


@compiled
def count_misfits(state, seat, piles, under, count):
    """By pile: the heads in hand that do not fit on it; and its worth before what is in hand."""
    _, _, number = weights(state)
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    for at in range(1, count + 1):
        piles[MISFITS, at] = heads_on(state, low & under[0, at], high & under[1, at])
        piles[WORTHS, at] = 2 * piles[HEADS, at] + number * (LAST_NUMBER - piles[TOPS, at])


@compiled
def heads_on_piles(state, seat):
    every = 0
    for half in range(2):
        word = state.tops[seat, half]
        while word != ZERO:
            top = (half << 6) + lowest_bit(word)
            word &= word - ONE
            every += np.int64(state.pile_heads[state.pile_of[top] - 1])
    return every


@compiled
def join_heads(state, row, piles, under, count):
    """By pile: the heads on this row that do not fit on it; how many there are in all."""
    low, high = state.row_set[row, 0], state.row_set[row, 1]
    for at in range(1, count + 1):
        piles[JOINED, at] = heads_on(state, low & under[0, at], high & under[1, at])
    return heads_on(state, low, high)


@compiled
def best_main_pile(state, piles, count, in_hand, card, heads):
    """The worth of the best of the piles with so many heads in hand, some of them on a card that has come, or gone if they are below zero."""
    fits, does_not, number = weights(state)
    on_hand, both = fits * in_hand, fits + does_not
    best = number * LAST_NUMBER + on_hand
    for at in range(1, count + 1):
        changed = heads if card < piles[TOPS, at] else 0
        misfits = piles[MISFITS, at] + piles[JOINED, at] + changed
        best = max(best, piles[WORTHS, at] + on_hand - both * misfits)
    return best


@compiled
def weigh_rows(state, seat, piles, under, count, actions, drawbacks):
    in_hand = heads_on(state, state.hand[seat, 0], state.hand[seat, 1])
    every, rows, left = heads_on_piles(state, seat), 0, open_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        heads = in_hand + join_heads(state, row, piles, under, count)
        best = best_main_pile(state, piles, count, heads, 0, 0)
        actions[rows], drawbacks[rows] = TAKE_ROW + row, -(best - every + bulls_with(state, row, 0))
        rows += 1
    return rows


@compiled
def weigh_extensions(state, seat, piles, under, count, actions, drawbacks):
    """The best row is taken once the drawn card has joined this one."""
    in_hand = heads_on(state, state.hand[seat, 0], state.hand[seat, 1])
    drawn = np.int64(state.card_drawn)
    on_drawn = np.int64(state.heads[drawn])
    every, left = heads_on_piles(state, seat), open_rows(state)
    best, best_at, second = -1e9, 0, -1e9
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        heads = in_hand + join_heads(state, row, piles, under, count)
        worth = best_main_pile(state, piles, count, heads, 0, 0)
        worth = worth - every + bulls_with(state, row, 0)
        extended = best_main_pile(state, piles, count, heads + on_drawn, drawn, on_drawn)
        piles[EXTENDED, row] = extended - every + bulls_with(state, row, drawn)
        if worth > best:
            best, best_at, second = worth, row, best
        else:
            second = max(second, worth)
    rows, left = 0, short_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        worth = max(piles[EXTENDED, row], second if row == best_at else best)
        actions[rows], drawbacks[rows] = EXTEND + row, -worth
        rows += 1
    return rows


@compiled
def weigh_each_bid(state, seat, piles, under, count, cards, actions, drawbacks):
    """For each row what each bid would leave, as `best_bid` does it; column 0 is the zero card's."""
    in_hand = heads_on(state, state.hand[seat, 0], state.hand[seat, 1])
    every, rows, left = heads_on_piles(state, seat), 0, open_rows(state)
    while left != ZERO:
        row = lowest_bit(left)
        left &= left - ONE
        heads = in_hand + join_heads(state, row, piles, under, count)
        bulls = bulls_with(state, row, 0)
        best = best_main_pile(state, piles, count, heads, 0, 0)
        piles[BIDS + rows, 0] = best - every + bulls
        for at in range(cards):
            card, gone = np.int64(piles[CARDS, at]), np.int64(piles[ON_CARD, at])
            best = best_main_pile(state, piles, count, heads - gone, card, -gone)
            piles[BIDS + rows, at + 1] = best - every + bulls
        rows += 1
    sort_bids(piles, cards, rows)
    rivals, bids = count_bits(U(state.bidders)) - 1, 0
    if zero_may_be_bid(state):
        waiting = 0.0 if state.emptied else WAITING
        against = -row_left(piles, BIDS, rows, 0, rivals, LAST_NUMBER) - waiting
        actions[0], drawbacks[0] = BID_CARD, against
        bids = 1
    for at in range(cards):
        card = np.int64(piles[CARDS, at])
        actions[bids] = BID_CARD + card
        drawbacks[bids] = -row_left(piles, BIDS, rows, at + 1, rivals, card)
        bids += 1
    return bids


@compiled
def list_piles(state, seat, number, piles):
    """All of them in the order of their tops, from 0 on, with the heads in hand that do not fit; how many, and the heads on all."""
    low, high, count, every = state.hand[seat, 0], state.hand[seat, 1], 0, 0
    for half in range(2):
        word = state.tops[seat, half]
        while word != ZERO:
            top = (half << 6) + lowest_bit(word)
            under = (word & -word) - ONE
            word &= word - ONE
            misfits = heads_on(state, low if half else low & under, high & under if half else ZERO)
            heads = np.int64(state.pile_heads[state.pile_of[top] - 1])
            every += heads
            piles[TOPS, count], piles[HEADS, count], piles[MISFITS, count] = top, heads, misfits
            piles[WORTHS, count] = 2 * heads + number * (LAST_NUMBER - top)
            count += 1
    return count, every


@compiled
def weigh_layings(state, seat, piles, actions, drawbacks):
    """The best pile but the one that a card goes on is the best of all, or the second if it goes on that."""
    fits, does_not, number = weights(state)
    both = fits + does_not
    count, every = list_piles(state, seat, number, piles)
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    in_hand, misfits = heads_on(state, low, high), 0
    cards = list_cards(state, seat, state.tops[seat, 0], state.tops[seat, 1], piles)
    layings = cards
    for at in range(cards):
        card, lower = np.int64(piles[CARDS, at]), np.int64(piles[LOWER, at])
        heads = np.int64(piles[ON_CARD, at])
        on_hand = fits * (in_hand - heads)
        best, best_at, second = number * LAST_NUMBER + on_hand, -1, number * LAST_NUMBER + on_hand
        for pile in range(count):
            gone = heads if pile >= lower else 0
            worth = piles[WORTHS, pile] + on_hand - both * (piles[MISFITS, pile] - gone)
            second = max(second, min(best, worth))
            best_at = pile if worth > best else best_at
            best = max(best, worth)
        ahead = number * (LAST_NUMBER - card)
        alone = 2 * heads + ahead + on_hand - both * misfits
        actions[at], drawbacks[at] = NEW_PILE + card, -(max(best, alone) - every - heads)
        for pile in range(min(lower, actions.size - layings)):
            on_it = np.int64(piles[HEADS, pile])
            worth = 2 * (on_it + heads) + ahead + on_hand - both * misfits
            others = second if pile == best_at else best
            actions[layings] = ON_PILE + 100 * card + np.int64(piles[TOPS, pile])
            drawbacks[layings] = -(max(others, worth) - (every - on_it) - (on_it + heads))
            layings += 1
        misfits += heads
    return layings
