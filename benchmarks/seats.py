"""Lead by seat: `python -m benchmarks.seats GAME BOT,BOT,... [--deals N] [--rounds N] [--seed N]`.

The first bot of the table sits in every seat in turn, on the same deals.  In a secret choice the bots are asked
seat by seat: a bot that thinks should play as well in the last seat as in the first.  Each line is the mean lead of
that bot over the others in points, with the 95 % interval of its deals; the last one is the slope: what a seat further on brings.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from statistics import fmean, linear_regression, stdev

from bullpen.arena.tournament import play
from bullpen.coach.positions import lead
from bullpen.game import Seat
from bullpen.games import GAMES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seats", description=__doc__)
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("bots", help="with commas between them; the first one is followed")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--rounds", type=int, help="of a game that has rounds")
    parser.add_argument("--seed", type=int, default=0)
    wished = parser.parse_args()
    options = {} if wished.rounds is None else {"rounds": wished.rounds}
    bots = wished.bots.split(",")
    played = play(
        wished.game, table=bots, deals=wished.deals, seed=wished.seed, options=options, jobs=1
    )
    game, leads = GAMES[wished.game], defaultdict(list)
    by_deal: defaultdict[int, dict[Seat, float]] = defaultdict(dict)
    for outcome in played.outcomes:
        for seat, name in enumerate(outcome.bots):
            if name == bots[0]:
                ahead = lead(game, played.plan.options, outcome.scores, seat)
                leads[seat].append(ahead)
                by_deal[outcome.deal][seat] = ahead
    for seat, own in sorted(leads.items()):
        print(f"seat {seat}: {with_interval(own)}")
    if len(set(bots)) > 1:  # among equals there is nobody to follow from seat to seat
        print(f"slope: {with_interval([slope(found) for found in by_deal.values()])}")


def with_interval(found: list[float]) -> str:
    return f"{fmean(found):+.2f} ± {1.96 * stdev(found) / len(found) ** 0.5:.2f}"


def slope(leads: dict[Seat, float]) -> float:
    """Points a seat, over the seats of one deal."""
    return linear_regression([*leads], [*leads.values()]).slope


if __name__ == "__main__":
    main()
