"""Players: who they are, which devices are theirs, where they sit, and how they are forgotten.

What is kept of a game names the device that it was played on, by a hash.  A player is a name for some devices, so
that another device brings its games along, and whoever is deleted takes nothing away from the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from operator import itemgetter
from secrets import token_hex
from typing import Any, Literal, NamedTuple

import orjson

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server.store import clubs, conduct, passkeys, puzzles, quality, ratings
from bullpen.server.store.chain import checked_header
from bullpen.server.store.claims import Claims
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import OPENING, PLAYING, Json, Reading, Writing
from bullpen.server.store.sitting import name_at
from bullpen.server.store.tables import update

ONCE, RECOVERY = "once", "recovery"  # kinds of codes
CodeKind = Literal["once", "recovery"]
MOST_DEVICES = 20  # of one player
FORMER_SECONDS = (
    86_400.0  # that a deleted device is remembered, at least: tables in memory may still name it
)

Forget = Callable[
    [Json, dict[str, str]], Json
]  # a header without these devices; the names in their place

OF_DEVICE = (
    "SELECT player.id, player.name, player.colour, player.language, player.created"
    " FROM device JOIN player ON player.id = device.player WHERE device.hash = ?"
)
EACH = "(SELECT value ->> 0 FROM {each})"
RUNNING = (
    "SELECT game_table.id, sitting.seat, game_table.kind, game_table.state, game_table.header,"  # noqa: S608
    " game_table.header_hash, game_table.last_seq, game_table.touched, deadline.due"
    " FROM sitting JOIN game_table ON game_table.id = sitting.table_id LEFT JOIN deadline"
    " ON deadline.table_id = sitting.table_id AND deadline.seat = sitting.seat"
    f" WHERE sitting.device IN {EACH}"
    " AND sitting.is_living = 1 ORDER BY game_table.touched DESC, game_table.id LIMIT ?"
)
BEGUN = (
    "SELECT 1 FROM sitting JOIN game_table ON game_table.id = sitting.table_id"
    " WHERE sitting.device = ? AND sitting.part >= 0 AND game_table.state IN (?, ?) LIMIT 1"
)
PLAYED = (
    "SELECT table_id, seat, game, finished, EXISTS (SELECT 1 FROM game_table WHERE id = table_id)"  # noqa: S608
    f" FROM result WHERE device IN {EACH}{{chosen}} ORDER BY finished DESC, table_id DESC LIMIT ?"
)
SAID = ("chat.table_id", "chat.name", "chat.text", "chat.time")
FORMER = "SELECT hash, name FROM former_device"
STILL_SITS = "EXISTS (SELECT 1 FROM sitting WHERE sitting.device = former_device.hash)"


class StillPlays(Problem):
    """A device cannot become another player's just now."""


class Player(NamedTuple):
    id: str
    name: str
    colour: int
    language: str
    created: float


class AtTable(NamedTuple):
    """Where somebody sits, at a table that is not over."""

    table: str
    seat: Seat
    header: Json
    last_seq: int
    touched: float
    due: float | None = None  # at a table over days: until when they have to decide


class Score(NamedTuple):
    seat: Seat
    name: str
    score: int
    won: bool


class Played(NamedTuple):
    """A finished game of somebody's."""

    table: str
    seat: Seat
    game: str
    finished: float
    is_kept: bool  # else only its result is
    scores: list[Score]


class Before(NamedTuple):
    """Where the last page ended."""

    finished: float
    table: str


class Players:
    """The part of a store that is about players; devices are known by their hashes."""

    def __init__(self, write: Writing, read: Reading, claims: Claims) -> None:
        self._write, self._read, self.claims = write, read, claims

    # -- Who one is ---------------------------------------------------------------------------

    async def of(self, device: str) -> Player | None:
        return await self._read(lambda c: player_of(c, device))

    async def is_former(self, device: str) -> bool:
        sql = f"{FORMER} WHERE hash = ?"
        return bool(await self._read(lambda c: c.run(sql, device)))

    async def devices(self, device: str) -> list[str]:
        """All of the player whose device this is; this one alone where nobody is known."""
        return await self._read(lambda c: devices_of(c, device))

    async def meet(self, device: str, name: str, colour: int, language: str) -> Player:
        """Whose device this is; a new player where it is nobody's.  The name is the one that was used last."""
        known = await self.of(device)
        if known is not None and known.name == name:
            return known
        return await self._write("", lambda c: met(c, device, name, colour, language))

    async def change(self, device: str, name: str, colour: int, language: str) -> Player | None:
        def changed(connection: Connection) -> Player | None:
            if (known := player_of(connection, device)) is None:
                return None
            sql = "UPDATE player SET name = ?, colour = ?, language = ? WHERE id = ?"
            connection.run(sql, name, colour, language, known.id)
            return player_of(connection, device)

        return await self._write("", changed)

    # -- Several devices ----------------------------------------------------------------------

    async def give_code(
        self, device: str, code: str, kind: CodeKind, until: float | None
    ) -> Player | None:
        """By its hash; the one of the same kind that was given before ends."""

        def given(connection: Connection) -> Player | None:
            if (known := player_of(connection, device)) is None:
                return None
            connection.run("DELETE FROM player_code WHERE until < ?", time.time())
            sql = "DELETE FROM player_code WHERE player = ? AND kind = ?"
            connection.run(sql, known.id, kind)
            connection.run(
                "INSERT INTO player_code VALUES (?, ?, ?, ?)", code, known.id, kind, until
            )
            return known

        return await self._write("", given)

    async def use_code(self, device: str, code: str, most: int) -> Player | None:
        """This device is that player's from now on, with all that was played on it.  A code of one use is gone with
        the same transaction.  None: the code is none, or no more; or the player has the `most` devices already.  Raises
        StillPlays."""
        return await self._write("", lambda c: code_used(c, device, code, most))

    # -- My tables ----------------------------------------------------------------------------

    async def running(self, devices: Sequence[str], limit: int) -> list[AtTable]:
        return await self._read(lambda c: running(c, devices, limit))

    async def count_running(self, devices: Sequence[str]) -> int:
        def counted(connection: Connection) -> int:
            sql = f"SELECT COUNT(*) FROM sitting WHERE device IN {EACH} AND is_living = 1"  # noqa: S608
            rows = connection.run(sql.format(**connection.dialect), as_list(devices))
            return int(rows[0][0])

        return await self._read(counted)

    async def played(
        self, devices: Sequence[str], game: str | None, before: Before | None, limit: int
    ) -> list[Played]:
        """Finished games, the last ones first."""
        return await self._read(lambda c: played(c, devices, game, before, limit))

    # -- All that is known, and nothing any more ----------------------------------------------

    async def data_of(self, device: str) -> Json | None:
        """Everything that is stored about this player."""
        return await self._read(lambda c: data_of(c, device))

    async def delete(self, device: str, name: str, forget: Forget) -> list[str]:
        """The player with all devices and codes, at once.  Results, and tables that nobody keeps just now, lose the
        name in the same transaction; the other tables are for whoever keeps them (`former`).  The devices."""
        return await self._write("", lambda c: deleted(c, self.claims, device, name, forget))

    async def former(self, since: float) -> dict[str, str]:
        """Devices of deleted people that a table may still name, and what to call them."""

        def found(connection: Connection) -> dict[str, str]:
            sql = f"{FORMER} WHERE since >= ? OR {STILL_SITS}"
            return dict(connection.run(sql, since))

        return await self._read(found)

    async def forget_former(self, forget: Forget) -> None:
        """At all tables that nobody keeps just now."""
        await self._write("", lambda c: forget_everywhere(c, self.claims, forget))

    async def drop_idle(self, created_before: float) -> int:
        """Players without a single table, as are left by whoever only looked."""
        return await self._write("", lambda c: dropped(c, created_before))


# -- Who one is ---------------------------------------------------------------------------------


def player_of(connection: Connection, device: str) -> Player | None:
    rows = connection.run(OF_DEVICE, device)
    return Player(*rows[0]) if rows else None


def devices_of(connection: Connection, device: str) -> list[str]:
    sql = "SELECT hash FROM device WHERE player = (SELECT player FROM device WHERE hash = ?)"
    return [one for (one,) in connection.run(f"{sql} ORDER BY created, hash", device)] or [device]


def met(connection: Connection, device: str, name: str, colour: int, language: str) -> Player:
    if (known := player_of(connection, device)) is not None:
        connection.run("UPDATE player SET name = ? WHERE id = ?", name, known.id)
        return known._replace(name=name)
    new, now = token_hex(8), round(time.time(), 3)
    if connection.run(f"{FORMER} WHERE hash = ?", device):  # deleted in this very moment
        return Player(new, name, colour, language, now)
    taken = "INSERT INTO device VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING RETURNING player"
    if connection.run(taken, device, new, now):  # else another request was quicker
        connection.run(
            "INSERT INTO player VALUES (?, ?, ?, ?, ?)", new, name, colour, language, now
        )
    return Player(new, name, colour, language, now)


def as_list(values: Sequence[str]) -> str:
    return orjson.dumps([[value] for value in values]).decode()


# -- Several devices ----------------------------------------------------------------------------


def code_used(connection: Connection, device: str, code: str, most: int) -> Player | None:
    taken = "DELETE FROM player_code WHERE hash = ? AND kind = ? AND until > ? RETURNING player"
    found = connection.run(taken, code, ONCE, time.time()) or connection.run(
        "SELECT player FROM player_code WHERE hash = ? AND kind = ?", code, RECOVERY
    )
    if not found:
        return None
    return became(connection, device, found[0][0], most)


def became(connection: Connection, device: str, player: str, most: int) -> Player | None:
    """This device is that player's from now on.  None: they have the `most` devices already."""
    own = connection.run("SELECT player FROM device WHERE hash = ?", device)
    if own == [(player,)]:
        return player_of(connection, device)
    # Who goes on without this device would leave a game that is about to be lost to somebody else.
    if len(devices_of(connection, device)) > 1 and plays(connection, device):
        raise StillPlays("code_playing")
    counted = connection.run("SELECT COUNT(*) FROM device WHERE player = ?", player)
    if counted[0][0] >= most:
        return None
    connection.run("DELETE FROM device WHERE hash = ?", device)
    connection.run("INSERT INTO device VALUES (?, ?, ?)", device, player, round(time.time(), 3))
    for (before,) in own:
        if not connection.run("SELECT 1 FROM device WHERE player = ?", before):
            ratings.hand_over(connection, before, player)
            clubs.hand_over(connection, before, player)
            quality.hand_over(connection, before, player)
            conduct.hand_over(connection, before, player)
            passkeys.hand_over(connection, before, player)
            puzzles.hand_over(connection, before, player)
            take_away(connection, before)
    return player_of(connection, device)


def plays(connection: Connection, device: str) -> bool:
    """Whether a game of this device has begun that is not over, or not rated."""
    begun = connection.run(BEGUN, device, OPENING, PLAYING)
    return bool(begun) or ratings.is_waiting_for(connection, device)


def take_away(connection: Connection, player: str, name: str | None = None) -> None:
    ratings.take_away(connection, player)
    clubs.take_away(connection, player, name)
    quality.take_away(connection, player)
    conduct.take_away(connection, player)
    passkeys.take_away(connection, player)
    puzzles.take_away(connection, player)
    connection.run("DELETE FROM player_code WHERE player = ?", player)
    connection.run(
        "DELETE FROM push_subscription WHERE device IN (SELECT hash FROM device WHERE player = ?)",
        player,
    )
    connection.run("DELETE FROM device WHERE player = ?", player)
    connection.run("DELETE FROM player WHERE id = ?", player)


# -- My tables ----------------------------------------------------------------------------------


def running(connection: Connection, devices: Sequence[str], limit: int) -> list[AtTable]:
    rows = connection.run(RUNNING.format(**connection.dialect), as_list(devices), limit)
    return [
        AtTable(table, seat, header, last_seq, touched, due)
        for table, seat, *written, last_seq, touched, due in rows
        if (header := checked_header(table, tuple(written))) is not None
    ]


def played(
    connection: Connection,
    devices: Sequence[str],
    game: str | None,
    before: Before | None,
    limit: int,
) -> list[Played]:
    chosen, values = "", list[Any]()
    if game is not None:
        chosen, values = " AND game = ?", [game]
    if before is not None:
        chosen += " AND (finished, table_id) < (?, ?)"
        values += before
    sql = PLAYED.format(**connection.dialect, chosen=chosen)
    rows = connection.run(sql, as_list(devices), *values, limit)
    scores = scores_of(connection, [row[0] for row in rows])
    return [
        Played(table, seat, of_game, finished, bool(is_kept), scores[table])
        for table, seat, of_game, finished, is_kept in rows
    ]


def scores_of(connection: Connection, tables: Sequence[str]) -> dict[str, list[Score]]:
    sql = f"SELECT table_id, seat, name, score, won FROM result WHERE table_id IN {EACH} ORDER BY seat"  # noqa: S608
    found: dict[str, list[Score]] = {table: [] for table in tables}
    for table, seat, name, score, won in connection.run(
        sql.format(**connection.dialect), as_list(tables)
    ):
        found[table].append(Score(seat, name, score, bool(won)))
    return found


# -- All that is known --------------------------------------------------------------------------


def data_of(connection: Connection, device: str) -> Json | None:
    if (known := player_of(connection, device)) is None:
        return None
    devices = as_list(devices_of(connection, device))

    def rows(names: str, source: str, *values: Any) -> list[Json]:
        sql = f"SELECT {names} FROM {source}".format(**connection.dialect)  # noqa: S608
        return [
            dict(zip(names.split(", "), row, strict=True)) for row in connection.run(sql, *values)
        ]

    return {
        "player": known._asdict(),
        "devices": rows("hash, created", "device WHERE player = ? ORDER BY created", known.id),
        "pushes": rows(  # without their addresses, which are secrets of the browsers
            "device, created", f"push_subscription WHERE device IN {EACH} ORDER BY created", devices
        ),
        "codes": rows("kind, until", "player_code WHERE player = ? ORDER BY kind", known.id),
        "tables": rows(
            "table_id, seat, part, is_living",
            f"sitting WHERE device IN {EACH} ORDER BY table_id",
            devices,
        ),
        "results": rows(
            "table_id, seat, game, name, score, won, finished",
            f"result WHERE device IN {EACH} ORDER BY finished",
            devices,
        ),
        "deals_of_the_day": rows(
            "table_id, day, game, is_counted, begun",
            f"daily WHERE device IN {EACH} ORDER BY begun",
            devices,
        ),
        "chat": said(connection, devices),
        **ratings.data_of(connection, known.id),
        **clubs.data_of(connection, known.id),
        **quality.data_of(connection, known.id),
        **conduct.data_of(connection, known.id, devices),
        **passkeys.data_of(connection, known.id),
        **puzzles.data_of(connection, known.id),
    }


def said(connection: Connection, devices: str) -> list[Json]:
    """Not what others said who had the same seat before or after."""
    found = connection.run(
        "SELECT DISTINCT sitting.table_id, sitting.seat, part FROM sitting JOIN chat"  # noqa: S608
        " ON sitting.table_id = chat.table_id AND sitting.seat = chat.seat"
        f" WHERE part >= 0 AND sitting.device IN {EACH}".format(**connection.dialect),
        devices,
    )
    own = {(table, seat, named(connection, table, seat, part)) for table, seat, part in found}
    sql = "SELECT table_id, name, text, time FROM chat WHERE table_id = ? AND seat = ? AND name = ?"
    lines = sorted((row for one in own for row in connection.run(sql, *one)), key=itemgetter(3))
    return [dict(zip(SAID, line, strict=True)) for line in lines]


def named(connection: Connection, table: str, seat: Seat, part: int) -> str | None:
    """How somebody was called at a table; None where it is damaged."""
    sql = "SELECT kind, state, header, header_hash FROM game_table WHERE id = ?"
    header = checked_header(table, connection.run(sql, table)[0])
    return None if header is None else name_at(header, seat, part)


# -- Nothing any more ---------------------------------------------------------------------------


def deleted(
    connection: Connection, claims: Claims, device: str, name: str, forget: Forget
) -> list[str]:
    devices = made_former(connection, device, name)
    if devices:
        forget_everywhere(connection, claims, forget)
    return devices


def made_former(connection: Connection, device: str, name: str) -> list[str]:
    """The player, but not yet what is left of them at tables."""
    known = player_of(connection, device)
    if known is None:
        return []
    devices = devices_of(connection, device)
    take_away(connection, known.id, name)
    remember = "INSERT INTO former_device VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING"
    for one in devices:
        connection.run(remember, one, name, time.time())
    return devices


def forget_everywhere(connection: Connection, claims: Claims, forget: Forget) -> None:
    """What a deleted person has left: the name in results, and in tables that nobody keeps just now.  Whoever keeps one
    changes it through its door, since what they have in memory would be written over this."""
    former: dict[str, str] = dict(connection.run(FORMER))
    for table in forget_results(connection, former):
        if table not in claims.held and claims.claim(connection, table):
            forget_at(connection, claims, table, former, forget)
    connection.run(
        f"DELETE FROM former_device WHERE since < ? AND NOT {STILL_SITS}",  # noqa: S608
        time.time() - FORMER_SECONDS,
    )


def forget_results(connection: Connection, former: dict[str, str]) -> list[str]:
    """All but the headers of tables: those that still name somebody."""
    blank = "UPDATE result SET name = ?, device = NULL WHERE device = ?"
    for device, name in former.items():
        connection.run(blank, name, device)
        # From where it was played stays until the day is over: else they could play it again, and be counted again.
        connection.run("UPDATE daily SET device = NULL WHERE device = ?", device)
    found = connection.run(
        "SELECT table_id, seat, part, device FROM sitting"
        " WHERE device IN (SELECT hash FROM former_device)"
    )
    for table, seat, part, device in found:
        if part >= 0:
            silence(connection, table, seat, named(connection, table, seat, part))
        if part == 0:  # else somebody else has the seat by now
            connection.run("DELETE FROM token WHERE table_id = ? AND seat = ?", table, seat)
            # Also where the points were not counted for them, as at a practice table.
            at_table = "UPDATE result SET name = ? WHERE table_id = ? AND seat = ?"
            connection.run(at_table, former[device], table, seat)
    return sorted({row[0] for row in found})


def silence(connection: Connection, table: str, seat: Seat, name: str | None) -> None:
    """What this one has said there; everything where nobody knows who said it."""
    sql = "DELETE FROM chat WHERE table_id = ? AND seat = ? AND name = COALESCE(?, name)"
    connection.run(sql, table, seat, name)


def forget_at(
    connection: Connection, claims: Claims, table: str, former: dict[str, str], forget: Forget
) -> None:
    row = connection.run(
        "SELECT kind, state, header, header_hash, touched FROM game_table WHERE id = ?", table
    )
    header = checked_header(table, row[0][:4])
    if header is None:  # damaged: nothing of it is served any more
        connection.run("DELETE FROM sitting WHERE table_id = ?", table)
    else:
        update(connection, claims, table, forget(header, former))
        # Nobody has gone on with it: what is kept for some days only is not kept longer for this.
        connection.run("UPDATE game_table SET touched = ? WHERE id = ?", row[0][4], table)
    claims.release(connection, table)


def dropped(connection: Connection, created_before: float) -> int:
    rows = connection.run(
        "SELECT id FROM player WHERE created < ? AND NOT EXISTS (SELECT 1 FROM device WHERE device.player = player.id"
        " AND (EXISTS (SELECT 1 FROM sitting WHERE sitting.device = device.hash)"
        " OR EXISTS (SELECT 1 FROM result WHERE result.device = device.hash)))"
        " AND NOT EXISTS (SELECT 1 FROM club_member WHERE club_member.player = player.id)",
        created_before,
    )
    for (player,) in rows:
        take_away(connection, player)
    return len(rows)
