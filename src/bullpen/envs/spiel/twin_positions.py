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
from bullpen.envs.spiel.dealing import Dealing
from bullpen.envs.spiel.positions import (
    CHANCE,
    SHUFFLE,
    SIMULTANEOUS,
    TERMINAL,
    Position,
    position_from_text,
    utilities,
)
from bullpen.envs.spiel.rooms import Block
from bullpen.envs.spiel.settings import Setting
from bullpen.game import Action, Seat

AGAIN, ILLEGAL = single.SHUFFLE, single.ILLEGAL
NOTHING: list[Action] = []  # to choose from


def quickest(position: Position) -> AnyPosition:
    """The position on the twin of its game, where there is one."""
    game = position.setting.rules.ID
    if not can_be_compiled(game):
        return position
    fast.twin(game)  # compiled code knows it from now on
    return TwinPosition.of(position)


def quickest_from_text(text: str) -> AnyPosition:
    return quickest(position_from_text(text))


class TwinPosition:
    """It never changes; `record` neither.  The plain position is either known or the one before it, played on: by a
    seat's action, or by chance's card of the deal or whole shuffle."""

    __slots__ = (
        "_at",
        "_before",
        "_block",
        "_by",
        "_deal",
        "_plain",
        "_what",
        "legal",
        "player",
        "setting",
    )

    def __init__(
        self,
        setting: Setting,
        block: Block,
        at: int,
        player: Seat,
        legal: list[Action],
        before: TwinPosition | None = None,
        by: Seat = CHANCE,
        what: Any = 0,
        deal: Dealing | None = None,
    ) -> None:
        self.setting = setting
        self._block = block
        self._at = at
        self.player = player
        self.legal = legal
        self._plain: Position | None = None
        self._before = before
        self._by = by
        self._what = what
        self._deal = deal

    @classmethod
    def of(cls, position: Position) -> TwinPosition:
        setting = position.setting
        record = fast.twin(setting.rules.ID).to_record(position.table)
        comes, legal = setting.rooms.here.what_is_next(record)
        found = cls(setting, record, 0, decider(setting, record, 0, comes), legal)
        found._plain = position
        if position.dealt:
            found._deal = Dealing.of(*setting.rooms.here.to_shuffle(record), position.dealt)
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
    def record(self) -> NDArray[Any]:
        return self._block[self._at : self._at + 1]

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
            plain = later._played_on(plain)
            later._plain, later._before = plain, None
        return plain

    def _played_on(self, before: Position) -> Position:
        if self._by != CHANCE:
            return before.after_choice(self._by, self._what)
        if isinstance(self._what, list):
            return before.after_given(self._what)
        return before.after_card(self._what)

    # -- Who is to move -----------------------------------------------------------------------

    @property
    def waiting(self) -> list[Seat]:
        return waiting_in(self.setting, self.record)

    def legal_for(self, seat: Seat) -> list[Action]:
        return self.setting.rooms.here.legal(self.record, seat)

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        if self.setting.is_sampled:
            return [(SHUFFLE, 1.0)]
        if self._deals_whole_hands:
            return self.plain.chance_outcomes()
        return self._dealing().outcomes()

    @property
    def _deals_whole_hands(self) -> bool:
        is_small = self.setting.is_mini  # else the plain position need not be known
        return is_small and self.setting.whole_deals(self.plain.table) > 0

    # -- Playing on ---------------------------------------------------------------------------

    def after(self, action: Action) -> TwinPosition:
        if self.player >= 0:
            return self.after_choice(self.player, action)
        if self._deal is not None:
            return self._after_card(self._deal, action)
        if self.setting.is_sampled:
            return self._after_sampled()
        if self._deals_whole_hands:
            return self._after_hands(action)
        return self._after_card(self._dealing(), action)

    def after_all(self, actions: Sequence[Action]) -> TwinPosition:
        position = self
        for seat in self.waiting:
            position = position.after_choice(seat, actions[seat])
        return position

    def after_choice(self, seat: Seat, action: Action) -> TwinPosition:
        setting = self.setting
        room = setting.rooms.here
        to = room.place()
        block = room.block
        comes, count = room.act(
            self._block, self._at, block, to, room.words, seat, action, room.actions
        )
        if comes < 0 or setting.is_simultaneous:
            if comes == ILLEGAL:
                self.plain.after_choice(seat, action)  # refuses it, and says why
            comes = decider(setting, block, to, comes)
        legal = room.listed[:count].tolist()
        return TwinPosition(setting, block, to, comes, legal, self, seat, action)

    def _after_hands(self, number: Action) -> TwinPosition:
        """Of a mini game, all of them at once."""
        return TwinPosition.of(self.plain.after_chance(number))

    def _dealing(self) -> Dealing:
        """The deal under way, or one that begins here."""
        return self._deal or Dealing.of(*self.setting.rooms.here.to_shuffle(self.record))

    def _after_card(self, deal: Dealing, card: Card) -> TwinPosition:
        setting, block, at, deal = self.setting, self._block, self._at, deal.after(card)
        if deal.missing:
            return TwinPosition(setting, block, at, CHANCE, NOTHING, self, CHANCE, card, deal)
        room = setting.rooms.here
        to = room.place()
        comes, legal = room.deal(block, at, to, deal.shuffle())
        player = decider(setting, room.block, to, comes)
        return TwinPosition(setting, room.block, to, player, legal, self, CHANCE, card)

    def _after_sampled(self) -> TwinPosition:
        setting = self.setting
        room = setting.rooms.here
        to, (cards, _) = room.place(), room.to_shuffle(self.record)
        asked = setting.deals.asked_for(cards)
        if asked is None:
            stream = setting.deals.stream
            (comes, legal), deck = room.deal_shuffled(self._block, self._at, to, stream)
            asked = deck[: len(cards)].tolist()
        else:
            comes, legal = room.deal(self._block, self._at, to, asked)
        player = decider(setting, room.block, to, comes)
        return TwinPosition(setting, room.block, to, player, legal, self, CHANCE, asked)

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


def decider(setting: Setting, block: Block, at: int, comes: int) -> Seat:
    """Who is to move, as OpenSpiel numbers them."""
    if comes < 0:
        return CHANCE if comes == AGAIN else TERMINAL
    if setting.is_simultaneous and len(waiting_in(setting, block[at : at + 1])) > 1:
        return SIMULTANEOUS
    return comes


def waiting_in(setting: Setting, record: Block) -> list[Seat]:
    waiting = single.seats_waiting(record)
    return [seat for seat in range(setting.seats) if waiting >> seat & 1]


AnyPosition = Position | TwinPosition  # the latter answers as the former
