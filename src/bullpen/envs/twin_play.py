"""One game in a setting, on its compiled twin: what `playing.Play` is on the plain rules, several times as fast.

The plain table is still there for who asks for it (bots, pictures, refusals): it is told the same deals and
actions, but only then.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.cards import Card
from bullpen.envs.chance import Chance
from bullpen.envs.history import no_plays
from bullpen.envs.layouts import Mask, Observation
from bullpen.envs.playing import Play, Setting
from bullpen.game import Action, Seat

LONGEST_DECK = 128  # as compiled code has it, which is only loaded when it is needed


def play_of(wished: Setting, chance: Chance) -> Play:
    """A new game, dealt."""
    return (TwinPlay if wished.engine == "compiled" else Play)(wished, chance)


@cache
def compiled_code(game: str) -> Any:
    """What plays one game; it is compiled for this one when it is called first."""
    from bullpen.envs.compiled import single

    fast.twin(game)
    return single


class TwinPlay(Play):
    """The record of the game is what is played on; `_untold` is what the plain table has not been told yet."""

    def _start(self) -> None:
        self._load()
        self._table, self._untold = self.wished.fresh_table, []
        self._record = self.wished.fresh_record.copy()
        self._length, self._actions = self.wished.length, self.wished.layout.actions
        self._words = np.zeros(-(-self._actions // 64), np.uint64)
        self._points = np.zeros(self.rules.SEATS[-1], np.int32)
        self._is_perfect = self.wished.memory == "perfect"
        self._is_by_places = self.wished.form == "places"
        self._pays_at_the_end = self.wished.reward == "final"
        has_history = self.wished.history == "plays"
        self._noted = no_plays(self.rules, self.wished.layout, 1) if has_history else None
        self._next = self._single.what_is_next(self._record)
        self._deal()

    _untold: list[tuple[Seat, Action] | list[Card]]

    def _load(self) -> None:
        self._single = compiled_code(self.rules.ID)

    def __getstate__(self) -> dict[str, Any]:
        """Compiled code cannot be copied or sent."""
        return {name: of for name, of in self.__dict__.items() if name != "_single"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._load()

    # -- The plain table ----------------------------------------------------------------------------

    @property
    def table(self) -> Any:
        for step in self._untold:
            if isinstance(step, list):
                self._table, _ = self.rules.deal(self._table, step)
            else:
                self._table, _ = self.rules.apply(self._table, *step)
        self._untold.clear()
        return self._table

    @property
    def record(self) -> NDArray[Any]:
        """The game as compiled code knows it; only to be looked at."""
        return self._record

    # -- Who decides --------------------------------------------------------------------------------

    @property
    def waiting_for(self) -> list[Seat]:
        waiting = self._single.seats_waiting(self._record)
        return [seat for seat in range(self.wished.players) if waiting >> seat & 1]

    @property
    def actor(self) -> Seat:
        return int(self._next)

    @property
    def is_over(self) -> bool:
        return bool(self._next == self._single.GAME_OVER)

    @property
    def scores(self) -> list[int]:
        self._single.write_points(self._record, self._points)
        points: list[int] = self._points[: self.wished.players].tolist()
        return points

    # -- What a seat sees ---------------------------------------------------------------------------

    def observation(self, seat: Seat) -> NDArray[Any]:
        return self._in_form(self._seen_by(seat))

    def _seen_by(self, seat: Seat) -> Observation:
        seen = np.empty(self._length, np.int16)
        if self._noted is None:
            self._single.look(self._record, seat, self._is_perfect, seen)
        else:
            self._single.look_back(self._record, seat, self._is_perfect, self._noted, seen)
        return seen

    def _seen_plays(self, seat: Seat) -> Observation:
        return self._seen_by(seat)[self.wished.layout.length :]

    def mask(self, seat: Seat) -> Mask:
        mask = np.empty(self._actions, np.int8)
        self._single.write_mask(self._record, self._words, seat, mask)
        return mask

    def shown(self, seat: Seat) -> tuple[NDArray[Any], Mask]:
        if self._noted is not None:
            return self.observation(seat), self.mask(seat)
        seen, mask = np.empty(self._length, np.int16), np.empty(self._actions, np.int8)
        self._single.look_and_mask(self._record, self._words, seat, self._is_perfect, seen, mask)
        return seen if self._is_by_places else self._in_form(seen), mask

    # -- Playing on ---------------------------------------------------------------------------------

    def check(self, seat: Seat, action: Any) -> Action:
        number = self._number(action)
        return number if self.mask(seat)[number] else super().check(seat, number)

    def act(self, seat: Seat, action: Any) -> list[float]:
        number = self._number(action)
        comes = self._act_in_record(seat, number)
        if comes == self._single.ILLEGAL:
            super().check(seat, number)  # refuses it, and says why
        self._next = comes
        self._untold.append((seat, number))
        if comes >= 0 and self._pays_at_the_end:
            return [0.0] * self.wished.players
        self._deal()
        return self._earned()

    def _act_in_record(self, seat: Seat, action: Action) -> int:
        single, record = self._single, self._record
        if self._noted is None:
            comes: int = single.act(record, self._words, seat, action)
        else:
            comes = single.act_and_note(record, self._words, seat, action, self._noted)
        return comes

    def _deal(self) -> None:
        single, record = self._single, self._record
        while self._next == single.SHUFFLE:
            if self._noted is not None:
                single.forget_rounds_before(record, self._noted)
            deck = np.empty(LONGEST_DECK, np.int16)
            count, _ = single.cards_to_shuffle(record, deck)
            asked = self.chance.asked_for(deck[:count].tolist())
            if asked is None:
                single.deal_shuffled(record, deck, self.chance.stream)
            else:
                deck[:count] = asked
                single.deal_as_given(record, deck)
            self._untold.append(deck[:count].tolist())
            self._next = single.what_is_next(record)
