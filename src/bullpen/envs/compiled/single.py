"""One game driven from Python, in compiled code: a call for a decision, a call for what a seat sees."""

from __future__ import annotations

import numpy as np

from bullpen.envs.compiled.dispatch import observe
from bullpen.envs.compiled.history import forget, note, observe_and_recall
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    deal,
    is_over,
    legal,
    rounds_played,
    scores,
    to_shuffle,
    waiting,
    wants_shuffle,
)
from bullpen.fast.playouts import fill_mask, shuffle_and_deal
from bullpen.fast.words import ONE, ZERO, U, lowest_bit

# What comes next, where it is not the number of the seat that decides next.
GAME_OVER, SHUFFLE, ILLEGAL = -1, -2, -3


@compiled
def what_is_next(states):
    state = states[0]
    if is_over(state):
        return GAME_OVER
    return SHUFFLE if wants_shuffle(state) else np.int64(state.actor)


@compiled
def is_waiting_for(state, seat):
    if is_over(state) or wants_shuffle(state):
        return False
    return (waiting(state) >> seat) & 1 == 1


@compiled
def act(states, words, seat, action):
    """What comes next after a seat's action; nothing has changed where that is not legal.  Seats that choose at
    once may do so in any order."""
    state = states[0]
    if not may_act(state, words, seat, action):
        return ILLEGAL
    apply(state, action)
    return what_is_next(states)


@compiled
def may_act(state, words, seat, action):
    """Then the seat is the actor; else the record is the same afterwards."""
    if not is_waiting_for(state, seat) or action < 0 or action >= words.size << 6:
        return False
    actor = state.actor
    state.actor = seat
    legal(state, words)
    if (words[action >> 6] >> U(action & 63)) & ONE == ZERO:
        state.actor = actor
        return False
    return True


@compiled
def act_and_note(states, words, seat, action, plays):
    """The same, and what was played is remembered."""
    state = states[0]
    if not may_act(state, words, seat, action):
        return ILLEGAL
    note(plays, 0, state, action)
    apply(state, action)
    return what_is_next(states)


@compiled
def seats_waiting(states):
    """As a mask."""
    state = states[0]
    return 0 if is_over(state) or wants_shuffle(state) else waiting(state)


# -- What a seat sees ---------------------------------------------------------------------------------


@compiled
def look(states, seat, perfect, out):
    observe(states[0], seat, perfect, out)


@compiled
def look_back(states, seat, perfect, plays, out):
    """What it sees, and what was played."""
    observe_and_recall(plays, 0, states[0], seat, perfect, out)


@compiled
def write_mask(states, words, seat, out):
    """Ones where the seat has a legal action; the record is the same afterwards."""
    state = states[0]
    if not is_waiting_for(state, seat):
        out[:] = 0
        return
    actor = state.actor
    state.actor = seat
    fill_mask(state, words, out)
    state.actor = actor


@compiled
def look_and_mask(states, words, seat, perfect, seen, mask):
    """Both in one call: calls from Python cost more than what they do."""
    look(states, seat, perfect, seen)
    write_mask(states, words, seat, mask)


@compiled
def write_legal(states, words, seat, out):
    """The seat's legal actions, ascending; how many they are."""
    state = states[0]
    if not is_waiting_for(state, seat):
        return 0
    actor = state.actor
    state.actor = seat
    legal(state, words)
    state.actor = actor
    return write_set(words, out)


@compiled
def write_set(words, out):
    """The actions of a set, ascending; how many they are."""
    count = 0
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO:
            out[count] = (word << 6) + lowest_bit(bits)
            count += 1
            bits &= bits - ONE
    return count


@compiled
def write_points(states, out):
    scores(states[0], out)


# -- Dealing ------------------------------------------------------------------------------------------


@compiled
def cards_to_shuffle(states, deck):
    """They go into `deck`; how many they are, and how many of them matter."""
    return to_shuffle(states[0], deck)


@compiled
def deal_shuffled(states, deck, stream):
    """From the stream; `deck` has the cards in their order then."""
    shuffle_and_deal(states[0], deck, stream)


@compiled
def deal_as_given(states, deck):
    deal(states[0], deck)


@compiled
def forget_rounds_before(states, plays):
    """Before a deal: the plays of a round that is over."""
    if rounds_played(states[0]) > 0:
        forget(plays, 0)


# -- Playing on in a copy -----------------------------------------------------------------------------
# From a place in one block of records to one in another: NumPy would copy a record field by field.  What comes next is told together with the
# legal actions of who decides then, because calls from Python cost more than what they do.


@compiled
def act_in_copy(block, at, out, to, words, seat, action, actions):
    """What comes next, and how many actions are legal then; those are written into `actions`."""
    out[to] = block[at]
    states = out[to : to + 1]
    comes = act(states, words, seat, action)
    return comes, write_next(comes, states, words, actions)


@compiled
def deal_in_copy(block, at, out, to, words, deck, actions):
    """The same after a deal of the cards in this order."""
    out[to] = block[at]
    states = out[to : to + 1]
    deal(states[0], deck)
    comes = what_is_next(states)
    return comes, write_next(comes, states, words, actions)


@compiled
def deal_shuffled_in_copy(block, at, out, to, words, deck, stream, actions):
    """The same after a deal from the stream; `deck` has the cards in their order then."""
    out[to] = block[at]
    states = out[to : to + 1]
    shuffle_and_deal(states[0], deck, stream)
    comes = what_is_next(states)
    return comes, write_next(comes, states, words, actions)


@compiled
def write_next(comes, states, words, actions):
    if comes < 0:
        return 0
    legal(states[0], words)
    return write_set(words, actions)
