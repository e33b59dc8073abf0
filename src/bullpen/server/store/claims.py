"""Which tables this process owns.

The lock says that no other living process has a table; the epoch in its row, raised by every claim,
refuses a process that has lost the lock without noticing.  Used in the writer's thread alone.
"""

from __future__ import annotations

from typing import NamedTuple

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import NoSuchTable, NotOwner

HEAD = "SELECT epoch, last_seq, last_hash FROM game_table WHERE id = ?{for_update}"


class Claim(NamedTuple):
    epoch: int
    generation: int  # of the connection that holds the lock


class Head(NamedTuple):
    """The end of a table's chain."""

    seq: int
    hash: str


class Claims:
    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.held: dict[str, Claim] = {}
        self.lost: set[str] = set()  # not taken again unasked: what we know of them is old
        # What to restore where a job, or the transaction around it, is rolled back.
        self._of_job: list[tuple[str, Claim | None]] = []
        self._of_transaction: list[tuple[str, Claim | None]] = []

    # -- Claiming -----------------------------------------------------------------------------

    def own(self, connection: Connection, table: str) -> Head:
        """Make sure that the table is ours, and keep its row until the transaction ends."""
        if table in self.lost:
            raise NotOwner(table)
        if table not in self.held:
            if not self.claim(connection, table):
                raise NotOwner(table)
        claim = self.held[table]
        found = connection.run(
            HEAD.format(**connection.dialect),
            table,
        )
        if not found:
            self._put(table, None)
            raise NoSuchTable(table)
        ((epoch, seq, last_hash),) = found
        if epoch != claim.epoch or not self._still_locked(connection, table, claim):
            self.lose(table)
            raise NotOwner(table)
        return Head(seq, last_hash)

    def holds(self, connection: Connection, table: str) -> bool:
        """Whether we have claimed it, and this connection still holds its lock."""
        claim = None if table in self.lost else self.held.get(table)
        return claim is not None and claim.generation == connection.generation

    def _still_locked(self, connection: Connection, table: str, claim: Claim) -> bool:
        if claim.generation == connection.generation:
            return True
        if not connection.lock(table):  # the connection was lost, and somebody else was quicker
            return False
        self._put(table, Claim(claim.epoch, connection.generation))
        return True

    def claim(self, connection: Connection, table: str) -> bool:
        if not connection.lock(table):
            return False
        raised = connection.run(
            "UPDATE game_table SET epoch = epoch + 1, owner = ? WHERE id = ? RETURNING epoch",
            self.owner,
            table,
        )
        if not raised:
            connection.unlock(table)
            raise NoSuchTable(table)
        self._put(table, Claim(raised[0][0], connection.generation))
        self.lost.discard(table)
        return True

    def created(self, connection: Connection, table: str) -> None:
        connection.lock(table)
        self._put(table, Claim(1, connection.generation))
        self.lost.discard(table)

    def lose(self, table: str) -> None:
        self.held.pop(table, None)
        self.lost.add(table)

    def release(self, connection: Connection, table: str) -> None:
        self._put(table, None)
        self.lost.discard(table)
        connection.unlock(table)

    # -- Taking back --------------------------------------------------------------------------

    def _put(self, table: str, claim: Claim | None) -> None:
        self._of_job.append((table, self._set(table, claim)))

    def _set(self, table: str, claim: Claim | None) -> Claim | None:
        before = self.held.get(table)
        if claim is None:
            self.held.pop(table, None)
        else:
            self.held[table] = claim
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
