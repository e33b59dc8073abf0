"""All tables of a server: made, joined, found again after a restart, and let go."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from bullpen import fair
from bullpen.cards import Problem
from bullpen.deck import deck_from_json
from bullpen.game import Seat, complete_options
from bullpen.games import game_called
from bullpen.server import messages
from bullpen.server.connection import NORMAL
from bullpen.server.header import Header, SeatTaken
from bullpen.server.metrics import Metrics
from bullpen.server.requests import JoinTable, NewTable
from bullpen.server.room import RETRY_SECONDS, Room
from bullpen.server.settings import Settings
from bullpen.server.steward import Steward
from bullpen.server.store import FINISHED, LOBBY, Grant, NotOwner, Store, TableDamaged
from bullpen.server.talk import CHAT_SHOWN, chat_from

log = logging.getLogger("bullpen.house")

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH = 16  # 80 bits: an id is as hard to guess as it need be to watch a private table
BOT_NAMES = ("Bella", "Bruno", "Carla", "Dora", "Ferdi", "Gustav", "Heidi", "Max", "Rosa", "Toni")
HAND_OVER_SECONDS = 3.0  # that another server gets for it
LEAST_KEPT_SECONDS = 10.0  # until a table where somebody is may be asked for by another server
AWAKE_SECONDS = (
    3600.0  # since something happened in a game, that it goes on by itself after a start
)
ADOPTED_AT_ONCE = 500  # tables that are claimed together
LONGEST_PAUSE = 0.1  # seconds, between two tables that are read at a start
IDLE_SECONDS = 60.0  # a finished or quiet room stays in memory for so long after the last socket


class Refused(Problem):
    """A request that cannot be served, with the HTTP status that says so."""

    def __init__(self, status: int, key: str, /, **facts: Any) -> None:
        super().__init__(key, **facts)
        self.status = status


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
        """Games in which something happened lately go on by themselves, with their clocks and bots.  All other tables
        stay in the store until somebody comes, and whoever asks for one earlier gets it earlier."""
        started, since, count = time.monotonic(), time.time() - AWAKE_SECONDS, 0
        while tables := await self._adopted(since):
            for table in tables:
                begun = time.monotonic()
                count += await self._is_restored(table)
                # As long again for those who are here: a start with many tables must not look like a stop.
                await asyncio.sleep(min(time.monotonic() - begun, LONGEST_PAUSE))
        seconds = round(time.monotonic() - started, 3)
        log.info("tables restored", extra={"count": count, "seconds": seconds})

    async def _adopted(self, since: float) -> list[str]:
        while True:
            try:
                return await self.store.adopt(touched_since=since, limit=ADOPTED_AT_ONCE)
            except Problem as problem:
                log.warning("not restored", extra={"reason": problem.key})
                await asyncio.sleep(RETRY_SECONDS)

    async def _is_restored(self, table: str) -> bool:
        try:
            await self.room(table)
        except Problem as problem:
            log.warning("not restored", extra={"table": table, "reason": problem.key})
        except Exception:  # whatever is wrong with one table, the others wait
            log.exception("not restored", extra={"table": table})
        else:
            return True
        return False

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
        """What other servers ask for, and what they have taken, as long as this one runs."""
        await asyncio.gather(self._hand_over_wanted(), self._let_go_lost())

    async def _let_go_lost(self) -> None:
        """As after this process hung, or lost the database, for longer than its lease."""
        async for table in self.store.lost():
            if room := self.rooms.get(table):
                log.warning("table elsewhere", extra={"table": table})
                self._forget(room)
                room.let_go()

    async def _hand_over_wanted(self) -> None:
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
        """Tables that can be joined or watched, those of other servers and those that nobody has asked for too."""
        rooms = [room for room in self.rooms.values() if room.header.listed]
        found = [room for room in rooms if room.header.state != FINISHED]
        for table, kept in await self.store.listed(limit):
            if table not in self.rooms:
                header = Header.model_validate(kept)
                found.append(Room(table, header, self.store, self.metrics))
        return found[:limit]

    # -- Making and joining -------------------------------------------------------------------

    async def create(self, wish: NewTable, address: str, device: str | None) -> tuple[Room, Seat]:
        if Counter(self.made_by.values())[address] >= self.settings.tables_per_address:
            raise Refused(429, "too_many_tables", most=self.settings.tables_per_address)
        header = new_header(wish)
        host = header.open_seats()[0]
        header.host = host
        header.seats[host] = SeatTaken(kind=wish.kind, name=wish.name, device=device_hash(device))
        room = await self._made(header, address)
        return room, host

    async def _made(self, header: Header, address: str) -> Room:
        table = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        if header.practice is None:
            secret = secrets.token_bytes(32)
            header.secret, header.commitment = secret.hex(), fair.commitment(secret)
        await self.store.create(table, header.game, header.model_dump())
        room = Room(table, header, self.store, self.metrics)
        self.made_by[table] = address
        self._keep(room)
        self.metrics.created.labels(header.game).inc()
        log.info("table made", extra={"table": table, "game": header.game})
        return room

    async def join(self, room: Room, wish: JoinTable, device: str | None) -> Seat:
        if room.header.state != LOBBY:
            raise Refused(409, "already_started")
        if not room.header.listed:
            grant = await self.store.grant(wish.invite) if wish.invite else None
            if grant is None or grant.table != room.id or grant.kind != "invite":
                raise Refused(403, "invite_needed")

        def sit(header: Header) -> Seat:
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
            return seat

        seat: Seat = await self.change(room, sit)
        return seat

    async def change(self, room: Room, how: Callable[[Header], Any]) -> Any:
        """A lobby changes: stored first, then shown."""
        async with room.lock:
            if room.header.state != LOBBY:
                raise Refused(409, "already_started")
            header = room.header.model_copy(deep=True)
            outcome = how(header)
            try:
                await self.store.update(room.id, header.model_dump())
            except (
                NotOwner
            ):  # taken over while we had lost the database; the next request reads it again
                room.let_go()
                raise Refused(503, "table_elsewhere", table=room.id) from None
            room.header = header
            room.forget_names()
        room.broadcast_lobby()
        return outcome

    async def free(self, room: Room, seat: Seat) -> None:
        """Somebody leaves the lobby or is sent away; the seat's token is worth nothing any more."""

        def leave(header: Header) -> None:
            header.seats[seat] = SeatTaken()
            if header.host == seat:
                header.host = next(iter(header.people()), None)

        await self.change(room, leave)
        await self.store.revoke_tokens(room.id, seat)
        for connection in list(room.here.of(seat)):
            told = messages.error("seat_freed", connection.language)
            connection.send({**told, "type": "closing"})
            connection.close(NORMAL)

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

    async def rematch(self, room: Room, seat: Seat, address: str) -> tuple[Room, Seat]:
        """The first to ask makes the next table; everyone keeps their seat there."""
        if room.header.state != FINISHED:
            raise Refused(409, "not_over")
        async with room.lock:
            if room.header.rematch is None:
                old = room.header
                header = old.model_copy(deep=True, update={"host": seat})
                header.state, header.result, header.rematch = LOBBY, None, None
                for other in header.people():
                    header.seats[other] = SeatTaken()
                new = await self._made(header, address)
                changed = old.model_copy(update={"rematch": new.id})
                await self.store.update(room.id, changed.model_dump())
                room.header = changed
        assert room.header.rematch is not None
        new = await self.room(room.header.rematch)
        old_seat = room.header.seats[seat]

        def sit(header: Header) -> None:
            if header.seats[seat].kind == "open":
                header.seats[seat] = old_seat.model_copy(update={"contribution": ""})
            elif header.seats[seat].name != old_seat.name:
                raise Refused(409, "seat_taken")

        await self.change(new, sit)
        room.broadcast_lobby()
        return new, seat

    # -- Who asks -----------------------------------------------------------------------------

    async def seat_of(self, room: Room, token: str | None) -> Seat | None:
        grant: Grant | None = await self.store.grant(token) if token else None
        if grant is None or grant.table != room.id or grant.kind != "session":
            return None
        return grant.seat

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
