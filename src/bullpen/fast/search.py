"""Loops over whole games, written once for all: `dispatch` finds each game's own functions."""

from __future__ import annotations

import numpy as np

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    deal,
    imagine,
    is_over,
    legal,
    random_legal,
    scores,
    to_shuffle,
    wants_shuffle,
)
from bullpen.fast.words import ONE, ZERO, below, lowest_bit, seeded

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


@compiled
def advance(states, rest, action):
    """Take an action in states[0], begin again from states[1] if the game is over, and propose a random
    legal action; `rest` has the bytes of the random stream and room to shuffle."""
    rng, deck = rest[:8].view(np.uint64), rest[8:].view(np.int16)
    apply(states[0], action)
    shuffle_as_wanted(states[0], deck, rng)
    if is_over(states[0]):
        states[0] = states[1]
        shuffle_as_wanted(states[0], deck, rng)
    return random_legal(states[0], rng)


# -- Many games at once -----------------------------------------------------------------------


@compiled
def restart(states, fresh, index, rngs, deck):
    states[index] = fresh[0]
    shuffle_as_wanted(states[index], deck, rngs[index])


@compiled
def start_all(states, fresh, rngs, actors, masks, proposed, first, last):
    deck = np.empty(LONGEST_DECK, np.int16)
    words = np.empty((masks.shape[1] + 63) // 64, np.uint64)
    for index in range(first, last):
        restart(states, fresh, index, rngs, deck)
        actors[index] = states[index].actor
        fill_mask(states[index], words, masks[index])
        proposed[index] = random_legal(states[index], rngs[index])


@compiled
def step_all(states, fresh, rngs, actions, actors, masks, proposed, points, done, first, last):
    """One decision in each game; a game that ends leaves its scores in `points` and starts again.  A
    random legal action is proposed at once: later the record would have to be fetched anew."""
    deck = np.empty(LONGEST_DECK, np.int16)
    words = np.empty((masks.shape[1] + 63) // 64, np.uint64)
    for index in range(first, last):
        state = states[index]
        apply(state, actions[index])
        shuffle_as_wanted(state, deck, rngs[index])
        done[index] = is_over(state)
        if done[index]:
            scores(state, points[index])
            restart(states, fresh, index, rngs, deck)
        actors[index] = state.actor
        fill_mask(state, words, masks[index])
        proposed[index] = random_legal(state, rngs[index])


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
    mask[:] = 0
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO:
            mask[(word << 6) + lowest_bit(bits)] = 1
            bits &= bits - ONE


# -- From one seat's knowledge ----------------------------------------------------------------


@compiled
def imagine_all(states, viewer, seed):
    """Turn every record into a table that this seat cannot tell from the one in it."""
    rng = np.empty(1, np.uint64)
    for index in range(states.size):
        seeded(rng, seed + index)
        imagine(states[index], viewer, rng)
