"""Promise 22: several processes on one PostgreSQL never fork the history of a table."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from random import Random

import psycopg
import pytest

from bullpen.server.store import Conflict, NotOwner, Store, StoreUnavailable, open_store
from tests.postgres import Postgres
from tests.store.stories import a_store, a_table, in_loop, move
from tests.store.test_kills import killed_after, started, stored


@in_loop
async def test_a_table_has_one_owner_at_a_time(postgres_url: str) -> None:
    async with a_store(postgres_url, "one") as one, a_store(postgres_url, "two") as two:
        await a_table(one, events=1)
        assert not await two.claim("alpha")
        with pytest.raises(NotOwner):
            await two.append("alpha", 2, [move(2)])
        with pytest.raises(NotOwner):
            await two.update("alpha", {"state": "finished"})
        assert await one.claim("alpha")
        await one.append("alpha", 2, [move(2)])
        assert await two.events("alpha") == await one.events("alpha")
        await one.release("alpha")
        assert await two.claim("alpha")
        await two.append("alpha", 3, [move(3)])
        with pytest.raises(NotOwner):
            await one.append("alpha", 4, [move(4)])
        assert len(await one.events("alpha")) == 3


@in_loop
async def test_a_finished_table_belongs_to_nobody(postgres_url: str) -> None:
    """The locks of all games ever played would not fit into the database."""
    async with a_store(postgres_url) as one, a_store(postgres_url) as two:
        for table in ("alpha", "beta"):
            await a_table(one, table, events=1)
        await one.finish("alpha", {}, "x-nimmt", [])
        await one.update("beta", {"state": "abandoned"})
        locks = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'"
        assert await two._read(lambda c: c.run(locks)) == [(0,)]  # type: ignore[attr-defined]
        assert await two.claim("alpha")
        assert await two.claim("beta")


@in_loop
async def test_an_owner_whose_connection_was_cut_is_fenced_once_another_has_the_table(
    postgres: Postgres, postgres_url: str
) -> None:
    """It does not know that it has lost the table, and its next place in the table is still free."""
    async with a_store(postgres_url, "stale") as stale, a_store(postgres_url, "new") as new:
        await a_table(stale, events=2)
        assert postgres.disconnect(postgres_url) >= 2
        assert await new.claim("alpha")
        for _ in range(2):
            with pytest.raises(NotOwner):
                await stale.append("alpha", 3, [move(3)])
        await new.append("alpha", 3, [move(3)])
        assert not await stale.claim("alpha")
        assert len(await stale.events("alpha")) == 3


@in_loop
async def test_the_epoch_alone_refuses_a_stale_owner(postgres: Postgres, postgres_url: str) -> None:
    """Even where the new owner has gone again, so that the lock is free: it may have played."""
    async with a_store(postgres_url, "stale") as stale:
        await a_table(stale, events=2)
        postgres.disconnect(postgres_url)
        async with a_store(postgres_url, "short") as short:
            assert await short.claim("alpha")
        with pytest.raises(NotOwner):
            await stale.append("alpha", 3, [move(3)])
        assert await stale.claim("alpha")
        await stale.append("alpha", 3, [move(3)])


@in_loop
async def test_an_owner_whose_connection_was_cut_goes_on_if_nobody_took_the_table(
    postgres: Postgres, postgres_url: str
) -> None:
    async with a_store(postgres_url) as store:
        await a_table(store, events=2)
        postgres.disconnect(postgres_url)
        await store.append("alpha", 3, [move(3)])
        async with a_store(postgres_url, "other") as other:
            assert not await other.claim("alpha")  # the lock is held again


@in_loop
async def test_a_server_that_is_gone_refuses_and_one_that_is_back_serves_without_a_restart(
    postgres: Postgres, postgres_url: str
) -> None:
    async with a_store(postgres_url) as store:
        await a_table(store, events=2)
        postgres.stop()
        try:
            with pytest.raises(StoreUnavailable) as refused:
                await store.append("alpha", 3, [move(3)])
            assert (refused.value.key, refused.value.stored) == ("store_lost", "nothing")
            with pytest.raises(StoreUnavailable):
                await store.events("alpha")
        finally:
            postgres.start()
        assert len(await store.events("alpha")) == 2
        await store.append("alpha", 3, [move(3)])


@in_loop
async def test_others_are_woken_by_an_append_and_read_it_by_its_number(postgres_url: str) -> None:
    async with a_store(postgres_url) as writing, a_store(postgres_url) as reading:
        await a_table(writing)
        changes = reading.changes()
        assert await asyncio.wait_for(anext(changes), 10) == ""
        written = await writing.append("alpha", 1, [move(1)])
        assert await asyncio.wait_for(anext(changes), 10) == "alpha"
        assert await reading.events("alpha", after=0) == written


@in_loop
async def test_two_processes_in_each_others_way_both_finish(postgres_url: str) -> None:
    """Both write chat to the same tables in opposite orders, which a database may call a deadlock."""
    async with a_store(postgres_url) as one, a_store(postgres_url) as two:
        tables = [f"t{n}" for n in range(10)]
        for table in tables:
            await a_table(one, table)

        async def talk(store: Store, order: list[str]) -> None:
            for _ in range(5):
                await asyncio.gather(*(store.say(table, 0, "Anna", "hi") for table in order))

        await asyncio.gather(talk(one, tables), talk(two, tables[::-1]))
        for table in tables:
            assert [line.number for line in await one.chat(table)] == list(range(1, 11))


@in_loop
async def test_a_row_in_somebodys_hands_holds_up_its_own_table_only(postgres_url: str) -> None:
    async with a_store(postgres_url) as store:
        for table in ("alpha", "beta"):
            await a_table(store, table)
        with psycopg.connect(postgres_url) as hanging:
            hanging.execute("SELECT * FROM game_table WHERE id = 'alpha' FOR UPDATE")
            held, free = await asyncio.gather(
                *(store.append(table, 1, [move(1)]) for table in ("alpha", "beta")),
                return_exceptions=True,
            )
        assert isinstance(held, StoreUnavailable)
        assert (held.key, held.stored) == ("store_busy", "nothing")
        assert await store.events("beta") == free
        await store.append("alpha", 1, [move(1)])


def test_another_process_takes_over_the_tables_of_one_that_was_killed(postgres_url: str) -> None:
    killed_after(postgres_url, 20)
    kept = asyncio.run(stored(postgres_url))

    async def take_over() -> None:
        async with a_store(postgres_url) as store:
            for table, events in kept.items():
                assert await store.claim(table)
                seq = len(events) + 1
                await store.append(table, seq, [move(seq)])

    asyncio.run(take_over())


def test_a_process_that_sleeps_through_the_loss_of_its_tables_wakes_up_fenced(
    postgres: Postgres, postgres_url: str
) -> None:
    """Stopped in the middle of anything, cut off, replaced, and then it goes on."""
    rng = Random(5)
    for _ in range(3):
        sleeper = started(postgres_url)
        assert sleeper.stdout
        for _ in range(rng.randint(1, 60)):
            assert sleeper.stdout.readline()
        os.kill(sleeper.pid, signal.SIGSTOP)
        postgres.disconnect(postgres_url)

        async def replace(sleeper: subprocess.Popen[bytes]) -> int:
            async with a_store(postgres_url) as store:
                for table in await store.all_tables():
                    assert await store.claim(table)
                    seq = len(await store.events(table)) + 1
                    await store.append(table, seq, [move(seq)])
                os.kill(sleeper.pid, signal.SIGCONT)
                return await asyncio.to_thread(sleeper.wait, 30)

        # It ends of NotOwner, or of a commit whose answer it never got: in either case it stored nothing.
        assert asyncio.run(replace(sleeper)) == 1
        sleeper.stdout.close()
        for events in asyncio.run(stored(postgres_url)).values():
            assert [event.decision for event in events] == list(range(1, len(events) + 1))


@in_loop
async def test_on_sqlite_too_a_second_process_fences_the_first(tmp_path: object) -> None:
    """There one process is meant to have the file; if two do, no history forks."""
    url = f"sqlite:///{tmp_path}/store.db"
    one, two = await open_store(url), await open_store(url)
    await a_table(one, events=1)
    with pytest.raises(Conflict):
        await two.append("alpha", 1, [move(1)])
    await two.append("alpha", 2, [move(2)])
    with pytest.raises(NotOwner):
        await one.append("alpha", 3, [move(3)])
    await one.close()
    await two.close()
