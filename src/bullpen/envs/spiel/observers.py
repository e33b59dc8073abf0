"""What OpenSpiel's agents are told: strings and tensors made from views.

An observation is what lies open now; an information state is all that a perfect memory knows, and who
played which card of this round when.  An observer of all players sees the whole table, from seat 0 on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from bullpen.envs.observing import Memory, observe, observe_all
from bullpen.envs.spiel.settings import Setting
from bullpen.envs.spiel.twin_positions import AnyPosition, TwinPosition
from bullpen.game import Seat

Floats = NDArray[np.float32]
PRIVATE = pyspiel.PrivateInfoType
MEMORIES: tuple[Memory, Memory] = ("shown", "perfect")  # by whether the observer remembers


class Observer:
    """An observer as `open_spiel.python.observation` describes it."""

    def __init__(self, setting: Setting, wished: Any = None) -> None:
        wished = wished or pyspiel.IIGObservationType(perfect_recall=False)
        self.sees_all = wished.private_info == PRIVATE.ALL_PLAYERS
        self.is_public = wished.public_info
        self.is_private = wished.private_info != PRIVATE.NONE
        self.remembers = wished.perfect_recall
        self.layout = setting.layout
        self.seats = setting.seats
        self.dict: dict[str, Floats] = {}
        self.tensor: Floats | None = None
        if self.is_public and self.is_private:
            self.make_tensor()

    def make_tensor(self) -> None:
        """One array, with names for its parts."""
        cards, seen = self.layout.cards, self.layout.planes_length
        self.tensor = np.zeros(seen + cards * (self.seats + 1) * self.remembers, np.float32)
        self.dict["seen"] = self.tensor[:seen]
        if self.remembers:
            played, when = np.split(self.tensor[seen:], [cards * self.seats])
            self.dict["played"] = played.reshape(cards, self.seats)
            self.dict["when"] = when  # last: OpenSpiel puts the parts together in their order here

    def set_from(self, state: Any, player: Seat) -> None:
        if self.tensor is None:
            return
        position: AnyPosition = state.position
        if self.sees_all:
            seen = self.layout.planes(observe_all(position.setting.rules, position.table))
        else:
            seen = planes_of(position, player, MEMORIES[self.remembers])
        self.dict["seen"][:] = seen
        if self.remembers:
            self.tell_plays(position, player)

    def tell_plays(self, position: AnyPosition, player: Seat) -> None:
        """By card: who laid it last in this round, counted from the player, and as which play."""
        played, when = self.dict["played"], self.dict["when"]
        played[:], when[:] = 0, 0
        for number, (seat, card) in enumerate(position.plays, start=1):
            played[card - 1] = 0
            first = 0 if self.sees_all else player
            played[card - 1, (seat - first) % self.seats] = 1
            when[card - 1] = number / self.layout.cards

    def string_from(self, state: Any, player: Seat) -> str:
        position: AnyPosition = state.position
        if self.sees_all:
            return f"{position.log}{position}" if self.is_public else position.held_by_all()
        if not self.is_private:
            return position.shown_to(None) if self.is_public else ""
        if not self.is_public:
            return position.held_by(player)
        return position.known_to(player) if self.remembers else position.shown_to(player)


def planes_of(position: AnyPosition, player: Seat, memory: Memory) -> Floats:
    """What a player sees, or remembers, as the first part of a tensor."""
    setting = position.setting
    if isinstance(position, TwinPosition):
        seen = np.empty(setting.layout.length, np.int16)
        position.look(player, memory == "perfect", seen)
    else:
        seen = observe(setting.rules, position.view(player), memory)
    return setting.layout.planes(seen)
