"""All tables of a server: made, joined, found again after a restart, and let go."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from bullpen import fair
from bullpen.bots.names import BOT_NAMES
from bullpen.cards import Problem
from bullpen.deck import deck_from_json
from bullpen.game import Seat
from bullpen.games import game_called
from bullpen.server import changing, chat, door, messages, seating
from bullpen.server.budget import Held, Hits
from bullpen.server.connection import NORMAL
from bullpen.server.contestants import given_up, mark, unmarked
from bullpen.server.door import Change
from bullpen.server.header import Header, SeatTaken, forget, rename
from bullpen.server.keys import Keys
from bullpen.server.metrics import Metrics
from bullpen.server.names import is_like_any
from bullpen.server.refused import Gone, Refused
from bullpen.server.requests import Arrange, JoinTable, Mute, NewTable, TableChange, TalkWish
from bullpen.server.room import RETRY_SECONDS, Room
from bullpen.server.settings import Settings
from bullpen.server.starting import Starting
from bullpen.server.steward import Steward
from bullpen.server.store import (
    ABANDONED,
    ALL,
    FINISHED,
    LOBBY,
    PLAYING,
    Key,
    NotOwner,
    Share,
    Store,
    TableDamaged,
    new_token,
)

log = logging.getLogger("bullpen.house")

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that look alike
ID_LENGTH = 16  # 80 bits: an id is as hard to guess as it need be to watch a private table
LEAST_KEPT_SECONDS = 10.0  # until a table where somebody is may be asked for by another server
ADOPTED_AT_ONCE = 500  # tables that are claimed together
LONGEST_PAUSE = 0.1  # seconds, between two tables that are read at a start
TRIES = 3  # to sit down at a next table that is closed each time
MOST_INVITATIONS = 200  # of one table at a time
NO_MORE = ("no_such_table", "table_abandoned")  # why a next table is none: closed, or given up
Purpose = Literal["usual", "quick"]  # what a table is made for
FULL_SECONDS = 2.0  # from the last one who sits down at a quick match until it starts
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
        self,
        settings: Settings,
        store: Store,
        steward: Steward,
        metrics: Metrics,
        hits: Hits,
        share: Share = ALL,
    ) -> None:
        self.share = share  # of the tables, where several processes divide them
        self.settings, self.store, self.steward, self.metrics = settings, store, steward, metrics
        self.starting = Starting(settings.open_seconds, steward)
        self.rooms: dict[str, Room] = {}
        self.by_address = Held("tables", settings.tables_per_address, hits)
        self.made_by: dict[str, str] = {}  # the address that made a table, while it lives
        self.idle_since: dict[str, float] = {}
        self.kept_since: dict[str, float] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._beginning: set[asyncio.Task[None]] = set()  # tables that start by themselves

    # -- Finding a table ----------------------------------------------------------------------

    async def room(self, table: str) -> Room:
        """From memory, or read from the log; several who ask at once wait for the same reading."""
        if (room := self.rooms.get(table)) and not room.is_gone:
            return room
        if not self.share.has(table):  # it could not be handed over to the process that keeps it
            raise Gone(table)
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
        if header.state == LOBBY:
            header.scheme = fair.SCHEME  # also where an older server made it: nothing is dealt yet
        room = Room(table, header, self.store, self.metrics)
        room.keys = Keys(await self.store.keys(table))
        try:
            await room.restore()
        except TableDamaged as damage:
            log.error("table damaged", extra={"table": table, "seq": damage.damage.seq})
            raise Refused(410, "table_damaged", table=table) from None
        lines = (await self.store.chat(table))[-chat.LINES_SHOWN :]
        room.chat = [chat.message(line) for line in lines]
        if (known := self.rooms.get(table)) and not known.is_gone:  # made while we looked for it
            return known
        self._keep(room)
        if room.opening is not None:
            self.starting.go_on(room)
        elif header.state == LOBBY:
            self._start_if_full(room)
        return room

    async def _header(self, table: str) -> Header:
        try:
            kept = await self.store.header(table) if is_id(table) else None
        except TableDamaged:
            log.error("table damaged", extra={"table": table, "what": "header"})
            raise Refused(410, "table_damaged", table=table) from None
        if kept is None:
            raise Refused(404, "no_such_table", table=table)
        header = Header.model_validate(kept)
        if header.state == ABANDONED:
            raise Refused(410, "table_abandoned", table=table)
        refuse_other_rules(table, header)
        return header

    def _keep(self, room: Room) -> None:
        if known := self.rooms.get(room.id):  # it was gone, and is back: nothing old runs on
            self.steward.let_go(known)
        self.rooms[room.id] = room
        room.here.stand_ins.update(room.header.sent_away())
        self.kept_since[room.id] = asyncio.get_running_loop().time()
        self.idle_since[room.id] = asyncio.get_running_loop().time()
        self.metrics.tables.set(len(self.rooms))
        self.steward.take_over(room)

    async def restore(self) -> None:
        """Games in which something happened lately go on by themselves, with their clocks and bots.  All other tables
        stay in the store until somebody comes, and whoever asks for one earlier gets it earlier."""
        started, count = time.monotonic(), 0
        while tables := await self._adopted():
            for table in tables:
                begun = time.monotonic()
                count += await self.is_restored(table)
                # As long again for those who are here: a start with many tables must not look like a stop.
                await asyncio.sleep(min(time.monotonic() - begun, LONGEST_PAUSE))
        seconds = round(time.monotonic() - started, 3)
        log.info("tables restored", extra={"count": count, "seconds": seconds})

    async def _adopted(self) -> list[str]:
        while True:
            try:
                return await self.store.adopt(
                    within=self.settings.sleep_seconds, limit=ADOPTED_AT_ONCE
                )
            except Problem as problem:
                log.warning("not restored", extra={"reason": problem.key})
                await asyncio.sleep(RETRY_SECONDS)

    async def is_restored(self, table: str) -> bool:
        """Read, and going on by itself from now on."""
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
        await door.claim_soon(self.store, table)

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
        """A table where people are stays for a while: servers that are asked by turns would pass it back and forth."""
        kept = asyncio.get_running_loop().time() - self.kept_since[room.id]
        return not room.here.sockets or kept > LEAST_KEPT_SECONDS

    async def _let_go(self, room: Room) -> None:
        await room.settled()
        async with room.lock:
            if room.is_gone or self.rooms.get(room.id) is not room:  # it ended in this very moment
                return
            self._forget(room)
            room.let_go()
            await self.store.release(room.id)
        log.info("handed over", extra={"table": room.id})

    async def _let_sleep(self, room: Room) -> None:
        """Whoever comes back finds it in the store."""
        await room.settled()
        async with room.lock:
            if self.steward.is_asleep(room) and not room.is_gone:
                self._forget(room)
                room.let_go()
                await self.store.release(room.id)

    async def listed(self, limit: int) -> list[Room]:
        """Tables that can be joined or watched, those of other servers and those that nobody has asked for too."""
        rooms = [room for room in self.rooms.values() if room.header.listed]
        found = [room for room in rooms if room.header.state != FINISHED]
        for table, kept in await self.store.listed(limit):
            header = Header.model_validate(kept)
            if table not in self.rooms and header.can_be_played:
                found.append(Room(table, header, self.store, self.metrics))
        return found[:limit]

    # -- Making and joining -------------------------------------------------------------------

    async def create(
        self, wish: NewTable, address: str, device: str | None, purpose: Purpose = "usual"
    ) -> tuple[Sat, str]:
        """With an invitation for others."""
        header = new_header(wish)
        header.is_quick, header.club = purpose == "quick", wish.club
        for level in {wish.stand_in, *(seat.level for seat in header.seats if seat.level)}:
            self.steward.warming.must_be_playable(level, header.game)
        host = header.open_seats()[0]
        maker = SeatTaken(kind=wish.kind, name=wish.name, device=device_hash(device))
        seating.take(header, host, maker)
        token, invite = new_token(), new_token()
        keys = (*door.seating(host, wish.name, token).given, *door.inviting(invite).given)
        room = await self.made(header, address, keys)
        return Sat(room, host, token), invite

    async def made(
        self, header: Header, address: str | None, keys: Sequence[Key], named: str | None = None
    ) -> Room:
        """`address`: whose tables it is counted among; None: nobody's.  `named`: by an id that is known already."""
        table = named or self._new_id()
        header.rules_version = header.rules.RULES
        if header.practice is None and header.daily is None:
            secret = fair.new_secret()
            header.secret, header.commitment = secret.hex(), fair.commitment(secret)
            header.scheme = fair.SCHEME
        if address is not None:
            for seat in header.people():  # nobody but who makes it
                header.seats[seat].network = mark(header, address)
            if not self.by_address.takes(
                address
            ):  # before anything is waited for: many may ask at once
                raise Refused(429, "too_many_tables", most=self.settings.tables_per_address)
            self.made_by[table] = address
        try:
            await self.store.create(table, header.game, header.model_dump(), keys)
        except BaseException:
            self._uncount(table)
            raise
        room = Room(table, header, self.store, self.metrics)
        room.keys = Keys(keys)
        self._keep(room)
        self.metrics.created.labels(header.game).inc()
        log.info("table made", extra={"table": table, "game": header.game})
        return room

    def _new_id(self) -> str:
        while not self.share.has(
            table := "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        ):
            pass
        return table

    async def join(
        self,
        room: Room,
        wish: JoinTable,
        device: str | None,
        address: str,
        own: Sequence[str] = (),
    ) -> Sat:
        """`own`: all devices of whoever comes."""
        if room.header.tournament is not None:
            return await self._sit_where_kept(room, own, address)
        token, seats = new_token(), []
        is_member = await self._is_member(room, own)  # whose a table is never changes

        def sit(header: Header) -> Change:
            known = seating.seat_of_attempt(header, wish, device_hash(device))
            if known is not None:
                seats.append(known)
                change = door.seating(known, header.seats[known].name, token)
                return change._replace(closing_key="seat_elsewhere")
            seating.only_before_the_start(header)
            seating.not_sent_away(header, own)
            if not header.listed and not is_member and not room.keys.invites(wish.invite):
                raise Refused(403, "invite_needed")
            network = mark(header, address)
            seats.append(seating.sit_down(header, wish, device_hash(device), network))
            return door.seating(seats[0], wish.name, token)

        await door.through(room, sit)
        self._start_if_full(room)
        if room.is_playing:  # who asks again is there since before the start
            self.steward.went(room, seats[0])
        return Sat(room, seats[0], token)

    async def _is_member(self, room: Room, own: Sequence[str]) -> bool:
        club = room.header.club
        return club is not None and await self.store.clubs.is_member(club, own)

    async def _sit_where_kept(self, room: Room, own: Sequence[str], address: str) -> Sat:
        """By who one is, on any device; also after the start, where a bot has stood in."""
        token, seats = new_token(), []

        def sit(header: Header) -> Change:
            seats.append(seating.sit_where_kept(header, own, mark(header, address)))
            change = door.seating(seats[0], header.seats[seats[0]].name, token)
            return change._replace(closing_key="seat_elsewhere")

        await door.through(room, sit)
        self.steward.went(room, seats[0])
        return Sat(room, seats[0], token)

    async def leave(self, room: Room, token: str | None) -> None:
        """Before the start the seat is free again; later a bot plays on until its person is back."""
        seat = door.own_seat(room, token)
        seating.not_while_dealing(room.header)
        if room.header.state != LOBBY:
            room.here.left.add(seat)
            for connection in list(room.here.of(seat)):
                connection.close(NORMAL)
            if not room.here.is_here(
                seat
            ):  # else everybody hears of it when its sockets are closed
                room.broadcast(messages.presence(room, seat))
            self.steward.left(room, seat)
            return

        def stand_up(header: Header) -> Change:
            own = door.own_seat(room, token)
            seating.stand_up(header, own)
            return Change(ended=(own,))

        await door.through(room, stand_up)

    async def come_back(self, room: Room, own: Sequence[str]) -> Sat:
        """Somebody who sits here, on another device: with a new token, so that the seat has one as before."""
        token, seats = new_token(), []

        def sit(header: Header) -> Change:
            seats.append(seating.seat_of_devices(header, own))
            change = door.seating(seats[0], header.seats[seats[0]].name, token)
            return change._replace(closing_key="seat_elsewhere")

        await door.through(room, sit)
        self.steward.went(room, seats[0])
        return Sat(room, seats[0], token)

    async def end(self, room: Room, token: str | None) -> None:
        """Leave for good: where nobody else sits the table ends, among people it goes on as after leaving."""
        seat = door.own_seat(room, token)
        is_alone = room.header.people() == [seat]
        if room.header.state == FINISHED:
            raise Refused(409, "already_over")
        if not is_alone or room.header.state == LOBBY:
            await self.leave(room, token)
        else:

            def give_up(header: Header) -> Change:
                own = door.own_seat(room, token)
                if room.play is not None and room.play.is_over:  # its result is being written down
                    raise Refused(409, "already_over")
                lost = tuple(one._asdict() for one in given_up(header))
                seating.give_up_alone(header, own)
                return Change(ended=(own,), contestants=lost)

            await door.through(room, give_up)
        await self._end_if_empty(room)

    async def forget_people(self, former: Mapping[str, str]) -> None:
        """Who was deleted, at every table that this process has in memory."""
        for room in list(self.rooms.values()):
            if not room.is_gone and room.header.names_any(former):
                with suppress(Gone):  # whoever has it now does the same
                    await self._forget_people_at(room, former)

    async def _forget_people_at(self, room: Room, former: Mapping[str, str]) -> None:
        said = set[tuple[Seat, str]]()

        def blank(header: Header) -> Change:
            known = room.header.model_copy(
                deep=True
            )  # what is over may be blank in the store already
            said.update(known.names_of(former))
            forget(header, former)
            return Change(ended=tuple(forget(known, former)))

        await door.through(room, blank)
        room.chat = [line for line in room.chat if (line["seat"], line["name"]) not in said]
        self.steward.go_on(room)
        await self._end_if_empty(room)

    async def rename_people(self, called: Mapping[str, str]) -> None:
        """Whom an operator has renamed, at every table that this process has in memory."""
        for room in list(self.rooms.values()):
            if not room.is_gone and rename(room.header.model_copy(deep=True), called):
                with suppress(Gone):  # whoever has it now does the same
                    await self._rename_people_at(room, called)

    async def _rename_people_at(self, room: Room, called: Mapping[str, str]) -> None:
        names = {
            (seat, before): now
            for seat, before, now in rename(room.header.model_copy(deep=True), called)
        }

        def give_names(header: Header) -> Change:
            rename(header, called)
            return Change()

        await door.through(room, give_names)
        room.chat = [
            {**line, "name": names.get((line["seat"], line["name"]), line["name"])}
            for line in room.chat
        ]

    async def _end_if_empty(self, room: Room) -> None:
        """A table at which no person sits any more: closed before the start, given up afterwards."""
        async with room.lock:
            if room.is_gone or room.header.people() or room.header.state == FINISHED:
                return
            if room.header.state == LOBBY:
                await self.store.delete(room.id)
            else:
                ended = unmarked(room.header).model_copy(update={"state": ABANDONED})
                await self.store.update(room.id, ended.model_dump())
            room.let_go()
        if self.rooms.get(room.id) is room:
            self._forget(room)

    # -- What the host may do -----------------------------------------------------------------

    async def kick(self, room: Room, token: str | None, seat: Seat) -> None:
        """Sends somebody away: with their token the invitations end, of which they may know one.  A seat that
        is kept for somebody is free for all."""

        def send_away(header: Header) -> Change:
            by_the_host(room, header, token)
            if seating.is_kept(header, seat):
                seating.give_up(header, seat)
                return Change()
            if room.play is not None and room.play.is_over:
                raise Refused(409, "already_over")
            seating.send_away(header, seat)
            return Change((seat, None), closing_key="sent_away")

        await door.through(room, send_away)
        self.steward.go_on(room)

    async def arrange(self, room: Room, token: str | None, wish: Arrange) -> None:
        """Another bot on this seat, or none."""
        if wish.kind == "bot":
            level = wish.level or room.header.stand_in
            self.steward.warming.must_be_playable(level, room.header.game)

        def arrange(header: Header) -> Change:
            by_the_host(room, header, token)
            seating.arrange(header, wish)
            name_bots(header)
            return Change()

        await door.through(room, arrange)

    async def change(self, room: Room, token: str | None, wish: TableChange) -> None:
        """What was agreed at the table, before the start; everybody there is told what is new."""
        changed: list[str] = []

        def change(header: Header) -> Change:
            by_the_host(room, header, token)
            changed.extend(changing.change(header, wish))
            return Change()

        await door.through(room, change)
        if changed:
            room.broadcast(messages.table_changed(room, changed))

    async def mute(self, room: Room, token: str | None, wish: Mute) -> None:
        def mute(header: Header) -> Change:
            by_the_host(room, header, token)
            seating.mute(header, wish.seat, wish.muted)
            return Change()

        await door.through(room, mute)

    async def talk(self, room: Room, token: str | None, wish: TalkWish) -> None:
        def agree(header: Header) -> Change:
            by_the_host(room, header, token)
            header.talk = wish.talk or header.talk
            header.refused = header.refused if wish.refused is None else wish.refused
            return Change()

        await door.through(room, agree)

    async def invite(self, room: Room, token: str | None) -> str:
        invite = new_token()

        def let_in(header: Header) -> Change:
            door.own_seat(room, token)
            seating.somebody_may_come(header)
            if len(room.keys.invitations) >= MOST_INVITATIONS:
                raise Refused(429, "too_many_invites", most=MOST_INVITATIONS)
            return door.inviting(invite)

        await door.through(room, let_in)
        return invite

    def _start_if_full(self, room: Room) -> None:
        """A quick match.  All are here: the last one has a moment to commit to a share in the deal."""
        if not room.header.is_quick or room.header.open_seats():
            return
        task = asyncio.create_task(self._start_full(room))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def _start_full(self, room: Room) -> None:
        def still_full() -> None:
            if room.header.open_seats():
                raise Refused(409, "not_full")

        await asyncio.sleep(FULL_SECONDS)
        with suppress(Problem):  # somebody has left, or started it: whoever is there sees it
            await self._start(room, still_full)

    async def start(self, room: Room, token: str | None) -> None:
        def allowed() -> None:
            seating.may_start(room.header, door.own_seat(room, token), room.waited())

        await self._start(room, allowed)

    async def start_by_itself(self, room: Room, allowed: Callable[[], None]) -> None:
        """A table of a tournament; `allowed` refuses where it should wait, as the table is when it is locked."""
        await self._start(room, allowed)

    async def _start(self, room: Room, allowed: Callable[[], None]) -> None:
        """`allowed` is asked when the table is locked."""
        async with room.lock:
            if room.is_gone:
                raise Gone(room.id)
            allowed()
            seating.only_before_the_start(room.header)
            header = room.header.model_copy(deep=True)
            absent = seating.fill(header)
            name_bots(header)
            try:
                await (room.freeze(header) if header.has_shares else room.start(header))
            except NotOwner:
                room.let_go()
                raise Gone(room.id) from None
        room.here.stand_ins.update(absent)
        self.starting.begin(room)
        await self.starting.dealt(room)
        if room.play is None:
            raise Refused(503, "not_dealt_yet")

    # -- Once more ----------------------------------------------------------------------------

    async def rematch(self, room: Room, token: str | None, address: str) -> Sat:
        """The first to ask makes the next table; everyone keeps their seat there."""
        if room.header.state != FINISHED:
            raise Refused(409, "not_over")
        if room.header.daily is not None:
            raise Refused(409, "daily_once")
        seat, new_key = door.own_seat(room, token), new_token()
        person = seating.reservation(room.header.seats[seat])

        def sit(header: Header) -> Change:
            seating.sit_down_again(header, seat, person, mark(header, address))
            return door.seating(seat, person.name, new_key)

        for _ in range(TRIES):
            new = await self._next_table(room, address)
            try:
                await door.through(new, sit)
            except Gone:  # closed, or handed over, in this very moment
                continue
            self.steward.went(new, seat)  # whoever was there by an old token
            room.again = {at for at, taken in enumerate(new.header.seats) if taken.is_back}
            room.broadcast_lobby()
            return Sat(new, seat, new_key)
        raise Gone(room.id)

    async def _next_table(self, room: Room, address: str) -> Room:
        """One for all who ask; another one where it was closed because nobody came, or given up."""
        async with room.lock:
            if new := await self._found(room.header.rematch):
                return new
            async with door.present_header(room) as old:
                new = await self._found(old.rematch)  # somebody may have asked at another server
                if new is None:
                    new = await self.made(seating.next_header(old), address, ())
                    old.rematch = new.id
                    await self.store.update(room.id, old.model_dump())
                room.header = old
        room.broadcast_lobby()
        return new

    async def _found(self, table: str | None) -> Room | None:
        try:
            return await self.room(table) if table else None
        except Refused as refused:
            if refused.key in NO_MORE:
                return None
            raise

    # -- Letting go ---------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Rooms that nobody needs in memory, and lobbies that nobody has come to."""
        now = asyncio.get_running_loop().time()
        for room in list(self.rooms.values()):
            if self.rooms.get(room.id) is not room:  # it went while others were let go
                continue
            if room.here.sockets:
                self.idle_since[room.id] = now
            if room.asking.forget_silent(now):
                room.broadcast_lobby()
            idle = now - self.idle_since[room.id]
            if room.is_gone or (room.header.state == FINISHED and idle > IDLE_SECONDS):
                self._forget(room)
            elif room.header.state == PLAYING and self.steward.is_asleep(room):
                await self._let_sleep(room)
            elif room.header.state == LOBBY and idle > 60 * self.settings.lobby_minutes:
                # Over days nobody need hurry to sit down, either.
                await (self._let_sleep if room.header.is_over_days else self._close)(room)

    async def _close(self, room: Room) -> None:
        """Whoever is about to sit down waits at the door, and finds that it is closed."""
        async with room.lock:
            if room.is_gone or room.here.sockets or room.header.state != LOBBY:
                return
            await self.store.delete(room.id)
            room.let_go()
        self._forget(room)

    async def take_away(self, room: Room) -> None:
        """A table that was made in vain: nobody has got its token."""
        async with room.lock:
            await self.store.delete(room.id)
            room.let_go()
        if self.rooms.get(room.id) is room:
            self._forget(room)

    def _forget(self, room: Room) -> None:
        self.steward.let_go(room)
        del self.rooms[room.id], self.idle_since[room.id], self.kept_since[room.id]
        self._uncount(room.id)
        self.metrics.tables.set(len(self.rooms))

    def _uncount(self, table: str) -> None:
        if (address := self.made_by.pop(table, None)) is not None:
            self.by_address.give_back(address)


def by_the_host(room: Room, header: Header, token: str | None) -> None:
    if door.own_seat(room, token) != header.host:
        raise Refused(403, "only_the_host")


def refuse_other_rules(table: str, header: Header) -> None:
    """What was stored of the result can still be shown."""
    if header.can_be_played:
        return
    if header.result is None:
        raise Refused(410, "table_other_rules", table=table, version=header.rules_version)
    scores = zip(header.names, header.result["scores"], strict=True)
    result = ", ".join(f"{name} {score}" for name, score in scores)
    raise Refused(410, "table_other_rules_over", table=table, scores=result)


def is_id(table: str) -> bool:
    return len(table) == ID_LENGTH and all(letter in ID_LETTERS for letter in table)


def new_header(wish: NewTable) -> Header:
    """What was wished, checked by the rules of the game."""
    game = game_called(wish.game)
    options = changing.served_options(game, len(wish.seats), wish.options)
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
        latecomers=wish.latecomers,
        host=None,
    )
    people = len(header.open_seats())
    if not people:
        raise Refused(422, "no_seat_for_people")
    if wish.practice is not None and people > 1:
        raise Refused(422, "practice_alone")
    name_bots(header, taken=wish.name)
    return header


def name_bots(header: Header, taken: str = "") -> None:
    """None that could be taken for somebody at the table."""
    others = [*header.called(), taken]
    for seat in header.seats:
        if seat.kind == "bot" and not seat.name:
            seat.name = next(name for name in BOT_NAMES if not is_like_any(name, others))
            others.append(seat.name)
