"""Tree search over what each seat knows, for choices in turn and secret ones alike.

Every table is imagined anew, and all candidates are played on it.  Beyond the candidate a seat decides by
a tree of its own, whose branches are its own decisions since the position: what the others do comes in by
the imagined tables alone, so a secret choice stays secret inside the search too.  A seat prefers what
served it best so far among what it may do on this table; what was tried seldom is tried the more, the
better it looks (PUCT, with the habits' drawbacks for a prior).  The trees lie in one hash table, keyed by
the seat and its decisions; a branch knows roughly what was tried after it, since most of what a seat may do
never was, and looking for it in the table would take most of the time.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    drawback,
    legal,
    rounds_played,
    standing,
    wants_shuffle,
)
from bullpen.fast.evaluation import (
    IMAGINED,
    MOST_SEATS,
    PLAYED,
    best_looking,
    best_looking_of_all,
    ends,
    imagine_table,
    lead,
)
from bullpen.fast.playouts import LONGEST_DECK, shuffle_and_deal
from bullpen.fast.words import ONE, ZERO, U, fetch, lowest_bit

BRANCH = np.dtype(
    [
        ("key", np.uint64),
        ("total", np.float64),
        ("visits", np.int64),
        ("tried", np.uint64),  # by `trace` of an action: one that has it may lead on from here
    ]
)
ROOM = 1 << 16  # branches; a power of two
FARTHEST = 8  # places from where a branch should lie: where none of these is free, none is made
LONGEST_PATH = 4096
MOST_CHOICES = 1024
C_PUCT = 0.3  # exploring against exploiting, in standard deviations of a result
PRIOR_TEMPERATURE = (
    1.5  # of the softmax over drawbacks: so many points make a choice look e times worse
)
NONE = -1


class Trees(NamedTuple):
    """What has been learnt about a position."""

    branches: NDArray[Any]
    spread: NDArray[np.float64]  # [3], of results: their number, sum and sum of squares
    for_others: int  # 0: only the seat that decides has a tree


class Path(NamedTuple):
    """What one playout goes by, and where it went."""

    branches: NDArray[np.int64]  # that were taken
    seats: NDArray[np.int64]  # who took them
    nodes: NDArray[np.int64]  # by seat: the branch of its decisions so far; NONE: out of its tree
    # Room for a choice, by legal action:
    actions: NDArray[np.int64]
    looks: NDArray[np.float64]
    keys: NDArray[np.uint64]
    found: NDArray[np.int64]  # the branch


@compiled
def play_candidates(position, trees, seed, candidates, leads):
    """As `evaluation.play_candidates`, with decisions by the trees, which grow."""
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    points = np.zeros(MOST_SEATS, np.int32)
    path = Path(
        np.empty(LONGEST_PATH, np.int64),
        np.empty(LONGEST_PATH, np.int64),
        np.empty(MOST_SEATS, np.int64),
        np.empty(MOST_CHOICES, np.int64),
        np.empty(MOST_CHOICES),
        np.empty(MOST_CHOICES, np.uint64),
        np.empty(MOST_CHOICES, np.int64),
    )
    states, viewer, sign = position.states, position.viewer, position.sign
    branches, nodes = trees.branches, path.nodes
    for table in range(leads.shape[0]):
        imagine_table(position, seed + table, rng)
        same_chance = rng[0]
        for at in range(candidates.size):
            rng[0] = same_chance
            states[PLAYED] = states[IMAGINED]
            state = states[PLAYED]
            for seat in range(state.seats):
                nodes[seat] = branch_for(branches, root_of(seat)) if trees.for_others else NONE
            nodes[viewer] = branch_for(branches, mixed(root_of(viewer), candidates[at]))
            apply(state, candidates[at])
            length = play_in_trees(state, position, trees, path, deck, rng)
            standing(state, points)
            learn(branches, path, length, points, sign, state.seats)
            result = sign * lead(points, viewer, state.seats)
            leads[table, at] = result
            trees.spread[0] += 1
            trees.spread[1] += result
            trees.spread[2] += result * result


@compiled
def learn(branches, path, length, points, sign, seats):
    for turn in range(length):
        branch = path.branches[turn]
        branches[branch].visits += 1
        branches[branch].total += sign * lead(points, path.seats[turn], seats)


@compiled
def play_in_trees(state, position, trees, path, deck, rng):
    """As far as `evaluation.play_round`; how many branches were taken.  A seat leaves its tree with the first
    branch that is new, and goes on by habit."""
    branches, nodes = trees.branches, path.nodes
    curiosity = C_PUCT * deviation(trees.spread)
    length, played = 0, rounds_played(state)
    while not ends(state, played):
        seat = np.int64(state.actor)
        if wants_shuffle(state):
            shuffle_and_deal(state, deck, rng)
        elif nodes[seat] == NONE or length == LONGEST_PATH:
            apply(state, best_looking(state, position.looks, position.words, rng))
        else:
            if branches[nodes[seat]].tried == ZERO:  # nothing is known but how it looks
                action, at = best_looking_of_all(state, position.words), NONE
            else:
                action, at = preferred(
                    nodes[seat], state, position.words, path, branches, curiosity
                )
            if at == NONE:
                at = new_branch(branches, nodes[seat], action)
            nodes[seat] = at if at != NONE and branches[at].visits else NONE
            if at != NONE:
                path.branches[length], path.seats[length] = at, seat
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
def preferred(node, state, words, path, branches, curiosity):
    """The action to try: what it brought so far, and the more for being seldom tried and looking well; and its
    branch, or NONE."""
    actions, looks, keys, found = path.actions, path.looks, path.keys, path.found
    count, least = look_at_all(state, words, actions, looks)
    known, tried = branches[node].key, branches[node].tried
    for at in range(count):
        keys[at] = mixed(known, actions[at])
        fetch(branches, np.int64(keys[at] & U(ROOM - 1)))  # the table is larger than what lies near
    for at in range(count):
        looks[at] = exponential((least - looks[at]) * (1 / PRIOR_TEMPERATURE))
    all_looks, visits, total = 0.0, 0, 0.0
    for at in range(count):
        all_looks += looks[at]
        found[at] = NONE
        if tried & trace(actions[at]) != ZERO:
            branch = branch_of(branches, keys[at])
            found[at] = branch
            if branch != NONE:
                visits += branches[branch].visits
                total += branches[branch].total
    usual = total / visits if visits else 0.0
    bonus = curiosity * sqrt(visits + 1.0) / all_looks
    choice, best = 0, -np.inf
    for at in range(count):
        hope = usual + bonus * looks[at]
        if found[at] != NONE:
            tries = branches[found[at]].visits
            hope = branches[found[at]].total / tries + bonus * looks[at] / (1.0 + tries)
        if hope > best:
            choice, best = at, hope
    return actions[choice], found[choice]


@compiled
def look_at_all(state, words, actions, looks):
    """The legal actions, and what speaks against each; how many there are, and the least that speaks against one."""
    words[:] = ZERO
    legal(state, words)
    count, least = 0, np.inf
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO and count < MOST_CHOICES:
            actions[count] = (word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            looks[count] = drawback(state, actions[count])
            least = min(least, looks[count])
            count += 1
    return count, least


@compiled
def exponential(x):
    """e to the power of a number that is not above zero, to nine digits: with no call and no branch, so that several are
    found at once."""
    part = max(x, -700.0) * (1 / 1024)
    power = 1.0 + part * (1.0 + part * (1 / 2 + part * (1 / 6 + part * (1 / 24))))
    for _ in range(10):
        power *= power
    return power


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
def root_of(seat):
    return mixed(ZERO, seat)


@compiled
def trace(action):
    """One bit of 64: what has another one is another action."""
    return ONE << U(action & 63)


@compiled
def new_branch(branches, node, action):
    """A branch for an action that is tried for the first time at this node, if there is room left."""
    at = branch_for(branches, mixed(branches[node].key, action))
    if at != NONE:
        branches[node].tried |= trace(action)
    return at


@compiled
def branch_of(branches, key):
    """Where this branch lies, or NONE."""
    at = place_of(branches, key)
    return at if at != NONE and branches[at].key == key else NONE


@compiled
def branch_for(branches, key):
    """The same, with room made for it if there is any left."""
    at = place_of(branches, key)
    if at != NONE:
        branches[at].key = key
    return at


@compiled
def place_of(branches, key):
    """Where this branch lies, or could lie; NONE: all places are taken."""
    at = np.int64(key & U(ROOM - 1))
    for _ in range(FARTHEST):
        if branches[at].key == key or branches[at].key == ZERO:
            return at
        at = (at + 1) & (ROOM - 1)
    return NONE
