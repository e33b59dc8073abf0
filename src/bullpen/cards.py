"""Cards and the places where they lie.

A card is a number; special, bull and zero cards have numbers above the number cards.  The state of
play of every game is *where the cards lie*: `table.lying[place]` is the tuple of cards in a place, in
the order in which they lie there.  A view is the same list with some cards turned down (`UNSEEN`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

Card = int
Place = int
Seat = int
Action = int
Lying = list[tuple[Card, ...]]  # by place: the cards that lie there, in their order

UNSEEN: Card = 0  # in a view: a card whose face one may not see


class Problem(ValueError):
    """Bad input: a key that `text.py` turns into a sentence, and the facts that it needs."""

    def __init__(self, key: str, /, **facts: Any) -> None:
        self.key, self.facts = key, facts
        shown = ", ".join(f"{name} {value}" for name, value in facts.items())
        super().__init__(f"{key.replace('_', ' ')} ({shown})" if shown else key.replace("_", " "))

    def __str__(self) -> str:
        """The sentence, where there is one, and the key: what a traceback ends with is read by people."""
        # By name, because the sentences lie in a layer above, and nothing here depends on them.
        voice = import_module("bullpen.text").voice("en")
        try:
            return f"{voice.problem(self)} ({self.key.replace('_', ' ')})"
        except LookupError:  # a kind of problem that has its words elsewhere
            return super().__str__()


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def mask(cards: Iterable[Card]) -> int:
    """A set of cards as one number; a table keeps in one such number which cards all have seen."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


# -- Hidden cards -----------------------------------------------------------------------------


# By how many they are: views are made of these by the dozen, and no game has more cards than this.
FACE_DOWN = [(UNSEEN,) * count for count in range(256)]


def turned_down(cards: Sequence[Card]) -> tuple[Card, ...]:
    return FACE_DOWN[len(cards)]
