"""Bullenparty, compiled: the twin of `bullpen.games.bullenparty.rules`, with its names and constants."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray  # type: ignore[attr-defined]

from bullpen.cards import mask
from bullpen.deck import Deck
from bullpen.fast.compiling import compiled, inlined
from bullpen.fast.observing import clockwise, limited, write_all_cards
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    add_bits,
    below,
    bits_of,
    count_bits,
    digits_of,
    draw_cards,
    everything,
    lower_than,
    lowest_bit,
    mask_of,
    nth,
    nth_bit,
    random_card,
    set_places,
    words_of,
    words_on_the_stack,
)
from bullpen.game import Options
from bullpen.games.bullenparty import rules as plain
from bullpen.games.bullenparty.rules import (
    BID,
    BID_CARD,
    BIDDING,
    BOX,
    BULL_SUPPLY,
    DEALING,
    DEALING_ZEROS,
    DISCARD,
    DRAW,
    DRAWING,
    DRAWN,
    EXTEND,
    EXTENDING,
    FIRST_IN_ROW,
    FULL_ROW,
    HAND,
    HAND_SIZE,
    LAST_NUMBER,
    LAYING_ROWS,
    NEW_PILE,
    ON_PILE,
    OVER,
    PILE,
    PILING,
    ROW,
    SERVING,
    TAKE_ROW,
    TAKING,
    WON,
)

NUMBERS, SEATS = len(plain.NUMBERS), plain.SEATS[-1]
FIRST_ZERO, ZEROS = plain.ZEROS[0], len(plain.ZEROS)
FIRST_BULL, BULLS = plain.BULLS[0], len(plain.BULLS)
CARDS = FIRST_BULL + BULLS - 1
TO_THE_BOX = np.array([plain.TO_THE_BOX.get(seats, 0) for seats in range(SEATS + 1)], np.int64)
ACTIONS = ON_PILE + 100 * NUMBERS + NUMBERS
SETS = ("hand", "bulls", "pile", "box", "bid", "drawn", "bull supply")  # places that keep no order
TALLY = ("take_events", "extend_events", "bull_events", "pile_events", "round_end_events")
TAKES, EXTENSIONS, BULLS_GAINED, PILED, ROUNDS = range(5)

NO_BID = 255 << 3  # more than any bid, less one, with its seat in the last three binary digits
MOST_DIGITS = 8  # in binary, of the heads on a card

STATE = np.dtype(
    [
        ("hand", np.uint64, (SEATS, 2)),  # number cards; the zero card lies there unless it is bid
        ("tops", np.uint64, (SEATS, 2)),  # of the piles
        ("seen", np.uint64, (2,)),  # the number cards that have lain open
        ("head_digits", np.uint64, (MOST_DIGITS, 2)),  # the heads as sets, see `heads_by_digits`
        ("row_set", np.uint64, (SEATS + 1, 2)),  # the cards of `row`, without their order
        ("tally", np.uint32, (len(TALLY),)),
        ("won", np.uint16, (SEATS,)),  # bull cards, as a mask
        ("pile_heads", np.int16, (NUMBERS,)),
        ("pile_owner", np.uint8, (NUMBERS,)),
        ("pile_of", np.uint8, (NUMBERS + 1,)),  # by card: its pile + 1
        ("pile_top", np.uint8, (NUMBERS + 1,)),  # by pile + 1
        ("draw", np.uint8, (NUMBERS,)),
        ("discard", np.uint8, (NUMBERS,)),
        ("heads", np.uint8, (NUMBERS + 1,)),
        ("digits", np.uint8),  # of the most heads on a card
        ("bull_heads", np.uint8, (BULLS,)),
        ("row", np.uint8, (SEATS + 1, FULL_ROW)),
        ("row_length", np.uint8, (SEATS + 1,)),
        ("row_bull", np.uint8, (SEATS + 1,)),  # its number + 1; 0 for none
        ("zero", np.uint8, (SEATS,)),  # whose zero card is which
        ("bid", np.uint8, (SEATS,)),  # 0 for none
        ("takers", np.uint8, (SEATS,)),
        ("taken", np.uint8),  # rows, in this round
        ("bidders", np.uint8),  # as a mask
        ("piles", np.uint8),
        ("drawn", np.uint8),  # the draw pile lies in draw[drawn:draw_end]
        ("draw_end", np.uint8),
        ("discards", np.uint8),
        ("card_drawn", np.uint8),  # 0 for none
        ("bulls_gone", np.uint8),  # from the supply
        ("emptied", np.uint8),
        ("seats", np.uint8),
        ("phase", np.uint8),
        ("actor", np.uint8),
    ],
    align=True,
)


# -- Setting up -------------------------------------------------------------------------------


@compiled
def wants_shuffle(state):
    phase = state.phase
    return phase == DEALING_ZEROS or phase == DEALING or phase == LAYING_ROWS or phase == DRAWING


@compiled
def to_shuffle(state, deck):
    """The cards to be shuffled go into `deck`; how many, and how many of them matter."""
    if state.phase == DEALING_ZEROS:
        for zero in range(ZEROS):
            deck[zero] = FIRST_ZERO + zero
        return ZEROS, np.int64(state.seats)
    if state.phase == DEALING:
        for card in range(1, NUMBERS + 1):
            deck[card - 1] = card
        return NUMBERS, NUMBERS
    count = np.int64(state.discards)
    low, high = ZERO, ZERO  # ascending, as the plain rules ask for them: one seed, one deal
    for at in range(count):
        card = np.int64(state.discard[at])
        bit = ONE << U(card & 63)
        low, high = (low | bit, high) if card < 64 else (low, high | bit)
    at = 0
    while low != ZERO:
        deck[at] = lowest_bit(low)
        low &= low - ONE
        at += 1
    while high != ZERO:
        deck[at] = 64 + lowest_bit(high)
        high &= high - ONE
        at += 1
    return count, count


@compiled
def deal(state, deck):
    if state.phase == DEALING_ZEROS:
        for seat in range(np.int64(state.seats)):
            state.zero[seat] = deck[seat]
        state.phase = DEALING
    elif state.phase == DEALING:
        deal_numbers(state, deck)
        lay_rows(state)
    else:
        for at in range(np.int64(state.discards)):  # BP-19
            state.draw[at] = deck[at]
        state.drawn = 0
        state.draw_end = state.discards
        state.discards = 0
        if state.phase == LAYING_ROWS:
            lay_rows(state)
        else:
            serve_bids(state)


@compiled
def deal_numbers(state, deck):
    """BP-4, BP-5."""
    at = 0
    for seat in range(np.int64(state.seats)):
        for _ in range(HAND_SIZE):
            card = deck[at]
            at += 1
            state.hand[seat, card >> 6] |= ONE << U(card & 63)
    at += TO_THE_BOX[state.seats]
    state.drawn = 0
    state.draw_end = NUMBERS - at
    for i in range(NUMBERS - at):
        state.draw[i] = deck[at + i]


# -- A round ----------------------------------------------------------------------------------


@compiled
def lay_rows(state):
    """BP-7, BP-19: waits in this phase if it needs a shuffle."""
    state.phase = LAYING_ROWS
    for row in range(1, np.int64(state.seats) + 1):
        if state.row_length[row] == FIRST_IN_ROW:
            continue
        while state.row_length[row] < FIRST_IN_ROW:
            if state.drawn == state.draw_end:
                return
            card = draw(state)
            add_to_row(state, row, card)
            see(state, card)
        say_last_round(state)
    state.bidders = (1 << state.seats) - 1
    state.taken = 0
    state.phase = BIDDING
    state.actor = 0


@compiled
def draw(state):
    card = np.int64(state.draw[state.drawn])
    state.drawn += 1
    if state.drawn == state.draw_end and state.emptied == 0:
        state.emptied = 1
    return card


@compiled
def see(state, card):
    state.seen[card >> 6] |= ONE << U(card & 63)


@compiled
def add_to_row(state, row, card):
    state.row[row, state.row_length[row]] = card
    state.row_set[row, card >> 6] |= ONE << U(card & 63)
    state.row_length[row] += 1


@compiled
def say_last_round(state):
    """BP-18."""
    if state.emptied == 1:
        state.emptied = 2


@compiled
def open_rows(state):
    """The rows that nobody has taken yet, as a mask."""
    rows = ZERO
    for row in range(1, SEATS + 1):
        rows |= U(state.row_length[row] > 0) << U(row)
    return rows


@compiled
def short_rows(state):
    """BP-10, BP-11: the rows that can take another number card, as a mask."""
    rows = ZERO
    for row in range(1, SEATS + 1):
        rows |= U(np.uint8(state.row_length[row] - 1) < FULL_ROW - 1) << U(row)
    return rows


@compiled
def zero_may_be_bid(state):
    """BP-14."""
    return short_rows(state) != ZERO and (state.drawn < state.draw_end or state.discards > 0)


@compiled
def waiting(state):
    """The seats that have to decide, as a mask."""
    if state.phase == BIDDING:
        return np.int64(waiting_bidders(state))
    return 1 << np.int64(state.actor)


@compiled
def legal(state, words):
    """The legal actions of the actor, as a set."""
    words[:] = ZERO
    seat = np.int64(state.actor)
    if state.phase == BIDDING:
        words[0] = state.hand[seat, 0] | U(zero_may_be_bid(state)) << U(BID_CARD)
        words[1] = state.hand[seat, 1]
    elif state.phase == TAKING:
        words[1] = open_rows(state) << U(TAKE_ROW - 64)
    elif state.phase == EXTENDING:
        words[1] = short_rows(state) << U(EXTEND - 64)
    elif state.phase == PILING:
        add_bits(words, NEW_PILE, state.hand[seat, 0], state.hand[seat, 1])
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        while low | high != ZERO:
            card = lowest_bit(low) if low != ZERO else 64 + lowest_bit(high)
            low, high = (low & (low - ONE), high) if card < 64 else (low, high & (high - ONE))
            tops_low, tops_high = lower_tops(state, seat, card)
            add_bits(words, ON_PILE + 100 * card, tops_low, tops_high)


@compiled
def lower_tops(state, seat, card):
    """BP-16: the piles on which a card may go, by their top cards."""
    low, high = lower_than(card)
    return state.tops[seat, 0] & low, state.tops[seat, 1] & high


@inlined
def random_legal(state, rng):
    seat = np.int64(state.actor)
    if state.phase == BIDDING:
        low = state.hand[seat, 0] | U(zero_may_be_bid(state)) << U(BID_CARD)
        return BID_CARD + random_card(low, state.hand[seat, 1], rng)
    if state.phase == TAKING:
        rows = open_rows(state)
        return TAKE_ROW + nth_bit(rows, below(rng, count_bits(rows)))
    if state.phase == EXTENDING:
        rows = short_rows(state)
        return EXTEND + nth_bit(rows, below(rng, count_bits(rows)))
    return random_pile(state, seat, rng)


@inlined
def random_pile(state, seat, rng):
    """Every card may begin a pile, and go on every lower top; no branch depends on which word a card is in."""
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    tops_low, tops_high = state.tops[seat, 0], state.tops[seat, 1]
    in_low, in_high = count_bits(low), count_bits(high)
    on_piles, turns, low_tops = 0, max(in_low, in_high), count_bits(tops_low)
    fours = (turns + 3) // 4  # mostly one: a loop over single turns would end where nobody guesses
    turns = 4 * fours
    low_left, high_left = low, high
    for _ in range(fours):
        for _ in range(4):
            # A card of either word; without one all its tops are counted, and taken off below.
            on_piles += count_bits(tops_low & ((low_left & -low_left) - ONE))
            on_piles += count_bits(tops_high & ((high_left & -high_left) - ONE))
            low_left &= low_left - ONE
            high_left &= high_left - ONE
    on_piles += low_tops * in_high - low_tops * (turns - in_low)
    on_piles -= count_bits(tops_high) * (turns - in_high)
    in_hand = in_low + in_high
    choice = below(rng, in_hand + on_piles)
    if choice < in_hand:
        return NEW_PILE + nth(low, high, choice)
    return ON_PILE + nth_on_pile(low, high, tops_low, tops_high, choice - in_hand)


@inlined
def nth_on_pile(low, high, tops_low, tops_high, choice):
    """Counted card by card, and for each card top by top."""
    while low != ZERO:
        lower = tops_low & ((low & -low) - ONE)
        count = count_bits(lower)
        if choice < count:
            return 100 * lowest_bit(low) + nth_bit(lower, choice)
        choice -= count
        low &= low - ONE
    low_tops = count_bits(tops_low)
    while high != ZERO:
        lower = tops_high & ((high & -high) - ONE)
        count = low_tops + count_bits(lower)
        if choice < count:
            return 100 * (64 + lowest_bit(high)) + nth(tops_low, lower, choice)
        choice -= count
        high &= high - ONE
    return 0


@inlined
def apply(state, action):
    seat = np.int64(state.actor)
    if action > NEW_PILE:
        lay_on_pile(state, seat, action)
        return
    if action > EXTEND:
        extend(state, seat, action - EXTEND)
    elif action > TAKE_ROW:
        take(state, seat, action - TAKE_ROW)
    else:
        bid(state, seat, action - BID_CARD)
        waiting = waiting_bidders(state)
        if waiting != ZERO:
            state.actor = lowest_bit(waiting)
            return
        reveal(state)
    serve_bids(state)


@compiled
def bid(state, seat, card):
    """For the zero card nothing leaves the set of numbers, in which there is no card 0."""
    state.bid[seat] = card or state.zero[seat]
    low, high = bits_of(U(card))
    state.hand[seat, 0] &= ~low
    state.hand[seat, 1] &= ~high


@compiled
def waiting_bidders(state):
    waiting = ZERO
    for seat in range(SEATS):
        waiting |= U(state.bid[seat] == 0) << U(seat)
    return waiting & U(state.bidders)


@compiled
def reveal(state):
    low, high = ZERO, ZERO
    for seat in range(SEATS):
        bid_low, bid_high = bits_of(state.bid[seat])
        low |= bid_low
        high |= bid_high
    numbers_low, numbers_high = everything(NUMBERS)  # neither no bid nor a zero card
    state.seen[0] |= low & numbers_low
    state.seen[1] |= high & numbers_high


@inlined
def serve_bids(state):
    """BP-9, BP-10, BP-13."""
    state.phase = SERVING
    while state.phase == SERVING:
        lowest = NO_BID
        for other in range(SEATS):
            lowest = min(lowest, np.int64(np.uint8(state.bid[other] - 1)) << 3 | other)
        if lowest == NO_BID:
            go_on_after_bids(state)
            return
        seat = lowest & 7
        if lowest >> 3 < LAST_NUMBER:
            serve_number(state, seat)
        else:
            serve_zero(state, seat)


@compiled
def go_on_after_bids(state):
    if state.bidders:
        state.phase = BIDDING
        state.actor = lowest_bit(U(state.bidders))
    else:
        state.phase = PILING
        state.actor = state.takers[0]


@inlined
def serve_number(state, seat):
    """BP-9."""
    state.discard[state.discards] = state.bid[seat]
    state.discards += 1
    state.bid[seat] = 0
    rows = open_rows(state)
    if count_bits(rows) == 1:
        take(state, seat, lowest_bit(rows))
    else:
        state.phase = TAKING
        state.actor = seat


@compiled
def take(state, seat, row):
    """BP-9, BP-17."""
    state.tally[TAKES] += 1
    for half in range(2):
        state.hand[seat, half] |= state.row_set[row, half]
        state.row_set[row, half] = ZERO
    if state.row_bull[row]:
        state.won[seat] |= 1 << (state.row_bull[row] - 1)
    state.row_length[row] = 0
    state.row_bull[row] = 0
    state.bidders &= ~(1 << seat)
    state.takers[state.taken] = seat
    state.taken += 1


@inlined
def serve_zero(state, seat):
    """BP-10, BP-11, BP-19."""
    rows = short_rows(state)
    nothing_to_draw = state.drawn == state.draw_end
    if rows != ZERO and nothing_to_draw and state.discards > 0:
        state.phase = DRAWING
    elif rows == ZERO or nothing_to_draw:
        state.bid[seat] = 0
    else:
        state.card_drawn = draw(state)
        if count_bits(rows) == 1:
            extend(state, seat, lowest_bit(rows))
        else:
            state.phase = EXTENDING
            state.actor = seat


@compiled
def extend(state, seat, row):
    """BP-10, BP-12."""
    state.tally[EXTENSIONS] += 1
    card = np.int64(state.card_drawn)
    state.card_drawn = 0
    add_to_row(state, row, card)
    see(state, card)
    if state.row_length[row] == FULL_ROW and state.bulls_gone < BULLS:
        state.bulls_gone += 1
        state.row_bull[row] = state.bulls_gone
        state.tally[BULLS_GAINED] += 1
    say_last_round(state)
    state.bid[seat] = 0


# -- Building piles ---------------------------------------------------------------------------


@inlined
def lay_on_pile(state, seat, action):
    """BP-15, BP-16."""
    state.tally[PILED] += 1
    if action <= NEW_PILE + LAST_NUMBER:
        card, top = U(action - NEW_PILE), ZERO
        pile = np.int64(state.piles)
        state.pile_owner[pile] = seat
        state.pile_heads[pile] = 0
        state.piles += 1
    else:
        card, top = U(action - ON_PILE) // U(100), U(action - ON_PILE) % U(100)
        pile = np.int64(state.pile_of[top]) - 1
    state.pile_of[card] = pile + 1
    state.pile_top[pile + 1] = card
    state.pile_heads[pile] += state.heads[card]
    low, high = bits_of(card)
    top_low, top_high = bits_of(top)  # card 0 lies nowhere
    state.tops[seat, 0] = (state.tops[seat, 0] & ~top_low) | low
    state.tops[seat, 1] = (state.tops[seat, 1] & ~top_high) | high
    state.seen[0] |= low
    state.seen[1] |= high
    state.hand[seat, 0] &= ~low
    state.hand[seat, 1] &= ~high
    left = count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1])
    is_done = left == (0 if state.emptied else HAND_SIZE)
    state.actor = next_to_lay(state, seat) if is_done else np.uint8(seat)
    if is_done and state.takers[state.taken - 1] == seat:
        end_round(state)


@inlined
def next_to_lay(state, seat):
    """BP-15: who took a row after this seat; nobody in particular after the last one."""
    following = np.uint8(seat)
    # From the end, so that the first place counts: beyond the last taker old ones may stand.
    for at in range(SEATS - 1, 0, -1):
        following = state.takers[at] if state.takers[at - 1] == seat else following
    return following


@inlined
def end_round(state):
    """BP-18, BP-20."""
    state.tally[ROUNDS] += 1
    if state.emptied:
        state.phase = OVER
    else:
        lay_rows(state)


# -- End --------------------------------------------------------------------------------------


@compiled
def scores(state, out):
    """BP-21."""
    richest = carray(words_on_the_stack(SEATS), SEATS).view(np.int64)
    for seat in range(np.int64(state.seats)):
        richest[seat] = out[seat] = 0
    for pile in range(np.int64(state.piles)):
        owner, heads = state.pile_owner[pile], np.int64(state.pile_heads[pile])
        richest[owner] = max(richest[owner], heads)
        out[owner] -= heads
    for seat in range(np.int64(state.seats)):
        bulls, won = 0, U(state.won[seat])
        while won != ZERO:
            bulls += state.bull_heads[lowest_bit(won)]
            won &= won - ONE
        out[seat] += bulls + 2 * richest[seat]


@compiled
def places(state, out):
    """Where every card lies, in the plain game's numbers; a test compares them."""
    out[:] = BOX
    for at in range(np.int64(state.drawn), np.int64(state.draw_end)):
        out[state.draw[at]] = DRAW
    for at in range(np.int64(state.discards)):
        out[state.discard[at]] = DISCARD
    if state.card_drawn:
        out[state.card_drawn] = DRAWN
    for card in range(1, NUMBERS + 1):
        if state.pile_of[card]:
            out[card] = PILE + state.pile_of[card] - 1
    for bull in range(np.int64(state.bulls_gone), BULLS):
        out[FIRST_BULL + bull] = BOX if state.phase == DEALING_ZEROS else BULL_SUPPLY
    for seat in range(np.int64(state.seats)):
        places_in_row(state, seat + 1, out)
        set_places(state.hand[seat, 0], state.hand[seat, 1], HAND + seat, out)
        if state.zero[seat]:
            out[state.zero[seat]] = HAND + seat
        if state.bid[seat]:
            out[state.bid[seat]] = BID + seat
        set_places(ZERO, U(state.won[seat]) << U(FIRST_BULL - 64), WON + seat, out)


@compiled
def places_in_row(state, row, out):
    for at in range(np.int64(state.row_length[row])):
        out[state.row[row, at]] = ROW + row
    if state.row_bull[row]:
        out[FIRST_BULL + state.row_bull[row] - 1] = ROW + row


# -- What a player knows ----------------------------------------------------------------------


@compiled
def imagine(state, viewer, rng):
    """Deal anew the cards that `viewer` cannot know; a bid lying face down counts as in the hand."""
    hidden_bids = take_back_bids(state, viewer)
    low, high = everything(NUMBERS)
    low &= ~(state.seen[0] | state.hand[viewer, 0])
    high &= ~(state.seen[1] | state.hand[viewer, 1])
    own = np.int64(state.bid[viewer])
    if state.phase == EXTENDING and state.actor == viewer:
        own = np.int64(state.card_drawn)
    if 0 < own <= LAST_NUMBER:
        bit = ONE << U(own & 63)
        low, high = (low & ~bit, high) if own < 64 else (low, high & ~bit)
    for seat in range(np.int64(state.seats)):
        if seat != viewer:
            known_low = state.hand[seat, 0] & state.seen[0]
            known_high = state.hand[seat, 1] & state.seen[1]
            unseen = count_bits(state.hand[seat, 0] ^ known_low)
            unseen += count_bits(state.hand[seat, 1] ^ known_high)
            dealt_low, dealt_high = draw_cards(low, high, unseen, rng)
            low, high = low ^ dealt_low, high ^ dealt_high
            state.hand[seat, 0] = known_low | dealt_low
            state.hand[seat, 1] = known_high | dealt_high
    imagine_draw_pile(state, viewer, low, high, rng)
    for seat in range(np.int64(state.seats)):
        if (hidden_bids >> U(seat)) & ONE:
            zero = U(zero_may_be_bid(state)) << U(BID_CARD)
            bid(state, seat, random_card(state.hand[seat, 0] | zero, state.hand[seat, 1], rng))


@compiled
def take_back_bids(state, viewer):
    """The bids that lie face down go back to their hands; whose they were, as a mask."""
    hidden = ZERO
    if state.phase == BIDDING:
        for seat in range(np.int64(state.seats)):
            card = np.int64(state.bid[seat])
            if card and seat != viewer:
                hidden |= ONE << U(seat)
                state.bid[seat] = 0
                if card <= LAST_NUMBER:
                    state.hand[seat, card >> 6] |= ONE << U(card & 63)
    return hidden


@compiled
def imagine_draw_pile(state, viewer, low, high, rng):
    """Unseen cards from the start, known cards in unknown order after a shuffle of the discards; a card
    drawn by somebody else still counts as in the pile."""
    hides_drawn = state.phase == EXTENDING and state.actor != viewer
    if hides_drawn:
        state.drawn -= 1
        state.draw[state.drawn] = state.card_drawn
    size = np.int64(state.draw_end) - np.int64(state.drawn)
    first = np.int64(state.drawn)
    if size > 0:
        card = np.int64(state.draw[first])
        if not (state.seen[card >> 6] >> U(card & 63)) & ONE:
            low, high = draw_cards(low, high, size, rng)
            for at in range(size):
                state.draw[first + at] = nth(low, high, at)
        for at in range(size):
            other = at + below(rng, size - at)
            card = np.int64(state.draw[first + at])
            state.draw[first + at] = state.draw[first + other]
            state.draw[first + other] = card
    if hides_drawn:
        state.card_drawn = state.draw[state.drawn]
        state.drawn += 1


# -- What a player observes, as numbers -------------------------------------------------------

BOX_CODE, DRAW_CODE, DISCARD_CODE, DRAWN_CODE, SUPPLY_CODE = range(1, 6)
SEAT_CODES = 6  # the first of the codes by seat: row, hand, bid, won, top of a pile, under a top
NUMBERS_FROM = 2 * CARDS
ROOM = NUMBERS + 1


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    write_piles(state, viewer, out)
    out[FIRST_ZERO - 1 : FIRST_ZERO - 1 + ZEROS] = BOX_CODE
    write_draw_and_discard(state, viewer, perfect, out)
    for bull in range(np.int64(state.bulls_gone), BULLS):
        out[FIRST_BULL + bull - 1] = SUPPLY_CODE
    write_rows(state, out)
    points = carray(words_on_the_stack(SEATS), SEATS).view(np.int64)
    scores(state, points)
    at = NUMBERS_FROM + 2
    own = at + 2 * seats
    write_hands(state, viewer, perfect, at + seats, out)
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        out[at + far] = limited(points[seat])
        won = U(state.won[seat]) << U(FIRST_BULL - 64)
        write_all_cards(ZERO, won, SEAT_CODES + 3 * seats + far, out)
        out[own + 3 + far] = (state.bidders >> seat) & 1
        out[own + 3 + seats + far] = 0
    for taken in range(np.int64(state.taken)):
        out[own + 3 + seats + clockwise(state.takers[taken], viewer, seats)] = taken + 1
    out[NUMBERS_FROM] = phase
    out[NUMBERS_FROM + 1] = clockwise(state.actor, viewer, seats)
    if phase == BIDDING:
        out[NUMBERS_FROM + 1] = seats
    elif phase == OVER:
        out[NUMBERS_FROM + 1] = seats + 1
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
        first, end = np.int64(state.drawn), np.int64(state.draw_end)
        # A pile is the first one, of which nothing has been seen, or a shuffled one, of which all has.
        if first < end and has_seen(state, np.int64(state.draw[first])):
            for at in range(first, end):
                out[np.int64(state.draw[at]) - 1] = DRAW_CODE
        for at in range(np.int64(state.discards)):
            out[np.int64(state.discard[at]) - 1] = DISCARD_CODE
    drawn = np.int64(state.card_drawn)
    if drawn:
        if state.actor == viewer:
            out[drawn - 1] = DRAWN_CODE
        elif perfect and has_seen(state, drawn):
            out[drawn - 1] = DRAW_CODE


@compiled
def write_rows(state, out):
    for row in range(1, np.int64(state.seats) + 1):
        write_all_cards(state.row_set[row, 0], state.row_set[row, 1], SEAT_CODES + row - 1, out)
        if state.row_bull[row]:
            out[FIRST_BULL + np.int64(state.row_bull[row]) - 2] = SEAT_CODES + row - 1


@compiled
def write_piles(state, viewer, out):
    """And nothing for all other cards, which come later.  Every card is looked up: whether it lies on a pile would be guessed
    wrong too often."""
    seats = np.int64(state.seats)
    first = SEAT_CODES + 4 * seats
    codes = carray(words_on_the_stack(ROOM), ROOM)  # by pile + 1
    codes[0] = ZERO
    for pile in range(np.int64(state.piles)):
        codes[pile + 1] = U(first + clockwise(state.pile_owner[pile], viewer, seats))
    for card in range(1, NUMBERS + 1):
        pile = state.pile_of[card]
        top = state.pile_top[pile]
        out[card - 1] = codes[pile] + (U(seats) if card < top else ZERO)
        out[CARDS + card - 1] = top
    out[NUMBERS:CARDS] = 0
    out[CARDS + NUMBERS : NUMBERS_FROM] = 0


@compiled
def write_hands(state, viewer, perfect, counts, out):
    """Hands and bids, and from `counts` on how many are in each hand; another's bid lying face down counts as in the hand."""
    seats = np.int64(state.seats)
    for seat in range(seats):
        bid, zero = np.int64(state.bid[seat]), np.int64(state.zero[seat])
        is_own, is_secret = seat == viewer, bid != 0 and state.phase == BIDDING
        far = clockwise(seat, viewer, seats)
        in_hand = SEAT_CODES + seats + far
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        count = count_bits(low) + count_bits(high) + 1
        if bid > LAST_NUMBER and not is_secret:
            count -= 1
        elif 0 < bid <= LAST_NUMBER and is_secret:
            count += 1
        out[counts + far] = count
        if not is_own:
            low, high = (low & state.seen[0], high & state.seen[1]) if perfect else (ZERO, ZERO)
        write_all_cards(low, high, in_hand, out)
        out[zero - 1] = in_hand if is_own or perfect else 0
        if bid:
            if is_own or not is_secret:
                out[bid - 1] = SEAT_CODES + 2 * seats + far
            elif perfect and bid <= LAST_NUMBER and has_seen(state, bid):
                out[bid - 1] = in_hand


# -- Between the plain table and the record ---------------------------------------------------


def to_record(table: plain.Table) -> Any:
    """The table as an array of one record."""
    states = np.zeros(1, STATE)
    state, lying = states[0], table.lying
    for seat in range(table.seats):
        hand = lying[HAND + seat]
        state["hand"][seat] = words_of(plain.numbers_in(hand))
        state["bid"][seat] = sum(lying[BID + seat])
        zeros = [card for card in hand + lying[BID + seat] if card > LAST_NUMBER]
        state["zero"][seat] = sum(zeros)
        state["won"][seat] = sum(1 << bull - FIRST_BULL for bull in lying[WON + seat])
        state["tops"][seat] = words_of(pile[-1] for pile in plain.piles(table, seat))
    for row in plain.rows(table):
        numbers = plain.numbers_in(lying[ROW + row])
        state["row"][row][: len(numbers)] = numbers
        state["row_length"][row] = len(numbers)
        state["row_set"][row] = words_of(numbers)
        bulls = lying[ROW + row][len(numbers) :]
        state["row_bull"][row] = bulls[0] - FIRST_BULL + 1 if bulls else 0
    for at, pile in enumerate(lying[PILE:]):
        state["pile_heads"][at] = sum(table.deck.heads[card] for card in pile)
        state["pile_owner"][at] = table.owners[at]
        state["pile_top"][at + 1] = pile[-1]
        for card in pile:
            state["pile_of"][card] = at + 1
    state["piles"] = len(table.owners)
    state["draw"][: len(lying[DRAW])] = lying[DRAW]
    state["draw_end"] = len(lying[DRAW])
    if lying[DRAWN]:  # beside the pile, where `imagine` puts it back
        state["draw"][1 : len(lying[DRAW]) + 1] = lying[DRAW]
        state["drawn"], state["draw_end"] = 1, len(lying[DRAW]) + 1
        state["card_drawn"] = lying[DRAWN][0]
    state["discard"][: len(lying[DISCARD])] = lying[DISCARD]
    state["discards"] = len(lying[DISCARD])
    if table.phase != DEALING_ZEROS:
        state["bulls_gone"] = BULLS - len(lying[BULL_SUPPLY])
    state["seen"] = words_of(card for card in plain.NUMBERS if table.seen >> card & 1)
    state["heads"], state["bull_heads"] = table.deck.heads, table.deck.bulls
    digits = digits_of(table.deck.heads)
    state["digits"] = len(digits)
    state["head_digits"][: len(digits)] = digits
    state["takers"][: len(table.takers)] = table.takers
    state["taken"], state["bidders"] = len(table.takers), mask(table.bidders)
    state["emptied"], state["seats"] = table.emptied, table.seats
    state["phase"] = table.phase
    state["actor"] = (plain.waiting_for(table) or [0])[0]
    return states


def from_record(states: Any, options: Options, deck: Deck) -> plain.Table:
    """The plain table."""
    state = states[0]
    seats, phase = int(state["seats"]), int(state["phase"])
    table = plain.Table(seats, options, deck, seen=plain.KNOWN_TO_ALL)
    table.clear()[BOX] = tuple(plain.CARDS)
    table.phase = phase
    table.actor = int(state["actor"]) if phase in (TAKING, EXTENDING, PILING) else 0
    table.bidders = tuple(seat for seat in range(seats) if int(state["bidders"]) >> seat & 1)
    table.takers = tuple(int(seat) for seat in state["takers"][: int(state["taken"])])
    table.emptied = int(state["emptied"])
    if phase == DEALING_ZEROS:
        return table
    table.zeros = tuple(int(zero) for zero in state["zero"][:seats])
    table.seen = mask_of(state["seen"]) | plain.KNOWN_TO_ALL
    table.owners = tuple(int(seat) for seat in state["pile_owner"][: int(state["piles"])])
    table.lying = lying_of(state, seats)
    table.heaps = tuple(range(1, len(table.owners) + 1))
    return table


def lying_of(state: Any, seats: int) -> Any:
    where = np.zeros(plain.CARDS[-1] + 1, np.uint8)
    places(state, where)
    lying: list[tuple[int, ...]] = [()] * (PILE + int(state["piles"]))
    for card in plain.CARDS:
        lying[where[card]] += (card,)
    lying[DRAW] = tuple(map(int, state["draw"][int(state["drawn"]) : int(state["draw_end"])]))
    lying[DISCARD] = tuple(map(int, state["discard"][: int(state["discards"])]))
    for row in range(1, seats + 1):
        numbers = tuple(map(int, state["row"][row][: int(state["row_length"][row])]))
        bulls = tuple(card for card in lying[ROW + row] if card > LAST_NUMBER)
        lying[ROW + row] = numbers + bulls
    return lying
