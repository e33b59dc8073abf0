"""A store as one file, and back into a store.

A backup is a SQLite file with the same tables, whatever database it was taken from, so it goes into
either.  It is consistent: read in one transaction while the server goes on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from bullpen.cards import Problem
from bullpen.server.store import events, schema, tables
from bullpen.server.store.connection import Connection, Database, NoDatabase
from bullpen.server.store.contract import Damage
from bullpen.server.store.database import connected, opened, unprepared


class Copied(NamedTuple):
    tables: int
    events: int
    damaged: list[Damage]
    faults: list[str]  # of the file itself


def back_up(url: str, path: Path) -> Copied:
    if path.exists():
        raise Problem("backup_exists", file=path)
    with connected(existing(url).connect) as source:
        if not schema.version_of(source):
            raise Problem("store_empty")
        schema.refuse_newer(schema.version_of(source))
        return copy_to_file(source, path)


def existing(url: str) -> Database:
    """A database that must be there; nothing is changed in it."""
    from bullpen.server.store import sqlite

    if url.startswith("sqlite:///"):
        if sqlite.is_new(url):
            raise Problem("store_missing", file=sqlite.path_of(url))
    elif not url.startswith(("postgresql://", "postgres://")):
        raise Problem("store_url", url=url)
    return unprepared(url)


def copy_to_file(source: Connection, path: Path) -> Copied:
    """Made beside its place: a file of this name is a whole backup."""
    from bullpen.server.store import sqlite

    part = path.with_name(f"{path.name}.part")
    try:
        sqlite.check_folder(path)
        part.unlink(missing_ok=True)
        sqlite.made_private(part)
    except OSError as error:
        raise Problem("copy_unwritable", file=path, reason=error.strerror) from None
    target = sqlite.SqliteConnection(part)
    try:
        if isinstance(source, sqlite.SqliteConnection):
            with target.apsw.backup("main", source.apsw, "main") as copying:
                copying.step()  # all pages at once: one moment of the store
        else:
            copy_rows(source, target)
        sqlite.single_file(target)
        copied = counted(target)
    finally:
        target.close()
    sqlite.publish(part, path)
    return copied


# -- Back into a store --------------------------------------------------------------------------


def restore(path: Path, url: str) -> Copied:
    """Into a new or empty store.  A damaged table comes along, to be set aside there as it was here."""
    from bullpen.server.store import sqlite

    if not path.is_file():
        raise Problem("backup_missing", file=path)
    if url.startswith("sqlite:///") and not sqlite.is_new(url):
        raise Problem("restore_not_empty")
    if not url.startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise Problem("store_url", url=url)
    with connected(lambda: backup_at(path)) as source:
        if not schema.version_of(source):
            raise Problem("backup_format", file=path)
        schema.refuse_newer(schema.version_of(source))
        if url.startswith("sqlite:///"):
            copy_to_file(source, sqlite.path_of(url))
        else:
            with connected(unprepared(url).connect) as target:
                if schema.version_of(target) and tables.all_tables(target):
                    raise Problem("restore_not_empty")
                copy_rows(source, target)
    with connected(opened(url).connect) as restored:  # brings an older schema up to date
        return counted(restored)


def backup_at(path: Path) -> Connection:
    from bullpen.server.store import sqlite

    try:
        connection = sqlite.SqliteConnection.of_backup(path)
        schema.version_of(connection)
    except NoDatabase:
        raise Problem("backup_format", file=path) from None
    return connection


def copy_rows(source: Connection, target: Connection) -> None:
    """Every row of every table, in one transaction on either side."""
    source.begin(reading=True)
    target.begin()
    try:
        target.alone()
        version, there = schema.version_of(source), schema.version_of(target)
        if there:  # empty, as whoever calls has seen to
            for name in (*schema.TABLES, schema.OF_PROCESSES):
                target.run(f"DROP TABLE IF EXISTS {name}")
        schema.migrate(target, 0, version)
        target.run("DELETE FROM meta")
        for name in filter(source.has, schema.TABLES):  # an older one has fewer
            for row in source.stream(f"SELECT * FROM {name}"):  # noqa: S608
                marks = ", ".join("?" * len(row))
                target.run(f"INSERT INTO {name} VALUES ({marks})", *map(storable, row))  # noqa: S608
        target.commit()
    except BaseException:
        target.rollback()
        raise
    finally:
        source.rollback()


def storable(value: Any) -> Any:
    """PostgreSQL has no character 0, by which the first version marked phrases in the chat."""
    return value.replace("\0", "\1") if isinstance(value, str) else value


# -- Whether it holds ---------------------------------------------------------------------------


def counted(connection: Connection) -> Copied:
    """How much there is, with every chain checked."""
    connection.begin(reading=True)
    try:
        names = tables.all_tables(connection)
        found = (events.check(connection, table) for table in names)
        damaged = [damage for damage in found if damage]
        rows: list[Any] = connection.run("SELECT COUNT(*) FROM event")
        return Copied(len(names), rows[0][0], damaged, connection.faults())
    finally:
        connection.rollback()


def inspected(url: str) -> Copied:
    with connected(existing(url).connect) as connection:
        if not schema.version_of(connection):
            raise Problem("store_empty")
        schema.refuse_newer(schema.version_of(connection))
        return counted(connection)
