"""One game driven from Python, one compiled call a decision.

Numba takes a plain byte buffer twice as fast as a record array, so the records are viewed inside.  The
buffer holds the game, a fresh record to start again from, the random stream, and room to shuffle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bullpen import fast
from bullpen.deck import load_deck
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply, is_over, random_legal
from bullpen.fast.playouts import LONGEST_DECK, shuffle_as_wanted
from bullpen.fast.words import seeded
from bullpen.game import complete_options
from bullpen.games import game_called
from bullpen.games.baron_oxx import twin as baron_oxx
from bullpen.games.bullenparty import twin as bullenparty
from bullpen.games.eleven_nimmt import twin as eleven_nimmt
from bullpen.games.hornochsen import twin as hornochsen
from bullpen.games.six_nimmt import twin as six_nimmt
from bullpen.games.x_nimmt import twin as x_nimmt

# One type and one function a game: the buffer does not say which it is, and a function made by another
# function would not be cached.
BARON_OXX = baron_oxx.STATE
BULLENPARTY = bullenparty.STATE
ELEVEN_NIMMT = eleven_nimmt.STATE
HORNOCHSEN = hornochsen.STATE
SIX_NIMMT = six_nimmt.STATE
X_NIMMT = x_nimmt.STATE
BARON_OXX_SIZE = baron_oxx.STATE.itemsize
BULLENPARTY_SIZE = bullenparty.STATE.itemsize
ELEVEN_NIMMT_SIZE = eleven_nimmt.STATE.itemsize
HORNOCHSEN_SIZE = hornochsen.STATE.itemsize
SIX_NIMMT_SIZE = six_nimmt.STATE.itemsize
X_NIMMT_SIZE = x_nimmt.STATE.itemsize


@compiled
def advance(states: Any, rest: Any, action: int) -> Any:
    """Take an action in states[0], begin again from states[1] if the game is over, and propose a random
    legal action; `rest` has the bytes of the random stream and room to shuffle."""
    rng, deck = rest[:8].view(np.uint64), rest[8:].view(np.int16)
    apply(states[0], action)
    shuffle_as_wanted(states[0], deck, rng)
    if is_over(states[0]):
        states[0] = states[1]
        shuffle_as_wanted(states[0], deck, rng)
    return random_legal(states[0], rng)


@compiled
def advance_baron_oxx(buffer: Any, action: int) -> Any:
    return advance(
        buffer[: 2 * BARON_OXX_SIZE].view(BARON_OXX), buffer[2 * BARON_OXX_SIZE :], action
    )


@compiled
def advance_bullenparty(buffer: Any, action: int) -> Any:
    return advance(
        buffer[: 2 * BULLENPARTY_SIZE].view(BULLENPARTY), buffer[2 * BULLENPARTY_SIZE :], action
    )


@compiled
def advance_eleven_nimmt(buffer: Any, action: int) -> Any:
    return advance(
        buffer[: 2 * ELEVEN_NIMMT_SIZE].view(ELEVEN_NIMMT), buffer[2 * ELEVEN_NIMMT_SIZE :], action
    )


@compiled
def advance_hornochsen(buffer: Any, action: int) -> Any:
    return advance(
        buffer[: 2 * HORNOCHSEN_SIZE].view(HORNOCHSEN), buffer[2 * HORNOCHSEN_SIZE :], action
    )


@compiled
def advance_six_nimmt(buffer: Any, action: int) -> Any:
    return advance(
        buffer[: 2 * SIX_NIMMT_SIZE].view(SIX_NIMMT), buffer[2 * SIX_NIMMT_SIZE :], action
    )


@compiled
def advance_x_nimmt(buffer: Any, action: int) -> Any:
    return advance(buffer[: 2 * X_NIMMT_SIZE].view(X_NIMMT), buffer[2 * X_NIMMT_SIZE :], action)


ADVANCE = {
    "baron-oxx": advance_baron_oxx,
    "bullenparty": advance_bullenparty,
    "eleven-nimmt": advance_eleven_nimmt,
    "hornochsen": advance_hornochsen,
    "six-nimmt": advance_six_nimmt,
    "x-nimmt": advance_x_nimmt,
}


class Single:
    """`action = advance(buffer, action)` takes an action and proposes a random legal one as the next."""

    def __init__(self, game: str, seats: int, seed: int = 0) -> None:
        rules, twin = game_called(game), fast.twin(game)
        options = complete_options(rules, seats, {})
        fresh = twin.to_record(rules.set_up(seats, options, load_deck(rules.DECK_FILES)))
        self.advance = ADVANCE[game]
        size = fresh.itemsize
        self.buffer = np.zeros(2 * size + 8 + 2 * LONGEST_DECK, np.uint8)
        self.state = self.buffer[:size].view(twin.STATE)
        self.buffer[size : 2 * size] = fresh.view(np.uint8)
        rng = self.buffer[2 * size : 2 * size + 8].view(np.uint64)
        seeded(rng, seed)
        self.state[:] = fresh
        shuffle_as_wanted(self.state[0], self.buffer[2 * size + 8 :].view(np.int16), rng)
        self.twin, self._rng = twin, rng

    def first_action(self) -> Any:
        return self.twin.random_legal(self.state[0], self._rng)
