"""What the games of a tournament say about the bots.

The unit of chance is the deal: all its games, every rotation, belong together.  So intervals come from
drawing whole deals anew (the bootstrap), and two bots are compared on the same draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from bullpen.arena.one_game import Outcome
from bullpen.arena.plan import Plan
from bullpen.arena.ratings import Rating, ratings

DRAWS = 2000
INSIDE = 0.95  # of the draws lie in an interval
MOST_GROUPS = 1000  # many deals are drawn in groups: the interval is the same, and sooner there


@dataclass
class Tally:
    """What one bot did in one group of deals, over all the seats that it held."""

    seats: int = 0
    wins: float = 0.0  # a shared win counts in parts
    points: int = 0
    rounds: int = 0

    def add(self, outcome: Outcome, seat: int) -> None:
        self.seats += 1
        self.points += outcome.scores[seat]
        self.rounds += outcome.rounds
        if seat in outcome.winners:
            self.wins += 1 / len(outcome.winners)


@dataclass(frozen=True)
class Standing:
    """How one bot did, for every seat that it held."""

    bot: str
    win_share: float
    low: float  # of the win share
    high: float
    mean_points: float
    points_low: float | None  # None: one deal gives no interval
    points_high: float | None
    points_per_round: float | None  # None: a game without rounds
    rating: Rating
    seats: int
    points: Counter[int] = field(default_factory=Counter)  # how often it had how many

    def as_json(self) -> dict[str, Any]:
        times = {str(points): self.points[points] for points in sorted(self.points)}
        return {**asdict(self), "points": times}


@dataclass(frozen=True)
class Comparison:
    """By how much the win share of one bot is higher than that of another."""

    bot: str
    other: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Standings:
    deals: int
    games: int
    bots: list[Standing]  # the best first
    comparisons: list[Comparison]  # of each bot with every one below it


def standings(plan: Plan, outcomes: Sequence[Outcome]) -> Standings:
    """Of all complete deals; a deal of which games are missing would favour somebody."""
    deals = len(outcomes) // len(plan.seatings)
    counted = outcomes[: deals * len(plan.seatings)]
    if not counted:
        return Standings(0, 0, [], [])
    groups = grouped(plan, counted, deals)
    drawn = draws(len(groups))
    rated = ratings(plan, counted)
    table = [standing(bot, groups, drawn, rated[bot]) for bot in plan.bots]
    for outcome in counted:
        for bot, points in zip(outcome.bots, outcome.scores, strict=True):
            table[plan.bots.index(bot)].points[points] += 1
    table.sort(key=lambda row: -row.win_share)
    names = [row.bot for row in table]
    pairs = [(bot, other) for at, bot in enumerate(names) for other in names[at + 1 :]]
    comparisons = [comparison(bot, other, groups, drawn) for bot, other in pairs]
    return Standings(deals, len(counted), table, comparisons)


Group = dict[str, Tally]  # by bot


def grouped(plan: Plan, outcomes: Sequence[Outcome], deals: int) -> list[Group]:
    """The deals one by one, or so many together that there are not too many groups."""
    groups: list[Group] = [
        {bot: Tally() for bot in plan.bots} for _ in range(min(deals, MOST_GROUPS))
    ]
    for outcome in outcomes:
        group = groups[(outcome.deal - 1) * len(groups) // deals]
        for seat, bot in enumerate(outcome.bots):
            group[bot].add(outcome, seat)
    return groups


def draws(groups: int) -> list[list[int]]:
    """The same for the same number of deals, so that the same games give the same intervals."""
    rng, numbers = Random(f"bootstrap {groups}"), range(groups)
    return [rng.choices(numbers, k=groups) for _ in range(DRAWS)]


def standing(
    bot: str, groups: Sequence[Group], drawn: Sequence[Sequence[int]], rating: Rating
) -> Standing:
    own = [group[bot] for group in groups]
    seats, rounds = sum(tally.seats for tally in own), sum(tally.rounds for tally in own)
    points = sum(tally.points for tally in own)
    low, high = interval(drawn, own, lambda tally: tally.wins) or (0.0, 1.0)
    points_low, points_high = interval(drawn, own, lambda tally: tally.points) or (None, None)
    return Standing(
        bot,
        sum(tally.wins for tally in own) / seats,
        low,
        high,
        points / seats,
        points_low,
        points_high,
        points / rounds if rounds else None,
        rating,
        seats,
    )


def comparison(
    bot: str, other: str, groups: Sequence[Group], drawn: Sequence[Sequence[int]]
) -> Comparison:
    ours, theirs = [group[bot] for group in groups], [group[other] for group in groups]
    first, second = drawn_means(drawn, ours, won), drawn_means(drawn, theirs, won)
    found = [one - two for one, two in zip(first, second, strict=True)]
    low, high = (-1.0, 1.0) if len(groups) < 2 else middle(found)
    return Comparison(bot, other, mean(ours, won) - mean(theirs, won), low, high)


Measure = Callable[[Tally], float]


def won(tally: Tally) -> float:
    return tally.wins


def mean(tallies: Sequence[Tally], measure: Measure) -> float:
    return sum(map(measure, tallies)) / sum(tally.seats for tally in tallies)


def drawn_means(
    drawn: Sequence[Sequence[int]], tallies: Sequence[Tally], measure: Measure
) -> list[float]:
    """What the mean would have been with other deals: in each draw some come twice, some not at all."""
    sums, seats = [measure(tally) for tally in tallies], [tally.seats for tally in tallies]
    return [sum([sums[at] for at in draw]) / sum([seats[at] for at in draw]) for draw in drawn]


def interval(
    drawn: Sequence[Sequence[int]], tallies: Sequence[Tally], measure: Measure
) -> tuple[float, float] | None:
    """None for one deal: it cannot tell how much deals differ."""
    return None if len(tallies) < 2 else middle(drawn_means(drawn, tallies, measure))


def middle(values: list[float]) -> tuple[float, float]:
    """Where the middle part of the values begins and ends."""
    ordered, cut = sorted(values), round(len(values) * (1 - INSIDE) / 2)
    return ordered[cut], ordered[-cut - 1]
