"""PostgreSQL by psycopg.  Several processes may share one database: each holds one advisory lock, by which the
others see that it lives; which tables it owns stands in their rows (claims.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from bullpen.cards import Problem
from bullpen.server.store.claims import lock_number
from bullpen.server.store.connection import (
    Corrupt,
    Database,
    Held,
    Rows,
    TryAgain,
    Unanswered,
    Unavailable,
)

CHANNEL = "bullpen_wanted"
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
    def listen(heard: Callable[[str], None], is_over: Callable[[], bool]) -> None:
        listen_on(url, heard, is_over)

    return Database(
        lambda: PostgresConnection(url),
        lambda server: PostgresWriter(url, server),
        listen,
        backup_path,
    )


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


DIALECT = {
    "integer": "BIGINT",
    "real": "DOUBLE PRECISION",
    "kind": "",
    "each": "jsonb_array_elements(?::jsonb) AS each (value)",
    "list_of": "json_build_array",
    "all_of": "json_agg",
    "by_letters": ' COLLATE "C"',
    "for_update": " FOR UPDATE",
    "now": "extract(epoch FROM clock_timestamp())::float8",
    "alive": """until > extract(epoch FROM clock_timestamp())::float8 AND EXISTS (
        SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid::bigint = (server.lock >> 32) & 4294967295
        AND objid::bigint = server.lock & 4294967295)""",
}


class PostgresConnection:
    dialect = DIALECT
    name = "bullpen"  # as the database's own lists show it

    def __init__(self, url: str) -> None:
        self.url, self.generation = url, 0
        self.psycopg = self._opened()

    def _opened(self) -> psycopg.Connection[tuple[Any, ...]]:
        try:
            connection = psycopg.connect(
                self.url, autocommit=True, application_name=self.name, **PATIENCE
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
            self.psycopg = self._opened()
            self.generation += 1

    def run(self, sql: str, *values: Any) -> Rows:
        return list(self.stream(sql, *values))

    def changed(self, sql: str, *values: Any) -> int:
        try:
            return self._executed(sql, values).rowcount
        except psycopg.Error as error:
            raise translated(error) from error

    def stream(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        try:
            cursor = self._executed(sql, values)
            if cursor.description:
                yield from cursor
        except psycopg.Error as error:
            raise translated(error) from error

    def _executed(self, sql: str, values: tuple[Any, ...]) -> psycopg.Cursor[tuple[Any, ...]]:
        """Only without values a text may hold several statements."""
        question = sql.replace("?", "%s").encode()
        return self.psycopg.execute(question, values or None, prepare=bool(values))

    def begin(self, *, reading: bool = False) -> None:
        mode = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if reading else ""
        try:
            self._connected()
            self._begun(mode)
        except Unavailable:  # it may have been lost long ago, unnoticed: then another will do
            self.psycopg.close()
            self._connected()
            self._begun(mode)

    def _begun(self, mode: str) -> None:
        self.run(f"BEGIN{mode}")

    def commit(self) -> None:
        try:
            self.run("COMMIT")
        except Unavailable as error:
            if not self.psycopg.broken and not self.psycopg.closed:
                raise  # the database has answered: it refuses
            raise Unanswered(error.why, error.reason) from error

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

    def ask_for(self, table: str) -> None:
        self.run("SELECT pg_notify(?, ?)", CHANNEL, table)

    def close(self) -> None:
        self.psycopg.close()


class PostgresWriter(PostgresConnection):
    """Holds the lock that shows others that its server lives."""

    def __init__(self, url: str, server: str) -> None:
        self.server, self.name = server, f"bullpen {server}"
        self.transaction = 0
        super().__init__(url)

    def _opened(self) -> psycopg.Connection[tuple[Any, ...]]:
        connection = super()._opened()
        try:
            # Shared: an earlier connection, which the database may still take for alive, holds it as well.
            connection.execute("SELECT pg_advisory_lock_shared(%s)", [lock_number(self.server)])
        except psycopg.Error as error:
            connection.close()
            raise translated(error) from error
        return connection

    def _begun(self, mode: str) -> None:
        """In one message; the number is there before it could be needed."""
        try:
            answers = self.psycopg.execute(f"BEGIN{mode}; SELECT txid_current()".encode())
            answers.nextset()
            ((self.transaction,),) = answers.fetchall()
        except psycopg.Error as error:
            raise translated(error) from error

    def mark(self) -> int:
        return self.transaction

    def stands(self, mark: int) -> bool:
        self._connected()
        # The connection that was lost may still be open at the other end, with the transaction in its hands.
        end = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = ? AND pid <> pg_backend_pid()"
        )
        self.run(end, self.name)
        ((status,),) = self.run("SELECT txid_status(?)", mark)
        if status not in ("committed", "aborted"):
            raise Unavailable("store_busy", f"transaction {status}")
        return bool(status == "committed")


def listen_on(url: str, heard: Callable[[str], None], is_over: Callable[[], bool]) -> None:
    """Until it is over.  Who asks asks again, so nothing is lost where a wake-up is."""
    while not is_over():
        with (
            suppress(psycopg.Error),
            psycopg.connect(url, autocommit=True, **PATIENCE) as connection,
        ):
            connection.execute(f"LISTEN {CHANNEL}".encode())
            while not is_over():
                for notice in connection.notifies(timeout=LISTEN_SECONDS):
                    heard(notice.payload)
        if not is_over():
            time.sleep(LISTEN_SECONDS)
