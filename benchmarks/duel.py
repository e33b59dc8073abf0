"""Whether one bot is better than another: `python -m benchmarks.duel GAME SEATS BOT BOT [--deals N] [--rounds N] [--seed N]`.

The two sit in every second seat, and each deal is played twice, with seats changed, so that both have had all the hands.
What is told is the mean lead of the first one's seats over the other one's, in points a deal, with the 95 % interval of the
deals.  With --keep FILE each deal is kept there: ended and begun again, it goes on where it was, and a greater --deals adds
to what is there.  --guess lets `guessing` guess with this number of players, whether that was proven to help or not.
`earlier:REVISION:BOT` is a bot as it was then.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import bullpen
from benchmarks.earlier import bot_of
from benchmarks.kept import Kept
from bullpen.bots import Bot
from bullpen.games import GAMES, about, package

EVERY = 10  # deals between two lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.duel", description=__doc__)
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("seats", type=int)
    parser.add_argument("bots", nargs=2)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--rounds", type=int, help="of a game that has rounds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--guess", action="store_true", help="though it was not proven to help")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="each deal, to go on later")
    wished = parser.parse_args()
    if wished.guess:
        guess_with(wished.game, wished.seats)
    one, other = map(bot_of, wished.bots)
    leads, kept = [], Kept(wished.keep)
    for deal in range(wished.deals):
        seed = wished.seed * 1_000_000 + deal
        what = {**vars(wished), "deal": deal}
        del what["deals"], what["keep"]
        play = partial(paired_lead, wished.game, (one, other), wished.seats, wished.rounds, seed)
        leads.append(kept.result_of(what, play))
        if len(leads) % EVERY == 0 or len(leads) == wished.deals:
            off = 1.96 * stdev(leads) / len(leads) ** 0.5 if len(leads) > 1 else float("inf")
            print(f"{len(leads)} deals: {fmean(leads):+.2f} ± {off:.2f}", flush=True)


def guess_with(game: str, seats: int) -> None:
    known = about(GAMES[game])
    package(game).ABOUT = replace(known, guesses=(*known.guesses, seats))  # type: ignore[attr-defined]


def paired_lead(
    game: str, bots: tuple[Bot, Bot], seats: int, rounds: int | None, seed: int
) -> float:
    """Of the first bot over the other one on one deal, played twice."""
    one, other = bots
    first = lead(game, [one, other], seats, rounds, seed)
    changed = lead(game, [other, one], seats, rounds, seed)
    return (first - changed) / 2


def lead(game: str, bots: list[Bot], seats: int, rounds: int | None, seed: int) -> float:
    """Of the seats with even numbers, in one game."""
    match = bullpen.new(
        game, seats, seed=seed, options={} if rounds is None else {"rounds": rounds}
    )
    rng = Random(seed)
    while not match.is_over:
        seat = match.waiting_for[0]
        match.act(seat, bots[seat % 2](match.game, match.view(seat), rng))
    sign = -1 if match.game.best(match.options) is min else 1
    return sign * (fmean(match.scores[::2]) - fmean(match.scores[1::2]))


if __name__ == "__main__":
    main()
