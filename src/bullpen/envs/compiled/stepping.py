"""Steps of many games at once, with rewards and observations; written once for all games."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.envs.compiled.history import (
    forget,
    forget_if_dealt,
    note,
    observe_and_recall,
    rounds_before,
)
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    is_over,
    random_legal,
    rule_of_thumb,
    scores,
    wants_shuffle,
)
from bullpen.fast.dispatch import legal as legal_actions
from bullpen.fast.playouts import LONGEST_DECK, fill_mask, restart, shuffle_as_wanted
from bullpen.fast.words import ONE, ZERO, U, below, lowest_bit

# Instead of an action: begin a new game; leave the game as it is; the same, but it counts as a step.
DEAL, WAIT, STAY = -1, -2, -3
# Who decides for a seat; the last: whoever calls, but not as its own.
OUTSIDE, RANDOM, HABIT, ASKED = 0, 1, 2, 3
NOT_OBSERVED, SHOWN, PERFECT = 0, 1, 2  # kinds of memory
AS_IT_IS, TO_THE_MEAN, TO_THE_BEST = 0, 1, 2


@compiled
def first_illegal(legal, count, actions):
    """The first game whose action is not one of its legal ones, of `count` that there are; or -1."""
    for index in range(actions.size):
        action = actions[index]
        if not 0 <= action < count:
            return index
        if (legal[index, action >> 6] >> U(action & 63)) & ONE == ZERO:
            return index
    return -1


@compiled
def mark_illegal(legal, count, actions, out):
    """Which of the actions are none of the legal ones."""
    for index in range(actions.size):
        action = actions[index]
        out[index] = not 0 <= action < count or (
            (legal[index, action >> 6] >> U(action & 63)) & ONE == ZERO
        )


@compiled
def reward(state, index, terms, hidden, rewards):
    """Adds the points of all seats since they were counted last; more is better."""
    now, before, out = hidden.points[index], hidden.before[index], hidden.change[index]
    scores(state, now)
    seats = out.size
    total, best, second = 0.0, -np.inf, -np.inf
    for seat in range(seats):
        change = terms.sign * (now[seat] - before[seat])
        before[seat] = now[seat]
        out[seat] = change
        total += change
        if change > best:
            best, second = change, best
        elif change > second:
            second = change
    for seat in range(seats):
        own = out[seat]
        if terms.relative == TO_THE_MEAN:
            own -= (total - own) / (seats - 1)
        elif terms.relative == TO_THE_BEST:
            own -= second if own == best else best
        rewards[index, seat] += own
        hidden.since[index, seat] += own


@compiled
def habitual(state, words, rng):
    """The legal action that has the least against it by the rule of thumb; among equals, any."""
    legal_actions(state, words)
    best, least, equals = 0, np.inf, 0
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO:
            action = (word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            against = rule_of_thumb(state, action)
            if against < least:
                best, least, equals = action, against, 1
            elif against == least:
                equals += 1
                if below(rng, equals) == 0:
                    best = action
    return best


@compiled
def habitual_if(has_habits, state, words, rng):
    """Where no seat has a habit, none is compiled: Numba leaves out what follows a None."""
    if has_habits is None:
        return 0
    return habitual(state, words, rng)


class Terms(NamedTuple):
    """What is asked of the games."""

    players: NDArray[np.int8]  # by seat: who decides there
    has_habits: Literal[True] | None  # whether one of them plays by habit
    memory: int
    by_change: bool  # rewards come with every step, not only in the end
    relative: int
    sign: int  # -1 where the fewest points win
    restarts: bool  # a game that ends starts again in the same step


class Hidden(NamedTuple):
    """Arrays that stay with the games, out of anyone's reach."""

    moves: NDArray[np.uint64]  # a random stream for each, beside the one that deals
    legal: NDArray[np.uint64]  # sets of actions
    proposed: NDArray[np.int64]  # a random legal action for each
    deciders: NDArray[np.int8]  # whose decision the step was
    before: NDArray[np.int32]  # the points when they were counted last
    points: NDArray[np.int32]
    change: NDArray[np.float64]
    since: NDArray[np.float64]  # by seat: what it got since its own last decision
    last_since: NDArray[np.float64]  # the same, of the games that ended last
    last_observations: NDArray[np.int16]  # of the games that ended last


class Results(NamedTuple):
    """Arrays that a step gives away; every entry is written in it."""

    actors: NDArray[np.int8]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]  # of all seats
    own_rewards: NDArray[np.float64]  # of the seat that decided
    done: NDArray[np.bool_]
    observations: NDArray[np.int16]


@compiled
def step_all(games, terms, actions, hidden, results, plays, goes_on, first, last):  # noqa: C901  (see below)
    """One decision in each game, or a new deal, and what the next one to decide gets.  A game that ends
    leaves its points and its last observation, of the seat that decided, and starts again if it is to.
    Where a step `goes_on`, others than the one who decided have been asked meanwhile.

    All in one loop with one `apply`: whatever is compiled twice makes the first start longer."""
    deck = np.empty(LONGEST_DECK, np.int16)
    # By names of their own: taken from the tuples anew for each game they would cost most of the speed; so does
    # handing the tuples on to another function in every step, not only at the end of a game.
    players, memory, restarts, states = terms.players, terms.memory, terms.restarts, games.states
    rngs, moves, legal, proposed = games.rngs, hidden.moves, hidden.legal, hidden.proposed
    deciders, before, since = hidden.deciders, hidden.before, hidden.since
    rewards, own_rewards, done = results.rewards, results.own_rewards, results.done
    actors, masks, observations = results.actors, results.masks, results.observations
    for index in range(first, last):
        action = actions[index]
        if action == WAIT:
            continue
        state, rng = states[index], moves[index]
        if not goes_on:
            done[index] = False
            rewards[index, :] = 0.0
            deciders[index] = state.actor
            if action >= 0:
                since[index, np.int64(state.actor)] = 0.0
        decider = np.int64(deciders[index])
        stays_over = False
        while True:
            if action == DEAL:
                restart(games, index, deck)
                before[index, :] = 0
                since[index, :] = 0.0
                forget(plays, index)
            elif action != STAY:
                rounds = rounds_before(plays, state)
                note(plays, index, state, action)
                apply(state, action)
                if wants_shuffle(state):
                    shuffle_as_wanted(state, deck, rngs[index])
                forget_if_dealt(plays, index, state, rounds)
            if is_over(state):
                done[index] = True
                reward(state, index, terms, hidden, rewards)
                copy_row(since, hidden.last_since, index)
                if memory != NOT_OBSERVED:
                    last_seen = hidden.last_observations[index]
                    observe_and_recall(plays, index, state, decider, memory == PERFECT, last_seen)
                if not restarts:
                    stays_over = True
                    break
                action = DEAL
            else:
                player = players[np.int64(state.actor)]
                if player == RANDOM:
                    action = random_legal(state, rng)
                elif player == HABIT:
                    action = habitual_if(terms.has_habits, state, legal[index], rng)
                else:
                    break
        if terms.by_change and not done[index] and actions[index] != DEAL:
            reward(state, index, terms, hidden, rewards)
        own_rewards[index] = rewards[index, decider]
        if stays_over:
            show_end(index, terms, hidden, results)
            continue
        actors[index] = state.actor
        fill_mask(state, legal[index], masks[index])
        proposed[index] = random_legal(state, rng)
        if memory != NOT_OBSERVED:
            actor, seen = np.int64(state.actor), observations[index]
            observe_and_recall(plays, index, state, actor, memory == PERFECT, seen)


@compiled
def show_end(index, terms, hidden, results):
    """Instead of a decision, where the game waits for a new deal."""
    results.actors[index] = hidden.deciders[index]
    hidden.legal[index, :] = ZERO
    results.masks[index, :] = 0
    hidden.proposed[index] = 0
    if terms.memory != NOT_OBSERVED:
        copy_row(hidden.last_observations, results.observations, index)


@compiled
def copy_row(source, target, index):
    """Entry by entry: Numba would make room for a whole row, in case that both are the same array."""
    for at in range(source.shape[1]):
        target[index, at] = source[index, at]
