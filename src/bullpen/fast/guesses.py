"""What the others are likely to choose, where all choose at once: learnt before the own candidates are weighed.

A playout's habits know what is usual; they do not think about this very position.  So it is first played on from every
seat: a hand is imagined for the seat, and to it all the other hands; each of its cards is tried on that table,
and what it brings more than the mean of its cards is kept for the card, whatever hand it was in.  Those who think so
imagine each other in the same way, and all of them learn together.  When the own candidates are then weighed, the
others choose by what was learnt, the better the more often, and go on by habit.
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply, imagine, rounds_played, standing, wants_shuffle
from bullpen.fast.evaluation import (
    GIVEN,
    IMAGINED,
    MOST_SEATS,
    PLAYED,
    best_looking,
    ends,
    imagine_table,
    lead,
)
from bullpen.fast.playouts import LONGEST_DECK, list_legal, shuffle_and_deal
from bullpen.fast.words import FINE, below, seeded

MORE, TRIES = range(2)
WARMTH = 0.5  # points: so much better is chosen e times as often


class Guesses(NamedTuple):
    """What each seat's actions bring more than its others, as far as was learnt."""

    learnt: NDArray[np.float64]  # [seats, actions, 2]: the sum, and of how many tries
    tried: NDArray[np.int64]  # room for what is tried on a table, and for the results
    results: NDArray[np.float64]
    choices: NDArray[np.int64]  # room for what another seat may choose then


def no_guesses(seats: int, actions: int) -> Any:
    return Guesses(
        np.zeros((seats, actions, 2)),
        np.empty(actions, np.int64),
        np.empty(actions),
        np.empty(actions, np.int64),
    )


@compiled
def learn(position, guesses, seed, tables):
    """Try all that a seat could choose on each of so many tables, one seat after the other."""
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    points = np.zeros(MOST_SEATS, np.int32)
    states, viewer, results = position.states, position.viewer, guesses.results
    seats = np.int64(states[GIVEN].seats)
    for table in range(tables):
        seat = (seed + table) % seats
        eyes = (
            seat if seat != viewer else (viewer + 1 + (seed + table) // seats % (seats - 1)) % seats
        )
        seeded(rng, seed + table)
        states[IMAGINED] = states[GIVEN]
        imagine(states[IMAGINED], viewer, rng)
        imagine(states[IMAGINED], eyes, rng)  # who does not know the viewer's hand either
        states[IMAGINED].actor = seat
        count = list_legal(states[IMAGINED], position.words, guesses.tried)
        same_chance, mean = rng[0], 0.0
        for at in range(count):
            rng[0] = same_chance
            states[PLAYED] = states[IMAGINED]
            apply(states[PLAYED], guesses.tried[at])
            play_on(position, guesses, seat, deck, rng)
            standing(states[PLAYED], points)
            results[at] = position.sign * lead(points, seat, seats)
            mean += results[at] / count
        for at in range(count):
            guesses.learnt[seat, guesses.tried[at], MORE] += results[at] - mean
            guesses.learnt[seat, guesses.tried[at], TRIES] += 1.0


@compiled
def play_candidates(position, guesses, seed, candidates, leads):
    """As `evaluation.play_candidates`, with the others' choices as they were learnt."""
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    points = np.zeros(MOST_SEATS, np.int32)
    states, viewer = position.states, position.viewer
    for table in range(leads.shape[0]):
        imagine_table(position, seed + table, rng)
        same_chance = rng[0]
        for at in range(candidates.size):
            rng[0] = same_chance
            states[PLAYED] = states[IMAGINED]
            apply(states[PLAYED], candidates[at])
            play_on(position, guesses, viewer, deck, rng)
            standing(states[PLAYED], points)
            leads[table, at] = position.sign * lead(points, viewer, states[PLAYED].seats)


@compiled
def play_on(position, guesses, chooser, deck, rng):
    """As far as `evaluation.play_round`.  `chooser` has chosen; the others choose as was learnt, once."""
    state, looks, words = position.states[PLAYED], position.looks, position.words
    played, phase, chosen = rounds_played(state), position.states[GIVEN].phase, 1 << chooser
    while not ends(state, played):
        seat = np.int64(state.actor)
        if wants_shuffle(state):
            shuffle_and_deal(state, deck, rng)
        elif chosen >= 0 and state.phase == phase and not (chosen >> seat) & 1:
            chosen |= 1 << seat
            apply(state, as_learnt(state, guesses, seat, looks, words, rng))
        else:
            chosen = -1  # all have: from here on by habit
            apply(state, best_looking(state, looks, words, rng))


@compiled
def as_learnt(state, guesses, seat, looks, words, rng):
    """One of the legal actions, the better the more often; by habit, where one of them was never tried."""
    learnt, count, best = guesses.learnt, list_legal(state, words, guesses.choices), -np.inf
    for at in range(count):
        action = guesses.choices[at]
        if learnt[seat, action, TRIES] == 0.0:
            return best_looking(state, looks, words, rng)
        best = max(best, learnt[seat, action, MORE] / learnt[seat, action, TRIES])
    choice, weights = guesses.choices[0], 0.0
    for at in range(count):
        action = guesses.choices[at]
        more = learnt[seat, action, MORE] / learnt[seat, action, TRIES]
        weight = exp((more - best) / WARMTH)
        weights += weight
        if below(rng, FINE) * weights < weight * FINE:
            choice = action
    return choice
