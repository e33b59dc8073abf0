"""A deal under way, card by card, as explicit chance has it on a compiled twin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from bullpen.cards import Card


class Dealing:
    """It never changes: after a card there is another one."""

    __slots__ = ("cards", "dealt", "left", "matter")

    def __init__(
        self, cards: Sequence[Card], matter: int, dealt: tuple[Card, ...], left: list[Card]
    ) -> None:
        self.cards, self.matter = cards, matter  # to be shuffled, and how many of them matter
        self.dealt, self.left = dealt, left  # the latter ascending

    @classmethod
    def of(cls, cards: Sequence[Card], matter: int, dealt: tuple[Card, ...] = ()) -> Dealing:
        return cls(cards, matter, dealt, sorted(set(cards) - set(dealt)))

    def outcomes(self) -> list[tuple[Card, float]]:
        return list(zip(self.left, repeat(1 / len(self.left)), strict=False))

    def after(self, card: Card) -> Dealing:
        left = self.left.copy()
        left.remove(card)
        return Dealing(self.cards, self.matter, (*self.dealt, card), left)

    @property
    def is_complete(self) -> bool:
        return len(self.dealt) >= self.matter

    def shuffle(self) -> list[Card]:
        """The cards that matter, and the others in any order."""
        known = set(self.dealt)
        return [*self.dealt, *(card for card in self.cards if card not in known)]
