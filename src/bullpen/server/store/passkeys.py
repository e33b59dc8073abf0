"""Passkeys of players: public keys by which another device becomes theirs, and the challenges that are signed for it.

A challenge is of one use: whoever comes with it takes it out, in a transaction, whichever process gave it.  Kept is its
hash alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, NamedTuple

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json, Reading, Writing

MOST = 10  # of one player
SHOWN = "number, created, used"

Purpose = Literal["add", "use"]


class Passkey(NamedTuple):
    credential: str  # its id, base64url
    player: str
    public_key: str  # hexadecimal
    sign_count: int


class Own(NamedTuple):
    number: int
    created: float
    used: float | None


# A device becomes a player's; whether it could.
Become = Callable[[Connection, str, str], bool]


class Passkeys:
    """The part of a store that is about them."""

    def __init__(self, write: Writing, read: Reading, become: Become) -> None:
        self._write, self._read, self.become = write, read, become

    async def of(self, device: str) -> list[Own]:
        sql = f"SELECT {SHOWN} FROM passkey WHERE player = (SELECT player FROM device WHERE hash = ?) ORDER BY number"  # noqa: S608
        return [Own(*row) for row in await self._read(lambda c: c.run(sql, device))]

    async def credentials(self, device: str) -> list[str]:
        """Of the player whose device this is: an authenticator that has one makes no other."""
        sql = "SELECT credential FROM passkey WHERE player = (SELECT player FROM device WHERE hash = ?)"
        return [one for (one,) in await self._read(lambda c: c.run(sql, device))]

    async def challenge(self, hashed: str, purpose: Purpose, device: str, until: float) -> None:
        def kept(connection: Connection) -> None:
            connection.run("DELETE FROM passkey_challenge WHERE until < ?", time.time())
            sql = "INSERT INTO passkey_challenge VALUES (?, ?, ?, ?)"
            connection.run(sql, hashed, purpose, device, until)

        await self._write("", kept)

    async def take_challenge(self, hashed: str, purpose: Purpose, device: str) -> bool:
        """Once: whether it was given to this device, for this, and not too long ago."""
        sql = (
            "DELETE FROM passkey_challenge WHERE hash = ? AND purpose = ? AND device = ?"
            " AND until > ? RETURNING hash"
        )
        now = time.time()
        return bool(await self._write("", lambda c: c.run(sql, hashed, purpose, device, now)))

    async def add(self, device: str, credential: str, public_key: str, count: int) -> bool:
        """False: nobody's device, or too many, or another's already."""
        return await self._write("", lambda c: added(c, device, credential, public_key, count))

    async def get(self, credential: str) -> Passkey | None:
        sql = "SELECT credential, player, public_key, sign_count FROM passkey WHERE credential = ?"
        rows = await self._read(lambda c: c.run(sql, credential))
        return Passkey(*rows[0]) if rows else None

    async def use(self, device: str, credential: str, count: int) -> bool:
        """Its signature was checked: the device is its player's from now on."""
        return await self._write("", lambda c: used(c, device, credential, count, self.become))

    async def remove(self, device: str, number: int) -> bool:
        sql = (
            "DELETE FROM passkey WHERE number = ?"
            " AND player = (SELECT player FROM device WHERE hash = ?) RETURNING number"
        )
        return bool(await self._write("", lambda c: c.run(sql, number, device)))


def added(
    connection: Connection, device: str, credential: str, public_key: str, count: int
) -> bool:
    owner = connection.run("SELECT player FROM device WHERE hash = ?", device)
    if not owner or connection.run("SELECT 1 FROM passkey WHERE credential = ?", credential):
        return False
    ((player,),) = owner
    own = connection.run("SELECT number FROM passkey WHERE player = ?", player)
    if len(own) >= MOST:
        return False
    number = 1 + max((one for (one,) in own), default=0)
    connection.run(
        "INSERT INTO passkey VALUES (?, ?, ?, ?, ?, ?, NULL)",
        *(credential, player, number, public_key, count, round(time.time(), 3)),
    )
    return True


def used(connection: Connection, device: str, credential: str, count: int, become: Become) -> bool:
    sql = "UPDATE passkey SET sign_count = ?, used = ? WHERE credential = ? RETURNING player"
    found = connection.run(sql, count, round(time.time(), 3), credential)
    return bool(found) and become(connection, device, found[0][0])


# -- Players that go ----------------------------------------------------------------------------


def data_of(connection: Connection, player: str) -> Json:
    """Without keys."""
    sql = f"SELECT {SHOWN} FROM passkey WHERE player = ? ORDER BY number"  # noqa: S608
    return {"passkeys": [Own(*row)._asdict() for row in connection.run(sql, player)]}


def take_away(connection: Connection, player: str) -> None:
    connection.run("DELETE FROM passkey WHERE player = ?", player)


def hand_over(connection: Connection, before: str, player: str) -> None:
    ((most,),) = connection.run("SELECT COUNT(*) FROM passkey WHERE player = ?", player)
    numbers = "SELECT COALESCE(MAX(number), 0) FROM passkey WHERE player = ?"
    ((last,),) = connection.run(numbers, player)
    sql = "UPDATE passkey SET player = ?, number = number + ? WHERE player = ? AND number <= ?"
    connection.run(sql, player, last, before, MOST - most)
