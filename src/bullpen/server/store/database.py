"""Opening a store: the right database, its schema up to date, or a plain word why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from bullpen.cards import Problem
from bullpen.server.store import schema
from bullpen.server.store.connection import (
    Connection,
    Corrupt,
    Database,
    NoDatabase,
    Unavailable,
)


def opened(url: str) -> Database:
    database = unprepared(url)
    with connected(database.connect) as connection:
        schema.prepare(connection, lambda version: back_up(database, version))
    return database


@contextmanager
def connected(connect: Callable[[], Connection]) -> Iterator[Connection]:
    """A connection whose errors are raised as problems."""
    with troubles_told():
        connection = connect()
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def troubles_told() -> Iterator[None]:
    try:
        yield
    except NoDatabase as no_database:
        raise Problem("store_no_database", reason=str(no_database)) from no_database
    except Corrupt as corrupt:
        raise Problem("store_damaged", reason=str(corrupt)) from corrupt
    except Unavailable as unavailable:
        raise Problem("store_closed", reason=unavailable.reason) from unavailable
    except OSError as error:
        raise Problem("store_closed", reason=error.strerror) from error


def unprepared(url: str) -> Database:
    """The database, whatever is in it.  A SQLite file that is not there is made."""
    if not url.startswith("sqlite:///"):
        need("psycopg", extra="[postgres]")
        from bullpen.server.store import postgres

        return postgres.database(url)
    need("apsw")
    from bullpen.server.store import sqlite

    database = sqlite.database(url)
    path = sqlite.path_of(url)
    with troubles_told():
        if sqlite.is_new(url):
            make_file(path)
        elif path.is_dir():
            raise Problem("store_is_folder", file=path)
        elif not path.stat().st_size:
            # We never leave an empty file: it was cut off, and taking it for new would hide the loss.
            raise Corrupt("0 bytes")
    return database


def need(package: str, extra: str = "") -> None:
    if find_spec(package) is None:
        raise Problem("store_package", package=package, extra=extra)


def make_file(path: Path) -> None:
    """A store with its tables, made beside its place: a crash leaves a whole one or none."""
    from bullpen.server.store import sqlite

    sqlite.check_folder(path)
    part = path.with_name(f"{path.name}.part")
    with suppress(FileNotFoundError):
        part.unlink()
    connection = sqlite.SqliteConnection(sqlite.made_private(part))
    schema.prepare(connection, lambda _: None)
    sqlite.single_file(connection)
    connection.close()
    sqlite.publish(part, path)


def back_up(database: Database, version: int) -> None:
    from bullpen.server.store.backup import copy_to_file

    connection = database.connect()
    try:
        copy_to_file(connection, database.backup_path(version))
    finally:
        connection.close()
