"""Weighing: the cheapest of several actions, and how likely other players come in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import comb
from random import Random
from typing import TypeVar

from bullpen.cards import Card, Lying, Place

Choice = TypeVar("Choice")


def cheapest(choices: Sequence[Choice], cost: Callable[[Choice], float], rng: Random) -> Choice:
    """What costs least; among equals any of them."""
    costs = [cost(choice) for choice in choices]
    least = min(costs)
    return rng.choice([choice for choice, own in zip(choices, costs, strict=True) if own == least])


def others_may_hold(remembered: Lying, cards: Iterable[Card], hands: Iterable[Place]) -> list[Card]:
    """The cards that may lie in these hands, ascending: those seen going there, and the unseen ones."""
    known = {card for hand in hands for card in remembered[hand]}
    in_sight = {card for place in remembered for card in place} - known
    return [card for card in cards if card not in in_sight]


def chance_of(hits: int, tries: int, of_hit: float) -> float:
    """How likely exactly so many of the tries hit."""
    return float(comb(tries, hits) * of_hit**hits * (1 - of_hit) ** (tries - hits))
