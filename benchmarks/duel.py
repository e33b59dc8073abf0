"""Whether one bot is better than another: `python -m benchmarks.duel GAME SEATS BOT BOT [--one] [--deals N] [--rounds N] [--seed N]`.

The two sit in every second seat, and each deal is played twice, with seats changed, so that both have had all the hands; with
--one the first one sits alone among others like the second, in each seat in turn.  What is told is the mean lead of the first one's
seats over the other one's, in points a deal, and the share of games won, a draw in parts, both with the 95 % interval of
the deals.  With --keep FILE each deal is kept there: ended and begun again, it goes on where it was, and a greater --deals adds
to what is there.
`earlier:REVISION:BOT` is a bot as it was then.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import bullpen
from benchmarks.earlier import Player, player_of
from benchmarks.kept import Kept
from bullpen.game import Options
from bullpen.games import GAMES
from bullpen.match import Match

EVERY = 10  # deals between two lines
Result = tuple[float, float]  # the lead, and the share of wins


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.duel", description=__doc__)
    parser.add_argument("game", choices=tuple(GAMES))
    parser.add_argument("seats", type=int)
    parser.add_argument("bots", nargs=2)
    parser.add_argument(
        "--one", action="store_true", help="of the first kind, all others of the other"
    )
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--rounds", type=int, help="of a game that has rounds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="each deal, to go on later")
    wished = parser.parse_args()
    one, other = map(player_of, wished.bots)
    tables = (alone if wished.one else by_turns)(one, other, wished.seats)
    options: Options = {} if wished.rounds is None else {"rounds": wished.rounds}
    results, kept = [], Kept(wished.keep)
    for deal in range(wished.deals):
        seed = wished.seed * 1_000_000 + deal
        what = {**vars(wished), "deal": deal}
        del what["deals"], what["keep"]
        play = partial(result_of_deal, wished.game, tables, one, options, seed)
        results.append(kept.result_of(what, play))
        if len(results) % EVERY == 0 or len(results) == wished.deals:
            leads, shares = zip(*results, strict=True)
            share, off = mean_and_interval([100 * each for each in shares])
            print(
                "{} deals: {:+.2f} ± {:.2f}".format(len(results), *mean_and_interval(leads)),
                f"points, {share:.1f} ± {off:.1f} % won",
                flush=True,
            )


def mean_and_interval(values: Sequence[float]) -> tuple[float, float]:
    """The interval is 95 %, to both sides."""
    spread = stdev(values) if len(values) > 1 else float("inf")
    return fmean(values), 1.96 * spread / len(values) ** 0.5


def by_turns(one: Player, other: Player, seats: int) -> list[list[Player]]:
    """In every second seat, and then in the others."""
    return [
        [(first, second)[seat % 2] for seat in range(seats)]
        for first, second in ((one, other), (other, one))
    ]


def alone(one: Player, other: Player, seats: int) -> list[list[Player]]:
    """In each seat in turn."""
    return [[one if seat == own else other for seat in range(seats)] for own in range(seats)]


def result_of_deal(
    game: str, tables: list[list[Player]], one: Player, options: Options, seed: int
) -> Result:
    """Of the first player on one deal, the mean of all tables."""
    results = [result_of_game(game, table, one, options, seed) for table in tables]
    return fmean(lead for lead, _ in results), fmean(share for _, share in results)


def result_of_game(
    game: str, players: list[Player], one: Player, options: Options, seed: int
) -> Result:
    match = bullpen.new(game, len(players), seed=seed, options=options)
    everybody = set(players)
    for player in everybody:
        player.begin(game, len(players), seed, options)
    rng = Random(seed)
    while not match.is_over:
        seat = match.waiting_for[0]
        action = players[seat].choose(match, seat, rng)
        match.act(seat, action)
        for player in everybody:
            player.see(seat, match.game.NOTATION[action])
    return result_of_scores(match, [player is one for player in players])


def result_of_scores(match: Match, is_own: list[bool]) -> Result:
    best = match.game.best(match.options)
    sign = -1 if best is min else 1
    own = [score for score, mine in zip(match.scores, is_own, strict=True) if mine]
    others = [score for score, mine in zip(match.scores, is_own, strict=True) if not mine]
    winning = best(match.scores)
    won = own.count(winning) / match.scores.count(winning)
    return sign * (fmean(own) - fmean(others)), won


if __name__ == "__main__":
    main()
