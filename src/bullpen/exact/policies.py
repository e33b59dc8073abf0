"""What a bot does in every information state: how likely each of its actions is.

A bot that draws lots with `rng.choice` alone, as most that think at once do, is asked with every lot in turn, so
that its policy is exact.  Any other bot is asked so many times, each time with other random numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from bullpen.bots import AT_ONCE, THINKING, Bot, bot_called, uniform
from bullpen.cards import Problem
from bullpen.exact.trees import GrownTree, Policy, Progress, no_progress
from bullpen.game import Action, Game, View

USUAL_SAMPLES = 16  # of an information state
USUAL_EFFORT = (
    "playouts=64"  # of a bot that thinks by the clock: what is measured must be the same again
)
MOST_LOTS = 64  # ways in which a bot may draw, to be asked with all of them


class NotByLots(Exception):
    """A bot asked for other random numbers than a lot."""


class Lots(Random):
    """Draws the lots that it is told to draw, and notes from how many."""

    def __init__(self, given: Sequence[int]) -> None:
        super().__init__(0)
        self.given, self.sizes = list(given), list[int]()

    def choice(self, seq: Any) -> Any:
        at = len(self.sizes)
        self.sizes.append(len(seq))
        return seq[self.given[at] if at < len(self.given) else 0]

    def random(self) -> float:
        raise NotByLots

    def getrandbits(self, k: int, /) -> int:  # noqa: ARG002
        raise NotByLots


def exact_choice(bot: Bot, game: Game[Any], view: View[Any]) -> dict[Action, float] | None:
    """How likely each action is; None for a bot that does not draw lots alone, or too many."""
    found: dict[Action, float] = {}
    ways: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    asked = 0
    while ways:
        given, share = ways.pop()
        lots = Lots(given)
        asked += 1
        if asked > MOST_LOTS:
            return None
        try:
            action = bot(game, view, lots)
        except NotByLots:
            return None
        if len(lots.sizes) == len(given):
            found[action] = found.get(action, 0.0) + share
            continue
        size = lots.sizes[len(given)]
        ways += [((*given, lot), share / size) for lot in range(size)]
    return found


@dataclass(frozen=True)
class BotPolicy:
    """A policy, and how it was found; of a bot that was asked several times also what each half of the answers
    says."""

    policy: Policy
    samples: int = 0  # of an information state; 0: exact
    halves: tuple[Policy, Policy] | None = None


def policy_of(
    tree: GrownTree,
    bot: Bot,
    samples: int = USUAL_SAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> BotPolicy:
    if bot is uniform.choose:
        return BotPolicy(tree.uniform())  # nobody needs to ask
    game = tree.mini.game
    policy, one, other = (np.zeros(len(tree.tree.action)) for _ in range(3))
    is_exact = True
    for info, view in enumerate(tree.views()):
        first, end = tree.tree.info_first[info : info + 2]
        actions = tree.actions(info)
        assert sorted(view.legal) == actions
        lots = exact_choice(bot, game, view)
        if lots is not None:
            shares = np.array([lots.get(action, 0.0) for action in actions])
            policy[first:end] = one[first:end] = other[first:end] = shares
        else:
            is_exact = False
            drawn = [
                bot(game, view, Random(f"{seed} {info} {sample}")) for sample in range(samples)
            ]
            policy[first:end] = shares_of(actions, drawn)
            one[first:end] = shares_of(actions, drawn[::2])
            other[first:end] = shares_of(actions, drawn[1::2])
        progress(info + 1, tree.infos)
    return BotPolicy(policy) if is_exact else BotPolicy(policy, samples, (one, other))


def shares_of(actions: Sequence[Action], drawn: Sequence[Action]) -> Policy:
    counted = Counter(drawn)
    return np.array([counted[action] / len(drawn) for action in actions])


def repeatable(name: str) -> str:
    """A bot's name with an effort that does not depend on the clock."""
    kind, colon, effort = name.partition(":")
    if kind in THINKING and not colon:
        return f"{kind}:{USUAL_EFFORT}"
    if kind not in AT_ONCE and effort.startswith("ms="):
        raise Problem("exact_by_clock", bot=name, instead=f"{kind}:{USUAL_EFFORT}")
    return name


def bot_to_ask(name: str) -> Bot:
    return bot_called(repeatable(name))
