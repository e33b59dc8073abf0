"""Until when each seat of a table over days has to decide: by the wall clock, so that it holds while everything is down.

A row a seat, written with the moves in one transaction.  Of a bot, and of whoever is played for, the time is up at once:
so a table that was left in the middle of something is found by the same look as one whose clock has run out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bullpen.game import Seat
from bullpen.server.store.claims import Claims
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Reading, Writing

LONGEST_SITTING = 3600.0  # seconds for a decision, for people who sit at the table together

# What a seat has heard of its decision.
OPEN = "open"  # nothing yet
SEEN = "seen"  # its person was there
TOLD = "told"  # a push has gone out, or nobody wanted one: nothing more until its person comes

# Who was told stays told, whatever is asked next; who was there has seen this decision, not the next one.
PUT = (
    "INSERT INTO deadline (table_id, seat, decision, due, notice, stands_in) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608
    " ON CONFLICT (table_id, seat) DO UPDATE SET decision = excluded.decision, due = excluded.due,"
    f" stands_in = excluded.stands_in, notice = CASE WHEN excluded.notice = '{SEEN}' THEN excluded.notice"
    f" WHEN deadline.notice = '{TOLD}' OR deadline.decision = excluded.decision THEN deadline.notice"
    " ELSE excluded.notice END"
)
OVERDUE = "SELECT table_id, MIN(due) FROM deadline WHERE due <= ? GROUP BY table_id ORDER BY 2"
NOT_YET = "EXISTS (SELECT 1 FROM deadline WHERE deadline.table_id = game_table.id AND due > ?)"


class Deadline(NamedTuple):
    """A seat of a table over days."""

    seat: Seat
    decision: int  # the number of the last one that it was asked for
    due: float | None  # None: it has nothing to decide
    is_here: bool
    stands_in: bool  # a bot plays for its person, until they come


class StoredDeadline(NamedTuple):
    seat: Seat
    decision: int
    due: float | None
    stands_in: bool


class Deadlines:
    """The part of a store that is about tables over days."""

    def __init__(self, write: Writing, read: Reading, claims: Claims) -> None:
        self._write, self._read, self.claims = write, read, claims

    async def of(self, table: str) -> list[StoredDeadline]:
        sql = "SELECT seat, decision, due, stands_in FROM deadline WHERE table_id = ? ORDER BY seat"

        def found(connection: Connection) -> list[StoredDeadline]:
            rows = connection.run(sql, table)
            return [
                StoredDeadline(seat, number, due, bool(instead))
                for seat, number, due, instead in rows
            ]

        return await self._read(found)

    async def put(self, table: str, deadlines: Sequence[Deadline]) -> None:
        """Where no move has changed it: somebody has taken a seat over, or has left it for good."""

        def owned(connection: Connection) -> None:
            self.claims.own(connection, table)
            put(connection, table, deadlines)

        await self._write(table, owned)

    async def came(self, table: str, seat: Seat) -> None:
        """Its person is there: they see what is asked, and nobody plays for them any more."""
        sql = "UPDATE deadline SET notice = ?, stands_in = 0 WHERE table_id = ? AND seat = ?"
        await self._write(table, lambda c: c.run(sql, SEEN, table, seat))

    async def overdue(self, now: float) -> list[str]:
        """Tables at which somebody's time is up, whoever keeps them; the longest ones first."""
        return await self._read(lambda c: [table for table, _ in c.run(OVERDUE, now)])


def put(connection: Connection, table: str, deadlines: Sequence[Deadline]) -> None:
    """All seats of the table."""
    for seat, decision, due, is_here, stands_in in deadlines:
        notice = SEEN if is_here else OPEN
        connection.run(PUT, table, seat, decision, due, notice, int(stands_in))


def drop(connection: Connection, table: str) -> None:
    connection.run("DELETE FROM deadline WHERE table_id = ?", table)
