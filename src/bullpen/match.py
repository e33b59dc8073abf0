"""A game being played: shuffles and moves go in, events come out, and a record can be kept.

>>> match = new("x-nimmt", seats=2, seed=7)
>>> match.waiting_for
[0, 1]
>>> events = match.move(0, match.legal(0)[0])
>>> match.waiting_for
[1]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, NamedTuple

from bullpen.cards import Card, Problem
from bullpen.deck import Deck, load_deck
from bullpen.game import (
    Action,
    BadOption,
    Event,
    Game,
    OptionValue,
    Seat,
    View,
    complete_options,
    drawn,
    read_move,
    titled,
)
from bullpen.games import game_called

Shuffler = Callable[[list[Card]], None]  # brings the cards into their new order, in place


class Decision(NamedTuple):
    """A move that was made.  Decisions of one secret choice share their `moment`."""

    moment: int
    seat: Seat
    action: Action


class Past(NamedTuple):
    """What `undo` needs: the table before a decision, and how much had happened by then."""

    table: Any
    moment: int
    shuffles: int
    events: int


def new(
    game: str,
    seats: int,
    *,
    seed: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    deck: str | Path | Sequence[str | Path] = (),
    names: Sequence[str] = (),
) -> Match:
    """A new match, dealt.  With a seed it is dealt the same way every time."""
    rules = game_called(game)
    if seed is not None and type(seed) is not int:
        raise BadOption("seed_type", seed=repr(seed))
    shuffler = (SystemRandom() if seed is None else Random(seed)).shuffle
    return Match(rules, seats, options or {}, load_deck(rules.DECK_FILES, deck), names, shuffler)


class Match:
    """One game, from the first shuffle to the last score."""

    def __init__(
        self,
        game: Game[Any],
        seats: int,
        options: Mapping[str, OptionValue],
        deck: Deck,
        names: Sequence[str],
        shuffler: Shuffler,
    ) -> None:
        self.game, self.seats, self.deck, self.shuffler = game, seats, deck, shuffler
        self.options = complete_options(game, seats, options)
        self.names = checked_names(names, seats)
        self.table = game.set_up(seats, self.options, deck)
        self.shuffles: list[list[Card]] = []
        self.events: list[Event] = []
        self.fair: Mapping[str, Any] | None = None  # in a served game: docs/fair.md
        self._made: list[Decision] = []  # in the order in which they arrived
        self._past: list[Past] = []
        self._moment = 0
        self._shuffle_and_deal()

    # -- What the match is waiting for --------------------------------------------------------

    @property
    def waiting_for(self) -> list[Seat]:
        return self.game.waiting_for(self.table)

    @property
    def is_over(self) -> bool:
        return not self.waiting_for

    def legal(self, seat: Seat) -> list[str]:
        """Every move that this seat may make now."""
        actions = self.game.legal(self.table, self._checked(seat))
        return [self.game.NOTATION[action] for action in actions]

    def view(self, seat: Seat | None) -> View[Any]:
        """What this seat sees; None for a spectator."""
        return self.game.view(self.table, None if seat is None else self._checked(seat))

    # -- Playing ------------------------------------------------------------------------------

    def move(self, seat: Seat, move: Any) -> list[Event]:
        """Make a move, and return all that happened up to the next decision."""
        if not isinstance(move, str):
            raise Problem("move_not_text", move=move)
        action = read_move(self.game, self.table, self._checked(seat), move)
        return self.act(seat, action)

    def act(self, seat: Seat, action: Action) -> list[Event]:
        """The same as `move`, with the action's number."""
        if type(action) is not int:
            raise Problem("action_not_a_number", action=action)
        waiting = self.waiting_for
        table, events = self.game.apply(self.table, self._checked(seat), action)
        self._past.append(Past(self.table, self._moment, len(self.shuffles), len(self.events)))
        self._made.append(Decision(self._moment, seat, action))
        self.table = table
        # A secret choice goes on as long as the others who had to choose still have to.
        if len(waiting) == 1 or self.waiting_for != [other for other in waiting if other != seat]:
            self._moment += 1
        self.events += events
        return events + self._shuffle_and_deal()

    def undo(self) -> Decision:
        """Take back the decision made last, with all that came after it."""
        if not self._past:
            raise Problem("nothing_to_undo")
        past = self._past.pop()
        self.table, self._moment = past.table, past.moment
        del self.shuffles[past.shuffles :]
        del self.events[past.events :]
        return self._made.pop()

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def decisions(self) -> list[Decision]:
        """All decisions in order; those of one secret choice by seat, however they arrived."""
        return sorted(self._made, key=lambda made: (made.moment, made.seat))

    def _shuffle_and_deal(self) -> list[Event]:
        dealt: list[Event] = []
        while cards := self.game.to_shuffle(self.table):
            self.shuffler(cards)
            self.table, events = self.game.deal(self.table, cards)
            self.shuffles.append(cards)
            dealt += events
        self.events += dealt
        return dealt

    def _checked(self, seat: Seat) -> Seat:
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise BadOption("no_such_seat", seat=seat, last=self.seats - 1)
        return seat

    # -- Points -------------------------------------------------------------------------------

    @property
    def scores(self) -> list[int]:
        """The points counted so far, as the rules count them."""
        return self.game.scores(self.table)

    @property
    def rounds(self) -> list[list[int]]:
        """The points of every finished round."""
        return [list(points) for points in self.game.rounds(self.table)]

    @property
    def winners(self) -> list[Seat]:
        """Who has won; nobody while the game is being played."""
        return self.game.winners(self.table) if self.is_over else []

    def __str__(self) -> str:
        status = f"winners: {self.winners}" if self.is_over else f"waiting for: {self.waiting_for}"
        table = drawn(self.game, self.table, self.table.lying)
        return f"{titled(self.game, self.options)}\n{table}\nscores: {self.scores}, {status}"


def checked_names(names: Sequence[Any], seats: int) -> list[str]:
    if not names:
        return [f"seat {seat}" for seat in range(seats)]
    tidy = [" ".join(name.split()) if isinstance(name, str) else "" for name in names]
    if len(tidy) != seats or not all(name and name.isprintable() for name in tidy):
        raise BadOption("bad_names", names=", ".join(tidy), seats=seats)
    return tidy
