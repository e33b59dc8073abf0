"""Deals of the day: from what they follow, and who has begun which.  How it ended stands in the results."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date
from secrets import token_hex
from typing import NamedTuple

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Reading, Writing
from bullpen.server.store.players import EACH, as_list, devices_of

HOUSE = "house"  # in place of a device: the expert, whose score stands beside everybody's
SEAT = 0  # of everybody who plays a deal of the day
ROOT, FIRST = "daily_root", "daily_first"  # in `meta`

ATTEMPTS = (
    "SELECT daily.table_id, daily.day, daily.game, daily.device, daily.is_counted, daily.begun,"  # noqa: S608
    " result.score, result.finished,"
    " (SELECT state FROM game_table WHERE game_table.id = daily.table_id)"
    f" FROM daily LEFT JOIN result ON result.table_id = daily.table_id AND result.seat = {SEAT}"
)
# Two who begin at once, by two processes, do so one after the other.
ONE_BY_ONE = "SELECT value FROM meta WHERE name = ?{for_update}"


class Root(NamedTuple):
    """The last secret of the chain, and the day on which this server began to keep it."""

    secret: bytes
    first: str


class Attempt(NamedTuple):
    """Somebody has begun a deal of the day, or the house has."""

    table: str
    day: str
    game: str
    device: str | None  # None: somebody who was deleted
    is_counted: bool  # among all who played
    begun: float
    score: int | None  # None: not over
    finished: float | None
    state: str | None  # of its table; None: it is not kept any more


class Daily:
    """The part of a store that is about deals of the day."""

    def __init__(self, write: Writing, read: Reading) -> None:
        self._write, self._read = write, read

    async def root(self, first: str) -> Root:
        """Drawn once, by whoever asks first."""
        if (known := await self._read(root_of)) is not None:
            return known
        return await self._write("", lambda c: drawn(c, first))

    async def begin(
        self, table: str, day: str, game: str, device: str, network: str | None
    ) -> bool:
        """Whether this is the first one of this player; who could know the cards from the same network is not counted."""
        return await self._write("", lambda c: begun(c, table, day, game, device, network))

    async def forget_networks(self, day: str) -> None:
        """Where somebody played from is needed on that day alone."""
        sql = "UPDATE daily SET network = NULL WHERE day < ? AND network IS NOT NULL"
        await self._write("", lambda c: c.run(sql, day))

    async def drop(self, table: str) -> None:
        """As if it had not been begun: its table has never been dealt."""
        await self._write("", lambda c: c.run("DELETE FROM daily WHERE table_id = ?", table))

    async def of(self, devices: Sequence[str], days: Sequence[str]) -> list[Attempt]:
        """On these days, the first ones first."""
        return await self._read(lambda c: attempts(c, devices, days))

    async def on(self, day: str) -> list[Attempt]:
        """Of everybody, the house too."""
        sql = f"{ATTEMPTS} WHERE daily.day = ? ORDER BY daily.begun, daily.table_id"
        return await self._read(lambda c: [attempt(row) for row in c.run(sql, day)])

    async def days(self, devices: Sequence[str]) -> list[tuple[date, float]]:
        """The days of which one has played a deal to its end, the last ones first, and when."""
        sql = (
            "SELECT daily.day, MIN(result.finished) FROM daily JOIN result"  # noqa: S608
            f" ON result.table_id = daily.table_id AND result.seat = {SEAT}"
            f" WHERE daily.device IN {EACH} GROUP BY daily.day ORDER BY daily.day DESC"
        )
        return await self._read(
            lambda c: [
                (date.fromisoformat(row[0]), row[1])
                for row in c.run(sql.format(**c.dialect), as_list(devices))
            ]
        )


def root_of(connection: Connection) -> Root | None:
    rows = connection.run("SELECT name, value FROM meta WHERE name IN (?, ?)", ROOT, FIRST)
    found: dict[str, str] = dict(rows)
    return Root(bytes.fromhex(found[ROOT]), found[FIRST]) if found else None


def drawn(connection: Connection, first: str) -> Root:
    for name, value in ((ROOT, token_hex(32)), (FIRST, first)):
        connection.run("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, value)
    found = root_of(connection)
    assert found is not None
    return found


def begun(
    connection: Connection, table: str, day: str, game: str, device: str, network: str | None
) -> bool:
    connection.run(ONE_BY_ONE.format(**connection.dialect), ROOT)
    if any(one.game == game for one in attempts(connection, devices_of(connection, device), [day])):
        return False
    same = "daily.day = ? AND daily.game = ? AND daily.network = ?"
    others = connection.run(f"SELECT 1 FROM daily WHERE {same}", day, game, network)  # noqa: S608
    # Whoever has not finished may see by this one what is to come.
    connection.run(
        f"UPDATE daily SET is_counted = 0 WHERE {same} AND NOT EXISTS"  # noqa: S608
        " (SELECT 1 FROM result WHERE result.table_id = daily.table_id)",
        *(day, game, network),
    )
    is_counted = int(device != HOUSE and not others)
    found = connection.run(
        "INSERT INTO daily VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (day, game, device) DO NOTHING"
        " RETURNING table_id",
        *(table, day, game, device, network, is_counted, round(time.time(), 3)),
    )
    return bool(found)


def attempts(connection: Connection, devices: Sequence[str], days: Sequence[str]) -> list[Attempt]:
    sql = f"{ATTEMPTS} WHERE daily.device IN {EACH} AND daily.day IN {EACH} ORDER BY daily.begun, daily.table_id"
    rows = connection.run(sql.format(**connection.dialect), as_list(devices), as_list(days))
    return [attempt(row) for row in rows]


def attempt(row: tuple[object, ...]) -> Attempt:
    found = Attempt(*row)  # type: ignore[arg-type]
    return found._replace(is_counted=bool(found.is_counted))
