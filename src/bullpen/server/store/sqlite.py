"""SQLite by apsw, which brings a current one along.  WAL and `synchronous=FULL`, and no switch for less:
in trials with simulated power cuts NORMAL lost acknowledged moves, FULL none."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from secrets import randbits
from typing import Any
from urllib.parse import parse_qs, unquote

import apsw

from bullpen.cards import Problem
from bullpen.locks import lock_at_once
from bullpen.server.store.connection import (
    Connection,
    Corrupt,
    Database,
    NoDatabase,
    Rows,
    Unanswered,
    Unavailable,
)
from bullpen.server.store.sharing import PRIVATE, Turn, names

BUSY_MS = 10_000

UNAVAILABLE: dict[type[apsw.Error], str] = {
    apsw.FullError: "store_full",
    apsw.IOError: "store_io",
    apsw.BusyError: "store_busy",
    apsw.LockedError: "store_busy",
    apsw.ReadOnlyError: "store_io",
    apsw.CantOpenError: "store_io",
    apsw.NoMemError: "store_io",
    apsw.ProtocolError: "store_busy",
}


def database(url: str) -> Database:
    """`sqlite:///file.db`; `?vfs=name` reads and writes through another layer."""
    name, _, query = url.removeprefix("sqlite:///").partition("?")
    if not name:
        raise Problem("store_url", url=url)
    path = path_of(url)
    vfs = parse_qs(query).get("vfs", [None])[0]

    def backup_path(version: int) -> Path:
        now = time.strftime("%Y-%m-%d-%H%M%S")
        return path.with_name(f"{path.name}.version-{version}.{now}.backup")

    return Database(
        lambda: SqliteConnection(path, vfs),
        lambda server: WritingConnection(path, vfs, server),
        None,
        backup_path,
    )


@contextmanager
def served_alone(url: str) -> Iterator[None]:
    """A second server on the same file would take the tables of the first.  Asked before the file is opened:
    opening it already makes room in its log.

    The lock lies beside the file itself, wherever symbolic links to it lie.  A file with several names has no such
    place, and SQLite would keep a log for each of them."""
    path = path_of(url)
    try:
        check_folder(path)
        lock = path.with_name(f"{path.name}.lock").open("w")  # stays there, empty
    except OSError as error:
        raise Problem("store_closed", reason=error.strerror) from None
    with lock:
        try:
            lock_at_once(lock)
        except OSError:
            raise Problem("store_in_use", file=path) from None
        refuse_second_names(path)
        no_more_turns(path)  # left by processes that were killed together
        yield


def no_more_turns(path: Path) -> None:
    for name in names(path):
        name.unlink(missing_ok=True)


def refuse_second_names(path: Path) -> None:
    if path.is_file() and path.stat().st_nlink > 1:
        raise Problem("store_linked", file=path)


@contextmanager
def shared_out(url: str) -> Iterator[None]:
    """For as long as several processes write to a file, in the process that starts them: what only one may do.
    They must be started as programs of their own, not forked: a connection does not survive that."""
    path = path_of(url)
    with ExitStack() as stack:
        stack.callback(no_more_turns, path)
        stack.enter_context(closing(Turn(path)))
        # Open until the end: with the last connection SQLite would take the log away, and the room in it.
        keeper = stack.enter_context(closing(SqliteConnection(path)))
        keeper.run("DELETE FROM server")  # nobody else has the file: whoever had it is gone
        with suppress(OSError):
            make_room(path)
        yield


def check_folder(path: Path) -> None:
    """A folder that is not there was most likely mistyped: a new, empty store in a new folder would hide that."""
    if not path.parent.is_dir():
        raise Problem("store_no_folder", file=path, folder=path.parent)


def is_new(url: str) -> bool:
    return not path_of(url).exists()


def can_be_made(url: str) -> bool:
    return is_new(url) and path_of(url).parent.is_dir()


def path_of(url: str) -> Path:
    """Of the file itself: links are followed, so that whatever lies beside it lies in one place."""
    name = Path(unquote(url.removeprefix("sqlite:///").partition("?")[0]))
    return name.resolve() if name.name else name


def translated(error: apsw.Error) -> Exception:
    # Our statements fit the schema that we made: where one does not, the schema is damaged.
    if isinstance(error, apsw.NotADBError):
        return NoDatabase(str(error))
    if isinstance(error, (apsw.CorruptError, apsw.SQLError, apsw.MismatchError)):
        return Corrupt(str(error))
    for kind, why in UNAVAILABLE.items():
        if isinstance(error, kind):
            return Unavailable(why, str(error) or type(error).__name__)
    return error


DIALECT = {
    "integer": "INTEGER",
    "real": "REAL",
    "kind": "STRICT, WITHOUT ROWID",
    "each": "json_each(?)",
    "list_of": "json_array",
    "all_of": "json_group_array",
    "by_letters": "",
    "for_update": "",
    "now": "unixepoch('subsec')",
    "alive": "until > unixepoch('subsec')",
}


def is_foreign(connection: apsw.Connection) -> bool:
    """Whether the file has tables, and none of ours; asked before the first change."""
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]
    return bool(names) and "meta" not in names


class SqliteConnection:
    dialect = DIALECT
    is_lost = False

    def __init__(self, path: Path, vfs: str | None = None) -> None:
        self.path, self.vfs, self.generation = path, vfs, 0
        self.apsw = self._opened()

    @classmethod
    def of_backup(cls, path: Path) -> SqliteConnection:
        """Only to be read: a backup stays as it was made."""
        connection = cls.__new__(cls)
        connection.path, connection.vfs, connection.generation = path, None, 0
        try:
            connection.apsw = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        except apsw.Error as error:
            raise translated(error) from error
        return connection

    def _opened(self) -> apsw.Connection:
        try:
            connection = apsw.Connection(
                str(self.path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=self.vfs
            )
            connection.set_busy_timeout(BUSY_MS)
            if is_foreign(connection):
                raise Problem("store_foreign", file=self.path)
            for pragma, value in (
                ("journal_mode", "wal"),
                ("synchronous", "full"),
                ("fullfsync", 1),  # on systems where a sync alone does not reach the disk
                ("checkpoint_fullfsync", 1),
                ("cell_size_check", 1),
                ("temp_store", "memory"),  # no second disk that could run full
                ("trusted_schema", 0),
            ):
                connection.pragma(pragma, value)
            settled = connection.pragma("journal_mode"), connection.pragma("synchronous")
        except apsw.Error as error:
            raise translated(error) from error
        if settled != ("wal", 2):
            raise Problem("store_no_wal", file=self.path)
        return connection

    def run(self, sql: str, *values: Any) -> Rows:
        try:
            return self.apsw.execute(sql, values).fetchall()
        except apsw.Error as error:
            raise translated(error) from error
        except UnicodeDecodeError as error:
            raise Corrupt(str(error)) from error

    def changed(self, sql: str, *values: Any) -> int:
        self.run(sql, *values)
        return self.apsw.changes()

    def stream(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self.apsw.execute(sql, values)
        except apsw.Error as error:
            raise translated(error) from error
        except UnicodeDecodeError as error:
            raise Corrupt(str(error)) from error

    def begin(self, *, reading: bool = False) -> None:
        if self.is_lost:
            self.apsw = self._opened()
            self.is_lost = False
            self.generation += 1
        self.run("BEGIN" if reading else "BEGIN IMMEDIATE")

    def commit(self) -> None:
        """A log that could not be synced may still hold the transaction, and tell of it after a power cut."""
        try:
            self.run("COMMIT")
        except Unavailable as error:
            if error.why == "store_io":
                raise Unanswered(error.why, error.reason) from error
            raise

    def rollback(self) -> None:
        try:
            if self.apsw.in_transaction:
                self.apsw.execute("ROLLBACK")
        except apsw.Error:
            with suppress(apsw.Error):
                self.apsw.close(True)  # noqa: FBT003 — force: whatever still runs is given up
            self.is_lost = True  # the next `begin` opens it again

    def has(self, name: str) -> bool:
        return bool(self.run("SELECT 1 FROM sqlite_schema WHERE name = ?", name))

    def faults(self) -> list[str]:
        try:
            found = [str(fault) for (fault,) in self.run("PRAGMA integrity_check")]
        except Corrupt as corrupt:
            return [str(corrupt)]
        return [] if found == ["ok"] else found

    def alone(self) -> None:
        """A writing transaction is alone anyway."""

    def ask_for(self, table: str) -> None:
        pass

    def close(self) -> None:
        self.apsw.close()


# -- The log ------------------------------------------------------------------------------------

# Every move changes the last page of its table's events, of their index, and that of the table's own row.  What does
# not fit is read again for every move, and written to the log more than once in one transaction.
KEPT_KILOBYTES = 16_000
COPIED_PAGES = 1000  # of the log, at a time
LONG_PAGES = 4_000  # 16 MB: now the log should start again
FEW_PAGES = 200  # that the writer copies itself
FRAME = 24 + 4096  # bytes of the log that a page takes


class WritingConnection(SqliteConnection):
    """Commits to SQLite's log; a thread of its own copies the log into the file, so that no move waits for it.

    While moves come without a pause the thread never reaches the end of the log, which would grow for ever.
    So when it is long, the writer itself copies the few pages that the thread has left, and the log starts
    again at its beginning.  Where several processes write, each copies what it finds; what it knows of the
    others' copying may be old, which costs a copying too many or a longer log, and nothing else.
    """

    copied_pages, long_pages, few_pages = COPIED_PAGES, LONG_PAGES, FEW_PAGES

    def __init__(self, path: Path, vfs: str | None, server: str) -> None:
        self.server, self.marked = server, randbits(48)
        self.turn = Turn(path) if Turn.is_taken_in(path) else None
        self.has_turn = False
        self.copied = 0  # pages of the log that the file has, as far as known
        self.is_closing = False
        self.to_copy = threading.Event()
        super().__init__(path, vfs)
        self.thread = threading.Thread(target=self._copy, name="store-log", daemon=True)
        self.thread.start()

    def _opened(self) -> apsw.Connection:
        connection = super()._opened()
        if self.turn is None:  # else it is made by the process that has started us
            with suppress(OSError):  # then each move waits a little longer
                make_room(self.path)
        connection.set_wal_hook(self._after_commit)  # in place of SQLite's own copying
        connection.pragma("cache_size", -KEPT_KILOBYTES)
        return connection

    # -- One at a time ------------------------------------------------------------------------

    def begin(self, *, reading: bool = False) -> None:
        self._take_turn()
        try:
            super().begin(reading=reading)
        except BaseException:
            self._give_turn()
            raise

    def commit(self) -> None:
        super().commit()  # where it fails, `rollback` follows
        self._give_turn()

    def rollback(self) -> None:
        super().rollback()
        self._give_turn()

    def _take_turn(self) -> None:
        if self.turn and not self.has_turn:
            self.turn.take()
            self.has_turn = True

    def _give_turn(self) -> None:
        if self.turn and self.has_turn:
            self.has_turn = False
            self.turn.give()

    # -- What became of a commit --------------------------------------------------------------

    def mark(self) -> int:
        self.marked += 1
        self.run(
            "INSERT INTO server (id, name, lock, until, mark) VALUES (?, '', 0, 0, ?)"
            " ON CONFLICT (id) DO UPDATE SET mark = excluded.mark",
            self.server,
            self.marked,
        )
        return self.marked

    def stands(self, mark: int) -> bool:
        """What is not there now could come back from the log after a crash, until it is written over."""
        self.begin()
        try:
            found = self.run("SELECT mark FROM server WHERE id = ?", self.server)
            over = (
                "INSERT INTO server (id, name, lock, until, mark) VALUES (?, '', ?, 0, 0)"
                " ON CONFLICT (id) DO UPDATE SET lock = excluded.lock"
            )
            self.run(over, f"{self.server}, looking", randbits(48))
            self.commit()
        except BaseException:
            self.rollback()
            raise
        return found == [(mark,)]

    # -- Copying ------------------------------------------------------------------------------

    def _after_commit(self, connection: apsw.Connection, _name: str, pages: int) -> int:
        if pages < self.copied:
            self.copied = 0  # the log has started again
        left = pages - self.copied
        is_long, is_too_long = pages >= self.long_pages, pages >= 2 * self.long_pages
        if is_too_long or (is_long and left <= self.few_pages):
            self._copied_by(connection)
        elif left >= self.copied_pages:
            self.to_copy.set()
        return apsw.SQLITE_OK

    def _copied_by(self, connection: apsw.Connection) -> None:
        # What cannot be copied now stays in the log, where it is as safe.
        with suppress(apsw.Error):
            _, self.copied = connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _copy(self) -> None:
        while not self.is_closing:
            self.to_copy.wait()
            # Opened each time: that takes no time beside the copying, and leaves no broken one behind.
            with suppress(Unavailable, Corrupt), closing(super()._opened()) as own:
                self._copied_by(own)
            self.to_copy.clear()  # only now: asked for again in between, it would have too little to do

    def close(self) -> None:
        self.is_closing = True
        self.to_copy.set()
        self.thread.join()
        super().close()
        if self.turn:
            self.turn.close()


def make_room(path: Path) -> None:
    """Zeros behind the end of the log, where SQLite expects remains of earlier logs.  To sync what is
    written in their place is quicker, and much steadier, than to sync a file that grows.  Only while nobody else
    writes."""
    log = path.with_name(f"{path.name}-wal")
    size = log.stat().st_size
    if (missing := LONG_PAGES * FRAME - size) <= 0:
        return
    try:
        with log.open("ab") as file:
            file.write(bytes(missing))
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        os.truncate(log, size)  # on a full disk the last of the room is for moves
        raise


# -- A new file ---------------------------------------------------------------------------------


def publish(part: Path, path: Path) -> None:
    """Give a file that is complete its name, and have both on the disk before anybody relies on it."""
    sync(part)
    sync_folder(part.parent)
    part.rename(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    if (
        sys.platform != "win32"
    ):  # where a folder cannot be opened, and names are kept in order by the system
        sync(folder)


def sync(path: Path) -> None:
    handle = os.open(
        path, os.O_RDONLY if path.is_dir() else os.O_RDWR
    )  # Windows syncs only what can be written
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def made_private(path: Path) -> Path:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
    return path


def single_file(connection: Connection) -> None:
    """Without a log beside it, so that it can be moved."""
    connection.run("PRAGMA journal_mode = delete")
