"""What one person sees, and all that is needed to draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bullpen.cards import UNSEEN, Card, Place
from bullpen.deck import Deck
from bullpen.game import Game, Options, Seat, View
from bullpen.match import Match
from bullpen.terminal.screen import Screen

# How a table is drawn: with all that is known, with a line a player where there is little room, or
# also with the players first, so that what one decides about stands right above the question.
Layout = Literal["full", "brief", "players_first"]


@dataclass(frozen=True)
class Sight:
    game: Game[Any]
    options: Options
    deck: Deck
    names: Sequence[str]
    points: Sequence[int]  # so far
    rounds: int  # finished
    view: View[Any]
    screen: Screen
    layout: Layout = "full"

    @property
    def seat(self) -> Seat | None:
        return self.view.seat

    @property
    def table(self) -> Any:
        return self.view.table

    @property
    def seats(self) -> range:
        return range(len(self.names))

    def words(self, key: str, **facts: Any) -> str:
        return self.screen.voice.say(f"terminal.{key}", **facts)

    def lying(self, place: Place) -> tuple[Card, ...]:
        """The cards that lie in a place, as one sees them now."""
        cards: tuple[Card, ...] = self.table.lying[place]
        return cards

    def known(self, place: Place) -> list[Card]:
        """The cards in a hidden place that one may know of: all that lie open, and with the memory aid
        those that one has seen going there."""
        lying = self.view.remembered if self.options["memory_aid"] else self.table.lying
        return [card for card in lying[place] if card != UNSEEN]


def sight_of(match: Match, seat: Seat | None, screen: Screen) -> Sight:
    """Only what the match shows to this seat; None for a spectator."""
    return seen_from(match, match.view(seat), screen)


def open_sight(match: Match, screen: Screen) -> Sight:
    """Everything, as when a finished game is gone through."""
    everything = View(None, match.table, match.table.lying, [])
    return seen_from(match, everything, screen)


def seen_from(match: Match, view: View[Any], screen: Screen) -> Sight:
    return Sight(
        match.game,
        match.options,
        match.deck,
        match.names,
        match.scores,
        len(match.rounds),
        view,
        screen,
    )
