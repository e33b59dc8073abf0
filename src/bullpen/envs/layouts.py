"""What stands where in an observation: a list of numbers, the same length for one game, number of
players and set of options.

1. `places`: for every card a code that says where it lies; 0 where the seat cannot know it.
2. `links`, in games whose heaps come and go: for every card in a heap the card that the heap is named
   by.  In the positive variant of Baron Oxx: how deep a card lies in a draw pile.
3. `numbers`: the phase, who decides, points, counts.

Seats are counted clockwise from one's own, so the same numbers mean the same wherever one sits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.cards import Place
from bullpen.game import Game, Options, OptionValue, complete_options
from bullpen.games import (
    baron_oxx,
    bullenparty,
    eleven_nimmt,
    game_called,
    hornochsen,
    six_nimmt,
    x_nimmt,
)

Observation = NDArray[np.int16]
Mask = NDArray[np.int8]

MOST = 32767  # an entry is a 16-bit number: what is more, or less than its negative, stands as this


HEAP: Place = -1  # a code for cards in heaps that come and go, which have no place of their own


class Kind(NamedTuple):
    """What the observations of one game tell."""

    cards: int
    open_to_all: dict[str, Place]  # codes that do not depend on a seat, from 1 on
    by_seat: dict[str, Place]  # after them a block of codes for each, own seat first
    counted: tuple[str, ...]  # places of each seat of which the size is told
    over: int  # the last phase
    secret: tuple[int, Place]  # the phase of a secret choice, and where the chosen card lies
    own_numbers: tuple[str, ...] = ()  # of this game alone
    own_by_seat: tuple[str, ...] = ()  # the same, for every seat
    heaps: str = ""  # what `links` tells, where there are any


NO_SECRET = (-1, -1)


def rows(first: Place, count: int) -> dict[str, Place]:
    return {f"row {row}": first + row for row in range(1, count + 1)}


KINDS: dict[str, Kind] = {
    "hornochsen": Kind(
        cards=len(hornochsen.CARDS),
        open_to_all={"box": hornochsen.BOX, "end of a row": HEAP, "in a row": HEAP},
        by_seat={"hand": hornochsen.HAND, "pile": hornochsen.PILE},
        counted=("hand", "pile"),
        over=hornochsen.OVER,
        secret=NO_SECRET,
        own_numbers=("played",),
        heaps="end of its row",
    ),
    "eleven-nimmt": Kind(
        cards=len(eleven_nimmt.CARDS),
        open_to_all={
            "top of a stack": HEAP,
            "top of a stack played on": HEAP,
            "under a top": HEAP,
        },
        by_seat={"hand": eleven_nimmt.HAND},
        counted=("hand",),
        over=eleven_nimmt.OVER,
        secret=NO_SECRET,
        own_numbers=("rounds played", "starter", "draw pile", "stacks played on", "last name"),
        own_by_seat=("bull cards",),
        heaps="top of its stack",
    ),
    "x-nimmt": Kind(
        cards=len(x_nimmt.CARDS),
        open_to_all={
            **rows(x_nimmt.ROW, len(x_nimmt.ROWS)),
            "collected": x_nimmt.COLLECTED,
        },
        by_seat={
            "hand": x_nimmt.HAND,
            "laid": x_nimmt.LAID,
            "x row": x_nimmt.X_ROW,
            "x pile": x_nimmt.X_PILE,
        },
        counted=("hand", "x pile"),
        over=x_nimmt.OVER,
        secret=(x_nimmt.LAYING, x_nimmt.LAID),
        own_numbers=("rounds played",),
    ),
    "baron-oxx": Kind(
        cards=len(baron_oxx.CARDS),
        open_to_all=rows(baron_oxx.ROW, len(baron_oxx.ROWS)),
        by_seat={
            "hand": baron_oxx.HAND,
            "laid": baron_oxx.LAID,
            "draw": baron_oxx.DRAW,
            "bull pile": baron_oxx.BULL_PILE,
        },
        counted=("hand", "draw", "bull pile"),
        over=baron_oxx.OVER,
        secret=(baron_oxx.LAYING, baron_oxx.LAID),
        own_numbers=(
            "games played",
            "gone under",
            *(f"end of row {row}" for row in baron_oxx.ROWS),
        ),
        heaps="depth in its draw pile",  # in the positive variant alone
    ),
    "bullenparty": Kind(
        cards=len(bullenparty.CARDS),
        open_to_all={
            "box": bullenparty.BOX,
            "draw": bullenparty.DRAW,
            "discard": bullenparty.DISCARD,
            "drawn": bullenparty.DRAWN,
            "bull supply": bullenparty.BULL_SUPPLY,
        },
        by_seat={
            "row": bullenparty.ROW + 1,
            "hand": bullenparty.HAND,
            "bid": bullenparty.BID,
            "won": bullenparty.WON,
            "top of a pile": HEAP,
            "under a top": HEAP,
        },
        counted=("hand",),
        over=bullenparty.OVER,
        secret=(bullenparty.BIDDING, bullenparty.BID),
        own_numbers=("last round", "draw pile", "discard pile"),
        own_by_seat=("bidding", "took as"),
        heaps="top of its pile",
    ),
    "six-nimmt": Kind(
        cards=len(six_nimmt.CARDS),
        open_to_all={"box": six_nimmt.BOX, **rows(six_nimmt.ROW, len(six_nimmt.ROWS))},
        by_seat={"hand": six_nimmt.HAND, "laid": six_nimmt.LAID, "taken": six_nimmt.TAKEN},
        counted=("hand", "taken"),
        over=six_nimmt.OVER,
        secret=(six_nimmt.LAYING, six_nimmt.LAID),
        own_numbers=("rounds played",),
    ),
}
ROWS_BY_NUMBER = "row"  # Bullenparty has as many rows as seats; these do not turn with the seat


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
            "last round": 1,
            "played": hornochsen.CARDS_A_TURN,
        }
        return known.get(name, self.cards)

    def planes(self, observations: Observation) -> NDArray[np.float32]:
        """The same for a network: a 0-1 plane for every place but the unknown one, and the rest scaled;
        [..., length] becomes [..., planes_length]."""
        codes = observations[..., : self.cards, None]
        shown = (codes == np.arange(1, len(self.places), dtype=np.int16)).astype(np.float32)
        flat = shown.reshape(*observations.shape[:-1], -1)
        scale = np.minimum(self.high[self.cards :], 100).astype(np.float32)
        rest = observations[..., self.cards :].astype(np.float32) / scale
        return np.concatenate([flat, rest], axis=-1)

    @cached_property
    def planes_length(self) -> int:
        return self.cards * (len(self.places) - 2) + self.length


def layout(game: str, seats: int, options: Mapping[str, OptionValue] | None = None) -> Layout:
    """The layout of a game's observations; refuses options and seats that the game does not have."""
    rules = game_called(game)
    return layout_of(rules, seats, complete_options(rules, seats, options or {}))


def layout_of(rules: Game[Any], seats: int, options: Options) -> Layout:
    """The same for options that are known to be complete."""
    return _layout(rules.ID, seats, options.get("variant", POSITIVE))


POSITIVE = "positive"  # the one variant of Baron Oxx with links; all other games have theirs always


@cache
def _layout(game: str, seats: int, variant: OptionValue) -> Layout:
    kind, own_first = KINDS[game], range(seats)
    places = ["unknown", *kind.open_to_all]
    for name in kind.by_seat:
        first = 1 if name == ROWS_BY_NUMBER else 0
        places += [f"{name} {seat + first}" for seat in own_first]
    numbers = ["phase", "actor", *(f"points {seat}" for seat in own_first)]
    numbers += [f"cards in {name} {seat}" for name in kind.counted for seat in own_first]
    numbers += kind.own_numbers
    numbers += [f"{name} {seat}" for name in kind.own_by_seat for seat in own_first]
    return Layout(
        game,
        seats,
        actions_of(game),
        tuple(places),
        kind.cards,
        kind.heaps if variant == POSITIVE else "",
        tuple(numbers),
        kind.over,
    )


@cache
def actions_of(game: str) -> int:
    """The length of a mask."""
    return max(game_called(game).NOTATION) + 1
