"""Playing the candidates of a decision: the same imagined tables for all of them, played on quickly.

A result is the seat's lead in points over the mean of the others when the playout ends, so that more is
better in every game: what counts is to do better than the others, not to take few heads.  A playout goes
to the end of the round, except where a twin says that less is `is_far_enough`.  Where playouts are known to end the whole game, a
lead is worth the less, the less it can still decide who wins.
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.about import ALL_MOVES
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    NO_SHORT_WAY,
    apply,
    best_of_some,
    drawback,
    favourite,
    imagine_as_read,
    is_far_enough,
    is_over,
    legal,
    random_legal,
    rounds_played,
    standing,
    usual,
    wants_shuffle,
)
from bullpen.fast.playouts import LONGEST_DECK, shuffle_and_deal
from bullpen.fast.words import FINE, ONE, ZERO, below, lowest_bit, seeded

MOST_SEATS = 10
GIVEN, IMAGINED, PLAYED = range(3)  # what the three records of a position are used for
NOBODY = 0  # as a mask of seats


class Position(NamedTuple):
    """A decision as one seat knows it, and how it is played on."""

    states: NDArray[Any]  # [3]
    viewer: int
    sign: int  # -1 where the fewest points win
    looks: int  # actions that are looked at in a playout, see `best_looking`
    aimless: float  # how likely it is that another seat plays at random
    by_thumb: NDArray[np.float64]  # by seat: and that it does what is usual
    likely: NDArray[np.float64]  # [seats, cards]: and if it does, that it holds a card
    is_last: bool  # playouts end the game, and it counts who wins
    words: NDArray[np.uint64]  # room for a set of actions


def nothing_read(by_thumb: float, cards: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """`by_thumb` and `likely` of a position as if nobody had played yet."""
    return np.full(MOST_SEATS, by_thumb), np.ones((MOST_SEATS, cards + 1))


class Others(NamedTuple):
    """Who is imagined to play otherwise than by habit, as masks of seats."""

    aimless: int
    by_thumb: int


EVERYBODY_BY_HABIT = Others(NOBODY, NOBODY)


@compiled
def play_candidates(position, seed, candidates, leads, worths):
    """For every row of `leads` [tables, candidates] imagine a table, from `seed` and the row's number, and play
    each candidate on it."""
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    points = np.zeros(MOST_SEATS, np.int32)
    states, viewer = position.states, position.viewer
    for table in range(leads.shape[0]):
        by_thumb = imagine_table(position, seed + table, rng)
        others = Others(aimless_others(position, rng), by_thumb)
        same_chance = rng[0]
        for at in range(candidates.size):
            rng[0] = same_chance
            states[PLAYED] = states[IMAGINED]
            apply(states[PLAYED], candidates[at])
            play_round(states[PLAYED], position.looks, others, position.words, deck, rng)
            standing(states[PLAYED], points)
            leads[table, at] = position.sign * lead(points, viewer, states[PLAYED].seats)
            worths[table, at] = worth(position, points, leads[table, at])


@compiled
def imagine_table(position, seed, rng):
    """Another table that this seat cannot tell from the position, with the decision its own; and who does what is usual there."""
    seeded(rng, seed)
    states, viewer, by_thumb = position.states, position.viewer, NOBODY
    states[IMAGINED] = states[GIVEN]
    state = states[IMAGINED]
    for seat in range(state.seats):
        by_thumb |= is_one(seat, viewer, position.by_thumb[seat], rng) << seat
    imagine_as_read(state, viewer, position.likely, by_thumb, rng)
    state.actor = viewer  # in a secret choice the order does not matter
    return by_thumb


@compiled
def aimless_others(position, rng):
    """Who plays at random all through a playout."""
    aimless = NOBODY
    for seat in range(position.states[GIVEN].seats):
        aimless |= is_one(seat, position.viewer, position.aimless, rng) << seat
    return aimless


@compiled
def is_one(seat, viewer, likely, rng):
    """With this probability; never the one that decides."""
    return np.int64(seat != viewer and likely > 0.0 and below(rng, FINE) < likely * FINE)


@compiled
def play_round(state, looks, others, words, deck, rng):
    """Up to the end of the round, of a game without rounds, or as far as it is worth while."""
    played = rounds_played(state)
    while not ends(state, played):
        if wants_shuffle(state):
            shuffle_and_deal(state, deck, rng)
        elif (others.aimless >> state.actor) & 1:
            apply(state, random_legal(state, rng))
        elif (others.by_thumb >> state.actor) & 1:
            apply(state, usual_or_habitual(state, looks, words, rng))
        else:
            apply(state, best_looking(state, looks, words, rng))


@compiled
def ends(state, played):
    """Whether a playout that began with so many rounds played ends here."""
    return is_over(state) or rounds_played(state) != played or is_far_enough(state)


@compiled
def best_looking(state, looks, words, rng):
    """Of so many legal actions drawn at random the one against which the least speaks: one look is a
    uniformly random action, and ALL_MOVES looks at everything, as does a habit with a short way to the best."""
    if looks == 1:
        return random_legal(state, rng)
    if looks == ALL_MOVES:
        return best_looking_of_all(state, words)
    action = favourite(state)
    if action == NO_SHORT_WAY:
        action = best_of_some(state, looks, rng)
    if action == NO_SHORT_WAY:
        action = random_legal(state, rng)
        least = drawback(state, action)
        for _ in range(looks - 1):
            other = random_legal(state, rng)
            against = drawback(state, other)
            if against < least:
                action, least = other, against
    return action


@compiled
def usual_or_habitual(state, looks, words, rng):
    """What is usual; by habit, where that is not known."""
    action = usual(state, rng)
    return best_looking(state, looks, words, rng) if action == NO_SHORT_WAY else action


@compiled
def best_looking_of_all(state, words):
    action = favourite(state)
    if action != NO_SHORT_WAY:
        return action
    words[:] = ZERO
    legal(state, words)
    choice, least = 0, np.inf
    for word in range(words.size):
        bits = words[word]
        while bits != ZERO:
            action = (word << 6) + lowest_bit(bits)
            bits &= bits - ONE
            against = drawback(state, action)
            if against < least:
                choice, least = action, against
    return choice


@compiled
def lead(points, seat, seats):
    """How many points this seat is above the mean of the others."""
    others = 0
    for other in range(seats):
        others += points[other]
    others -= points[seat]
    return points[seat] - others / (seats - 1)


MOST_EXPONENT = 700.0  # of which e to its power can still be written
ALWAYS = 0.1  # of a point counts whatever it decides


@compiled
def worth(position, points, own_lead):
    """What a lead counts.  At the end of a game a point counts the less, the less it can still decide who wins; never more than
    a point.

    Whether this seat wins is taken softly, by a softmax over the points: imagined tables tell roughly where all come out.  A point
    changes it by a quarter at the most, so four times that is counted."""
    if not position.is_last:
        return own_lead
    viewer, ways = position.viewer, 0.0
    for seat in range(position.states[GIVEN].seats):
        ahead = position.sign * np.float64(points[seat] - points[viewer])
        ways += exp(min(MOST_EXPONENT, ahead))
    return ALWAYS * own_lead + (1.0 - ALWAYS) * 4.0 / ways
