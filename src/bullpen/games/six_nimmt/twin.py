"""6 nimmt!, compiled: the twin of `bullpen.games.six_nimmt.rules`, with its names and constants."""

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
    below,
    cards_of,
    count_bits,
    draw_cards,
    everything,
    lowest_bit,
    points_of_rounds,
    random_card,
    set_places,
    words_of,
)
from bullpen.game import Options
from bullpen.games.six_nimmt import rules as plain
from bullpen.games.six_nimmt.rules import (
    BOX,
    DEALING,
    HAND,
    LAID,
    LAYING,
    OVER,
    PLAY,
    ROW,
    TAKE_ROW,
    TAKEN,
    TAKING,
)

CARDS, SEATS, ROWS = len(plain.CARDS), plain.SEATS[-1], len(plain.ROWS)
ACTIONS = TAKE_ROW + ROWS + 1
SETS = ("hand", "taken", "row", "laid", "box")  # places that keep no order
TALLY = ("take_events", "row_chosen")  # what a report counts
TAKES, ROWS_CHOSEN = range(2)
NO_ROW = np.iinfo(np.int16).max  # higher than every card: none is laid there

STATE = np.dtype(
    [
        ("hand", np.uint64, (SEATS, 2)),
        ("taken", np.uint64, (SEATS, 2)),
        ("row", np.uint64, (ROWS + 1, 2)),  # a row ascends, so a set is enough
        ("laid", np.uint64, (2,)),
        ("points", np.int32, (SEATS,)),
        ("tally", np.uint32, (len(TALLY),)),
        ("limit", np.int32),
        ("rounds", np.int32),  # 0: play to the limit
        ("rounds_played", np.int32),
        ("heads_taken", np.int16, (SEATS,)),
        ("row_heads", np.int16, (ROWS + 1,)),
        ("row_end", np.int16, (ROWS + 1,)),
        ("laid_by", np.uint16),  # the seats that have laid a card, as a mask
        ("row_length", np.uint8, (ROWS + 1,)),
        ("owner", np.uint8, (CARDS + 1,)),  # of the laid cards
        ("heads", np.uint8, (CARDS + 1,)),
        ("in_play", np.uint8),  # SN-9: the tactical deck is smaller
        ("hand_size", np.uint8),
        ("rows", np.uint8),  # those that a mini game does not have end in NO_ROW
        ("full_at", np.uint8),
        ("seats", np.uint8),
        ("phase", np.uint8),
        ("actor", np.uint8),
    ],
    align=True,
)


@compiled
def wants_shuffle(state):
    return state.phase == DEALING


@compiled
def to_shuffle(state, deck):
    """The cards to be shuffled go into `deck`; how many, and how many of them are dealt."""
    for card in range(1, state.in_play + 1):
        deck[card - 1] = card
    return np.int64(state.in_play), np.int64(state.hand_size) * state.seats + state.rows


@compiled
def deal(state, deck):
    """SN-2."""
    at = 0
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
        state.taken[seat, 0] = ZERO
        state.taken[seat, 1] = ZERO
        state.heads_taken[seat] = 0
    for row in range(1, state.rows + 1):
        start_row(state, row, deck[at])
        at += 1
    state.phase = LAYING
    state.actor = 0
    state.laid_by = 0


@compiled
def start_row(state, row, card):
    half = card >> 6
    state.row[row, half] = ONE << U(card & 63)
    state.row[row, 1 - half] = ZERO
    state.row_heads[row] = state.heads[card]
    state.row_end[row] = card
    state.row_length[row] = 1


@compiled
def waiting(state):
    """The seats that have to decide, as a mask."""
    return still_to_lay(state) if state.phase == LAYING else 1 << np.int64(state.actor)


@compiled
def legal(state, words):
    """The legal actions of the actor, as a set."""
    if state.phase == LAYING:
        words[0] = state.hand[state.actor, 0]
        words[1] = state.hand[state.actor, 1]
    elif state.phase == TAKING:
        words[0] = ZERO
        words[1] = ((U(2) << U(state.rows)) - U(2)) << U(TAKE_ROW - 64)
    else:
        words[0] = ZERO
        words[1] = ZERO


@compiled
def random_legal(state, rng):
    if state.phase == LAYING:
        return PLAY + random_card(state.hand[state.actor, 0], state.hand[state.actor, 1], rng)
    return TAKE_ROW + 1 + below(rng, state.rows)


@compiled
def apply(state, action):
    seat = state.actor
    if action > TAKE_ROW:
        state.tally[ROWS_CHOSEN] += 1
        take(state, seat, action - TAKE_ROW, next_laid(state))
        state.phase = LAYING
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
    place_laid_cards(state)


@compiled
def place_laid_cards(state):
    """SN-3."""
    for half in range(2):
        while state.laid[half] != ZERO:
            card = (half << 6) + lowest_bit(state.laid[half])
            row = row_for(state, card)
            if row == 0:
                state.phase = TAKING
                state.actor = state.owner[card]
                return
            state.laid[half] &= state.laid[half] - ONE
            if state.row_length[row] + 1 == state.full_at:
                take(state, state.owner[card], row, card)
            else:
                state.row[row, half] |= ONE << U(card & 63)
                state.row_length[row] += 1
                state.row_end[row] = card
                state.row_heads[row] += state.heads[card]
    end_turn(state)


@compiled
def row_for(state, card):
    """SN-4; 0 if the card is too low (SN-6)."""
    nearest, nearest_end = 0, 0
    for row in range(1, ROWS + 1):
        end = state.row_end[row]
        if nearest_end < end < card:
            nearest, nearest_end = row, end
    return nearest


@compiled
def take(state, seat, row, card):
    """SN-5, SN-6."""
    state.tally[TAKES] += 1
    state.taken[seat, 0] |= state.row[row, 0]
    state.taken[seat, 1] |= state.row[row, 1]
    state.heads_taken[seat] += state.row_heads[row]
    start_row(state, row, card)


@compiled
def end_turn(state):
    """SN-7, SN-8."""
    state.actor = 0
    if state.hand[0, 0] | state.hand[0, 1] != ZERO:
        return
    most = 0
    for seat in range(state.seats):
        state.points[seat] += state.heads_taken[seat]
        most = max(most, state.points[seat])
    state.rounds_played += 1
    over = state.rounds_played == state.rounds if state.rounds else most >= state.limit
    state.phase = OVER if over else DEALING


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
        set_places(state.taken[seat, 0], state.taken[seat, 1], TAKEN + seat, out)
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
    low, high = unknown_to(state, viewer)
    for seat in range(state.seats):
        if seat != viewer:
            size = count_bits(state.hand[seat, 0]) + count_bits(state.hand[seat, 1])
            dealt_low, dealt_high = draw_cards(low, high, size, rng)
            low, high = low ^ dealt_low, high ^ dealt_high
            state.hand[seat, 0] = dealt_low
            state.hand[seat, 1] = dealt_high
    for seat in range(state.seats):
        if (chosen >> seat) & 1:
            card = own
            if seat != viewer:
                card = random_card(state.hand[seat, 0], state.hand[seat, 1], rng)
            lay(state, seat, card)


@compiled
def unknown_to(state, viewer):
    """The cards in play that have not lain open in this round and are not in the viewer's hand."""
    low, high = everything(state.in_play)
    for row in range(1, ROWS + 1):
        low &= ~state.row[row, 0]
        high &= ~state.row[row, 1]
    for seat in range(state.seats):
        low &= ~state.taken[seat, 0]
        high &= ~state.taken[seat, 1]
    low &= ~(state.laid[0] | state.hand[viewer, 0])
    high &= ~(state.laid[1] | state.hand[viewer, 1])
    return low, high


# -- What a player observes, as numbers -------------------------------------------------------

BOX_CODE = 1
SEAT_CODES = BOX_CODE + ROWS + 1  # the first of the codes by seat: hand, laid, taken


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:CARDS] = 0
    out[np.int64(state.in_play) : CARDS] = (
        BOX_CODE  # SN-9: a tactical deck has all its cards in play
    )
    for row in range(1, ROWS + 1):
        write_cards(state.row[row, 0], state.row[row, 1], BOX_CODE + row, out)
    at = CARDS + 2
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = count_bits(low) + count_bits(high)
        if seat == viewer or phase == OVER:
            write_cards(low, high, SEAT_CODES + far, out)
        low, high = state.taken[seat, 0], state.taken[seat, 1]
        out[at + 2 * seats + far] = count_bits(low) + count_bits(high)
        if perfect or phase == OVER:
            write_cards(low, high, SEAT_CODES + 2 * seats + far, out)
    write_laid(state, viewer, phase == LAYING, (ZERO, ZERO), SEAT_CODES, CARDS + 2 + seats, out)
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
    state, lying, heads = states[0], table.lying, table.deck.heads
    for row in plain.ROWS:
        cards = lying[ROW + row]
        state["row"][row] = words_of(cards)
        state["row_length"][row] = len(cards)
        state["row_end"][row] = max(cards, default=0)
        state["row_heads"][row] = sum(heads[card] for card in cards)
    for seat in range(table.seats):
        state["hand"][seat] = words_of(lying[HAND + seat])
        state["taken"][seat] = words_of(lying[TAKEN + seat])
    laid = {card: seat for seat in range(table.seats) for card in lying[LAID + seat]}
    for card, seat in laid.items():
        state["owner"][card] = seat
    state["laid"] = words_of(laid)
    state["laid_by"] = mask(laid.values()) if table.phase == LAYING else 0
    state["heads"], state["heads_taken"][: table.seats] = heads, table.heads_taken
    state["in_play"], state["hand_size"] = len(plain.in_play(table)), table.sizes.hand
    state["rows"], state["full_at"] = len(table.sizes.rows), table.sizes.full_at
    state["row_end"][len(table.sizes.rows) + 1 :] = NO_ROW
    state["points"][: table.seats] = plain.scores(table)
    state["limit"] = at_most_counted(table.options["limit"])
    state["rounds"] = at_most_counted(table.options["rounds"])
    state["rounds_played"] = len(table.points)
    state["seats"], state["phase"] = table.seats, table.phase
    state["actor"] = (plain.waiting_for(table) or [0])[0]
    return states


def from_record(states: Any, options: Options, deck: Deck) -> plain.Table:
    """The plain table; what was scored in earlier rounds stands together in the first."""
    state = states[0]
    seats, phase = int(state["seats"]), int(state["phase"])
    table = plain.Table(seats, options, deck)
    lying = table.clear()
    table.phase = phase
    table.actor = int(state["actor"]) if phase == TAKING else 0
    table.points = points_of_rounds(state, seats)
    table.heads_taken = tuple(int(heads) for heads in state["heads_taken"][:seats])
    for row in plain.ROWS:
        lying[ROW + row] = cards_of(state["row"][row])
    for seat in range(seats):
        lying[HAND + seat] = cards_of(state["hand"][seat])
        lying[TAKEN + seat] = cards_of(state["taken"][seat])
    for card in cards_of(state["laid"]):
        lying[LAID + int(state["owner"][card])] = (card,)
    elsewhere = {card for cards in lying for card in cards}
    lying[BOX] = tuple(card for card in plain.CARDS if card not in elsewhere)
    table.seen = seen_in(table)
    return table


def seen_in(table: plain.Table) -> int:
    """What has lain open: rows, what was taken, what is turned up, and what the deck leaves out."""
    laid = range(LAID, LAID + table.seats) if table.phase != LAYING else range(0)
    taken, rows = range(TAKEN, TAKEN + table.seats), range(ROW + 1, ROW + 1 + ROWS)
    is_open = mask(card for place in (*rows, *taken, *laid) for card in table.lying[place])
    left_out = set(plain.CARDS) - set(plain.in_play(table))
    return is_open | mask(left_out) if table.lying[ROW + 1] else 0
