"""How strong somebody plays: a number and how unsure it is, by Plackett-Luce of the package openskill.

Everybody begins where the level `medium` stands, and nobody knows anything yet.  The levels have strengths of their
own, measured once (`ABOUT` of a game's folder), which no game changes: they hold the scale.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bullpen.games import GAMES, about
from bullpen.server.levels import LEVELS, Level

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

START = 25.0  # of the level `medium`, and of everybody before their first game
UNSURE = START / 3
BETA = START / 6  # how much luck there is in a game: strengths so far apart are nearly the same
CAREFUL = 2.0  # so many sigmas to each side: 95 of 100 intervals hold the truth, or more
POINTS = 40.0  # that are shown for one: `medium` has 1,000


class Strength(NamedTuple):
    mu: float
    sigma: float

    @property
    def careful(self) -> float:
        """The lower end of the interval: leaderboards go by it, so that luck in a few games leads nowhere."""
        return self.mu - CAREFUL * self.sigma

    @property
    def points(self) -> int:
        return round(POINTS * self.mu)

    @property
    def give_or_take(self) -> int:
        return round(POINTS * CAREFUL * self.sigma)


NEW = Strength(START, UNSURE)


@cache
def of_levels(game: str) -> Mapping[Level, Strength]:
    """Of those that were measured in this game: none where nobody has, and of a game that is there no more."""
    measured = about(GAMES[game]).strengths if game in GAMES else ()
    return {level: Strength(*one) for level, one in zip(LEVELS, measured, strict=False)}


@cache
def model() -> PlackettLuce:
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=START, sigma=UNSURE, beta=BETA)


def after_game(
    before: Mapping[Hashable, Strength], ranks: Mapping[Hashable, float]
) -> dict[Hashable, Strength]:
    """Of each, by how they came out of one game: the least rank is the best, equal ones share a place."""
    own = model()
    teams = [[own.rating(mu=one.mu, sigma=one.sigma)] for one in before.values()]
    rated = own.rate(teams, ranks=[float(ranks[who]) for who in before])
    return {who: Strength(one.mu, one.sigma) for who, (one,) in zip(before, rated, strict=True)}
