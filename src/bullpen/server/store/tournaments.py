"""Tournaments of clubs: who takes part, where they sit in each round, and what came of it.

A round is written down before its tables are there, with the ids that they will have: whoever keeps one of them makes
it.  What a table brings is written in the transaction that ends its game, and the next round in one that holds the row
of the club: so both happen once, whichever process does it and whenever one is killed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from bullpen.game import Seat
from bullpen.server.pairing import Group, shares
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json, Reading, Writing

OPEN, RUNNING, OVER, ENDED = "open", "running", "over", "ended"  # ended: before its last round
GOING_ON = (OPEN, RUNNING)
COLUMNS = "id, club, maker, plan, state, round, begun, created"
SEATS = "round, entrant, table_id, number, seat, place, points, score, won"
OF_ROUND = (
    "SELECT tournament_seat.table_id, MIN(tournament_seat.number), game_table.state,"
    " SUM(CASE WHEN points IS NULL THEN 1 ELSE 0 END) FROM tournament_seat"
    " LEFT JOIN game_table ON game_table.id = tournament_seat.table_id"
    " WHERE tournament = ? AND round = ? AND tournament_seat.table_id IS NOT NULL"
    " GROUP BY tournament_seat.table_id, game_table.state ORDER BY 2"
)
AT = (
    "SELECT tournament_seat.seat, entrant.name, entrant.player, entrant.is_out,"
    " (SELECT hash FROM device WHERE device.player = entrant.player ORDER BY created, hash LIMIT 1)"
    " FROM tournament_seat JOIN entrant ON entrant.tournament = tournament_seat.tournament"
    " AND entrant.number = tournament_seat.entrant WHERE tournament_seat.table_id = ?"
    " ORDER BY tournament_seat.seat"
)


class Tournament(NamedTuple):
    id: str
    club: str
    maker: str  # a player
    plan: Json
    state: str
    round: int  # from 1; 0: not begun
    begun: float  # when this round began; 0: who is missing is not waited for any more
    created: float


class Entrant(NamedTuple):
    number: int
    player: str | None  # None: was deleted
    name: str
    is_out: bool  # does not go on


class Sat(NamedTuple):
    """Where an entrant sits in a round; without a table they have a bye."""

    round: int
    entrant: int
    table: str | None
    number: int | None
    seat: Seat | None
    place: float | None
    points: float | None  # None: not over
    score: int | None
    is_won: bool


class OwnSeat(NamedTuple):
    """For whom a seat of a table is kept."""

    seat: Seat
    name: str
    device: str | None  # None: nobody comes any more
    is_out: bool


class OfRound(NamedTuple):
    """A table of a round."""

    table: str
    number: int
    state: str | None  # None: not made yet
    missing: int  # results


class Whole(NamedTuple):
    """All about one tournament."""

    tournament: Tournament
    entrants: list[Entrant]
    sat: list[Sat]


class Tournaments:
    """The part of a store that is about tournaments; what changes one goes through its club."""

    def __init__(self, write: Writing, read: Reading) -> None:
        self._write, self._read = write, read

    async def whole(self, tournament: str) -> Whole | None:
        return await self._read(lambda c: whole(c, tournament))

    async def of_club(self, club: str, limit: int) -> list[Tournament]:
        """The newest first."""
        sql = f"SELECT {COLUMNS} FROM tournament WHERE club = ? ORDER BY created DESC, id LIMIT ?"  # noqa: S608
        return await self._read(lambda c: [read(row) for row in c.run(sql, club, limit)])

    async def running(self) -> list[Tournament]:
        sql = f"SELECT {COLUMNS} FROM tournament WHERE state = ? ORDER BY id"  # noqa: S608
        return await self._read(lambda c: [read(row) for row in c.run(sql, RUNNING)])

    async def of_round(self, tournament: str, number: int) -> list[OfRound]:
        """The tables of a round."""
        return await self._read(
            lambda c: [OfRound(*row) for row in c.run(OF_ROUND, tournament, number)]
        )

    async def seats_of(self, table: str) -> list[OwnSeat]:
        return await self._read(
            lambda c: [
                OwnSeat(seat, name, device, bool(is_out) or player is None)
                for seat, name, player, is_out, device in c.run(AT, table)
            ]
        )


def read(row: Sequence[object]) -> Tournament:
    found = list(row)
    found[3] = orjson.loads(str(row[3]))
    return Tournament(*found)  # type: ignore[arg-type]


def whole(connection: Connection, tournament: str) -> Whole | None:
    rows = connection.run(f"SELECT {COLUMNS} FROM tournament WHERE id = ?", tournament)  # noqa: S608
    if not rows:
        return None
    sql = "SELECT number, player, name, is_out FROM entrant WHERE tournament = ? ORDER BY number"
    entrants = [
        Entrant(number, player, name, bool(is_out))
        for number, player, name, is_out in connection.run(sql, tournament)
    ]
    seats = f"SELECT {SEATS} FROM tournament_seat WHERE tournament = ? ORDER BY round, number, seat, entrant"  # noqa: S608
    sat = [Sat(*row)._replace(is_won=bool(row[-1])) for row in connection.run(seats, tournament)]
    return Whole(read(rows[0]), entrants, sat)


# -- Changing, with the club's row in one's hands -------------------------------------------------


def make(connection: Connection, tournament: str, club: str, maker: str, plan: Json) -> None:
    row = (tournament, club, maker, orjson.dumps(plan).decode(), OPEN, 0, 0.0)
    connection.run(
        "INSERT INTO tournament VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row, round(time.time(), 3)
    )


def going_on(connection: Connection, club: str) -> bool:
    sql = "SELECT 1 FROM tournament WHERE club = ? AND state IN (?, ?)"
    return bool(connection.run(sql, club, *GOING_ON))


def keep_last(connection: Connection, club: str, most: int) -> None:
    """Of the older ones nothing is kept but their games."""
    sql = "SELECT id FROM tournament WHERE club = ? ORDER BY created DESC, id"
    for (tournament,) in connection.run(sql, club)[most:]:
        take_away(connection, tournament)


def enter(connection: Connection, tournament: str, player: str, name: str) -> None:
    sql = "SELECT COALESCE(MAX(number), 0) FROM entrant WHERE tournament = ?"
    ((last,),) = connection.run(sql, tournament)
    row = (tournament, last + 1, player, name, 0)
    connection.run("INSERT INTO entrant VALUES (?, ?, ?, ?, ?)", *row)


def withdraw(connection: Connection, of: Tournament, number: int) -> None:
    """Before the start they are out of it; later their points stay."""
    sql = "UPDATE entrant SET is_out = 1 WHERE tournament = ? AND number = ?"
    if of.state == OPEN:
        sql = "DELETE FROM entrant WHERE tournament = ? AND number = ?"
    connection.run(sql, of.id, number)


def draw_lots(connection: Connection, tournament: str, drawn: Sequence[Entrant]) -> None:
    """The numbers of all entrants, in this order from 0 on."""
    connection.run("DELETE FROM entrant WHERE tournament = ?", tournament)
    for number, one in enumerate(drawn):
        row = (tournament, number, one.player, one.name, int(one.is_out))
        connection.run("INSERT INTO entrant VALUES (?, ?, ?, ?, ?)", *row)


def begin_round(
    connection: Connection,
    of: Tournament,
    groups: Sequence[tuple[str, Group]],
    byes: Sequence[tuple[int, float]],
) -> None:
    """Groups with the ids of their tables, and byes with the points that they are worth."""
    number = of.round + 1
    insert = "INSERT INTO tournament_seat VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    for at, (table, group) in enumerate(groups, start=1):
        for seat, entrant in enumerate(group):
            at_table = (of.id, number, entrant, table, at, seat, None, None, None, 0)
            connection.run(insert, *at_table)
    for entrant, points in byes:
        free = (of.id, number, entrant, None, None, None, None, points, None, 0)
        connection.run(insert, *free)
    sql = "UPDATE tournament SET state = ?, round = ?, begun = ?, plan = ? WHERE id = ?"
    plan = orjson.dumps(of.plan).decode()
    connection.run(sql, RUNNING, number, round(time.time(), 3), plan, of.id)


def wait_no_longer(connection: Connection, tournament: str) -> None:
    connection.run("UPDATE tournament SET begun = 0 WHERE id = ?", tournament)


def close(connection: Connection, tournament: str, state: str) -> None:
    connection.run("UPDATE tournament SET state = ? WHERE id = ?", state, tournament)


def void(connection: Connection, table: str) -> None:
    """A table that nobody will finish."""
    sql = "UPDATE tournament_seat SET points = 0 WHERE table_id = ? AND points IS NULL"
    connection.run(sql, table)


# -- With the tables ----------------------------------------------------------------------------


def ended(
    connection: Connection, table: str, scores: dict[Seat, int], contestants: Sequence[Json]
) -> None:
    """In the transaction that ends a game.  Seats are known by their numbers: nobody changes them at such a table."""
    sql = "SELECT seat FROM tournament_seat WHERE table_id = ? AND points IS NULL ORDER BY seat"
    seats: list[Seat] = [seat for (seat,) in connection.run(sql, table)]
    by_seat = {
        one["seat"]: None if one["has_lost"] else one["rank"]
        for one in contestants
        if one["device"]
    }
    worth = shares([by_seat.get(seat) for seat in seats])
    for seat, own in zip(seats, worth, strict=True):
        connection.run(
            "UPDATE tournament_seat SET place = ?, points = ?, score = ?, won = ?"
            " WHERE table_id = ? AND seat = ?",
            *(own.place, own.points, scores.get(seat), int(own.is_won), table, seat),
        )


# -- People that go -----------------------------------------------------------------------------


def leave(connection: Connection, club: str, player: str) -> None:
    """Who leaves a club leaves its tournament."""
    of = "SELECT id FROM tournament WHERE club = ? AND state = ?"
    connection.run(
        f"DELETE FROM entrant WHERE player = ? AND tournament IN ({of})",  # noqa: S608
        *(player, club, OPEN),
    )
    connection.run(
        f"UPDATE entrant SET is_out = 1 WHERE player = ? AND tournament IN ({of})",  # noqa: S608
        *(player, club, RUNNING),
    )


def forget(connection: Connection, player: str, name: str | None) -> None:
    sql = "UPDATE entrant SET player = NULL, is_out = 1, name = COALESCE(?, name) WHERE player = ?"
    connection.run(sql, name, player)


def hand_over(connection: Connection, before: str, player: str) -> None:
    """Two players turn out to be one; where both take part, one of them does not go on."""
    both = "SELECT tournament FROM entrant WHERE player = ?"
    connection.run(
        f"UPDATE entrant SET player = NULL, is_out = 1 WHERE player = ? AND tournament IN ({both})",  # noqa: S608
        *(before, player),
    )
    connection.run("UPDATE entrant SET player = ? WHERE player = ?", player, before)
    connection.run("UPDATE tournament SET maker = ? WHERE maker = ?", player, before)


def take_away_all(connection: Connection, club: str) -> None:
    for (tournament,) in connection.run("SELECT id FROM tournament WHERE club = ?", club):
        take_away(connection, tournament)


def take_away(connection: Connection, tournament: str) -> None:
    for name in ("entrant", "tournament_seat"):
        connection.run(f"DELETE FROM {name} WHERE tournament = ?", tournament)  # noqa: S608
    connection.run("DELETE FROM tournament WHERE id = ?", tournament)
