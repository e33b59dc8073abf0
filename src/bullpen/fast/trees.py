"""Tree search over what each seat knows, for choices in turn and secret ones alike.

Every table is imagined anew, and all candidates are played on it.  Beyond the candidate a seat decides by
a tree of its own, whose branches are its own decisions since the position: what the others do comes in by
the imagined tables alone, so a secret choice stays secret inside the search too.  A seat prefers what
served it best so far among what it may do on this table; what was tried seldom is tried the more, the
better it looks (PUCT, with the habits' drawbacks for a prior).  The trees lie in one hash table, keyed by
the seat and its decisions.
"""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    drawback,
    legal,
    rounds_played,
    standing,
    wants_shuffle,
)
from bullpen.fast.search import LONGEST_DECK, shuffle_and_deal
from bullpen.fast.weighing import (
    IMAGINED,
    MOST_SEATS,
    PLAYED,
    best_looking,
    ends,
    imagine_table,
    lead,
)
from bullpen.fast.words import ONE, ZERO, U, lowest_bit

BRANCH = np.dtype([("key", np.uint64), ("total", np.float64), ("visits", np.int64)])
ROOM = 1 << 16  # branches; a power of two
FARTHEST = 16  # places from where a branch should lie
LONGEST_PATH = 4096
MOST_CHOICES = 1024
DARING = 0.3  # trying against trusting, in standard deviations of a result
MILDNESS = 1.5  # points of drawback that make a choice look e times worse
NONE = -1


@compiled
def grow(
    states, viewer, sign, looks, others, seed, first, candidates, leads, words, branches, spread
):
    """As `weighing.weigh`, with decisions by the trees; the other seats have trees if `others` is not 0.
    `spread` [3] gathers how far results lie apart: their number, sum and sum of squares."""
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    points, choices = np.zeros(MOST_SEATS, np.int32), np.empty((MOST_CHOICES, 3))
    path, path_seat = np.empty(LONGEST_PATH, np.int64), np.empty(LONGEST_PATH, np.int64)
    known = np.empty(
        MOST_SEATS, np.uint64
    )  # by seat: the key of its decisions so far; 0: out of tree
    for table in range(leads.shape[0]):
        imagine_table(states, viewer, seed + first + table, rng)
        same_chance = rng[0]
        for at in range(candidates.size):
            rng[0] = same_chance
            states[PLAYED] = states[IMAGINED]
            state = states[PLAYED]
            for seat in range(state.seats):
                known[seat] = mixed(ZERO, seat) if others or seat == viewer else ZERO
            known[viewer] = mixed(known[viewer], candidates[at])
            apply(state, candidates[at])
            length = play_in_trees(
                state, looks, words, deck, rng, branches, DARING * deviation(spread), choices,
                path, path_seat, known,
            )  # fmt: skip
            standing(state, points)
            for turn in range(length):
                branches[path[turn]].visits += 1
                branches[path[turn]].total += sign * lead(points, path_seat[turn], state.seats)
            result = sign * lead(points, viewer, state.seats)
            leads[table, at] = result
            spread[0] += 1
            spread[1] += result
            spread[2] += result * result


@compiled
def play_in_trees(state, looks, words, deck, rng, branches, step, choices, path, path_seat, known):
    """As far as `weighing.play_round`; the branches that were taken are noted in `path`.  A seat leaves its
    tree with the first branch that is new, and goes on by habit."""
    length, played = 0, rounds_played(state)
    while not ends(state, played):
        seat = np.int64(state.actor)
        if wants_shuffle(state):
            shuffle_and_deal(state, deck, rng)
        elif known[seat] == ZERO or length == LONGEST_PATH:
            apply(state, best_looking(state, looks, words, rng))
        else:
            action = preferred(state, words, choices, known[seat], branches, step)
            at = branch_for(branches, mixed(known[seat], action))
            known[seat] = branches[at].key if at != NONE and branches[at].visits else ZERO
            if at != NONE:
                path[length], path_seat[length] = at, seat
                length += 1
            apply(state, action)
    return length


@compiled
def deviation(spread):
    if spread[0] < 2:
        return 1.0
    mean = spread[1] / spread[0]
    return sqrt(max(0.0, spread[2] / spread[0] - mean * mean)) + 1e-9


@compiled
def preferred(state, words, choices, known, branches, step):
    """The action to try: what it brought so far, and the more for being seldom tried and looking well."""
    words[:] = ZERO
    legal(state, words)
    count, least = 0, np.inf
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO and count < MOST_CHOICES:
            action = (word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            against = drawback(state, action)
            choices[count, 0], choices[count, 1] = action, against
            least = min(least, against)
            count += 1
    if count == 1:
        return np.int64(choices[0, 0])
    all_looks = 0.0
    for at in range(count):
        choices[at, 1] = exp((least - choices[at, 1]) / MILDNESS)
        all_looks += choices[at, 1]
    visits, total = 0.0, 0.0
    for at in range(count):
        branch = branch_of(branches, mixed(known, np.int64(choices[at, 0])))
        choices[at, 2] = branch
        if branch != NONE:
            visits += branches[branch].visits
            total += branches[branch].total
    usual = total / visits if visits > 0.0 else 0.0
    curiosity = step * sqrt(visits + 1.0) / all_looks
    choice, best = 0, -np.inf
    for at in range(count):
        branch = np.int64(choices[at, 2])
        tries, value = 0.0, usual
        if branch != NONE and branches[branch].visits > 0:
            tries = np.float64(branches[branch].visits)
            value = branches[branch].total / tries
        hope = value + curiosity * choices[at, 1] / (1.0 + tries)
        if hope > best:
            choice, best = at, hope
    return np.int64(choices[choice, 0])


# -- Branches ---------------------------------------------------------------------------------


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
    """Where this branch lies, or NONE."""
    at = np.int64(key & U(ROOM - 1))
    for _ in range(FARTHEST):
        if branches[at].key == key:
            return at
        if branches[at].key == ZERO:
            return NONE
        at = (at + 1) & (ROOM - 1)
    return NONE


@compiled
def branch_for(branches, key):
    """The same, with room made for it if there is any left."""
    at = np.int64(key & U(ROOM - 1))
    for _ in range(FARTHEST):
        if branches[at].key == key:
            return at
        if branches[at].key == ZERO:
            branches[at].key = key
            return at
        at = (at + 1) & (ROOM - 1)
    return NONE
