"""Walks through the games: every way to set one up, and random moves from the first shuffle on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from bullpen.cards import Card
from bullpen.deck import Deck, load_deck
from bullpen.game import (
    Action,
    Event,
    Game,
    OneOf,
    Option,
    OptionValue,
    Seat,
    SeatNumber,
    Switch,
    WholeNumber,
    complete_options,
    drawn,
)
from bullpen.games import GAMES
from bullpen.trace import choose

# A move that begins so is taken more often than others, to reach corners that uniform play does not.
PREFER = {
    "hornochsen": ("stop", "x2", "+5", "play"),
    "eleven-nimmt": ("end", "take", "play", "bull"),
    "x-nimmt": ("row 1", "keep", "play 1"),
    "baron-oxx": ("row 5", "play 1"),
    "bullenparty": ("bid 0", "bid", "take", "extend 1", "pile"),
    "six-nimmt": ("row 4", "play 1"),
}


# Mini games that every promise is tested with, too; those that need more than there are seats for are left out.
MINI: dict[str, list[dict[str, OptionValue]]] = {
    "hornochsen": [
        {"hand": 2, "rows": 6, "full_at": 3, "cards": 20},
        {"hand": 1, "full_at": 3},
    ],
    "x-nimmt": [
        {"hand": 2, "rows": 2, "full_at": 2, "cards": 10},
        {"hand": 3, "rows": 1, "cards": 15},
        {"cards": 50},
    ],
    "six-nimmt": [
        {"hand": 2, "rows": 2, "full_at": 3, "cards": 24},
        {"hand": 3, "rows": 1, "full_at": 2, "cards": 40},
        {"hand": 2, "rows": 3, "full_at": 2, "deck": "tactical"},
    ],
}


# -- Setting up -------------------------------------------------------------------------------


class Setup(NamedTuple):
    game: Game[Any]
    seats: int
    options: dict[str, OptionValue]  # all of them
    deck: Deck

    def __repr__(self) -> str:
        return f"{self.game.ID} with {self.seats} seats and {self.options}"


@cache
def deck_of(game: str) -> Deck:
    return load_deck(GAMES[game].DECK_FILES)


def set_up(game: Game[Any], seats: int, **options: OptionValue) -> Setup:
    return Setup(game, seats, complete_options(game, seats, options), deck_of(game.ID))


def values_of(option: Option, seats: int) -> list[OptionValue]:
    """Every value of an option; of the numbers the least one and the default."""
    match option.kind:
        case OneOf(values):
            return list(values)
        case Switch():
            return [False, True]
        case SeatNumber():
            return list(range(seats))
        case WholeNumber(least):
            return [*sorted({least, int(option.default(seats) or least)})]
        case _:
            return [None, 1, 2]


def every_setup(game: Game[Any], seats: int) -> Iterator[Setup]:
    """Every combination of options but for `memory_aid`, on which nothing in a game depends."""
    values = {o.name: values_of(o, seats) for o in game.OPTIONS if o.name != "memory_aid"}
    for chosen in product(*values.values()):
        yield set_up(game, seats, **dict(zip(values, chosen, strict=True)))


def mini_setups(game: Game[Any], seats: int) -> list[Setup]:
    return [set_up(game, seats, **smaller) for smaller in MINI.get(game.ID, [])]


@st.composite
def setups(draw: st.DrawFn, game: Game[Any]) -> Setup:
    seats = draw(st.sampled_from(game.SEATS))
    values = {o.name: draw(st.sampled_from(values_of(o, seats))) for o in game.OPTIONS}
    if game.ID in MINI and draw(st.integers(0, 3)) == 0:
        smaller = draw(st.sampled_from(MINI[game.ID]))
        values = {name: value for name, value in values.items() if name not in ("rounds", "deck")}
        return set_up(game, seats, **values, **smaller)
    return set_up(game, seats, **values)


SEEDS = st.integers(0, 2**32)
LONGEST = 5000  # shuffles and decisions; no game comes near


# -- Walking ----------------------------------------------------------------------------------


class Step(NamedTuple):
    """A shuffle or a decision, and the tables before and after it."""

    before: Any
    seat: Seat | None  # None: a shuffle
    action: Action
    shuffled: list[Card]
    after: Any
    events: list[Event]


def walk(setup: Setup, seed: int, prefer: str = "") -> Iterator[Step]:
    """A game of random moves; those of a secret choice come in any order of seats."""
    game, rng = setup.game, Random(seed)
    table = game.set_up(setup.seats, setup.options, setup.deck)
    for _ in range(LONGEST):
        before = table
        if cards := game.to_shuffle(table):
            rng.shuffle(cards)
            table, events = game.deal(table, cards)
            yield Step(before, None, 0, cards, table, events)
        elif waiting := game.waiting_for(table):
            seat = rng.choice(waiting)
            action = choose(game, game.legal(table, seat), prefer, rng)
            table, events = game.apply(table, seat, action)
            yield Step(before, seat, action, [], table, events)
        else:
            return
    raise AssertionError(f"{setup}, seed {seed}, never ends")


def facts(table: Any) -> dict[str, Any]:
    """All that a table says, in a form that does not change with it."""
    return {f.name: frozen(getattr(table, f.name)) for f in fields(table) if f.compare}


def frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple(value.items())
    return tuple(value) if isinstance(value, list) else value


class Walk(NamedTuple):
    """A game of random moves: enough to walk it again."""

    setup: Setup
    seed: int
    prefer: str

    def steps(self) -> Iterator[Step]:
        return walk(*self)


class Beginning(NamedTuple):
    """A game played up to some table that waits for a decision, or to its end."""

    walk: Walk
    steps: list[Step]

    @property
    def setup(self) -> Setup:
        return self.walk.setup

    @property
    def table(self) -> Any:
        return self.steps[-1].after

    def __repr__(self) -> str:
        game = self.setup.game
        return f"{self.walk} after {len(self.steps)} steps\n{drawn(game, self.table, self.table.lying)}"


def preferences(game: Game[Any]) -> st.SearchStrategy[str]:
    return st.sampled_from(("", *PREFER[game.ID]))


@st.composite
def walks(draw: st.DrawFn, game: Game[Any]) -> Walk:
    return Walk(draw(setups(game)), draw(SEEDS), draw(preferences(game)))


@st.composite
def beginnings(draw: st.DrawFn, game: Game[Any], longest: int = 250) -> Beginning:
    walked = draw(walks(game))
    length, steps = draw(st.integers(0, longest)), []
    for step in walked.steps():
        steps.append(step)
        if len(steps) > length and not game.to_shuffle(step.after):
            break
    return Beginning(walked, steps)
