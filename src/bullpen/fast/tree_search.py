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
from numba import carray  # type: ignore[attr-defined]
from numpy.typing import NDArray

from bullpen.fast.compiling import compiled, uncounted
from bullpen.fast.dispatch import (
    NO_SHORT_WAY,
    apply,
    drawback,
    legal,
    rounds_played,
    standing,
    wants_shuffle,
    weigh_all,
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
    usual_or_habitual,
)
from bullpen.fast.playouts import LONGEST_DECK, shuffle_and_deal
from bullpen.fast.words import ONE, ZERO, U, borrowed, fetch, lowest_bit, words_on_the_stack

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
AT_ONCE = 8  # choices that a processor weighs together
C_PUCT = 0.3  # exploring against exploiting, in standard deviations of a result
PRIOR_TEMPERATURE = (
    1.5  # of the softmax over drawbacks: so many points make a choice look e times worse
)
NONE = -1

# What one playout goes by, and where it went.  A record, not a tuple of arrays, for nobody counts who holds its parts.
PATH = np.dtype(
    [
        ("branches", np.int64, (LONGEST_PATH,)),  # that were taken
        ("seats", np.int64, (LONGEST_PATH,)),  # who took them
        # Room for a choice, by legal action:
        ("actions", np.int64, (MOST_CHOICES,)),
        ("looks", np.float64, (MOST_CHOICES,)),
        ("totals", np.float64, (MOST_CHOICES,)),
        ("tries", np.float64, (MOST_CHOICES,)),
        ("found", np.int64, (MOST_CHOICES,)),  # its branch, or NONE
        # And by those that may have been tried:
        ("keys", np.uint64, (MOST_CHOICES,)),
        ("tried", np.int64, (MOST_CHOICES + 1,)),  # which
        # By seat: the branch of its decisions so far; NONE: out of its tree
        ("nodes", np.int64, (MOST_SEATS,)),
    ]
)


class Trees(NamedTuple):
    """What has been learnt about a position."""

    branches: NDArray[Any]
    spread: NDArray[np.float64]  # [3], of results: their number, sum and sum of squares
    for_others: int  # 0: only the seat that decides has a tree
    path: NDArray[Any]  # [1], room for a playout


CACHE_LINE = 64  # bytes


def no_branches(trees: int) -> NDArray[Any]:
    """Room for so many trees, an array each, in one piece: where it is asked for more than 4 MB, numpy asks for large pages, and the
    system has less to do for each that is touched first."""
    return aligned(trees * ROOM, BRANCH).reshape(trees, ROOM)


def no_path() -> NDArray[Any]:
    return aligned(1, PATH)


def aligned(count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """So many zeros, from where a line of the cache begins: so no branch lies in two, nor what a processor weighs together."""
    size = count * kind.itemsize
    piece = np.zeros(size + CACHE_LINE, np.uint8)
    first = -piece.ctypes.data % CACHE_LINE
    return piece[first : first + size].view(kind)


@compiled
def play_candidates(position, trees, seed, candidates, leads):
    """As `evaluation.play_candidates`, with decisions by the trees, which grow."""
    rng, deck = carray(words_on_the_stack(1), 1), np.empty(LONGEST_DECK, np.int16)
    points, path = np.zeros(MOST_SEATS, np.int32), trees.path[0]
    words, branches = borrowed(position.words), borrowed(trees.branches)
    states, viewer, sign, nodes = position.states, position.viewer, position.sign, path.nodes
    for table in range(leads.shape[0]):
        by_thumb = imagine_table(position, seed + table, rng)
        same_chance = rng[0]
        for at in range(candidates.size):
            rng[0] = same_chance
            states[PLAYED] = states[IMAGINED]
            state = states[PLAYED]
            for seat in range(state.seats):
                nodes[seat] = branch_for(branches, root_of(seat)) if trees.for_others else NONE
            nodes[viewer] = branch_for(branches, mixed(root_of(viewer), candidates[at]))
            apply(state, candidates[at])
            curiosity = C_PUCT * deviation(trees.spread)
            length = play_in_trees(
                state, position.looks, by_thumb, words, branches, curiosity, path, deck, rng
            )
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
def play_in_trees(state, looks, by_thumb, words, branches, curiosity, path, deck, rng):
    """As far as `evaluation.play_round`; how many branches were taken.  A seat leaves its tree with the first
    branch that is new, and goes on by habit."""
    nodes, length, played = path.nodes, 0, rounds_played(state)
    while not ends(state, played):
        seat = np.int64(state.actor)
        if wants_shuffle(state):
            shuffle_and_deal(state, deck, rng)
        elif (by_thumb >> seat) & 1:
            apply(state, usual_or_habitual(state, looks, words, rng))
        elif nodes[seat] == NONE or length == LONGEST_PATH:
            apply(state, best_looking(state, looks, words, rng))
        else:
            if branches[nodes[seat]].tried == ZERO:  # nothing is known but how it looks
                action, at = best_looking_of_all(state, words), NONE
            else:
                action, at = preferred(nodes[seat], state, words, path, branches, curiosity)
            if at == NONE:
                at = new_branch(branches, nodes[seat], action)
            nodes[seat] = at if at != NONE and branches[at].visits else NONE
            if at != NONE:
                path.branches[length], path.seats[length] = at, seat
                length += 1
            apply(state, action)
    return length


@uncounted
def deviation(spread):
    if spread[0] < 2:
        return 1.0
    mean = spread[1] / spread[0]
    return sqrt(max(0.0, spread[2] / spread[0] - mean * mean)) + 1e-9


@compiled
def preferred(node, state, words, path, branches, curiosity):
    """The action to try: what it brought so far, and the more for being seldom tried and looking well; and its
    branch, or NONE."""
    count = look_at_all(state, words, path.actions, path.looks)
    return most_promising(node, path, count, branches, curiosity)


@compiled
def look_at_all(state, words, actions, looks):
    """The legal actions, and what speaks against each; how many there are."""
    count = weigh_all(state, actions, looks)
    if count == NO_SHORT_WAY:
        words[:] = ZERO
        legal(state, words)
        count = list_actions(words, actions)
        for at in range(count):
            looks[at] = drawback(state, actions[at])
    return count


@uncounted
def list_actions(words, actions):
    """The members of a set, as far as there is room; how many."""
    count = 0
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO and count < MOST_CHOICES:
            actions[count] = (word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            count += 1
    return count


@uncounted
def most_promising(node, path, count, branches, curiosity):
    """Of the actions that were looked at, and its branch."""
    known = find_tried(node, path, count, branches)
    all_looks = weigh_looks(path, count)
    visits, total = recall(path, known, branches)
    usual = total / visits if visits else 0.0
    bonus = curiosity * sqrt(visits + 1.0) / all_looks
    choice = most_hopeful(path, count, usual, bonus)
    return path.actions[choice], path.found[choice]


@uncounted
def find_tried(node, path, count, branches):
    """The actions that may have been tried here, by their places, and the keys of their branches; how many.  The table of branches is
    larger than what lies near, so they are fetched ahead."""
    key, tried, known = branches[node].key, branches[node].tried, 0
    for at in range(count):
        path.tried[known] = at
        known += tried & trace(path.actions[at]) != ZERO
    for which in range(known):
        path.keys[which] = mixed(key, path.actions[path.tried[which]])
        fetch(branches, np.int64(path.keys[which] & U(ROOM - 1)))
    return known


@uncounted
def weigh_looks(path, count):
    """What speaks against each action becomes what speaks for it; the sum.  Nothing is known yet of what it brought."""
    looks, least, total = path.looks, np.inf, 0.0
    for at in range(count):
        least = min(least, looks[at])
    for at in range(in_full(count)):
        looks[at] = exponential((least - looks[at]) * (1 / PRIOR_TEMPERATURE))
        path.totals[at], path.tries[at], path.found[at] = 0.0, 0.0, NONE
    for at in range(count):
        total += looks[at]
    return total


@uncounted
def recall(path, known, branches):
    """What the actions brought that were tried; how many tries there were, and what they brought together."""
    visits, total = 0, 0.0
    for which in range(known):
        at, branch = path.tried[which], branch_of(branches, path.keys[which])
        path.found[at] = branch
        if branch != NONE:
            visits += branches[branch].visits
            total += branches[branch].total
            path.totals[at], path.tries[at] = branches[branch].total, branches[branch].visits
    return visits, total


@uncounted
def most_hopeful(path, count, usual, bonus):
    """The place of the action with the best hope; where nothing is known it is the usual one."""
    hopes, totals, tries = path.looks, path.totals, path.tries
    for at in range(in_full(count)):
        mean = totals[at] / tries[at] if tries[at] > 0.0 else usual
        hopes[at] = mean + bonus * hopes[at] / (1.0 + tries[at])
    choice, best = 0, -np.inf
    for at in range(count):
        if hopes[at] > best:
            choice, best = at, hopes[at]
    return choice


@uncounted
def in_full(count):
    """So many, and whatever comes after them up to a full AT_ONCE: it takes no longer, and nobody reads it."""
    return (count + AT_ONCE - 1) & -AT_ONCE


@uncounted
def exponential(x):
    """e to the power of a number that is not above zero, to nine digits: with no call and no branch, so that several are
    found at once."""
    part = max(x, -700.0) * (1 / 1024)
    power = 1.0 + part * (1.0 + part * (1 / 2 + part * (1 / 6 + part * (1 / 24))))
    for _ in range(10):
        power *= power
    return power


# -- Branches ---------------------------------------------------------------------------------


@uncounted
def mixed(key, action):
    """A key for these decisions and one more."""
    x = (key ^ U(action + 1)) * U(0x9E3779B97F4A7C15)
    x ^= x >> U(29)
    x *= U(0xBF58476D1CE4E5B9)
    x ^= x >> U(32)
    return x | ONE


@uncounted
def root_of(seat):
    return mixed(ZERO, seat)


@uncounted
def trace(action):
    """One bit of 64: what has another one is another action."""
    return ONE << U(action & 63)


@uncounted
def new_branch(branches, node, action):
    """A branch for an action that is tried for the first time at this node, if there is room left."""
    at = branch_for(branches, mixed(branches[node].key, action))
    if at != NONE:
        branches[node].tried |= trace(action)
    return at


@uncounted
def branch_of(branches, key):
    """Where this branch lies, or NONE."""
    at = place_of(branches, key)
    return at if at != NONE and branches[at].key == key else NONE


@uncounted
def branch_for(branches, key):
    """The same, with room made for it if there is any left."""
    at = place_of(branches, key)
    if at != NONE:
        branches[at].key = key
    return at


@uncounted
def place_of(branches, key):
    """Where this branch lies, or could lie; NONE: all places are taken."""
    at = np.int64(key & U(ROOM - 1))
    for _ in range(FARTHEST):
        if branches[at].key == key or branches[at].key == ZERO:
            return at
        at = (at + 1) & (ROOM - 1)
    return NONE
