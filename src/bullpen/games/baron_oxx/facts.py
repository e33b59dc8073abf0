"""Baron Oxx: what a card of a hand, and a row that may be chosen, look like to their player, in numbers.

The nets in `habit.json` judge by these.  Numbers are brought to about one each, as nets like it.
"""

from __future__ import annotations

import numpy as np

from bullpen.deck import load_deck
from bullpen.fast.compiling import uncounted
from bullpen.fast.earlier import MOST_EARLIER, chance_of_earlier
from bullpen.fast.words import (
    ONE,
    ZERO,
    U,
    cards_below,
    count_bits,
    everything,
    lowest_bit,
    words_of,
)
from bullpen.games.baron_oxx import rules as plain
from bullpen.games.baron_oxx.rules import CHOOSE_ROW, FULL_AT, HAND_SIZE, PLAY, TOO_MANY_BULLS
from bullpen.games.baron_oxx.twin import (
    ALL_BULLS,
    CARDS,
    COLOUR_BITS,
    ROWS,
    colours_of,
    has_too_many_bulls,
    ring_at,
    without,
)

COLOURS = len(plain.COLOURS)
SETS_OF_COLOURS = 1 << COLOURS
LONGEST = FULL_AT - 1  # row
DECK = load_deck(plain.DECK_FILES)
MOST_EACH = max(plain.CARDS_EACH.values())

# By a set of colours, the cards of our deck that show one of them, in two words.  With a user's own deck these are only a guess.
SHOWING = np.array(
    [
        words_of(card for card in plain.CARDS if DECK.colour_sets[card] & colours)
        for colours in range(SETS_OF_COLOURS)
    ],
    np.uint64,
)

# -- The facts --------------------------------------------------------------------------------

# Of a card.  `COST` is what it is likely to cost on the best row, or the cheapest row if it fits nowhere.
(
    NUMBER,
    BULLS,
    COLOURS_SHOWN,
    FITTING_ROWS,
    FITS_NOWHERE,
    CHEAPEST,  # where it fits nowhere: the bulls of the two cheapest rows, and how many cards of others come before
    NEXT_CHEAPEST,
    BEFORE,
    COST,
    AFTER,  # cards of others that may follow on the best row
    LEAST_COST_KEPT,  # of the other cards in hand
    MEAN_COST_KEPT,
    MOST_COST_KEPT,
    MISFITS_KEPT,
    FITTING_KEPT,
    SHARING_KEPT,  # those that show a colour of this card
    IN_HAND,
    LEFT,
    LYING_CARDS,
    LYING_BULLS,
    FULL_ROWS,
    FEW_OTHERS,
    BEST_ROWS,  # from here on
) = range(23)
# Of each of the best rows for it.
ROW_ROOM, ROW_BULLS, ROW_BEFORE, ROW_LENGTH, ROW_COST = 0, 4, 5, 6, 7
A_ROW, MOST_ROWS, MOST_ROOM = 8, 3, 3
CARD_FACTS = BEST_ROWS + MOST_ROWS * A_ROW

# Of a row for the card that is to be placed.
(
    PAID,
    IS_TAKEN,
    IS_MISFIT,
    CARDS_THEN,
    BULLS_THEN,
    ROOM_THEN,
    _,
    _,
    _,
    TO_COME,  # cards of others in this turn; see below
    _,
    _,
    _,
    _,
    OWN,  # cards in hand, in the same way
    _,
    _,
    _,
    _,
    OWN_FITTING_BEFORE,  # the end that is covered
    OTHERS_FITTING,  # the share of unseen cards
    OTHERS_FITTING_BEFORE,
    OTHERS_FITTING_ANYWHERE,
    ROWS_WITH_ROOM,
    BULLS_IN_FULL_ROWS,
    BULLS_BEFORE,
    FEW_OTHERS_HERE,
    LEFT_HERE,
    COLOURS_THEN,
    COLOURS_BEFORE,
    BULLS_FOR_THOSE_TO_COME,
    BULLS_FOR_OTHERS,
) = range(32)
ROW_FACTS = BULLS_FOR_OTHERS + 1
# Of the cards to come and of the own ones, behind how many they are.
FITTING, TO_PAY, FREE, MISFITS = 1, 2, 3, 4

ONE_IN = 0.45  # so often a card that fits a row goes there, and not to another one
A_FURTHER_CARD = 2.0  # bulls


@uncounted
def bulls_of(face):
    return np.float64(face >> U(ALL_BULLS))


@uncounted
def set_of_colours(top_bits):
    """As a number below SETS_OF_COLOURS: the bits of the colours side by side, first in pairs, then all."""
    colours = (top_bits >> U(COLOUR_BITS - 1)) & U(0x111111)
    pairs = (colours | colours >> U(3)) & U(0x030303)
    return np.int64((pairs | pairs >> U(6) | pairs >> U(12)) & U(SETS_OF_COLOURS - 1))


@uncounted
def unseen_by(state, seat):
    low, high = everything(CARDS)
    low, high = low & ~state.seen[0], high & ~state.seen[1]
    for n in range(state.in_hand[seat]):
        low, high = without(low, high, np.int64(state.ring[ring_at(state, seat, n)]))
    return low, high


@uncounted
def most_of_a_colour(face):
    most = 0
    for colour in range(COLOURS):
        most = max(most, np.int64((face >> U(COLOUR_BITS * colour)) & U(15)))
    return most


@uncounted
def room_on(state, face, length):
    """How many cards more, of a bull or so of each colour, a row of so many that shows `face` can have without being taken."""
    for_bulls = TOO_MANY_BULLS - 1 - most_of_a_colour(face)
    return max(0, min(for_bulls, np.int64(state.full_at) - 1 - length))


@uncounted
def room_beside(state, card, row):
    """How many other cards can join the row before this card takes it."""
    for_bulls = TOO_MANY_BULLS - most_of_a_colour(U(state.row_face[row]) + U(state.face[card]))
    return max(0, min(for_bulls, np.int64(state.full_at) - 1 - np.int64(state.row_length[row])))


@uncounted
def takes(state, card, row):
    """BO-9, BO-10."""
    is_sixth = state.row_length[row] + 1 >= state.full_at
    return is_sixth or has_too_many_bulls(U(state.row_face[row]) + U(state.face[card]))


# -- Cards --------------------------------------------------------------------------------------


@uncounted
def look_at_cards(state, facts, moves):
    """Of all cards in the actor's hand, a line each; how many there are, and how to lay them."""
    seat = np.int64(state.actor)
    count = np.int64(state.in_hand[seat])
    low, high = unseen_by(state, seat)
    others = np.float64(state.seats) - 1.0
    each = others / max(
        1, count_bits(low) + count_bits(high)
    )  # cards of others for each unseen one
    lying_cards, lying_bulls, full_rows = 0, 0.0, 0
    for row in range(1, ROWS + 1):
        bulls, length = bulls_of(U(state.row_face[row])), np.int64(state.row_length[row])
        lying_cards, lying_bulls = lying_cards + length, lying_bulls + bulls
        full_rows += length + 1 >= state.full_at
    for n in range(count):
        card = np.int64(state.ring[ring_at(state, seat, n)])
        moves[n] = PLAY + card
        out = facts[n]
        out[:CARD_FACTS] = 0.0
        out[NUMBER], out[BULLS] = card / CARDS, bulls_of(U(state.face[card])) / COLOURS
        out[COLOURS_SHOWN] = count_bits(colours_of(state, card)) / COLOURS
        out[IN_HAND], out[LEFT] = count / HAND_SIZE, np.float64(state.left[seat]) / MOST_EACH
        out[LYING_CARDS], out[LYING_BULLS] = lying_cards / (LONGEST * ROWS), lying_bulls / 40.0
        out[FULL_ROWS], out[FEW_OTHERS] = full_rows / ROWS, 1.0 / others
    for row in range(1, ROWS + 1):
        look_at_cards_for_row(state, row, count, each, low, high, facts, moves)
    cheapest, _, next_cheapest = cheapest_rows(state)
    for n in range(count):
        out = facts[n]
        out[COST] = out[BEST_ROWS + ROW_COST]
        if out[FITTING_ROWS] == 0.0:
            out[FITS_NOWHERE], out[COST] = 1.0, cheapest / 10.0
            out[CHEAPEST], out[NEXT_CHEAPEST] = cheapest / 10.0, next_cheapest / 10.0
            out[BEFORE] = each * cards_below(low, high, moves[n] - PLAY)
    if count > 1:
        for n in range(count):
            look_at_the_rest(state, n, count, facts, moves)
    return count


@uncounted
def look_at_cards_for_row(state, row, count, each, low, high, facts, moves):
    """What one row means for each card that fits."""
    face, length = U(state.row_face[row]), np.int64(state.row_length[row])
    end = colours_of(state, state.row_end[row])
    colours = set_of_colours(end)
    low, high = low & SHOWING[colours, 0], high & SHOWING[colours, 1]
    for n in range(count):
        card = moves[n] - PLAY
        if colours_of(state, card) & end == ZERO:
            continue
        out, bulls, before = facts[n], bulls_of(face), cards_below(low, high, card)
        out[FITTING_ROWS] += 1 / ROWS
        # Others may come before this card, until it is the one that takes the row.
        room = room_beside(state, card, row)
        cost = likely_cost(bulls, room, ONE_IN * each * before)
        place = place_among_best(out, cost)
        if place == 0:
            out[AFTER] = each * (count_bits(low) + count_bits(high) - before)
        if place < MOST_ROWS:
            first = BEST_ROWS + A_ROW * place
            out[first + ROW_ROOM + min(room, MOST_ROOM)] = 1.0
            out[first + ROW_BULLS] = bulls / 10.0
            out[first + ROW_BEFORE] = each * before
            out[first + ROW_LENGTH] = length / LONGEST
            out[first + ROW_COST] = cost / 10.0


@uncounted
def likely_cost(bulls, room, before):
    """Where so many cards of others are expected before."""
    if room == 0:
        return bulls * chance_of_earlier(before, 0)
    enough = 1.0
    for earlier in range(min(room, MOST_EARLIER + 1)):
        enough -= chance_of_earlier(before, earlier)
    return max(0.0, enough) * (bulls + A_FURTHER_CARD * room)


@uncounted
def place_among_best(out, cost):
    """Where a row of this cost belongs, with room made for it; MOST_ROWS: nowhere."""
    place = MOST_ROWS
    while place > 0 and is_better(out, cost, place - 1):
        place -= 1
    for lower in range(MOST_ROWS - 1, place, -1):
        to = BEST_ROWS + A_ROW * lower
        for fact in range(A_ROW):
            out[to + fact] = out[to - A_ROW + fact]
    if place < MOST_ROWS:
        first = BEST_ROWS + A_ROW * place
        for fact in range(A_ROW):
            out[first + fact] = 0.0
    return place


@uncounted
def is_better(out, cost, place):
    """Than the row that stands there, or none does: a row has at least one card."""
    first = BEST_ROWS + A_ROW * place
    return out[first + ROW_LENGTH] == 0.0 or cost < 10.0 * out[first + ROW_COST]


@uncounted
def look_at_the_rest(state, n, count, facts, moves):
    """The hand that is kept, if this card is laid."""
    out, own = facts[n], colours_of(state, moves[n] - PLAY)
    kept, least, most = count - 1, np.inf, 0.0
    for other in range(count):
        if other != n:
            cost = facts[other, COST]
            least, most = min(least, cost), max(most, cost)
            out[MEAN_COST_KEPT] += cost / kept
            out[MISFITS_KEPT] += facts[other, FITS_NOWHERE] / (HAND_SIZE - 1)
            out[FITTING_KEPT] += facts[other, FITTING_ROWS] / kept
            out[SHARING_KEPT] += (own & colours_of(state, moves[other] - PLAY) != ZERO) / kept
    out[LEAST_COST_KEPT], out[MOST_COST_KEPT] = least, most


@uncounted
def cheapest_rows(state):
    """The fewest bulls on a row, which row that is, and the fewest on another one."""
    least, at, next_least = np.inf, 0, np.inf
    for row in range(1, ROWS + 1):
        bulls = bulls_of(U(state.row_face[row]))
        if bulls < least:
            least, at, next_least = bulls, row, least
        else:
            next_least = min(next_least, bulls)
    return least, at, next_least


# -- Rows ---------------------------------------------------------------------------------------


@uncounted
def look_at_rows(state, facts, moves):
    """Of all rows that the actor may choose, a line each; how many there are, and how to choose them."""
    half = 0 if state.laid[0] != ZERO else 1
    card = (half << 6) + lowest_bit(state.laid[half])
    seat, count = np.int64(state.actor), 0
    low, high = unseen_by(state, seat)
    for row in range(1, ROWS + 1):
        if state.fitting == 0 or (state.fitting >> row) & 1:
            facts[count, :ROW_FACTS] = 0.0
            moves[count] = CHOOSE_ROW + row
            look_at_row(state, card, row, low, high, facts[count])
            count += 1
    for half in range(2):
        word = state.laid[half]
        while word != ZERO:
            other = (half << 6) + lowest_bit(word)
            word &= word - ONE
            if other != card:
                look_at_another_card(state, card, other, TO_COME, count, facts, moves)
    for n in range(state.in_hand[seat]):
        other = np.int64(state.ring[ring_at(state, seat, n)])
        look_at_another_card(state, card, other, OWN, count, facts, moves)
        for line in range(count):
            end = colours_of(state, state.row_end[moves[line] - CHOOSE_ROW])
            facts[line, OWN_FITTING_BEFORE] += (end & colours_of(state, other) != ZERO) / 3
    for line in range(count):
        out = facts[line]
        out[BULLS_FOR_THOSE_TO_COME] = out[TO_COME + FITTING] * out[BULLS_THEN]
    return count


@uncounted
def look_at_row(state, card, row, low, high, out):
    seat, own = np.int64(state.actor), colours_of(state, card)
    end = colours_of(state, state.row_end[row])
    bulls = bulls_of(U(state.row_face[row]))
    face, length = row_then(state, card, row)
    if length == 1:
        out[PAID], out[IS_TAKEN] = bulls / 10.0, 1.0
    out[IS_MISFIT] = state.fitting == 0
    out[CARDS_THEN], out[BULLS_THEN] = length / LONGEST, bulls_of(face) / 10.0
    out[BULLS_BEFORE] = bulls / 10.0
    out[COLOURS_THEN], out[COLOURS_BEFORE] = count_bits(own) / COLOURS, count_bits(end) / COLOURS
    out[ROOM_THEN + min(MOST_ROOM, room_on(state, face, length))] = 1.0
    out[FEW_OTHERS_HERE] = 1.0 / (np.float64(state.seats) - 1.0)
    out[LEFT_HERE] = np.float64(state.left[seat]) / MOST_EACH
    unseen, anywhere = max(1, count_bits(low) + count_bits(high)), set_of_colours(own)
    out[OTHERS_FITTING] = showing(low, high, anywhere) / unseen
    out[OTHERS_FITTING_BEFORE] = showing(low, high, set_of_colours(end)) / unseen
    for other in range(1, ROWS + 1):
        cards, shown = length, face
        if other != row:
            anywhere |= set_of_colours(colours_of(state, state.row_end[other]))
            cards, shown = np.int64(state.row_length[other]), U(state.row_face[other])
        if cards + 1 >= state.full_at:
            out[BULLS_IN_FULL_ROWS] += bulls_of(shown) / 20.0
        else:
            out[ROWS_WITH_ROOM] += 1 / ROWS
    out[OTHERS_FITTING_ANYWHERE] = showing(low, high, anywhere) / unseen
    out[BULLS_FOR_OTHERS] = out[OTHERS_FITTING] * out[BULLS_THEN]


@uncounted
def row_then(state, card, row):
    """BO-6, BO-9 to BO-11: what a row shows once the card lies there, and on how many cards."""
    face, length = U(state.row_face[row]) + U(state.face[card]), np.int64(state.row_length[row]) + 1
    if state.fitting == 0 or length >= state.full_at or has_too_many_bulls(face):
        return U(state.face[card]), 1
    return face, length


@uncounted
def look_at_another_card(state, card, other, whose, count, facts, moves):
    """What it has to pay at least, once `card` lies on each of the rows."""
    own, face = colours_of(state, card), U(state.face[other])
    fits_card = own & colours_of(state, other) != ZERO
    least, at, next_least = least_costs(state, other)
    cheapest, cheapest_at, next_cheapest = cheapest_rows(state)
    for line in range(count):
        row, out = moves[line] - CHOOSE_ROW, facts[line]
        shown, length = row_then(state, card, row)
        cost = next_least if row == at else least
        if fits_card:
            pays = length + 1 >= state.full_at or has_too_many_bulls(shown + face)
            cost = min(cost, bulls_of(shown) if pays else 0.0)
        if cost == np.inf:
            cost = min(bulls_of(shown), next_cheapest if row == cheapest_at else cheapest)
            out[whose + MISFITS] += 1 / 3
        out[whose] += 1 / 3
        out[whose + FITTING] += fits_card / 3
        out[whose + TO_PAY] += cost / 10.0
        out[whose + FREE] += (cost == 0.0) / 3


@uncounted
def least_costs(state, card):
    """As the rows are: the least that a card has to pay on a row that fits, which one that is, and the least on another one."""
    colours = colours_of(state, card)
    least, at, next_least = np.inf, 0, np.inf
    for row in range(1, ROWS + 1):
        if colours & colours_of(state, state.row_end[row]) != ZERO:
            shown = U(state.row_face[row])
            cost = bulls_of(shown) if takes(state, card, row) else 0.0
            if cost < least:
                least, at, next_least = cost, row, least
            else:
                next_least = min(next_least, cost)
    return least, at, next_least


@uncounted
def showing(low, high, colours):
    """How many cards of a set show one of these colours."""
    return count_bits(low & SHOWING[colours, 0]) + count_bits(high & SHOWING[colours, 1])
