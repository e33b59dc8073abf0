"""A served game as the fold of its log: shuffles, moves and take-backs go in, nothing else.

The same functions serve play and restart.  A `Play` is changed by `move`, `shuffle` and `undo` alone; a room
tries them on a copy, stores what went in, and only then keeps the copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from bullpen.cards import UNSEEN, Card, Place, Problem
from bullpen.deck import Deck
from bullpen.game import Action, Event, Game, IllegalMove, Options, Seat, View, refuse
from bullpen.match import Match
from bullpen.server.growing import Grown, Known
from bullpen.views import only_open_cards_moved

# What the log holds.
SHUFFLE, MOVE, UNDO = "shuffle", "move", "undo"
EARLIER = "earlier"  # by whom: it was decided in the game from which this one goes on
UNKNOWN = {UNSEEN}
MOST_CHANGES = 20  # of one secret choice, by one seat: each is stored


class Made(NamedTuple):
    """A decision that was made; those of one secret choice share their `moment`."""

    moment: int
    seat: Seat
    action: Action
    by: str  # person, program, bot, stand_in, clock or earlier


Views = dict[Seat | None, View[Any]]  # of one table, as far as somebody has looked


@dataclass(slots=True)
class Seen:
    """What was looked up of a table, so that it is looked up once however many ask."""

    views: Views = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)  # by name
    waiting: list[Seat] | None = None


class Before(NamedTuple):
    """What taking back the last decision needs."""

    seat: Seat
    table: Any
    views: Views


class StaleDecision(Problem):
    """A move for a decision that is past, or not there yet."""


@dataclass(slots=True)
class Play:
    game: Game[Any]
    seats: int
    options: Options
    deck: Deck
    table: Any = None
    base: Any = None  # the table when this choice began: a secret choice can be changed
    choices: dict[Seat, Made] = field(default_factory=dict)  # in this secret choice
    changes: dict[Seat, int] = field(default_factory=dict)  # of it: how often each has chosen anew
    askable: tuple[Seat, ...] = ()  # who was asked when this choice began
    numbers: list[int] = field(default_factory=list)  # by seat: of the decision asked for last
    answers: Known[tuple[Seat, int], Action] = field(default_factory=Known)  # to each decision
    moment: int = 0
    turn: int = 0  # counts what everybody has seen happen
    shuffles: Grown[list[Card]] = field(default_factory=Grown)
    made: Grown[Made] = field(default_factory=Grown)  # without those of this secret choice
    before: Before | None = None
    _seen: Seen = field(default_factory=Seen)

    def copy(self) -> Play:
        """To try something; `settle` the copy that is kept."""
        return Play(
            self.game,
            self.seats,
            self.options,
            self.deck,
            self.table,
            self.base,
            self.choices.copy(),
            self.changes.copy(),
            self.askable,
            self.numbers[:],
            self.answers.copy(),
            self.moment,
            self.turn,
            self.shuffles.copy(),
            self.made.copy(),
            self.before,
            self._seen,
        )

    def settle(self) -> None:
        """This is what happened; whatever else was tried on copies did not."""
        self.answers.settle()
        self.shuffles.settle()
        self.made.settle()

    # -- What is seen -------------------------------------------------------------------------

    def go_on_with(self, table: Any) -> None:
        """Nothing is known of this table yet; what was looked up of the last one is kept with it."""
        self.table, self._seen = table, Seen()

    def view(self, seat: Seat | None) -> View[Any]:
        """What this seat sees now."""
        return looked(self.game, self.table, seat, self._seen.views)

    @property
    def places(self) -> dict[str, Place]:
        """The same for everybody, whatever they see there."""
        seen = self._seen
        if not seen.places:
            seen.places = self.game.places(self.table)
        return seen.places

    # -- What is asked ------------------------------------------------------------------------

    @property
    def waiting(self) -> list[Seat]:
        seen = self._seen
        if seen.waiting is None:
            seen.waiting = self.game.waiting_for(self.table)
        return seen.waiting

    @property
    def is_over(self) -> bool:
        return not self.waiting and not self.game.to_shuffle(self.table)

    @property
    def is_secret(self) -> bool:
        """Several were asked at once: nobody sees a choice before all have chosen."""
        return len(self.askable) > 1

    def offers(self, seat: Seat) -> list[Action]:
        """What this seat may choose now, or choose instead of what it has chosen."""
        table = self.base if seat in self.choices else self.table
        return self.game.legal(table, seat)

    def choosing_view(self, seat: Seat) -> View[Any]:
        """What this seat sees of the table on which it chooses: without what it has chosen already."""
        if seat not in self.choices:
            return self.view(seat)
        return self.game.view(self.base, seat)

    def choice(self, seat: Seat) -> Action | None:
        chosen = self.choices.get(seat)
        return None if chosen is None else chosen.action

    # -- What goes in -------------------------------------------------------------------------

    def shuffle(self, cards: Sequence[Card]) -> list[Event]:
        """The cards that the table wants shuffled, in their new order."""
        table, events = self.game.deal(self.table, list(cards))
        self.go_on_with(table)
        self.shuffles.append(list(cards))
        self.before = None
        self._ask()
        # Where several kinds of cards are shuffled one after the other, it is one deal.
        return events if self.game.to_shuffle(self.table) else [{"event": "deal"}, *events]

    def move(self, seat: Seat, number: int, action: Action, by: str) -> list[Event]:
        """Raises StaleDecision, IllegalMove or another Problem, and then nothing has changed."""
        if number != self.numbers[seat]:
            why = "decision_past" if number < self.numbers[seat] else "decision_unknown"
            raise StaleDecision(why, decision=number)
        if seat not in self.choices and seat not in self.waiting:
            raise self._refused(seat, action)
        decide = self._choose if self.is_secret else self._decide
        events = decide(Made(self.moment, seat, action, by))
        self.answers.put((seat, number), action)
        self.numbers[seat] += 1
        if not self.choices:
            self.moment += 1
            self.turn += 1
            self._ask()
        return events

    def undo(self) -> Seat:
        """Take back the last decision; see `undo_seat`."""
        assert self.before is not None
        seat, table, _ = self.before
        self.go_on_with(table)
        self.made.pop()
        self.moment -= 1
        self.turn += 1
        self.before = None
        self._ask()
        return seat

    def undo_seat(self) -> Seat | None:
        """Whose last decision could be taken back: as long as no card has become known since to
        anybody that its player did not know before, nobody has chosen anything since, and the game goes on."""
        if self.before is None or self.choices or self.is_over:
            return None
        seat = self.before.seat
        return seat if only_open_cards_moved(self.table) or self._shows_nothing_new() else None

    def _shows_nothing_new(self) -> bool:
        """The same by what everybody knew and knows, which takes longer."""
        assert self.before is not None
        seat, table, views = self.before
        known = _known(looked(self.game, table, seat, views))
        for other in (None, *range(self.seats)):
            earlier = looked(self.game, table, other, views)
            fresh = _moved(earlier, self.view(other)) - known
            if fresh and fresh - _known(earlier):
                return False
        return True

    # -- Inside -------------------------------------------------------------------------------

    def _choose(self, made: Made) -> list[Event]:
        seat = made.seat
        if seat not in self.choices:
            table, events = self.game.apply(self.table, seat, made.action)
        else:  # instead of the first choice: all choices anew
            if made.action not in self.offers(seat):
                raise self._refused(seat, made.action)
            if self.changes.get(seat, 0) >= MOST_CHANGES:
                raise Problem("changed_too_often", most=MOST_CHANGES)
            self.changes[seat] = self.changes.get(seat, 0) + 1
            table, events = self.base, []
            for other in (self.choices | {seat: made}).values():
                table, events = self.game.apply(table, other.seat, other.action)
        self.go_on_with(table)
        self.choices[seat] = made  # one that is changed keeps its place
        if len(self.choices) == len(self.askable):
            self.made.extend(self.choices.values())
            self.choices = {}
            self.before = None
        return events

    def _decide(self, made: Made) -> list[Event]:
        before = Before(made.seat, self.table, self._seen.views)
        table, events = self.game.apply(self.table, made.seat, made.action)
        self.go_on_with(table)
        self.before = None if made.by == EARLIER else before  # which stands as it was
        self.made.append(made)
        return events

    def _ask(self) -> None:
        """A new question to everyone who has to decide now."""
        self.base, self.choices, self.changes = self.table, {}, {}
        self.askable = tuple(self.waiting)
        for seat in self.askable:
            self.numbers[seat] += 1

    def _refused(self, seat: Seat, action: Action) -> IllegalMove:
        table = self.base if seat in self.choices else self.table
        spelled = self.game.NOTATION
        legal = [spelled[other] for other in self.offers(seat)]
        refusal = self.game.why_not(table, seat, action)
        if action not in spelled:
            refusal = refuse(self.game.TURN_RULE, "not_a_move", forms=list(self.game.FORMS))
        return IllegalMove(seat, spelled.get(action, str(action)), refusal, legal)


def new_play(game: Game[Any], seats: int, options: Options, deck: Deck) -> Play:
    """A table that waits for its first shuffle."""
    play = Play(game, seats, options, deck, game.set_up(seats, options, deck))
    play.base = play.table
    play.numbers = [0] * seats
    return play


def fold(play: Play, kind: str, seat: Seat | None, decision: int | None, payload: Any) -> None:
    """One entry of the log; what it caused follows from the rules."""
    if kind == SHUFFLE:
        play.shuffle(payload["cards"])
    elif kind == UNDO:
        play.undo()
    else:
        assert kind == MOVE
        assert seat is not None
        assert decision is not None
        play.move(seat, decision, payload["action"], payload["by"])


def replayed(
    game: Game[Any],
    seats: int,
    options: Options,
    deck: Deck,
    shuffles: Iterable[Sequence[Card]],
    made: Iterable[Made],
) -> Play:
    """The same game once more, from what went in."""
    play, cards = new_play(game, seats, options, deck), iter(shuffles)
    for one in (None, *made):
        if one is not None:
            play.move(one.seat, play.numbers[one.seat], one.action, one.by)
        while game.to_shuffle(play.table):
            play.shuffle(next(cards))
    play.settle()
    return play


def as_match(play: Play, names: Sequence[str]) -> Match:
    """The same game as a match: for records and reviews."""
    shuffles = iter(play.shuffles)

    def next_shuffle(cards: list[Card]) -> None:
        cards[:] = next(shuffles)

    match = Match(play.game, play.seats, play.options, play.deck, names, next_shuffle)
    for made in play.made:
        match.act(made.seat, made.action)
    return match


def looked(game: Game[Any], table: Any, seat: Seat | None, views: Views) -> View[Any]:
    if (view := views.get(seat)) is None:
        view = views[seat] = game.view(table, seat)
    return view


def _known(view: View[Any]) -> set[Card]:
    """Every card whose place this seat knows."""
    return set(chain.from_iterable(view.remembered)) - UNKNOWN


def _moved(before: View[Any], now: View[Any]) -> set[Card]:
    """The cards that this seat knows in places where something has changed."""
    changed = [
        place
        for earlier, place in zip_longest(before.remembered, now.remembered, fillvalue=())
        if place is not earlier and place != earlier
    ]
    return set(chain.from_iterable(changed)) - UNKNOWN
