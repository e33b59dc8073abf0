"""The random numbers of deals: the same seed deals the same game in every environment, plain or compiled.

A seed is spread by NumPy's `SeedSequence`, so that the games of one seed share nothing with those of the next.
Compiled code draws its deals from the same stream (`bullpen.fast.words.below`); nothing else draws from it, so
whoever plays how, the cards come as they would have come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from secrets import randbits
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.cards import Card, Problem
from bullpen.game import Game
from bullpen.games import package

WORD = (1 << 64) - 1
OF_MOVES = 0x5851F42D4C957F2D  # what tells a game's stream of moves from that of its deals
Shuffles = Sequence[Sequence[Card]]


def checked_seed(seed: object) -> int:
    """A seed as it was given, or one that nobody can know."""
    if seed is None:
        return randbits(62)
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or seed < 0:
        raise Problem("env_seed", seed=repr(seed))
    return int(seed)


def streams(seed: int, count: int) -> NDArray[np.uint64]:
    """Where the streams of so many games begin; the first one is that of a single game with this seed."""
    return np.random.SeedSequence(seed).generate_state(count, np.uint64) | np.uint64(1)


def streams_of_moves(deals: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A second stream beside each, for moves."""
    return (deals * np.uint64(OF_MOVES)) ^ (deals >> np.uint64(29)) | np.uint64(1)


class Chance:
    """One game's stream of deals; shuffles that were asked for come first."""

    def __init__(self, seed: int | None = None) -> None:
        self.stream = streams(checked_seed(seed), 1)  # compiled code draws from it, too
        self._wanted: list[list[Card]] = []

    def expect(self, shuffles: Shuffles) -> None:
        """These are the next shuffles, whatever the stream would say."""
        self._wanted = [list(cards) for cards in shuffles]

    def asked_for(self, cards: Sequence[Card]) -> list[Card] | None:
        """These cards as the next shuffle has to have them, where that was asked for."""
        return checked_shuffle(self._wanted.pop(0), cards) if self._wanted else None

    def shuffled(self, game: Game[Any], table: Any) -> list[Card]:
        """The cards that the table wants, in their new order; only those that matter are moved."""
        cards = game.to_shuffle(table)
        if (asked := self.asked_for(cards)) is not None:
            return asked
        for at in range(cards_that_matter(game, table, len(cards))):
            other = at + self._below(len(cards) - at)
            cards[at], cards[other] = cards[other], cards[at]
        return cards

    def _below(self, limit: int) -> int:
        """As `bullpen.fast.words.below` draws it."""
        at = int(self.stream[0])
        at ^= at >> 12
        at ^= at << 25 & WORD
        at ^= at >> 27
        self.stream[0] = at
        return ((at * 0x2545F4914F6CDD1D & WORD) >> 32) * limit >> 32


def cards_that_matter(game: Game[Any], table: Any, count: int) -> int:
    """How many cards of a shuffle lie where their order put them; a draw pile is in order down to its last."""
    dealt = getattr(package(game.ID), "cards_dealt", None)
    return count if dealt is None else min(count, int(dealt(table)))


# -- Shuffles that were asked for -------------------------------------------------------------------


def wanted_shuffles(options: Any) -> Shuffles:
    """What `reset(options={"shuffle": …})` asks for: one shuffle, or one after the other, as records have them."""
    shuffle = (options or {}).get("shuffle")
    if shuffle is None:
        return []
    if not isinstance(shuffle, Iterable) or isinstance(shuffle, (str, bytes)):
        raise Problem("env_shuffle", given=repr(shuffle))
    cards = list(shuffle)
    if cards and all(isinstance(card, (int, np.integer)) for card in cards):
        return [[int(card) for card in cards]]
    if not all(isinstance(one, Iterable) and not isinstance(one, (str, bytes)) for one in cards):
        raise Problem("env_shuffle", given=repr(shuffle)[:80])
    return [list(one) for one in cards]


def checked_shuffle(given: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    if sorted(given, key=str) != sorted(cards, key=str):
        raise Problem("env_shuffle_cards", given=len(given), needed=len(cards))
    return [int(card) for card in given]
