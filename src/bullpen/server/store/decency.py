"""What keeps a place decent: reports of players, and what an operator decides: to silence, to rename.

An operator writes here from a process of their own (`bullpen people`) while servers run.  That somebody is silenced is
read whenever they want to say something; that somebody was renamed is noticed by whoever keeps their tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import Any, Literal, NamedTuple

import orjson

from bullpen.game import Seat
from bullpen.server.store import players
from bullpen.server.store.claims import Claims
from bullpen.server.store.conduct import refused_names, silenced_until
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json, Reading, Writing

DAY = 86_400.0
MOST_REPORTS = 5  # of one player in a day
MOST_OF_TABLE = 20  # of all at one table
RENAMED_SECONDS = DAY  # that a change of name is told to whoever keeps a table

About = Literal["chat", "name"]
EACH = "(SELECT value ->> 0 FROM {each})"
REPORT = "id, time, table_id, seat, about, name, note, lines, device, reporter"


class Bounds(NamedTuple):
    """What somebody may not do just now."""

    name: str  # as they are known
    silenced_until: float  # 0: not at all
    refused_names: list[str]


class Report(NamedTuple):
    id: str
    time: float
    table: str
    seat: Seat
    about: str
    name: str  # of whom it is about, as it was then
    note: str
    lines: list[Json]  # the last that was said there: name and text
    device: str | None
    reporter: str | None


Rename = Callable[[Json, Mapping[str, str]], Json]  # a header in which these devices are called so


class Decency:
    """The part of a store that is about that."""

    def __init__(self, write: Writing, read: Reading, claims: Claims) -> None:
        self._write, self._read, self.claims = write, read, claims

    async def bounds(self, device: str) -> Bounds | None:
        """Of the player whose device this is; None: of nobody, so there are none."""
        return await self._read(lambda c: bounds(c, device))

    async def report(self, new: Report, own: Sequence[str]) -> bool:
        """By one of these devices.  False: they, or others at this table, have reported much already.  The same once
        more changes nothing."""
        return await self._write("", lambda c: reported(c, new, own))

    async def renamed(self, since: float) -> dict[str, str]:
        sql = "SELECT hash, name FROM renamed_device WHERE since >= ?"
        return dict(await self._read(lambda c: c.run(sql, since)))

    async def rename_stored(self, called: Mapping[str, str], change: Rename) -> None:
        """At all tables that nobody keeps just now."""
        await self._write("", lambda c: rename_stored(c, self.claims, called, change))

    async def drop(self, before: float) -> None:
        """Reports that nobody has closed since then."""

        def dropped(connection: Connection) -> None:
            connection.run("DELETE FROM report WHERE time < ?", before)
            connection.run("DELETE FROM silenced WHERE until < ?", time.time())

        await self._write("", dropped)


# -- What somebody may not do -------------------------------------------------------------------


def bounds(connection: Connection, device: str) -> Bounds | None:
    sql = (
        "SELECT player.id, name FROM device JOIN player ON player.id = device.player WHERE hash = ?"
    )
    for player, name in connection.run(sql, device):
        return Bounds(name, silenced_until(connection, player), refused_names(connection, player))
    return None


# -- Reports ------------------------------------------------------------------------------------


def reported(connection: Connection, new: Report, own: Sequence[str]) -> bool:
    devices = orjson.dumps([[one] for one in own]).decode()
    by_them = f"FROM report WHERE reporter IN {EACH}".format(**connection.dialect)
    same = f"SELECT 1 {by_them} AND table_id = ? AND seat = ? AND about = ? AND name = ?"
    if connection.run(same, devices, new.table, new.seat, new.about, new.name):
        return True
    today = f"SELECT COUNT(*) {by_them} AND time > ?"
    ((count,),) = connection.run(today, devices, new.time - DAY)
    ((here,),) = connection.run("SELECT COUNT(*) FROM report WHERE table_id = ?", new.table)
    if count >= MOST_REPORTS or here >= MOST_OF_TABLE:
        return False
    values = new._replace(lines=orjson.dumps(new.lines).decode())  # type: ignore[arg-type]
    connection.run("INSERT INTO report VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)
    return True


def new_id() -> str:
    """Short enough to be typed."""
    return token_hex(4)


def reports(connection: Connection, devices: Sequence[str] | None = None) -> list[Report]:
    """All, or those about one of these devices; the oldest first."""
    chosen, values = "", list[Any]()
    if devices is not None:
        chosen = f" WHERE device IN {EACH}".format(**connection.dialect)
        values = [orjson.dumps([[one] for one in devices]).decode()]
    rows = connection.run(f"SELECT {REPORT} FROM report{chosen} ORDER BY time, id", *values)  # noqa: S608
    return [Report(*row)._replace(lines=orjson.loads(row[7])) for row in rows]


def closed(connection: Connection, report: str) -> bool:
    return bool(connection.run("DELETE FROM report WHERE id = ? RETURNING id", report))


# -- What an operator decides -------------------------------------------------------------------


def rename(connection: Connection, player: str, name: str) -> None:
    """Wherever it is stored but in the headers of tables, which servers change.  The old name is not theirs again."""
    ((old,),) = connection.run("SELECT name FROM player WHERE id = ?", player)
    connection.run("UPDATE player SET name = ? WHERE id = ?", name, player)
    refuse = "INSERT INTO refused_name VALUES (?, ?) ON CONFLICT (player, name) DO NOTHING"
    connection.run(refuse, player, old)
    connection.run("UPDATE entrant SET name = ? WHERE player = ?", name, player)
    for (device,) in connection.run("SELECT hash FROM device WHERE player = ?", player):
        connection.run("DELETE FROM renamed_device WHERE hash = ?", device)
        connection.run("INSERT INTO renamed_device VALUES (?, ?, ?)", device, name, time.time())
        connection.run("UPDATE result SET name = ? WHERE device = ?", name, device)
        sitting = "SELECT table_id, seat, part FROM sitting WHERE device = ? AND part >= 0"
        for table, seat, part in connection.run(sitting, device):
            before = players.named(connection, table, seat, part)
            said = "UPDATE chat SET name = ? WHERE table_id = ? AND seat = ? AND name = ?"
            connection.run(said, name, table, seat, before)


def rename_stored(
    connection: Connection, claims: Claims, called: Mapping[str, str], change: Rename
) -> None:
    """In the headers of tables that nobody keeps; and what all have heard of is forgotten."""
    devices = orjson.dumps([[one] for one in called]).decode()
    sql = f"SELECT DISTINCT table_id FROM sitting WHERE device IN {EACH} ORDER BY table_id"  # noqa: S608
    for (table,) in connection.run(sql.format(**connection.dialect), devices):
        if table not in claims.held and claims.claim(connection, table):
            players.forget_at(connection, claims, table, dict(called), change)
    before = time.time() - RENAMED_SECONDS
    connection.run("DELETE FROM renamed_device WHERE since < ?", before)
