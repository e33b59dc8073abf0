"""Quick match: one button for a game and a number of players.  Whoever waits gets somebody, or somebody who waits.

All who ask for the same go through one lock, so that two who come at once find each other; sitting down goes through the
door of the table, like everything.  Where several processes serve, the path says which of them it is for (workers.py).
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from bullpen.game import Seat
from bullpen.games import game_called
from bullpen.server import changing, seating
from bullpen.server.budget import Hits, Rate
from bullpen.server.header import Header
from bullpen.server.house import House, Sat
from bullpen.server.players import Arrived, Players
from bullpen.server.refused import Gone, Refused
from bullpen.server.requests import JoinTable, NewTable, SeatWish
from bullpen.server.room import Room
from bullpen.server.settings import Settings
from bullpen.server.store import LOBBY

COMING_SECONDS = 10.0  # that a browser has, from its seat to its socket
LISTED = 100  # tables that are looked at for who waits
Kind = tuple[str, int]  # a game, and how many play


class Quick:
    def __init__(self, settings: Settings, house: House, players: Players, hits: Hits) -> None:
        self.house, self.players = house, players
        self.tries = Rate("quick", settings.quick_per_minute, hits)
        self.doors: defaultdict[Kind, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def sit(self, kind: Kind, name: str, arrived: Arrived, address: str) -> Sat:
        """At a table that waits, the fullest first; or at a new one."""
        game, seats = kind
        rules = game_called(game)
        if seats not in rules.SEATS:
            raise Refused(422, "quick_seats", seats=seats, game=rules.TITLE)
        if not self.tries.allows(address):
            raise Refused(429, "too_many_quick", seconds=self.tries.seconds_left())
        async with self.doors[kind]:
            open_tables = sorted(self.open(kind), key=lambda room: len(room.header.free_seats()))
            for room in open_tables:
                if seating.sits(room.header, arrived.own):  # asked twice, or on another device
                    return await self.house.come_back(room, arrived.own)
            for room in filter(is_somebody_there, open_tables):
                try:
                    wish = JoinTable(name=name)
                    return await self.house.join(room, wish, arrived.device, address, arrived.own)
                except (Refused, Gone):  # sent away there, a name that is taken, or just started
                    continue
            return await self._made(kind, name, arrived, address)

    async def _made(self, kind: Kind, name: str, arrived: Arrived, address: str) -> Sat:
        game, seats = kind
        people = [SeatWish(kind="person")] * seats
        wish = NewTable(game=game, name=name, seats=people, listed=True)
        async with self.players.making_a_table(arrived):
            sat, _ = await self.house.create(wish, address, arrived.device, "quick")
        return sat

    def open(self, kind: Kind) -> Iterator[Room]:
        """Listed tables as the game is printed."""
        for room in self.house.rooms.values():
            header = room.header
            if (
                (header.game, len(header.seats)) == kind
                and is_as_printed(header)
                and header.free_seats()
                and not room.is_gone
            ):
                yield room

    async def counts(self) -> Counter[Kind]:
        """How many people wait, by game and number of players; at other processes as far as their headers tell."""
        found: Counter[Kind] = Counter()
        for room in await self.house.listed(LISTED):
            header, is_ours = room.header, room.id in self.house.rooms
            if is_as_printed(header) and header.free_seats():
                people = here(room, header.people()) if is_ours else header.people()
                found[header.game, len(header.seats)] += len(people)
        return +found


def is_as_printed(header: Header) -> bool:
    """Listed and not started, with the cards and rules that everybody knows, and no hints: what a stranger expects."""
    usual = changing.served_options(header.rules, len(header.seats), {})
    return (
        header.listed
        and header.state == LOBBY
        and header.deck is None
        and not header.coach
        and header.options == usual
    )


def is_somebody_there(room: Room) -> bool:
    """Who can start it: at a quick match anybody who sits there, or is on the way from the answer that gave them a
    seat; elsewhere the host."""
    header, people = room.header, room.header.people()
    if header.is_quick:
        return bool(here(room, people)) or (bool(people) and room.waited() < COMING_SECONDS)
    return header.host in here(room, people)


def here(room: Room, seats: Sequence[Seat]) -> list[Seat]:
    return [seat for seat in seats if room.here.is_here(seat)]
