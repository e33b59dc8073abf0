"""Events of a table: appended to its chain, read back along it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from bullpen.server.store import deadlines
from bullpen.server.store.chain import (
    COLUMNS,
    Row,
    as_event,
    chained,
    checked_events,
    checked_header,
)
from bullpen.server.store.claims import Claims
from bullpen.server.store.connection import Connection, Corrupt
from bullpen.server.store.contract import (
    Conflict,
    Damage,
    Event,
    Json,
    NewEvent,
    NoSuchTable,
    TableDamaged,
)
from bullpen.server.store.deadlines import Deadline

ROWS = f"SELECT {COLUMNS} FROM event WHERE table_id = ?"  # noqa: S608
# A seat's decision is answered once: a second answer is not inserted, and gives no row back.
INSERT = (
    f"INSERT INTO event ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
    " ON CONFLICT DO NOTHING RETURNING seq"
)


@dataclass(frozen=True, slots=True)
class Append:
    """Events for the end of a table's chain; a job for the writer."""

    claims: Claims
    table: str
    first_seq: int
    events: Sequence[NewEvent]
    deadlines: Sequence[Deadline] | None = (
        None  # at a table over days: who has until when to decide
    )

    def __call__(self, connection: Connection) -> list[Event]:
        return append(connection, self)


def append(connection: Connection, wish: Append) -> list[Event]:
    table, first_seq = wish.table, wish.first_seq
    head = wish.claims.own(connection, table)
    if first_seq != head.seq + 1:
        stored = connection.run(f"{ROWS} AND seq = ?", table, first_seq)
        raise Conflict(as_event(stored[0]) if stored else None, table=table, seq=first_seq)
    now = round(time.time(), 3)
    rows = list(chained(table, head.hash, first_seq, wish.events, now))
    for row in rows:
        if not connection.run(INSERT, *row):
            raise Conflict(answer(connection, row, first_seq), table=table, seq=row[1])
    if rows:
        connection.run(
            "UPDATE game_table SET last_seq = ?, last_hash = ?, touched = ? WHERE id = ?",
            rows[-1][1],
            rows[-1][7],
            now,
            table,
        )
    if wish.deadlines is not None:
        deadlines.put(connection, table, wish.deadlines)
    return as_stored(wish.events, rows)


def as_stored(events: Sequence[NewEvent], rows: Sequence[Row]) -> list[Event]:
    return [
        Event(row[0], row[1], new.seat, new.decision, new.kind, new.payload, row[6], row[7])
        for new, row in zip(events, rows, strict=True)
    ]


def answer(connection: Connection, row: Row, first_seq: int) -> Event | None:
    """What already answers the decision of this seat; None if it stands in the same append."""
    found = connection.run(f"{ROWS} AND seat = ? AND decision = ?", row[0], row[2], row[3])
    return as_event(found[0]) if found and found[0][1] < first_seq else None


# -- Many tables at once ------------------------------------------------------------------------

# One statement for all rows, and one row for all answers: before each statement, and before each row that it gives,
# the thread waits for its turn.
HEADS = (
    "SELECT CAST({all_of}({list_of}(id, epoch, last_seq, last_hash)) AS TEXT) FROM ("
    "SELECT id, epoch, last_seq, last_hash FROM game_table"
    " WHERE game_table.id IN (SELECT value ->> 0 FROM {each}) ORDER BY game_table.id{by_letters}{for_update}"
    ") AS head"
)
INSERT_ALL = (
    f"INSERT INTO event ({COLUMNS}) SELECT value ->> 0, CAST(value ->> 1 AS {{integer}}),"  # noqa: S608
    " CAST(value ->> 2 AS {integer}), CAST(value ->> 3 AS {integer}), value ->> 4, value ->> 5, ?, value ->> 7"
    " FROM {each} WHERE true ON CONFLICT DO NOTHING"
)
UPDATE_ALL = (
    "UPDATE game_table SET last_seq = CAST(value ->> 1 AS {integer}), last_hash = value ->> 7, touched = ?"
    " FROM {each} WHERE game_table.id = value ->> 0"
)


def append_together(
    connection: Connection, appends: Mapping[str, Append]
) -> dict[str, list[Event]]:
    """By table, what was stored.  What is not as expected is left out: `append` says what is wrong with it.
    None is stored where one of the decisions has been answered."""
    now = round(time.time(), 3)
    own = [
        [table]
        for table, wish in appends.items()
        if wish.claims.holds(table)
        and wish.deadlines is None  # over days there is time for one alone
    ]
    if not own:
        return {}
    ((heads,),) = connection.run(HEADS.format(**connection.dialect), as_json(own))
    chains: dict[str, list[Row]] = {}
    for table, epoch, seq, last_hash in orjson.loads(heads or "[]"):
        wish = appends[table]
        if wish.first_seq == seq + 1 and wish.events and epoch == wish.claims.held[table]:
            chains[table] = list(chained(table, last_hash, seq + 1, wish.events, now))
    rows = [row for chain in chains.values() for row in chain]
    inserted = connection.changed(INSERT_ALL.format(**connection.dialect), now, as_json(rows))
    if inserted != len(rows):
        return {}
    ends = [chain[-1] for chain in chains.values()]
    connection.run(UPDATE_ALL.format(**connection.dialect), now, as_json(ends))
    return {table: as_stored(appends[table].events, chain) for table, chain in chains.items()}


def as_json(rows: Sequence[Sequence[Any]]) -> str:
    return orjson.dumps(rows).decode()


# -- Reading ------------------------------------------------------------------------------------


def events(connection: Connection, table: str) -> list[Event]:
    good, damage = read(connection, table)
    if damage:
        raise TableDamaged(damage)
    return good


def check(connection: Connection, table: str) -> Damage | None:
    return read(connection, table)[1]


def read(connection: Connection, table: str) -> tuple[list[Event], Damage | None]:
    """Within one reading transaction: the header, and the events as far as they hold."""
    header, head = header_and_head(connection, table)
    rows = connection.stream(f"{ROWS} ORDER BY seq", table)
    return checked_events(table, header, head, rows)


def header_and_head(connection: Connection, table: str) -> tuple[Json | None, Row]:
    try:
        found = connection.run(
            "SELECT kind, state, header, header_hash, last_seq, last_hash FROM game_table WHERE id = ?",
            table,
        )
    except Corrupt:
        return None, (-1, "")
    if not found:
        raise NoSuchTable(table)
    return checked_header(table, found[0][:4]), found[0][4:]
