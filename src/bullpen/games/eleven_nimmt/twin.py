"""11 nimmt!, compiled: the twin of `bullpen.games.eleven_nimmt.rules`, with its names and constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from bullpen.cards import turned_down
from bullpen.deck import Deck
from bullpen.fast.compiling import inlined, uncounted
from bullpen.fast.observing import clockwise, limited, write_cards
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    add_bits,
    at_most_counted,
    below,
    bits_of,
    cards_of,
    count_bits,
    draw_cards,
    everything,
    heads_in,
    lowest_bit,
    mask_of,
    nth_bit,
    points_of_rounds,
    set_places,
    words_of,
    words_of_mask,
)
from bullpen.game import Options
from bullpen.games.eleven_nimmt import rules as plain
from bullpen.games.eleven_nimmt.rules import (
    BIG_STACK,
    BULL_CARDS,
    BULL_OF,
    BULLS,
    CHOOSING_BULL,
    DEALING,
    DRAW,
    END,
    FURTHEST,
    HAND,
    HAND_SIZE,
    NEW_STACKS,
    OVER,
    PLAY,
    PLAYING,
    STACK,
    SUPPLY,
    TAKE,
)

CARDS, SEATS = len(plain.CARDS), plain.SEATS[-1]
SLOTS = 64  # for stacks: one word; at one time there are at most 1 + 79 // 2
ACTIONS = BULL_OF + SEATS
SETS = ("hand",)  # places that keep no order
TALLY = ("place_events", "take_events", "bull_from_supply", "bull_from_player", "bull_chosen")
PLACED, TAKES, FROM_SUPPLY, FROM_PLAYER, BULLS_CHOSEN = range(5)
FITTING = U((1 << FURTHEST) - 1)
# A spread hand has two words: whatever fits on the tops below `PARTED` stands in the first one, whatever fits on the others in
# the second, which goes round: bit 0 comes after bit 63, as card 64 after card 63.
PARTED = 64 - FURTHEST - 1
# Actions of one stack lie a step apart: that of the card i + 1 above its name at bit i * STEP.  As many as stand in a word are
# spread at once, by a copy of all bits for each of them, of which it keeps its own.
STEP = FURTHEST + 1
A_WORD_HOLDS = 1 + 63 // STEP
COPIES = U(sum(1 << FURTHEST * i for i in range(A_WORD_HOLDS)))
OWN_BITS = U(sum(1 << STEP * i for i in range(A_WORD_HOLDS)))

STATE = np.dtype(
    [
        ("hand", np.uint64, (SEATS, 2)),
        ("seen", np.uint64, (2,)),  # the cards that have lain open in this round
        ("tops", np.uint64, (2,)),  # of the stacks not played on in this turn
        ("laid", np.uint64, (2,)),  # the tops of those played on
        ("stacks", np.uint64),  # the slots in which one lies, oldest first, as a mask
        ("closed", np.uint64),  # of them those played on in this turn
        ("points", np.int32, (SEATS,)),
        ("tally", np.uint32, (len(TALLY),)),
        ("rounds", np.int32),
        ("rounds_played", np.int32),
        ("top", np.uint8, (SLOTS,)),
        ("size", np.uint8, (SLOTS,)),
        ("under", np.uint8, (CARDS + 1,)),  # by card: the one below it in its stack
        # By top card: its slot; of others it may say anything.
        ("slot_of", np.uint8, (CARDS + 1,)),
        ("draw", np.uint8, (CARDS,)),
        ("heads", np.uint8, (CARDS + 1,)),
        ("served_slot", np.uint8, (BULL_CARDS + 1,)),
        ("served_name", np.uint8, (BULL_CARDS + 1,)),
        ("bulls", np.uint8, (SEATS,)),
        ("served", np.uint8),  # how many stacks in this turn
        ("supply", np.uint8),  # bull cards
        ("slots_used", np.uint8),  # since the deal, or since they were closed up
        ("drawn", np.uint8),  # the draw pile lies in draw[drawn:draw_end]
        ("draw_end", np.uint8),
        ("starter", np.uint8),
        ("seats", np.uint8),
        ("phase", np.uint8),
        ("actor", np.uint8),
    ],
    align=True,
)


# -- Setting up a round -----------------------------------------------------------------------


@uncounted
def wants_shuffle(state):
    return state.phase == DEALING


@uncounted
def to_shuffle(state, deck):
    """The cards to be shuffled go into `deck`; how many, and how many of them matter."""
    for card in range(1, CARDS + 1):
        deck[card - 1] = card
    return CARDS, CARDS


@uncounted
def deal(state, deck):
    """EN-3."""
    at = 0
    for seat in range(np.int64(state.seats)):
        low, high = ZERO, ZERO
        for _ in range(HAND_SIZE):
            card = deck[at]
            at += 1
            bit = ONE << U(card & 63)
            if card < 64:
                low |= bit
            else:
                high |= bit
        state.hand[seat, 0] = low
        state.hand[seat, 1] = high
        state.bulls[seat] = 0
    state.supply = BULL_CARDS
    state.seen[0] = ZERO
    state.seen[1] = ZERO
    state.tops[0] = ZERO
    state.tops[1] = ZERO
    state.laid[0] = ZERO
    state.laid[1] = ZERO
    state.stacks = ZERO
    state.slots_used = 0
    open_stack(state, np.int64(deck[at]))
    show_tops(state, *bits_of(np.int64(deck[at])))
    at += 1
    state.drawn = 0
    state.draw_end = CARDS - at
    for i in range(CARDS - at):
        state.draw[i] = deck[at + i]
    state.served = 0
    state.closed = ZERO
    state.phase = PLAYING
    state.actor = state.starter


@uncounted
def open_stack(state, card):
    if state.slots_used == SLOTS:
        close_up(state)
    slot = state.slots_used
    state.top[slot] = card
    state.slot_of[card] = slot
    state.size[slot] = 1
    state.under[card] = 0
    state.slots_used += 1
    state.stacks |= ONE << U(slot)


@uncounted
def close_up(state):
    """The stacks into the first slots.  With two or three players a round may see more of them than there are slots."""
    left, used = state.stacks, 0
    while left != ZERO:
        slot = lowest_bit(left)
        left &= left - ONE
        state.top[used] = state.top[slot]
        state.size[used] = state.size[slot]
        state.slot_of[state.top[slot]] = used
        used += 1
    state.slots_used = used
    state.stacks = (ONE << U(used)) - ONE


@uncounted
def show_tops(state, low, high):
    """A set of cards, which now lie on stacks of their own."""
    state.seen[0] |= low
    state.seen[1] |= high
    state.tops[0] |= low
    state.tops[1] |= high


# -- A turn -----------------------------------------------------------------------------------


@uncounted
def spread_hand(state, seat):
    """EN-7: the actor's hand as overlapping words, in which 1 to 10 stand again after the 100, so that
    the ten cards above any card lie in one word: no branch that would be guessed wrong."""
    low, high = state.hand[seat, 0], state.hand[seat, 1]
    again = ((low >> ONE) & FITTING) << U(CARDS + 1 - 64)
    return low, high | again | (low & (~ZERO << U(PARTED + 1)))


@uncounted
def spread_tops(state):
    """The tops of the stacks not played on, each where the spread hand has what fits."""
    low, beyond = state.tops[0], ~ZERO << U(PARTED)
    return low & ~beyond, state.tops[1] | (low & beyond)


@uncounted
def turned(word, by):
    """So many bits down; what falls out at the bottom comes in at the top."""
    return (word >> (by & U(63))) | (word << (-by & U(63)))


@uncounted
def fitting(spread, top):
    """EN-5, EN-6: bit i for the card of the spread hand that lies i + 1 above the top card."""
    word = spread[0] if top < PARTED else spread[1]
    return turned(word, U(top) + ONE) & FITTING


@uncounted
def beyond_last(state, spread):
    """EN-14: what fits on the stack played on last, beyond the card laid there."""
    slot = state.served_slot[state.served - 1]
    name = state.served_name[state.served - 1]
    laid = np.int64(state.top[slot]) - np.int64(name)
    return fitting(spread, name) & (~ZERO << U(laid if laid > 0 else laid + CARDS))


@uncounted
def may_open_another(state):
    """EN-14: on as many stacks as bull cards."""
    return state.served < state.bulls[state.actor]


@uncounted
def play_action(top, far):
    """The action of playing the card that lies far + 1 above a stack's name."""
    card = top + far + 1
    return PLAY + FURTHEST * (card if card <= CARDS else card - CARDS) + far


@uncounted
def name_below(card, far):
    """The card that lies far + 1 below another one; all are words, which are never below zero."""
    name = card + U(CARDS) - far - ONE
    return name - U(CARDS) if name > U(CARDS) else name


@uncounted
def add_action(words, action):
    words[action >> 6] |= ONE << U(action & 63)


@uncounted
def add_plays(words, fits, top):
    beyond = max(
        0, np.int64(top) + FURTHEST - CARDS
    )  # of the ten cards above it: those that are 1, 2, ... again
    again = fits >> U(FURTHEST - beyond)
    add_spread(words, PLAY + FURTHEST * (np.int64(top) + 1), fits ^ (again << U(FURTHEST - beyond)))
    if again != ZERO:
        far = FURTHEST - beyond
        add_spread(words, PLAY + FURTHEST + far, again)


@uncounted
def add_spread(words, first, fits):
    """The actions at `first` and so many steps further."""
    low = (fits * COPIES) & OWN_BITS
    high = ((fits >> U(A_WORD_HOLDS)) * COPIES) & OWN_BITS
    add_bits(words, first, low, high << U(A_WORD_HOLDS * STEP - 64))


@uncounted
def legal(state, words):
    """The legal actions of the actor, as a set."""
    words[:] = ZERO
    if state.phase == CHOOSING_BULL:
        richest = richest_others(state, state.actor)
        while richest != ZERO:
            add_action(words, BULL_OF + lowest_bit(richest))
            richest &= richest - ONE
    elif state.phase == PLAYING:
        spread = spread_hand(state, state.actor)
        if state.served:
            add_action(words, END)
            name = state.served_name[state.served - 1]
            add_plays(words, beyond_last(state, spread), name)
        if state.served == 0 or may_open_another(state):
            left = open_slots(state)
            while left != ZERO:
                top = state.top[lowest_bit(left)]
                left &= left - ONE
                add_plays(words, fitting(spread, top), top)
        if state.served == 0:
            add_bits(words, TAKE, state.tops[0], state.tops[1])


@inlined
def random_legal(state, rng):
    if state.phase == CHOOSING_BULL:
        richest = richest_others(state, state.actor)
        return BULL_OF + nth_bit(richest, below(rng, count_bits(richest)))
    spread = spread_hand(state, state.actor)
    if state.served:
        return random_further(state, spread, rng)
    plays = count_plays(state, spread)
    choice = below(rng, plays + count_bits(state.stacks))
    if choice >= plays:
        return np.int64(TAKE) + state.top[nth_bit(state.stacks, choice - plays)]
    return nth_play(state, spread, choice)


@inlined
def count_plays(state, spread):
    """On the stacks not played on: for each distance the tops that have a card of the spread hand so far above."""
    first, second = spread_tops(state)
    plays = 0
    for far in range(1, FURTHEST + 1):
        plays += count_bits(first & (spread[0] >> U(far)))
        plays += count_bits(second & turned(spread[1], U(far)))
    return plays


@uncounted
def nth_play(state, spread, choice):
    """The play with this number, counted over the open stacks."""
    left = open_slots(state)
    while left != ZERO:
        top = np.int64(state.top[lowest_bit(left)])
        fits = fitting(spread, top)
        count = count_bits(fits)
        if choice < count:
            return play_action(top, nth_bit(fits, choice))
        choice -= count
        left &= left - ONE
    return np.int64(END)


@uncounted
def open_slots(state):
    """The stacks not played on in this turn, as a mask."""
    return state.stacks & ~state.closed


@inlined
def random_further(state, spread, rng):
    fits = beyond_last(state, spread)
    here = count_bits(fits)
    elsewhere = count_plays(state, spread) if may_open_another(state) else 0
    choice = below(rng, here + elsewhere + 1)
    if choice < here:
        name = state.served_name[state.served - 1]
        return play_action(np.int64(name), nth_bit(fits, choice))
    return nth_play(state, spread, choice - here) if choice < here + elsewhere else np.int64(END)


@inlined
def apply(state, action):
    seat = state.actor
    if action == END:
        pass_turn(state)
    elif action >= BULL_OF:
        state.tally[BULLS_CHOSEN] += 1
        take_bull(state, seat, action - BULL_OF)
        open_stacks(state)
    elif action > TAKE:
        take(state, seat, action - TAKE)
    else:
        place(state, seat, action - PLAY)
        if state.hand[seat, 0] | state.hand[seat, 1] == ZERO:
            end_round(state)
        elif not can_go_on(state, seat):
            pass_turn(state)


@inlined
def can_go_on(state, seat):
    """EN-8, EN-14."""
    if state.bulls[seat] == 0:
        return False
    spread = spread_hand(state, seat)
    elsewhere = plays_elsewhere(state, spread) if may_open_another(state) else ZERO
    return beyond_last(state, spread) | elsewhere != ZERO


@uncounted
def plays_elsewhere(state, spread):
    """Not zero if a card of the spread hand fits on a stack not played on."""
    first, second = spread_tops(state)
    return (first & within_reach(spread[0])) | (second & within_reach(spread[1]))


@uncounted
def within_reach(cards):
    """EN-6: whatever lies one to ten below one of these cards, which go round."""
    two = turned(cards, ONE) | turned(cards, U(2))
    four = two | turned(two, U(2))
    return four | turned(four, U(4)) | turned(two, U(FURTHEST - 2))


@inlined
def place(state, seat, play):
    """EN-5 to EN-7; a stack keeps the name it had when the turn began."""
    card = U(play) // U(FURTHEST)
    name = name_below(card, U(play) % U(FURTHEST))
    if state.served == 0 or state.served_name[state.served - 1] != name:
        slot = state.slot_of[name]
        state.served_slot[state.served] = slot
        state.served_name[state.served] = name
        state.served += 1
        state.closed |= ONE << U(slot)
    slot = state.served_slot[state.served - 1]
    under = np.int64(state.top[slot])
    state.under[card] = under
    state.top[slot] = card
    state.slot_of[card] = slot
    state.size[slot] += 1
    state.tally[PLACED] += 1
    low, high = bits_of(card)
    state.hand[seat, 0] &= ~low
    state.hand[seat, 1] &= ~high
    state.seen[0] |= low
    state.seen[1] |= high
    under_low, under_high = bits_of(under)
    state.tops[0] &= ~under_low
    state.tops[1] &= ~under_high
    state.laid[0] = (state.laid[0] & ~under_low) | low
    state.laid[1] = (state.laid[1] & ~under_high) | high


@uncounted
def pass_turn(state):
    """EN-4, EN-13."""
    state.actor = state.actor + 1 if state.actor + 1 < state.seats else 0
    state.served = 0
    state.closed = ZERO
    for half in range(2):
        state.tops[half] |= state.laid[half]
        state.laid[half] = ZERO
    state.phase = PLAYING
    if state.stacks == ZERO:
        end_round(state)


# -- Taking a stack ---------------------------------------------------------------------------


@inlined
def take(state, seat, top):
    """EN-9, EN-11, EN-12."""
    state.tally[TAKES] += 1
    slot = state.slot_of[top]
    size = state.size[slot]
    state.stacks &= ~(ONE << U(slot))
    top_low, top_high = bits_of(top)
    state.tops[0] &= ~top_low
    state.tops[1] &= ~top_high
    low, high = top_low, top_high
    card = state.under[top]
    for _ in range(np.int64(size) - 1):
        card_low, card_high = bits_of(card)
        low |= card_low
        high |= card_high
        card = state.under[card]
    state.hand[seat, 0] |= low
    state.hand[seat, 1] |= high
    if size >= BIG_STACK:
        if state.supply > 0:
            state.supply -= 1
            state.bulls[seat] += 1
            state.tally[FROM_SUPPLY] += 1
        else:
            richest = richest_others(state, seat)
            if count_bits(richest) > 1:
                state.phase = CHOOSING_BULL
                return
            if richest != ZERO:
                take_bull(state, seat, lowest_bit(richest))
    open_stacks(state)


@uncounted
def richest_others(state, seat):
    """EN-12: who has the most bull cards, except the taker, as a mask."""
    most, richest = 0, ZERO
    for other in range(np.int64(state.seats)):
        most = max(most, state.bulls[other])
    for other in range(np.int64(state.seats)):
        if state.bulls[other] == most and other != seat:
            richest |= ONE << U(other)
    return richest


@uncounted
def take_bull(state, seat, giver):
    """EN-12."""
    state.bulls[giver] -= 1
    state.bulls[seat] += 1
    state.tally[FROM_PLAYER] += 1


@inlined
def open_stacks(state):
    """EN-10."""
    low, high = ZERO, ZERO
    for _ in range(NEW_STACKS):
        if state.drawn < state.draw_end:
            card = np.int64(state.draw[state.drawn])
            state.drawn += 1
            open_stack(state, card)
            card_low, card_high = bits_of(card)
            low |= card_low
            high |= card_high
    show_tops(state, low, high)
    pass_turn(state)


# -- End of a round and of the game -----------------------------------------------------------


@uncounted
def end_round(state):
    """EN-16 to EN-18; the hands lie open."""
    for seat in range(np.int64(state.seats)):
        state.seen[0] |= state.hand[seat, 0]
        state.seen[1] |= state.hand[seat, 1]
        state.points[seat] += heads_in(state.heads, state.hand[seat, 0], state.hand[seat, 1])
    state.starter = next_starter(state)
    state.rounds_played += 1
    state.phase = OVER if state.rounds_played == state.rounds else DEALING


@uncounted
def next_starter(state):
    """EN-18: the first one clockwise from the last starter with the most minus points."""
    best, most = np.int64(state.starter), -1
    for step in range(np.int64(state.seats)):
        seat = (np.int64(state.starter) + step) % state.seats
        if state.points[seat] > most:
            best, most = seat, state.points[seat]
    return best


@uncounted
def scores(state, out):
    for seat in range(np.int64(state.seats)):
        out[seat] = state.points[seat]


@uncounted
def places(state, out):
    """Where every card lies, in the plain game's numbers; a test compares them."""
    out[:] = DRAW
    for seat in range(np.int64(state.seats)):
        set_places(state.hand[seat, 0], state.hand[seat, 1], HAND + seat, out)
    stack, left = STACK, state.stacks
    while left != ZERO:
        slot = lowest_bit(left)
        left &= left - ONE
        card = state.top[slot]
        for _ in range(state.size[slot]):
            out[card] = stack
            card = state.under[card]
        stack += 1


# -- What a player knows ----------------------------------------------------------------------


@uncounted
def imagine(state, viewer, rng):
    """Deal anew the cards that `viewer` cannot know: unseen ones in hands, and the draw pile."""
    low, high = everything(CARDS)
    low &= ~(state.seen[0] | state.hand[viewer, 0])
    high &= ~(state.seen[1] | state.hand[viewer, 1])
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
    at = np.int64(state.drawn)
    while low | high != ZERO:
        card = lowest_bit(low) if low != ZERO else 64 + lowest_bit(high)
        if card < 64:
            low &= low - ONE
        else:
            high &= high - ONE
        other = state.drawn + below(rng, at - state.drawn + 1)
        state.draw[at] = state.draw[other]
        state.draw[other] = card
        at += 1


# -- What a player observes, as numbers -------------------------------------------------------

TOP_CODE, PLAYED_ON_CODE, UNDER_CODE = range(1, 4)
SEAT_CODES = 4  # the first of the codes by seat: hand
NUMBERS_FROM = 2 * CARDS


@uncounted
def observe(state, viewer, perfect, out):
    seats, phase = np.int64(state.seats), np.int64(state.phase)
    out[:NUMBERS_FROM] = 0
    write_stacks(state, perfect, out)
    at = NUMBERS_FROM + 2
    own = at + 2 * seats
    for seat in range(seats):
        far = clockwise(seat, viewer, seats)
        low, high = state.hand[seat, 0], state.hand[seat, 1]
        out[at + far] = limited(state.points[seat])
        out[at + seats + far] = count_bits(low) + count_bits(high)
        out[own + 5 + far] = state.bulls[seat]
        if seat != viewer and phase != OVER:
            low, high = (low & state.seen[0], high & state.seen[1]) if perfect else (ZERO, ZERO)
        write_cards(low, high, SEAT_CODES + far, out)
    out[NUMBERS_FROM] = phase
    out[NUMBERS_FROM + 1] = seats + 1 if phase == OVER else clockwise(state.actor, viewer, seats)
    served = np.int64(state.served)
    out[own] = limited(state.rounds_played)
    out[own + 1] = clockwise(state.starter, viewer, seats)
    out[own + 2] = np.int64(state.draw_end) - np.int64(state.drawn)
    out[own + 3] = served
    out[own + 4] = state.served_name[served - 1] if served else 0


@uncounted
def write_stacks(state, perfect, out):
    """Of a stack one sees the top card; a perfect memory knows what lies under it."""
    left = state.stacks
    while left != ZERO:
        slot = lowest_bit(left)
        left &= left - ONE
        top = np.int64(state.top[slot])
        out[top - 1] = PLAYED_ON_CODE if (state.closed >> U(slot)) & ONE != ZERO else TOP_CODE
        out[CARDS + top - 1] = top
        card = top
        for _ in range(np.int64(state.size[slot]) - 1 if perfect else 0):
            card = np.int64(state.under[card])
            out[card - 1] = UNDER_CODE
            out[CARDS + card - 1] = top


# -- Between the plain table and the record ---------------------------------------------------


def to_record(table: plain.Table) -> Any:
    """The table as an array of one record."""
    states = np.zeros(1, STATE)
    state, lying = states[0], table.lying
    for seat in range(table.seats):
        state["hand"][seat] = words_of(lying[HAND + seat])
    for slot, stack in enumerate(lying[STACK:]):
        state["top"][slot], state["size"][slot] = stack[-1], len(stack)
        state["slot_of"][stack[-1]] = slot
        for under, card in zip((0, *stack), stack, strict=False):
            state["under"][card] = under
    state["slots_used"] = len(lying) - STACK
    state["stacks"] = (1 << len(lying) - STACK) - 1
    tops = [stack[-1] for stack in lying[STACK:]]
    laid = [tops[slot] for slot, _ in table.served]
    state["tops"] = words_of(set(tops) - set(laid))
    state["laid"] = words_of(laid)
    state["draw"][: len(lying[DRAW])] = lying[DRAW]
    state["draw_end"] = len(lying[DRAW])
    state["seen"] = words_of_mask(table.seen)
    for at, (slot, name) in enumerate(table.served):
        state["served_slot"][at], state["served_name"][at] = slot, name
    state["served"] = len(table.served)
    state["closed"] = sum(1 << slot for slot, _ in table.served)
    state["bulls"][: table.seats] = table.bulls
    state["supply"] = len(lying[SUPPLY])
    state["heads"] = table.deck.heads
    state["points"][: table.seats] = plain.scores(table)
    state["rounds"] = at_most_counted(table.options["rounds"])
    state["rounds_played"] = len(table.points)
    state["starter"], state["seats"] = table.starter, table.seats
    state["phase"], state["actor"] = table.phase, table.actor
    return states


def from_record(states: Any, options: Options, deck: Deck) -> plain.Table:
    """The plain table; what was scored in earlier rounds stands together in the first, and the stacks are
    numbered anew."""
    state = states[0]
    seats = int(state["seats"])
    table = plain.Table(seats, options, deck)
    lying = table.clear()
    table.phase, table.actor = int(state["phase"]), int(state["actor"])
    table.starter, table.seen = int(state["starter"]), mask_of(state["seen"])
    table.points = points_of_rounds(state, seats)
    slots = cards_of((state["stacks"], 0))
    served = range(int(state["served"]))
    table.served = tuple(
        (slots.index(int(state["served_slot"][at])), int(state["served_name"][at])) for at in served
    )
    draw = state["draw"][int(state["drawn"]) : int(state["draw_end"])]
    lying[DRAW] = tuple(int(card) for card in draw)
    lying[SUPPLY] = turned_down(range(int(state["supply"])))
    for seat in range(seats):
        lying[HAND + seat] = cards_of(state["hand"][seat])
        lying[BULLS + seat] = turned_down(range(int(state["bulls"][seat])))
    for slot in slots:
        lying[table.new_heap()] = stack_of(state, slot)
    return table


def stack_of(state: Any, slot: int) -> tuple[int, ...]:
    """A stack's cards, bottom to top."""
    cards = [int(state["top"][slot])]
    while len(cards) < int(state["size"][slot]):
        cards.append(int(state["under"][cards[-1]]))
    return tuple(reversed(cards))
