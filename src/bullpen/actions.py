"""The actions of a game: their numbers, how they are written, and which card or place they touch.

    actions = Actions(places)
    PLAY = actions.block("play {card}", CARDS, "XN-1", "no_such_card", example=43, picks=HAND)

PLAY + 43 is then `play 43`, and picks card 43 from one's hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bullpen.cards import UNSEEN, Action, Card, Lying, Place, Seat
from bullpen.places import Places

HIGHEST: Card = -1  # in place of a card: the highest one that lies there
BLANK = re.compile(r"\{\w+\}")


class Touch(NamedTuple):
    """What a person touches to make a move."""

    card: Card | None
    place: Place  # where it lies, or what is pointed at; of a seat's own places the first
    is_own: bool  # one's own place: the seat is added
    each_has_one: bool = False  # a card of which every seat has its own: the seat is added, too

    def card_of(self, seat: Seat, lying: Lying) -> Card | None:
        if self.card == HIGHEST:
            return max(lying[self.place_of(seat)], default=UNSEEN)
        return self.card + seat if self.card is not None and self.each_has_one else self.card

    def place_of(self, seat: Seat) -> Place:
        return self.place + seat if self.is_own else self.place


class Actions:
    """Every action there is.  A block begins where the last one ended, unless it is told otherwise."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.forms: dict[str, tuple[str, str]] = {}  # by example; rule and refusal of a misfit
        self._texts: dict[Action, str] = {}
        self._touches: dict[Action, Touch] = {}

    # -- Declarations -------------------------------------------------------------------------

    def block(
        self,
        form: str,
        numbers: Iterable[int],
        rule: str,
        why: str,
        *,
        example: int,
        picks: Place | None = None,
        at: Place | None = None,
        first: Action | None = None,
        lays: Card | None = None,
    ) -> Action:
        """The number to which a card or a row is added.  `rule` and `why` refuse a text of this form that
        is no move at all; `picks` is the place from which the card is taken, `at` the one before the
        first place that is pointed at.  Where the number is not the card's, `lays` is the first of the
        special cards of which every seat has one."""
        start = max(self._texts, default=0) if first is None else first
        self.forms[BLANK.sub(str(example), form)] = (rule, why)
        for number in numbers:
            self._texts[start + number] = BLANK.sub(str(number), form)
            if picks is not None:
                is_own = self.places.family_of(picks).kind == "seat"
                card = number if lays is None else lays
                self._touches[start + number] = Touch(card, picks, is_own, lays is not None)
            elif at is not None:
                self._touches[start + number] = Touch(None, at + number, is_own=False)
        return start

    def one(self, text: str, rule: str, why: str, action: Action) -> Action:
        """A single action, such as `stop`."""
        self.forms[text] = (rule, why)
        self._texts[action] = text
        return action

    def written(
        self,
        texts: Mapping[Action, str],
        example: str,
        rule: str,
        why: str,
        touches: Mapping[Action, Touch] | None = None,
    ) -> None:
        """Actions of more than one number, such as `play 36 on 31`."""
        self.forms[example] = (rule, why)
        self._texts.update(texts)
        self._touches.update(touches or {})

    # -- What follows -------------------------------------------------------------------------

    @property
    def notation(self) -> dict[Action, str]:
        return dict(sorted(self._texts.items()))

    def __contains__(self, action: Action) -> bool:
        return action in self._texts

    def picked(self, action: Action, seat: Seat, lying: Lying) -> tuple[Card, Place] | None:
        """The one card that is picked, and from where."""
        touch = self._touches.get(action)
        card = None if touch is None else touch.card_of(seat, lying)
        return None if touch is None or card is None else (card, touch.place_of(seat))

    def picks(self, seat: Seat, lying: Lying) -> Iterator[tuple[Card, Place, Action]]:
        """Every card that some action picks, from where, and which action."""
        for action, touch in self._touches.items():
            if (card := touch.card_of(seat, lying)) is not None:
                yield card, touch.place_of(seat), action

    def touched(self, action: Action, seat: Seat) -> Place | None:
        """The place that is pointed at, or from which the card is picked."""
        touch = self._touches.get(action)
        return None if touch is None else touch.place_of(seat)
