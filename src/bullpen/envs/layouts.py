"""What stands where in an observation: a list of numbers, the same length for one game, number of
players and set of options.

1. `places`: for every card a code that says where it lies; 0 where the seat cannot know it.
2. `links`, in games whose heaps come and go: for every card in a heap the card that the heap is named
   by.  In the positive variant of Baron Oxx: how deep a card lies in a draw pile.
3. `numbers`: the phase, who decides, points, counts.

Seats are counted clockwise from one's own, so the same numbers mean the same wherever one sits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.about import whole
from bullpen.cards import Place
from bullpen.game import Game, Options, OptionValue, complete_options
from bullpen.games import game_called, package
from bullpen.places import ALIKE, ASIDE, FACE_DOWN, HELD, SHUFFLED, UNKNOWN

Observation = NDArray[np.int16]
Mask = NDArray[np.int8]

MOST = int(
    np.iinfo(np.int16).max
)  # an entry is a 16-bit number: what is more, or less than its negative, stands as this


HEAP: Place = -1  # a code for cards in heaps that come and go, which have no place of their own
NO_SECRET = (-1, -1)
UNSEEN_SIGHTS = (
    UNKNOWN,
    ASIDE,
    ALIKE,
)  # places of which nobody knows anything, or of which nothing is to know
COUNTED = (HELD, FACE_DOWN, SHUFFLED, UNKNOWN)  # hidden places of seats, of which the size is known


class Kind(NamedTuple):
    """What the observations of one game tell."""

    cards: int
    open_to_all: dict[str, Place]  # codes that do not depend on a seat, from 1 on
    by_seat: dict[str, Place]  # after them a block of codes for each, own seat first
    numbered: str | None  # the one of these that does not turn with the seat: as many rows as seats
    counted: dict[str, Place]  # places of each seat of which the size is known
    over: int  # the last phase
    secret: tuple[int, Place]  # the phase of a secret choice, and where the chosen card lies


@cache
def kind_of(game_id: str) -> Kind:
    """From the places that a game declares; what its folder adds are names."""
    game = game_called(game_id)
    visible = [family for family in game.rules.places.families if family.sight not in UNSEEN_SIGHTS]
    open_to_all: dict[str, Place] = {}
    by_seat: dict[str, Place] = {}
    for family in visible:
        name = extra(game_id, "CODE_NAMES", {}).get(family.name, family.name)
        if family.kind == "heap":
            codes = dict.fromkeys(heap_codes(game_id), HEAP)
            (by_seat if family.owned else open_to_all).update(codes)
        elif family.kind == "seat":
            by_seat[name] = family.first
        elif family.one_a_seat:
            by_seat[name] = family.first + 1
        elif family.kind == "number":
            open_to_all |= {f"{name} {at}": family.first + at for at in range(1, family.room + 1)}
        else:
            open_to_all[name] = family.first
    secret = next((family for family in visible if family.secret_in >= 0), None)
    return Kind(
        len(game.CARDS),
        open_to_all,
        by_seat,
        next((family.name for family in visible if family.one_a_seat), None),
        {
            family.name: family.first
            for family in game.rules.places.families
            if family.kind == "seat" and family.sight in COUNTED
        },
        max(game.rules.Phase),
        (secret.secret_in, secret.first) if secret else NO_SECRET,
    )


def extra(game: str, name: str, default: Any) -> Any:
    """What a game's folder tells of its observations, in `__init__.py`, where it does."""
    return getattr(package(game), name, default)


def heap_codes(game: str) -> tuple[str, ...]:
    """Of the card that names a heap, and last of the others in it."""
    heap = game_called(game).rules.places.heap
    usual = () if heap is None else (f"top of a {heap.name}", "under a top")
    codes: tuple[str, ...] = extra(game, "HEAP_CODES", usual)
    return codes


def links_of(game: str, options: Options) -> str:
    """What `links` tells; empty where there are none."""
    heap = game_called(game).rules.places.heap
    usual = "" if heap is None else f"top of its {heap.name}"
    links: Callable[[Options], str] = extra(game, "meaning_of_links", lambda _: usual)
    return links(options)


ROUNDS_PLAYED = ("rounds played",)


@dataclass(frozen=True)
class Layout:
    """Where in an observation what stands; see docs/environments.md."""

    game: str
    seats: int
    actions: int  # the length of a mask
    places: tuple[str, ...]  # by code: the name of the place; code 0 is unknown
    cards: int
    heaps: str  # what `links` tells; empty where there are none
    numbers: tuple[str, ...]
    over: int  # the last phase
    sooner: int = 0  # by so many cards the rows of a mini game are full

    @cached_property
    def length(self) -> int:
        return self.cards * (2 if self.heaps else 1) + len(self.numbers)

    @cached_property
    def first_number(self) -> int:
        return self.length - len(self.numbers)

    def at(self, name: str) -> int:
        """The index of a number: `at("points 0")`."""
        return self.first_number + self.numbers.index(name)

    def code(self, name: str) -> int:
        """The code of a place: `code("hand 0")` is one's own hand."""
        return self.places.index(name)

    @cached_property
    def low(self) -> Observation:
        low = np.zeros(self.length, np.int16)
        for name in self.numbers:
            low[self.at(name)] = -MOST if name.startswith("points") else 0
        return low

    @cached_property
    def high(self) -> Observation:
        """The most that can stand in each entry."""
        high = np.full(self.length, self.cards, np.int16)
        high[: self.cards] = len(self.places) - 1
        for name in self.numbers:
            high[self.at(name)] = self._most(name)
        return high

    def _most(self, name: str) -> int:
        if name.startswith("points") or name in ("rounds played", "games played"):
            return MOST
        known = {
            "phase": self.over,
            "actor": self.seats + 1,
            "starter": self.seats - 1,
            **extra(self.game, "MOST", {}),
        }
        most: int = known.get(name, self.cards)
        return most

    def planes(self, observations: Observation) -> NDArray[np.float32]:
        """The same for a network: a 0-1 plane for every place but the unknown one, and the rest scaled;
        [..., length] becomes [..., planes_length]."""
        shown = self._planes_by_code.take(observations[..., : self.cards], axis=0)
        flat = shown.reshape(*observations.shape[:-1], -1)
        rest = observations[..., self.cards :] / self._scale
        return np.concatenate([flat, rest], axis=-1)

    @cached_property
    def _planes_by_code(self) -> NDArray[np.float32]:
        """One 1 for every place but the unknown one."""
        return np.eye(len(self.places), dtype=np.float32)[:, 1:].copy()

    @cached_property
    def _scale(self) -> NDArray[np.float32]:
        return np.minimum(self.high[self.cards :], 100).astype(np.float32)

    @cached_property
    def planes_length(self) -> int:
        return self.cards * (len(self.places) - 2) + self.length


def layout(game: str, seats: int, options: Mapping[str, OptionValue] | None = None) -> Layout:
    """The layout of a game's observations; refuses options and seats that the game does not have."""
    rules = game_called(game)
    return layout_of(rules, seats, complete_options(rules, seats, options or {}))


def layout_of(rules: Game[Any], seats: int, options: Options) -> Layout:
    """The same for options that are known to be complete."""
    printed = rules.sizes(seats).get("full_at", 0)
    sooner = printed - whole(options.get("full_at", printed))
    return _layout(rules.ID, seats, links_of(rules.ID, options), sooner)


@cache
def _layout(game: str, seats: int, links: str, sooner: int) -> Layout:
    kind, own_first = kind_of(game), range(seats)
    places = ["unknown", *kind.open_to_all]
    for name in kind.by_seat:
        first = 1 if name == kind.numbered else 0
        places += [f"{name} {seat + first}" for seat in own_first]
    numbers = ["phase", "actor", *(f"points {seat}" for seat in own_first)]
    numbers += [f"cards in {name} {seat}" for name in kind.counted for seat in own_first]
    numbers += extra(game, "OWN_NUMBERS", ROUNDS_PLAYED)
    numbers += [f"{name} {seat}" for name in extra(game, "OWN_BY_SEAT", ()) for seat in own_first]
    return Layout(
        game,
        seats,
        actions_of(game),
        tuple(places),
        kind.cards,
        links,
        tuple(numbers),
        kind.over,
        sooner,
    )


@cache
def actions_of(game: str) -> int:
    """The length of a mask."""
    return max(game_called(game).NOTATION) + 1
