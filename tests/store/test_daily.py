"""Deals of the day in the store, on either database: one attempt of a player, and one of a network that is counted."""

from __future__ import annotations

import asyncio

import pytest

from bullpen.server.store import Result
from bullpen.server.store.daily import HOUSE
from tests.store.stories import a_store, in_loop

ANNA, PHONE, BERT = ("a" * 32, "d" * 32, "b" * 32)
DAY, GAME = "2026-11-17", "six-nimmt"


@in_loop
async def test_a_player_begins_a_deal_once_on_whichever_device(url: str) -> None:
    async with a_store(url) as store:
        await store.daily.root(DAY)
        await store.players.meet(ANNA, "Anna", 1, "en")
        await store.players.give_code(ANNA, "code", "once", 2**40)
        assert await store.players.use_code(PHONE, "code", 20)
        assert await store.daily.begin("one", DAY, GAME, ANNA, "here")
        assert not await store.daily.begin("two", DAY, GAME, ANNA, "here")
        assert not await store.daily.begin("three", DAY, GAME, PHONE, "there")
        assert await store.daily.begin("four", DAY, "x-nimmt", PHONE, "there")
        assert await store.daily.begin("five", "2026-11-18", GAME, PHONE, "there")
        assert await store.daily.begin("six", DAY, GAME, BERT, "there")


@in_loop
async def test_of_a_network_who_has_finished_before_anybody_else_begins_is_counted(
    url: str,
) -> None:
    async def counted() -> list[str]:
        return [one.table for one in await store.daily.on(DAY) if one.is_counted]

    async with a_store(url) as store:
        await store.daily.root(DAY)
        await store.create("one", GAME, {"state": "playing"})
        await store.daily.begin("one", DAY, GAME, ANNA, "here")
        await store.daily.begin("expert", DAY, GAME, HOUSE, None)
        await store.daily.begin("elsewhere", DAY, GAME, PHONE, "there")
        await store.daily.begin("other", DAY, "x-nimmt", BERT, "here")
        assert sorted(await counted()) == ["elsewhere", "one", "other"]
        await store.finish("one", {"state": "playing"}, GAME, [Result(0, "Anna", ANNA, 3, True)])
        await store.daily.begin("two", DAY, GAME, BERT, "here")
        await store.daily.begin("three", DAY, GAME, "c" * 32, "there")  # where one has not finished
        assert sorted(await counted()) == ["one", "other"]


@in_loop
async def test_of_two_who_begin_at_once_at_two_processes_one_is_the_first(
    request: pytest.FixtureRequest,
) -> None:
    url: str = request.getfixturevalue("postgres_url")
    async with a_store(url) as store, a_store(url) as other:
        await store.daily.root(DAY)
        for number in range(20):
            day = f"2026-12-{number + 1:02}"
            await asyncio.gather(
                store.daily.begin(f"{number} a", day, GAME, ANNA, "here"),
                other.daily.begin(f"{number} b", day, GAME, BERT, "here"),
            )
            found = await store.daily.on(day)
            assert [one.is_counted for one in found] == [False, False]  # neither has finished
