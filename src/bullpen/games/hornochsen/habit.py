"""Hornochsen!: finish green rows, in this turn if the hand can, and leave red ones to the others."""

from __future__ import annotations

import numpy as np
from numba import carray  # type: ignore[attr-defined]

from bullpen.fast.compiling import compiled, inlined, uncounted
from bullpen.fast.dispatch import NO_SHORT_WAY
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    below,
    count_bits,
    lower_than,
    lowest_bit,
    nth_bit,
    words_on_the_stack,
)
from bullpen.games.hornochsen.rules import (
    CARDS_A_TURN,
    FULL_AT,
    PLAY,
    PLUS5_ON,
    PLUS5_POINTS,
    STOP,
    X2_ON,
)
from bullpen.games.hornochsen.twin import (
    HIGH_NUMBERS,
    PLUS5_CHOICE,
    SLOTS,
    STOP_CHOICE,
    X2_CHOICE,
    action_of,
    choices,
    doubled,
    heads_of,
    row_for,
    rows_for_plus5,
    rows_for_x2,
    slot_of,
    slot_of_choice,
)

A_CARD_FURTHER_OFF = 0.6
LEFT_TO_OTHERS = 0.3
# What a head of a row counts that lacks so many more cards; in a table, for a power takes longer than the rest.
FURTHER_OFF = np.array([LEFT_TO_OTHERS * A_CARD_FURTHER_OFF**cards for cards in range(FULL_AT)])
SPECIAL_KEPT = 2.0
FEW_CARDS = 3


@inlined
def drawback(state, action):
    if action == STOP:
        return 0.0
    if action > X2_ON:
        is_plus5 = action > PLUS5_ON
        end = action - (PLUS5_ON if is_plus5 else X2_ON)
        return cost_of_special(state, slot_of(state, end), is_plus5)
    return cost_of_number(state, action - PLAY)


@inlined
def cost_of_number(state, card):
    """The question that most cards answer with no comes first: those that are as often answered with yes cannot be foretold."""
    end = row_for(state, card)
    slot = slot_of(state, end)
    heads = np.int64(state.row_heads[slot]) + heads_of(state, card)
    x2 = has_x2(state, slot)
    missing = missing_in(state, slot) - 1
    if missing < left_in_turn(state) and (
        missing == 0 or (heads > 0 and count_next(state, card, end) >= missing)
    ):
        return -np.float64(gain_of_taking(state, heads, x2))
    return doubled(heads, x2) * FURTHER_OFF[U(missing - 1)]


@uncounted
def cost_of_special(state, slot, is_plus5):
    """It is kept for a row that can be finished in this turn, until the hand runs out."""
    seat, end = state.actor, np.int64(state.row_end[slot])
    numbers = count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1] & HIGH_NUMBERS)
    cost = SPECIAL_KEPT if numbers > FEW_CARDS else -SPECIAL_KEPT
    missing = missing_in(state, slot)
    if missing < left_in_turn(state) and count_next(state, end, end) >= missing:
        heads, x2 = np.int64(state.row_heads[slot]), has_x2(state, slot)
        cost += LEFT_TO_OTHERS * gain_of_taking(state, heads, x2)
        if is_plus5:
            cost -= LEFT_TO_OTHERS * gain_of_taking(state, heads + PLUS5_POINTS, x2)
        else:
            cost -= LEFT_TO_OTHERS * gain_of_taking(state, heads, 1)
    return cost


@uncounted
def left_in_turn(state):
    """How many cards may be played, with the one that is weighed."""
    return CARDS_A_TURN - np.int64(state.played)


@uncounted
def has_x2(state, slot):
    return (np.int64(state.with_x2) >> slot) & 1


@uncounted
def missing_in(state, slot):
    """Number cards, until the row is full."""
    return np.int64(state.full_at) - np.int64(state.row_numbers[slot])


@uncounted
def gain_of_taking(state, heads, x2):
    """What a row with so many heads would bring: an x2 doubles all that lies in the pile."""
    seat = state.actor
    pile, doublings = np.int64(state.pile_heads[seat]), np.int64(state.doublings[seat])
    return doubled(pile + heads, doublings + x2) - doubled(pile, doublings)


@uncounted
def count_next(state, card, end):
    """How many cards of the hand could go on, after the card that is weighed, with a row that now ends in `end` and then in `card`."""
    low, high = state.hand[state.actor, 0], state.hand[state.actor, 1] & HIGH_NUMBERS
    reach_low, reach_high = reach(state, card, end)
    return count_bits(low & reach_low) + count_bits(high & reach_high)


@uncounted
def reach(state, card, end):
    """HO-8, HO-9: the cards that would go there, as a set: up to the next row's end, or round to the lowest one's."""
    low, high = state.ends[0], state.ends[1]
    if end < 64:
        low &= ~(ONE << U(end))
    else:
        high &= ~(ONE << U(end - 64))
    past_low, past_high = lower_than(card + 1)
    above_low, above_high = low & ~past_low, high & ~past_high
    if above_low | above_high != ZERO:
        low, high = lower_than(lowest_card(above_low, above_high))
        return low & ~past_low, high & ~past_high
    low, high = lower_than(lowest_card(low, high) if low | high != ZERO else card)
    return low | ~past_low, high | ~past_high


@uncounted
def lowest_card(low, high):
    return lowest_bit(low) if low != ZERO else 64 + lowest_bit(high)


# -- Several ----------------------------------------------------------------------------------
# First all are drawn, then all are weighed.  How one is weighed depends on what was drawn, and a processor goes on by a guess until it knows:
# the longer ago it was drawn, the sooner a wrong guess is noticed.

MOST_LOOKS = 16


@uncounted
def best_of_some(state, looks, rng):
    """Of so many random actions the first with the least drawback; what there is to draw from is listed once."""
    if looks > MOST_LOOKS:
        return NO_SHORT_WAY
    words, before = words_on_the_stack(3), words_on_the_stack(3)
    drawn = words_on_the_stack(MOST_LOOKS)
    count = list_choices(state, words, before)
    draw_choices(words, before, count, drawn, looks, rng)
    best, least = STOP_CHOICE, np.inf
    for at in range(looks):
        choice = np.int64(drawn[at])
        against = drawback_of_choice(state, choice)
        if against < least:
            best, least = choice, against
    return action_of(state, best)


@uncounted
def list_choices(state, words, before):
    """The words of choices, and how many come before each; how many there are."""
    words[0], words[1], words[2] = choices(state)
    in_low = count_bits(words[0])
    in_both = in_low + count_bits(words[1])
    before[0], before[1], before[2] = ZERO, U(in_low), U(in_both)
    return in_both + count_bits(words[2])


@uncounted
def draw_choices(words, before, count, drawn, looks, rng):
    """The word that a choice is in is looked up: LLVM makes branches of a selection in a loop, which here are guessed wrong half the time."""
    in_low, in_both = np.int64(before[1]), np.int64(before[2])
    for at in range(looks):
        n = below(rng, count)
        word = np.int64(n >= in_low) + np.int64(n >= in_both)
        drawn[at] = U((word << 6) + nth_bit(words[word], n - np.int64(before[word])))


@inlined
def drawback_of_choice(state, choice):
    if choice < X2_CHOICE:
        return cost_of_number(state, choice)
    if choice == STOP_CHOICE:
        return 0.0
    return cost_of_special(state, slot_of_choice(choice), choice >= PLUS5_CHOICE)


# -- All at once ------------------------------------------------------------------------------
# The same for all legal actions together.  The rows are gone through once, from the lowest end up: how many cards of the hand go on each
# is then known, and how many of them come after each card.


@compiled
def weigh_all(state, actions, drawbacks):
    """The legal actions in their order, and the drawback of each; how many there are."""
    upto = carray(words_on_the_stack(SLOTS), SLOTS)
    seat, count = np.int64(state.actor), 0
    if state.played:
        actions[0], drawbacks[0] = STOP, 0.0
        count = 1
    low, high = state.hand[seat, 0], state.hand[seat, 1] & HIGH_NUMBERS
    numbers = count_bits(low) + count_bits(high)
    count_upto_ends(state, low, high, upto)
    count = weigh_numbers(state, seat, low, high, numbers, upto, actions, drawbacks, count)
    return weigh_specials(state, seat, low, high, numbers, upto, actions, drawbacks, count)


@uncounted
def count_upto_ends(state, low, high, upto):
    """By slot: how many cards of the hand come before the next row's end; those below all ends come once more after all others,
    for they go round to the row with the highest end."""
    before, first = -1, 0
    for half in range(2):
        ends = state.ends[half]
        hand, under = (high, count_bits(low)) if half else (low, 0)
        while ends != ZERO:
            lower = under + count_bits(hand & ((ends & -ends) - ONE))
            if before < 0:
                first = lower
            else:
                upto[before] = U(lower)
            before = np.int64(state.row_of[(half << 6) + lowest_bit(ends)])
            ends &= ends - ONE
    upto[before] = U(count_bits(low) + count_bits(high) + first)


@uncounted
def weigh_numbers(state, seat, low, high, numbers, upto, actions, drawbacks, count):
    pile, doublings = np.int64(state.pile_heads[seat]), np.int64(state.doublings[seat])
    before = doubled(pile, doublings)
    left = CARDS_A_TURN - np.int64(state.played)
    lowest = lowest_card(state.ends[0], state.ends[1])
    alone = state.rows & (state.rows - 1) == 0
    for at in range(numbers):
        is_low = low != ZERO
        word = low if is_low else high
        card = lowest_bit(word) + (0 if is_low else 64)
        high = high if is_low else word & (word - ONE)
        low = word & (word - ONE) if is_low else ZERO
        end = row_for(state, card)
        slot = slot_of(state, end)
        heads = np.int64(state.row_heads[slot]) + heads_of(state, card)
        x2 = has_x2(state, slot)
        missing = missing_in(state, slot) - 1
        later = np.int64(upto[slot]) - at - 1 - (numbers if card < lowest else 0)
        later = numbers - 1 if alone else later
        if (missing < left) & (later >= missing) & (heads > 0) | (missing == 0):
            against = -np.float64(doubled(pile + heads, doublings + x2) - before)
        else:
            against = doubled(heads, x2) * FURTHER_OFF[U(missing - 1)]
        actions[count], drawbacks[count] = PLAY + card, against
        count += 1
    return count


@uncounted
def weigh_specials(state, seat, low, high, numbers, upto, actions, drawbacks, count):
    x2_rows, plus5_rows = rows_for_x2(state, seat), rows_for_plus5(state, seat)
    if x2_rows | plus5_rows == ZERO:
        return count
    kept = SPECIAL_KEPT if numbers > FEW_CARDS else -SPECIAL_KEPT
    left = CARDS_A_TURN - np.int64(state.played)
    at_plus5 = count + count_bits(x2_rows)
    in_low = count_bits(low)
    for half in range(2):
        ends = state.ends[half]
        hand, under = (high, in_low) if half else (low, 0)
        while ends != ZERO:
            end = (half << 6) + lowest_bit(ends)
            lower = under + count_bits(hand & ((ends & -ends) - ONE))
            ends &= ends - ONE
            slot = slot_of(state, end)
            missing = missing_in(state, slot)
            on_x2 = on_plus5 = kept
            if missing < left and np.int64(upto[slot]) - lower >= missing:
                heads, x2 = np.int64(state.row_heads[slot]), has_x2(state, slot)
                gain = LEFT_TO_OTHERS * gain_of_taking(state, heads, x2)
                on_x2 = kept + gain - LEFT_TO_OTHERS * gain_of_taking(state, heads, 1)
                with_plus5 = gain_of_taking(state, heads + PLUS5_POINTS, x2)
                on_plus5 = kept + gain - LEFT_TO_OTHERS * with_plus5
            if (x2_rows >> U(slot)) & ONE != ZERO:
                actions[count], drawbacks[count] = X2_ON + end, on_x2
                count += 1
            if (plus5_rows >> U(slot)) & ONE != ZERO:
                actions[at_plus5], drawbacks[at_plus5] = PLUS5_ON + end, on_plus5
                at_plus5 += 1
    return at_plus5
