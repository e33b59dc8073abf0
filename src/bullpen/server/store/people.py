"""Who may sit where, and what they say to each other."""

from __future__ import annotations

import time
from collections.abc import Sequence
from hashlib import sha256
from secrets import token_urlsafe

from bullpen.game import Seat
from bullpen.server.store.claims import Claims
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import CHAT_KEPT, ChatLine, Json, Key, NoSuchTable
from bullpen.server.store.tables import update

TOKEN_BYTES = 32

# -- Tokens -------------------------------------------------------------------------------------


THERE = "SELECT 1 FROM game_table WHERE id = ?{for_update}"


def new_token() -> str:
    return token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def reseat(
    connection: Connection,
    claims: Claims,
    table: str,
    header: Json,
    ended: Sequence[Seat | None],
    given: Sequence[Key],
) -> None:
    update(connection, claims, table, header)
    for seat in ended:
        whose, values = ("seat IS NULL", ()) if seat is None else ("seat = ?", (seat,))
        connection.run(f"DELETE FROM token WHERE table_id = ? AND {whose}", table, *values)  # noqa: S608
    add_keys(connection, table, given)


def add_keys(connection: Connection, table: str, given: Sequence[Key]) -> None:
    for key in given:
        connection.run(
            "INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, NULL)",
            *(key.hash, table, key.seat, key.kind, key.name, time.time()),
        )


def keys(connection: Connection, table: str) -> list[Key]:
    rows = connection.run(
        "SELECT hash, seat, kind, name FROM token WHERE table_id = ? AND exchanged IS NULL"
        " ORDER BY created, hash",
        table,
    )
    return [Key(*row) for row in rows]


# -- Chat ---------------------------------------------------------------------------------------


def say(connection: Connection, table: str, seat: Seat | None, name: str, text: str) -> ChatLine:
    # The table's row is kept, so that two processes do not number at once.
    if not connection.run(
        THERE.format(**connection.dialect),
        table,
    ):
        raise NoSuchTable(table)
    rows = connection.run("SELECT COALESCE(MAX(number), 0) FROM chat WHERE table_id = ?", table)
    line = ChatLine(rows[0][0] + 1, seat, name, text, round(time.time(), 3))
    connection.run("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?)", table, *line)
    connection.run(
        "DELETE FROM chat WHERE table_id = ? AND number <= ?", table, line.number - CHAT_KEPT
    )
    return line


def chat(connection: Connection, table: str) -> list[ChatLine]:
    rows = connection.run(
        "SELECT number, seat, name, text, time FROM chat WHERE table_id = ? ORDER BY number", table
    )
    return [ChatLine(*row) for row in rows]
