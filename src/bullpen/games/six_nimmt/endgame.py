"""6 nimmt! with two players, solved: where a player knows what the other one holds, and few cards are left.

That is so with the tactical deck (SN-9), whose cards are all dealt: what a player does not see, the other one holds.
A turn is a matrix game, since both choose at once; what follows is solved first.  Besides it is so with any deck when the
last cards lie open and a row has to be chosen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.fast import matrix_games
from bullpen.fast.compiling import compiled
from bullpen.fast.face_down import chosen_card
from bullpen.fast.words import ONE, ZERO, count_bits, lowest_bit
from bullpen.games.six_nimmt.rules import LAYING, PLAY, TAKE_ROW, TAKING
from bullpen.games.six_nimmt.twin import unknown_to

SEATS = (2,)  # where it is worth while to ask
MOST_CARDS = 5  # in a hand: 0.06 s on average, at most some tenths of a second
OWN, OTHER, TAKEN_ROW = range(3)
NOW, BEST = range(2)
NOT_SOLVED, SOLVED = 0, 1


class Work(NamedTuple):
    """The cards of both hands, and room for each turn that is still to come."""

    heads: Any  # by card
    full_at: int
    cards: NDArray[np.int64]  # [turns, player, cards], ascending
    ends: NDArray[np.int64]  # [turns, rows]: the last card, how many there are, their heads
    lengths: NDArray[np.int64]
    row_heads: NDArray[np.int64]
    gains: NDArray[np.float64]  # [turns, own choice, choice of the other one]
    own: NDArray[np.float64]  # [turns, choices]: how often
    other: NDArray[np.float64]
    choice: NDArray[
        np.int64
    ]  # [turns, 3]: what is being tried, by both players, and which row is taken
    gain: NDArray[
        np.float64
    ]  # [turns, 2]: of this turn with that, and the best over the rows so far
    tableau: NDArray[np.float64]


@compiled
def solve(states, viewer, leads, shares):
    """Whether the decision of `viewer` in states[0] can be solved.  If so, by action: its lead at the end of the round
    against an opponent without a fault, and how often a player without a fault takes it."""
    state, other = states[0], 1 - viewer
    if state.seats != SEATS[0] or not (state.phase == LAYING or state.phase == TAKING):
        return NOT_SOLVED
    held = count_bits(state.hand[other, 0]) + count_bits(state.hand[other, 1])
    low, high = unknown_to(state, viewer)
    if held > MOST_CARDS or (held > 0 and count_bits(low) + count_bits(high) != held):
        return NOT_SOLVED
    work = room_for(state, viewer, held)
    so_far = np.float64(
        state.points[other]
        + state.heads_taken[other]
        - state.points[viewer]
        - state.heads_taken[viewer]
    )
    if state.phase == LAYING:
        weigh_cards(work, held, so_far, leads, shares)
    else:
        weigh_rows(
            work, held, so_far, chosen_card(state, viewer), chosen_card(state, other), leads, shares
        )
    return SOLVED


@compiled
def room_for(state, viewer, held):
    turns, most = held + 2, matrix_games.MOST_CHOICES
    rows = np.int64(state.rows)
    work = Work(
        state.heads,
        np.int64(state.full_at),
        np.zeros((turns, 2, MOST_CARDS), np.int64),
        np.zeros((turns, rows), np.int64),
        np.zeros((turns, rows), np.int64),
        np.zeros((turns, rows), np.int64),
        np.zeros((turns, most, most)),
        np.zeros((turns, most)),
        np.zeros((turns, most)),
        np.zeros((turns, 3), np.int64),
        np.zeros((turns, 2)),
        np.zeros(matrix_games.TABLEAU),
    )
    for turn in range(2):  # the second one, if this turn goes on with a row that is taken
        for player in range(2):
            seat = viewer if player == OWN else 1 - viewer
            list_cards(state.hand[seat, 0], state.hand[seat, 1], work.cards[turn, player])
    for row in range(rows):
        work.ends[0, row] = state.row_end[row + 1]
        work.lengths[0, row] = state.row_length[row + 1]
        work.row_heads[0, row] = state.row_heads[row + 1]
    return work


@compiled
def weigh_cards(work, held, so_far, leads, shares):
    worth(work, 0, held)
    for at in range(held):
        lead = so_far
        for choice in range(held):
            lead += work.gains[0, at, choice] * work.other[0, choice]
        leads[PLAY + work.cards[0, OWN, at]] = lead
        shares[PLAY + work.cards[0, OWN, at]] = work.own[0, at]


@compiled
def weigh_rows(work, held, so_far, mine, theirs, leads, shares):
    """For a card that is too low; the other one's lies open."""
    best = TAKE_ROW + 1
    for row in range(work.ends.shape[1]):
        action = TAKE_ROW + 1 + row
        lead = so_far + play_turn(work, 0, mine, theirs, OWN, row)
        leads[action] = lead + worth(work, 1, held)
        shares[action] = 0.0
        if leads[action] > leads[best]:
            best = action
    shares[best] = 1.0


@compiled
def list_cards(low, high, out):
    at = 0
    for half in range(2):
        word = low if half == 0 else high
        while word != ZERO:
            out[at] = (half << 6) + lowest_bit(word)
            word &= word - ONE
            at += 1


@compiled
def worth(work, root, cards):
    """The heads that the other one takes more from the turn `root` on, if neither makes a mistake; each holds `cards`.

    Depth first and without calling itself: what calls itself cannot be kept compiled."""
    turn = root
    begin(work, turn)
    while True:
        left = cards - (turn - root)
        if work.choice[turn, OWN] < left:
            play_choice(work, turn)
            hold_the_others(work, turn, left)
            turn += 1
            begin(work, turn)
            continue
        found = 0.0
        if left == 1:
            found = work.gains[turn, 0, 0]
            work.own[turn, 0] = work.other[turn, 0] = 1.0
        elif left > 1:
            gains, own, other = work.gains[turn], work.own[turn], work.other[turn]
            found = matrix_games.solve(gains, left, left, own, other, work.tableau)
        if turn == root:
            return found
        turn -= 1
        learn(work, turn, found, cards - (turn - root))


@compiled
def begin(work, turn):
    work.choice[turn, :] = 0
    work.gain[turn, BEST] = np.nan


@compiled
def play_choice(work, turn):
    """Both lay the cards whose turn it is to be tried, and a row is taken if one must be."""
    mine = work.cards[turn, OWN, work.choice[turn, OWN]]
    theirs = work.cards[turn, OTHER, work.choice[turn, OTHER]]
    taken = work.choice[turn, TAKEN_ROW]
    if mine < theirs:
        work.gain[turn, NOW] = play_turn(work, turn, mine, theirs, OWN, taken)
    else:
        work.gain[turn, NOW] = play_turn(work, turn, theirs, mine, OTHER, taken)


@compiled
def hold_the_others(work, turn, left):
    """What both hold in the next turn."""
    for player in range(2):
        laid = work.choice[turn, player]
        for at in range(left - 1):
            work.cards[turn + 1, player, at] = work.cards[turn, player, at + (at >= laid)]


@compiled
def learn(work, turn, found, left):
    """What follows is worth `found`: go on to the next row that could be taken, or to the next two cards."""
    own, other = work.choice[turn, OWN], work.choice[turn, OTHER]
    mine, theirs = work.cards[turn, OWN, own], work.cards[turn, OTHER, other]
    gain, best = work.gain[turn, NOW] + found, work.gain[turn, BEST]
    if np.isnan(best) or (gain > best if mine < theirs else gain < best):
        best = gain  # SN-6: whoever laid the lower card chooses, and both know what that means
    work.gain[turn, BEST] = best
    work.choice[turn, TAKEN_ROW] += 1
    if (
        row_for(work, turn, min(mine, theirs)) < 0
        and work.choice[turn, TAKEN_ROW] < work.ends.shape[1]
    ):
        return
    work.gains[turn, own, other] = best
    work.choice[turn, TAKEN_ROW] = 0
    work.gain[turn, BEST] = np.nan
    work.choice[turn, OTHER] += 1
    if work.choice[turn, OTHER] == left:
        work.choice[turn, OTHER] = 0
        work.choice[turn, OWN] += 1


@compiled
def play_turn(work, turn, lower, higher, first, chosen):
    """The rows of the next turn, after both cards; the heads that the other one takes more.  `first` has laid the lower
    card and takes the row `chosen` if it fits nowhere; the higher one always fits, if only behind the lower."""
    for row in range(work.ends.shape[1]):
        work.ends[turn + 1, row] = work.ends[turn, row]
        work.lengths[turn + 1, row] = work.lengths[turn, row]
        work.row_heads[turn + 1, row] = work.row_heads[turn, row]
    row = row_for(work, turn + 1, lower)
    taken = take(work, turn + 1, lower, chosen) if row < 0 else place(work, turn + 1, lower, row)
    gain = -taken if first == OWN else taken
    taken = place(work, turn + 1, higher, row_for(work, turn + 1, higher))
    gain += taken if first == OWN else -taken
    return np.float64(gain)


@compiled
def place(work, turn, card, row):
    """SN-4, SN-5: the heads that it takes."""
    if work.lengths[turn, row] + 1 == work.full_at:
        return take(work, turn, card, row)
    work.lengths[turn, row] += 1
    work.row_heads[turn, row] += work.heads[card]
    work.ends[turn, row] = card
    return 0


@compiled
def take(work, turn, card, row):
    """SN-5, SN-6."""
    taken = work.row_heads[turn, row]
    work.lengths[turn, row] = 1
    work.row_heads[turn, row] = work.heads[card]
    work.ends[turn, row] = card
    return taken


@compiled
def row_for(work, turn, card):
    """SN-4; -1 if the card is too low."""
    nearest, nearest_end = -1, 0
    for row in range(work.ends.shape[1]):
        end = work.ends[turn, row]
        if nearest_end < end < card:
            nearest, nearest_end = row, end
    return nearest
