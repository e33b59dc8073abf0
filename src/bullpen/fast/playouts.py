"""Loops over whole games, written once for all: `dispatch` finds each game's own functions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    deal,
    is_over,
    legal,
    random_legal,
    scores,
    to_shuffle,
    wants_shuffle,
)
from bullpen.fast.words import ONE, ZERO, below, lowest_bit, seeded, write_bits

LONGEST_DECK = 128


# -- One step ---------------------------------------------------------------------------------


@compiled
def shuffle_and_deal(state, deck, rng):
    """Shuffle no more than matters."""
    count, dealt = to_shuffle(state, deck)
    for i in range(dealt):
        j = i + below(rng, count - i)
        deck[i], deck[j] = deck[j], deck[i]
    deal(state, deck)


@compiled
def shuffle_as_wanted(state, deck, rng):
    """Up to the next decision, or the end."""
    while wants_shuffle(state):
        shuffle_and_deal(state, deck, rng)


# -- Whole games ------------------------------------------------------------------------------


@compiled
def playout(state, deck, rng):
    """Random legal moves to the end; returns how many."""
    decisions = 0
    while not is_over(state):
        if wants_shuffle(state):
            shuffle_and_deal(state, deck, rng)
        else:
            apply(state, random_legal(state, rng))
            decisions += 1
    return decisions


@compiled
def play_games(states, seed, points, lengths, tally):
    """Complete random games from the record in states[0]; game i is dealt from seed + i.

    points [games, seats], lengths [games] and tally (added to) take the results; states[1] is used up.
    """
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    for game in range(lengths.size):
        seeded(rng, seed + game)
        states[1] = states[0]
        state = states[1]
        lengths[game] = playout(state, deck, rng)
        scores(state, points[game])
        for fact in range(tally.size):
            tally[fact] += state.tally[fact]


# -- Many games at once -----------------------------------------------------------------------


class Games(NamedTuple):
    """Arrays of as many games as are played at once."""

    states: NDArray[Any]
    fresh: NDArray[Any]  # [1]: the record that each of them begins with
    rngs: NDArray[np.uint64]  # a random stream for each


class Decisions(NamedTuple):
    """What each of these games waits for."""

    actors: NDArray[np.int8]
    masks: NDArray[np.uint8]  # ones where an action is legal
    proposed: NDArray[np.int64]  # a random legal action


class Ends(NamedTuple):
    """Which of these games have ended by the last step, and with what result."""

    done: NDArray[np.bool_]
    points: NDArray[np.int32]


@compiled
def restart(games, index, deck):
    games.states[index] = games.fresh[0]
    shuffle_as_wanted(games.states[index], deck, games.rngs[index])


@compiled
def start_all(games, decisions, first, last):
    deck = np.empty(LONGEST_DECK, np.int16)
    words = np.empty((decisions.masks.shape[1] + 63) // 64, np.uint64)
    for index in range(first, last):
        restart(games, index, deck)
        offer(games, index, words, decisions)


@compiled
def step_all(games, actions, decisions, ends, first, last):
    """One decision in each game; a game that ends leaves its scores in `ends` and starts again."""
    deck = np.empty(LONGEST_DECK, np.int16)
    # By names of their own: taken from the tuples anew for each game they would cost half of the speed.
    states, rngs, done, points = games.states, games.rngs, ends.done, ends.points
    actors, masks, proposed = decisions.actors, decisions.masks, decisions.proposed
    words = np.empty((masks.shape[1] + 63) // 64, np.uint64)
    for index in range(first, last):
        state = states[index]
        apply(state, actions[index])
        shuffle_as_wanted(state, deck, rngs[index])
        done[index] = is_over(state)
        if done[index]:
            scores(state, points[index])
            restart(games, index, deck)
        actors[index] = state.actor
        fill_mask(state, words, masks[index])
        proposed[index] = random_legal(state, rngs[index])


@compiled
def offer(games, index, words, decisions):
    """The next decision of a game.  A random legal action is proposed at once: later the record would have to
    be fetched anew."""
    state = games.states[index]
    decisions.actors[index] = state.actor
    fill_mask(state, words, decisions.masks[index])
    decisions.proposed[index] = random_legal(state, games.rngs[index])


@compiled
def seed_all(rngs, seed):
    for index in range(rngs.shape[0]):
        seeded(rngs[index], seed + index)


@compiled
def first_illegal(masks, actions):
    """The first game whose action is not legal, or -1."""
    for index in range(actions.size):
        if not 0 <= actions[index] < masks.shape[1] or masks[index, actions[index]] == 0:
            return index
    return -1


@compiled
def fill_mask(state, words, mask):
    """The legal actions as ones among zeros."""
    legal(state, words)
    whole = mask.size >> 6
    for word in range(whole):
        write_bits(mask, word << 6, words[word])
    mask[whole << 6 :] = 0
    for word in range(whole, words.size):
        bits = words[word]
        while bits != ZERO:
            mask[(word << 6) + lowest_bit(bits)] = 1
            bits &= bits - ONE


@compiled
def list_legal(state, words, actions):
    """The legal actions in `actions`, the lowest first; returns how many."""
    legal(state, words)
    count = 0
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO:
            actions[count] = (word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            count += 1
    return count
