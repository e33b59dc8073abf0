"""Tables over days in the store, on either database: whose time is up, who is told, and what is left of it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from bullpen.server.header import Header, SeatTaken, without_former
from bullpen.server.store import Conflict, Store
from bullpen.server.store.deadlines import Deadline
from tests.store.stories import a_store, all_tables, in_loop, move

ANNA, BERT, PHONE = ("a" * 32, "b" * 32, "c" * 32)
DAY = 86_400.0
LATER = time.time() + 3 * DAY


def header(*devices: str, state: str = "playing", clock: float = 3 * DAY) -> dict[str, Any]:
    seats = [SeatTaken(kind="person", name=one[0], device=one) for one in devices]
    return Header(game="six-nimmt", options={}, seats=seats, state=state, clock=clock).model_dump()


def asked(decision: int, due: float | None = LATER, *, here: bool = False) -> list[Deadline]:
    """Of two seats, of which the second one is meant."""
    return [Deadline(0, 1, None, True, False), Deadline(1, decision, due, here, False)]


async def a_table(store: Store, table: str = "alpha") -> None:
    await store.create(table, "six-nimmt", header(ANNA, BERT))
    await store.append(table, 1, [move(1)], asked(1))


async def told(store: Store) -> list[tuple[str, int, list[str]]]:
    turns = await store.pushes.tell(10)
    return [(one.table, one.seat, [to.endpoint for to in one.addresses]) for one in turns]


async def bert_wants_to_know(store: Store) -> None:
    await store.players.meet(BERT, "Bert", 1, "pl")
    assert await store.pushes.subscribe(BERT, "https://push.example/b", "key", "auth")


@in_loop
async def test_a_deadline_is_stored_with_the_move_or_not_at_all(url: str) -> None:
    async with a_store(url) as store:
        await a_table(store)
        assert [one.due for one in await store.deadlines.of("alpha")] == [None, LATER]
        with pytest.raises(Conflict):
            await store.append("alpha", 7, [move(9)], asked(2, 1.0))
        assert [one.due for one in await store.deadlines.of("alpha")] == [None, LATER]
        assert await store.deadlines.overdue(LATER - 1) == []
        assert await store.deadlines.overdue(LATER) == ["alpha"]
        await store.update("alpha", header(ANNA, BERT, state="finished"))
        assert await store.deadlines.overdue(LATER) == []


@in_loop
async def test_somebody_is_told_once_until_they_come_whoever_tells_them(url: str) -> None:
    async with a_store(url) as store, a_store(url) as other:
        await bert_wants_to_know(store)
        await a_table(store)
        assert await other.pushes.untold()
        both = await asyncio.gather(told(store), told(other))
        assert [one for some in both for one in some] == [("alpha", 1, ["https://push.example/b"])]
        await store.append("alpha", 2, [move(2)], asked(2))  # a bot has stood in
        assert not await store.pushes.untold()
        await store.deadlines.came("alpha", 1)
        await store.append("alpha", 3, [move(3)], asked(2))  # the same question as before
        assert not await store.pushes.untold()
        await store.append("alpha", 4, [move(4)], asked(3, here=True))
        assert not await store.pushes.untold()
        await store.append("alpha", 5, [move(5)], asked(4))
        assert len(await told(other)) == 1


@in_loop
async def test_a_push_is_wanted_until_its_person_comes_decides_or_switches_it_off(url: str) -> None:
    async with a_store(url) as store:
        await bert_wants_to_know(store)
        for table in ("came", "decided", "off"):
            await a_table(store, table)
        turns = {one.table: one for one in await store.pushes.tell(10)}
        assert set(turns) == {"came", "decided", "off"}
        assert [one.addresses[0].language for one in turns.values()] == ["pl"] * 3
        for turn in turns.values():
            assert await store.pushes.is_wanted(turn, BERT)
        await store.deadlines.came("came", 1)
        await store.append("decided", 2, [move(2)], asked(2, None))
        assert not await store.pushes.is_wanted(turns["came"], BERT)
        assert not await store.pushes.is_wanted(turns["decided"], BERT)
        assert await store.pushes.is_wanted(turns["off"], BERT)
        await store.pushes.unsubscribe(BERT)
        assert not await store.pushes.is_wanted(turns["off"], BERT)


@in_loop
async def test_all_devices_of_a_player_are_told_and_none_of_who_was_deleted(url: str) -> None:
    async with a_store(url) as store:
        await bert_wants_to_know(store)
        assert not await store.pushes.subscribe(PHONE, "https://push.example/p", "key", "auth")
        await store.players.give_code(BERT, "hash", "recovery", None)
        await store.players.use_code(PHONE, "hash", 20)
        assert await store.pushes.subscribe(PHONE, "https://push.example/p", "key", "auth")
        await a_table(store)
        assert [len(to) for _, _, to in await told(store)] == [2]
        exported = await store.players.data_of(BERT)
        assert exported is not None
        assert [one["device"] for one in exported["pushes"]] == [BERT, PHONE]
        assert "push.example" not in str(exported)
        await store.players.delete(PHONE, "Former player", without_former)
        assert not await store.pushes.is_subscribed(BERT)
        assert not await store.pushes.is_subscribed(PHONE)


@in_loop
async def test_a_browser_that_is_another_device_now_is_told_once(url: str) -> None:
    async with a_store(url) as store:
        await bert_wants_to_know(store)
        await store.players.meet(ANNA, "Anna", 1, "en")
        assert await store.pushes.subscribe(ANNA, "https://push.example/b", "key", "auth")
        assert not await store.pushes.is_subscribed(BERT)
        await store.pushes.drop("https://push.example/b")
        assert not await store.pushes.is_subscribed(ANNA)


@in_loop
async def test_the_key_of_a_server_is_drawn_once(url: str) -> None:
    async with a_store(url) as store, a_store(url) as other:
        keys = await asyncio.gather(
            store.pushes.key(lambda: "first"), other.pushes.key(lambda: "second")
        )
        assert keys[0] == keys[1]
        assert await store.pushes.key(lambda: "third") == keys[0]


@in_loop
async def test_no_game_is_given_up_before_its_clock_says_so(url: str) -> None:
    async with a_store(url) as store, a_store(url) as keeper:
        far = time.time() + DAY
        await a_table(store)
        await store.release("alpha")
        assert await keeper.abandon(untouched_since=far, limit=10) == []
        assert await keeper.abandon(untouched_since=far, limit=10, who="alone") == []
        await store.deadlines.put("alpha", asked(1, time.time() - 1))
        await store.release("alpha")
        assert await keeper.abandon(untouched_since=far, limit=10) == ["alpha"]


@in_loop
async def test_who_has_days_to_decide_has_days_to_sit_down(url: str) -> None:
    async with a_store(url) as store, a_store(url) as keeper:
        await store.create("slow", "six-nimmt", header(ANNA, state="lobby"))
        await store.create("quick", "six-nimmt", header(ANNA, state="lobby", clock=60.0))
        for table in ("slow", "quick"):
            await store.release(table)
        assert await keeper.reap(untouched_since=time.time() + 120) == ["quick"]
        assert await all_tables(store) == ["slow"]
