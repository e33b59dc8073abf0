"""Weighing: the cheapest of several actions, and how likely others come in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from random import Random

from bullpen.cards import Card, Lying
from bullpen.game import Action


def cheapest(actions: Sequence[Action], cost: Callable[[Action], float], rng: Random) -> Action:
    """The action that costs least; among equals any of them."""
    costs = [cost(action) for action in actions]
    least = min(costs)
    return rng.choice([a for a, own in zip(actions, costs, strict=True) if own == least])


def unseen_cards(remembered: Lying, cards: Sequence[Card]) -> list[Card]:
    """The cards that lie nowhere in sight, ascending: in others' hands, or out of play."""
    in_sight = {card for place in remembered for card in place}
    return [card for card in cards if card not in in_sight]


def chance_of(hits: int, tries: int, of_hit: float) -> float:
    """How likely exactly so many of the tries hit."""
    return comb(tries, hits) * of_hit**hits * (1 - of_hit) ** (tries - hits)
