"""Steps of many games at once, with rewards and observations; written once for all games."""

from __future__ import annotations

import numpy as np

from bullpen.envs.compiled.dispatch import observe
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply, is_over, random_legal, scores
from bullpen.fast.search import LONGEST_DECK, fill_mask, restart, shuffle_as_wanted
from bullpen.fast.words import ONE, ZERO, U

EVERY_SEAT = -1  # instead of a seat: all decisions come from outside
NOT_OBSERVED, SHOWN, PERFECT = 0, 1, 2  # kinds of memory
AT_THE_END, BY_CHANGE = 0, 1
AS_IT_IS, TO_THE_MEAN, TO_THE_BEST = 0, 1, 2


@compiled
def play_others(states, index, seat, rngs, deck):
    """Random moves of the other seats, up to a decision of this one or the end."""
    if seat == EVERY_SEAT:
        return
    state = states[index]
    while not is_over(state) and state.actor != seat:
        apply(state, random_legal(state, rngs[index]))
        shuffle_as_wanted(state, deck, rngs[index])


@compiled
def start_all(
    states,
    fresh,
    rngs,
    seat,
    memory,
    actors,
    legal,
    masks,
    proposed,
    before,
    observations,
    first,
    last,
):
    deck = np.empty(LONGEST_DECK, np.int16)
    for index in range(first, last):
        restart(states, fresh, index, rngs, deck)
        play_others(states, index, seat, rngs, deck)
        before[index, :] = 0
        show(states[index], index, rngs, memory, actors, legal, masks, proposed, observations)


@compiled
def show(state, index, rngs, memory, actors, legal, masks, proposed, observations):
    """What the next one to decide gets."""
    actors[index] = state.actor
    fill_mask(state, legal[index], masks[index])
    proposed[index] = random_legal(state, rngs[index])
    if memory != NOT_OBSERVED:
        observe(state, np.int64(state.actor), memory == PERFECT, observations[index])


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
def reward(state, before, seats, by_change, relative, sign, out):
    """The points of all seats since the last step, more is better; or 0 until the game ends."""
    for seat in range(seats):
        out[seat] = 0.0
    if by_change == AT_THE_END and not is_over(state):
        return
    now = np.zeros(before.size, np.int32)
    scores(state, now)
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
    """One decision in each game; a game that ends leaves its points and its last observation, of the seat
    that decided, and starts again."""
    deck = np.empty(LONGEST_DECK, np.int16)
    seats = rewards.shape[1]
    for index in range(first, last):
        state = states[index]
        decider = np.int64(state.actor)
        apply(state, actions[index])
        shuffle_as_wanted(state, deck, rngs[index])
        play_others(states, index, seat, rngs, deck)
        reward(state, before[index], seats, by_change, relative, sign, rewards[index])
        own_rewards[index] = rewards[index, decider]
        done[index] = is_over(state)
        if done[index]:
            scores(state, points[index])
            if memory != NOT_OBSERVED:
                observe(state, decider, memory == PERFECT, final_observations[index])
            restart(states, fresh, index, rngs, deck)
            play_others(states, index, seat, rngs, deck)
            before[index, :] = 0
        show(state, index, rngs, memory, actors, legal, masks, proposed, observations)
