"""Quick match: strangers who want the same find each other, however they come."""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from signal import SIGKILL

import httpx
import pytest

from tests.patience import until, until_soon
from tests.server.running import Json, Served, checked, play_together, seated, served
from tests.server.test_players import Device, devices, refusal

RUN_SOON = (
    "import bullpen.server.seating as s; s.BOTS_AFTER_SECONDS = 1.0;"
    "import bullpen.server.house as h; h.FULL_SECONDS = 0.2;"
    "from bullpen.server.serving import run; from bullpen.server.settings import *;"
    "run(Settings(**from_environment()))"
)


def quick(one: Device, name: str, game: str = "x-nimmt", seats: int = 2) -> httpx.Response:
    return one.post(f"/quick/{game}/{seats}", json={"name": name})


def status(one: Device, table: str) -> str:
    return str(one.get(f"/tables/{table}").json()["lobby"]["status"])


def test_who_waits_gets_the_next_one_and_the_game_starts_by_itself(tmp_path: Path) -> None:
    async def story(server: Served, anna: Device, bert: Device) -> None:
        first = checked(quick(anna, "Anna"))
        async with seated(server.url, first["table"], anna.seat_token(first["table"])) as waiting:
            shown = anna.get("/quick").json()
            assert shown == [{"game": "x-nimmt", "seats": 2, "people": 1}]
            second = checked(quick(bert, "Bert"))
            assert (second["table"], second["seat"]) == (first["table"], 1)
            await waiting.hear_of("view")  # nobody has pressed anything
        assert status(anna, first["table"]) == "playing"
        assert anna.get("/quick").json() == []

    with served(tmp_path, RUN_SOON) as server, devices(server, 2) as (anna, bert):
        asyncio.run(story(server, anna, bert))


def test_many_who_come_at_once_all_find_each_other(tmp_path: Path) -> None:
    count, seats = 12, 3

    async def story(server: Served, all_of: list[Device]) -> None:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(count) as pool:
            async with AsyncExitStack() as sockets:

                async def come(number: int, one: Device) -> str:
                    sat = await loop.run_in_executor(
                        pool, lambda: checked(quick(one, f"P{number}", seats=seats))
                    )
                    table: str = sat["table"]
                    player = seated(server.url, table, one.seat_token(table))
                    await sockets.enter_async_context(player)
                    return table

                tables = await asyncio.gather(
                    *(come(number, one) for number, one in enumerate(all_of))
                )
        assert sorted(Counter(tables).values()) == [seats] * (count // seats)

    with served(tmp_path) as server, devices(server, count) as all_of:
        asyncio.run(story(server, all_of))


def test_two_who_ask_at_the_very_same_time_do_not_sit_on_one_seat(server: Served) -> None:
    async def story(all_of: list[Device]) -> None:
        host = checked(quick(all_of[0], "Host", "bullenparty", 5))
        async with seated(server.url, host["table"], all_of[0].seat_token(host["table"])):
            loop = asyncio.get_running_loop()
            with ThreadPoolExecutor(4) as pool:
                asked = [
                    loop.run_in_executor(pool, quick, one, f"P{number}", "bullenparty", 5)
                    for number, one in enumerate(all_of[1:])
                ]
                sat = [checked(one) for one in await asyncio.gather(*asked)]
            places = [(one["table"], one["seat"]) for one in sat]
            assert sorted(places) == [(host["table"], seat) for seat in (1, 2, 3, 4)]

    with devices(server, 5) as all_of:
        asyncio.run(story(all_of))


def test_who_asks_twice_keeps_the_seat_and_never_meets_themselves(server: Served) -> None:
    async def story(anna: Device, phone: Device) -> None:
        first = checked(quick(anna, "Anna", "hornochsen", 4))
        async with seated(server.url, first["table"], anna.seat_token(first["table"])):
            again = checked(quick(anna, "Anna", "hornochsen", 4))
            checked(phone.use(anna.code()))
            other = checked(quick(phone, "Anna", "hornochsen", 4))
        assert {(one["table"], one["seat"]) for one in (first, again, other)} == {
            (first["table"], 0)
        }

    with devices(server, 2) as (anna, phone):
        asyncio.run(story(anna, phone))


@pytest.mark.parametrize(
    "wish", [{"listed": False}, {"coach": True}, {"options": {"rounds": 1}}, {"bots": 0}]
)
def test_only_tables_as_everybody_knows_them_where_somebody_is(server: Served, wish: Json) -> None:
    """The last one is as printed and listed, but nobody is there."""

    async def story(anna: Device, bert: Device) -> None:
        body = {"listed": True, "options": {}, "game": "eleven-nimmt", "bots": 0, **wish}
        made = anna.table(others=6, **body)
        if "bots" in wish:
            sat = checked(quick(bert, "Bert", "eleven-nimmt", 7))
        else:
            async with seated(server.url, made["table"], anna.seat_token(made["table"])):
                sat = checked(quick(bert, "Bert", "eleven-nimmt", 7))
        assert sat["table"] != made["table"]

    with devices(server, 2) as (anna, bert):
        asyncio.run(story(anna, bert))


def test_after_a_while_whoever_waits_may_go_on_with_bots_and_not_before(tmp_path: Path) -> None:
    async def story(server: Served, anna: Device, bert: Device) -> None:
        table = checked(quick(anna, "Anna", seats=3))["table"]
        async with seated(server.url, table, anna.seat_token(table)):
            checked(quick(bert, "Bert", seats=3))
            assert bert.get(f"/tables/{table}").json()["table"]["bots_in"] <= 1.0
            early = bert.post(f"/tables/{table}/start", json={})
            late = until(lambda: bert.get(f"/tables/{table}").json()["table"]["bots_in"] == 0)
            assert late
            if early.status_code != 200:  # the machine may have been that slow
                assert refusal(early) == (403, "only_the_host")
                checked(bert.post(f"/tables/{table}/start", json={}))
            seats = bert.get(f"/tables/{table}").json()["lobby"]["seats"]
            assert [one["kind"] for one in seats] == ["person", "person", "bot"]

    with served(tmp_path, RUN_SOON) as server, devices(server, 2) as (anna, bert):
        asyncio.run(story(server, anna, bert))


def test_a_size_that_is_none_and_too_many_wishes_are_refused_in_words(tmp_path: Path) -> None:
    with (
        served(tmp_path, BULLPEN_QUICK_PER_MINUTE="2") as server,
        devices(server, 1) as (anna,),
    ):
        assert refusal(quick(anna, "Anna", "x-nimmt", 9)) == (422, "quick_seats")
        answers = [quick(anna, "Anna").status_code for _ in range(5)]
        assert answers.count(429) >= 1
        assert answers[0] == 200


def test_all_workers_send_those_who_want_the_same_to_one(tmp_path: Path) -> None:
    async def story(server: Served, all_of: list[Device]) -> None:
        async with AsyncExitStack() as sockets:
            tables = set()
            for number, one in enumerate(all_of):
                table = checked(quick(one, f"P{number}", "six-nimmt", 6))["table"]
                await sockets.enter_async_context(seated(server.url, table, one.seat_token(table)))
                tables.add(table)
            assert len(tables) == 1

    with (
        served(tmp_path, BULLPEN_WORKERS="2") as server,
        devices(server, 6) as all_of,
    ):
        asyncio.run(story(server, all_of))


def test_a_seat_that_is_kept_for_somebody_keeps_them_from_no_quick_match(server: Served) -> None:
    """Bert is expected at the next game, sits down somewhere else, and is not sent to and fro."""

    async def story(anna: Device, bert: Device) -> None:
        body: Json = {"game": "x-nimmt", "listed": True, "options": {}}
        made = anna.table(bots=1, others=1, **body)
        table = made["table"]
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
        checked(anna.post(f"/tables/{table}/start", json={}))
        tokens = [one.seat_token(table) for one in (anna, bert)]
        await play_together(server.url, table, tokens)
        await until_soon(lambda: anna.get(f"/tables/{table}/record").is_success)
        again = checked(anna.post(f"/tables/{table}/rematch"))["table"]
        checked(anna.post(f"/tables/{again}/seat", json={"seat": 2, "kind": "person"}))
        async with seated(server.url, again, anna.seat_token(again)):
            other = checked(quick(bert, "Bert", seats=3))
            assert other["table"] != again
            checked(bert.post(f"/tables/{table}/rematch"))  # the seat is kept all the same

    with devices(server, 2) as (anna, bert):
        asyncio.run(story(anna, bert))


def test_nobody_is_brought_to_a_table_that_nobody_who_is_there_can_start(tmp_path: Path) -> None:
    """Who only watches is nobody to play with, and where the host is away all others wait for nothing."""

    async def story(server: Served, anna: Device, bert: Device, celina: Device) -> None:
        body: Json = {"game": "six-nimmt", "listed": True, "options": {}}
        table = anna.table(bots=0, others=7, **body)["table"]
        async with seated(server.url, table, None):
            own = checked(quick(celina, "Celina", "six-nimmt", 8))["table"]
            assert own != table
            checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
            checked(celina.post(f"/tables/{own}/leave"))
            async with seated(server.url, table, bert.seat_token(table)):
                own = checked(quick(celina, "Celina", "six-nimmt", 8))["table"]
                assert own != table
                checked(celina.post(f"/tables/{own}/leave"))
                async with seated(server.url, table, anna.seat_token(table)):
                    assert checked(quick(celina, "Celina", "six-nimmt", 8))["table"] == table

    with served(tmp_path) as server, devices(server, 3) as (anna, bert, celina):
        asyncio.run(story(server, anna, bert, celina))


def test_a_full_table_starts_also_where_the_server_was_killed_before(tmp_path: Path) -> None:
    slow = RUN_SOON.replace("FULL_SECONDS = 0.2", "FULL_SECONDS = 10**9")
    with served(tmp_path, slow) as server, devices(server, 2) as (anna, bert):

        async def fill() -> str:
            first = checked(quick(anna, "Anna"))["table"]
            async with seated(server.url, first, anna.seat_token(first)):
                assert checked(quick(bert, "Bert"))["table"] == first
            return str(first)

        table = asyncio.run(fill())
        server.end(SIGKILL)
        server.run = RUN_SOON
        server.start()
        assert status(anna, table) in ("waiting", "playing")
        until(lambda: status(anna, table) == "playing")
