"""6 nimmt! Baron Oxx, compiled: the twin of `bullpen.games.baron_oxx.rules`, with its names and constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bullpen.cards import Card, mask
from bullpen.deck import Deck
from bullpen.fast.compiling import compiled
from bullpen.fast.face_down import next_laid, still_to_lay
from bullpen.fast.observing import clockwise, limited, write_laid
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    at_most_counted,
    below,
    cards_of,
    count_bits,
    everything,
    lowest_bit,
    mask_of,
    nth_bit,
    points_of_rounds,
    random_card,
    words_of,
    words_of_mask,
)
from bullpen.game import Options
from bullpen.games.baron_oxx import rules as plain
from bullpen.games.baron_oxx.rules import (
    BOX,
    BULL_PILE,
    CHOOSE_ROW,
    CHOOSING,
    DEALING,
    DRAW,
    FULL_AT,
    HAND,
    HAND_SIZE,
    LAID,
    LAYING,
    OVER,
    PLAY,
    ROW,
    TOO_MANY_BULLS,
)

CARDS, SEATS, ROWS = len(plain.CARDS), plain.SEATS[-1], len(plain.ROWS)
ACTIONS = CHOOSE_ROW + ROWS + 1
ALL_ROWS = U(mask(plain.ROWS))
SETS = ()  # all places keep their order, or lie sorted
TALLY = ("row_chosen", "take_BO-9", "take_BO-10", "take_BO-11", "under_events")
ROWS_CHOSEN, TAKES_SIXTH, TAKES_COLOUR, TAKES_MISFIT, UNDERS = range(5)

# What a card shows, in one word: four bits a colour for its bulls, at most TOO_MANY_BULLS, and above
# them eight bits for all its bulls.  What a row shows is the sum.
COLOUR_BITS, ALL_BULLS = 4, 24
TOP_BITS = U(0x888888)  # of every colour
UP_TO_TOP_FROM_ONE, UP_TO_TOP_FROM_TOO_MANY = U(0x777777), U(0x111111 * (8 - TOO_MANY_BULLS))

# A seat's hand and draw pile are one ring of `each` bytes: first the hand, then the pile from its top.
# So drawing a card moves nothing.  In rows and bull piles every card knows the one on which it lies:
# so a whole row is taken by laying its first card on the pile.
STATE = np.dtype(
    [
        ("laid", np.uint64, (2,)),
        ("seen", np.uint64, (2,)),  # the cards that have lain open in this game
        ("gone_under", np.uint64, (2,)),  # since the last card was placed (BO-17)
        ("points", np.int32, (SEATS,)),
        ("tally", np.uint32, (len(TALLY),)),
        ("games", np.int32),
        ("rounds_played", np.int32),  # games, in the rulebook's word
        ("face", np.uint32, (CARDS + 1,)),
        ("row_face", np.uint32, (ROWS + 1,)),
        ("bulls_taken", np.int16, (SEATS,)),
        ("laid_by", np.uint16),  # the seats that have laid a card, as a mask
        ("ring", np.uint8, (max(seats * each for seats, each in plain.CARDS_EACH.items()),)),
        ("head", np.uint8, (SEATS,)),  # where the hand begins in the seat's ring
        ("in_hand", np.uint8, (SEATS,)),
        ("left", np.uint8, (SEATS,)),  # in hand and draw pile
        ("lies_on", np.uint8, (CARDS + 1,)),  # 0: on no other card
        ("row_first", np.uint8, (ROWS + 1,)),
        ("row_end", np.uint8, (ROWS + 1,)),
        ("row_length", np.uint8, (ROWS + 1,)),
        ("pile_top", np.uint8, (SEATS,)),
        ("owner", np.uint8, (CARDS + 1,)),  # of the laid cards
        ("fitting", np.uint8),  # in CHOOSING: the rows that fit, as a mask
        ("each", np.uint8),  # cards dealt to a seat
        ("full_at", np.uint8),
        ("turns", np.uint8),  # ended since the record was made or the cards were dealt
        ("positive", np.uint8),
        ("seats", np.uint8),
        ("phase", np.uint8),
        ("actor", np.uint8),
    ],
    align=True,
)
NEVER_FULL = 255  # BO-15
FORESIGHT = 4  # turns


# -- Setting up -------------------------------------------------------------------------------


@compiled
def wants_shuffle(state):
    return state.phase == DEALING


@compiled
def to_shuffle(state, deck):
    """The cards to be shuffled go into `deck`; how many, and how many of them matter."""
    for card in range(1, CARDS + 1):
        deck[card - 1] = card
    return CARDS, np.int64(state.each) * state.seats + ROWS


@compiled
def deal(state, deck):
    """BO-3, BO-4."""
    state.turns = 0
    dealt = np.int64(state.each) * state.seats
    for at in range(dealt):
        state.ring[at] = deck[at]
    for seat in range(state.seats):
        state.head[seat] = 0
        state.in_hand[seat] = HAND_SIZE
        state.left[seat] = state.each
        state.pile_top[seat] = 0
        state.bulls_taken[seat] = 0
    for half in range(2):
        state.seen[half] = ZERO
        state.gone_under[half] = ZERO
    for row in range(1, ROWS + 1):
        card = deck[dealt + row - 1]
        clear_row(state, row)
        place(state, row, card)
        state.seen[card >> 6] |= ONE << U(card & 63)
    state.phase = LAYING
    state.actor = 0


@compiled
def clear_row(state, row):
    state.row_face[row] = 0
    state.row_end[row] = 0
    state.row_length[row] = 0


# -- A turn -----------------------------------------------------------------------------------


@compiled
def ring_at(state, seat, n):
    """Where the n-th card of a seat's hand and draw pile is kept."""
    at, each = np.int64(state.head[seat]) + n, np.int64(state.each)
    return np.int64(seat) * each + (at - each if at >= each else at)


@compiled
def waiting(state):
    """The seats that have to decide, as a mask."""
    return still_to_lay(state) if state.phase == LAYING else 1 << np.int64(state.actor)


@compiled
def legal(state, words):
    """The legal actions of the actor, as a set."""
    words[0] = ZERO
    words[1] = ZERO
    if state.phase == LAYING:
        for n in range(state.in_hand[state.actor]):
            action = PLAY + np.int64(state.ring[ring_at(state, state.actor, n)])
            words[action >> 6] |= ONE << U(action & 63)
    elif state.phase == CHOOSING:
        words[1] = rows_to_choose(state) << U(CHOOSE_ROW - 64)


@compiled
def rows_to_choose(state):
    """BO-6; BO-11: all rows, if none fits."""
    return U(state.fitting) if state.fitting else ALL_ROWS


@compiled
def random_legal(state, rng):
    if state.phase == LAYING:
        n = below(rng, state.in_hand[state.actor])
        return PLAY + np.int64(state.ring[ring_at(state, state.actor, n)])
    rows = rows_to_choose(state)
    return CHOOSE_ROW + nth_bit(rows, below(rng, count_bits(rows)))


@compiled
def apply(state, action):
    seat = state.actor
    if action > CHOOSE_ROW:
        state.tally[ROWS_CHOSEN] += 1
        card = next_laid(state)
        if state.fitting:
            add_to_row(state, seat, action - CHOOSE_ROW, card)
        else:
            take_for_misfit(state, seat, action - CHOOSE_ROW, card)
    else:
        lay(state, seat, action - PLAY)
        state.laid_by |= 1 << seat
        state.actor = lowest_bit(~U(state.laid_by))
        if state.actor < state.seats:
            return
        state.laid_by = 0
        state.seen[0] |= state.laid[0]
        state.seen[1] |= state.laid[1]
    place_laid_cards(state)


@compiled
def lay(state, seat, card):
    """The first card of the hand takes the place of the one that is laid."""
    first = ring_at(state, seat, 0)
    at = first
    for n in range(1, state.in_hand[seat]):
        other = ring_at(state, seat, n)
        at = other if state.ring[other] == card else at
    state.ring[at] = state.ring[first]
    state.head[seat] = state.head[seat] + 1 if state.head[seat] + 1 < state.each else 0
    state.in_hand[seat] -= 1
    state.left[seat] -= 1
    state.laid[card >> 6] |= ONE << U(card & 63)
    state.owner[card] = seat


@compiled
def place_laid_cards(state):
    """BO-5: the lowest first, until all are placed or someone has to choose."""
    for half in range(2):
        while state.laid[half] != ZERO:
            card = (half << 6) + lowest_bit(state.laid[half])
            seat = state.owner[card]
            rows = fitting_rows(state, card)
            goes_under = rows == ZERO and state.positive
            if count_bits(rows) != 1 and not goes_under:
                state.phase = CHOOSING
                state.actor = seat
                state.fitting = rows
                return
            state.laid[half] &= state.laid[half] - ONE
            if goes_under:
                put_under(state, seat, card)
            else:
                add_to_row(state, seat, lowest_bit(rows), card)
    end_turn(state)


@compiled
def fitting_rows(state, card):
    """BO-6, BO-7, as a mask."""
    own, rows = colours_of(state, card), ZERO
    for row in range(1, ROWS + 1):
        rows |= U(own & colours_of(state, state.row_end[row]) != ZERO) << U(row)
    return rows


@compiled
def colours_of(state, card):
    """The top bits of the colours that a card shows."""
    return (U(state.face[card]) + UP_TO_TOP_FROM_ONE) & TOP_BITS


# -- Taking cards -----------------------------------------------------------------------------


@compiled
def add_to_row(state, seat, row, card):
    """BO-6, after BO-9 or BO-10."""
    is_sixth = state.row_length[row] + 1 >= state.full_at
    if is_sixth or has_too_many_bulls(U(state.row_face[row]) + U(state.face[card])):
        state.tally[TAKES_SIXTH if is_sixth else TAKES_COLOUR] += 1
        take(state, seat, row)
    place(state, row, card)


@compiled
def has_too_many_bulls(face):
    """BO-10."""
    return (face + UP_TO_TOP_FROM_TOO_MANY) & TOP_BITS != ZERO


@compiled
def take_for_misfit(state, seat, row, card):
    """BO-11."""
    state.tally[TAKES_MISFIT] += 1
    take(state, seat, row)
    place(state, row, card)


@compiled
def take(state, seat, row):
    """BO-12."""
    state.lies_on[state.row_first[row]] = state.pile_top[seat]
    state.pile_top[seat] = state.row_end[row]
    state.bulls_taken[seat] += state.row_face[row] >> ALL_BULLS
    clear_row(state, row)


@compiled
def place(state, row, card):
    state.lies_on[card] = state.row_end[row]
    state.row_first[row] = state.row_first[row] if state.row_length[row] else card
    state.row_end[row] = card
    state.row_length[row] += 1
    state.row_face[row] += state.face[card]
    state.gone_under[0] = ZERO
    state.gone_under[1] = ZERO


@compiled
def put_under(state, seat, card):
    """BO-16."""
    state.tally[UNDERS] += 1
    state.ring[ring_at(state, seat, np.int64(state.left[seat]))] = card
    state.left[seat] += 1
    state.gone_under[card >> 6] |= ONE << U(card & 63)


# -- End --------------------------------------------------------------------------------------


@compiled
def end_turn(state):
    """BO-8, BO-13, BO-14."""
    state.turns += 1
    if not is_game_over(state):
        for seat in range(state.seats):
            if state.in_hand[seat] == 0:
                state.in_hand[seat] = min(HAND_SIZE, state.left[seat])
        state.phase = LAYING
        state.actor = 0
        return
    for seat in range(state.seats):
        state.points[seat] += game_points(state, seat)
    state.rounds_played += 1
    state.phase = OVER if state.rounds_played == state.games else DEALING


@compiled
def is_game_over(state):
    """BO-13, BO-16, BO-17."""
    fewest, left = np.int64(state.each), 0
    for seat in range(state.seats):
        fewest = min(fewest, np.int64(state.left[seat]))
        left += np.int64(state.left[seat])
    gone_under = count_bits(state.gone_under[0]) + count_bits(state.gone_under[1])
    return fewest == 0 or gone_under == left


@compiled
def game_points(state, seat):
    """BO-13, BO-16."""
    points = np.int64(state.bulls_taken[seat])
    for n in range(state.left[seat]):
        card = state.ring[ring_at(state, seat, n)]
        points -= np.int64(state.face[card] >> ALL_BULLS)
    return points


@compiled
def scores(state, out):
    for seat in range(state.seats):
        out[seat] = state.points[seat]


# -- Looking ahead ----------------------------------------------------------------------------


@compiled
def is_far_enough(state):
    """Beyond the next hand or so nobody knows their cards, and what happens there hides what a choice
    brings: measured, playouts of four turns win more often than those of three, six, or all."""
    return state.turns >= FORESIGHT


@compiled
def standing(state, out):
    """The points with what lies in the bull piles; a card gone under (BO-16) still has to be placed."""
    scores(state, out)
    if state.phase == LAYING or state.phase == CHOOSING:
        for seat in range(state.seats):
            out[seat] += game_points(state, seat) if state.positive else state.bulls_taken[seat]


# -- In the plain game's numbers --------------------------------------------------------------


@compiled
def places(state, out):
    """Where every card lies, in the plain game's numbers; a test compares them."""
    out[:] = BOX
    for row in range(1, ROWS + 1):
        chain_places(state, state.row_end[row], ROW + row, out)
    for seat in range(state.seats):
        chain_places(state, state.pile_top[seat], BULL_PILE + seat, out)
        for n in range(state.left[seat]):
            place = HAND if n < state.in_hand[seat] else DRAW
            out[state.ring[ring_at(state, seat, n)]] = place + seat
    for half in range(2):
        word = state.laid[half]
        while word != ZERO:
            card = (half << 6) + lowest_bit(word)
            out[card] = LAID + state.owner[card]
            word &= word - ONE


@compiled
def chain_places(state, card, where, out):
    """The place of a card and of all the cards below it."""
    while card != 0:
        out[card] = where
        card = state.lies_on[card]


# -- What a player knows ----------------------------------------------------------------------


@compiled
def imagine(state, viewer, rng):
    """Deal anew the cards that `viewer` cannot know: seen cards stay where they are, in hands and in
    draw piles; one lying face down counts as in the hand."""
    if state.phase != LAYING and state.phase != CHOOSING:
        return
    chosen = state.laid_by if state.phase == LAYING else 0
    own = 0
    if chosen:
        own = take_back_choices(state, viewer)
    low, high = everything(CARDS)
    low, high = low & ~state.seen[0], high & ~state.seen[1]
    for n in range(state.in_hand[viewer]):
        low, high = without(low, high, state.ring[ring_at(state, viewer, n)])
    for seat in range(state.seats):
        for n in range(state.in_hand[seat] if seat == viewer else 0, state.left[seat]):
            at = ring_at(state, seat, n)
            card = np.int64(state.ring[at])
            if (state.seen[card >> 6] >> U(card & 63)) & ONE == ZERO:
                card = random_card(low, high, rng)
                low, high = without(low, high, card)
                state.ring[at] = card
    for seat in range(state.seats):
        if (chosen >> seat) & 1:
            card = own
            if seat != viewer:
                n = below(rng, state.in_hand[seat])
                card = np.int64(state.ring[ring_at(state, seat, n)])
            lay(state, seat, card)


@compiled
def without(low, high, card):
    """A set without one of its cards."""
    bit = ONE << U(card & 63)
    return low & ~bit if card < 64 else low, high & ~bit if card >= 64 else high


@compiled
def take_back_choices(state, viewer):
    """Laid cards go back to the front of the hand; returns the viewer's own, or 0."""
    own = 0
    while state.laid[0] | state.laid[1] != ZERO:
        card = next_laid(state)
        seat = state.owner[card]
        own = card if seat == viewer else own
        state.head[seat] = (state.head[seat] or state.each) - 1
        state.in_hand[seat] += 1
        state.left[seat] += 1
        state.ring[ring_at(state, seat, 0)] = card
    return own


# -- What a player observes, as numbers -------------------------------------------------------

SEAT_CODES = ROWS + 1  # the first of the codes by seat: hand, laid, draw, bull pile


@compiled
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    first_number = CARDS * (2 if state.positive else 1)
    out[:first_number] = 0
    at = first_number + 2
    rows_from = at + 4 * seats + 2
    for row in range(1, ROWS + 1):
        observe_chain(state, state.row_end[row], row, out)
        out[rows_from + row - 1] = state.row_end[row]
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = state.in_hand[seat]
        out[at + 2 * seats + far] = np.int64(state.left[seat]) - np.int64(state.in_hand[seat])
        write_hand(state, seat, viewer, perfect, far, out)
        write_draw_pile(state, seat, perfect, far, out)
        code = SEAT_CODES + 3 * seats + far if perfect or phase == OVER else 0
        out[at + 3 * seats + far] = observe_chain(state, state.pile_top[seat], code, out)
    known = (state.seen[0], state.seen[1]) if perfect else (ZERO, ZERO)
    write_laid(state, viewer, phase == LAYING, known, SEAT_CODES, at + seats, out)
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
def observe_chain(state, top, code, out):
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
            out[card - 1] = SEAT_CODES + far


@compiled
def write_draw_pile(state, seat, perfect, far, out):
    """Nobody sees it, but a perfect memory knows what went under it."""
    is_open, in_hand = state.phase == OVER, np.int64(state.in_hand[seat])
    if not is_open and not (perfect and state.positive):
        return
    for n in range(in_hand, np.int64(state.left[seat])):
        card = np.int64(state.ring[ring_at(state, seat, n)])
        if is_open or has_seen(state, card):
            out[card - 1] = SEAT_CODES + 2 * np.int64(state.seats) + far
            if state.positive:
                out[CARDS + card - 1] = n - in_hand + 1


# -- Between the plain table and the record ---------------------------------------------------


def to_record(table: plain.Table) -> Any:
    """The table as an array of one record."""
    states = np.zeros(1, STATE)
    state, lying, colours = states[0], table.lying, table.deck.colours
    state["face"][1:] = [face(bulls) for bulls in colours[1:]]
    for row in plain.ROWS:
        if cards := lying[ROW + row]:
            shown = [colours[card] for card in cards]
            state["row_face"][row] = face([sum(bulls) for bulls in zip(*shown, strict=True)])
            state["row_first"][row], state["row_end"][row] = cards[0], cards[-1]
            state["row_length"][row] = len(cards)
            write_chain(state, cards)
    state["each"] = each = plain.CARDS_EACH[table.seats]
    for seat in range(table.seats):
        hand, draw, pile = (lying[place + seat] for place in (HAND, DRAW, BULL_PILE))
        state["in_hand"][seat], state["left"][seat] = len(hand), len(hand + draw)
        state["ring"][seat * each : seat * each + len(hand + draw)] = hand + draw
        state["pile_top"][seat] = pile[-1] if pile else 0
        state["bulls_taken"][seat] = plain.bulls_on(table.deck, pile)
        write_chain(state, pile)
    laid = {card: seat for seat in range(table.seats) for card in lying[LAID + seat]}
    for card, seat in laid.items():
        state["owner"][card] = seat
    state["laid"] = words_of(laid)
    state["laid_by"] = mask(laid.values()) if table.phase == LAYING else 0
    state["seen"], state["gone_under"] = words_of_mask(table.seen), words_of_mask(table.gone_under)
    if table.phase == CHOOSING:
        state["fitting"] = mask(plain.fitting_rows(table, lying[LAID + table.actor][0]))
    state["full_at"] = NEVER_FULL if table.options["variant"] == "colour" else FULL_AT
    state["positive"] = table.options["variant"] == "positive"
    state["points"][: table.seats] = plain.scores(table)
    state["games"] = at_most_counted(table.options["games"])
    state["rounds_played"] = len(table.points)
    state["seats"], state["phase"] = table.seats, table.phase
    state["actor"] = (plain.waiting_for(table) or [0])[0]
    return states


def face(bulls: Sequence[int]) -> int:
    """What cards show as one word; NumPy refuses it if they show more than 255 bulls."""
    word = sum(bulls) << ALL_BULLS
    for colour, shown in enumerate(bulls):
        word |= min(shown, TOO_MANY_BULLS) << COLOUR_BITS * colour
    return word


def write_chain(state: Any, cards: Sequence[Card]) -> None:
    for lower, upper in zip((0, *cards), cards, strict=False):
        state["lies_on"][upper] = lower


def read_chain(state: Any, top: Any) -> tuple[Card, ...]:
    cards: list[Card] = []
    while top:
        cards.append(int(top))
        top = state["lies_on"][top]
    return tuple(reversed(cards))


def from_record(states: Any, options: Options, deck: Deck) -> plain.Table:
    """The plain table; what was scored in earlier games stands together in the first."""
    state = states[0]
    seats, phase, each = int(state["seats"]), int(state["phase"]), int(state["each"])
    table = plain.Table(seats, options, deck)
    lying = table.clear()
    table.phase, table.actor = phase, int(state["actor"]) if phase == CHOOSING else 0
    table.points = points_of_rounds(state, seats)
    table.seen, table.gone_under = mask_of(state["seen"]), mask_of(state["gone_under"])
    for row in plain.ROWS:
        lying[ROW + row] = read_chain(state, state["row_end"][row])
    for seat in range(seats):
        lying[BULL_PILE + seat] = read_chain(state, state["pile_top"][seat])
        ring = state["ring"][seat * each : (seat + 1) * each].tolist()
        head, in_hand = int(state["head"][seat]), int(state["in_hand"][seat])
        cards = (ring[head:] + ring[:head])[: state["left"][seat]]
        lying[HAND + seat] = tuple(sorted(cards[:in_hand]))
        lying[DRAW + seat] = tuple(cards[in_hand:])
    for card in cards_of(state["laid"]):
        lying[LAID + int(state["owner"][card])] = (card,)
    elsewhere = {card for cards in lying for card in cards}
    lying[BOX] = tuple(card for card in plain.CARDS if card not in elsewhere)
    return table
