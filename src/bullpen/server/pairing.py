"""Who meets whom in a tournament, and what a table is worth to each: arithmetic alone, no store and no clock.

Entrants are numbers.  Two at a table are paired, and who is left over has a bye; at larger tables everybody plays, and
bots fill what is empty (docs/clubs.md).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

Entrant = int
Group = tuple[Entrant, ...]
Pair = frozenset[Entrant]
Apart = Callable[[Entrant, Entrant], int]  # how little two should meet
PAIRS = 2  # seats of a table at which two are paired
MOST_SWEEPS = 20  # over all exchanges, until a round is as good as it gets
REPEATED = (
    1000  # how much worse it is to meet again than to meet somebody far away in the standings
)


class Round(NamedTuple):
    groups: list[Group]
    byes: list[Entrant]


class Share(NamedTuple):
    """What a table is worth to one of its people."""

    place: float  # the mean one where several are equal
    points: float  # the share of the others who did worse; who is equal counts half
    is_won: bool


def shares(ranks: Sequence[float | None]) -> list[Share]:
    """By rank, the least first; None: did not finish it, and has lost whatever the cards say."""
    others = len(ranks) - 1
    found = []
    for at, own in enumerate(ranks):
        rest = [rank for other, rank in enumerate(ranks) if other != at]
        worse = sum(is_better(own, rank) for rank in rest)
        better = sum(is_better(rank, own) for rank in rest)
        equal = others - worse - better
        points = 0.0 if own is None or not others else (worse + equal / 2) / others
        found.append(Share(1 + better + equal / 2, points, own is not None and not better))
    return found


def is_better(one: float | None, other: float | None) -> bool:
    return one is not None and (other is None or one < other)


# -- How many tables ----------------------------------------------------------------------------


def sizes(people: int, seats: int) -> list[int]:
    """People at each table, as even as can be."""
    if seats == PAIRS:
        return [PAIRS] * (people // PAIRS)
    tables = -(-people // seats)
    least, more = divmod(people, tables)
    return [least + (at < more) for at in range(tables)]


def bots_needed(people: int, seats: int) -> int:
    """So many seats of a round that no person has."""
    return sum(seats - size for size in sizes(people, seats))


def pairs_of(groups: Collection[Group]) -> Iterator[Pair]:
    for group in groups:
        yield from map(frozenset, combinations(group, 2))


# -- Everybody against everybody ----------------------------------------------------------------


@lru_cache(64)
def everybody(people: int, seats: int, most: int) -> tuple[Round, ...]:
    """Rounds until all have met; or one more than the `most`, where that is not enough."""
    if seats == PAIRS:
        return tuple(circle(people))
    met, rounds = Counter[Pair](), list[Round]()
    wanted = people * (people - 1) // 2
    while len(met) < wanted and len(rounds) <= most:
        groups = improved(begun(people, seats, met), met, nothing)
        met.update(pairs_of(groups))
        rounds.append(Round(groups, []))
    return tuple(rounds)


def circle(people: int) -> Iterator[Round]:
    """One stays, all others move on by one chair: each meets each once, and has the bye once where they are odd."""
    chairs: list[Entrant | None] = list(range(people))
    if people % 2:
        chairs.append(None)
    half = len(chairs) // 2
    for _ in range(len(chairs) - 1):
        facing = zip(chairs[:half], reversed(chairs[half:]), strict=True)
        groups, byes = list[Group](), list[Entrant]()
        for one, other in facing:
            if one is None or other is None:
                byes += [who for who in (one, other) if who is not None]
            else:
                groups.append((one, other))
        yield Round(groups, byes)
        chairs = [chairs[0], chairs[-1], *chairs[1:-1]]


def begun(people: int, seats: int, met: Mapping[Pair, int]) -> list[Group]:
    """Table by table: two who have not met, then each time whoever knows the fewest there."""
    left = list(range(people))
    groups = []
    for size in sizes(people, seats):
        strangers = (pair for pair in combinations(left, 2) if not met.get(frozenset(pair)))
        group = list(next(strangers, left[:2]))
        while len(group) < size:
            free = [one for one in left if one not in group]
            group.append(min(free, key=lambda one: (known(one, group, met), one)))
        left = [one for one in left if one not in group]
        groups.append(tuple(group))
    return groups


def known(one: Entrant, others: Collection[Entrant], met: Mapping[Pair, int]) -> int:
    """Whom they have met weighs more than how often, so that an exchange never costs a new meeting."""
    times = [met.get(frozenset((one, other)), 0) for other in others if other != one]
    return sum(REPEATED * (time > 0) + time for time in times)


def nothing(_one: Entrant, _other: Entrant) -> int:
    return 0


def improved(groups: Sequence[Group], met: Mapping[Pair, int], apart: Apart) -> list[Group]:
    """Exchanges two at a time as long as that gives fewer repeated meetings, or nearer ones."""
    tables = [list(group) for group in groups]

    def cost(one: Entrant, others: Sequence[Entrant]) -> int:
        return known(one, others, met) + sum(apart(one, other) for other in others if other != one)

    for _ in range(MOST_SWEEPS):
        is_better_now = False
        for here, there in combinations(tables, 2):
            for at in range(len(here)):
                for to in range(len(there)):
                    one, other = here[at], there[to]
                    before = cost(one, here) + cost(other, there)
                    here[at], there[to] = other, one
                    if cost(other, here) + cost(one, there) < before:
                        is_better_now = True
                    else:
                        here[at], there[to] = one, other
        if not is_better_now:
            break
    return [tuple(table) for table in tables]


class Distance:
    """How far two are from each other in the standings."""

    def __init__(self, order: Sequence[Entrant]) -> None:
        self.place = {one: at for at, one in enumerate(order)}

    def __call__(self, one: Entrant, other: Entrant) -> int:
        return abs(self.place[one] - self.place[other])


# -- Swiss --------------------------------------------------------------------------------------


def swiss(
    order: Sequence[Entrant], seats: int, met: Mapping[Pair, int], byes: Mapping[Entrant, int]
) -> Round:
    """The next round: those who stand alike meet, nobody twice as long as that can be."""
    if seats == PAIRS:
        return paired(order, met, byes)
    at, groups = 0, list[Group]()
    for size in sizes(len(order), seats):
        groups.append(tuple(order[at : at + size]))
        at += size
    return Round(improved(groups, met, Distance(order)), [])


def paired(order: Sequence[Entrant], met: Mapping[Pair, int], byes: Mapping[Entrant, int]) -> Round:
    strangers = Strangers(order, met)
    if len(order) % 2 == 0:
        return Round(strangers.pairs(list(order)), [])
    fewest = min(byes.get(one, 0) for one in order)
    candidates = [one for one in reversed(order) if byes.get(one, 0) == fewest]
    without = {one: [other for other in order if other != one] for one in candidates}
    free = max(candidates, key=lambda one: strangers.most(without[one]))  # the first of equals
    return Round(strangers.pairs(without[free]), [free])


class Strangers:
    """Who has not met whom."""

    def __init__(self, order: Sequence[Entrant], met: Mapping[Pair, int]) -> None:
        self.met = met
        self.of = {
            one: {other for other in order if other != one and not met.get(frozenset((one, other)))}
            for one in order
        }

    def most(self, people: Sequence[Entrant]) -> int:
        """Pairs of strangers that these people can be divided into, at most."""
        index = {one: at for at, one in enumerate(people)}
        return matching([[index[o] for o in people if o in self.of[one]] for one in people])

    def pairs(self, people: list[Entrant]) -> list[Group]:
        """From the top: each with the nearest one who leaves as few repeated meetings as there must be."""
        found, wanted = list[Group](), self.most(people)
        while people:
            first, *others = people
            nearest = sorted(others, key=lambda one: self.met.get(frozenset((first, one)), 0))
            for other in nearest:
                rest = [one for one in others if one != other]
                new = other in self.of[first]
                if new + self.most(rest) == wanted:
                    break
            found.append((first, other))
            people, wanted = rest, wanted - new
        return found


def matching(near: Sequence[Sequence[int]]) -> int:
    """The most pairs that a graph can be divided into, by Edmonds' blossoms: `near[a]` has all that a can be paired
    with."""
    partner: list[int | None] = [None] * len(near)
    starts = (start for start in range(len(near)) if partner[start] is None)
    return sum(Search(start, near, partner).finds_a_path() for start in starts)


class Search:
    """From one who has no partner, for a path on which pairs and others take turns: turned round it pairs one more."""

    def __init__(
        self, start: int, near: Sequence[Sequence[int]], partner: list[int | None]
    ) -> None:
        self.start, self.near, self.partner = start, near, partner
        self.base = list(range(len(near)))  # of the blossom that each is in
        self.came: dict[int, int] = {}
        self.seen, self.waiting = {start}, deque([start])

    def finds_a_path(self) -> bool:
        while self.waiting:
            one = self.waiting.popleft()
            for other in self.near[one]:
                if self.base[one] == self.base[other] or self.partner[one] == other:
                    continue
                if self.is_outer(other):
                    self.shrink(one, other)
                elif other not in self.came:
                    self.came[other] = one
                    mate = self.partner[other]
                    if mate is None:
                        self.turn(other)
                        return True
                    self.look_from(mate)
        return False

    def is_outer(self, one: int) -> bool:
        """Whether a path from the start to here ends with a pair."""
        return one == self.start or self.partner[one] in self.came

    def look_from(self, one: int) -> None:
        if one not in self.seen:
            self.seen.add(one)
            self.waiting.append(one)

    def shrink(self, one: int, other: int) -> None:
        """A ring of odd length: from now on it is one place."""
        on_the_way = set(self.way_back(one))
        to = next(at for at in self.way_back(other) if at in on_the_way)
        inside = self.marked(one, to, other) | self.marked(other, to, one)
        for at in range(len(self.near)):
            if self.base[at] in inside:
                self.base[at] = to
                self.look_from(at)

    def way_back(self, one: int) -> Iterator[int]:
        """The bases from here to the start."""
        at = self.base[one]
        while True:
            yield at
            mate = self.partner[at]
            if mate is None:
                return
            at = self.base[self.came[mate]]

    def marked(self, one: int, to: int, child: int) -> set[int]:
        inside = set[int]()
        while self.base[one] != to:
            mate = self.partner[one]
            assert mate is not None
            inside |= {self.base[one], self.base[mate]}
            self.came[one], child = child, mate
            one = self.came[mate]
        return inside

    def turn(self, end: int) -> None:
        """All along the path, who was paired is not, and the others are."""
        at: int | None = end
        while at is not None:
            before = self.came[at]
            following = self.partner[before]
            self.partner[at], self.partner[before] = before, at
            at = following


# -- Who has left, and who sits where -----------------------------------------------------------


def without(planned: Round, gone: Collection[Entrant]) -> Round:
    """A round of a plan after somebody has left: who would be alone has a bye."""
    groups, byes = list[Group](), [one for one in planned.byes if one not in gone]
    for group in planned.groups:
        left = tuple(one for one in group if one not in gone)
        if len(left) > 1:
            groups.append(left)
        else:
            byes += left
    return Round(groups, byes)


def in_seats(group: Group, began: Mapping[Entrant, int]) -> Group:
    """Whoever had the first seat least often has it now."""
    first = min(group, key=lambda one: (began.get(one, 0), group.index(one)))
    at = group.index(first)
    return group[at:] + group[:at]


# -- Standings ----------------------------------------------------------------------------------


class Played(NamedTuple):
    """One entrant in one round."""

    entrant: Entrant
    round: int
    table: int | None  # None: a bye
    points: float
    is_won: bool


class Row(NamedTuple):
    entrant: Entrant
    place: int  # who is equal in everything shares it
    points: float
    met: float  # the mean points of those met, summed over the tables
    wins: int
    games: int
    byes: int


def standings(entrants: Sequence[Entrant], played: Sequence[Played]) -> list[Row]:
    """By points; then by the points of those met; then by tables won."""
    wins, games, byes = Counter[int](), Counter[int](), Counter[int]()
    total: dict[Entrant, float] = dict.fromkeys(entrants, 0.0)
    tables: dict[tuple[int, int], list[Entrant]] = {}
    for one in played:
        total[one.entrant] += one.points
        if one.table is None:
            byes[one.entrant] += 1
            continue
        tables.setdefault((one.round, one.table), []).append(one.entrant)
        wins[one.entrant] += one.is_won
        games[one.entrant] += 1
    met: dict[Entrant, float] = dict.fromkeys(entrants, 0.0)
    for people in tables.values():
        for who in people:
            others = [total[other] for other in people if other != who]
            met[who] += sum(others) / len(others) if others else 0.0
    keys = {one: (round(total[one], 6), round(met[one], 6), wins[one]) for one in entrants}
    ordered = sorted(entrants, key=lambda one: keys[one], reverse=True)
    return [
        Row(
            one,
            1 + sum(keys[other] > keys[one] for other in entrants),
            keys[one][0],
            keys[one][1],
            wins[one],
            games[one],
            byes[one],
        )
        for one in ordered
    ]
