"""What a choice brings on the real table: `python -m benchmarks.real_tables [GAME] [SEATS] [--decisions N] [--tables N] [--seed N]`.

Among careful players every move of a decision is made on the table as it truly lies, and played on by habit to the end of the game, the
others doing what is usual.  What the chosen move brings is compared between ways to choose on the same tables: that tells much smaller
differences than whole games do.  Of games whose folder knows what is usual (`reading.py`), where no trees grow.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.duel import mean_and_interval
from bullpen import fast
from bullpen.bots import bot_called, judgement
from bullpen.bots.evaluation import Evaluator
from bullpen.fast import evaluation
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply, is_over, standing, wants_shuffle
from bullpen.fast.playouts import LONGEST_DECK, shuffle_and_deal
from bullpen.fast.words import seeded
from bullpen.games import GAMES, has_part
from bullpen.match import Match, new

SEAT, PLAYED_ON = 0, 16  # who chooses; so often a move is played on, for chance among equals
FEW = 300  # tables
PRODUCT = "as the product judges"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_tables", description=__doc__)
    known = [game for game in GAMES if has_part(game, "reading")]
    parser.add_argument("game", nargs="?", choices=known, default=known[0])
    parser.add_argument("seats", nargs="?", type=int, default=4)
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--tables", type=int, default=2000, help="imagined ones, of a decision")
    parser.add_argument("--seed", type=int, default=0)
    wished = parser.parse_args()
    if wished.seats not in GAMES[wished.game].SEATS:
        parser.error(f"{wished.game} is not for {wished.seats} players")
    leads, shares = defaultdict(list), defaultdict(list)
    for number, match in enumerate(decisions(wished.game, wished.seats, wished.seed)):
        if number == wished.decisions:
            break
        brought, won = on_the_real_table(match, number)
        for way, choice in choices(match, wished.tables, number).items():
            leads[way].append(brought[choice])
            shares[way].append(100 * won[choice])
    print("| chosen | lead | share of wins |\n|---|---:|---:|")
    for way, found in leads.items():
        lead = mean_and_interval(list(np.subtract(found, leads[PRODUCT])))
        share = mean_and_interval(list(np.subtract(shares[way], shares[PRODUCT])))
        print("| {} | {:+.2f} ± {:.2f} | {:+.2f} ± {:.2f} % |".format(way, *lead, *share))


def decisions(game: str, seats: int, seed: int) -> Iterator[Match]:
    """Of the first seat, before anybody has chosen in the turn; it plays as carefully as the others."""
    choose = bot_called("careful")
    while True:
        seed += 1
        match, rng = new(game, seats, seed=seed), Random(seed)
        while not match.is_over:
            seat = match.waiting_for[0]
            view = match.view(seat)
            if seat == SEAT and len(view.legal) > 1:
                yield match
            match.act(seat, choose(match.game, view, rng))


def on_the_real_table(match: Match, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By move: the lead at the end of the game, and the share of wins."""
    view, twin = match.view(SEAT), fast.twin(match.game.ID)
    position = Evaluator(match.game, view, seed).position
    state = twin.to_record(match.table)
    state["actor"] = SEAT
    points = np.empty((PLAYED_ON, len(view.legal), match.table.seats))
    everybody = (1 << match.table.seats) - 1
    others = evaluation.Others(evaluation.NOBODY, everybody & ~(1 << SEAT))
    play_on(position, state[0], np.array(view.legal), seed * PLAYED_ON, others, points)
    better = position.sign * points
    ahead = better[..., SEAT] - np.delete(better, SEAT, axis=2).mean(axis=2)
    first = better == better.max(axis=2, keepdims=True)
    return ahead.mean(axis=0), (first[..., SEAT] / first.sum(axis=2)).mean(axis=0)


def choices(match: Match, tables: int, seed: int) -> dict[str, int]:
    """The number of the move that is chosen, in different ways."""
    view, actions = match.view(SEAT), np.array(match.view(SEAT).legal)
    judge = judgement.judge_for(match.game, view, seed)
    assert type(judge) is Evaluator  # no trees
    unread = Evaluator(match.game, view, seed)
    found = judge.play_out(actions, tables)
    return {
        PRODUCT: best(found.worths),
        "by the lead alone": best(found.leads),
        f"on {FEW} tables": best(found.worths[:FEW]),
        "nothing read": best(unread.play_out(actions, tables).leads),
        "by chance": Random(seed).randrange(len(actions)),
    }


def best(results: NDArray[np.float64]) -> int:
    return int(results.mean(axis=0).argmax())


@compiled
def play_on(position: Any, state: Any, actions: Any, seed: Any, others: Any, points: Any) -> None:
    rng, deck = np.empty(1, np.uint64), np.empty(LONGEST_DECK, np.int16)
    scores = np.zeros(evaluation.MOST_SEATS, np.int32)
    states, words = position.states, position.words
    for run in range(points.shape[0]):
        for at in range(actions.size):
            seeded(rng, seed + run)
            states[evaluation.PLAYED] = state
            played = states[evaluation.PLAYED]
            apply(played, actions[at])  # type: ignore[no-untyped-call]
            while not is_over(played):  # type: ignore[no-untyped-call]
                if wants_shuffle(played):  # type: ignore[no-untyped-call]
                    shuffle_and_deal(played, deck, rng)
                elif (others.by_thumb >> played.actor) & 1:
                    apply(  # type: ignore[no-untyped-call]
                        played, evaluation.usual_or_habitual(played, position.looks, words, rng)
                    )
                else:
                    apply(  # type: ignore[no-untyped-call]
                        played, evaluation.best_looking(played, position.looks, words, rng)
                    )
            standing(played, scores)  # type: ignore[no-untyped-call]
            for seat in range(points.shape[2]):
                points[run, at, seat] = scores[seat]


if __name__ == "__main__":
    main()
