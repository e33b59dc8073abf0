"""What a policy loses against the best response to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bullpen.exact.policies import BotPolicy
from bullpen.exact.trees import GrownTree, Policy
from bullpen.game import Seat


@dataclass(frozen=True)
class Answer:
    """Of a policy that every seat follows: what each seat expects, and how much more the best response brings it.

    Where a bot was asked several times, the gains are at most these on average, and at least `least_gains`: what a
    best response to one half of the answers brings against the other half."""

    states: int
    infos: int
    spread: float  # the standard deviation of a lead in random play
    values: tuple[float, ...]  # by seat
    gains: tuple[float, ...]
    least_gains: tuple[float, ...]
    samples: int = 0  # of an information state; 0: exact

    @property
    def exploitability(self) -> float:
        """The mean of the gains: with two seats NashConv / 2, as OpenSpiel counts it."""
        return sum(self.gains) / len(self.gains)

    @property
    def least(self) -> float:
        return sum(self.least_gains) / len(self.least_gains)

    def as_json(self) -> dict[str, Any]:
        return {
            "states": self.states,
            "information_states": self.infos,
            "spread": self.spread,
            "values": list(self.values),
            "gains": list(self.gains),
            "exploitability": self.exploitability,
            "at_least": self.least,
            "of_the_spread": self.exploitability / self.spread if self.spread else 0.0,
            "samples": self.samples,
        }


def answer(tree: GrownTree, found: BotPolicy) -> Answer:
    seats = range(tree.mini.seats)
    values = [tree.value(found.policy, seat) for seat in seats]
    gains = [tree.best_response(found.policy, seat)[0] - values[seat] for seat in seats]
    least = gains
    if found.halves is not None:
        least = [crossed(tree, found.halves, seat) - values[seat] for seat in seats]
    return Answer(
        tree.states,
        tree.infos,
        tree.spread(),
        tuple(values),
        tuple(gains),
        tuple(least),
        found.samples,
    )


def crossed(tree: GrownTree, halves: tuple[Policy, Policy], seat: Seat) -> float:
    """What the best response to one half of the answers brings against the other half, both ways."""
    is_own = np.repeat(tree.tree.info_seat == seat, np.diff(tree.tree.info_first))
    found = 0.0
    for learnt, met in (halves, halves[::-1]):
        _, best = tree.best_response(learnt, seat)
        found += tree.value(np.where(is_own, best, met), seat) / 2
    return found
