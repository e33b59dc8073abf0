"""A deal under way, card by card, as explicit chance has it on a compiled twin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import compress

from bullpen.cards import Card


class Dealing:
    """It never changes: after a card there is another one."""

    __slots__ = ("cards", "dealt", "is_left", "missing")

    def __init__(
        self, cards: Sequence[Card], dealt: tuple[Card, ...], is_left: bytearray, missing: int
    ) -> None:
        self.cards = cards  # that are shuffled
        self.dealt = dealt
        self.is_left = is_left  # by card
        self.missing = missing  # cards until nothing depends on the rest

    @classmethod
    def of(cls, cards: Sequence[Card], matter: int, dealt: tuple[Card, ...] = ()) -> Dealing:
        is_left = bytearray(max(cards) + 1)
        for card in set(cards) - set(dealt):
            is_left[card] = 1
        return cls(cards, dealt, is_left, matter - len(dealt))

    def outcomes(self) -> list[tuple[Card, float]]:
        left = len(self.cards) - len(self.dealt)
        return list(compress(as_likely(len(self.is_left), left), self.is_left))

    def after(self, card: Card) -> Dealing:
        is_left = self.is_left.copy()
        is_left[card] = 0
        return Dealing(self.cards, (*self.dealt, card), is_left, self.missing - 1)

    def shuffle(self) -> list[Card]:
        """The cards that matter, and the others in any order."""
        return [*self.dealt, *(card for card in self.cards if self.is_left[card])]


@cache
def as_likely(numbers: int, left: int) -> list[tuple[Card, float]]:
    """Every number as an outcome where so many cards are left: to make the pairs anew for each card takes longer than to
    play on."""
    return [(card, 1 / left) for card in range(numbers)]
