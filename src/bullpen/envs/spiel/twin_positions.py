"""Positions on a game's compiled twin: what `positions.Position` is on the plain rules, several times as fast.

What only the plain position can say (strings, logs, views) it is still asked for: it is told the same deals and
actions as this one, but only then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.cards import Card
from bullpen.envs.compiled import single
from bullpen.envs.engines import can_be_compiled
from bullpen.envs.spiel.positions import (
    CHANCE,
    SHUFFLE,
    SIMULTANEOUS,
    TERMINAL,
    Position,
    position_from_text,
    utilities,
)
from bullpen.envs.spiel.settings import Setting
from bullpen.fast.playouts import LONGEST_DECK
from bullpen.game import Action, Seat, is_mini

AT_ONCE = 64
Step = tuple[str, tuple[Any, ...]]  # the name of a method of a `Position`, and what it takes


def quickest(position: Position) -> AnyPosition:
    """The position on the twin of its game, where there is one."""
    game = position.setting.rules.ID
    if not can_be_compiled(game):
        return position
    fast.twin(game)  # compiled code knows it from now on
    return TwinPosition.of(position)


def quickest_from_text(text: str) -> AnyPosition:
    return quickest(position_from_text(text))


class Room:
    """Blocks of records, handed out one by one: NumPy takes longer to make a record than a game to be played on."""

    def __init__(self, dtype: Any) -> None:
        self.dtype, self.used = dtype, AT_ONCE

    def record(self) -> NDArray[Any]:
        if self.used == AT_ONCE:
            self.block, self.used = np.empty(AT_ONCE, self.dtype), 0
        self.used += 1
        return self.block[self.used - 1 : self.used]


class TwinPosition:
    """It never changes; `record` neither.  The plain position is either known or the one before it, played on by
    `step`: a seat's action, a card of the deal, or a whole shuffle."""

    __slots__ = (
        "_before",
        "_deck",
        "_legal",
        "_plain",
        "_step",
        "dealt",
        "player",
        "record",
        "room",
        "setting",
    )

    def __init__(
        self,
        setting: Setting,
        room: Room,
        record: NDArray[Any],
        dealt: tuple[Card, ...],
        comes: int,
    ) -> None:
        self.setting, self.room, self.record, self.dealt = setting, room, record, dealt
        self._plain: Position | None = None
        self._before: TwinPosition | None = None
        self._step: Step | None = None
        self._legal: list[Action] | None = None
        self._deck: tuple[list[Card], int] | None = None
        self.player = self._decider(comes)

    @classmethod
    def of(cls, position: Position, room: Room | None = None) -> TwinPosition:
        record = fast.twin(position.setting.rules.ID).to_record(position.table)
        comes = single.what_is_next(record)
        own = room or Room(record.dtype)
        found = cls(position.setting, own, record, position.dealt, comes)
        found._plain = position
        return found

    def __deepcopy__(self, memo: object) -> TwinPosition:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return quickest_from_text, self.plain.__reduce__()[1]

    def __eq__(self, other: object) -> bool:
        return self.plain == (other.plain if isinstance(other, TwinPosition) else other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self.plain)

    def __getattr__(self, name: str) -> Any:
        """All that is not quicker here."""
        return getattr(self.plain, name)

    @property
    def plain(self) -> Position:
        """What lies between the last plain position that is known and this one is played on the plain rules."""
        untold: list[TwinPosition] = []
        position: TwinPosition | None = self
        while position is not None and position._plain is None:
            untold.append(position)
            position = position._before
        plain = position._plain if position else None
        assert plain is not None, "the first one is known"
        for later in reversed(untold):
            assert later._step is not None
            kind, what = later._step
            plain = getattr(plain, kind)(*what)
            later._plain, later._before, later._step = plain, None, None
        return plain

    # -- Who is to move -----------------------------------------------------------------------

    def _decider(self, comes: int) -> Seat:
        if comes >= 0:
            at_once = self.setting.is_simultaneous and len(self.waiting) > 1
            return SIMULTANEOUS if at_once else comes
        return CHANCE if comes == single.SHUFFLE else TERMINAL

    @property
    def waiting(self) -> list[Seat]:
        waiting = single.seats_waiting(self.record)
        return [seat for seat in range(self.setting.seats) if waiting >> seat & 1]

    @property
    def legal(self) -> list[Action]:
        if self._legal is None:
            self._legal = self.legal_for(self.player)
        return self._legal

    def legal_for(self, seat: Seat) -> list[Action]:
        setting = self.setting
        count = single.write_legal(self.record, setting.words, seat, setting.actions)
        legal: list[Action] = setting.actions[:count].tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        if self.setting.is_sampled:
            return [(SHUFFLE, 1.0)]
        if self._deals_whole_hands:
            return self.plain.chance_outcomes()
        cards, _ = self._to_shuffle()
        dealt = set(self.dealt)
        chance = 1 / (len(cards) - len(dealt))
        return [(card, chance) for card in sorted(cards) if card not in dealt]

    @property
    def _deals_whole_hands(self) -> bool:
        is_small = is_mini(self.setting.options)  # else the plain position need not be known
        return is_small and self.setting.whole_deals(self.plain.table) > 0

    # -- Playing on ---------------------------------------------------------------------------

    def after(self, action: Action) -> TwinPosition:
        if self.player != CHANCE:
            return self.after_choice(self.player, action)
        if self.setting.is_sampled:
            return self._after_sampled()
        return self._after_hands(action) if self._deals_whole_hands else self._after_card(action)

    def after_all(self, actions: Sequence[Action]) -> TwinPosition:
        position = self
        for seat in self.waiting:
            position = position.after_choice(seat, actions[seat])
        return position

    def after_choice(self, seat: Seat, action: Action) -> TwinPosition:
        record = self.room.record()
        comes = single.act_in_copy(self.record, record, self.setting.words, seat, action)
        if comes == single.ILLEGAL:
            self.plain.after_choice(seat, action)  # refuses it, and says why
        return self._then(record, (), comes, ("after_choice", (seat, action)))

    def _after_hands(self, number: Action) -> TwinPosition:
        """Of a mini game, all of them at once."""
        return TwinPosition.of(self.plain.after_chance(number), self.room)

    def _then(
        self, record: NDArray[Any], dealt: tuple[Card, ...], comes: int, step: Step
    ) -> TwinPosition:
        after = TwinPosition(self.setting, self.room, record, dealt, comes)
        after._before, after._step = self, step
        return after

    def _to_shuffle(self) -> tuple[list[Card], int]:
        """The cards, and how many of them matter."""
        if self._deck is None:
            deck = np.empty(LONGEST_DECK, np.int16)
            count, matter = single.cards_to_shuffle(self.record, deck)
            self._deck = deck[:count].tolist(), matter
        return self._deck

    def _after_card(self, card: Card) -> TwinPosition:
        dealt, step = (*self.dealt, card), ("after_card", (card,))
        cards, matter = self._to_shuffle()
        if len(dealt) < matter:
            after = self._then(self.record, dealt, single.SHUFFLE, step)
            after._deck = self._deck
            return after
        return self._after_deal(self.setting.completed(cards, dealt), step)

    def _after_sampled(self) -> TwinPosition:
        cards, _ = self._to_shuffle()
        asked = self.setting.deals.asked_for(cards)
        if asked is None:
            record, deck = self._copied(), np.empty(LONGEST_DECK, np.int16)
            single.deal_shuffled(record, deck, self.setting.deals.stream)
            asked = deck[: len(cards)].tolist()
        return self._after_deal(asked, ("after_given", (asked,)))

    def _after_deal(self, cards: list[Card], step: Step) -> TwinPosition:
        record = self._copied()
        single.deal_as_given(record, np.array(cards, np.int16))
        return self._then(record, (), single.what_is_next(record), step)

    def _copied(self) -> NDArray[Any]:
        record = self.room.record()
        single.copy_record(self.record, record)
        return record

    # -- What a seat knows, and how it ends ---------------------------------------------------

    def look(self, seat: Seat, perfect: bool, out: NDArray[np.int16]) -> None:  # noqa: FBT001  (as compiled code takes it)
        single.look(self.record, seat, perfect, out)

    def imagined(self, seat: Seat, rng: Any) -> TwinPosition:
        return TwinPosition.of(self.plain.imagined(seat, rng))

    def returns(self) -> list[float]:
        if self.player != TERMINAL:
            return [0.0] * self.setting.seats
        points = np.zeros(self.setting.rules.SEATS[-1], np.int32)
        single.write_points(self.record, points)
        return utilities(self.setting, points[: self.setting.seats].tolist())


AnyPosition = Position | TwinPosition  # the latter answers as the former
