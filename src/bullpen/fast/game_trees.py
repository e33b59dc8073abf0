"""The whole tree of a mini game, and what can be counted on it: values, best responses, equilibria.

Nodes lie in an array in the order in which a walk through the tree meets them, so the children of a node begin right
behind it, and what is behind a child's last one is the next child.  A node is a decision with a choice; where there
is nothing to choose, the walk goes on.  The first node is the deal.

What a seat knows when it decides, its information state, is a number: what it observes now and observed when the
cards were dealt, and who did what since then.  A card chosen in secret counts only when all have chosen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import TWINS, apply, deal, is_over, scores, wants_shuffle
from bullpen.fast.playouts import list_legal
from bullpen.fast.words import ONE, ZERO, U

DEEPEST = 96  # decisions from the deal to the end
MOST_ACTIONS = 128  # of one decision
DEAL, END = -2, -1  # in place of a seat
NO_SECRET = -1  # in place of a phase
NOT_SEEN = -1
PERFECT = True  # memory

# Why a tree does not grow on; all else is well.
WELL, TOO_MANY, ANOTHER_DEAL, TOO_DEEP, NOT_ALIKE = range(5)


class Tree(NamedTuple):
    """Of so many nodes; a terminal node's `info` is the number of its utilities."""

    seat: NDArray[np.int8]
    info: NDArray[np.int32]
    after: NDArray[np.int32]  # the node behind all that follows from this one
    utility: NDArray[np.float32]  # [ends, seats]
    info_seat: NDArray[np.int8]  # by information state
    info_first: NDArray[np.int32]  # where its actions begin; one more at the end
    action: NDArray[np.int16]
    keys: NDArray[np.uint64]  # of information states, where they are looked up
    numbers: NDArray[np.int32]
    counts: NDArray[np.int64]  # as below


NODES, ENDS, INFOS, ACTIONS, STATES = range(5)


class Walking(NamedTuple):
    """Where a walk stands, by depth."""

    states: Any
    actions: NDArray[np.int16]
    many: NDArray[np.int64]  # actions there
    at: NDArray[np.int64]
    node: NDArray[np.int64]  # NOT_SEEN where there is nothing to choose
    public: NDArray[np.uint64]  # what all know of what was done
    secret: NDArray[np.uint64]  # what was chosen in secret, and by how many
    chosen: NDArray[np.int64]
    dealt: NDArray[np.uint64]  # by seat: what it saw then


def walking(fresh: Any) -> Walking:
    return Walking(
        np.repeat(fresh, DEEPEST),
        np.zeros((DEEPEST, MOST_ACTIONS), np.int16),
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST, np.uint64),
        np.zeros(DEEPEST, np.uint64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(16, np.uint64),
    )


def observe(state, viewer, perfect, out):
    """What a seat knows goes into `out`."""


@overload(observe)
def _observe(state, viewer, perfect, out):
    written = TWINS[state].observe
    return lambda state, viewer, perfect, out: written(state, viewer, perfect, out)


@compiled
def mixed(number, other):
    """A number that depends on both, and on their order."""
    x = (number ^ U(other)) * U(0x9E3779B97F4A7C15)
    x = (x ^ (x >> U(32))) * U(0xD6E8FEB86659FD93)
    return x ^ (x >> U(29))


@compiled
def observed(state, seat, before, out):
    """A number of what a seat sees now, and of what it knew before."""
    out[:] = 0
    observe(state, seat, PERFECT, out)
    key = mixed(before, seat + 1)
    for at in range(out.size):
        if out[at] != 0:
            key = mixed(key, (at << 16) ^ (np.int64(out[at]) & 0xFFFF))
    return key | ONE


@compiled
def count_states(walk, fresh, decks, words, most):
    """How many states follow from these deals, the ends among them; more than `most` are not counted.  And how the
    count ended."""
    states, ends = 0, 0
    for number in range(decks.shape[0]):
        walk.states[0] = fresh[0]
        deal(walk.states[0], decks[number])
        depth = 0
        walk.many[0] = NOT_SEEN
        while depth >= 0:
            state = walk.states[depth]
            if walk.many[depth] == NOT_SEEN:
                states += 1
                if states > most:
                    return states, TOO_MANY
                if is_over(state):
                    ends += 1
                    depth -= 1
                    continue
                if wants_shuffle(state):
                    return states, ANOTHER_DEAL
                walk.many[depth] = list_legal(state, words, walk.actions[depth])
                walk.at[depth] = 0
            if walk.at[depth] == walk.many[depth]:
                depth -= 1
                continue
            if depth + 1 == DEEPEST:
                return states, TOO_DEEP
            walk.states[depth + 1] = walk.states[depth]
            apply(walk.states[depth + 1], np.int64(walk.actions[depth, walk.at[depth]]))
            walk.at[depth] += 1
            depth += 1
            walk.many[depth] = NOT_SEEN
    return states, WELL


@compiled
def grow(tree, walk, fresh, decks, words, seen, secret_phase):
    """What follows from these deals, at the end of the tree; WELL, or what is wrong."""
    for number in range(decks.shape[0]):
        walk.states[0] = fresh[0]
        deal(walk.states[0], decks[number])
        depth = 0
        walk.public[0] = ONE
        walk.secret[0] = ONE
        walk.chosen[0] = 0
        walk.many[0] = NOT_SEEN
        for seat in range(fresh[0].seats):
            walk.dealt[seat] = observed(walk.states[0], seat, ONE, seen)
        while depth >= 0:
            if walk.many[depth] == NOT_SEEN:
                found = arrive(tree, walk, depth, words, seen)
                if found != WELL:
                    return found
            if walk.at[depth] == walk.many[depth]:
                if walk.node[depth] != NOT_SEEN:
                    tree.after[walk.node[depth]] = tree.counts[NODES]
                depth -= 1
                continue
            step(walk, depth, secret_phase)
            depth += 1
    tree.after[0] = tree.counts[NODES]
    return WELL


@compiled
def arrive(tree, walk, depth, words, seen):
    """A state that was not met before on this way."""
    state = walk.states[depth]
    tree.counts[STATES] += 1
    walk.at[depth] = walk.many[depth] = 0
    walk.node[depth] = NOT_SEEN
    if is_over(state):
        add_end(tree, state)
        return WELL
    if wants_shuffle(state):
        return ANOTHER_DEAL
    if depth + 1 == DEEPEST:
        return TOO_DEEP
    walk.many[depth] = list_legal(state, words, walk.actions[depth])
    if walk.many[depth] == 1:
        return WELL
    node = tree.counts[NODES]
    tree.counts[NODES] += 1
    walk.node[depth] = node
    tree.seat[node] = state.actor
    before = mixed(walk.public[depth], walk.dealt[state.actor])
    key = observed(state, np.int64(state.actor), before, seen)
    tree.info[node] = info_of(tree, key, state, walk.actions[depth], walk.many[depth])
    info = tree.info[node]
    alike = tree.info_first[info + 1] - tree.info_first[info] == walk.many[depth]
    return WELL if alike and tree.info_seat[info] == state.actor else NOT_ALIKE


@compiled
def add_end(tree, state):
    node, end = tree.counts[NODES], tree.counts[ENDS]
    tree.counts[NODES] += 1
    tree.counts[ENDS] += 1
    tree.seat[node] = END
    tree.info[node] = end
    tree.after[node] = node + 1
    points = np.zeros(16, np.int32)
    scores(state, points)
    for seat in range(tree.utility.shape[1]):
        tree.utility[end, seat] = points[seat]


@compiled
def info_of(tree, key, state, actions, count):
    """The number of an information state; a new one is written down."""
    room = U(tree.keys.size - 1)
    at = (key >> U(7)) & room
    while tree.keys[at] != ZERO:
        if tree.keys[at] == key:
            return tree.numbers[at]
        at = (at + ONE) & room
    info = tree.counts[INFOS]
    tree.counts[INFOS] += 1
    tree.keys[at] = key
    tree.numbers[at] = info
    tree.info_seat[info] = state.actor
    first = tree.info_first[info]
    for index in range(count):
        tree.action[first + index] = actions[index]
    tree.info_first[info + 1] = first + count
    tree.counts[ACTIONS] += count
    return np.int32(info)


@compiled
def step(walk, depth, secret_phase):
    """The next action of this depth, and what all know afterwards."""
    state, action = walk.states[depth], np.int64(walk.actions[depth, walk.at[depth]])
    done = (np.int64(state.actor) << 32) | action
    walk.at[depth] += 1
    walk.public[depth + 1] = walk.public[depth]
    walk.secret[depth + 1] = walk.secret[depth]
    walk.chosen[depth + 1] = walk.chosen[depth]
    walk.many[depth + 1] = NOT_SEEN
    if state.phase == secret_phase:
        walk.secret[depth + 1] = mixed(walk.secret[depth], done)
        walk.chosen[depth + 1] += 1
        if walk.chosen[depth + 1] == state.seats:  # all cards are turned up
            walk.public[depth + 1] = mixed(walk.public[depth], walk.secret[depth + 1])
            walk.secret[depth + 1] = ONE
            walk.chosen[depth + 1] = 0
    else:
        walk.public[depth + 1] = mixed(walk.public[depth], done)
    walk.states[depth + 1] = walk.states[depth]
    apply(walk.states[depth + 1], action)


@compiled
def find_examples(tree, walk, fresh, decks, words, node, examples, found):
    """For each information state that is not found yet, one of the states that it may be; `node` is the first one of
    these deals.  Returns the first node behind them."""
    for number in range(decks.shape[0]):
        walk.states[0] = fresh[0]
        deal(walk.states[0], decks[number])
        depth = 0
        walk.many[0] = NOT_SEEN
        while depth >= 0:
            if walk.many[depth] == NOT_SEEN:
                state = walk.states[depth]
                walk.at[depth] = walk.many[depth] = 0
                if is_over(state):
                    node += 1
                else:
                    walk.many[depth] = list_legal(state, words, walk.actions[depth])
                    if walk.many[depth] > 1:
                        info = tree.info[node]
                        if not found[info]:
                            found[info] = True
                            examples[info] = state
                        node += 1
            if walk.at[depth] == walk.many[depth]:
                depth -= 1
                continue
            walk.states[depth + 1] = walk.states[depth]
            apply(walk.states[depth + 1], np.int64(walk.actions[depth, walk.at[depth]]))
            walk.at[depth] += 1
            depth += 1
            walk.many[depth] = NOT_SEEN
    return node


# -- Counting on a tree ------------------------------------------------------------------------


@compiled
def expected(tree, policy, ends, value):
    """What every node is worth if all follow the policy, and the `ends` this; returns that of the game."""
    for node in range(tree.seat.size - 1, -1, -1):
        who = tree.seat[node]
        if who == END:
            value[node] = ends[tree.info[node]]
            continue
        total, count = 0.0, 0
        first = tree.info_first[tree.info[node]] if who >= 0 else 0
        child = node + 1
        while child < tree.after[node]:
            total += value[child] * (policy[first + count] if who >= 0 else 1.0)
            count += 1
            child = tree.after[child]
        value[node] = total / count if who == DEAL else total
    return value[0]


@compiled
def values(tree, policy, seat, value):
    """What every node is worth to a seat if all follow the policy; returns that of the game."""
    return expected(tree, policy, tree.utility[:, seat], value)


@compiled
def squares(tree, policy, seat, mean, value):
    """The variance of what a seat gets if all follow the policy; `mean` is what it expects."""
    return expected(tree, policy, (tree.utility[:, seat] - mean) ** 2, value)


@compiled
def reaches(tree, policy, seat, own, others):
    """How likely every node is as far as it depends on the seat, and on all others and the deal."""
    own[0] = others[0] = 1.0
    deals = 0
    child = 1
    while child < tree.after[0]:
        deals += 1
        child = tree.after[child]
    for node in range(tree.seat.size):
        who = tree.seat[node]
        if who == END:
            continue
        first, count = tree.info_first[tree.info[node]] if who >= 0 else 0, 0
        child = node + 1
        while child < tree.after[node]:
            share = policy[first + count] if who >= 0 else 1.0 / deals
            own[child] = own[node] * (share if who == seat else 1.0)
            others[child] = others[node] * (1.0 if who == seat else share)
            count += 1
            child = tree.after[child]


@compiled
def levels_of(tree, seat, level):
    """By node, how many choices the seat has made before it; returns the most."""
    most = 0
    level[0] = 0
    for node in range(tree.seat.size):
        if tree.seat[node] == END:
            continue
        next_level = level[node] + (tree.seat[node] == seat)
        most = max(most, next_level)
        child = node + 1
        while child < tree.after[node]:
            level[child] = next_level
            child = tree.after[child]
    return most


@compiled
def best_response(tree, policy, seat, others, level, value, best):
    """What the seat gets at most against the policy of the others; `best` takes what it does for that, and keeps the
    policy where others decide.  Those choices come first that nothing follows."""
    most = levels_of(tree, seat, level)
    gains = np.zeros(policy.size)
    best[:] = policy
    for now in range(most - 1, -1, -1):
        respond(tree, seat, others, level, now, value, best, gains)
        choose_best(tree, seat, gains, best, now, level)
    return values(tree, best, seat, value)


@compiled
def respond(tree, seat, others, level, now, value, best, gains):
    """Adds up what each choice of this level brings; later ones are made already."""
    for node in range(tree.seat.size - 1, -1, -1):
        who = tree.seat[node]
        if who == END:
            value[node] = tree.utility[tree.info[node], seat]
            continue
        total, count = 0.0, 0
        first = tree.info_first[tree.info[node]] if who >= 0 else 0
        child = node + 1
        while child < tree.after[node]:
            if who == seat and level[node] == now:
                gains[first + count] += others[node] * value[child]
            else:
                total += value[child] * (best[first + count] if who >= 0 else 1.0)
            count += 1
            child = tree.after[child]
        value[node] = total


@compiled
def choose_best(tree, seat, gains, best, now, level):
    for node in range(tree.seat.size):
        if tree.seat[node] != seat or level[node] != now:
            continue
        info = tree.info[node]
        first, end = tree.info_first[info], tree.info_first[info + 1]
        chosen = first
        for at in range(first, end):
            best[at] = 0.0
            if gains[at] > gains[chosen]:
                chosen = at
        best[chosen] = 1.0


# -- Towards an equilibrium --------------------------------------------------------------------


@compiled
def match_regrets(tree, regrets, policy):
    """Every choice as often as it is regretted not to have been made; all alike where nothing is."""
    for info in range(tree.info_seat.size):
        first, end = tree.info_first[info], tree.info_first[info + 1]
        total = 0.0
        for at in range(first, end):
            total += regrets[at]
        for at in range(first, end):
            policy[at] = regrets[at] / total if total > 0.0 else 1.0 / (end - first)


@compiled
def improve(tree, seat, weight, regrets, policy, sums, own, others, value):
    """One step of CFR+ for a seat: regrets that are never below zero, and the policy added to its average with this
    weight."""
    match_regrets(tree, regrets, policy)
    reaches(tree, policy, seat, own, others)
    values(tree, policy, seat, value)
    for node in range(tree.seat.size):
        if tree.seat[node] != seat:
            continue
        first, count = tree.info_first[tree.info[node]], 0
        child = node + 1
        while child < tree.after[node]:
            regrets[first + count] += others[node] * (value[child] - value[node])
            count += 1
            child = tree.after[child]
    add_average(tree, seat, weight, policy, own, sums)
    for at in range(regrets.size):
        regrets[at] = max(regrets[at], 0.0)


@compiled
def add_average(tree, seat, weight, policy, own, sums):
    """Own choices alone decide how often an information state is met, so one of its nodes tells it for all."""
    met = np.zeros(tree.info_seat.size, np.bool_)
    for node in range(tree.seat.size):
        if tree.seat[node] != seat or met[tree.info[node]]:
            continue
        info = tree.info[node]
        met[info] = True
        for at in range(tree.info_first[info], tree.info_first[info + 1]):
            sums[at] += weight * own[node] * policy[at]


@compiled
def averaged(tree, sums, policy):
    match_regrets(tree, sums, policy)
