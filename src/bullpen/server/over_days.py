"""Tables over days: their clocks are kept in the store, as times of day, and go on while everybody sleeps.

All other deadlines are counted by the monotonic clock, in memory (attendance.py).  Here a time of day is what was
promised: it holds across restarts, at whichever process reads the table next.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server.header import Header
from bullpen.server.play import Play
from bullpen.server.store.deadlines import Deadline, StoredDeadline

if TYPE_CHECKING:
    from bullpen.server.house import House
    from bullpen.server.room import Room

log = logging.getLogger("bullpen.over_days")

LOOK_SECONDS = 5.0  # between two looks for clocks that have run out
LONGEST_PAUSE = 0.1  # seconds, between two tables that are woken
AGAIN_SECONDS = 3600.0  # until a table that could not be read is tried again

Due = dict[Seat, tuple[int, float]]  # of people: the number of their decision, and until when


def deadlines(room: Room, play: Play, header: Header) -> list[Deadline] | None:
    """Every seat, and until when it has to decide; None where nobody has days to do so.  A decision that was asked for
    before keeps its time."""
    if not header.is_over_days or header.clock is None:
        return None
    now = time.time()
    # Whoever reads a table that is over writes its result down.
    waiting = [0] if play.is_over else play.waiting
    found = []
    for seat, taken in enumerate(header.seats):
        number, until = play.numbers[seat], None
        instead = seat in room.here.stand_ins or taken.sent_away
        is_bot = taken.kind == "bot" or play.is_over
        if seat in waiting:
            promised = until_when(room, seat, number, now) or now + header.clock
            until = now if is_bot or instead else promised
        is_here = is_bot or instead or room.here.is_here(seat)
        found.append(Deadline(seat, number, until, is_here, instead))
    return found


def until_when(room: Room, seat: Seat, number: int, now: float) -> float | None:
    """What was promised for this decision.  Who leaves and comes again gets no more; but who comes after their time was
    up, while a bot plays for them, has all of it."""
    asked_for, due = room.due.get(seat, (None, 0.0))
    if asked_for == number:
        return due
    asked_for, due = room.promised.get(seat, (None, 0.0))
    return due if asked_for == number and due > now else None


def keep(room: Room, due: Due) -> None:
    room.due = due
    room.promised |= due


def of_people(header: Header, seats: Iterable[Deadline | StoredDeadline]) -> Due:
    """What a room remembers of them: of bots the time is always up."""
    return {
        one.seat: (one.decision, one.due)
        for one in seats
        if one.due is not None and not one.stands_in and header.seats[one.seat].kind != "bot"
    }


def seconds_left(room: Room, seat: Seat) -> float | None:
    known = room.due.get(seat)
    return None if known is None else known[1] - time.time()


async def remember(room: Room) -> None:
    """What the store knows, as a table is read."""
    if not room.header.is_over_days or room.play is None:
        return
    kept = await room.store.deadlines.of(room.id)
    keep(room, of_people(room.header, kept))
    room.here.stand_ins.update(one.seat for one in kept if one.stands_in)


class OverDays:
    """Wakes tables whose time is up, as long as the server runs: one look for all of them."""

    def __init__(self, house: House) -> None:
        self.house, self.store = house, house.store
        self.unreadable: dict[str, float] = {}  # by table: until when it is left alone

    async def run(self) -> None:
        while True:
            try:
                await self.wake(await self.store.deadlines.overdue(time.time()))
            except Problem as problem:
                log.warning("not woken", extra={"reason": problem.key})
            except Exception:  # once is no reason never to try again
                log.exception("not woken")
            await asyncio.sleep(LOOK_SECONDS)

    async def wake(self, tables: Sequence[str]) -> None:
        """Of our share, and kept by no other server: whoever keeps one has a clock of its own."""
        now = asyncio.get_running_loop().time()
        for table in tables:
            if not self.house.share.has(table) or now < self.unreadable.get(table, 0.0):
                continue
            room = self.house.rooms.get(table)
            if room is not None and not room.is_gone:
                self.house.steward.look_at_the_clock(room)  # the machine may have slept, too
            elif await self.store.claim(table):
                await self._read(table, now)

    async def _read(self, table: str, now: float) -> None:
        begun = time.monotonic()
        if not await self.house.is_restored(table):
            self.unreadable[table] = now + AGAIN_SECONDS
            await self.store.release(table)
        # As long again for those who are here: many may be late where nobody was there for days.
        await asyncio.sleep(min(time.monotonic() - begun, LONGEST_PAUSE))
