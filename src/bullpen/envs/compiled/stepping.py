"""Steps of many games at once, with rewards and observations; written once for all games."""

from __future__ import annotations

import numpy as np

from bullpen.envs.compiled.dispatch import observe
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply, is_over, random_legal, scores
from bullpen.fast.search import LONGEST_DECK, fill_mask, restart, shuffle_as_wanted
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
def reward(now, before, seats, relative, sign, out):
    """The points of all seats since they were counted last; more is better."""
    total, best, second = 0.0, -np.inf, -np.inf
    for seat in range(seats):
        change = sign * (now[seat] - before[seat])
        before[seat] = now[seat]
        out[seat] = change
        total += change
        if change > best:
            best, second = change, best
        elif change > second:
            second = change
    if relative == TO_THE_MEAN:
        for seat in range(seats):
            own = out[seat]
            out[seat] = own - (total - own) / (seats - 1)
    elif relative == TO_THE_BEST:
        for seat in range(seats):
            out[seat] -= second if out[seat] == best else best


@compiled
def step_all(
    states,
    fresh,
    rngs,
    seat,
    memory,
    by_change,
    relative,
    sign,
    actions,
    actors,
    legal,
    masks,
    proposed,
    before,
    points,
    rewards,
    own_rewards,
    done,
    observations,
    final_observations,
    first,
    last,
):
    """One decision in each game, or a new deal, and what the next one to decide gets.  A game that ends
    leaves its points and its last observation, of the seat that decided, and starts again.

    All in one loop with one `apply`: whatever is compiled twice makes the first start longer."""
    deck = np.empty(LONGEST_DECK, np.int16)
    seats = rewards.shape[1]
    for index in range(first, last):
        state, rng = states[index], rngs[index]
        action, decider = actions[index], np.int64(state.actor)
        done[index] = False
        for other in range(seats):
            rewards[index, other] = 0.0
        while True:
            if action == DEAL:
                restart(states, fresh, index, rngs, deck)
                before[index, :] = 0
            else:
                apply(state, action)
                shuffle_as_wanted(state, deck, rng)
            if is_over(state):
                done[index] = True
                scores(state, points[index])
                reward(points[index], before[index], seats, relative, sign, rewards[index])
                if memory != NOT_OBSERVED:
                    observe(state, decider, memory == PERFECT, final_observations[index])
                action = DEAL
            elif seat != EVERY_SEAT and state.actor != seat:
                action = random_legal(state, rng)
            else:
                break
        if by_change and not done[index] and actions[index] != DEAL:
            scores(state, points[index])
            reward(points[index], before[index], seats, relative, sign, rewards[index])
        own_rewards[index] = rewards[index, decider]
        actors[index] = state.actor
        fill_mask(state, legal[index], masks[index])
        proposed[index] = random_legal(state, rng)
        if memory != NOT_OBSERVED:
            observe(state, np.int64(state.actor), memory == PERFECT, observations[index])
