"""The contract of a game, and the words that all games share: seats, actions, options, refusals.

A game's rules are a module (`bullpen.games.x_nimmt.rules`), checked against the protocol `Rules`; `Game(rules)`
is what everything else plays.  Rules never draw random numbers: `to_shuffle` says which cards they want
shuffled, `deal` takes them in their new order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from importlib import import_module
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from bullpen import views
from bullpen.actions import Actions
from bullpen.cards import UNSEEN, Action, Card, Lying, Place, Problem, Seat
from bullpen.deck import Deck, DeckFile
from bullpen.places import Places
from bullpen.sizes import LEAST, NAMES, Sizes, made_smaller
from bullpen.table import Event, Options, OptionValue, Table
from bullpen.views import OwnSide, View

# Words of the layers below, which everybody asks for here.
__all__ = ["Action", "Event", "OptionValue", "Options", "Seat", "Table", "View"]

Best = Callable[[Sequence[int]], int]  # `min` or `max`: which of several results is the best

T = TypeVar("T", bound=Table)


# -- Options ----------------------------------------------------------------------------------


class BadOption(Problem):
    """An option or a number of players that the game does not have."""


class OneOf(NamedTuple):
    values: tuple[str, ...]

    def allows(self, value: OptionValue, seats: int) -> bool:
        return value in self.values

    def read(self, text: str) -> OptionValue:
        return text

    def described(self, seats: int) -> str:
        return " | ".join(self.values)


SWITCH_WORDS = {
    **dict.fromkeys(("true", "on", "yes", "1"), True),
    **dict.fromkeys(("false", "off", "no", "0"), False),
}


class Switch(NamedTuple):
    def allows(self, value: OptionValue, seats: int) -> bool:
        return isinstance(value, bool)

    def read(self, text: str) -> OptionValue:
        return SWITCH_WORDS.get(text.lower(), text)

    def described(self, seats: int) -> str:
        return "true | false"


class WholeNumber(NamedTuple):
    """A number from `least` up."""

    least: int

    def allows(self, value: OptionValue, seats: int) -> bool:
        return type(value) is int and self.least <= value

    def read(self, text: str) -> OptionValue:
        try:
            return int(text)
        except ValueError:
            return text

    def described(self, seats: int) -> str:
        return f"{self.least}, {self.least + 1}, {self.least + 2}, …"


class WholeNumberOrNull(NamedTuple):
    number: WholeNumber

    def allows(self, value: OptionValue, seats: int) -> bool:
        return value is None or self.number.allows(value, seats)

    def read(self, text: str) -> OptionValue:
        return None if text.lower() in ("null", "none") else self.number.read(text)

    def described(self, seats: int) -> str:
        return f"{self.number.described(seats)} | null"


class SeatNumber(NamedTuple):
    def allows(self, value: OptionValue, seats: int) -> bool:
        return type(value) is int and 0 <= value < seats

    def read(self, text: str) -> OptionValue:
        return WholeNumber(0).read(text)

    def described(self, seats: int) -> str:
        return " | ".join(map(str, range(seats)))


OptionKind = OneOf | Switch | WholeNumber | WholeNumberOrNull | SeatNumber


class Option(NamedTuple):
    name: str
    kind: OptionKind
    default: Callable[[int], OptionValue]  # by the number of seats
    in_mini_games: OptionValue = None  # their default, where it is another one


def option(
    name: str, kind: OptionKind, default: OptionValue, in_mini_games: OptionValue = None
) -> Option:
    return Option(name, kind, lambda seats: default, in_mini_games)


# Only what people are shown depends on it: bots always get what a perfect memory knows.
MEMORY_AID = option("memory_aid", Switch(), default=False)


def complete_options(game: Game[Any], seats: int, given: Options) -> dict[str, OptionValue]:
    """All options of a game with their values, defaults filled in; refuses what does not exist."""
    if type(seats) is not int:
        raise BadOption("seats_type", seats=repr(seats))
    if seats not in game.SEATS:
        least, most = game.SEATS[0], game.SEATS[-1]
        raise BadOption("bad_seats", game=game.ID, seats=seats, least=least, most=most)
    known = {option.name: option for option in game.OPTIONS}
    sizes = game.sizes(seats)
    for name in given:
        if name not in known and name not in sizes:
            names = ", ".join([*known, *sizes])
            raise BadOption("unknown_option", game=game.ID, option=name, known=names)
    smaller = checked_sizes(game, seats, given)
    values = {name: option.default(seats) for name, option in known.items()}
    if smaller:
        values |= {o.name: o.in_mini_games for o in known.values() if o.in_mini_games is not None}
    values |= {name: value for name, value in given.items() if name in known}
    for name, value in values.items():
        if not known[name].kind.allows(value, seats):
            allowed = known[name].kind.described(seats)
            raise BadOption("bad_option", game=game.ID, option=name, value=value, allowed=allowed)
    if smaller:
        values |= smaller
        check_that_they_fit(game, seats, values)
    return values


# -- Mini games -------------------------------------------------------------------------------


def checked_sizes(game: Game[Any], seats: int, given: Options) -> dict[str, int]:
    """The sizes that are not those printed: who asks for the printed ones plays the printed game."""
    smaller: dict[str, int] = {}
    for name, printed in game.sizes(seats).items():
        size = given.get(name, printed)
        if type(size) is not int or not LEAST[name] <= size <= printed:
            allowed = f"{LEAST[name]} – {printed}"
            raise BadOption("bad_option", game=game.ID, option=name, value=size, allowed=allowed)
        if size != printed:
            smaller[name] = size
    return smaller


def check_that_they_fit(game: Game[Any], seats: int, options: Options) -> None:
    """As many cards as are dealt, and whatever else the rules cannot do without."""
    sizes = made_smaller(game.printed[seats], options)
    needed = sizes.hand * seats + len(sizes.rows)
    if len(sizes.cards) < needed:
        facts = {"hand": sizes.hand, "rows": len(sizes.rows), "seats": seats}
        raise BadOption("size_cards", game=game.ID, cards=len(sizes.cards), needed=needed, **facts)
    game.check_sizes(sizes, seats, options)


def is_mini(options: Options) -> bool:
    """Whether these complete options make a game smaller than its rulebook has it."""
    return any(name in options for name in NAMES)


def titled(game: Game[Any], options: Options) -> str:
    """The name on the box is that of the printed game alone: `6 nimmt! mini (hand 2, rows 2)`."""
    sizes = [f"{name} {options[name]}" for name in NAMES if name in options]
    return f"{game.TITLE} mini ({', '.join(sizes)})" if sizes else game.TITLE


def read_options(game: Game[Any], seats: int, words: Sequence[str]) -> dict[str, OptionValue]:
    """Options as typed, `rounds=3`; see `complete_options`."""
    kinds: dict[str, OptionKind] = {option.name: option.kind for option in game.OPTIONS}
    kinds |= {name: WholeNumber(LEAST[name]) for name in game.sizes(seats)}
    given: dict[str, OptionValue] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            raise BadOption("option_form", game=game.ID, option=word, known=", ".join(kinds))
        given[name] = kinds[name].read(value) if name in kinds else value
    return complete_options(game, seats, given)


# -- Refusals ---------------------------------------------------------------------------------


class Refusal(NamedTuple):
    """Why a move is not allowed: the rule that asks for something else, and the facts."""

    rule: str
    why: str  # a key of the locale files
    facts: dict[str, Any]


def refuse(rule: str, why: str, **facts: Any) -> Refusal:
    return Refusal(rule, why, facts)


class IllegalMove(Problem):
    """A move that this seat may not make now; nothing has changed."""

    def __init__(self, seat: Seat, move: str, refusal: Refusal, legal: Sequence[str]) -> None:
        self.seat, self.move, self.refusal, self.legal = seat, move, refusal, list(legal)
        instead = f"allowed now: {', '.join(legal)}" if legal else "wait for the others"
        why = f"{refusal.rule}, {refusal.why.replace('_', ' ')}"
        super().__init__(refusal.why, **refusal.facts)
        self.args = (f"seat {seat} may not {move!r}: {why}; {instead}",)

    def __str__(self) -> str:
        return str(self.args[0])


def illegal(
    seat: Seat,
    action: Action,
    refusal: Refusal,
    notation: Mapping[Action, str],
    allowed: Sequence[Action],
) -> IllegalMove:
    move = notation.get(action, str(action))
    return IllegalMove(seat, move, refusal, [notation[other] for other in allowed])


# -- The notation -----------------------------------------------------------------------------


def read_move(game: Game[T], table: T, seat: Seat, text: str) -> Action:
    """The action that a text spells; whether it is allowed is for `legal` to say."""
    move = " ".join(text.lower().split())
    if game.ID not in ACTIONS_BY_TEXT:
        ACTIONS_BY_TEXT[game.ID] = {text: action for action, text in game.NOTATION.items()}
    action = ACTIONS_BY_TEXT[game.ID].get(move)
    if action is None:
        legal = [game.NOTATION[other] for other in game.legal(table, seat)]
        raise IllegalMove(seat, text.strip(), why_no_move(game, move), legal)
    return action


def why_no_move(game: Game[Any], move: str) -> Refusal:
    for form, (rule, why) in game.FORMS.items():
        if re.fullmatch(STANDALONE_NUMBER.sub(r"\\d+", re.escape(form)), move):
            return refuse(rule, why)
    return refuse(game.TURN_RULE, "not_a_move", forms=list(game.FORMS))


ACTIONS_BY_TEXT: dict[str, dict[str, Action]] = {}  # by game; filled when first asked for
STANDALONE_NUMBER = re.compile(r"(?<![\w+])\d+")


# -- Drawing a table --------------------------------------------------------------------------


def drawn(game: Game[T], table: T, lying: Lying) -> str:
    """Where the cards lie, as text: a line a place, the empty places and the box left out.  Cards that are
    all alike are counted."""
    shown = {name: place for name, place in game.places(table).items() if name != "box"}
    width = max(map(len, shown)) + 1
    alike = table.PLACES.alike

    def cards_at(place: Place) -> str:
        if place in alike:
            return f"×{len(lying[place])}"
        return " ".join([card_name(game, card) for card in lying[place]])

    return "\n".join(
        f"{name + ':':{width}} {cards_at(place)}" for name, place in shown.items() if lying[place]
    )


def card_name(game: Game[Any], card: Card) -> str:
    return "?" if card == UNSEEN else game.CARD_NAMES.get(card, str(card))


class Part(NamedTuple):
    """One part of what a seat's points are made of: cards, and what they count."""

    name: str
    cards: tuple[Card, ...]
    points: str  # as it is shown: +7, ×2, −10
    tone: str  # good, bad or plain


# -- Points ---------------------------------------------------------------------------------------


def totals(rounds: Sequence[Sequence[int]], seats: int) -> list[int]:
    return [sum(points) for points in zip(*rounds, strict=True)] if rounds else [0] * seats


def seats_with(best: Best, points: Sequence[int]) -> list[Seat]:
    """Who has the best result; where a rulebook does not break a tie, the win is shared."""
    result = best(points)
    return [seat for seat, own in enumerate(points) if own == result]


# -- Rules, and the game that they make -------------------------------------------------------


class Rules(Protocol[T]):
    """What a module of rules says; see docs/adding-a-game.md.  It may also have `set_up(table)` for a table
    that waits for its first shuffle, `winners(table)`, `rounds(table)`, `facts(table)`, and `OWN_SIDE`: by
    event, what it tells its own seat alone.  A game with mini games gives `with_places` its printed sizes, and may
    have `check_sizes(sizes, seats, options)`, which refuses what it cannot bear."""

    # A module's constants: read-only, so that each may have its own narrower type.
    @property
    def ID(self) -> str: ...  # the name that people type: `x-nimmt`
    @property
    def TITLE(self) -> str: ...  # the name on the box
    @property
    def PREFIX(self) -> str: ...  # of its rules' ids
    @property
    def RULES(
        self,
    ) -> int: ...  # counts versions: a served game is played on only by those it began with
    @property
    def SEATS(self) -> Sequence[int]: ...  # how many can play
    @property
    def CARDS(self) -> Sequence[Card]: ...
    @property
    def OPTIONS(self) -> tuple[Option, ...]: ...
    @property
    def DECK_FILES(self) -> tuple[DeckFile, ...]: ...
    @property
    def CARD_NAMES(self) -> Mapping[Card, str]: ...  # cards that do not show a number
    @property
    def EVENTS(self) -> Mapping[str, tuple[str, ...]]: ...  # the events, and what each one tells
    @property
    def TURN_RULE(self) -> str: ...  # the rule that says what a turn is
    @property
    def Phase(self) -> type[IntEnum]: ...  # what a table can wait for
    @property
    def PASSING(self) -> Sequence[int]: ...  # the phases in which nobody decides, but the last
    @property
    def Table(self) -> type[T]: ...
    @property
    def places(self) -> Places: ...  # where a card can lie, and who sees it there
    @property
    def actions(self) -> Actions: ...

    def to_shuffle(self, table: T) -> list[Card]:
        """The cards that must be shuffled before play goes on; mostly none."""

    def deal(self, table: T, shuffled: Sequence[Card]) -> None:
        """The cards of `to_shuffle` came in this order."""

    def waiting_for(self, table: T) -> list[Seat]:
        """Who has to decide; several at once for a secret choice."""

    def legal(self, table: T, seat: Seat) -> list[Action]:
        """Every action that this seat may take now."""

    def why_not(self, table: T, seat: Seat, action: Action) -> Refusal:
        """The rule against an action that is not legal."""

    def act(self, table: T, seat: Seat, action: Action) -> None:
        """An action, and all that happens up to the next decision."""

    def scores(self, table: T) -> list[int]:
        """The points counted so far, as the rules count them."""

    def best(self, options: Options) -> Best:
        """Whether the fewest or the most points win."""


class Game(Generic[T]):
    """Rules as they are played: nothing changes the table that it was given."""

    def __init__(self, rules: Rules[T]) -> None:
        self.rules: Any = rules  # for a game's own places and phases
        self.ID, self.TITLE, self.PREFIX = rules.ID, rules.TITLE, rules.PREFIX
        self.RULES, self.SEATS, self.CARDS = rules.RULES, rules.SEATS, rules.CARDS
        self.OPTIONS, self.DECK_FILES = rules.OPTIONS, rules.DECK_FILES
        self.CARD_NAMES, self.EVENTS = rules.CARD_NAMES, rules.EVENTS
        self.TURN_RULE = rules.TURN_RULE
        # What needs nothing added is the rules' own function, so that it costs nothing to ask.
        self.to_shuffle, self.waiting_for = rules.to_shuffle, rules.waiting_for
        self.legal, self.why_not = rules.legal, rules.why_not
        self.scores, self.best = rules.scores, rules.best
        for name in ("winners", "rounds", "facts"):  # where the rules say it themselves
            if hasattr(rules, name):
                setattr(self, name, getattr(rules, name))
        self.actions: Actions = rules.actions
        self.NOTATION: Mapping[Action, str] = rules.actions.notation
        self.FORMS: Mapping[str, tuple[str, str]] = rules.actions.forms
        self._act, self._deal, self._table = rules.act, rules.deal, rules.Table
        self._set_up: Callable[[T], None] = getattr(rules, "set_up", lambda table: None)
        self.own_side: Mapping[str, OwnSide] = getattr(rules, "OWN_SIDE", {})
        self.printed: Mapping[int, Sizes] = (
            rules.Table.PRINTED
        )  # without it there are no mini games
        self.check_sizes: Callable[[Sizes, int, Options], None] = getattr(
            rules, "check_sizes", lambda sizes, seats, options: None
        )
        self._phases = {
            int(phase): "dealing" if phase in rules.PASSING else phase.name.lower()
            for phase in rules.Phase
        }
        MADE.setdefault(module_name(rules), self)  # the first one is the game, whoever looks again

    def __reduce__(self) -> tuple[Any, ...]:
        """By its rules' name: modules cannot be copied or sent, and one game is enough."""
        return game_made_of, (module_name(self.rules),)

    # -- Playing ------------------------------------------------------------------------------

    def set_up(self, seats: int, options: Options, deck: Deck) -> T:
        """A table that waits for its first shuffle: all cards lie in the first place."""
        table = self._table(seats, options, deck)
        table.clear()[0] = tuple(self.CARDS)
        self._set_up(table)
        return table

    def places(self, table: T) -> dict[str, Place]:
        """Every place by its name, as tables are drawn."""
        return table.named_places()

    def deal(self, table: T, shuffled: Sequence[Card]) -> tuple[T, list[Event]]:
        """The table after the cards of `to_shuffle` came in this order."""
        table = table.changed()
        self._deal(table, shuffled)
        return table, table.events

    def apply(self, table: T, seat: Seat, action: Action) -> tuple[T, list[Event]]:
        """The table after an action, and all that happens up to the next decision."""
        allowed = self.legal(table, seat)
        if action not in allowed:
            raise illegal(seat, action, self.why_not(table, seat, action), self.NOTATION, allowed)
        table = table.changed()
        self._act(table, seat, action)
        return table, table.events

    def sizes(self, seats: int) -> dict[str, int]:
        """What a mini game can make smaller, as printed; nothing where there are none."""
        printed = self.printed.get(seats)
        return {} if printed is None else printed.as_options()

    # -- What a seat sees ---------------------------------------------------------------------

    def view(self, table: T, seat: Seat | None) -> View[T]:
        """What this seat sees, or a spectator."""
        return views.view(table, seat, [] if seat is None else self.legal(table, seat))

    def seen_alone(self, table: T, seat: Seat) -> list[tuple[Place, tuple[Card, ...]]]:
        """Of a view only the places that a spectator does not see: quicker, where nothing else is asked for."""
        return views.seen_alone(table, seat)

    def seen_by(self, event: Event, seat: Seat | None, options: Options) -> Event:
        """An event as this seat sees it: what is hidden from it is null."""
        hidden = self.own_side.get(event["event"])
        return event if hidden is None else views.seen_by(event, hidden, seat, options)

    def imagine(self, view: View[T], rng: Random) -> T:
        """A table that would give this very view: the unseen cards lie at random where they may."""
        return views.imagine(view, self.CARDS, self.legal, self.actions, rng)

    def before_choices(self, view: View[T]) -> View[T]:
        """The same knowledge with the others' secret choices still to come: where thinking starts, so that it
        makes no difference who was asked first."""
        return views.before_choices(view)

    # -- What is told of a table besides its cards --------------------------------------------

    @property
    def phases(self) -> list[str]:
        """The names of the phases in which somebody decides, and of the last."""
        return [name for name in self._phases.values() if name != "dealing"]

    def phase_name(self, table: T) -> str:
        """A phase in which nobody decides is `dealing`."""
        return self._phases[table.phase]

    def facts(self, table: T) -> dict[str, Any]:
        """The game's own facts, which are open to all."""
        return table.own_facts()

    # -- Points -------------------------------------------------------------------------------

    def rounds(self, table: T) -> Sequence[Sequence[int]]:
        """The points of every finished round, for games that have rounds."""
        return table.points

    def tally(self, table: T) -> list[list[Part]]:
        """By seat: how the points came about that were counted last; nothing where the rules do not say."""
        parts = getattr(self.rules, "parts", None)
        return [[] if parts is None else parts(table, seat) for seat in range(table.seats)]

    def winners(self, table: T) -> list[Seat]:
        """Who is best by the points counted so far."""
        return seats_with(self.best(table.options), self.scores(table))


MADE: dict[str, Game[Any]] = {}  # by the names of their rules


def module_name(rules: Any) -> str:
    return str(rules.__name__)


def game_made_of(rules: str) -> Game[Any]:
    """The game of a module of rules; for copies that were sent to another process, too."""
    return MADE[rules] if rules in MADE else Game(import_module(rules))
