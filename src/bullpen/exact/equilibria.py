"""Equilibria of mini games: found by CFR+, kept in files.

A file holds how likely each action is, a byte each, in the order in which the tree of the game has its information
states; what stands in it besides was measured on just these bytes.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bullpen.cards import Problem
from bullpen.exact.answers import Answer, answer
from bullpen.exact.policies import BotPolicy
from bullpen.exact.trees import GrownTree, MiniGame, Policy, mini_game
from bullpen.game import Game, Options, OptionValue
from bullpen.games import GAMES, folder_of, game_called

FOLDER = "equilibria"  # in a game's folder
FORMAT = 1
A_BYTE = 255
LOOK_EVERY = 10  # steps, to see how near it has come
USUAL_SHARE = 0.005  # of the spread: near enough to stop
MOST_STEPS = 5000

Progress = Callable[[int, float], None]  # after so many steps, the exploitability


def no_word(steps: int, exploitability: float) -> None:
    """Nobody watches."""


# -- Finding one ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solution:
    packed: bytes  # as a file keeps the policy: a byte an action
    policy: Policy  # what these bytes say, which was measured
    steps: int
    answer: Answer


def solve(
    tree: GrownTree,
    share: float = USUAL_SHARE,
    most: int = MOST_STEPS,
    progress: Progress = no_word,
) -> Solution:
    """CFR+ with alternating steps and averages that weigh later steps more, until the exploitability is at most this
    share of the spread, or after so many steps.  For two seats: with more it leads nowhere for sure."""
    if tree.mini.seats != 2:
        raise Problem("exact_solve_seats", mini=tree.mini.title, seats=tree.mini.seats)
    size, nodes = len(tree.tree.action), len(tree.tree.seat)
    regrets, policy, sums = (np.zeros(size) for _ in range(3))
    own, others, value = (np.zeros(nodes) for _ in range(3))
    enough = share * tree.spread()
    steps = 0
    while True:
        steps += 1
        for seat in range(tree.mini.seats):
            tree.fast.improve(
                tree.tree, seat, float(steps), regrets, policy, sums, own, others, value
            )
        if steps % LOOK_EVERY and steps < most:
            continue
        tree.fast.averaged(tree.tree, sums, policy)
        packed = bytes_of(policy)
        found = answer(tree, BotPolicy(policy_from(tree, packed)))
        progress(steps, found.exploitability)
        if found.exploitability <= enough or steps >= most:
            return Solution(packed, policy_from(tree, packed), steps, found)


def bytes_of(policy: Policy) -> bytes:
    return np.round(policy * A_BYTE).astype(np.uint8).tobytes()


def policy_from(tree: GrownTree, packed: bytes) -> Policy:
    weights = np.frombuffer(packed, np.uint8).astype(np.float64)
    sizes = np.diff(tree.tree.info_first)
    totals = np.add.reduceat(weights, tree.tree.info_first[:-1])
    policy: Policy = weights / np.repeat(totals, sizes)
    return policy


# -- Keeping it -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Equilibrium:
    """A file: what it is of, what was measured, and the policy."""

    mini: MiniGame
    states: int
    infos: int
    steps: int
    exploitability: float
    spread: float
    packed: bytes

    def policy(self, tree: GrownTree) -> Policy:
        """For the tree of its game."""
        if (tree.states, tree.infos) != (self.states, self.infos) or (
            len(self.packed) != len(tree.tree.action)
        ):
            raise Problem("exact_other_tree", mini=self.mini.title)
        return policy_from(tree, self.packed)


def given_options(mini: MiniGame) -> dict[str, OptionValue]:
    """Those that are not what they would be anyway."""
    names = mini.game.sizes(mini.seats)
    sizes = {name: mini.options[name] for name in names if name in mini.options}
    usual = mini_game(mini.game, mini.seats, sizes).options
    return {name: value for name, value in mini.options.items() if usual[name] != value} | sizes


def command_for(mini: MiniGame) -> str:
    words = [f"--option {name}={value}" for name, value in given_options(mini).items()]
    return f"bullpen exploit --solve --game {mini.game.ID} --players {mini.seats} {' '.join(words)}"


def written(mini: MiniGame, found: Solution) -> str:
    facts = {
        "format": FORMAT,
        "game": mini.game.ID,
        "players": mini.seats,
        "options": given_options(mini),
        "states": found.answer.states,
        "information_states": found.answer.infos,
        "steps": found.steps,
        "exploitability": round(found.answer.exploitability, 6),
        "spread": round(found.answer.spread, 6),
        "made_by": command_for(mini),
        "policy": base64.b64encode(zlib.compress(found.packed, 9)).decode(),
    }
    return json.dumps(facts, indent=1) + "\n"


def file_name(mini: MiniGame) -> str:
    words = [f"{name}-{value}" for name, value in given_options(mini).items()]
    return "-".join([f"{mini.seats}-players", *words]) + ".json"


def read(path: Path) -> Equilibrium:
    facts: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return Equilibrium(
        mini_game(game_called(facts["game"]), facts["players"], facts["options"]),
        facts["states"],
        facts["information_states"],
        facts["steps"],
        facts["exploitability"],
        facts["spread"],
        zlib.decompress(base64.b64decode(facts["policy"])),
    )


def ladder(game: Game[Any] | None = None) -> list[Equilibrium]:
    """The equilibria that come with the games, the smallest of each game first."""
    games = GAMES.values() if game is None else [game]
    found = [[read(file) for file in (folder_of(one) / FOLDER).glob("*.json")] for one in games]
    return [one for of_game in found for one in sorted(of_game, key=lambda one: one.states)]


def equilibrium(game: str, seats: int, options: Options) -> Equilibrium:
    """The one of this mini game; refuses games of which there is none."""
    mini = mini_game(game_called(game), seats, options)
    for one in ladder(mini.game):
        if one.mini == mini:
            return one
    raise Problem("exact_no_equilibrium", mini=mini.title, command=command_for(mini))
