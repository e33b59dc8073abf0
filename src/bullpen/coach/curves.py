"""The expected lead of each seat over the course of a game."""

from __future__ import annotations

from typing import NamedTuple

from bullpen.coach.grades import Grade
from bullpen.coach.review import Review, SeatReview


class Point(NamedTuple):
    moment: float  # decisions of a secret choice share theirs
    lead: float
    grade: Grade | None  # of the decision; None for the end of a round
    number: int | None  # of the decision


def curve(review: Review, seat: SeatReview) -> list[Point]:
    """What each move that was made let expect, and what each round brought."""
    points: list[Point] = []
    for number, account in enumerate(seat.rounds):
        points += [
            Point(one.moment, one.expected, one.grade, one.number)
            for one in review.decisions
            if one.seat == seat.seat and one.round == number and one.expected is not None
        ]
        if account.is_finished:
            last = max(one.moment for one in review.decisions if one.round == number)
            points.append(Point(last + 0.9, account.result, None, None))
    return points


def round_starts(review: Review) -> list[int]:
    """The moments at which the second round and every later one begin."""
    firsts: dict[int, int] = {}
    for one in review.decisions:
        firsts.setdefault(one.round, one.moment)
    return [moment for number, moment in firsts.items() if number]
