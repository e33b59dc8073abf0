"""Promise 5: a disk that is full or fails refuses moves with a plain word, reads go on, and all is well
again without a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest

from bullpen.languages import LANGUAGES
from bullpen.server.store import NewEvent, NotOwner, StoreUnavailable, writer
from bullpen.server.store.connection import Unavailable
from bullpen.server.store.sqlite import SqliteConnection
from bullpen.text import voice
from tests.store.disks import Disk
from tests.store.stories import a_store, a_table, check, in_loop, live_tables, move

FULL, FAILING = apsw.FullError, apsw.IOError


@in_loop
async def test_moves_are_refused_reads_go_on_and_it_recovers_without_a_restart(
    tmp_path: Path,
) -> None:
    disk = Disk()
    async with a_store(f"sqlite:///{tmp_path}/store.db?vfs={disk.name}") as store:
        for table in "abc":
            await a_table(store, table, events=2)
        before = {table: await store.events(table) for table in "abc"}
        disk.failing, disk.fails_in = FULL, {"write"}
        answers = await asyncio.gather(
            *(store.append(table, 3, [move(3)]) for table in "abc"), return_exceptions=True
        )
        for answer in answers:
            assert isinstance(answer, StoreUnavailable)
            assert (answer.key, answer.stored) == ("store_full", "nothing")
            for language in LANGUAGES:
                assert voice(language).problem(answer)
        assert {table: await store.events(table) for table in "abc"} == before
        assert await live_tables(store) == ["a", "b", "c"]
        disk.failing = None
        for table in "abc":
            await store.append(table, 3, [move(3)])
            assert len(await store.events(table)) == 3
            assert await check(store, table) is None
    disk.unregister()


@pytest.mark.parametrize("where", ["write", "sync"])
@in_loop
async def test_nobody_is_answered_until_what_a_failing_disk_may_have_kept_is_written_over(
    tmp_path: Path, where: str
) -> None:
    """A log that was written but not synced could bring a move back after a crash that was refused before it."""
    disk = Disk()
    async with a_store(f"sqlite:///{tmp_path}/store.db?vfs={disk.name}") as store:
        for table in "abc":
            await a_table(store, table, events=2)
        before = {table: await store.events(table) for table in "abc"}
        disk.failing, disk.fails_in = FAILING, {where}
        asked = [asyncio.ensure_future(store.append(table, 3, [move(3)])) for table in "abc"]
        done, _ = await asyncio.wait(asked, timeout=0.5)
        assert not done
        assert {table: await store.events(table) for table in "abc"} == before  # reads go on
        disk.failing = None
        for answer in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(answer, StoreUnavailable)
            assert (answer.key, answer.stored) == ("store_io", "nothing")
        left = tmp_path / "left"  # as after kill -9: the log is read anew
        left.mkdir()
        for name in ("store.db", "store.db-wal"):
            (left / name).write_bytes((tmp_path / name).read_bytes())
        async with a_store(f"sqlite:///{left}/store.db") as after_a_crash:
            assert {table: await after_a_crash.events(table) for table in "abc"} == before
        for table in "abc":
            await store.append(table, 3, [move(3)])
            assert await check(store, table) is None
    disk.unregister()


@in_loop
async def test_a_table_of_which_nobody_knows_in_time_is_given_up_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LOOKING_SECONDS", 0.1)
    disk = Disk()
    async with a_store(f"sqlite:///{tmp_path}/store.db?vfs={disk.name}") as store:
        await a_table(store, events=2)
        disk.failing, disk.fails_in = FAILING, {"sync"}
        with pytest.raises(StoreUnavailable) as failed:
            await store.append("alpha", 3, [move(3)])
        assert failed.value.stored == "unknown"
        assert await anext(store.lost()) == "alpha"
        disk.failing = None
        with pytest.raises(NotOwner):  # not before it was read again
            await store.append("alpha", 3, [move(3)])
        assert await store.claim("alpha")
        seq = len(await store.events("alpha")) + 1
        await store.append("alpha", seq, [move(seq)])
    disk.unregister()


@in_loop
async def test_a_connection_that_cannot_even_roll_back_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        await a_table(store, events=2)

        def breaks_everything(connection: SqliteConnection) -> None:
            connection.apsw.close(True)
            raise Unavailable("store_io", "planted")

        with pytest.raises(StoreUnavailable):
            await store._write("", breaks_everything)  # type: ignore[attr-defined]
        await store.append("alpha", 3, [move(3)])


@in_loop
async def test_a_table_whose_claim_was_lost_with_the_commit_can_be_claimed_again(
    tmp_path: Path,
) -> None:
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        await a_table(store, events=2)
    disk = Disk()
    async with a_store(f"sqlite:///{tmp_path}/store.db?vfs={disk.name}") as store:
        disk.failing = FULL
        with pytest.raises(StoreUnavailable):
            await store.append("alpha", 3, [move(3)])
        disk.failing = None
        await store.append("alpha", 3, [move(3)])
    disk.unregister()


@in_loop
async def test_a_disk_that_runs_full_in_the_middle_of_much_writing_keeps_what_was_acknowledged(
    tmp_path: Path,
) -> None:
    """And what was refused is not there, not even in part."""
    disk = Disk()
    async with a_store(f"sqlite:///{tmp_path}/store.db?vfs={disk.name}") as store:
        await a_table(store)
        kept = 0
        large = [NewEvent(None, None, "shuffle", {"x": "x" * 20_000}) for _ in range(200)]
        for turn in range(12):
            disk.failing, disk.fails_in = (FULL if turn % 3 == 2 else None), {"write"}
            try:
                kept += len(await store.append("alpha", kept + 1, large[: 1 + 20 * turn]))
            except StoreUnavailable:
                assert disk.failing
            else:
                assert not disk.failing
            assert len(await store.events("alpha")) == kept
    disk.unregister()
    async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
        assert len(await store.events("alpha")) == kept
