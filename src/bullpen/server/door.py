"""The door of a table: who sits there, and what was agreed, is changed here and nowhere else.

Look, decide, store, act, all while the table is locked.  What is decided is decided by the header and the
tokens as they are at that moment, never by what somebody saw before they waited; what is stored is stored in
one transaction; and once it is stored, memory and sockets follow without waiting for anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from bullpen.game import Seat
from bullpen.server import messages
from bullpen.server.connection import NORMAL
from bullpen.server.header import Header
from bullpen.server.keys import INVITE, SESSION
from bullpen.server.refused import Gone, Refused
from bullpen.server.room import Room
from bullpen.server.store import (
    FINISHED,
    Json,
    Key,
    NotOwner,
    Store,
    StoreUnavailable,
    token_hash,
)

HAND_OVER_SECONDS = 3.0  # that another server gets for a table that is asked for


class Change(NamedTuple):
    """What becomes of the tokens of a table whose header changes."""

    ended: tuple[Seat | None, ...] = ()  # every token of these seats; None: every invitation
    given: tuple[Key, ...] = ()
    closing_key: str = "seat_freed"  # why: to the sockets whose token ends
    contestants: tuple[Json, ...] = ()  # of a game that is over with this


def seating(seat: Seat, name: str, token: str) -> Change:
    """From now on this token opens the seat, and no other does."""
    return Change((seat,), (Key(token_hash(token), seat, SESSION, name),))


def inviting(token: str) -> Change:
    return Change(given=(Key(token_hash(token), None, INVITE),))


def own_seat(room: Room, token: str | None) -> Seat:
    seat = room.seat_of(token)
    if seat is None:
        raise Refused(403, "not_your_seat")
    return seat


async def through(room: Room, decide: Callable[[Header], Change]) -> None:
    """`decide` looks at the table as it is, changes a copy of its header, or refuses; it must not wait."""
    async with room.lock, present_header(room) as header:
        change = decide(header)
        await _stored(room, header, change)
        _act(room, header, change)


@asynccontextmanager
async def present_header(room: Room) -> AsyncIterator[Header]:
    """A copy to decide on, and to change.  Nobody keeps a finished table: who changes it claims it for a moment,
    and reads what others may have written."""
    if room.is_gone:
        raise Gone(room.id)
    if room.header.state != FINISHED:
        yield room.header.model_copy(deep=True)
        return
    await claim_soon(room.store, room.id)
    try:
        yield Header.model_validate(await room.store.header(room.id))
    finally:
        await room.store.release(room.id)


async def claim_soon(store: Store, table: str) -> None:
    until = asyncio.get_running_loop().time() + HAND_OVER_SECONDS
    while not await store.claim(table):
        if asyncio.get_running_loop().time() > until:
            raise Gone(table)
        await asyncio.sleep(0.05)


async def _stored(room: Room, header: Header, change: Change) -> None:
    try:
        kept = header.model_dump()
        await room.store.reseat(room.id, kept, change.ended, change.given, change.contestants)
    except NotOwner:  # taken over while we had lost the database; the next request reads it again
        room.let_go()
        raise Gone(room.id) from None
    except (StoreUnavailable, asyncio.CancelledError) as unknown:
        # Where nobody knows whether it was stored, memory may not decide: the next request reads the store.
        if getattr(unknown, "stored", "unknown") == "unknown":
            room.let_go()
        raise


def _act(room: Room, header: Header, change: Change) -> None:
    room.header = header
    room.forget_names()
    for seat in change.ended:
        room.keys.end(seat)
        if seat is not None:
            _unseat(room, seat, change.closing_key)
    for key in change.given:
        room.keys.give(key)
    room.broadcast_lobby()


def _unseat(room: Room, seat: Seat, key: str) -> None:
    """Whoever sat here by an old token hears nothing more, and is not waited for."""
    for connection in room.here.end(seat):
        error = messages.error(key, connection.language)
        connection.send({**error, "type": "closing"})
        connection.close(NORMAL)
    room.went(seat)
    if room.header.seats[seat].sent_away:
        room.deadlines.stop(seat)
        room.here.stand_ins.add(seat)
