"""Clubs: who belongs to them, which tables are theirs, and what each game was worth to whom.

Whatever is decided about a club is decided in one transaction that holds its row (`Clubs.through`): the one lock of a
club, for all processes and both databases.  What a game was worth is written down in the transaction that ends it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from bullpen.server.pairing import shares
from bullpen.server.store import tournaments
from bullpen.server.store.chain import checked_header
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import LIVING, Json, Reading, Result, Writing
from bullpen.server.store.ratings import EACH, as_list, players_of

T = TypeVar("T")
CLUB = "SELECT id, name, invite, keeper, created FROM club WHERE id = ?"
MEMBERS = (
    "SELECT club_member.number, player.id, player.name, player.colour, club_member.joined"
    " FROM club_member JOIN player ON player.id = club_member.player WHERE club_member.club = ?"
    " ORDER BY club_member.joined, club_member.number"
)
OWN = (
    "SELECT club.id, club.name, club.invite, club.keeper, club.created FROM club_member"
    " JOIN club ON club.id = club_member.club WHERE club_member.player = ?"
    " ORDER BY club.created, club.id"
)
IS_MEMBER = (
    "SELECT 1 FROM club_member JOIN device ON device.player = club_member.player"  # noqa: S608
    f" WHERE club_member.club = ? AND device.hash IN {EACH}"
)
RUNNING = (
    "SELECT game_table.id, kind, state, header, header_hash, club_table.tournament, touched"  # noqa: S608
    " FROM club_table JOIN game_table ON game_table.id = club_table.table_id"
    " WHERE club_table.club = ? AND club_table.finished IS NULL"
    f" AND state IN ({', '.join('?' * len(LIVING))})"
    " ORDER BY club_table.created DESC, game_table.id LIMIT ?"
)
FINISHED = (
    "SELECT table_id, tournament, finished, EXISTS (SELECT 1 FROM game_table WHERE id = table_id)"
    " FROM club_table WHERE club = ? AND finished < ? ORDER BY finished DESC, table_id LIMIT ?"
)
STANDINGS = (
    "SELECT player, COUNT(*), SUM(won), SUM(points), SUM(place), SUM(score) FROM club_result"
    " WHERE club = ? AND finished >= ? AND finished < ?{chosen} GROUP BY player"
)
# Where somebody plays on one address with others, as in one living room, a club counts it; a rating does not.
COUNTED = (None, "same_person")


class Club(NamedTuple):
    id: str
    name: str
    invite: str
    keeper: str  # a player
    created: float


class Member(NamedTuple):
    number: int  # by which the others name them: the id of a player stays here
    player: str
    name: str
    colour: int
    joined: float


class Seen(NamedTuple):
    """A club and its members, those who came first first."""

    club: Club
    members: list[Member]

    def member(self, player: str | None) -> Member | None:
        return next((one for one in self.members if one.player == player), None)


class ClubTable(NamedTuple):
    table: str
    header: Json
    tournament: str | None
    touched: float


class ClubGame(NamedTuple):
    """A finished one."""

    table: str
    game: str
    tournament: str | None
    finished: float
    is_kept: bool  # else only its result is
    scores: list[tuple[str, int, bool]]  # name, score, won


class Tally(NamedTuple):
    """What somebody has reached in some months or games."""

    player: str
    games: int
    wins: int
    points: float
    places: float
    score: int


class Book:
    """One club as it is, within a transaction that holds its row."""

    def __init__(self, connection: Connection, club: str) -> None:
        self.connection, self.id = connection, club
        row = connection.run(f"{CLUB}{{for_update}}".format(**connection.dialect), club)
        self.seen = Seen(Club(*row[0]), members_of(connection, club)) if row else None

    def player(self, device: str) -> str | None:
        rows = self.connection.run("SELECT player FROM device WHERE hash = ?", device)
        return str(rows[0][0]) if rows else None

    def clubs_of(self, player: str) -> int:
        rows = self.connection.run("SELECT COUNT(*) FROM club_member WHERE player = ?", player)
        return int(rows[0][0])

    def make(self, name: str, invite: str, keeper: str) -> None:
        row = (self.id, name, invite, keeper, round(time.time(), 3))
        self.connection.run("INSERT INTO club VALUES (?, ?, ?, ?, ?)", *row)
        self.add(keeper)

    def change(self, *, name: str | None = None, invite: str | None = None) -> None:
        sql = "UPDATE club SET name = COALESCE(?, name), invite = COALESCE(?, invite) WHERE id = ?"
        self.connection.run(sql, name, invite, self.id)

    def hand_over(self, player: str) -> None:
        self.connection.run("UPDATE club SET keeper = ? WHERE id = ?", player, self.id)

    def add(self, player: str) -> None:
        sql = "SELECT COALESCE(MAX(number), 0) FROM club_member WHERE club = ?"
        ((last,),) = self.connection.run(sql, self.id)
        row = (self.id, last + 1, player, round(time.time(), 3))
        self.connection.run("INSERT INTO club_member VALUES (?, ?, ?, ?)", *row)

    def remove(self, player: str) -> None:
        leave(self.connection, self.id, player)

    def delete(self) -> None:
        take_away_club(self.connection, self.id)


class Clubs:
    """The part of a store that is about clubs."""

    def __init__(self, write: Writing, read: Reading) -> None:
        self._write, self._read = write, read

    async def through(self, club: str, decide: Callable[[Book], T]) -> T:
        """`decide` looks at the club as it is, and changes it or refuses; nobody else does meanwhile."""
        return await self._write("", lambda c: decide(Book(c, club)))

    async def seen(self, club: str) -> Seen | None:
        def look(connection: Connection) -> Seen | None:
            rows = connection.run(CLUB, club)
            return Seen(Club(*rows[0]), members_of(connection, club)) if rows else None

        return await self._read(look)

    async def of(self, player: str) -> list[Seen]:
        def look(connection: Connection) -> list[Seen]:
            found = [Club(*row) for row in connection.run(OWN, player)]
            return [Seen(one, members_of(connection, one.id)) for one in found]

        return await self._read(look)

    async def is_member(self, club: str, devices: Sequence[str]) -> bool:
        sql, own = IS_MEMBER, as_list(devices)
        return bool(await self._read(lambda c: c.run(sql.format(**c.dialect), club, own)))

    async def running(self, club: str, limit: int) -> list[ClubTable]:
        """Tables that are not over, the newest first."""

        def look(connection: Connection) -> list[ClubTable]:
            return [
                ClubTable(table, header, tournament, touched)
                for table, *written, tournament, touched in connection.run(
                    RUNNING, club, *LIVING, limit
                )
                if (header := checked_header(table, tuple(written))) is not None
            ]

        return await self._read(look)

    async def finished(self, club: str, before: float, limit: int) -> list[ClubGame]:
        """The last ones first."""
        return await self._read(lambda c: finished(c, club, before, limit))

    async def tallies(self, club: str, since: float, until: float, game: str | None) -> list[Tally]:
        sql = STANDINGS.format(chosen="" if game is None else " AND game = ?")
        chosen = () if game is None else (game,)
        return await self._read(
            lambda c: [
                Tally(player, games, int(wins), float(points), float(places), int(score))
                for player, games, wins, points, places, score in c.run(
                    sql, club, since, until, *chosen
                )
            ]
        )

    async def first(self, club: str) -> float | None:
        """When the first game ended that counts."""
        sql = "SELECT MIN(finished) FROM club_result WHERE club = ?"
        return await self._read(lambda c: c.run(sql, club)[0][0])


def members_of(connection: Connection, club: str) -> list[Member]:
    return [Member(*row) for row in connection.run(MEMBERS, club)]


def finished(connection: Connection, club: str, before: float, limit: int) -> list[ClubGame]:
    rows = connection.run(FINISHED, club, before, limit)
    sql = f"SELECT table_id, game, name, score, won FROM result WHERE table_id IN {EACH} ORDER BY table_id, seat"  # noqa: S608
    tables = as_list([row[0] for row in rows])
    games: dict[str, str] = {}
    scores: dict[str, list[tuple[str, int, bool]]] = {row[0]: [] for row in rows}
    for table, game, name, score, won in connection.run(sql.format(**connection.dialect), tables):
        games[table] = game
        scores[table].append((name, score, bool(won)))
    return [
        ClubGame(table, games[table], tournament, over, bool(is_kept), scores[table])
        for table, tournament, over, is_kept in rows
        if table in games
    ]


# -- With the tables ----------------------------------------------------------------------------


def made(connection: Connection, table: str, header: Json, now: float) -> None:
    """In the transaction that makes a table."""
    if club := header.get("club"):
        row = (table, club, header.get("tournament"), now)
        connection.run("INSERT INTO club_table VALUES (?, ?, ?, ?, NULL)", *row)


def taken_away(connection: Connection, table: str) -> None:
    """Of what is over the result stays."""
    sql = "DELETE FROM club_table WHERE table_id = ? AND finished IS NULL"
    connection.run(sql, table)


def ended(
    connection: Connection,
    table: str,
    header: Json,
    results: Sequence[Result],
    contestants: Sequence[Json],
    now: float,
) -> None:
    """In the transaction that ends a game, once."""
    if not (club := header.get("club")) or not connection.run(CLUB, club):
        return
    connection.run("UPDATE club_table SET finished = ? WHERE table_id = ?", now, table)
    scores = {one.seat: one.score for one in results}
    for player, (rank, seat) in members_at(connection, club, contestants).items():
        row = (table, player, club, header["game"], rank.place, rank.points, scores[seat])
        connection.run(
            "INSERT INTO club_result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(*row, int(rank.is_won), now),
        )
    tournaments.ended(connection, table, scores, contestants)


def members_at(connection: Connection, club: str, contestants: Sequence[Json]) -> dict[str, Any]:
    """Those whom the game counts for, and what it was worth: among members alone, and two of them at least."""
    people = [one for one in contestants if one["device"] and one["why_not"] in COUNTED]
    whose = players_of(connection, [one["device"] for one in people])
    members = {one.player for one in members_of(connection, club)}
    own = [whose.get(one["device"]) for one in people]
    times = Counter(own)  # nobody counts who sat there twice
    counted = [
        (player, one)
        for player, one in zip(own, people, strict=True)
        if player in members and times[player] == 1
    ]
    if len(counted) < 2:
        return {}
    ranks = shares([None if one["has_lost"] else one["rank"] for _, one in counted])
    return {
        str(player): (rank, one["seat"]) for (player, one), rank in zip(counted, ranks, strict=True)
    }


# -- Members that go ----------------------------------------------------------------------------


def leave(connection: Connection, club: str, player: str) -> None:
    """The keeping goes to whoever has been there longest; with the last one the club goes."""
    connection.run("DELETE FROM club_member WHERE club = ? AND player = ?", club, player)
    tournaments.leave(connection, club, player)
    others = connection.run(
        "SELECT player FROM club_member WHERE club = ? ORDER BY joined, number LIMIT 1", club
    )
    if not others:
        take_away_club(connection, club)
    else:
        sql = "UPDATE club SET keeper = ? WHERE id = ? AND keeper = ?"
        connection.run(sql, others[0][0], club, player)


def take_away_club(connection: Connection, club: str) -> None:
    tournaments.take_away_all(connection, club)
    for name in ("club_member", "club_table", "club_result"):
        connection.run(f"DELETE FROM {name} WHERE club = ?", club)  # noqa: S608
    connection.run("DELETE FROM club WHERE id = ?", club)


def data_of(connection: Connection, player: str) -> Json:
    """All that is stored about somebody."""

    def rows(names: str, source: str) -> list[Json]:
        sql = f"SELECT {names} FROM {source} WHERE player = ? ORDER BY {names}"  # noqa: S608
        found = connection.run(sql, player)
        return [dict(zip(names.split(", "), row, strict=True)) for row in found]

    joined = "club_member JOIN club ON club.id = club_member.club"
    return {
        "clubs": rows("club.id, club.name, club_member.number, club_member.joined", joined),
        "club_results": rows(
            "table_id, club, game, place, points, score, won, finished", "club_result"
        ),
        "tournaments": rows("tournament, number, name, is_out", "entrant"),
    }


def take_away(connection: Connection, player: str, name: str | None) -> None:
    """Somebody who is forgotten; `name`: in place of theirs where others' games tell of them."""
    for (club,) in connection.run("SELECT club FROM club_member WHERE player = ?", player):
        leave(connection, club, player)
    connection.run("DELETE FROM club_result WHERE player = ?", player)
    tournaments.forget(connection, player, name)


def hand_over(connection: Connection, before: str, player: str) -> None:
    """Two players turn out to be one."""
    for name, key in (("club_member", "club"), ("club_result", "table_id")):
        both = f"SELECT {key} FROM {name} WHERE player = ?"  # noqa: S608
        sql = f"DELETE FROM {name} WHERE player = ? AND {key} IN ({both})"  # noqa: S608
        connection.run(sql, before, player)
        connection.run(f"UPDATE {name} SET player = ? WHERE player = ?", player, before)  # noqa: S608
    connection.run("UPDATE club SET keeper = ? WHERE keeper = ?", player, before)
    tournaments.hand_over(connection, before, player)
