"""Which tables this process owns.

A table's row names its owner, and an epoch that every claim raises.  Whoever writes compares the epoch in the
same transaction: a process that has lost a table is refused, even if it has not noticed.  Whether a table may
be claimed depends on its owner's row in `server`: a process is alive while its lease runs, which it renews
again and again, and (on PostgreSQL) while its connection holds the lock of its id.  So the tables of a killed
process are free at once, and those of one that hangs when its lease has run out.

Used in the writer's thread alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import orjson

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import LIVING, LOBBY, NoSuchTable, NotOwner
from bullpen.server.store.sharing import Share

LEASE_SECONDS = 10.0  # that a process may be silent, until others may take its tables
REMEMBERED_SECONDS = 86_400.0  # that the row of a process stays after its lease

HEAD = "SELECT epoch, last_seq, last_hash FROM game_table WHERE id = ?{for_update}"
KEPT = (
    "SELECT owner, epoch, owner IN (SELECT id FROM server WHERE {alive}) FROM game_table"
    " WHERE id = ?{for_update}"
)
EPOCHS = "SELECT id, epoch FROM game_table WHERE game_table.id IN (SELECT value ->> 0 FROM {each})"
FREE = "(owner = ? OR owner NOT IN (SELECT id FROM server WHERE {alive}))"
ASLEEP = (
    f"SELECT id FROM game_table WHERE state IN ({{states}}) AND pruned = 0 AND touched >= ? AND {FREE}"  # noqa: S608
    " ORDER BY touched DESC, id"
)
TAKE_ALL = (
    "UPDATE game_table SET epoch = epoch + 1, owner = ?"  # noqa: S608
    f" WHERE game_table.id IN (SELECT value ->> 0 FROM {{each}}) AND {FREE} RETURNING id, epoch"
)
RENEW = (
    "INSERT INTO server (id, name, lock, until, mark) VALUES (?, ?, ?, {now} + ?, 0) ON CONFLICT (id)"
    " DO UPDATE SET name = excluded.name, lock = excluded.lock, until = excluded.until"
)


def lock_number(server: str) -> int:
    """Of the lock by which a process shows that it lives."""
    return int.from_bytes(sha256(server.encode()).digest()[:8], "big", signed=True)


class Head(NamedTuple):
    """The end of a table's chain."""

    seq: int
    hash: str


class Claims:
    def __init__(self, server: str, name: str, lease: float) -> None:
        self.server, self.name, self.lease = server, name, lease
        self.held: dict[str, int] = {}  # the epoch of each
        self.lost: set[str] = set()  # not taken again unasked: what we know of them is old
        self._generation = -1  # of the connection that last renewed the lease
        # What to restore where a job, or the transaction around it, is rolled back.
        self._of_job: list[tuple[str, int | None]] = []
        self._of_transaction: list[tuple[str, int | None]] = []

    # -- Claiming -----------------------------------------------------------------------------

    def own(self, connection: Connection, table: str) -> Head:
        """Make sure that the table is ours, and keep its row until the transaction ends."""
        if table in self.lost:
            raise NotOwner(table)
        if table not in self.held and not self.claim(connection, table):
            raise NotOwner(table)
        found = connection.run(HEAD.format(**connection.dialect), table)
        if not found:
            self._put(table, None)
            raise NoSuchTable(table)
        ((epoch, seq, last_hash),) = found
        if epoch != self.held[table]:
            self.lose(table)
            raise NotOwner(table)
        return Head(seq, last_hash)

    def fence(self, connection: Connection, table: str) -> None:
        """For what anybody may write to a table of nobody's, but not whoever has lost it."""
        if table in self.lost or table in self.held:
            self.own(connection, table)

    def holds(self, table: str) -> bool:
        return table in self.held and table not in self.lost

    def claim(self, connection: Connection, table: str) -> bool:
        found = connection.run(KEPT.format(**connection.dialect), table)
        if not found:
            raise NoSuchTable(table)
        ((owner, epoch, is_kept),) = found
        if owner != self.server and is_kept:
            return False
        if not (self.holds(table) and self.held[table] == epoch):
            epoch += 1
            take = "UPDATE game_table SET epoch = ?, owner = ? WHERE id = ?"
            connection.run(take, epoch, self.server, table)
        self._put(table, epoch)
        self.lost.discard(table)
        return True

    def adopt(
        self, connection: Connection, share: Share, touched_since: float, limit: int
    ) -> list[str]:
        """Claim running tables that nobody keeps, those first in which something happened last."""
        going_on = [state for state in LIVING if state != LOBBY]
        sql = ASLEEP.format(**connection.dialect, states=", ".join("?" * len(going_on)))
        asleep = connection.run(sql, *going_on, touched_since, self.server)
        free = [table for (table,) in asleep if table not in self.held and share.has(table)]
        wanted = as_list(free[:limit])
        take = TAKE_ALL.format(**connection.dialect)
        taken: dict[str, int] = dict(connection.run(take, self.server, wanted, self.server))
        for table, epoch in taken.items():
            self._put(table, epoch)
            self.lost.discard(table)
        return [table for table in free[:limit] if table in taken]

    def created(self, table: str) -> None:
        self._put(table, 1)
        self.lost.discard(table)

    def lose(self, table: str) -> None:
        self.held.pop(table, None)
        self.lost.add(table)

    def release(self, connection: Connection, table: str) -> None:
        epoch = self.held.get(table)
        if epoch is not None:
            free = "UPDATE game_table SET owner = '' WHERE id = ? AND epoch = ?"
            connection.run(free, table, epoch)
        self._put(table, None)
        self.lost.discard(table)

    # -- Being alive --------------------------------------------------------------------------

    def renew(self, connection: Connection) -> list[str]:
        """The lease.  Tables that went elsewhere while it had run out, or while we were cut off, are reported."""
        dialect = connection.dialect
        alive = f"SELECT 1 FROM server WHERE id = ? AND {dialect['alive']}"  # noqa: S608
        is_late = self.lease > 0 and not connection.run(alive, self.server)
        renew = RENEW.format(**dialect)
        connection.run(renew, self.server, self.name, lock_number(self.server), self.lease)
        if not is_late and connection.generation == self._generation:
            return []
        connection.run(f"DELETE FROM server WHERE until < {dialect['now']} - ?", REMEMBERED_SECONDS)  # noqa: S608
        self._generation = connection.generation
        return self._gone(connection)

    def _gone(self, connection: Connection) -> list[str]:
        held = as_list(self.held)
        epochs: dict[str, int] = dict(connection.run(EPOCHS.format(**connection.dialect), held))
        gone = [table for table, epoch in self.held.items() if epochs.get(table) != epoch]
        for table in gone:
            self.lose(table)
        return gone

    def leave(self, connection: Connection) -> None:
        """From now on all our tables are free."""
        connection.run("DELETE FROM server WHERE id = ?", self.server)

    # -- Taking back --------------------------------------------------------------------------

    def _put(self, table: str, epoch: int | None) -> None:
        self._of_job.append((table, self._set(table, epoch)))

    def _set(self, table: str, epoch: int | None) -> int | None:
        before = self.held.get(table)
        if epoch is None:
            self.held.pop(table, None)
        else:
            self.held[table] = epoch
        return before

    def undo_job(self) -> None:
        while self._of_job:
            table, before = self._of_job.pop()
            if table not in self.lost:
                self._set(table, before)

    def keep_job(self) -> None:
        self._of_transaction += self._of_job
        self._of_job.clear()

    def undo(self) -> None:
        self._of_job[:0] = self._of_transaction
        self._of_transaction.clear()
        self.undo_job()

    def settle(self) -> None:
        self._of_transaction.clear()


def as_list(tables: Iterable[str]) -> str:
    return orjson.dumps([[table] for table in tables]).decode()
