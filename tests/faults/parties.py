"""Parties: people who make a table, play to the end, and perhaps once more; and all parties of a run."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.faults import joining
from tests.faults.collecting import collect
from tests.faults.history import RUN, History, Json, now
from tests.faults.joining import NoTable, Person
from tests.faults.people import Chair, Line, Manners, Place
from tests.faults.servers import Fleet, Way
from tests.faults.wire import Desk, Ticket, Unreachable

# Short games, so that many come to their end.
GAMES: dict[str, Json] = {
    "six-nimmt": {"rounds": 1, "deck": "tactical"},
    "x-nimmt": {"rounds": 1},
    "hornochsen": {},
    "baron-oxx": {"games": 1},
    "eleven-nimmt": {"rounds": 1},
    "bullenparty": {},
}
AFTER_THE_END = 1.0  # seconds in which somebody may still want something
_addresses = itertools.count()


def next_address() -> str:
    """Each table's people come from an address of their own: limits are by address."""
    number = next(_addresses)
    return f"127.1.{number // 250 % 250}.{number % 250 + 1}"


@dataclass
class Played:
    """A table that was made."""

    table: str
    game: str
    tickets: list[Ticket]
    people: list[Person]
    started: bool = False
    ended: bool = False


@dataclass
class Crowd:
    """All who play in a run."""

    history: History
    fleet: Fleet
    rng: Random
    manners: Manners
    devices: list[str]
    closing: bool = False  # no new tables any more
    tables: list[Played] = field(default_factory=list)

    async def party(self, number: int) -> None:
        """One table after the other, until it is late."""
        games = itertools.cycle(list(GAMES)[number % 6 :] + list(GAMES)[: number % 6])
        while not self.closing:
            way = Way(self.fleet)
            address = next_address()
            desk = Desk(self.history, way, address)
            try:
                await self._evening(desk, way, address, next(games))
            except (NoTable, Unreachable) as nothing:
                self.history.note(RUN, "no table", why=str(nothing))
                await asyncio.sleep(0.5)
            finally:
                await desk.close()

    async def _evening(self, desk: Desk, way: Way, address: str, game: str) -> None:
        """A game, and half of the time another with the same people."""
        rng = self.rng
        count, bots = rng.choice((2, 2, 3, 4)), rng.choice(((), (), ("easy",), ("medium",)))
        if game == "x-nimmt":
            count = min(count, 4 - len(bots))
        people = [self._person(name) for name in ("Anna", "Bo", "Cleo", "Dan")[:count]]
        wish = {
            "game": game,
            "seats": joining.seats_of(count, bots),
            "options": GAMES[game],
            "clock": rng.choice((None, None, 20)),
            "stand_in": "easy",
        }
        host, invite = await joining.make(desk, people[0], wish)
        others = [await joining.join(desk, host.table, person, invite) for person in people[1:]]
        tickets = [host, *others]
        played = self._sits_down(game, tickets, people)
        await self._game(played, desk, way, address)
        while played.ended and not self.closing and rng.random() < 0.5:
            again = [
                await joining.rematch(desk, ticket, person)
                for ticket, person in zip(played.tickets, people, strict=True)
            ]
            played = self._sits_down(game, again, people)
            await self._game(played, desk, way, address)

    def _person(self, name: str) -> Person:
        if self.rng.random() < 0.3:
            return Person(name, "person", self.rng.choice(self.devices))
        return Person(name)

    def _sits_down(self, game: str, tickets: list[Ticket], people: list[Person]) -> Played:
        played = Played(tickets[0].table, game, tickets, people)
        self.tables.append(played)
        seats = [
            {"seat": ticket.seat, "kind": ticket.kind, "name": person.name, "device": ticket.device}
            for ticket, person in zip(tickets, people, strict=True)
        ]
        self.history.note(played.table, "table", game=game, seats=seats)
        return played

    # -- A game -------------------------------------------------------------------------------

    async def _game(self, played: Played, desk: Desk, way: Way, address: str) -> None:
        rng = self.rng
        place = Place(self.history, way, desk, address, played.table, rng)
        chairs = [
            Chair(place, ticket, rng.choice((1, 1, 2)), self.manners) for ticket in played.tickets
        ]
        watching = [Line(place, None, None) for _ in range(rng.choice((0, 0, 1, 2)))]
        if rng.random() < 0.2:
            watching.append(Line(place, played.tickets[0], None))  # a big screen
        lines = [line for chair in chairs for line in chair.lines] + watching
        tasks = [asyncio.create_task(line.live()) for line in lines]
        tasks += [asyncio.create_task(chair.live()) for chair in chairs]
        try:
            await self._until(lambda: all(chair.open_lines for chair in chairs), 20, tasks)
            await joining.start(desk, played.tickets[0])
            played.started = True
            await self._to_the_end(chairs, tasks)
            played.ended = True
        finally:
            self.history.note(played.table, "people go", ended=played.ended)
            for chair in chairs:
                chair.has_left = True
            for line in lines:
                await line.leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(Unreachable):
            await collect(self.history, desk, played.table, len(played.tickets))
        self.history.close(played.table)

    async def _to_the_end(self, chairs: list[Chair], tasks: list[asyncio.Task[None]]) -> None:
        quiet_since = None
        while quiet_since is None or now() - quiet_since < AFTER_THE_END:
            over = all(chair.result for chair in chairs) and not any(chair.asks for chair in chairs)
            quiet_since = (quiet_since or now()) if over else None
            await asyncio.sleep(0.05)
            reraise(tasks)

    async def _until(
        self, is_so: Callable[[], bool], seconds: float, tasks: list[asyncio.Task[None]]
    ) -> None:
        until = now() + seconds
        while not is_so() and now() < until:
            await asyncio.sleep(0.02)
            reraise(tasks)


def reraise(tasks: list[asyncio.Task[None]]) -> None:
    """A fault in the test itself must not look like somebody who is away."""
    for task in tasks:
        if task.done() and not task.cancelled() and (error := task.exception()):
            raise error
