"""What is over is not kept for ever: after a time people are taken out of it, or it is taken away.

A table that is pruned loses its chat, its tokens, and every name and device in its header and results; cards and
moves stay, so it can still be replayed.  Results keep the hash of a device, which says nothing about anybody by
itself: statistics are made from it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from bullpen.server.store import ratings
from bullpen.server.store.chain import canonical, checked_header, header_hash
from bullpen.server.store.claims import FREE, Claims
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import (
    ABANDONED,
    FINISHED,
    LIVING,
    LOBBY,
    GiveUp,
    Json,
    nobody_counts,
)
from bullpen.server.store.deadlines import NOT_YET
from bullpen.server.store.sharing import ALL, Share
from bullpen.server.store.tables import marks, take_away, update

How = Literal["blank", "delete"]
Who = Literal["all", "alone"]
Blank = Callable[[Json], Json]  # a header without people
OVER = (FINISHED, ABANDONED)
ROW = "SELECT kind, state, header, header_hash FROM game_table WHERE id = ?{for_update}"
AT_MOST_ONE = (
    "(SELECT COUNT(*) FROM sitting WHERE sitting.table_id = game_table.id AND part = 0) <= 1"
)
RUNNING = tuple(state for state in LIVING if state != LOBBY)


class Due(NamedTuple):
    """How many tables there are to do something with."""

    over: int
    asleep: int  # games that nobody has touched for so long


def due(connection: Connection, over_before: float, asleep_before: float, how: How) -> Due:
    over = "" if how == "delete" else " AND pruned = 0"
    untouched = [
        connection.run(
            f"SELECT COUNT(*) FROM game_table WHERE state IN ({marks(states)}) AND touched < ?{also}",  # noqa: S608
            *states,
            before,
            *values,
        )
        for states, before, also, values in (
            (OVER, over_before, over, ()),
            (RUNNING, asleep_before, f" AND NOT {NOT_YET}", (time.time(),)),
        )
    ]
    return Due(*(found[0][0] for found in untouched))


# -- Games that nobody goes on with -------------------------------------------------------------


def abandon(
    connection: Connection,
    claims: Claims,
    before: float,
    limit: int,
    who: Who = "all",
    share: Share = ALL,
    give_up: GiveUp = nobody_counts,
) -> list[str]:
    """Some of the games that nobody keeps and that nothing was written to since then."""
    # Over days nobody has to come before their clock runs out.
    also = f" AND NOT {NOT_YET}" + ("" if who == "all" else f" AND {AT_MOST_ONE}")
    sql = (
        f"SELECT id, kind, state, header, header_hash FROM game_table"  # noqa: S608
        f" WHERE state IN ({marks(RUNNING)}) AND pruned = 0 AND touched < ? AND {FREE.format(**connection.dialect)}{also}"
        " ORDER BY touched, id"
    )
    found = connection.run(sql, *RUNNING, before, claims.server, time.time())
    asleep = [row for row in found if row[0] not in claims.held and share.has(row[0])]
    abandoned = []
    for table, *rest in asleep[:limit]:
        header = checked_header(table, rest)
        if header is not None and claims.claim(connection, table):
            over = give_up(header)
            update(connection, claims, table, {**over.header, "state": ABANDONED})
            ratings.wait(connection, table, rest[0], over.contestants, time.time())
            abandoned.append(table)
    return abandoned


# -- Tables that are over -----------------------------------------------------------------------


def prune(
    connection: Connection, before: float, limit: int, how: How, blank: Blank, share: Share = ALL
) -> list[str]:
    """Some of the tables that are over and that nothing was written to since then."""
    also = "" if how == "delete" else " AND pruned = 0"
    sql = (
        f"SELECT id FROM game_table WHERE state IN ({marks(OVER)}) AND touched < ?{also}"  # noqa: S608
        " ORDER BY touched, id"
    )
    found = [table for (table,) in connection.run(sql, *OVER, before)]
    chosen = [table for table in found if share.has(table)][:limit]
    for table in chosen:
        prune_one(connection, table, how, blank)
    return chosen


def prune_one(connection: Connection, table: str, how: How, blank: Blank) -> None:
    row = connection.run(ROW.format(**connection.dialect), table)
    if not row:  # another process was quicker
        return
    header = checked_header(table, row[0])
    people = None if header is None else blank(header)
    rename(connection, table, people)
    if how == "delete":
        take_away(connection, table)
        return
    for name in ("chat", "token", "sitting"):
        connection.run(f"DELETE FROM {name} WHERE table_id = ?", table)  # noqa: S608
    if people is not None:
        kind, state = row[0][:2]
        text = canonical(people)
        connection.run(
            "UPDATE game_table SET header = ?, header_hash = ? WHERE id = ?",
            text,
            header_hash(table, kind, state, text),
            table,
        )
    # A damaged header stays as it is, for `bullpen inspect`.
    connection.run("UPDATE game_table SET pruned = 1 WHERE id = ?", table)


def rename(connection: Connection, table: str, blanked: Json | None) -> None:
    """In the results."""
    seats: list[Any] = [] if blanked is None else blanked.get("seats", [])
    for (seat,) in connection.run("SELECT seat FROM result WHERE table_id = ?", table):
        name = seats[seat]["name"] if seat < len(seats) else f"Player {seat + 1}"
        rename_one = "UPDATE result SET name = ? WHERE table_id = ? AND seat = ?"
        connection.run(rename_one, name, table, seat)
