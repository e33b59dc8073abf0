"""PostgreSQL by psycopg.  Several processes may share one database: a table belongs to the one whose
connection holds its advisory lock, and an epoch in its row refuses whoever has lost it unnoticed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg

from bullpen.cards import Problem
from bullpen.server.store.connection import (
    Corrupt,
    Database,
    Held,
    Notice,
    Rows,
    TryAgain,
    Unavailable,
)

CHANNELS: dict[Notice, str] = {"changed": "bullpen", "wanted": "bullpen_wanted"}
PATIENCE: dict[str, Any] = {  # seconds, until a silent server counts as lost
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # milliseconds
}
LISTEN_SECONDS = 0.5  # until a listener looks whether it should stop, or tries to connect again
SCHEMA_LOCK = 0x62756C6C70656E  # any number that all processes agree on
FULL = ("53100", "53200", "53400")  # disk full, out of memory, a configured limit


def database(url: str) -> Database:
    def listen(what: Notice, heard: Callable[[str], None], is_over: Callable[[], bool]) -> None:
        listen_on(url, CHANNELS[what], heard, is_over)

    def connect() -> PostgresConnection:
        return PostgresConnection(url)

    return Database(connect, connect, listen, backup_path)


def backup_path(version: int) -> Path:
    """In the folder where the server runs: the database may be on another machine."""
    now = time.strftime("%Y-%m-%d-%H%M%S")
    return Path(f"bullpen-postgresql.version-{version}.{now}.backup").absolute()


def first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def translated(error: psycopg.Error) -> Exception:
    """Lost connections and full disks are not the fault of what was asked."""
    if isinstance(error, (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted)):
        return Corrupt(first_line(error))
    if isinstance(error, (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)):
        return TryAgain("store_busy", first_line(error))
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return Held("store_busy", first_line(error))
    if error.sqlstate in FULL:
        return Unavailable("store_full", first_line(error))
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
        return Unavailable("store_lost", first_line(error))
    return error


def lock_number(table: str) -> int:
    return int.from_bytes(sha256(table.encode()).digest()[:8], "big", signed=True)


DIALECT = {
    "integer": "BIGINT",
    "real": "DOUBLE PRECISION",
    "kind": "",
    "each": "jsonb_array_elements(?::jsonb) AS each (value)",
    "by_letters": ' COLLATE "C"',
    "for_update": " FOR UPDATE",
}


class PostgresConnection:
    dialect = DIALECT

    def __init__(self, url: str) -> None:
        self.url, self.generation = url, 0
        self.locks: set[str] = set()  # of this connection; a transaction that fails keeps them
        self.announced: set[str] = set()
        self.psycopg = self._opened()

    def _opened(self) -> psycopg.Connection[tuple[Any, ...]]:
        try:
            connection = psycopg.connect(
                self.url, autocommit=True, application_name="bullpen", **PATIENCE
            )
            # A process that hangs with a row in its hands must not stop the others.
            connection.execute("SET lock_timeout TO '1s'")
            connection.execute("SET idle_in_transaction_session_timeout TO '10s'")
            # Whatever the database's own settings are: an answered commit is on the disk.
            connection.execute("SET synchronous_commit TO on")
            connection.execute("SET client_encoding TO 'UTF8'")
        except psycopg.ProgrammingError as error:  # an address that cannot be read
            raise Problem("store_address", reason=first_line(error)) from None
        except psycopg.Error as error:
            raise translated(error) from error
        return connection

    def _connected(self) -> None:
        if self.psycopg.closed or self.psycopg.broken:
            self.locks.clear()
            self.psycopg = self._opened()
            self.generation += 1

    def run(self, sql: str, *values: Any) -> Rows:
        return list(self.stream(sql, *values))

    def stream(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        try:
            # Only without values a text may hold several statements.
            cursor = self.psycopg.execute(
                sql.replace("?", "%s").encode(), values or None, prepare=bool(values)
            )
            if cursor.description:
                yield from cursor
        except psycopg.Error as error:
            raise translated(error) from error

    def begin(self, *, reading: bool = False) -> None:
        self.announced.clear()
        mode = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if reading else ""
        try:
            self._connected()
            self.run(f"BEGIN{mode}")
        except Unavailable:  # it may have been lost long ago, unnoticed: then another will do
            self.psycopg.close()
            self._connected()
            self.run(f"BEGIN{mode}")

    def commit(self) -> None:
        if self.announced:
            wake = "SELECT pg_notify(?, name) FROM unnest(?::text[]) AS name"
            self.run(wake, CHANNELS["changed"], sorted(self.announced))
        self.run("COMMIT")

    def rollback(self) -> None:
        try:
            if not self.psycopg.closed:
                self.psycopg.execute("ROLLBACK")
        except psycopg.Error:
            self.psycopg.close()  # the next `begin` connects again

    def has(self, name: str) -> bool:
        return self.run("SELECT to_regclass(?) IS NOT NULL", name) == [(True,)]

    def faults(self) -> list[str]:
        return []  # a server of its own looks after its pages

    def alone(self) -> None:
        self.run("SELECT pg_advisory_xact_lock(?)", SCHEMA_LOCK)

    def lock(self, table: str) -> bool:
        if table not in self.locks:
            if self.run("SELECT pg_try_advisory_lock(?)", lock_number(table)) != [(True,)]:
                return False
            self.locks.add(table)
        return True

    def unlock(self, table: str) -> None:
        if table in self.locks:
            self.run("SELECT pg_advisory_unlock(?)", lock_number(table))
            self.locks.discard(table)

    def announce(self, table: str) -> None:
        self.announced.add(table)

    def ask_for(self, table: str) -> None:
        self.run("SELECT pg_notify(?, ?)", CHANNELS["wanted"], table)

    def close(self) -> None:
        self.psycopg.close()


def listen_on(
    url: str, channel: str, heard: Callable[[str], None], is_over: Callable[[], bool]
) -> None:
    """Until it is over; after a lost connection anything may have been missed, which "" says."""
    while not is_over():
        with (
            suppress(psycopg.Error),
            psycopg.connect(url, autocommit=True, **PATIENCE) as connection,
        ):
            connection.execute(f"LISTEN {channel}".encode())
            heard("")
            while not is_over():
                for notice in connection.notifies(timeout=LISTEN_SECONDS):
                    heard(notice.payload)
        if not is_over():
            time.sleep(LISTEN_SECONDS)
