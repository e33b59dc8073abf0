"""Who may sit where, and what they say to each other."""

from __future__ import annotations

import time
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe

from bullpen.game import Seat
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import CHAT_KEPT, ChatLine, Grant, NoSuchTable

TOKEN_BYTES = 32

# -- Tokens -------------------------------------------------------------------------------------


THERE = "SELECT 1 FROM game_table WHERE id = ?{for_update}"


def token_hash(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def create_token(
    connection: Connection, table: str, seat: Seat | None, kind: str, name: str
) -> str:
    if not connection.run("SELECT 1 FROM game_table WHERE id = ?", table):
        raise NoSuchTable(table)
    token = token_urlsafe(TOKEN_BYTES)
    connection.run(
        "INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, NULL)",
        *(token_hash(token), table, seat, kind, name, time.time()),
    )
    return token


def grant(connection: Connection, token: str) -> Grant | None:
    sought = token_hash(token)
    rows = connection.run(
        "SELECT hash, table_id, seat, kind, name, created FROM token"
        " WHERE hash = ? AND exchanged IS NULL",
        sought,
    )
    if not rows or not compare_digest(rows[0][0], sought):
        return None
    return Grant(*rows[0][1:])


def revoke_tokens(connection: Connection, table: str, seat: Seat | None) -> int:
    of_seat = "" if seat is None else " AND seat = ?"
    values = (table,) if seat is None else (table, seat)
    return len(
        connection.run(f"DELETE FROM token WHERE table_id = ?{of_seat} RETURNING hash", *values)  # noqa: S608
    )


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
