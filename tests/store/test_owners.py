"""Promise 22: several processes on one PostgreSQL never fork the history of a table."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
from random import Random

import psycopg
import pytest

from bullpen.server.store import Conflict, NotOwner, Store, StoreUnavailable, open_store, sql_store
from tests.patience import PATIENCE
from tests.postgres import Postgres
from tests.store.leases import BEATS, come_back, fall_silent, has_renewed
from tests.store.stories import a_store, a_table, all_tables, in_loop, move
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
    async with a_store(postgres_url) as one, a_store(postgres_url) as two:
        for table in ("alpha", "beta"):
            await a_table(one, table, events=1)
        await one.finish("alpha", {}, "x-nimmt", [])
        await one.update("beta", {"state": "abandoned"})
        assert await two.claim("alpha")
        assert await two.claim("beta")


MANY = 50_000


@in_loop
async def test_fifty_thousand_tables_are_kept_with_one_lock_and_taken_over_from_who_dies(
    postgres: Postgres, postgres_url: str
) -> None:
    """With the database's usual settings, which have room for some thousand locks."""
    async with a_store(postgres_url, "first") as first, a_store(postgres_url, "second") as second:
        make_many(postgres_url)
        assert len(await first.adopt(within=math.inf, limit=MANY)) == MANY
        for store in (first, second):
            await a_table(store, f"of {store.claims.name}")  # type: ignore[attr-defined]
        locks = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'"
        assert await second._read(lambda c: c.run(locks)) == [(2,)]  # type: ignore[attr-defined]
        assert not await second.claim("many 7")
        assert await second.adopt(within=math.inf, limit=MANY) == []
        written = [first.append(f"many {n}", 1, [move(1)]) for n in range(300)]
        assert len(await asyncio.gather(*written)) == 300
        await first.close()
        assert await second.claim("many 7")
        taken = await second.adopt(within=math.inf, limit=MANY)
        assert len(taken) == MANY  # all but that one, and the table of the first
        assert set(taken[:300]) == {f"many {n}" for n in range(300)} - {"many 7"} | {"of first"}
        with pytest.raises(Conflict) as refused:
            await second.append("many 8", 1, [move(1)])
        assert refused.value.stored is not None


def make_many(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(
            """INSERT INTO game_table SELECT 'many ' || n, 'game', 'playing', '{}', '', 0,
                encode(sha256(convert_to(E'bullpen-table-1\\nmany ' || n, 'UTF8')), 'hex'),
                '', 1, 0, 0, NULL, 0 FROM generate_series(0, %s) AS n""",
            [MANY - 1],
        )


@in_loop
async def test_who_asks_for_the_store_while_it_closes_is_told_so(postgres_url: str) -> None:
    """Also in the moment in which the question is on its way to the database."""
    async with a_store(postgres_url, "closing") as closing:
        asking = asyncio.create_task(closing.probe())
        await asyncio.sleep(0)  # asked, not answered
        await closing.close()
        with pytest.raises(StoreUnavailable, match="store is closed"):
            await asking


@in_loop
async def test_tables_of_a_process_that_hangs_are_free_when_its_lease_has_run_out(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection is there, and holds its lock."""
    async with a_store(postgres_url, "healthy") as healthy:
        monkeypatch.setattr(sql_store, "BEATS_OF_A_LEASE", BEATS)
        async with a_store(postgres_url, "hanging") as hanging:
            await a_table(hanging, events=1)
            await a_table(hanging, "beta")
            await has_renewed(hanging)
            assert not await healthy.claim("alpha")
            await fall_silent(hanging)
            async with asyncio.timeout(PATIENCE):
                while not await healthy.claim("alpha"):
                    await asyncio.sleep(0.05)
            await healthy.append("alpha", 2, [move(2)])
            await come_back(hanging)  # and renew its lease
            assert await anext(hanging.lost()) == "alpha"
            for written in (
                hanging.append("alpha", 3, [move(3)]),
                hanging.update("alpha", {}),
                hanging.say("alpha", 0, "Anna", "hello?"),
                hanging.reseat("alpha", {}, [0], []),
            ):
                with pytest.raises(NotOwner):
                    await written
            await hanging.append("beta", 1, [move(1)])  # nobody has taken this one
            assert not await healthy.claim("beta")


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
                for table in await all_tables(store):
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
