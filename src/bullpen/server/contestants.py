"""Whom a game that is over says something about, and what: what ratings are made from.

A rating should say how well somebody plays, so here is decided what does not count.  Each of these rules keeps a way
shut to be rated higher than one plays (docs/ratings.md).  What is decided before the start may leave a game unrated;
nothing that somebody can do afterwards does: else whoever is about to lose would do it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from bullpen.game import Seat, is_mini
from bullpen.server.header import Header, Part, SeatTaken
from bullpen.server.levels import Level
from bullpen.server.networks import network_of
from bullpen.server.play import Made, Play

OWN = ("person", "program")  # by whom a decision was made: the one who sits there
# Of the decisions of a seat, so many at most by bots that stood in; else its person has not played it.
MOST_STOOD_IN = 0.25
LEAST_STAYED = (
    0.5  # … and so many at least by its person, else the others have not played against them
)

Unrated = Literal[
    "practice", "daily", "coach", "deck", "alone", "same_person", "took_over", "device_changed"
]


class Contestant(NamedTuple):
    """Somebody, or a level, in one game.  The least rank is the best one."""

    seat: Seat
    rank: float
    device: str | None = None  # of a person
    level: Level | None = None
    has_lost: bool = False  # whatever the points say: a bot has finished it for them
    was_brief: bool = False  # has left before the others could win anything of them
    was_replaced: bool = False  # a bot whose seat somebody took over
    why_not: Unrated | None = None  # of a person who is not rated
    has_moved: bool = False  # since the start its device has become another player's


Contestants = list[Contestant]


# -- Games that are not rated -------------------------------------------------------------------


def why_no_game(header: Header) -> Unrated | None:
    """By what was agreed before the start."""
    if header.practice is not None or header.played_on is not None:
        return "practice"
    if header.daily is not None:  # whose cards somebody may know from others who have played them
        return "daily"
    if header.coach:
        return "coach"
    if header.deck is not None or is_mini(header.options):  # no server opens a mini game
        return "deck"
    return None


def mark(header: Header, address: str) -> str | None:
    """By which two seats of one address are told, and nothing else: it depends on the secret of the table, and is gone
    when the game is over.  None at a deal of the day, which is not rated, and whose secret everybody learns."""
    if not header.secret or header.daily is not None:
        return None
    return hashlib.sha256(f"{header.secret} {network_of(address)}".encode()).hexdigest()[:16]


def unmarked(header: Header) -> Header:
    seats = [seat.model_copy(update={"network": None}) for seat in header.seats]
    return header.model_copy(update={"seats": seats})


def same_people(seats: Sequence[SeatTaken]) -> set[Seat]:
    """Seats that cannot be told from another one's: the same device, or the same address.  Of those who were there at
    the start: else who is about to lose would sit down once more."""
    found = set[Seat]()
    since_the_start = [(seat, taken) for seat, taken in enumerate(seats) if not taken.earlier]
    for (one, own), (other, theirs) in combinations(since_the_start, 2):
        if is_same(own.device, theirs.device) or is_same(own.network, theirs.network):
            found |= {one, other}
    return found


def is_same(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


# -- Games that were played to their end --------------------------------------------------------


def contestants(header: Header, play: Play, scores: Sequence[int]) -> Contestants:
    """Of all who sat there.  Empty: nobody is rated, by what was agreed."""
    if why_no_game(header):
        return []
    is_most = play.game.best(play.options) is max
    ranks = [float(-score if is_most else score) for score in scores]
    made = by_seat(play)
    same = same_people(header.seats)
    found = Contestants()
    for seat, taken in enumerate(header.seats):
        if taken.earlier:
            found += earlier_ones(seat, taken.earlier, made[seat], ranks[seat])
            if taken.device:
                found.append(Contestant(seat, ranks[seat], taken.device, why_not="took_over"))
        elif taken.kind == "bot":
            found.append(Contestant(seat, ranks[seat], level=taken.level))
        elif taken.device:
            own = stayed(made[seat])
            has_lost = is_finished_by_a_bot(made[seat]) or seat in header.senders
            found.append(
                Contestant(
                    seat,
                    ranks[seat],
                    taken.device,
                    has_lost=has_lost,
                    was_brief=has_lost and own < LEAST_STAYED,
                    why_not="same_person" if seat in same else None,
                )
            )
    return found


def by_seat(play: Play) -> Mapping[Seat, list[Made]]:
    found: dict[Seat, list[Made]] = {seat: [] for seat in range(play.seats)}
    for one in play.made:
        found[one.seat].append(one)
    return found


def stayed(made: Sequence[Made]) -> float:
    """The share of decisions that the person of a seat has made."""
    return sum(one.by in OWN for one in made) / len(made) if made else 1.0


def is_finished_by_a_bot(made: Sequence[Made]) -> bool:
    """Also where its person came back for the last move, or let the clock run out all the time: the bot that stands in
    may play better than they do."""
    return bool(made) and (made[-1].by not in OWN or stayed(made) < 1 - MOST_STOOD_IN)


def earlier_ones(
    seat: Seat, parts: Sequence[Part], made: Sequence[Made], rank: float
) -> Iterator[Contestant]:
    """Who played a seat before somebody else took it over."""
    begin = 0
    for part in parts:
        own = made[begin : part.decisions]
        begin = part.decisions
        if part.device:
            brief = sum(one.by in OWN for one in own) < LEAST_STAYED * len(made)
            yield Contestant(seat, rank, part.device, has_lost=True, was_brief=brief)
        elif part.kind == "bot" and part.level:
            yield Contestant(seat, rank, level=part.level, was_replaced=True)


# -- Games that were not ------------------------------------------------------------------------


def given_up(header: Header) -> Contestants:
    """One person with bots, who has seen their cards and goes for good: that is lost, or one would go whenever it looks
    bad; also where programs sit there, by which nobody is rated.  Of games among people that nobody went on with nothing
    is known."""
    people = [seat for seat in header.people() if header.seats[seat].kind == "person"]
    if why_no_game(header) or len(people) != 1:
        return []
    alone = header.seats[people[0]]
    if not alone.device or alone.earlier or same_people(header.seats):
        return []
    return [
        Contestant(seat, 1.0, taken.device, has_lost=True)
        if seat in people
        else Contestant(seat, 0.0, level=taken.level or first_level(taken))
        for seat, taken in enumerate(header.seats)
    ]


def first_level(taken: SeatTaken) -> Level | None:
    return taken.earlier[0].level if taken.earlier else None
