"""SQLite's log is copied into the file beside the play, and does not grow for ever."""

from __future__ import annotations

import asyncio
import shutil
import threading
from pathlib import Path

import apsw
import pytest

from bullpen.server.store import Store
from bullpen.server.store.connection import Unavailable
from bullpen.server.store.sqlite import SqliteConnection, WritingConnection
from tests.patience import PATIENCE
from tests.store.stories import a_store, a_table, in_loop, move

PAGE = 4096


def writer_of(store: Store) -> WritingConnection:
    connection: WritingConnection = store.writer.connection  # type: ignore[attr-defined]
    return connection


@pytest.mark.parametrize(
    ("few", "most"), [(10**6, 100), (-1, 200)], ids=["when it is long", "when it is too long"]
)
@in_loop
async def test_moves_without_a_pause_do_not_let_the_log_grow_for_ever(
    tmp_path: Path, few: int, most: int
) -> None:
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        writer = writer_of(store)
        writer.copied_pages, writer.long_pages, writer.few_pages = 10**6, 100, few
        await a_table(store)
        for seq in range(1, 400):
            await store.append("alpha", seq, [move(seq, text="x" * 5000)])
        pages, _ = writer.apsw.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
        # About 1,600 pages went through it, some more with each commit.
        assert 0 < pages < most + 20
        assert len(await store.events("alpha")) == 399


@in_loop
async def test_what_the_moves_of_many_tables_change_need_not_be_read_again(tmp_path: Path) -> None:
    """The last pages of 600 tables, which lie in 700 pages or more."""
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        tables = [f"table {n}" for n in range(600)]
        await asyncio.gather(*(a_table(store, table) for table in tables))
        first = [move(n, text="x" * 900) for n in range(1, 5)]
        await asyncio.gather(*(store.append(table, 1, first) for table in tables))
        writer = writer_of(store).apsw
        writer.status(apsw.SQLITE_DBSTATUS_CACHE_MISS, True)  # counted anew
        await asyncio.gather(*(store.append(table, 5, [move(5)]) for table in tables))
        read, _ = writer.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)
        assert read < 10


@in_loop
async def test_the_log_has_its_room_before_the_first_move_and_holds_nothing_there(
    tmp_path: Path,
) -> None:
    log = tmp_path / "store.db-wal"
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        room = log.stat().st_size
        await a_table(store, events=2)
        assert log.stat().st_size == room > 1000 * PAGE
        (tmp_path / "copy").mkdir()
        for name in ("store.db", "store.db-wal"):  # as a crash would leave it
            shutil.copy(tmp_path / name, tmp_path / "copy" / name)
    async with a_store(f"sqlite:///{tmp_path}/copy/store.db") as found:
        assert len(await found.events("alpha")) == 2


@in_loop
async def test_the_log_is_copied_by_another_thread_than_the_one_that_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copying: set[str] = set()
    copied_by = WritingConnection._copied_by

    def noted(self: WritingConnection, connection: apsw.Connection) -> None:
        copying.add(threading.current_thread().name)
        copied_by(self, connection)

    monkeypatch.setattr(WritingConnection, "_copied_by", noted)
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        writer = writer_of(store)
        writer.copied_pages = 20
        await a_table(store)
        seq = 0
        while not writer.copied:
            seq += 1
            await store.append("alpha", seq, [move(seq, text="x" * 5000)])
            assert seq < 5000
    assert copying == {"store-log"}


@in_loop
async def test_a_log_that_cannot_be_copied_now_is_copied_later_and_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = asyncio.Event()
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        writer = writer_of(store)
        await a_table(store)
        loop = asyncio.get_running_loop()

        def fails(_: SqliteConnection) -> apsw.Connection:
            loop.call_soon_threadsafe(refused.set)
            raise Unavailable("store_io", "planted")

        monkeypatch.setattr(SqliteConnection, "_opened", fails)
        writer.copied_pages = 5
        for seq in range(1, 20):
            await store.append("alpha", seq, [move(seq, text="x" * 5000)])
        await asyncio.wait_for(refused.wait(), PATIENCE)
        assert not writer.copied
        monkeypatch.undo()
        seq = 19
        while not writer.copied:
            seq += 1
            await store.append("alpha", seq, [move(seq, text="x" * 5000)])
            assert seq < 5000
