"""Promise 4: whatever was acknowledged is there after a power cut."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from random import Random

import apsw
import pytest

from bullpen.cards import Problem
from bullpen.server.store import Event, Store, open_store
from bullpen.server.store.sqlite import SqliteConnection, WritingConnection
from tests.patience import PATIENCE
from tests.soaking import counted
from tests.store.disks import Disk
from tests.store.stories import a_store, a_table, move

TABLES = ("a", "b", "c")
CUTS = 35
CUTS_OF_A_SOAK = 3_500
NOTED = {"events": 0}  # acknowledged before a cut, over all cuts


async def play(store: Store, table: str, rng: Random, kept: dict[str, list[Event]]) -> None:
    """Moves, one after the other; what is acknowledged is noted down."""
    while True:
        seq = len(kept[table]) + 1
        events = [
            move(seq + n, text="x" * rng.choice([5, 50, 3000]))
            for n in range(rng.choice([1, 1, 3]))
        ]
        kept[table] = kept[table] + await store.append(table, seq, events)


async def until_the_power_is_cut(folder: Path, seed: int) -> dict[str, list[Event]]:
    """Three tables play at once; then, before some write or sync, there is no power.  What had been
    acknowledged by that moment; what is left of the disk stands in the folder `after`."""
    rng, path, disk = Random(seed), folder / "store.db", Disk()
    async with a_store(f"sqlite:///{path}") as store:
        for table in TABLES:
            await a_table(store, table)
    disk.watch(path)
    store = await open_store(f"sqlite:///{path}?vfs={disk.name}")
    writer: WritingConnection = store.writer.connection  # type: ignore[attr-defined]
    writer.copied_pages, writer.long_pages = rng.choice([(3, 10), (20, 60), (1000, 16_000)])
    kept: dict[str, list[Event]] = {table: [] for table in TABLES}
    acknowledged: dict[str, list[Event]] = {}
    off = asyncio.Event()
    loop = asyncio.get_running_loop()

    def cut_the_power() -> None:  # in the thread that writes or copies, in the middle of anything
        for _ in range(3):  # turns of the loop: then whoever was answered has noted it down
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(PATIENCE)
        acknowledged.update(kept)
        try:
            disk.after_power_cut(rng, folder / "after")
        finally:
            loop.call_soon_threadsafe(off.set)

    (folder / "after").mkdir()
    disk.at_power_cut, disk.cut_after = cut_the_power, disk.done + rng.randint(8, 300)
    playing = [asyncio.ensure_future(play(store, table, rng, kept)) for table in TABLES]
    await off.wait()
    for one in playing:
        one.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await store.close()
    disk.unregister()
    return acknowledged


async def lost_by_a_power_cut(folder: Path, seed: int) -> int:
    """How many acknowledged events are not there, or not the same, when the power is back."""
    acknowledged = await until_the_power_is_cut(folder, seed)
    NOTED["events"] += sum(map(len, acknowledged.values()))
    try:
        store = await open_store(f"sqlite:///{folder}/after/store.db")
    except Problem:  # the whole store is lost
        return sum(map(len, acknowledged.values()))
    lost = 0
    for table, events in acknowledged.items():
        found = await store.events(table)  # or the chain does not hold
        lost += len([event for event in events if event not in found])
        # And the table can be played on.
        await store.append(table, len(found) + 1, [move(10**6)])
    await store.close()
    return lost


def cut(folder: Path, seed: int) -> int:
    own = folder / str(seed)
    own.mkdir()
    lost = asyncio.run(lost_by_a_power_cut(own, seed))
    shutil.rmtree(own)
    return lost


def test_no_acknowledged_event_is_lost_by_a_power_cut(tmp_path: Path) -> None:
    assert [seed for seed in range(CUTS) if cut(tmp_path, seed)] == []
    assert NOTED["events"] > 10 * CUTS  # there was something to lose


@pytest.mark.soak
def test_no_acknowledged_event_is_lost_by_thousands_of_power_cuts(tmp_path: Path) -> None:
    more = counted(CUTS_OF_A_SOAK - CUTS, "power cuts")
    assert [seed for seed in more if cut(tmp_path, CUTS + seed)] == []


def test_a_store_that_synced_less_would_lose_acknowledged_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk of these tests bites: this is why there is no switch for `synchronous=NORMAL`."""
    opened = SqliteConnection._opened

    def careless(self: SqliteConnection) -> apsw.Connection:
        connection = opened(self)
        connection.pragma("synchronous", "normal")
        return connection

    monkeypatch.setattr(SqliteConnection, "_opened", careless)
    losing = [seed for seed in range(15) if cut(tmp_path, seed)]
    assert len(losing) >= 3
