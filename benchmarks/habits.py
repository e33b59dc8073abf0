"""How good a habit is for playouts: `python -m benchmarks.habits GAME SEATS [--positions N] [--tables N] [--seed N]`.

Games are played by playouts alone.  At every decision each legal move is played on, on the same imagined tables.  What is told is
how many points the best-looking move brings more than the mean of all moves, with the 95 % interval, and how many the best one:
more than can be had, since the luckiest move looks best.  The constants of 11 nimmt!'s habit were chosen so; that a habit
wins against another one does not make it better (docs/decisions/0049-habits-that-see-the-turn.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import count, islice
from statistics import fmean, stdev
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bullpen
from bullpen import fast
from bullpen.bots.evaluation import Evaluator
from bullpen.fast.dispatch import habit_of
from bullpen.game import Action
from bullpen.games import GAMES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.habits", description=__doc__)
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("seats", type=int)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=60, help="for each position")
    parser.add_argument("--seed", type=int, default=0)
    wished = parser.parse_args()
    found = decisions(wished.game, wished.seats, wished.tables, wished.seed)
    habit = habit_of(fast.twin(wished.game))
    looked_at = islice(found, wished.positions)
    gains, most = zip(*(gain(habit, decision) for decision in looked_at), strict=True)
    off = 1.96 * stdev(gains) / len(gains) ** 0.5
    print(
        f"{len(gains)} positions: {fmean(gains):+.3f} ± {off:.3f}, at the very most {fmean(most):+.3f}"
    )


class Decision(NamedTuple):
    state: Any  # a record
    legal: Sequence[Action]
    leads: NDArray[np.float64]  # of each of them, the mean over the imagined tables


def decisions(game: str, seats: int, tables: int, seed: int) -> Iterator[Decision]:
    """Those with a choice, in games in which everybody takes what looked best on these tables."""
    for number in count(seed * 1_000_000):
        match = bullpen.new(game, seats, seed=number)
        while not match.is_over:
            seat = match.waiting_for[0]
            legal = match.view(seat).legal
            if len(legal) == 1:
                match.act(seat, legal[0])
                continue
            evaluator = Evaluator(match.game, match.view(seat), number)
            leads = evaluator.play_out(np.array(legal), tables).leads.mean(axis=0)
            state = evaluator.position.states[0]
            state["actor"] = seat  # in a secret choice the order does not matter
            yield Decision(state, legal, leads)
            match.act(seat, legal[leads.argmax()])


def gain(habit: Any, decision: Decision) -> tuple[float, float]:
    """What the best-looking move brings more than the mean, and what the best one."""
    looks = [habit.drawback(decision.state, action) for action in decision.legal]
    leads = decision.leads - decision.leads.mean()
    return leads[np.argmin(looks)], leads.max()


if __name__ == "__main__":
    main()
