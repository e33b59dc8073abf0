"""Web push: the key by which this server is known, where "your turn" is sent to, and what there is to tell."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from bullpen.game import Seat
from bullpen.server.store.chain import checked_header
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json, Reading, Writing
from bullpen.server.store.deadlines import OPEN, TOLD
from bullpen.server.store.sharing import Share

KEY = "push_key"  # in `meta`

UNTOLD = (
    "SELECT table_id, seat, decision, due FROM deadline"  # noqa: S608
    f" WHERE notice = '{OPEN}' AND due IS NOT NULL ORDER BY due"
)
TELL = (
    "UPDATE deadline SET notice = ? WHERE table_id = ? AND seat = ? AND decision = ?"  # noqa: S608
    f" AND notice = '{OPEN}' RETURNING seat"
)
# All devices of whoever sits there that want to hear of it.
ADDRESSES = (
    "SELECT push_subscription.device, push_subscription.endpoint, push_subscription.p256dh,"
    " push_subscription.auth, player.language FROM sitting JOIN device AS own ON own.hash = sitting.device"
    " JOIN player ON player.id = own.player JOIN device ON device.player = player.id"
    " JOIN push_subscription ON push_subscription.device = device.hash"
    " WHERE sitting.table_id = ? AND sitting.seat = ? AND sitting.part = 0"
    " ORDER BY push_subscription.created"
)
WANTED = (
    "SELECT 1 FROM deadline JOIN push_subscription ON push_subscription.device = ?"  # noqa: S608
    f" WHERE table_id = ? AND seat = ? AND decision = ? AND notice = '{TOLD}' AND due IS NOT NULL"
)


class Address(NamedTuple):
    """Of one device, as its browser gave it."""

    device: str
    endpoint: str
    p256dh: str
    auth: str
    language: str  # of its player


class Turn(NamedTuple):
    """Somebody has to decide, has not been there since, and is told now."""

    table: str
    seat: Seat
    decision: int
    due: float
    header: Json
    addresses: list[Address]


class Pushes:
    """The part of a store that is about web push; devices are known by their hashes."""

    def __init__(self, write: Writing, read: Reading, share: Share) -> None:
        self._write, self._read, self.share = write, read, share

    async def key(self, new: Callable[[], str]) -> str:
        """The private one, drawn by whoever asks first, and the same in all processes."""
        if (known := await self._read(key_of)) is not None:
            return known
        return await self._write("", lambda c: drawn(c, new()))

    async def subscribe(self, device: str, endpoint: str, p256dh: str, auth: str) -> bool:
        """This device, in place of what it said before; a browser that has become another device is not told twice.
        False: it is nobody's."""
        return await self._write("", lambda c: subscribed(c, device, endpoint, p256dh, auth))

    async def unsubscribe(self, device: str) -> None:
        sql = "DELETE FROM push_subscription WHERE device = ?"
        await self._write("", lambda c: c.run(sql, device))

    async def drop(self, endpoint: str) -> None:
        """Its push service does not know it any more."""
        sql = "DELETE FROM push_subscription WHERE endpoint = ?"
        await self._write("", lambda c: c.run(sql, endpoint))

    async def is_subscribed(self, device: str) -> bool:
        sql = "SELECT 1 FROM push_subscription WHERE device = ?"
        return bool(await self._read(lambda c: c.run(sql, device)))

    async def untold(self) -> bool:
        """Whether there is anything to tell."""
        return bool(await self._read(lambda c: self._untold(c)[:1]))

    async def tell(self, limit: int) -> list[Turn]:
        """Some of those who have to decide and have not heard of it.  From now on they have: whatever becomes of the
        push, there is no second one until they come."""
        return await self._write("", lambda c: self._told(c, limit))

    async def is_wanted(self, turn: Turn, device: str) -> bool:
        """Whether its person has neither come nor decided since, and still wants to hear of it there."""
        sql, asked = WANTED, (device, turn.table, turn.seat, turn.decision)
        return bool(await self._read(lambda c: c.run(sql, *asked)))

    def _untold(self, connection: Connection) -> list[tuple[str, Seat, int, float]]:
        return [row for row in connection.run(UNTOLD) if self.share.has(row[0])]

    def _told(self, connection: Connection, limit: int) -> list[Turn]:
        found = []
        for table, seat, decision, due in self._untold(connection)[:limit]:
            if not connection.run(TELL, TOLD, table, seat, decision):
                continue  # another server was quicker
            addresses = [Address(*row) for row in connection.run(ADDRESSES, table, seat)]
            row = connection.run(
                "SELECT kind, state, header, header_hash FROM game_table WHERE id = ?", table
            )
            if addresses and row and (header := checked_header(table, row[0])) is not None:
                found.append(Turn(table, seat, decision, due, header, addresses))
        return found


def key_of(connection: Connection) -> str | None:
    rows = connection.run("SELECT value FROM meta WHERE name = ?", KEY)
    return str(rows[0][0]) if rows else None


def drawn(connection: Connection, new: str) -> str:
    sql = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
    connection.run(sql, KEY, new)
    found = key_of(connection)
    assert found is not None
    return found


def subscribed(connection: Connection, device: str, endpoint: str, p256dh: str, auth: str) -> bool:
    if not connection.run("SELECT 1 FROM device WHERE hash = ?", device):
        return False
    sql = "DELETE FROM push_subscription WHERE device = ? OR endpoint = ?"
    connection.run(sql, device, endpoint)
    row = (device, endpoint, p256dh, auth, round(time.time(), 3))
    connection.run("INSERT INTO push_subscription VALUES (?, ?, ?, ?, ?)", *row)
    return True
