"""Who played what and when, kept while compiled code plays on; `plays` is a `bullpen.envs.history.Plays` or None.

Where it is None nothing of this is compiled: Numba leaves out what follows a None."""

from __future__ import annotations

import numpy as np

from bullpen.envs.compiled.dispatch import observe
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import is_over, rounds_played, waiting

MOST = np.iinfo(np.int16).max


@compiled
def note(plays, index, state, action):
    """Before the actor's action is taken: what all will see of it.  A secret choice is seen when the last seat has made
    its own, and then in the order of the seats."""
    if plays is None:
        return
    card, seat = plays.lays[action], np.int64(state.actor)
    if state.phase != plays.secret:
        tell(plays, index, seat, card)
        return
    plays.chosen[index, seat] = card
    if waiting(state) == 1 << seat:
        for other in range(plays.chosen.shape[1]):
            tell(plays, index, other, plays.chosen[index, other])
            plays.chosen[index, other] = 0


@compiled
def tell(plays, index, seat, card):
    if card > 0:
        if plays.number[index] < MOST:
            plays.number[index] += 1
        plays.by_whom[index, card - 1] = seat + 1
        plays.when[index, card - 1] = plays.number[index]


@compiled
def rounds_before(plays, state):
    if plays is None:
        return 0
    return np.int64(rounds_played(state))


@compiled
def forget_if_dealt(plays, index, state, rounds):
    """A new round begins with nothing; after the last one its plays are still to be seen."""
    if plays is not None and not is_over(state) and rounds_played(state) != rounds:
        forget(plays, index)


@compiled
def forget(plays, index):
    if plays is not None:
        plays.by_whom[index, :] = 0
        plays.when[index, :] = 0
        plays.number[index] = 0
        plays.chosen[index, :] = 0


@compiled
def observe_and_recall(plays, index, state, viewer, perfect, out):
    """What a seat knows, and behind it what was played."""
    if plays is None:
        observe(state, viewer, perfect, out)
    else:
        cards, seats = plays.by_whom.shape[1], plays.chosen.shape[1]
        first = out.size - 2 * cards
        observe(state, viewer, perfect, out[:first])
        for card in range(cards):
            seat = np.int64(plays.by_whom[index, card]) - 1
            out[first + card] = (seat - viewer + seats) % seats + 1 if seat >= 0 else 0
            out[first + cards + card] = plays.when[index, card]
