"""What the store needs of a database.  Everything here runs in a thread of its own, not in the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

Rows = list[tuple[Any, ...]]


class Unavailable(Exception):
    """Disk full, I/O error, connection lost: not the fault of what was asked."""

    def __init__(self, why: str, reason: str) -> None:
        super().__init__(reason)
        self.why, self.reason = why, reason  # a key of the locale files


class TryAgain(Unavailable):
    """Two transactions were in each other's way; the same again may well succeed."""


class Held(Unavailable):
    """Another process has had one row in its hands for too long; the other rows are free."""


class Unanswered(Unavailable):
    """A commit that was neither confirmed nor refused: only the database knows whether it stands."""


class Corrupt(Exception):
    """The database itself says that its pages are damaged."""


class NoDatabase(Corrupt):
    """The file is not one of SQLite's at all, or not any more."""


class Connection(Protocol):
    """SQL with `?` for values, in transactions."""

    # What statements leave open: the names of types (`integer`, `real`) and the `kind` of a table; `each` value
    # of a JSON array, and what makes such an array of some columns (`list_of`) and of all rows (`all_of`); what
    # stands behind a column that is to be sorted as Python sorts (`by_letters`), and behind a SELECT whose rows are
    # about to be changed (`for_update`); the time `now`, by the database's clock; what is true of a row of `server`
    # whose process lives (`alive`).
    dialect: dict[str, str]
    generation: int  # counts connections: what was noticed by one may have been missed by the next

    def run(self, sql: str, *values: Any) -> Rows: ...

    def changed(self, sql: str, *values: Any) -> int:
        """How many rows a statement has changed, or put in."""

    def stream(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Row by row: what comes before damage is still given."""

    def begin(self, *, reading: bool = False) -> None: ...

    def commit(self) -> None:
        """Raises `Unanswered` where it may stand in spite of the error."""

    def rollback(self) -> None:
        """Never raises; a connection that cannot do it is closed, and opened again by `begin`."""

    def has(self, name: str) -> bool:
        """Whether there is a table of this name."""

    def faults(self) -> list[str]:
        """What the database itself finds wrong with its pages."""

    def alone(self) -> None:
        """Until the end of the transaction nobody else makes or changes tables."""

    def ask_for(self, table: str) -> None:
        """Wake up who listens: whoever keeps the table."""

    def close(self) -> None: ...


class WriterConnection(Connection, Protocol):
    """The one connection of a process that all its writing goes through; while it lives, so does the process."""

    def mark(self) -> int:
        """What `stands` will know the transaction by that has just begun."""

    def stands(self, mark: int) -> bool:
        """Whether a transaction whose commit was not answered is there, for good.  Raises `Unavailable` as long
        as nobody can tell."""


class Database(NamedTuple):
    connect: Callable[[], Connection]
    connect_writer: Callable[[str], WriterConnection]  # for the server of this id
    # Calls back with each table that is wanted until it is over; None: nobody can be asked for one.
    listen: Callable[[Callable[[str], None], Callable[[], bool]], None] | None
    # Where a copy is put before the schema is changed.
    backup_path: Callable[[int], Any]
