"""Ratings: which games wait to be rated, how each player stands in each game, and what each game changed.

A game is written down as waiting in the transaction that ends it, and rated later in one of its own: its number, what
it changed, and that it waits no more, together.  So each is rated once, whichever process does it and whenever one is
killed.  Whoever rates holds the row that counts them; one after the other they come in the order in which they ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json, Reading, Writing
from bullpen.server.store.quality import KEPT, Sums, sums_of

EACH = "(SELECT value ->> 0 FROM {each})"
WAITING = (
    "SELECT table_id, game, finished, contestants FROM rated_game"
    " WHERE number IS NULL AND finished < ? ORDER BY finished, table_id LIMIT ?"
)
# Devices that have become another player's by a code since the first card was dealt.
MOVED = (
    "SELECT device.hash FROM device JOIN player ON player.id = device.player"  # noqa: S608
    f" WHERE device.hash IN {EACH} AND device.created > player.created"
    " AND device.created > (SELECT time FROM event WHERE table_id = ? AND seq = 1)"
)
COUNTED = "SELECT value FROM meta WHERE name = 'rated'{for_update}"
# From a player on whose place is known, and down to one.
FROM = (
    "SELECT careful, player FROM rating WHERE game = ? AND (careful, player) <= (?, ?)"
    " ORDER BY careful DESC, player DESC LIMIT ? OFFSET ?"
)
BETWEEN = (
    "SELECT COUNT(*) FROM rating WHERE game = ? AND (careful, player) <= (?, ?)"
    " AND (careful, player) > (?, ?)"
)
STEP = 500  # places from one mark to the next
TOP = (float("inf"), "")  # ahead of everybody, also of who has come in front since
MARKS = (
    "SELECT careful, player FROM (SELECT careful, player,"  # noqa: S608
    " ROW_NUMBER() OVER (ORDER BY careful DESC, player DESC) AS place FROM rating WHERE game = ?) AS placed"
    f" WHERE place > 1 AND (place - 1) / {STEP} * {STEP} = place - 1 ORDER BY place"
)
# The players of a page first, by the index alone: whoever is left out on the way there is not looked at.
PAGE = (
    "SELECT player.name, player.colour, rating.mu, rating.sigma, rating.games, rating.player,"  # noqa: S608
    f" {', '.join(f'quality.{name}' for name in KEPT.split(', '))}"
    f" FROM ({FROM}) AS page JOIN rating ON rating.game = ? AND rating.player = page.player"
    " JOIN player ON player.id = page.player"
    " LEFT JOIN quality ON quality.game = rating.game AND quality.player = rating.player"
    " ORDER BY page.careful DESC, page.player DESC"
)
CHANGES = "table_id, game, number, mu_before, sigma_before, mu, sigma, why_not, finished"


class Known(NamedTuple):
    """How somebody stands in a game; nobody is known before their first one that is rated."""

    mu: float
    sigma: float
    games: int


class Outcome(NamedTuple):
    """What a game makes of somebody; or why nothing."""

    mu: float
    sigma: float
    careful: float
    why_not: str | None = None


class Change(NamedTuple):
    """What one game has changed for one player; `number`: the how-manieth that was rated here."""

    table: str
    game: str
    number: int
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    why_not: str | None
    finished: float


class Rated(NamedTuple):
    """One row of a leaderboard."""

    place: int
    name: str
    colour: int
    mu: float
    sigma: float
    games: int
    is_you: bool
    quality: Sums | None  # of their decisions


class Standing(NamedTuple):
    """One player in one game."""

    game: str
    mu: float
    sigma: float
    games: int
    place: int
    of: int  # so many are rated


class OwnRow(NamedTuple):
    """As it is stored."""

    game: str
    player: str
    mu: float
    sigma: float
    games: int
    careful: float


# By game and contestants, whose device is whose, and how these stand: what becomes of each player.
Rate = Callable[
    [str, list[Json], Mapping[str, str], Mapping[str, Known], Known], Mapping[str, Outcome]
]


class Marks(NamedTuple):
    """Who stands on every five hundredth place of a leaderboard, so that nobody counts from its beginning: as it was
    when somebody last looked through it (`mark`).  Since then others may have moved by some places; what is ahead of
    the second mark is counted from the top, and as new as the store."""

    rated: int  # so many are
    at: list[tuple[float, str]]  # the careful end, and the player


class Ratings:
    """The part of a store that is about ratings."""

    def __init__(self, write: Writing, read: Reading) -> None:
        self._write, self._read = write, read
        self.marks: dict[str, Marks] = {}

    async def mark(self, game: str) -> None:
        """Look through a leaderboard; for as long as a large one takes, others who read wait."""
        self.marks[game] = await self._read(lambda c: marked(c, game))

    async def _marks(self, game: str) -> Marks:
        if game not in self.marks:
            await self.mark(game)
        return self.marks[game]

    async def are_waiting(self, before: float) -> bool:
        """Games that ended before then, and have not been rated."""
        return bool(await self._read(lambda c: c.run(WAITING, before, 1)))

    async def rate_some(self, before: float, limit: int, new: Known, rate: Rate) -> int:
        """The next ones, in the order in which they ended.  How many."""
        return await self._write("", lambda c: rated(c, before, limit, new, rate))

    async def page(self, game: str, first: int, limit: int, device: str) -> list[Rated]:
        """From this place on, the surest of the strong first."""
        marks = await self._marks(game)
        return await self._read(lambda c: page(c, game, first, limit, device, marks))

    async def count(self, game: str) -> int:
        return (await self._marks(game)).rated

    async def standings(self, device: str) -> list[Standing]:
        """Of the player whose device this is, in all games."""
        found = await self._read(lambda c: ratings_of(c, device))
        marks = {one.game: await self._marks(one.game) for one in found}
        return await self._read(lambda c: [standing(c, one, marks[one.game]) for one in found])

    async def changes(self, device: str, tables: Sequence[str]) -> dict[str, Change]:
        """Of this player, by these tables."""
        return await self._read(lambda c: changes(c, device, tables))

    async def is_waiting(self, table: str) -> bool:
        sql = "SELECT 1 FROM rated_game WHERE table_id = ? AND number IS NULL"
        return bool(await self._read(lambda c: c.run(sql, table)))

    async def history(self, device: str, game: str, limit: int) -> list[Change]:
        """The last changes, the newest first."""
        return await self._read(lambda c: history(c, device, game, limit))


# -- Games that wait ----------------------------------------------------------------------------


def wait(
    connection: Connection, table: str, game: str, contestants: Sequence[Json], finished: float
) -> None:
    """With the transaction that ends the table; once, whatever comes later."""
    if contestants:
        connection.run(
            "INSERT INTO rated_game VALUES (?, ?, ?, ?, NULL) ON CONFLICT (table_id) DO NOTHING",
            *(table, game, finished, orjson.dumps(contestants).decode()),
        )


def rated(connection: Connection, before: float, limit: int, new: Known, rate: Rate) -> int:
    ((number,),) = connection.run(COUNTED.format(**connection.dialect))
    found = connection.run(WAITING, before, limit)
    for at, (table, game, finished, contestants) in enumerate(found, start=int(number) + 1):
        field: list[Json] = orjson.loads(contestants)
        devices = [one["device"] for one in field if one["device"]]
        whose, moved = players_of(connection, devices), moved_of(connection, table, devices)
        field = [{**one, "has_moved": one["device"] in moved} for one in field]
        standing = known_of(connection, game, sorted(set(whose.values())))
        for player, out in rate(game, field, whose, standing, new).items():
            was = standing.get(player, new)
            if out.why_not is None:
                keep(connection, game, player, out, was.games + 1)
            connection.run(
                "INSERT INTO rating_change VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                *(table, player, game, at, was.mu, was.sigma, out.mu, out.sigma, out.why_not),
                finished,
            )
        # Who played it is said by what was changed; the devices are not needed any more.
        done = "UPDATE rated_game SET number = ?, contestants = '' WHERE table_id = ?"
        connection.run(done, at, table)
    if found:
        counted = str(int(number) + len(found))
        connection.run("UPDATE meta SET value = ? WHERE name = 'rated'", counted)
    return len(found)


def players_of(connection: Connection, devices: Sequence[str]) -> dict[str, str]:
    sql = f"SELECT hash, player FROM device WHERE hash IN {EACH}"  # noqa: S608
    return dict(connection.run(sql.format(**connection.dialect), as_list(devices)))


def moved_of(connection: Connection, table: str, devices: Sequence[str]) -> set[str]:
    sql = MOVED.format(**connection.dialect)
    return {device for (device,) in connection.run(sql, as_list(devices), table)}


def is_waiting_for(connection: Connection, device: str) -> bool:
    """Whether a game of this device is over, and has not been rated."""
    sql = "SELECT contestants FROM rated_game WHERE number IS NULL"
    return any(device in contestants for (contestants,) in connection.run(sql))


def known_of(connection: Connection, game: str, players: Sequence[str]) -> dict[str, Known]:
    sql = f"SELECT player, mu, sigma, games FROM rating WHERE game = ? AND player IN {EACH}"  # noqa: S608
    rows = connection.run(sql.format(**connection.dialect), game, as_list(players))
    return {player: Known(*row) for player, *row in rows}


def keep(connection: Connection, game: str, player: str, out: Outcome, games: int) -> None:
    connection.run(
        "INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (game, player) DO UPDATE"
        " SET mu = excluded.mu, sigma = excluded.sigma, careful = excluded.careful, games = excluded.games",
        *(game, player, out.mu, out.sigma, out.careful, games),
    )


def as_list(values: Sequence[str]) -> str:
    return orjson.dumps([[value] for value in values]).decode()


# -- Reading ------------------------------------------------------------------------------------


def player_of(connection: Connection, device: str) -> str:
    rows = connection.run("SELECT player FROM device WHERE hash = ?", device)
    return str(rows[0][0]) if rows else ""


def marked(connection: Connection, game: str) -> Marks:
    ((count,),) = connection.run("SELECT COUNT(*) FROM rating WHERE game = ?", game)
    return Marks(count, [TOP, *((careful, who) for careful, who in connection.run(MARKS, game))])


def page(
    connection: Connection, game: str, first: int, limit: int, device: str, marks: Marks
) -> list[Rated]:
    own = player_of(connection, device)
    mark, further = divmod(first - 1, STEP)
    if mark >= len(marks.at):
        return []
    rows = connection.run(PAGE, game, *marks.at[mark], limit, further, game)
    return [
        Rated(place, name, colour, mu, sigma, games, player == own, sums_of(found))
        for place, (name, colour, mu, sigma, games, player, *found) in enumerate(rows, start=first)
    ]


def ratings_of(connection: Connection, device: str) -> list[OwnRow]:
    own = player_of(connection, device)
    sql = "SELECT game, player, mu, sigma, games, careful FROM rating WHERE player = ? ORDER BY games DESC, game"
    return [OwnRow(*row) for row in connection.run(sql, own)]


def standing(connection: Connection, own: OwnRow, marks: Marks) -> Standing:
    """Counted from the last mark that is ahead."""
    here = (own.careful, own.player)
    nearest = max(at for at, mark in enumerate(marks.at) if mark >= here)
    ((better,),) = connection.run(BETWEEN, own.game, *marks.at[nearest], *here)
    place = 1 + STEP * nearest + int(better)
    return Standing(own.game, own.mu, own.sigma, own.games, place, max(marks.rated, place))


def changes(connection: Connection, device: str, tables: Sequence[str]) -> dict[str, Change]:
    sql = f"SELECT {CHANGES} FROM rating_change WHERE player = ? AND table_id IN {EACH}"  # noqa: S608
    own = player_of(connection, device)
    rows = connection.run(sql.format(**connection.dialect), own, as_list(tables))
    return {row[0]: Change(*row) for row in rows}


def history(connection: Connection, device: str, game: str, limit: int) -> list[Change]:
    sql = (
        f"SELECT {CHANGES} FROM rating_change WHERE player = ? AND game = ? AND why_not IS NULL"  # noqa: S608
        " ORDER BY number DESC LIMIT ?"
    )
    own = player_of(connection, device)
    return [Change(*row) for row in connection.run(sql, own, game, limit)]


# -- Players that go ----------------------------------------------------------------------------


def data_of(connection: Connection, player: str) -> Json:
    """All that is stored about somebody."""

    def rows(names: str, source: str) -> list[dict[str, Any]]:
        sql = f"SELECT {names} FROM {source} WHERE player = ? ORDER BY {names}"  # noqa: S608
        found = connection.run(sql, player)
        return [dict(zip(names.split(", "), row, strict=True)) for row in found]

    return {
        "ratings": rows("game, mu, sigma, games", "rating"),
        "rating_changes": rows(CHANGES, "rating_change"),
    }


def take_away(connection: Connection, player: str) -> None:
    connection.run("DELETE FROM rating WHERE player = ?", player)
    connection.run("DELETE FROM rating_change WHERE player = ?", player)


def hand_over(connection: Connection, before: str, player: str) -> None:
    """Two players turn out to be one: what more games have shown stays."""
    sql = "SELECT game, games FROM rating WHERE player = ?"
    kept: dict[str, int] = dict(connection.run(sql, player))
    for game, games in connection.run(sql, before):
        if games > kept.get(game, 0):
            connection.run("DELETE FROM rating WHERE game = ? AND player = ?", game, player)
            moved = "UPDATE rating SET player = ? WHERE game = ? AND player = ?"
            connection.run(moved, player, game, before)
    both = "SELECT table_id FROM rating_change WHERE player = ?"
    connection.run(
        f"DELETE FROM rating_change WHERE player = ? AND table_id IN ({both})",  # noqa: S608
        *(before, player),
    )
    connection.run("UPDATE rating_change SET player = ? WHERE player = ?", player, before)
