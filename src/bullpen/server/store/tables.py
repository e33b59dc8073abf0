"""Tables themselves: their headers, their end, their results."""

from __future__ import annotations

import time
from collections.abc import Sequence

import orjson

from bullpen.server.store import clubs, deadlines, quality, ratings
from bullpen.server.store.chain import canonical, checked_header, first_hash, header_hash
from bullpen.server.store.claims import Claims
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import (
    FINISHED,
    LIVING,
    LOBBY,
    Conflict,
    Damage,
    Json,
    Result,
    Standing,
    TableDamaged,
)
from bullpen.server.store.sharing import Share
from bullpen.server.store.sitting import sit_down


def create(connection: Connection, claims: Claims, table: str, game: str, header: Json) -> None:
    state, text, now = state_of(header), canonical(header), time.time()
    is_new = connection.run(
        "INSERT INTO game_table VALUES (?, ?, ?, ?, ?, 0, ?, ?, 1, ?, ?, ?, ?, 0)"
        " ON CONFLICT (id) DO NOTHING RETURNING id",
        table,
        game,
        state,
        text,
        header_hash(table, game, state, text),
        first_hash(table),
        claims.server,
        now,
        now,
        now if state == FINISHED else None,
        is_listed(header),
    )
    if not is_new:  # also where another process makes it in this very moment
        raise Conflict(None, table=table, seq=0)
    claims.created(table)
    sit_down(connection, table, header)
    clubs.made(connection, table, header, now)


def update(connection: Connection, claims: Claims, table: str, header: Json) -> None:
    claims.own(connection, table)
    state, text, now = state_of(header), canonical(header), time.time()
    ((kind,),) = connection.run("SELECT kind FROM game_table WHERE id = ?", table)
    connection.run(
        "UPDATE game_table SET state = ?, header = ?, header_hash = ?, touched = ?, listed = ?,"
        " finished = CASE WHEN ? THEN COALESCE(finished, ?) END WHERE id = ?",
        state,
        text,
        header_hash(table, kind, state, text),
        now,
        is_listed(header),
        state == FINISHED,
        now,
        table,
    )
    sit_down(connection, table, header)
    if state not in LIVING:  # a later write claims it anew
        deadlines.drop(connection, table)
        claims.release(connection, table)


def state_of(header: Json) -> str:
    return str(header.get("state", LOBBY))


def is_listed(header: Json) -> int:
    return int(header.get("listed") is True)


def header(connection: Connection, table: str) -> Json | None:
    found = connection.run(
        "SELECT kind, state, header, header_hash FROM game_table WHERE id = ?", table
    )
    if not found:
        return None
    read = checked_header(table, found[0])
    if read is None:
        raise TableDamaged(Damage(table, "header", 1, None, []))
    return read


def all_tables(connection: Connection) -> list[str]:
    return [table for (table,) in connection.run("SELECT id FROM game_table ORDER BY created, id")]


def listed(connection: Connection, limit: int) -> list[tuple[str, Json]]:
    live = (
        "SELECT id, kind, state, header, header_hash FROM game_table"  # noqa: S608
        f" WHERE listed = 1 AND state IN ({marks(LIVING)})"
        " ORDER BY created DESC, id LIMIT ?"
    )
    found = [
        (row[0], checked_header(row[0], row[1:])) for row in connection.run(live, *LIVING, limit)
    ]
    return [(table, kept) for table, kept in found if kept is not None]


def marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


# -- Taking away --------------------------------------------------------------------------------


def delete(connection: Connection, claims: Claims, table: str) -> None:
    claims.own(connection, table)
    take_away(connection, table)
    claims.release(connection, table)


def take_away(connection: Connection, table: str) -> None:
    for name in ("event", "chat", "token", "sitting", "deadline"):
        connection.run(f"DELETE FROM {name} WHERE table_id = ?", table)  # noqa: S608
    connection.run("DELETE FROM game_table WHERE id = ?", table)
    clubs.taken_away(connection, table)


def reap(connection: Connection, claims: Claims, share: Share, untouched_since: float) -> list[str]:
    """What is held is in somebody's memory, and perhaps somebody waits there."""
    idle = connection.run(
        "SELECT id, header, touched FROM game_table WHERE state = ? AND touched < ? ORDER BY id",
        LOBBY,
        untouched_since,
    )
    of_nobody = [
        table
        for table, text, touched in idle
        if table not in claims.held and share.has(table) and not has_time(text, touched)
    ]
    reaped = [table for table in of_nobody if claims.claim(connection, table)]
    for table in reaped:
        delete(connection, claims, table)
    return reaped


def has_time(header: str, touched: float) -> bool:
    """Whoever would have days to decide has as long to sit down."""
    try:
        clock = orjson.loads(header).get("clock")
    except (orjson.JSONDecodeError, AttributeError):
        return False
    is_over_days = isinstance(clock, int | float) and clock > deadlines.LONGEST_SITTING
    return is_over_days and time.time() < touched + clock


# -- Results ------------------------------------------------------------------------------------


def finish(
    connection: Connection,
    claims: Claims,
    table: str,
    header: Json,
    game: str,
    results: Sequence[Result],
    contestants: Sequence[Json] = (),
) -> None:
    update(connection, claims, table, {**header, "state": FINISHED})
    if connection.run("SELECT 1 FROM result WHERE table_id = ?", table):
        return
    now = time.time()
    for seat, name, device, score, won in results:
        connection.run(
            "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(table, seat, game, name, device, score, int(won), now),
        )
    ratings.wait(connection, table, game, contestants, now)
    clubs.ended(connection, table, header, results, contestants, now)
    quality.wait(connection, table, game, contestants, now)


def results(connection: Connection, table: str) -> list[Result]:
    rows = connection.run(
        "SELECT seat, name, device, score, won FROM result WHERE table_id = ? ORDER BY seat", table
    )
    return [Result(seat, name, device, score, bool(won)) for seat, name, device, score, won in rows]


def statistics(connection: Connection, device: str | None) -> list[Standing]:
    chosen, values = ("device IS NOT NULL", ()) if device is None else ("device = ?", (device,))
    rows = connection.run(
        f"""SELECT game, device, COUNT(*), SUM(won), MIN(score), MAX(score), SUM(score), MAX(finished)
            FROM result WHERE {chosen} GROUP BY game, device
            ORDER BY COUNT(*) DESC, game, device""",  # noqa: S608
        *values,
    )
    return [
        Standing(
            of_game,
            of_device,
            last_name(connection, of_device, last),
            games,
            int(wins),
            least,
            most,
            float(total) / games,
            last,
        )
        for of_game, of_device, games, wins, least, most, total, last in rows
    ]


def last_name(connection: Connection, device: str, last: float) -> str:
    rows = connection.run(
        "SELECT name FROM result WHERE device = ? AND finished = ? ORDER BY table_id, seat LIMIT 1",
        device,
        last,
    )
    return str(rows[0][0])
