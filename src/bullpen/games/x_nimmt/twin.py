"""X nimmt!, compiled: the twin of `bullpen.games.x_nimmt.rules`, with its names and constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from bullpen.cards import mask
from bullpen.deck import Deck
from bullpen.fast.compiling import compiled
from bullpen.fast.face_down import chosen_card, lay, next_laid, still_to_lay, take_back_choices
from bullpen.fast.observing import clockwise, limited, write_cards, write_laid
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    at_most_counted,
    cards_of,
    count_bits,
    draw_cards,
    everything,
    heads_in,
    lowest_bit,
    mask_of,
    points_of_rounds,
    random_card,
    set_places,
    words_of,
    words_of_mask,
)
from bullpen.game import Options
from bullpen.games.x_nimmt import rules as plain
from bullpen.games.x_nimmt.rules import (
    BOX,
    COLLECTED,
    DEALING,
    HAND,
    KEEP,
    KEEPING,
    LAID,
    LAYING,
    OVER,
    PLACING,
    PLAY,
    ROW,
    TAKE_ROW,
    TAKING,
    X_PILE,
    X_ROW,
)

CARDS, SEATS, ROWS = len(plain.CARDS), plain.SEATS[-1], len(plain.ROWS)
ACTIONS = TAKE_ROW + ROWS + 1
SETS = ("hand", "x row", "x pile", "row", "collected", "laid", "box")  # places that keep no order
TALLY = ("collect_events", "row_chosen", "keep_chosen", "x_flush_events")  # what a report counts
COLLECTIONS, ROWS_CHOSEN, KEEPS_CHOSEN, FLUSHES = range(4)
NO_ROW = np.iinfo(np.uint8).max  # higher than every card: none is laid there

STATE = np.dtype(
    [
        ("hand", np.uint64, (SEATS, 2)),
        ("x_row", np.uint64, (SEATS, 2)),
        ("x_pile", np.uint64, (SEATS, 2)),
        ("row", np.uint64, (ROWS + 1, 2)),  # rows and X rows ascend, so sets are enough
        ("collected", np.uint64, (2,)),
        ("laid", np.uint64, (2,)),
        ("seen", np.uint64, (2,)),  # the cards that have lain open in this round
        ("points", np.int32, (SEATS,)),
        ("tally", np.uint32, (len(TALLY),)),
        ("rounds", np.int32),
        ("rounds_played", np.int32),
        ("row_end", np.uint8, (ROWS + 1,)),
        ("row_length", np.uint8, (ROWS + 1,)),
        ("row_heads", np.uint8, (ROWS + 1,)),
        ("x_end", np.uint8, (SEATS,)),
        ("x_heads", np.uint8, (SEATS,)),  # in the X row
        ("owner", np.uint8, (CARDS + 1,)),  # of the laid cards
        ("heads", np.uint8, (CARDS + 1,)),
        ("laid_by", np.uint8),  # the seats that have chosen a card, as a mask
        ("free_choice", np.uint8),
        ("in_play", np.uint8),
        ("hand_size", np.uint8),
        ("rows", np.uint8),  # those that a mini game does not have end in NO_ROW
        ("full_at", np.uint8, (ROWS + 1,)),
        ("seats", np.uint8),
        ("phase", np.uint8),
        ("actor", np.uint8),
    ],
    align=True,
)


# -- Setting up -------------------------------------------------------------------------------


@compiled
def wants_shuffle(state):
    return state.phase == DEALING


@compiled
def to_shuffle(state, deck):
    """The cards to be shuffled go into `deck`; how many, and how many of them matter."""
    for card in range(1, state.in_play + 1):
        deck[card - 1] = card
    return np.int64(state.in_play), np.int64(state.hand_size) * state.seats + state.rows


@compiled
def deal(state, deck):
    """XN-2."""
    at = 0
    state.seen[0], state.seen[1] = left_out(state)
    for row in range(1, state.rows + 1):
        card = deck[at]
        at += 1
        start_row(state, row, card)
        state.seen[card >> 6] |= ONE << U(card & 63)
    for seat in range(state.seats):
        low, high = ZERO, ZERO
        for _ in range(state.hand_size):
            card = deck[at]
            at += 1
            bit = ONE << U(card & 63)
            if card < 64:
                low |= bit
            else:
                high |= bit
        state.hand[seat, 0] = low
        state.hand[seat, 1] = high
        for half in range(2):
            state.x_row[seat, half] = ZERO
            state.x_pile[seat, half] = ZERO
        state.x_end[seat] = 0
        state.x_heads[seat] = 0
    state.phase = LAYING
    state.actor = 0


@compiled
def left_out(state):
    """The cards that a mini game does not have."""
    low, high = everything(state.in_play)
    every_low, every_high = everything(CARDS)
    return every_low & ~low, every_high & ~high


@compiled
def start_row(state, row, card):
    half = card >> 6
    state.row[row, half] = ONE << U(card & 63)
    state.row[row, 1 - half] = ZERO
    state.row_end[row] = card
    state.row_length[row] = 1
    state.row_heads[row] = state.heads[card]


# -- A turn -----------------------------------------------------------------------------------


@compiled
def waiting(state):
    """The seats that have to decide, as a mask."""
    return still_to_lay(state) if state.phase == LAYING else 1 << np.int64(state.actor)


@compiled
def legal(state, words):
    """The legal actions of the actor, as a set."""
    for word in range(words.size):
        words[word] = ZERO
    if state.phase == LAYING:
        words[0] = state.hand[state.actor, 0]
        words[1] = state.hand[state.actor, 1]
    elif state.phase == TAKING:
        words[3] = rows_in_play(state) << U(TAKE_ROW - 192)
    elif state.phase == KEEPING:
        low, high = candidates(state, state.actor)
        words[1] = low << U(KEEP - 64)
        words[2] = (low >> U(128 - KEEP)) | (high << U(KEEP - 64))
        words[3] = high >> U(128 - KEEP)


@compiled
def rows_in_play(state):
    return (U(2) << U(state.rows)) - U(2)


@compiled
def random_legal(state, rng):
    if state.phase == LAYING:
        return PLAY + random_card(state.hand[state.actor, 0], state.hand[state.actor, 1], rng)
    if state.phase == TAKING:
        return TAKE_ROW + random_card(rows_in_play(state), ZERO, rng)
    low, high = candidates(state, state.actor)
    return KEEP + random_card(low, high, rng)


@compiled
def apply(state, action):
    seat = state.actor
    if action > TAKE_ROW:
        state.tally[ROWS_CHOSEN] += 1
        state.phase = PLACING
        collect(state, seat, action - TAKE_ROW, next_laid(state))
    elif action > KEEP:
        state.tally[KEEPS_CHOSEN] += 1
        keep(state, seat, action - KEEP)
    else:
        card = action - PLAY
        half, bit = card >> 6, ONE << U(card & 63)
        state.hand[seat, half] &= ~bit
        state.laid[half] |= bit
        state.owner[card] = seat
        state.laid_by |= 1 << seat
        state.actor = lowest_bit(~U(state.laid_by))
        if state.actor < state.seats:
            return
        state.laid_by = 0
        state.seen[0] |= state.laid[0]
        state.seen[1] |= state.laid[1]
        state.phase = PLACING
    place_laid_cards(state)


@compiled
def place_laid_cards(state):
    """XN-3: the lowest first, until all are placed or someone has to choose."""
    while state.phase == PLACING:
        if state.laid[0] | state.laid[1] == ZERO:
            end_turn(state)
            return
        half = 0 if state.laid[0] != ZERO else 1
        card = (half << 6) + lowest_bit(state.laid[half])
        row = row_for(state, card)
        if row == 0:
            state.phase = TAKING
            state.actor = state.owner[card]
            return
        state.laid[half] &= state.laid[half] - ONE
        if state.row_length[row] + 1 == state.full_at[row]:
            collect(state, state.owner[card], row, card)
        else:
            state.row[row, half] |= ONE << U(card & 63)
            state.row_length[row] += 1
            state.row_heads[row] += state.heads[card]
            state.row_end[row] = card


@compiled
def row_for(state, card):
    """XN-4, XN-5; 0 if the card is too low (XN-7)."""
    nearest, nearest_end = 0, 0
    for row in range(1, ROWS + 1):
        end = state.row_end[row]
        if nearest_end < end < card:
            nearest, nearest_end = row, end
    return nearest


@compiled
def collect(state, seat, row, card):
    """XN-6, XN-7."""
    state.tally[COLLECTIONS] += 1
    state.collected[0] = state.row[row, 0]
    state.collected[1] = state.row[row, 1]
    start_row(state, row, card)
    low, high = candidates(state, seat)
    if count_bits(low) + count_bits(high) == 1:
        keep(state, seat, lowest_bit(low) if low != ZERO else 64 + lowest_bit(high))
    else:
        state.phase = KEEPING
        state.actor = seat


# -- Collected cards --------------------------------------------------------------------------


@compiled
def candidates(state, seat):
    """XN-8, XN-11."""
    low, high = state.collected[0], state.collected[1]
    end = state.x_end[seat]
    if state.free_choice or end == 0:
        return low, high
    if end < 64:
        higher_low, higher_high = low & ~((ONE << U(end)) - ONE), high
    else:
        higher_low, higher_high = ZERO, high & ~((ONE << U(end - 64)) - ONE)
    if higher_low | higher_high == ZERO:
        return low, high
    return higher_low, higher_high


@compiled
def keep(state, seat, card):
    """XN-8 to XN-10."""
    if card < state.x_end[seat]:
        state.tally[FLUSHES] += 1
        for half in range(2):
            state.x_pile[seat, half] |= state.x_row[seat, half]
            state.x_row[seat, half] = ZERO
        state.x_heads[seat] = 0
    half, bit = card >> 6, ONE << U(card & 63)
    state.x_row[seat, half] |= bit
    state.x_end[seat] = card
    state.x_heads[seat] += state.heads[card]
    state.collected[half] &= ~bit
    for half in range(2):
        state.hand[seat, half] |= state.collected[half]
        state.collected[half] = ZERO
    state.phase = PLACING


# -- End of a round and of the game -----------------------------------------------------------


@compiled
def end_turn(state):
    """XN-12 to XN-14."""
    state.phase = LAYING
    state.actor = 0
    for seat in range(state.seats):
        if state.hand[seat, 0] | state.hand[seat, 1] == ZERO:
            state.phase = DEALING
    if state.phase == LAYING:
        return
    for seat in range(state.seats):
        state.points[seat] += heads_in(state.heads, state.hand[seat, 0], state.hand[seat, 1])
        state.points[seat] += 2 * heads_in(
            state.heads, state.x_pile[seat, 0], state.x_pile[seat, 1]
        )
    state.rounds_played += 1
    if state.rounds_played == state.rounds:
        state.phase = OVER


@compiled
def scores(state, out):
    for seat in range(state.seats):
        out[seat] = state.points[seat]


@compiled
def places(state, out):
    """Where every card lies, in the plain game's numbers; a test compares them."""
    out[:] = BOX
    for row in range(1, ROWS + 1):
        set_places(state.row[row, 0], state.row[row, 1], ROW + row, out)
    for seat in range(state.seats):
        set_places(state.hand[seat, 0], state.hand[seat, 1], HAND + seat, out)
        set_places(state.x_row[seat, 0], state.x_row[seat, 1], X_ROW + seat, out)
        set_places(state.x_pile[seat, 0], state.x_pile[seat, 1], X_PILE + seat, out)
    set_places(state.collected[0], state.collected[1], COLLECTED, out)
    for half in range(2):
        word = state.laid[half]
        while word != ZERO:
            card = (half << 6) + lowest_bit(word)
            out[card] = LAID + state.owner[card]
            word &= word - ONE


# -- What a player knows ----------------------------------------------------------------------


@compiled
def imagine(state, viewer, rng):
    """Deal anew the cards that `viewer` cannot know; one lying face down counts as in the hand."""
    chosen = state.laid_by if state.phase == LAYING else 0
    own = chosen_card(state, viewer) if (chosen >> viewer) & 1 else 0
    if chosen:
        take_back_choices(state)
    low, high = everything(CARDS)
    low &= ~(state.seen[0] | state.hand[viewer, 0])
    high &= ~(state.seen[1] | state.hand[viewer, 1])
    for seat in range(state.seats):
        if seat != viewer:
            known_low, known_high = (
                state.hand[seat, 0] & state.seen[0],
                state.hand[seat, 1] & state.seen[1],
            )
            unseen = count_bits(state.hand[seat, 0] ^ known_low)
            unseen += count_bits(state.hand[seat, 1] ^ known_high)
            dealt_low, dealt_high = draw_cards(low, high, unseen, rng)
            low, high = low ^ dealt_low, high ^ dealt_high
            state.hand[seat, 0] = known_low | dealt_low
            state.hand[seat, 1] = known_high | dealt_high
    for seat in range(state.seats):
        if (chosen >> seat) & 1:
            card = own
            if seat != viewer:
                card = random_card(state.hand[seat, 0], state.hand[seat, 1], rng)
            lay(state, seat, card)


# -- What a player observes, as numbers -------------------------------------------------------

COLLECTED_CODE = ROWS + 1
SEAT_CODES = COLLECTED_CODE + 1  # the first of the codes by seat: hand, laid, x row, x pile


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:CARDS] = 0
    for row in range(1, ROWS + 1):
        write_cards(state.row[row, 0], state.row[row, 1], row, out)
    write_cards(state.collected[0], state.collected[1], COLLECTED_CODE, out)
    at = CARDS + 2
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = count_bits(low) + count_bits(high)
        if seat != viewer and phase != OVER:
            low, high = (low & state.seen[0], high & state.seen[1]) if perfect else (ZERO, ZERO)
        write_cards(low, high, SEAT_CODES + far, out)
        write_cards(state.x_row[seat, 0], state.x_row[seat, 1], SEAT_CODES + 2 * seats + far, out)
        low, high = state.x_pile[seat, 0], state.x_pile[seat, 1]
        out[at + 2 * seats + far] = count_bits(low) + count_bits(high)
        if perfect or phase == OVER:
            write_cards(low, high, SEAT_CODES + 3 * seats + far, out)
    known = (state.seen[0], state.seen[1]) if perfect else (ZERO, ZERO)
    write_laid(state, viewer, phase == LAYING, known, SEAT_CODES, CARDS + 2 + seats, out)
    out[CARDS] = phase
    out[CARDS + 1] = clockwise(state.actor, viewer, seats)
    if phase == LAYING:
        out[CARDS + 1] = seats
    elif phase == OVER:
        out[CARDS + 1] = seats + 1
    out[at + 3 * seats] = limited(state.rounds_played)


# -- Between the plain table and the record ---------------------------------------------------


def to_record(table: plain.Table) -> Any:
    """The table as an array of one record."""
    states = np.zeros(1, STATE)
    state, lying = states[0], table.lying
    for row in plain.ROWS:
        cards = lying[ROW + row]
        state["row"][row] = words_of(cards)
        state["row_length"][row] = len(cards)
        state["row_heads"][row] = sum(table.deck.heads[card] for card in cards)
        state["row_end"][row] = max(cards, default=0)
    for seat in range(table.seats):
        state["hand"][seat] = words_of(lying[HAND + seat])
        state["x_row"][seat] = words_of(lying[X_ROW + seat])
        state["x_pile"][seat] = words_of(lying[X_PILE + seat])
        state["x_end"][seat] = max(lying[X_ROW + seat], default=0)
        state["x_heads"][seat] = sum(table.deck.heads[card] for card in lying[X_ROW + seat])
    laid = {card: seat for seat in range(table.seats) for card in lying[LAID + seat]}
    for card, seat in laid.items():
        state["owner"][card] = seat
    state["laid"] = words_of(laid)
    state["laid_by"] = mask(laid.values()) if table.phase == LAYING else 0
    state["collected"] = words_of(lying[COLLECTED])
    state["seen"] = words_of_mask(table.seen)
    state["heads"] = table.deck.heads
    state["free_choice"] = table.options["x_choice"] == "free"
    state["points"][: table.seats] = plain.scores(table)
    state["rounds"] = at_most_counted(table.options["rounds"])
    state["rounds_played"] = len(table.points)
    state["in_play"], state["hand_size"] = len(table.sizes.cards), table.sizes.hand
    state["rows"] = len(table.sizes.rows)
    state["row_end"][len(table.sizes.rows) + 1 :] = NO_ROW
    for row in table.sizes.rows:
        state["full_at"][row] = plain.full_at(table, row)
    state["seats"], state["phase"] = table.seats, table.phase
    state["actor"] = (plain.waiting_for(table) or [0])[0]
    return states


def from_record(states: Any, options: Options, deck: Deck) -> plain.Table:
    """The plain table; what was scored in earlier rounds stands together in the first."""
    state = states[0]
    seats, phase = int(state["seats"]), int(state["phase"])
    table = plain.Table(seats, options, deck)
    lying = table.clear()
    table.phase, table.seen = phase, mask_of(state["seen"])
    table.actor = int(state["actor"]) if phase in (TAKING, KEEPING) else 0
    table.points = points_of_rounds(state, seats)
    for row in plain.ROWS:
        lying[ROW + row] = cards_of(state["row"][row])
    for seat in range(seats):
        lying[HAND + seat] = cards_of(state["hand"][seat])
        lying[X_ROW + seat] = cards_of(state["x_row"][seat])
        lying[X_PILE + seat] = cards_of(state["x_pile"][seat])
    for card in cards_of(state["laid"]):
        lying[LAID + int(state["owner"][card])] = (card,)
    lying[COLLECTED] = cards_of(state["collected"])
    elsewhere = {card for cards in lying for card in cards}
    lying[BOX] = tuple(card for card in plain.CARDS if card not in elsewhere)
    return table
