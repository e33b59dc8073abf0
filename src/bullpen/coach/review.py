"""A review: every decision of a match judged, with only what its seat knew then.

A choice that looks worse than the best candidate is looked at again, against that one alone, on other
imagined tables and to the end of the turn (turns.py): of many candidates one always looks best by
chance, and nobody is to be blamed for that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from bullpen.cards import Card, Problem
from bullpen.coach import turns
from bullpen.coach.accounts import Account, Expectation, account, together
from bullpen.coach.candidates import USUAL_PLAYOUTS, Candidate, are_exact, ranked_candidates
from bullpen.coach.grades import WORSE_THAN_FINE, Grade, grade, limits
from bullpen.coach.positions import Position, leads_at_ends, positions, seen_now
from bullpen.game import Game, Seat, View
from bullpen.match import Match

SECOND_LOOK = 1 << 40  # further on in the numbered tables than any first look gets
MOST_THREADS = 256

Progress = Callable[[int, int], None]  # decisions done, and of how many


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision that was made, and what else could have been."""

    number: int
    moment: int
    round: int
    seat: Seat
    move: str
    grade: Grade
    best: str  # the move that looks best; the one that was made unless that is clearly worse
    at_random: (
        float | None
    )  # the lead before the choice: any candidate, each as likely as the others
    expected: (
        float | None
    )  # the lead with the move that was made; both None where there was no choice
    behind: float  # of the move that was made
    behind_error: float
    candidates: list[Candidate]  # the best first; none where there was no choice
    seen: list[tuple[str, list[Card]]]  # the rows and the own cards, where the grade is not fine
    # The same as it was seen, for words on what the candidates would have done.
    view: View[Any] | None = field(default=None, compare=False, repr=False)

    @property
    def lost(self) -> float:
        """The points that count as lost: only what is clear."""
        return self.behind if self.grade in WORSE_THAN_FINE else 0.0

    @property
    def is_exact(self) -> bool:
        return are_exact(self.candidates)

    def as_json(self, game: Game[Any]) -> dict[str, Any]:
        return {
            "number": self.number,
            "moment": self.moment,
            "round": self.round + 1,
            "seat": self.seat,
            "move": self.move,
            "grade": self.grade,
            "best": self.best,
            "at_random": self.at_random,
            "expected": self.expected,
            "behind": self.behind,
            "behind_error": self.behind_error,
            "lost": self.lost,
            "is_exact": self.is_exact,
            "candidates": [candidate.as_json() for candidate in self.candidates],
            "seen": [
                {"place": place, "cards": [game.CARD_NAMES.get(card, card) for card in cards]}
                for place, cards in self.seen
            ],
        }


@dataclass(frozen=True, slots=True)
class SeatReview:
    seat: Seat
    name: str
    whole: Account
    rounds: list[Account]
    grades: dict[Grade, int]  # how many decisions have each
    worst: int | None  # the number of the decision that lost most

    def as_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "name": self.name,
            "whole": self.whole.as_json(),
            "rounds": [one.as_json() for one in self.rounds],
            "grades": self.grades,
            "worst": self.worst,
        }


@dataclass(frozen=True, slots=True)
class Review:
    match: Match
    playouts: int
    seed: int
    decisions: list[Judged]
    seats: list[SeatReview]
    is_complete: bool  # nobody interrupted it

    @property
    def game(self) -> Game[Any]:
        return self.match.game

    def worst(self, count: int) -> list[Judged]:
        """The decisions that lost most, the worst first."""
        blamed = [one for one in self.decisions if one.lost]
        return sorted(blamed, key=lambda one: -one.lost)[:count]

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "bullpen-review",
            "version": 1,
            "game": self.game.ID,
            "players": self.match.names,
            "options": dict(self.match.options),
            "scores": self.match.scores,
            "winners": self.match.winners if self.match.is_over else None,
            "playouts": self.playouts,
            "seed": self.seed,
            "is_complete": self.is_complete,
            "limits": limits(self.game),
            "seats": [seat.as_json() for seat in self.seats],
            "decisions": [decision.as_json(self.game) for decision in self.decisions],
        }


# -- Reviewing --------------------------------------------------------------------------------


def review(
    match: Match,
    *,
    playouts: int = USUAL_PLAYOUTS,
    seed: int = 0,
    seat: Seat | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Review:
    """All decisions of a match, finished or not, or of one seat.  Ctrl-C gives what is done by then."""
    if seat is not None:
        match.legal(seat)  # refuses a seat that there is not
    wanted = [one for one in positions(match) if seat in (None, one.seat)]
    if not wanted:
        raise Problem("review_empty")
    done: list[Judged] = []
    try:
        for one in in_order(match.game, wanted, playouts, seed, jobs):
            done.append(one)
            if progress:
                progress(len(done), len(wanted))
    except KeyboardInterrupt:
        pass
    seats: Sequence[Seat] = range(match.seats) if seat is None else [seat]
    is_complete = len(done) == len(wanted)
    ends = leads_at_ends(match)
    if not is_complete:  # a round counts as finished when all of it was looked at
        ends = ends[: wanted[len(done)].round]
        seats = sorted({one.seat for one in done})  # of the others there is nothing to say
    reviews = [seat_review(match, own, done, ends) for own in seats]
    return Review(match, playouts, seed, done, reviews, is_complete)


def in_order(
    game: Game[Any], wanted: Sequence[Position], playouts: int, seed: int, jobs: int | None
) -> Iterator[Judged]:
    """Judged on several threads (compiled code lets them run side by side), in the order of the record."""
    yield judge_decision(game, wanted[0], playouts, seed)  # compiles, if it must, once
    threads = ThreadPoolExecutor(min(jobs or os.cpu_count() or 1, MOST_THREADS))
    try:
        yield from threads.map(lambda one: judge_decision(game, one, playouts, seed), wanted[1:])
    finally:
        threads.shutdown(cancel_futures=True)


def judge_decision(game: Game[Any], position: Position, playouts: int, seed: int) -> Judged:
    """With the view of its seat alone: at two tables that look the same to it and came about alike, the same."""
    view, move = position.view, game.NOTATION[position.action]
    if len(view.legal) == 1:
        return as_judged(position, move, "forced", move, (0.0, 0.0), [], [])
    candidates = ranked_candidates(game, view, playouts, seed)
    best, chosen = candidates[0], next(one for one in candidates if one.move == move)
    behind = chosen.behind, chosen.behind_error
    found = grade(game, *behind)
    if found != "fine":
        better = next(action for action in view.legal if game.NOTATION[action] == best.move)
        behind = turns.behind(game, view, position.action, better, playouts, seed + SECOND_LOOK)
        found = grade(game, *behind)
    if found == "fine":
        return as_judged(position, move, found, move, behind, candidates, [])
    seen = seen_now(game, view)
    judged = as_judged(position, move, found, best.move, behind, candidates, seen)
    return replace(judged, view=view)


def as_judged(
    position: Position,
    move: str,
    found: Grade,
    best: str,
    behind: tuple[float, float],
    candidates: list[Candidate],
    seen: list[tuple[str, list[Card]]],
) -> Judged:
    place = position.number, position.moment, position.round, position.seat
    at_random = fmean(one.lead for one in candidates) if candidates else None
    expected = next((one.lead for one in candidates if one.move == move), None)
    return Judged(*place, move, found, best, at_random, expected, *behind, candidates, seen)


# -- Accounts ---------------------------------------------------------------------------------


def seat_review(
    match: Match, seat: Seat, done: Sequence[Judged], ends: Sequence[Sequence[float]]
) -> SeatReview:
    own = [one for one in done if one.seat == seat]
    last_round = max((one.round for one in done), default=0)
    rounds = [round_account(own, number, seat, ends) for number in range(last_round + 1)]
    grades = dict.fromkeys(("forced", "fine", *WORSE_THAN_FINE), 0)
    for one in own:
        grades[one.grade] += 1
    worst = max((one for one in own if one.lost), key=lambda one: one.lost, default=None)
    number = worst.number if worst else None
    return SeatReview(seat, match.names[seat], together(rounds), rounds, grades, number)


def round_account(
    own: Sequence[Judged], number: int, seat: Seat, ends: Sequence[Sequence[float]]
) -> Account:
    expected = [
        Expectation(one.at_random, one.expected, one.lost, one.behind_error if one.lost else 0.0)
        for one in own
        if one.round == number and one.expected is not None and one.at_random is not None
    ]
    start = ends[number - 1][seat] if number else 0.0
    return account(start, expected, ends[number][seat] if number < len(ends) else None)
