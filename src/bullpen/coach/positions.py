"""The decisions of a match, each with what its seat knew when it had to decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from bullpen.cards import UNSEEN, Card
from bullpen.game import Action, Game, Options, Seat, View
from bullpen.match import Match
from bullpen.places import ACTING, FACE_UP, HELD, TOP_ONLY

SHOWN = (FACE_UP, TOP_ONLY, HELD, ACTING)  # to whom it belongs, or to all


@dataclass(frozen=True, slots=True)
class Position:
    """One decision.  Those of one secret choice share their moment: nobody knew of the others'."""

    number: int  # from 1, as in the record
    moment: int
    round: int  # from 0; a game without rounds has one
    seat: Seat
    action: Action
    view: View[Any]


def positions(match: Match) -> Iterator[Position]:
    """Every decision of the match, in the order of its record."""
    game = match.game
    table = game.set_up(match.seats, match.options, match.deck)
    shuffles, number = iter(match.shuffles), 0
    for moment, made in groupby(match.decisions, key=lambda decision: decision.moment):
        table = before = dealt(game, table, shuffles)
        for decision in made:
            number += 1
            view = game.view(before, decision.seat)
            finished = len(game.rounds(before))
            yield Position(number, moment, finished, decision.seat, decision.action, view)
            table, _ = game.apply(table, decision.seat, decision.action)


def dealt(game: Game[Any], table: Any, shuffles: Iterator[list[Card]]) -> Any:
    while game.to_shuffle(table):
        table, _ = game.deal(table, next(shuffles))
    return table


def seen_now(game: Game[Any], view: View[Any]) -> list[tuple[str, list[Card]]]:
    """What a picture of the decision shows: what lies open in the middle, and before this seat."""
    shown = []
    for name, place in game.places(view.table).items():
        cards = [card for card in view.table.lying[place] if card != UNSEEN]
        sight = view.table.PLACES.family_of(place).sight
        if cards and sight in SHOWN and view.table.owner_of(place) in (None, view.seat):
            shown.append((name, cards))
    return shown


# -- Leads ------------------------------------------------------------------------------------


def lead(game: Game[Any], options: Options, points: Sequence[int], seat: Seat) -> float:
    """How many points this seat is better than the mean of the others."""
    sign = -1 if game.best(options) is min else 1
    others = (sum(points) - points[seat]) / (len(points) - 1)
    return sign * (points[seat] - others)


def leads_at_ends(match: Match) -> list[list[float]]:
    """By seat, after each finished round; a game without rounds has one, when it is over."""
    game, seats = match.game, range(match.seats)
    if not match.rounds:
        return [[lead(game, match.options, match.scores, seat) for seat in seats]] * match.is_over
    totals, leads = [0] * match.seats, []
    for points in match.rounds:
        totals = [total + own for total, own in zip(totals, points, strict=True)]
        leads.append([lead(game, match.options, totals, seat) for seat in seats])
    return leads
