"""Weights for a habit of tables: `python -m benchmarks.fitting GAME [SEATS …] [--positions N] [--tables N] [--seed N] [--write]`.

Games are played by playouts, and at every decision each legal move is played on, on the same imagined tables.  The weights are those
by which the habit's tables come nearest to what was found: how much less a move brings than the mean of all moves there (least squares,
with RIDGE against chance).  On every tenth position, which nothing was fitted to, it is told how many points the best-looking move
loses against the best one: more than it does, since of several moves the luckiest looks best.  With --write the weights go into the
game's folder; whoever fits again then fits to playouts by these, with others without aim where the game reckons with them.
"""

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.habits import decisions
from bullpen import fast
from bullpen.fast.dispatch import habit_of
from bullpen.fast.fitted import FILE
from bullpen.games import GAMES

RIDGE = 20.0  # as if so many moves more had found a weight to be nothing
STEPS, NEAR_ENOUGH = 400, 1e-7  # until the best weights are found
DECIMALS = 3


class Moves(NamedTuple):
    """Those of one decision after the other."""

    slots: NDArray[np.int64]  # [moves, tables of the habit]: where its weights lie
    worse: NDArray[np.float64]  # than the mean of its decision, in points
    looks: NDArray[np.float64]  # what speaks against it by the habit in use
    decision: NDArray[np.int64]

    def of(self, which: NDArray[np.bool_]) -> Moves:
        return Moves(self.slots[which], self.worse[which], self.looks[which], self.decision[which])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fitting", description=__doc__)
    parser.add_argument("game", choices=[game for game in GAMES if has_tables(game)])
    parser.add_argument("seats", type=int, nargs="*", default=[2, 3, 4, 6, 10])
    parser.add_argument("--positions", type=int, default=20_000, help="with each number of players")
    parser.add_argument("--tables", type=int, default=100, help="for each position")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="into the game's folder")
    wished = parser.parse_args()
    habit, tests, parts = habit_of(fast.twin(wished.game)), {}, []
    for seats in wished.seats:
        moves = found(wished.game, seats, wished.positions, wished.tables, wished.seed)
        is_test = moves.decision % 10 == 0
        tests[seats] = moves.of(is_test)
        parts.append(moves.of(~is_test))
        print(f"{seats} players: {len(moves.worse)} moves", flush=True)
    weights = fitted(joined(parts), habit.SIZE)
    for seats, test in tests.items():
        now, before = loss(test, weights[test.slots].sum(axis=1)), loss(test, test.looks)
        print(
            f"{seats} players: {now:.3f} points lost by these weights, {before:.3f} by those in use"
        )
    if wished.write:
        what = {key: value for key, value in vars(wished).items() if key != "write"}
        write(Path(habit.__file__).with_name(FILE), what, weights)


def has_tables(game: str) -> bool:
    return hasattr(habit_of(fast.twin(game)), "slots")


def found(game: str, seats: int, positions: int, tables: int, seed: int) -> Moves:
    habit = habit_of(fast.twin(game))
    slots, worse, looks, decision = [], [], [], []
    for number, at in enumerate(islice(decisions(game, seats, tables, seed), positions)):
        for action, lead in zip(at.legal, at.leads, strict=True):
            where = habit.slots(at.state, action)
            if where is None:
                continue
            slots.append(where)
            worse.append(at.leads.mean() - lead)
            looks.append(habit.drawback(at.state, action))
            decision.append(number)
    return Moves(*map(np.array, (slots, worse, looks, decision)))


def joined(parts: list[Moves]) -> Moves:
    """With decisions that are numbered through."""
    first, numbered = 0, []
    for part in parts:
        numbered.append(part._replace(decision=part.decision + first))
        first += int(part.decision.max()) + 1
    return Moves(*map(np.concatenate, zip(*numbered, strict=True)))


def fitted(moves: Moves, size: int) -> NDArray[np.float64]:
    """By conjugate gradients: what a decision's moves have in common counts for nothing."""
    counts = np.maximum(1, np.bincount(moves.decision))

    def centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
        means = np.bincount(moves.decision, values, minlength=len(counts)) / counts
        return values - means[moves.decision]

    def looks_by(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return centred(weights[moves.slots].sum(axis=1))

    def shared_out(values: NDArray[np.float64]) -> NDArray[np.float64]:
        sums, own = np.zeros(size), centred(values)
        for column in moves.slots.T:
            sums += np.bincount(column, own, minlength=size)
        return sums

    weights, rest = np.zeros(size), shared_out(moves.worse)
    direction, left = rest.copy(), rest @ rest
    enough = left * NEAR_ENOUGH
    for _ in range(STEPS):
        along = shared_out(looks_by(direction)) + RIDGE * direction
        far = left / (direction @ along)
        weights += far * direction
        rest -= far * along
        before, left = left, rest @ rest
        if left < enough:
            break
        direction = rest + left / before * direction
    return weights


def loss(moves: Moves, looks: NDArray[np.float64]) -> float:
    """How much worse than the best move of its decision the best-looking one is, on average."""
    starts = np.flatnonzero(np.diff(moves.decision, prepend=-1))
    ends = np.append(starts[1:], len(moves.decision))
    lost = [
        moves.worse[first + looks[first:end].argmin()] - moves.worse[first:end].min()
        for first, end in zip(starts, ends, strict=True)
    ]
    return float(np.mean(lost))


def write(file: Path, what: dict[str, Any], weights: NDArray[np.float64]) -> None:
    text = {"made by": {"command": "python -m benchmarks.fitting", **what}}
    lines = json.dumps(text)[:-1] + ', "weights": [\n'
    numbers = [f"{weight:.{DECIMALS}f}" for weight in weights]
    rows = [", ".join(numbers[at : at + 13]) for at in range(0, len(numbers), 13)]
    file.write_text(lines + ",\n".join(rows) + "\n]}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
