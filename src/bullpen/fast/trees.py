"""Tree search over what each seat knows, for choices in turn and secret ones alike.

Every playout imagines a table anew.  Each seat has a tree of its own, whose branches are its own
decisions since the position: what the others do comes in by the imagined tables alone, so a secret
choice stays secret inside the search too.  A seat prefers what served it best so far among what it may
do on this table, and leans towards what was seldom tried (UCB, counting how often a choice was there at
all).  The trees lie in one hash table, keyed by the seat and its decisions.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    imagine,
    is_over,
    legal,
    rounds_played,
    scores,
    wants_shuffle,
)
from bullpen.fast.search import LONGEST_DECK, shuffle_and_deal
from bullpen.fast.weighing import IMAGINED, MOST_SEATS, POSITION, best_looking, lead
from bullpen.fast.words import ONE, ZERO, U, below, lowest_bit, seeded

BRANCH = np.dtype(
    [("key", np.uint64), ("total", np.float64), ("visits", np.uint32), ("offered", np.uint32)]
)
ROOM = 1 << 16  # branches; a power of two
FARTHEST = 16  # places from where a branch should lie
LONGEST_PATH = 4096
NONE = -1


@compiled
def grow(states, viewer, sign, looks, seed, first, playouts, daring, branches, spread, words):
    """So many playouts.  `daring` weighs trying against trusting; `spread` [3] gathers how far results
    lie apart: their number, sum and sum of squares; `words` has room for a set of actions."""
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    points = np.zeros(MOST_SEATS, np.int32)
    path, path_seat = np.empty(LONGEST_PATH, np.int64), np.empty(LONGEST_PATH, np.int64)
    known = np.empty(MOST_SEATS, np.uint64)  # by seat: the key of its decisions so far
    in_tree = np.empty(MOST_SEATS, np.uint8)
    for playout in range(playouts):
        seeded(rng, seed + first + playout)
        states[IMAGINED] = states[POSITION]
        state = states[IMAGINED]
        imagine(state, viewer, rng)
        state.actor = viewer
        for seat in range(state.seats):
            known[seat], in_tree[seat] = mixed(ZERO, seat + 1), 1
        step = daring * deviation(spread)
        length, played = 0, rounds_played(state)
        while not is_over(state) and rounds_played(state) == played:
            if wants_shuffle(state):
                shuffle_and_deal(state, deck, rng)
                continue
            seat = np.int64(state.actor)
            if in_tree[seat] == 0 or length == LONGEST_PATH:
                apply(state, best_looking(state, looks, rng))
                continue
            action, at = preferred(state, words, known[seat], branches, step, rng)
            if at == NONE:
                in_tree[seat] = 0
                at = new_branch(branches, mixed(known[seat], action))
            known[seat] = mixed(known[seat], action)
            if at != NONE:
                path[length], path_seat[length] = at, seat
                length += 1
            apply(state, action)
        scores(state, points)
        for at in range(length):
            branch = branches[path[at]]
            branch.visits += np.uint32(1)
            branch.total += sign * lead(points, path_seat[at], state.seats)
        result = lead(points, viewer, state.seats)
        spread[0] += 1
        spread[1] += result
        spread[2] += result * result


@compiled
def deviation(spread):
    if spread[0] < 2:
        return 1.0
    mean = spread[1] / spread[0]
    return sqrt(max(0.0, spread[2] / spread[0] - mean * mean)) + 1e-9


@compiled
def preferred(state, words, known, branches, step, rng):
    """The action to try, and its branch: NONE for one that has not been tried."""
    words[:] = ZERO
    legal(state, words)
    untried, choice, choice_at, best = 0, 0, NONE, -np.inf
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO:
            action = (word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            at = branch_of(branches, mixed(known, action))
            if at == NONE or branches[at].visits == 0:
                untried += 1
                if below(rng, untried) == 0:
                    choice, choice_at = action, NONE
            else:
                branch = branches[at]
                branch.offered += np.uint32(1)
                if untried == 0:
                    visits = np.float64(branch.visits)
                    hope = branch.total / visits + step * sqrt(log(branch.offered + 1.0) / visits)
                    if hope > best:
                        best, choice, choice_at = hope, action, at
    return choice, choice_at


@compiled
def mixed(key, action):
    """A key for these decisions and one more."""
    x = (key ^ U(action + 1)) * U(0x9E3779B97F4A7C15)
    x ^= x >> U(29)
    x *= U(0xBF58476D1CE4E5B9)
    x ^= x >> U(32)
    return x | ONE


@compiled
def branch_of(branches, key):
    at = np.int64(key & U(ROOM - 1))
    for _ in range(FARTHEST):
        if branches[at].key == key:
            return at
        if branches[at].key == ZERO:
            return NONE
        at = (at + 1) & (ROOM - 1)
    return NONE


@compiled
def new_branch(branches, key):
    """Room for a branch; NONE if there is none left, or the way to it has become long."""
    at = np.int64(key & U(ROOM - 1))
    for _ in range(FARTHEST):
        if branches[at].key == key:
            return at
        if branches[at].key == ZERO:
            branches[at].key = key
            branches[at].total = 0.0
            branches[at].visits = np.uint32(0)
            branches[at].offered = np.uint32(0)
            return at
        at = (at + 1) & (ROOM - 1)
    return NONE


@compiled
def tried(branches, viewer, candidates, visits, totals):
    """How often each candidate of the position was tried, and what it brought."""
    for at in range(candidates.size):
        where = branch_of(branches, mixed(mixed(ZERO, viewer + 1), candidates[at]))
        visits[at] = branches[where].visits if where != NONE else 0
        totals[at] = branches[where].total if where != NONE else 0.0
