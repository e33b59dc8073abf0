"""Several processes on one SQLite file: they write by turns, and none takes a table from another."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bullpen.cards import Problem
from bullpen.locks import lock_at_once, unlock
from bullpen.server.store import (
    NotOwner,
    Share,
    keeper_of,
    open_store,
    served_alone,
    shared_out,
    sql_store,
)
from bullpen.server.store.sharing import Turn, names
from tests.patience import PATIENCE, until
from tests.store.leases import BEATS, fall_silent, has_renewed
from tests.store.stories import a_store, a_table, in_loop, move
from tests.store.test_kills import ROOT, check_told, stored

EVENTS = 8_000  # of each process


@contextmanager
def playing(url: str, number: int, of: int) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.store.playing", url, "5", str(number), str(of)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def told_by(process: subprocess.Popen[bytes], lines: int) -> list[str]:
    assert process.stdout
    told = [process.stdout.readline().decode() for _ in range(lines)]
    assert told[-1], "it ended by itself"
    return told


def test_two_processes_lose_nothing_and_fork_nothing_where_one_is_killed_and_comes_back(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with served_alone(url), shared_out(url):
        with playing(url, 0, 2) as steady:
            told: list[str] = []
            for _ in range(4):
                with playing(url, 1, 2) as killed:
                    told += told_by(killed, EVENTS // 4)
                    os.kill(killed.pid, signal.SIGKILL)
                    assert killed.stdout
                    left = killed.stdout.readlines()
                    told += [line.decode() for line in left if line.endswith(b"\n")]
            told += told_by(steady, EVENTS)
        check_told(told, asyncio.run(stored(url)))
    assert not Turn.is_taken_in(tmp_path / "store.db")
    assert asyncio.run(stored(url))  # and one process alone may have it again


def test_whoever_waits_for_its_turn_is_next_however_quick_the_other_is(tmp_path: Path) -> None:
    """With one lock alone, who has just written was seen to be quicker a hundred times on end."""
    quick, patient = Turn(tmp_path / "store.db"), Turn(tmp_path / "store.db")
    door = names(tmp_path / "store.db")[0].open()
    order: list[str] = []

    def wait_and_write() -> None:
        patient.take()
        order.append("patient")
        patient.give()

    def somebody_is_at_the_door() -> bool:
        try:
            lock_at_once(door)
        except BlockingIOError:
            return True
        unlock(door.fileno())
        return False

    quick.take()
    for _ in range(100):
        waiting = threading.Thread(target=wait_and_write)
        waiting.start()
        until(somebody_is_at_the_door)
        quick.give()
        quick.take()
        order.append("quick")
        waiting.join(PATIENCE)
    assert order == ["patient", "quick"] * 100
    quick.close()
    patient.close()
    door.close()


@in_loop
async def test_each_process_takes_its_own_share_and_leaves_that_of_a_living_one(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    tables = [f"t{n}" for n in range(40)]
    async with a_store(url) as alone:
        for table in tables:
            await a_table(alone, table, events=1)
    with served_alone(url), shared_out(url):
        shares = [Share(0, 2), Share(1, 2)]
        first, second = [await open_store(url, share=share) for share in shares]
        for store, share in ((first, shares[0]), (second, shares[1])):
            own = [table for table in tables if keeper_of(table, 2) == share.number]
            assert 10 < len(own) < 30
            assert sorted(await store.adopt(within=math.inf, limit=99)) == sorted(own)
        theirs = next(table for table in tables if shares[0].has(table))
        assert not await second.claim(theirs)
        with pytest.raises(NotOwner):
            await second.append(theirs, 2, [move(2)])
        # A successor has the share of the killed one at once, and fences it if it was only asleep.
        successor = await open_store(url, share=shares[0])
        assert await successor.claim(theirs)
        await successor.append(theirs, 2, [move(2)])
        with pytest.raises(NotOwner):
            await first.append(theirs, 3, [move(3)])
        for store in (first, second, successor):
            await store.close()


@in_loop
async def test_a_process_that_does_not_answer_loses_its_tables_when_its_lease_has_run_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_store, "BEATS_OF_A_LEASE", BEATS)
    url = f"sqlite:///{tmp_path}/store.db"
    with served_alone(url), shared_out(url):
        first, second = [await open_store(url, share=Share(n, 2)) for n in (0, 1)]
        await a_table(first)
        await has_renewed(first)
        assert not await second.claim("alpha")
        await fall_silent(first)
        async with asyncio.timeout(PATIENCE):
            while not await second.claim("alpha"):
                await asyncio.sleep(0.05)
        for store in (first, second):
            await store.close()


# -- One server on a file -----------------------------------------------------------------------


@contextmanager
def another_name(path: Path, how: str) -> Iterator[str]:
    link = path.parent / "link"
    if how == "symbolic link":
        link.symlink_to(path)
    elif how == "folder":
        (path.parent / "other").symlink_to(path.parent)
    names = {
        "symbolic link": str(link),
        "folder": f"{path.parent}/other/{path.name}",
        "dots": f"{path.parent}/./../{path.parent.name}//{path.name}",
    }
    yield f"sqlite:///{names[how]}"


@pytest.mark.parametrize("is_new", [True, False], ids=["new file", "old file"])
@pytest.mark.parametrize("how", ["symbolic link", "folder", "dots"])
def test_a_file_is_served_once_whatever_it_is_called(
    tmp_path: Path, how: str, *, is_new: bool
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    if not is_new:
        asyncio.run(stored(url))
    with (
        another_name(tmp_path / "store.db", how) as other,
        served_alone(url),
        pytest.raises(Problem) as refused,
        served_alone(other),
    ):
        pass
    assert refused.value.key == "store_in_use"


def test_a_file_with_two_names_is_not_served(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    asyncio.run(stored(url))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "second.db").hardlink_to(tmp_path / "store.db")
    for one in (url, f"sqlite:///{tmp_path}/elsewhere/second.db"):
        with pytest.raises(Problem) as refused, served_alone(one):
            pass
        assert refused.value.key == "store_linked"


def test_what_lies_beside_a_file_lies_beside_the_file_itself(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "real" / "store.db")
    asyncio.run(stored(f"sqlite:///{tmp_path}/link.db"))
    assert (tmp_path / "real" / "store.db").is_file()
    assert (tmp_path / "link.db").is_symlink()
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".lock"] == []
