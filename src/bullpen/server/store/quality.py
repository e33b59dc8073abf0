"""How well players decide: which games wait to be judged, and what was found, by game and player.

A game is written down as waiting in the transaction that ends it.  Whoever judges one takes it for a short while, and
says again and again that it is still at it; what was found is written, and that nothing waits any more, in one
transaction.  So each game counts once, whichever process judges it and whenever one is killed; and of all processes
on one database one judges at a time.  Nothing that waits names anybody: who sat there is read when it is judged.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json, Reading, Writing

TAKEN_SECONDS = 30.0  # without a word, until another process may take it
MOST_TRIES = 3  # a game that ends its process each time is left alone
INTERVAL = 2.0  # standard errors to each side: 95 of 100 times the truth lies within

NEXT = (
    "SELECT table_id FROM judging WHERE NOT EXISTS"
    " (SELECT 1 FROM judging WHERE until > ? AND taken_by <> ?)"
    " ORDER BY finished DESC, table_id LIMIT 1"
)
ONE_AT_A_TIME = "SELECT value FROM meta WHERE name = 'rated'{for_update}"  # whoever has this row
SUMS = (
    "COUNT(*), SUM(decisions), SUM(lost), SUM(squares), SUM(lost * lost),"
    " SUM(lost * decisions), SUM(1.0 * decisions * decisions)"
)
KEPT = "games, decisions, lost, squares, game_squares, products, lengths"


class Tally(NamedTuple):
    """Decisions with a choice that one person made in one game, and what they gave away."""

    decisions: int
    lost: float  # points, of all together
    squares: float  # of each, together

    def __add__(self, other: tuple[Any, ...]) -> Tally:
        return Tally(*(one + two for one, two in zip(self, other, strict=True)))


class Sums(NamedTuple):
    """Of all games of one player in one game."""

    games: int
    decisions: int
    lost: float
    squares: float  # of what each decision lost
    game_squares: float  # of what each game lost
    products: float  # of that and the game's decisions
    lengths: float  # of games, in decisions, squared

    @property
    def mean(self) -> float:
        return self.lost / self.decisions

    @property
    def error(self) -> float:
        """The standard error of the mean.  Decisions of one game go together, so that it is also reckoned from game to
        game; the larger one counts."""
        n, games, mean = self.decisions, self.games, self.mean
        each = (self.squares - n * mean**2) / (n * max(n - 1, 1))
        between = self.game_squares - 2 * mean * self.products + mean**2 * self.lengths
        by_game = between * games / (games - 1) / n**2 if games > 1 else 0.0
        return sqrt(max(each, by_game, 0.0))


def sums_of(row: Sequence[Any]) -> Sums | None:
    """As they are stored, or where nothing is."""
    return None if row[0] is None else Sums(*row)


class Quality(NamedTuple):
    """How well one player decides in one game."""

    game: str
    sums: Sums


class Judgements:
    """The part of a store that is about decisions."""

    def __init__(self, write: Writing, read: Reading, server: str) -> None:
        self._write, self._read, self.server = write, read, server

    async def are_waiting(self) -> bool:
        return bool(await self._read(lambda c: c.run("SELECT 1 FROM judging LIMIT 1")))

    async def take(self) -> str | None:
        """The game that ended last, of those that wait: for this process, until it says no more that it is at it.  None
        where nothing waits, or another process judges."""
        return await self._write("", lambda c: taken(c, self.server))

    async def still_at_it(self, table: str) -> None:
        sql = "UPDATE judging SET until = ? WHERE table_id = ? AND taken_by = ?"
        until = time.time() + TAKEN_SECONDS
        await self._write("", lambda c: c.run(sql, until, table, self.server))

    async def put_back(self, table: str) -> None:
        """It could not be judged: later again, and after some tries no more."""
        await self._write("", lambda c: put_back(c, table, self.server))

    async def judged(self, table: str, found: Sequence[tuple[str, Tally]]) -> bool:
        """By device.  False: it was judged already, and nothing has changed."""
        return await self._write("", lambda c: judged(c, table, found))

    async def drop(self, finished_before: float) -> None:
        """What waits since then is not judged any more."""
        sql = "DELETE FROM judging WHERE finished < ?"
        await self._write("", lambda c: c.run(sql, finished_before))

    async def of(self, device: str) -> list[Quality]:
        """Of the player whose device this is, in all games."""
        sql = (
            f"SELECT game, {KEPT} FROM quality JOIN device ON device.player = quality.player"  # noqa: S608
            " WHERE device.hash = ? ORDER BY game"
        )
        rows = await self._read(lambda c: c.run(sql, device))
        return [Quality(game, Sums(*sums)) for game, *sums in rows]


# -- Games that wait ----------------------------------------------------------------------------


def wait(
    connection: Connection, table: str, game: str, contestants: Sequence[Json], finished: float
) -> None:
    """With the transaction that ends the table, where a person sat there."""
    if any(one.get("device") for one in contestants):
        connection.run(
            "INSERT INTO judging VALUES (?, ?, ?, '', 0, 0) ON CONFLICT (table_id) DO NOTHING",
            *(table, game, finished),
        )


def taken(connection: Connection, server: str) -> str | None:
    now = time.time()
    connection.run(ONE_AT_A_TIME.format(**connection.dialect))
    found = connection.run(NEXT, now, server)
    if not found:
        return None
    ((table,),) = found
    sql = "UPDATE judging SET taken_by = ?, until = ?, tries = tries + 1 WHERE table_id = ?"
    connection.run(sql, server, now + TAKEN_SECONDS, table)
    connection.run("DELETE FROM judging WHERE tries > ?", MOST_TRIES)
    return str(table) if connection.run("SELECT 1 FROM judging WHERE table_id = ?", table) else None


def put_back(connection: Connection, table: str, server: str) -> None:
    sql = "UPDATE judging SET until = 0 WHERE table_id = ? AND taken_by = ?"
    connection.run(sql, table, server)
    connection.run("DELETE FROM judging WHERE table_id = ? AND tries >= ?", table, MOST_TRIES)


def judged(connection: Connection, table: str, found: Sequence[tuple[str, Tally]]) -> bool:
    waiting = connection.run(
        "DELETE FROM judging WHERE table_id = ? RETURNING game, finished", table
    )
    if not waiting:
        return False
    ((game, finished),) = waiting
    by_player: dict[str, Tally] = {}
    for device, tally in found:
        for (player,) in connection.run("SELECT player FROM device WHERE hash = ?", device):
            by_player[player] = by_player.get(player, Tally(0, 0.0, 0.0)) + tally
    for player, tally in by_player.items():
        if tally.decisions:
            connection.run(
                "INSERT INTO judged VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_id, player) DO NOTHING",
                *(table, player, game, *tally, finished),
            )
            sum_up(connection, game, player)
    return True


def sum_up(connection: Connection, game: str, player: str) -> None:
    """Anew from all games: so the sums never drift away from them."""
    connection.run("DELETE FROM quality WHERE game = ? AND player = ?", game, player)
    connection.run(
        f"INSERT INTO quality SELECT game, player, {SUMS} FROM judged"  # noqa: S608
        " WHERE player = ? AND game = ? GROUP BY game, player",
        *(player, game),
    )


# -- Players that go ----------------------------------------------------------------------------


def data_of(connection: Connection, player: str) -> Json:
    names = "table_id, game, decisions, lost, finished"
    sql = f"SELECT {names} FROM judged WHERE player = ? ORDER BY finished, table_id"  # noqa: S608
    rows = connection.run(sql, player)
    return {"judged_games": [dict(zip(names.split(", "), row, strict=True)) for row in rows]}


def take_away(connection: Connection, player: str) -> None:
    for name in ("judged", "quality"):
        connection.run(f"DELETE FROM {name} WHERE player = ?", player)  # noqa: S608


def hand_over(connection: Connection, before: str, player: str) -> None:
    """Two players turn out to be one; where both sat at one table, what is known of this one stays."""
    both = "SELECT table_id FROM judged WHERE player = ?"
    connection.run(
        f"DELETE FROM judged WHERE player = ? AND table_id IN ({both})",  # noqa: S608
        *(before, player),
    )
    connection.run("UPDATE judged SET player = ? WHERE player = ?", player, before)
    games = connection.run("SELECT DISTINCT game FROM judged WHERE player = ?", player)
    for (game,) in games:
        sum_up(connection, game, player)
