"""Nets for a habit: `python -m benchmarks.nets GAME [SEATS …] [--positions N] [--tables N] [--seed N] [--write]`.

As `benchmarks.fitting`: games are played by playouts, and at every decision each legal move is played on, on the same imagined tables.  A
net for each kind of decision learns how much less a move brings than the mean of all moves there (Adam, which is a common way to
descend).  On every tenth decision, which nothing was fitted to, it is told how many points the best-looking move loses against the best
one: more than it does, since of several moves the luckiest looks best.  With --write the nets go into the game's folder; whoever fits
again then fits to playouts by these.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.habits import decisions
from bullpen import fast
from bullpen.fast.dispatch import habit_of
from bullpen.fast.fitted import FILE
from bullpen.fast.nets import UNITS
from bullpen.games import GAMES

DECIMALS = 4
ROUNDS, AT_ONCE = 60, 1024  # through all decisions, and how many between two steps
STEP, FORGETS, FORGETS_SQUARES, TINY = 3e-3, 0.9, 0.999, 1e-8  # of Adam
FIRST_WEIGHTS = 0.35

Array = NDArray[np.float32]


class Decisions(NamedTuple):
    """Of one kind, with room for as many moves as there can be."""

    facts: Array  # [decisions, moves, facts]
    leads: Array  # [decisions, moves]
    is_move: NDArray[np.bool_]  # the others are empty

    def of(self, which: NDArray[Any] | slice) -> Decisions:
        return Decisions(self.facts[which], self.leads[which], self.is_move[which])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nets", description=__doc__)
    parser.add_argument("game", choices=[game for game in GAMES if has_facts(game)])
    parser.add_argument("seats", type=int, nargs="*", default=[2, 3, 4, 6, 10])
    parser.add_argument("--positions", type=int, default=20_000, help="with each number of players")
    parser.add_argument("--tables", type=int, default=150, help="for each position")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="into the game's folder")
    wished = parser.parse_args()
    parts: dict[str, list[tuple[int, Decisions]]] = defaultdict(list)
    for seats in wished.seats:
        for kind, part in found(wished.game, seats, wished).items():
            parts[kind].append((seats, part))
            print(f"{seats} players: {len(part.leads)} decisions about {kind}", flush=True)
    nets = {}
    for kind, own in sorted(parts.items()):
        net = fitted([part.of(~is_test(part)) for _, part in own], wished.seed)
        nets[kind] = np.round(net, DECIMALS)
        for seats, part in own:
            lost = loss(part.of(is_test(part)), nets[kind])
            print(f"{seats} players: {lost:.3f} points lost about {kind}", flush=True)
    if wished.write:
        what = {key: value for key, value in vars(wished).items() if key != "write"}
        write(Path(habit_of(fast.twin(wished.game)).__file__).with_name(FILE), what, nets)


def has_facts(game: str) -> bool:
    return hasattr(habit_of(fast.twin(game)), "look_at_moves")


def is_test(part: Decisions) -> NDArray[np.bool_]:
    every_tenth: NDArray[np.bool_] = np.arange(len(part.leads)) % 10 == 0
    return every_tenth


# -- What playouts find ---------------------------------------------------------------------------


def found(game: str, seats: int, wished: argparse.Namespace) -> dict[str, Decisions]:
    habit = habit_of(fast.twin(game))
    kinds: dict[str, list[tuple[Array, Array, NDArray[np.bool_]]]] = defaultdict(list)
    facts, moves = np.zeros(habit.ROOM_SHAPE), np.zeros(habit.MOST_MOVES, np.int64)
    for at in islice(decisions(game, seats, wished.tables, wished.seed), wished.positions):
        count = habit.look_at_moves(at.state, facts, moves)
        leads = np.zeros(habit.MOST_MOVES, np.float32)
        leads[:count] = [at.leads[at.legal.index(move)] for move in moves[:count]]
        kind = habit.kind_of(at.state)
        is_move = np.arange(habit.MOST_MOVES) < count
        known = np.where(is_move[:, None], facts[:, : habit.KNOWN[kind]], 0.0)
        kinds[kind].append((known.astype(np.float32), leads, is_move))
    return {
        kind: Decisions(*map(np.array, zip(*each, strict=True))) for kind, each in kinds.items()
    }


# -- A net that explains it -----------------------------------------------------------------------


def fitted(parts: list[Decisions], seed: int) -> Array:
    """One net for all of these."""
    every = Decisions(*map(np.concatenate, zip(*parts, strict=True)))
    worse = -centred(every.leads, every.is_move)
    rng = np.random.default_rng(seed)
    known = every.facts.shape[2]
    net = (rng.normal(size=(known + 2, UNITS)) * FIRST_WEIGHTS).astype(np.float32)
    net[known] = 0.0
    net[known + 1] *= 0.5
    mean, squares, steps = np.zeros_like(net), np.zeros_like(net), 0
    for turn in range(ROUNDS):
        step = STEP * 0.5 * (1 + np.cos(np.pi * turn / ROUNDS))
        order = rng.permutation(len(worse))
        for first in range(0, len(order), AT_ONCE):
            some = order[first : first + AT_ONCE]
            slope = slope_of(net, every.facts[some], worse[some], every.is_move[some])
            steps += 1
            mean = FORGETS * mean + (1 - FORGETS) * slope
            squares = FORGETS_SQUARES * squares + (1 - FORGETS_SQUARES) * slope**2
            way = mean / (1 - FORGETS**steps)
            far = np.sqrt(squares / (1 - FORGETS_SQUARES**steps)) + TINY
            net -= (step * way / far).astype(np.float32)
    return net


def centred(values: Array, is_move: NDArray[np.bool_]) -> Array:
    """What a decision's moves have in common counts for nothing."""
    moves = is_move.sum(axis=1, keepdims=True)
    means = np.where(is_move, values, 0.0).sum(axis=1, keepdims=True) / moves
    return np.where(is_move, values - means, 0.0).astype(np.float32)


def units_of(net: Array, facts: Array) -> Array:
    units: Array = np.maximum(facts @ net[:-2] + net[-2], 0.0)
    return units


def slope_of(net: Array, facts: Array, worse: Array, is_move: NDArray[np.bool_]) -> Array:
    """Of the mean squared error, by each weight."""
    units = units_of(net, facts)
    off = centred(units @ net[-1], is_move) - worse
    by_look = centred(off, is_move) * np.float32(2 / len(worse))
    by_unit = by_look[:, :, None] * net[-1] * (units > 0)
    flat = by_unit.reshape(-1, UNITS)
    by_weight = facts.reshape(-1, facts.shape[2]).T @ flat
    return np.vstack([by_weight, flat.sum(axis=0), np.einsum("dm,dmu->u", by_look, units)])


def loss(test: Decisions, net: Array) -> float:
    """How much worse than the best move of its decision the best-looking one is, on average."""
    looks = np.where(test.is_move, units_of(net, test.facts) @ net[-1], np.inf)
    leads = np.where(test.is_move, test.leads, -np.inf)
    taken = np.take_along_axis(leads, looks.argmin(axis=1)[:, None], axis=1)[:, 0]
    return float((leads.max(axis=1) - taken).mean())


def write(file: Path, what: dict[str, Any], nets: dict[str, Array]) -> None:
    head = json.dumps({"made by": {"command": "python -m benchmarks.nets", **what}})[:-1]
    blocks = [
        f'"{kind}": [\n' + ",\n".join(map(line_of, net.tolist())) + "\n]"
        for kind, net in nets.items()
    ]
    file.write_text(head + ', "nets": {\n' + ",\n".join(blocks) + "\n}}\n", encoding="utf-8")


def line_of(weights: list[float]) -> str:
    return "[" + ", ".join(f"{weight:.{DECIMALS}f}" for weight in weights) + "]"


if __name__ == "__main__":
    main()
