"""Who has solved which puzzle at the first try; and of each puzzle how many have, which says nothing about anybody."""

from __future__ import annotations

import time
from typing import NamedTuple

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json, Reading, Writing

TRIES = "game, number, solved, time"


class Counted(NamedTuple):
    """How many players have tried a puzzle, and how many of them solved it at once."""

    number: int
    tries: int
    solved: int


class Tried(NamedTuple):
    number: int
    solved: bool


class Puzzles:
    """The part of a store that is about them."""

    def __init__(self, write: Writing, read: Reading) -> None:
        self._write, self._read = write, read

    async def tried(self, device: str, game: str, number: int, *, solved: bool) -> bool:
        """The first time counts.  False: it was no first time, or nobody's device."""
        return await self._write("", lambda c: tried(c, device, game, number, int(solved)))

    async def counted(self, game: str) -> list[Counted]:
        sql = "SELECT number, tries, solved FROM puzzle_count WHERE game = ? ORDER BY number"
        return [Counted(*row) for row in await self._read(lambda c: c.run(sql, game))]

    async def own(self, device: str, game: str) -> list[Tried]:
        sql = (
            "SELECT number, solved FROM puzzle_try WHERE game = ?"
            " AND player = (SELECT player FROM device WHERE hash = ?) ORDER BY number"
        )
        rows = await self._read(lambda c: c.run(sql, game, device))
        return [Tried(number, bool(solved)) for number, solved in rows]


def tried(connection: Connection, device: str, game: str, number: int, solved: int) -> bool:
    owner = connection.run("SELECT player FROM device WHERE hash = ?", device)
    if not owner:
        return False
    first = connection.run(
        "INSERT INTO puzzle_try VALUES (?, ?, ?, ?, ?) ON CONFLICT (player, game, number)"
        " DO NOTHING RETURNING number",
        *(owner[0][0], game, number, solved, round(time.time(), 3)),
    )
    if first:
        connection.run(
            "INSERT INTO puzzle_count VALUES (?, ?, 1, ?) ON CONFLICT (game, number) DO UPDATE"
            " SET tries = puzzle_count.tries + 1, solved = puzzle_count.solved + excluded.solved",
            *(game, number, solved),
        )
    return bool(first)


# -- Players that go ----------------------------------------------------------------------------


def data_of(connection: Connection, player: str) -> Json:
    sql = f"SELECT {TRIES} FROM puzzle_try WHERE player = ? ORDER BY time"  # noqa: S608
    rows = connection.run(sql, player)
    return {"puzzles": [dict(zip(TRIES.split(", "), row, strict=True)) for row in rows]}


def take_away(connection: Connection, player: str) -> None:
    connection.run("DELETE FROM puzzle_try WHERE player = ?", player)


def hand_over(connection: Connection, before: str, player: str) -> None:
    """Two players turn out to be one: what both have tried counts as this one did."""
    connection.run(
        "INSERT INTO puzzle_try SELECT ?, game, number, solved, time FROM puzzle_try"
        " WHERE player = ? ON CONFLICT (player, game, number) DO NOTHING",
        *(player, before),
    )
