"""Hornochsen!, compiled: the twin of `bullpen.games.hornochsen.rules`, with its names and constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from bullpen.cards import Card, mask
from bullpen.deck import Deck
from bullpen.fast.compiling import inlined, uncounted
from bullpen.fast.observing import clockwise, limited, write_cards
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    below,
    cards_of,
    count_bits,
    draw_cards,
    everything,
    highest_bit,
    lowest_bit,
    nth,
    nth_bit,
    set_places,
    words_of,
)
from bullpen.game import Options
from bullpen.games.hornochsen import rules as plain
from bullpen.games.hornochsen.rules import (
    BOX,
    CARDS_A_TURN,
    DEALING,
    FULL_AT,
    HAND,
    LAST_NUMBER,
    OVER,
    PILE,
    PLAY,
    PLAYING,
    PLUS5,
    PLUS5_ON,
    PLUS5_POINTS,
    ROW,
    SPECIAL_LEFT,
    STOP,
    X2,
    X2_ON,
)

CARDS, SEATS = len(plain.CARDS), plain.SEATS[-1]
SLOTS = max(rows for _, rows in plain.DEAL.values())
CARDS_A_ROW = FULL_AT + 2  # with both special cards
ACTIONS = PLUS5_ON + LAST_NUMBER + 1
SETS = ()  # all places keep their order, or lie sorted
TALLY = ("take_events", "x2_chosen", "+5_chosen", "stop_chosen", "pass_over_events")
TAKES, X2_CHOSEN, PLUS5_CHOSEN, STOPS, PASSED_OVER = range(5)

# A hand's second word: the number cards from 64 on, and above them its special cards.
HIGH_NUMBERS = U((1 << (LAST_NUMBER - 63)) - 1)

# Every row has its slot to the end of the game, in the order of the ring at the deal: on the table it
# is one of `rows`, later one of some seat's `pile`.  Its place in the ring is the number of rows left
# in the slots before it.
STATE = np.dtype(
    [
        ("hand", np.uint64, (SEATS, 2)),
        ("box", np.uint64, (2,)),
        ("ends", np.uint64, (2,)),  # the end values of the rows on the table
        ("row", np.uint64, (SLOTS,)),  # its cards, a byte each, the last one lowest
        ("tally", np.uint32, (len(TALLY),)),
        ("pile", np.uint16, (SEATS,)),  # sets of slots, these four
        ("rows", np.uint16),
        ("with_x2", np.uint16),
        ("with_plus5", np.uint16),
        ("row_end", np.uint8, (SLOTS,)),
        ("row_heads", np.int16, (SLOTS,)),  # on the table, before they are doubled
        ("row_numbers", np.uint8, (SLOTS,)),  # how many number cards
        ("row_taken", np.uint8, (SLOTS,)),  # as which one
        ("row_of", np.uint8, (LAST_NUMBER + 1,)),  # by end value: the slot
        ("heads", np.int8, (LAST_NUMBER + 1,)),
        ("pile_heads", np.int16, (SEATS,)),  # with those of +5, before they are doubled
        ("doublings", np.uint8, (SEATS,)),
        ("rows_taken", np.uint8),
        ("numbers_left", np.uint8),  # number cards in all hands
        ("played", np.uint8),  # cards, in this turn
        ("in_play", np.uint8),  # number cards; a mini game has less
        ("hand_size", np.uint8),
        ("first_rows", np.uint8),  # how many there are at the deal
        ("full_at", np.uint8),
        ("seats", np.uint8),
        ("phase", np.uint8),
        ("actor", np.uint8),
    ],
    align=True,
)


# -- Setting up -------------------------------------------------------------------------------


@uncounted
def wants_shuffle(state):
    return state.phase == DEALING


@uncounted
def to_shuffle(state, deck):
    """The cards to be shuffled go into `deck`; how many, and how many of them matter."""
    for card in range(1, state.in_play + 1):
        deck[card - 1] = card
    return np.int64(state.in_play), np.int64(state.hand_size) * state.seats + state.first_rows


@uncounted
def deal(state, deck):
    """HO-3 to HO-5."""
    hand_size = np.int64(state.hand_size)
    at = 0
    for seat in range(state.seats):
        low, high = cards_dealt(deck, at, hand_size)
        at += hand_size
        specials = (ONE << U(X2 - 64 + seat)) | (ONE << U(PLUS5 - 64 + seat))
        state.hand[seat, 0] = low
        state.hand[seat, 1] = high | specials
        state.box[0] &= ~low
        state.box[1] &= ~(high | specials)
    state.numbers_left = at
    low, high = cards_dealt(deck, at, np.int64(state.first_rows))
    state.box[0] &= ~low
    state.box[1] &= ~high
    state.ends[0] = low
    state.ends[1] = high
    slot = 0
    while low != ZERO:
        start_row(state, slot, lowest_bit(low))
        slot += 1
        low &= low - ONE
    while high != ZERO:
        start_row(state, slot, 64 + lowest_bit(high))
        slot += 1
        high &= high - ONE
    state.rows = (1 << slot) - 1
    state.phase = PLAYING


@uncounted
def cards_dealt(deck, at, count):
    """So many cards of the deck, as a set."""
    low, high = ZERO, ZERO
    for i in range(at, at + count):
        card = deck[i]
        bit = ONE << U(card & 63)
        if card < 64:
            low |= bit
        else:
            high |= bit
    return low, high


@uncounted
def start_row(state, slot, card):
    state.row[slot] = U(card)
    state.row_end[slot] = card
    state.row_heads[slot] = state.heads[card]
    state.row_numbers[slot] = 1
    state.row_of[card] = slot


# -- A turn -----------------------------------------------------------------------------------


@uncounted
def row_for(state, card):
    """HO-8, HO-9: the end value of the row where the card goes."""
    low, high = state.ends[0], state.ends[1]
    lower = (ONE << U(card & 63)) - ONE
    is_low = card < 64
    below_low = low & lower if is_low else low
    below_high = ZERO if is_low else high & lower
    if below_low | below_high == ZERO:
        below_low, below_high = low, high
    word = below_high if below_high != ZERO else below_low
    return highest_bit(word) + (64 if below_high != ZERO else 0)


# Found by numbers without a sign, for one with a sign might count from the end, and each time that would be looked at first.


@uncounted
def slot_of(state, end):
    return np.int64(state.row_of[U(end)])


@uncounted
def heads_of(state, card):
    return np.int64(state.heads[U(card)])


@uncounted
def rows_for_x2(state, seat):
    """HO-11: the rows that can take this seat's x2, if it is still in the hand."""
    held = (state.hand[seat, 1] >> U(X2 - 64 + seat)) & ONE
    return U(state.rows & ~state.with_x2) * held


@uncounted
def rows_for_plus5(state, seat):
    held = (state.hand[seat, 1] >> U(PLUS5 - 64 + seat)) & ONE
    return U(state.rows & ~state.with_plus5) * held


@uncounted
def legal(state, words):
    """The legal actions of the actor, as a set."""
    for word in range(words.size):
        words[word] = ZERO
    if state.phase != PLAYING:
        return
    seat = state.actor
    words[0] = state.hand[seat, 0] | (ONE << U(STOP) if state.played else ZERO)
    words[1] = state.hand[seat, 1] & HIGH_NUMBERS
    add_rows(state, words, X2_ON, rows_for_x2(state, seat))
    add_rows(state, words, PLUS5_ON, rows_for_plus5(state, seat))


@uncounted
def add_rows(state, words, block, slots):
    while slots != ZERO:
        action = block + state.row_end[lowest_bit(slots)]
        words[action >> 6] |= ONE << U(action & 63)
        slots &= slots - ONE


@uncounted
def random_legal(state, rng):
    low, high, others = choices(state)
    return random_choice(state, low, high, others, rng)


# Three words of choices: the number cards, and in the third one x2 and +5 by slot, and stop.
X2_CHOICE, PLUS5_CHOICE, STOP_CHOICE = 128, 128 + 16, 128 + 32


@uncounted
def choices(state):
    seat = state.actor
    low, high = state.hand[seat, 0], state.hand[seat, 1] & HIGH_NUMBERS
    others = rows_for_x2(state, seat) | rows_for_plus5(state, seat) << U(PLUS5_CHOICE - X2_CHOICE)
    return low, high, others | U(state.played != 0) << U(STOP_CHOICE - X2_CHOICE)


@inlined
def random_choice(state, low, high, others, rng):
    numbers = count_bits(low) + count_bits(high)
    n = below(rng, numbers + count_bits(others))
    if n < numbers:
        return PLAY + nth(low, high, n)
    return action_of(state, X2_CHOICE + nth_bit(others, n - numbers))


@uncounted
def action_of(state, choice):
    if choice < X2_CHOICE:
        return PLAY + choice
    if choice == STOP_CHOICE:
        return STOP
    block = X2_ON if choice < PLUS5_CHOICE else PLUS5_ON
    return block + np.int64(state.row_end[slot_of_choice(choice)])


@uncounted
def slot_of_choice(choice):
    """Where x2 or +5 would be laid."""
    return choice & 15


@uncounted
def can_play(state, seat):
    """HO-14."""
    numbers = state.hand[seat, 0] | state.hand[seat, 1] & HIGH_NUMBERS
    return numbers | rows_for_x2(state, seat) | rows_for_plus5(state, seat) != ZERO


@uncounted
def apply(state, action):
    """HO-6, HO-10."""
    seat = state.actor
    if action == STOP:
        state.tally[STOPS] += 1
        pass_turn(state)
        return
    state.played += 1
    if action > PLUS5_ON:
        state.tally[PLUS5_CHOSEN] += 1
        slot = lay_special(state, seat, PLUS5 + seat, action - PLUS5_ON)
        state.with_plus5 |= 1 << slot
        state.row_heads[slot] += PLUS5_POINTS
    elif action > X2_ON:
        state.tally[X2_CHOSEN] += 1
        slot = lay_special(state, seat, X2 + seat, action - X2_ON)
        state.with_x2 |= 1 << slot
    else:
        place(state, seat, action - PLAY)
    if state.numbers_left == 0:  # HO-15
        state.phase = OVER
    elif state.played == CARDS_A_TURN or not can_play(state, seat):
        pass_turn(state)


@uncounted
def place(state, seat, card):
    end = row_for(state, card)
    slot = slot_of(state, end)
    half, bit = card >> 6, ONE << U(card & 63)
    state.hand[seat, half] &= ~bit
    state.numbers_left -= 1
    state.row[slot] = state.row[slot] << U(8) | U(card)
    state.row_heads[slot] += heads_of(state, card)
    state.row_numbers[slot] += 1
    state.ends[end >> 6] &= ~(ONE << U(end & 63))
    if state.row_numbers[slot] == state.full_at:
        take(state, seat, slot)
        return
    state.ends[half] |= bit
    state.row_end[slot] = card
    state.row_of[card] = slot


@uncounted
def lay_special(state, seat, special, end):
    """HO-11, HO-13; returns the row's slot."""
    slot = slot_of(state, end)
    state.hand[seat, 1] &= ~(ONE << U(special - 64))
    state.row[slot] = state.row[slot] << U(8) | U(special)
    return slot


# -- Taking a row -----------------------------------------------------------------------------


@uncounted
def take(state, seat, slot):
    """HO-12."""
    state.tally[TAKES] += 1
    state.rows &= ~(1 << slot)
    state.pile[seat] |= 1 << slot
    state.pile_heads[seat] += state.row_heads[slot]
    state.doublings[seat] += (state.with_x2 >> slot) & 1
    state.row_heads[slot] = 0
    state.row_taken[slot] = state.rows_taken
    state.rows_taken += 1


# -- End --------------------------------------------------------------------------------------


@uncounted
def pass_turn(state):
    """HO-6, HO-14."""
    state.played = 0
    seat = next_seat(state, state.actor)
    while not can_play(state, seat):
        state.tally[PASSED_OVER] += 1
        seat = next_seat(state, seat)
    state.actor = seat


@uncounted
def next_seat(state, seat):
    return seat + 1 if seat + 1 < state.seats else 0


@uncounted
def scores(state, out):
    for seat in range(state.seats):
        out[seat] = points(state, seat) if state.phase == OVER else 0


@uncounted
def points(state, seat):
    """HO-16."""
    left = count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1])
    return doubled(state.pile_heads[seat], state.doublings[seat]) + SPECIAL_LEFT * left


@uncounted
def doubled(heads, times):
    return np.int64(heads) << np.int64(times)


@uncounted
def places(state, out):
    """Where every card lies, in the plain game's numbers; a test compares them."""
    out[:] = BOX
    ring = ROW
    for slot in range(SLOTS):
        if (state.rows >> slot) & 1:
            row_places(state, slot, ring, out)
            ring += 1
    for seat in range(state.seats):
        set_places(state.hand[seat, 0], state.hand[seat, 1], HAND + seat, out)
        for slot in range(SLOTS):
            if (state.pile[seat] >> slot) & 1:
                row_places(state, slot, PILE + seat, out)


@uncounted
def row_places(state, slot, where, out):
    row = state.row[slot]
    while row != ZERO:
        out[row & U(255)] = where
        row >>= U(8)


# -- What a player knows ----------------------------------------------------------------------


@uncounted
def imagine(state, viewer, rng):
    """Deal anew the number cards in other hands and in the box; whose a special card is, all know."""
    low, high = numbers_in_box(state)
    left_low, left_high = state.box[0] ^ low, state.box[1] ^ high
    for seat in range(state.seats):
        if seat != viewer:
            low |= state.hand[seat, 0]
            high |= state.hand[seat, 1] & HIGH_NUMBERS
    for seat in range(state.seats):
        if seat != viewer:
            size = count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1] & HIGH_NUMBERS)
            dealt_low, dealt_high = draw_cards(low, high, size, rng)
            low, high = low ^ dealt_low, high ^ dealt_high
            state.hand[seat, 0] = dealt_low
            state.hand[seat, 1] = dealt_high | state.hand[seat, 1] & ~HIGH_NUMBERS
    state.box[0] = low | left_low
    state.box[1] = high | left_high


@uncounted
def numbers_in_box(state):
    """The number cards that could have been dealt; which others lie there, all know."""
    low, high = everything(state.in_play)
    return state.box[0] & low, state.box[1] & high


# -- What a player observes, as numbers -------------------------------------------------------

BOX_CODE, END_CODE, IN_ROW_CODE = range(1, 4)
SEAT_CODES = 4  # the first of the codes by seat: hand, pile
NUMBERS_FROM = 2 * CARDS


@uncounted
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:NUMBERS_FROM] = 0
    low, high = numbers_in_box(state)  # besides: special cards that nobody got
    write_cards(state.box[0] ^ low, state.box[1] ^ high, BOX_CODE, out)
    for slot in range(SLOTS):
        if (state.rows >> slot) & 1:
            write_row(state, slot, out)
    at = NUMBERS_FROM + 2
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(points(state, seat)) if phase == OVER else 0
        out[at + seats + far] = count_bits(low) + count_bits(high)
        if seat != viewer and phase != OVER:  # whose a special card is, all know from the start
            low, high = ZERO, high & ~HIGH_NUMBERS if perfect else ZERO
        write_cards(low, high, SEAT_CODES + far, out)
        code = SEAT_CODES + seats + far if perfect or phase == OVER else 0
        out[at + 2 * seats + far] = write_pile(state, seat, code, out)
    out[NUMBERS_FROM] = phase
    out[NUMBERS_FROM + 1] = seats + 1 if phase == OVER else clockwise(state.actor, viewer, seats)
    out[at + 3 * seats] = state.played


@uncounted
def write_row(state, slot, out):
    row, end = state.row[slot], np.int64(state.row_end[slot])
    while row != ZERO:
        card = np.int64(row & U(255))
        out[card - 1] = IN_ROW_CODE
        out[CARDS + card - 1] = end
        row >>= U(8)
    out[end - 1] = END_CODE


@uncounted
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


# -- Between the plain table and the record ---------------------------------------------------


def to_record(table: plain.Table) -> Any:
    """The table as an array of one record.  A row lies in the slot of its number; piles lie in the slots
    without a row, in packs of as many cards as a row can hold."""
    states = np.zeros(1, STATE)
    state, lying = states[0], table.lying
    ring = {number - 1: row for number, row in zip(table.heaps, lying[ROW:], strict=True)}
    for slot, row in ring.items():
        end = plain.end_value(row)
        state["row"][slot], state["row_end"][slot], state["row_of"][end] = packed(row), end, slot
        numbers = [card for card in row if card <= LAST_NUMBER]
        state["row_numbers"][slot] = len(numbers)
        state["row_heads"][slot] = heads_on(row, table.deck)
    state["ends"] = words_of(map(plain.end_value, ring.values()))
    state["rows"] = mask(ring)
    for name, kind in (("with_x2", plain.ALL_X2), ("with_plus5", plain.ALL_PLUS5)):
        state[name] = mask(slot for slot, row in ring.items() if not kind.isdisjoint(row))
    free = iter([slot for slot in range(SLOTS) if slot not in ring])
    for seat in range(table.seats):
        state["hand"][seat] = words_of(lying[HAND + seat])
        state["numbers_left"] += sum(card <= LAST_NUMBER for card in lying[HAND + seat])
        pile = lying[PILE + seat]
        state["pile_heads"][seat] = heads_on(pile, table.deck)
        state["doublings"][seat] = len(plain.ALL_X2.intersection(pile))
        for first in range(0, len(pile), CARDS_A_ROW):
            slot = next(free)
            state["row"][slot] = packed(pile[first : first + CARDS_A_ROW])
            state["row_taken"][slot] = state["rows_taken"]
            state["pile"][seat] |= 1 << slot
            state["rows_taken"] += 1
    state["box"] = words_of(lying[BOX])
    state["heads"], state["played"] = table.deck.heads, table.played
    state["in_play"], state["hand_size"] = len(table.sizes.cards), table.sizes.hand
    state["first_rows"], state["full_at"] = len(table.sizes.rows), table.sizes.full_at
    state["seats"], state["phase"], state["actor"] = table.seats, table.phase, table.actor
    return states


def heads_on(cards: tuple[Card, ...], deck: Deck) -> int:
    """Before they are doubled."""
    heads = sum(deck.heads[card] for card in cards if card <= LAST_NUMBER)
    return heads + PLUS5_POINTS * len(plain.ALL_PLUS5.intersection(cards))


def packed(cards: tuple[Card, ...]) -> int:
    return int.from_bytes(bytes(cards))


def unpacked(row: Any) -> tuple[Card, ...]:
    return tuple(int(row).to_bytes(8).lstrip(b"\0"))


def from_record(states: Any, options: Options, deck: Deck) -> plain.Table:
    state = states[0]
    table = plain.Table(int(state["seats"]), options, deck)
    lying = table.clear()
    table.phase, table.actor = int(state["phase"]), int(state["actor"])
    table.played = int(state["played"])
    lying[BOX] = cards_of(state["box"])
    in_ring = [slot for slot in range(SLOTS) if state["rows"] >> slot & 1]
    lying += [unpacked(state["row"][slot]) for slot in in_ring]
    table.heaps = tuple(slot + 1 for slot in in_ring)
    as_taken = sorted(range(SLOTS), key=state["row_taken"].item)
    for seat in range(table.seats):
        lying[HAND + seat] = cards_of(state["hand"][seat])
        for slot in as_taken:
            if state["pile"][seat] >> slot & 1:
                lying[PILE + seat] += unpacked(state["row"][slot])
    open_cards = (card for cards in lying[PILE:] for card in cards)
    table.seen = plain.SPECIALS | mask(open_cards)
    if table.phase != DEALING:
        table.seen |= mask(plain.NUMBERS[len(table.sizes.cards) :])
    return table
