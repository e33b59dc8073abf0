"""Whether ratings find out how strong people are: `python -m benchmarks.converging [--people N] [--seed S]`.

People with strengths that are known play simulated games, among themselves and with levels; who comes out how is drawn
by Plackett-Luce.  The ratings are made by the same function as at a server, newcomers and all.  Printed: how far off
they are, how many intervals hold the truth, and how many pairs of people stand in the right order.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

from bullpen.server.contestants import Contestant
from bullpen.server.levels import LEVELS
from bullpen.server.ratings import NEWCOMER, rated
from bullpen.server.store.ratings import Known
from bullpen.server.strengths import BETA, CAREFUL, START, of_levels

GAME = "six-nimmt"
SPREAD = 6.0  # standard deviation of the people's strengths
SIZES = (2, 3, 4, 4, 5, 6)  # of the tables
AFTER = (10, 30, 100, 300)  # games of each person, on average


class Found(NamedTuple):
    games: float  # of one person, on average
    error: float  # root of the mean square
    sigma: float  # mean
    covered: float  # share of the intervals that hold the truth
    ordered: float  # share of pairs in the right order
    sure_ordered: float  # … of those whose intervals do not touch


class World:
    """People, whose strengths only the world knows."""

    def __init__(self, truth: Sequence[float], seed: int) -> None:
        self.truth = {f"p{at}": strength for at, strength in enumerate(truth)}
        self.chance = Random(seed)
        self.known: dict[str, Known] = {}
        self.levels = of_levels(GAME)
        self.played = 0  # seats of people

    def game(self) -> None:
        size = self.chance.choice(SIZES)
        people = self.chance.sample(list(self.truth), self.chance.randint(1, size))
        levels = [self.chance.choice(LEVELS) for _ in range(size - len(people))]
        strengths = [self.truth[one] for one in people] + [self.levels[one].mu for one in levels]
        ranks = self.came_out(strengths)
        field = [
            Contestant(seat, rank, device=people[seat])
            if seat < len(people)
            else Contestant(seat, rank, level=levels[seat - len(people)])
            for seat, rank in enumerate(ranks)
        ]
        whose = {one: one for one in people}
        for player, out in rated(
            GAME, [one._asdict() for one in field], whose, self.known, NEWCOMER
        ).items():
            if out.why_not is None:
                games = self.known.get(player, NEWCOMER).games + 1
                self.known[player] = Known(out.mu, out.sigma, games)
        self.played += len(people)

    def came_out(self, strengths: Sequence[float]) -> list[float]:
        """A rank for each: 0 for the best."""
        scale = BETA * math.sqrt(len(strengths))
        luck = [-math.log(self.chance.expovariate(1.0)) for _ in strengths]
        shown = [one / scale + own for one, own in zip(strengths, luck, strict=True)]
        return [float(sum(other > own for other in shown)) for own in shown]

    def until(self, games: int) -> Found:
        while self.played < games * len(self.truth):
            self.game()
        return self.found()

    def found(self) -> Found:
        own = {one: self.known.get(one, NEWCOMER) for one in self.truth}
        errors = [own[one].mu - truth for one, truth in self.truth.items()]
        held = [
            abs(error) <= CAREFUL * one.sigma
            for error, one in zip(errors, own.values(), strict=True)
        ]
        right, sure = list[bool](), list[bool]()
        for one, other in combinations(self.truth, 2):
            is_right = (self.truth[one] > self.truth[other]) == (own[one].mu > own[other].mu)
            right.append(is_right)
            if abs(own[one].mu - own[other].mu) > CAREFUL * (own[one].sigma + own[other].sigma):
                sure.append(is_right)
        return Found(
            self.played / len(own),
            math.sqrt(share([error**2 for error in errors])),
            share([one.sigma for one in own.values()]),
            share(held),
            share(right),
            share(sure),
        )


def share(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0


def a_world(people: int, seed: int) -> World:
    chance = Random(seed)
    return World([chance.gauss(START, SPREAD) for _ in range(people)], seed)


def lines(people: int, seed: int) -> Iterator[str]:
    yield f"{people} people, seed {seed}:"
    yield ""
    yield "| games of each | off by (root of mean square) | mean sigma | intervals that hold the truth | pairs in order | … whose intervals do not touch |"
    yield "|---:|---:|---:|---:|---:|---:|"
    world = a_world(people, seed)
    for games in AFTER:
        one = world.until(games)
        yield (
            f"| {games} | {one.error:.2f} | {one.sigma:.2f} | {one.covered:.1%}"
            f" | {one.ordered:.1%} | {one.sure_ordered:.1%} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.converging", description=__doc__)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    wished = parser.parse_args()
    for line in lines(wished.people, wished.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
