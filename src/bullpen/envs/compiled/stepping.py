"""Steps of many games at once, with rewards and observations; written once for all games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.envs.compiled.dispatch import observe
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply, is_over, random_legal, scores
from bullpen.fast.playouts import LONGEST_DECK, fill_mask, restart, shuffle_as_wanted
from bullpen.fast.words import ONE, ZERO, U

DEAL = -1  # instead of an action: begin a new game
EVERY_SEAT = -1  # instead of a seat: all decisions come from outside
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
def reward(state, index, terms, hidden, rewards):
    """The points of all seats since they were counted last; more is better."""
    now, before, out = hidden.points[index], hidden.before[index], rewards[index]
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
    if terms.relative == TO_THE_MEAN:
        for seat in range(seats):
            own = out[seat]
            out[seat] = own - (total - own) / (seats - 1)
    elif terms.relative == TO_THE_BEST:
        for seat in range(seats):
            out[seat] -= second if out[seat] == best else best


class Terms(NamedTuple):
    """What is asked of the games: numbers and constants of this module alone, as compiled code takes them."""

    seat: int  # whose decisions come from outside, or EVERY_SEAT
    memory: int
    by_change: bool  # rewards come with every step, not only in the end
    relative: int
    sign: int  # -1 where the fewest points win


class Hidden(NamedTuple):
    """Arrays that stay with the games, out of anyone's reach."""

    legal: NDArray[np.uint64]  # sets of actions
    proposed: NDArray[np.int64]  # a random legal action for each
    before: NDArray[np.int32]  # the points when they were counted last
    points: NDArray[np.int32]
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
def step_all(games, terms, actions, hidden, results, first, last):
    """One decision in each game, or a new deal, and what the next one to decide gets.  A game that ends
    leaves its points and its last observation, of the seat that decided, and starts again.

    All in one loop with one `apply`: whatever is compiled twice makes the first start longer."""
    deck = np.empty(LONGEST_DECK, np.int16)
    # By names of their own: taken from the tuples anew for each game they would cost a good part of the speed.
    seat, memory, states, rngs = terms.seat, terms.memory, games.states, games.rngs
    legal, proposed, before = hidden.legal, hidden.proposed, hidden.before
    rewards, own_rewards, done = results.rewards, results.own_rewards, results.done
    actors, masks, observations = results.actors, results.masks, results.observations
    for index in range(first, last):
        state, rng = states[index], rngs[index]
        action, decider = actions[index], np.int64(state.actor)
        done[index] = False
        rewards[index, :] = 0.0
        while True:
            if action == DEAL:
                restart(games, index, deck)
                before[index, :] = 0
            else:
                apply(state, action)
                shuffle_as_wanted(state, deck, rng)
            if is_over(state):
                done[index] = True
                reward(state, index, terms, hidden, rewards)
                if memory != NOT_OBSERVED:
                    observe(state, decider, memory == PERFECT, hidden.last_observations[index])
                action = DEAL
            elif seat != EVERY_SEAT and state.actor != seat:
                action = random_legal(state, rng)
            else:
                break
        if terms.by_change and not done[index] and actions[index] != DEAL:
            reward(state, index, terms, hidden, rewards)
        own_rewards[index] = rewards[index, decider]
        actors[index] = state.actor
        fill_mask(state, legal[index], masks[index])
        proposed[index] = random_legal(state, rng)
        if memory != NOT_OBSERVED:
            observe(state, np.int64(state.actor), memory == PERFECT, observations[index])
