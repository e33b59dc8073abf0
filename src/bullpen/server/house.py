"""All tables of a server: made, joined, found again after a restart, and let go."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bullpen import fair
from bullpen.cards import Problem
from bullpen.deck import deck_from_json
from bullpen.game import Seat, complete_options
from bullpen.games import game_called
from bullpen.server import door
from bullpen.server.connection import NORMAL
from bullpen.server.door import Change
from bullpen.server.header import Header, SeatTaken
from bullpen.server.keys import Keys
from bullpen.server.metrics import Metrics
from bullpen.server.refused import Refused
from bullpen.server.requests import JoinTable, NewTable
from bullpen.server.room import Room
from bullpen.server.settings import Settings
from bullpen.server.steward import Steward
from bullpen.server.store import FINISHED, LOBBY, Key, Store, TableDamaged, new_token
from bullpen.server.talk import CHAT_SHOWN, chat_from

log = logging.getLogger("bullpen.house")

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH = 16  # 80 bits: an id is as hard to guess as it need be to watch a private table
BOT_NAMES = ("Bella", "Bruno", "Carla", "Dora", "Ferdi", "Gustav", "Heidi", "Max", "Rosa", "Toni")
HAND_OVER_SECONDS = 3.0  # that another server gets for it
LEAST_KEPT_SECONDS = 10.0  # until a table where somebody is may be asked for by another server
IDLE_SECONDS = 60.0  # a finished or quiet room stays in memory for so long after the last socket


class Sat(NamedTuple):
    """Somebody has sat down, and this token is theirs."""

    room: Room
    seat: Seat
    token: str


def device_hash(device: str | None) -> str | None:
    return hashlib.sha256(device.encode()).hexdigest()[:32] if device else None


class House:
    def __init__(
        self, settings: Settings, store: Store, steward: Steward, metrics: Metrics
    ) -> None:
        self.settings, self.store, self.steward, self.metrics = settings, store, steward, metrics
        self.rooms: dict[str, Room] = {}
        self.made_by: dict[str, str] = {}  # the address that made a table, while it lives
        self.idle_since: dict[str, float] = {}
        self.kept_since: dict[str, float] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}

    # -- Finding a table ----------------------------------------------------------------------

    async def room(self, table: str) -> Room:
        """From memory, or read from the log; several who ask at once wait for the same reading."""
        if (room := self.rooms.get(table)) and not room.is_gone:
            return room
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
        try:
            return await asyncio.shield(self._loading[table])
        finally:
            if (task := self._loading.get(table)) and task.done():
                del self._loading[table]

    async def _load(self, table: str) -> Room:
        header = await self._header(table)
        if header.state != FINISHED:
            await self._claim(table)
            header = await self._header(table)  # whoever kept it may have changed it until now
        room = Room(table, header, self.store, self.metrics)
        room.keys = Keys(await self.store.keys(table))
        try:
            await room.restore()
        except TableDamaged as damage:
            log.error("table damaged", extra={"table": table, "seq": damage.damage.seq})
            raise Refused(410, "table_damaged", table=table) from None
        lines = (await self.store.chat(table))[-CHAT_SHOWN:]
        room.chat = [chat_from(line.seat, line.name, line.text, line.time) for line in lines]
        self._keep(room)
        return room

    async def _header(self, table: str) -> Header:
        kept = await self.store.header(table) if is_id(table) else None
        if kept is None:
            raise Refused(404, "no_such_table", table=table)
        return Header.model_validate(kept)

    def _keep(self, room: Room) -> None:
        self.rooms[room.id] = room
        self.kept_since[room.id] = asyncio.get_running_loop().time()
        self.idle_since[room.id] = asyncio.get_running_loop().time()
        self.metrics.tables.set(len(self.rooms))
        self.steward.take_over(room)

    async def restore(self) -> None:
        """All living tables, one after the other; whoever asks for one earlier gets it earlier."""
        started, count = time.monotonic(), 0
        for table in await self.store.live_tables():
            try:
                if not self.store.is_shared or await self.store.claim(table):
                    await self.room(table)
                    count += 1
            except Problem as problem:
                log.warning("not restored", extra={"table": table, "reason": problem.key})
            except Exception:  # whatever is wrong with one table, the others wait
                log.exception("not restored", extra={"table": table})
            await asyncio.sleep(0)
        seconds = round(time.monotonic() - started, 3)
        log.info("tables restored", extra={"count": count, "seconds": seconds})

    # -- Several servers ----------------------------------------------------------------------

    async def _claim(self, table: str) -> None:
        """Whoever is asked for a table keeps it: another server that has it is asked to hand it over."""
        if await self.store.claim(table):
            return
        await self.store.ask_for(table)
        until = asyncio.get_running_loop().time() + HAND_OVER_SECONDS
        while not await self.store.claim(table):
            if asyncio.get_running_loop().time() > until:
                raise Refused(503, "table_elsewhere", table=table)
            await asyncio.sleep(0.05)

    async def hand_over(self) -> None:
        """What other servers ask for, as long as this one runs."""
        async for table in self.store.wanted():
            try:
                if (room := self.rooms.get(table)) and self._may_go(room):
                    await self._let_go(room)
            except Problem as problem:
                log.warning("not handed over", extra={"table": table, "reason": problem.key})

    def _may_go(self, room: Room) -> bool:
        """A table where people are stays for a while: servers that are asked by turns would pass it to and fro."""
        kept = asyncio.get_running_loop().time() - self.kept_since[room.id]
        return not room.here.sockets or kept > LEAST_KEPT_SECONDS

    async def _let_go(self, room: Room) -> None:
        await room.settled()
        async with room.lock:
            self._forget(room)
            room.let_go()
            await self.store.release(room.id)
        log.info("handed over", extra={"table": room.id})

    async def listed(self, limit: int) -> list[Room]:
        """Tables that can be joined or watched, those of other servers too."""
        rooms = [room for room in self.rooms.values() if room.header.listed]
        found = [room for room in rooms if room.header.state != FINISHED]
        if self.store.is_shared:
            for table, kept in await self.store.listed(limit):
                if table not in self.rooms:
                    header = Header.model_validate(kept)
                    found.append(Room(table, header, self.store, self.metrics))
        return found[:limit]

    # -- Making and joining -------------------------------------------------------------------

    async def create(self, wish: NewTable, address: str, device: str | None) -> tuple[Sat, str]:
        """With an invitation for others."""
        if Counter(self.made_by.values())[address] >= self.settings.tables_per_address:
            raise Refused(429, "too_many_tables", most=self.settings.tables_per_address)
        header = new_header(wish)
        host = header.open_seats()[0]
        header.host = host
        header.seats[host] = SeatTaken(kind=wish.kind, name=wish.name, device=device_hash(device))
        token, invite = new_token(), new_token()
        keys = (*door.seating(host, wish.name, token).given, *door.inviting(invite).given)
        room = await self._made(header, address, keys)
        return Sat(room, host, token), invite

    async def _made(self, header: Header, address: str, keys: Sequence[Key]) -> Room:
        table = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        if header.practice is None:
            secret = secrets.token_bytes(32)
            header.secret, header.commitment = secret.hex(), fair.commitment(secret)
        await self.store.create(table, header.game, header.model_dump(), keys)
        room = Room(table, header, self.store, self.metrics)
        room.keys = Keys(keys)
        self.made_by[table] = address
        self._keep(room)
        self.metrics.created.labels(header.game).inc()
        log.info("table made", extra={"table": table, "game": header.game})
        return room

    async def join(self, room: Room, wish: JoinTable, device: str | None) -> Sat:
        token, seats = new_token(), []

        def sit(header: Header) -> Change:
            only_before_the_start(header)
            if not header.listed and not room.keys.invites(wish.invite):
                raise Refused(403, "invite_needed")
            free = header.open_seats()
            seat = wish.seat if wish.seat is not None else (free[0] if free else None)
            if seat is None or seat not in free:
                raise Refused(409, "seat_taken" if free else "table_full")
            if wish.name.casefold() in [name.casefold() for name in header.names]:
                raise Refused(409, "name_taken", name=wish.name)
            header.seats[seat] = SeatTaken(
                kind=wish.kind,
                name=wish.name,
                device=device_hash(device),
                contribution=wish.contribution,
            )
            seats.append(seat)
            return door.seating(seat, wish.name, token)

        await door.through(room, sit)
        return Sat(room, seats[0], token)

    async def leave(self, room: Room, token: str | None) -> None:
        """Before the start the seat is free again; later a bot plays on until its person is back."""
        seat = door.own_seat(room, token)
        if room.header.state != LOBBY:
            for connection in list(room.here.of(seat)):
                connection.close(NORMAL)
            return

        def stand_up(header: Header) -> Change:
            only_before_the_start(header)
            return freed(header, door.own_seat(room, token))

        await door.through(room, stand_up)

    async def kick(self, room: Room, token: str | None, seat: Seat) -> None:
        def send_away(header: Header) -> Change:
            only_before_the_start(header)
            by_the_host(room, header, token)
            if seat == header.host or seat not in header.people():
                raise Refused(409, "nobody_to_kick", seat=seat)
            return freed(header, seat)

        await door.through(room, send_away)

    async def invite(self, room: Room, token: str | None) -> str:
        invite = new_token()

        def let_in(header: Header) -> Change:
            door.own_seat(room, token)
            only_before_the_start(header)
            return door.inviting(invite)

        await door.through(room, let_in)
        return invite

    async def start(self, room: Room) -> None:
        async with room.lock:
            if room.header.state != LOBBY:
                raise Refused(409, "already_started")
            header = room.header.model_copy(deep=True)
            for seat in header.open_seats():
                header.seats[seat] = SeatTaken(kind="bot", level=header.stand_in)
            name_bots(header)
            await room.start(header)
        room.broadcast_lobby()
        room.show_view()
        self.steward.take_over(room)

    async def rematch(self, room: Room, token: str | None, address: str) -> Sat:
        """The first to ask makes the next table; everyone keeps their seat there."""
        if room.header.state != FINISHED:
            raise Refused(409, "not_over")
        seat = door.own_seat(room, token)
        async with room.lock:
            if room.header.rematch is None:
                old = room.header
                header = old.model_copy(deep=True, update={"host": seat})
                header.state, header.result, header.rematch = LOBBY, None, None
                for other in header.people():
                    header.seats[other] = SeatTaken()
                new = await self._made(header, address, ())
                changed = old.model_copy(update={"rematch": new.id})
                await self.store.update(room.id, changed.model_dump())
                room.header = changed
        assert room.header.rematch is not None
        new = await self.room(room.header.rematch)
        old_seat, new_key = room.header.seats[seat], new_token()

        def sit(header: Header) -> Change:
            only_before_the_start(header)
            if header.seats[seat].kind == "open":
                header.seats[seat] = old_seat.model_copy(update={"contribution": ""})
            elif header.seats[seat].name != old_seat.name:
                raise Refused(409, "seat_taken")
            return door.seating(seat, old_seat.name, new_key)

        await door.through(new, sit)
        room.broadcast_lobby()
        return Sat(new, seat, new_key)

    # -- Letting go ---------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Rooms that nobody needs in memory, and lobbies that nobody has come to."""
        now = asyncio.get_running_loop().time()
        for room in list(self.rooms.values()):
            if room.here.sockets:
                self.idle_since[room.id] = now
            idle = now - self.idle_since[room.id]
            if room.is_gone or (room.header.state == FINISHED and idle > IDLE_SECONDS):
                self._forget(room)
            elif room.header.state == LOBBY and idle > 60 * self.settings.lobby_minutes:
                await self.store.delete(room.id)
                self._forget(room)

    def _forget(self, room: Room) -> None:
        self.steward.let_go(room)
        del self.rooms[room.id], self.idle_since[room.id], self.kept_since[room.id]
        self.made_by.pop(room.id, None)
        self.metrics.tables.set(len(self.rooms))


def only_before_the_start(header: Header) -> None:
    if header.state != LOBBY:
        raise Refused(409, "already_started")


def by_the_host(room: Room, header: Header, token: str | None) -> None:
    if door.own_seat(room, token) != header.host:
        raise Refused(403, "only_the_host")


def freed(header: Header, seat: Seat) -> Change:
    header.seats[seat] = SeatTaken()
    if header.host == seat:
        header.host = next(iter(header.people()), None)
    return Change(ended=(seat,))


def is_id(table: str) -> bool:
    return len(table) == ID_LENGTH and all(letter in ID_LETTERS for letter in table)


def new_header(wish: NewTable) -> Header:
    """What was wished, checked by the rules of the game."""
    game = game_called(wish.game)
    options = complete_options(game, len(wish.seats), wish.options)
    if wish.deck is not None:
        deck_from_json(game.DECK_FILES, wish.deck)
    seats = [
        SeatTaken(kind="bot", level=seat.level) if seat.kind == "bot" else SeatTaken()
        for seat in wish.seats
    ]
    header = Header(
        game=game.ID,
        options=options,
        deck=wish.deck,
        seats=seats,
        clock=wish.clock,
        listed=wish.listed,
        spectators=wish.spectators,
        coach=wish.coach,
        stand_in=wish.stand_in,
        practice=wish.practice,
    )
    people = len(header.open_seats())
    if not people:
        raise Refused(422, "no_seat_for_people")
    if wish.practice is not None and people > 1:
        raise Refused(422, "practice_alone")
    name_bots(header, taken=wish.name)
    return header


def name_bots(header: Header, taken: str = "") -> None:
    used = {name.casefold() for name in (*header.names, taken)}
    for seat in header.seats:
        if seat.kind == "bot" and not seat.name:
            seat.name = next(name for name in BOT_NAMES if name.casefold() not in used)
            used.add(seat.name.casefold())
