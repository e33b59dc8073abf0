"""Promise 18: bits that flip and files that are cut short are found, or do no harm; never is a game
replayed that was not played."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import apsw
import pytest

from bullpen.cards import Problem
from bullpen.server.store import Event, Json, NewEvent, Store, TableDamaged
from tests.soaking import counted
from tests.store.stories import a_store, a_table, check, in_loop, move

DAMAGES = 300
DAMAGES_OF_A_SOAK = 10_000

# What is said where the damage hits what all tables share, or a table's own place in the store.
WHOLE = {
    "store_damaged",
    "store_no_database",
    "store_closed",
    "store_io",
    "store_no_table",
    "store_newer",
}

Kept = dict[str, tuple[Json | None, list[Event]]]


async def a_full_store(path: Path) -> Kept:
    kept: Kept = {}
    async with a_store(f"sqlite:///{path}") as store:
        for n in range(8):
            table = await a_table(store, f"table {n}")
            for seq in range(1, 20):
                await store.append(table, seq, [move(seq, text=f"play {n * 13 + seq}")])
            kept[table] = (await store.header(table), await store.events(table))
    return kept


def spoil(path: Path, rng: Random) -> None:
    content = bytearray(path.read_bytes())
    how = rng.choice(["bit", "bit", "bits", "byte", "zeros", "short", "swapped"])
    if how in ("bit", "bits"):
        for _ in range(1 if how == "bit" else rng.randint(2, 40)):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    elif how == "byte":
        content[rng.randrange(len(content))] = rng.randrange(256)
    elif how == "zeros":  # a sector that was never written
        at = rng.randrange(len(content) // 512) * 512
        content[at : at + 512] = bytes(512)
    elif how == "short":
        del content[rng.randrange(len(content)) :]
    else:  # two pages in each other's place
        one, other = (rng.randrange(len(content) // 4096) * 4096 for _ in range(2))
        content[one : one + 4096], content[other : other + 4096] = (
            content[other : other + 4096],
            content[one : one + 4096],
        )
    path.write_bytes(content)


async def found_in(path: Path, kept: Kept) -> Counter[str]:
    """What became of each table: the same, or found to be damaged.  Anything else is a wrong replay."""
    seen: Counter[str] = Counter()
    try:
        async with a_store(f"sqlite:///{path}") as store:
            for table, (header, events) in kept.items():
                seen[await found_of(store, table, header, events)] += 1
    except Problem as refused:
        seen[refused.key] += 1
    assert set(seen) <= {"same", "set aside", *WHOLE}
    return seen


async def found_of(store: Store, table: str, header: Json | None, events: list[Event]) -> str:
    damage = await check(store, table)
    if damage is None:
        assert await store.events(table) == events
        assert await store.header(table) == header
        return "same"
    assert damage.good == events[: len(damage.good)]
    assert damage.header in (header, None)
    # SQLite complains of a page once, when it first loads it, though the cells of this table may be
    # whole.  So the second reading may succeed; then it must be right.
    with suppress(TableDamaged):
        assert await store.events(table) == events
    return "set aside"


def damages(tmp_path: Path, seeds: range) -> Counter[str]:
    whole, path = tmp_path / "whole.db", tmp_path / "spoilt.db"
    kept = asyncio.run(a_full_store(whole))
    seen: Counter[str] = Counter()
    for at in counted(len(seeds), "damages"):
        for beside in tmp_path.glob("spoilt.db*"):
            beside.unlink()
        shutil.copy(whole, path)
        spoil(path, Random(seeds[at]))
        seen += asyncio.run(found_in(path, kept))
    return seen


def test_damage_is_found_or_harmless_and_only_what_is_hit_is_set_aside(tmp_path: Path) -> None:
    seen = damages(tmp_path, range(DAMAGES))
    assert seen["set aside"] > 10
    assert seen["store_damaged"] > 10
    assert seen["same"] > seen["set aside"]


@pytest.mark.soak
def test_thousands_of_damages_are_found_or_harmless(tmp_path: Path) -> None:
    assert damages(tmp_path, range(DAMAGES, DAMAGES_OF_A_SOAK))["set aside"] > 10


# -- Changes of one's own making: what SQLite itself would never notice -------------------------------

CHANGES = {
    "another move": ("UPDATE event SET payload = replace(payload, '43', '44') WHERE seq = 3", 3),
    "another seat": ("UPDATE event SET seat = 1 WHERE seq = 3", 3),
    "another kind": ("UPDATE event SET kind = 'bot' WHERE seq = 3", 3),
    "another time": ("UPDATE event SET time = time + 1 WHERE seq = 3", 3),
    "an event cut out": ("DELETE FROM event WHERE seq = 3", 3),
    "the end cut off": ("DELETE FROM event WHERE seq >= 4", 4),
    "two events exchanged": (
        "UPDATE event SET seq = -seq WHERE seq IN (2, 3); UPDATE event SET seq = 5 + seq WHERE seq < 0",
        2,
    ),
    "an event too many": (
        "INSERT INTO event SELECT table_id, 6, seat, 99, kind, payload, time, hash FROM event WHERE seq = 5",
        6,
    ),
    "a header of another game": ("UPDATE game_table SET header = replace(header, 'x-', 'y-')", 6),
    "a state that was never written": ("UPDATE game_table SET state = 'lobby'", 6),
}


@pytest.mark.parametrize("change", CHANGES)
@in_loop
async def test_a_change_behind_the_stores_back_is_found(tmp_path: Path, change: str) -> None:
    path, (sql, damaged_from) = tmp_path / "store.db", CHANGES[change]
    async with a_store(f"sqlite:///{path}") as store:
        await a_table(store, events=5)
        written = await store.events("alpha")
    apsw.Connection(str(path)).execute(sql)
    async with a_store(f"sqlite:///{path}") as store:
        damage = await check(store, "alpha")
        assert damage is not None
        assert damage.seq == damaged_from
        assert damage.good == written[: damaged_from - 1]
        assert (damage.header is None) == ("game_table" in sql)
        with pytest.raises(TableDamaged):
            await store.events("alpha")
        # Its neighbours do not notice.
        await a_table(store, "beta", events=2)
        assert len(await store.events("beta")) == 2


@in_loop
async def test_the_chain_of_one_table_is_none_for_another(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with a_store(f"sqlite:///{path}") as store:
        for table in ("alpha", "beta"):
            await store.create(table, "game", {})
            await store.append(table, 1, [NewEvent(None, None, "start", {})])
    apsw.Connection(str(path)).execute(
        "UPDATE event SET hash = (SELECT hash FROM event WHERE table_id = 'alpha') WHERE table_id = 'beta'"
    )
    async with a_store(f"sqlite:///{path}") as store:
        assert await check(store, "alpha") is None
        assert await check(store, "beta") is not None
