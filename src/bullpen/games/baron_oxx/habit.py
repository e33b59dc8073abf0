"""Baron Oxx: what speaks against a card, or a row, at a glance.

The rule of thumb: the bulls that a card is likely to bring, which is bad, or in one variant good.  It takes any of the rows that cost
nothing.  In the standard game playouts judge better: two small nets in `habit.json`, one for cards and one for rows, look at the `facts`.
They were fitted to what playouts had found of all cards and rows: `python -m benchmarks.nets baron-oxx`
(docs/decisions/0053-nets-for-baron-oxx.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray  # type: ignore[attr-defined]

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import NO_SHORT_WAY
from bullpen.fast.nets import judged, nets_beside
from bullpen.fast.words import (
    ONE,
    ZERO,
    count_bits,
    lowest_bit,
    numbers_on_the_stack,
    words_on_the_stack,
)
from bullpen.games.baron_oxx.facts import (
    CARD_FACTS,
    ROW_FACTS,
    likely_cost,
    look_at_cards,
    look_at_rows,
    room_beside,
    takes,
)
from bullpen.games.baron_oxx.rules import CHOOSE_ROW, HAND_SIZE, LAYING, PLAY
from bullpen.games.baron_oxx.twin import (
    ALL_BULLS,
    CARDS,
    NEVER_FULL,
    ROWS,
    colours_of,
    fitting_rows,
    ring_at,
)

A_COLOUR_KEPT = 0.3
GOING_UNDER, A_BULL_GOING_UNDER = 2.0, 0.3
A_BULL_LAID, A_BULL_LEFT_TO_OTHERS = 0.1, 0.3


@compiled
def rule_of_thumb(state, action):
    if action > CHOOSE_ROW:
        return cost_of_row(state, action - CHOOSE_ROW)
    card = action - PLAY
    rows = fitting_rows(state, card)
    if state.positive:
        own = np.float64(state.face[card] >> ALL_BULLS)
        if rows == ZERO:
            return GOING_UNDER + A_BULL_GOING_UNDER * own
        most = 0.0
        while rows != ZERO:
            most = max(most, expected_bulls(state, card, lowest_bit(rows)))
            rows &= rows - ONE
        return -most - A_BULL_LAID * own
    if rows == ZERO:
        return cheapest_row(state)
    least = 1e9
    while rows != ZERO:
        least = min(least, expected_bulls(state, card, lowest_bit(rows)))
        rows &= rows - ONE
    return least + A_COLOUR_KEPT * count_bits(colours_of(state, card))


@compiled
def bulls_in(state, row):
    return np.float64(state.row_face[row] >> ALL_BULLS)


@compiled
def cheapest_row(state):
    least = bulls_in(state, 1)
    for row in range(2, ROWS + 1):
        least = min(least, bulls_in(state, row))
    return least


@compiled
def cost_of_row(state, row):
    half = 0 if state.laid[0] != ZERO else 1
    card = (half << 6) + lowest_bit(state.laid[half])
    bulls = bulls_in(state, row)
    taken = state.fitting == 0 or takes(state, card, row)
    if state.positive:
        return -bulls if taken else A_BULL_LEFT_TO_OTHERS * bulls
    return bulls if taken else 0.0


@compiled
def expected_bulls(state, card, row):
    """Each lower card of another player goes to any row, this one too."""
    lower = (state.seats - 1) * card / (CARDS * ROWS)
    return likely_cost(bulls_in(state, row), room_beside(state, card, row), lower)


# -- By nets, in the standard game ----------------------------------------------------------------

KNOWN = {"cards": CARD_FACTS, "rows": ROW_FACTS}
NETS = nets_beside(__file__, KNOWN)
CARDS_NET, ROWS_NET = NETS["cards"], NETS["rows"]
# For the facts of all cards of a hand, or of all rows.
MOST_MOVES, MOST_FACTS = max(HAND_SIZE, ROWS), max(CARD_FACTS, ROW_FACTS)
ROOM, ROOM_SHAPE = MOST_MOVES * MOST_FACTS, (MOST_MOVES, MOST_FACTS)


@compiled
def is_fitted(state):
    """Nothing was fitted to the variants."""
    return not state.positive and state.full_at != NEVER_FULL


@compiled
def drawback(state, action):
    if not is_fitted(state):
        return rule_of_thumb(state, action)
    facts = carray(numbers_on_the_stack(ROOM), ROOM_SHAPE)
    moves = carray(words_on_the_stack(MOST_MOVES), MOST_MOVES).view(np.int64)
    for at in range(look_at_moves(state, facts, moves)):
        if moves[at] == action:
            return judged_move(state, facts[at])
    return np.inf


@compiled
def favourite(state):
    """Of all that is allowed, what the net likes best."""
    if not is_fitted(state):
        return NO_SHORT_WAY
    if state.phase == LAYING and state.in_hand[state.actor] == 1:
        return PLAY + np.int64(state.ring[ring_at(state, state.actor, 0)])
    facts = carray(numbers_on_the_stack(ROOM), ROOM_SHAPE)
    moves = carray(words_on_the_stack(MOST_MOVES), MOST_MOVES).view(np.int64)
    best, least = 0, np.inf
    for at in range(look_at_moves(state, facts, moves)):
        against = judged_move(state, facts[at])
        if against < least:
            best, least = at, against
    return moves[best]


@compiled
def weigh_all(state, actions, drawbacks):
    """The legal actions in their order, and the drawback of each; how many there are."""
    if not is_fitted(state):
        return NO_SHORT_WAY
    facts = carray(numbers_on_the_stack(ROOM), ROOM_SHAPE)
    moves = carray(words_on_the_stack(MOST_MOVES), MOST_MOVES).view(np.int64)
    count = look_at_moves(state, facts, moves)
    for at in range(count):
        place = 0
        for other in range(count):
            place += moves[other] < moves[at]
        actions[place], drawbacks[place] = moves[at], judged_move(state, facts[at])
    return count


@compiled
def look_at_moves(state, facts, moves):
    """The facts of all that the actor may do, and what that is; how many moves there are."""
    if state.phase != LAYING:
        return look_at_rows(state, facts, moves)
    return look_at_cards(state, facts, moves)


def kind_of(state: Any) -> str:
    """Which of the nets judges a decision."""
    return "cards" if state["phase"] == LAYING else "rows"


@compiled
def judged_move(state, facts):
    return judged(facts, CARDS_NET if state.phase == LAYING else ROWS_NET)
