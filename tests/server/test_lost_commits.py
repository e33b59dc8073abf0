"""The answer to a COMMIT is lost on its way: nobody is told anything before the database has said what stands."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from bullpen.server.store import open_store
from tests.patience import PATIENCE
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.proxy import Proxy, When
from tests.server.running import (
    RUN,
    Json,
    Player,
    Served,
    people,
    play_together,
    seated,
    started_table,
)

SHORT = {"rounds": 1, "deck": "tactical"}


@contextmanager
def served_through(url: str, folder: Path, run: str = RUN) -> Iterator[tuple[Served, Proxy]]:
    proxy = Proxy(url)
    try:
        with Served(proxy.url, folder / "log.txt", run) as server:
            yield server, proxy
            assert "Traceback" not in server.log.read_text()
    finally:
        proxy.close()


async def moves_stored(url: str, table: str) -> int:
    store = await open_store(url)
    events = await store.events(table)
    await store.close()
    return sum(event.kind == "move" for event in events)


ANSWERS = ("accepted", "refused", "chosen", "view")


async def answer_in(player: Player, seconds: float) -> Json | None:
    try:
        async with asyncio.timeout(seconds):
            return await answer(player)
    except TimeoutError:
        return None


async def answer(player: Player) -> Json:
    while (told := await player.hear())["type"] not in ANSWERS:
        pass
    return told


@pytest.mark.parametrize(
    ("when", "told", "stored"), [("after", "accepted", 1), ("before", "refused", 0)]
)
def test_a_mover_hears_what_stands_and_nothing_before_it_is_known(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
    when: When,
    told: str,
    stored: int,
) -> None:
    async def story(server: Served, proxy: Proxy) -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2), options=SHORT)
        async with seated(server.url, table, tokens[0]) as anna:
            question = anna.asked
            proxy.cut_commit(b'"move"', when)
            action = question["moves"][0]["action"]
            await anna.say(type="move", decision=question["number"], action=action)
            assert await asyncio.to_thread(proxy.was_cut.wait, PATIENCE)
            assert await answer_in(anna, 1.0) is None
            proxy.mend()
            assert (await answer(anna))["type"] == told
            assert await moves_stored(postgres_url, table) == stored
            # The same once more is accepted, and has no second effect.
            await anna.say(type="move", decision=question["number"], action=action)
            assert (await anna.hear_of("accepted"))["action"] == action
            assert await moves_stored(postgres_url, table) == 1
        await play_together(server.url, table, tokens)

    with served_through(postgres_url, tmp_path) as (server, proxy):
        asyncio.run(story(server, proxy))


@pytest.mark.parametrize(("when", "status", "sits"), [("after", 200, True), ("before", 503, False)])
def test_whoever_joins_hears_what_stands(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
    when: When,
    status: int,
    sits: bool,
) -> None:
    async def story(server: Served, proxy: Proxy) -> None:
        body = {"game": "x-nimmt", "name": "Anna", "seats": people(2), "listed": True}
        table = httpx.post(f"{server.url}/api/tables", json=body).json()["table"]
        async with httpx.AsyncClient(base_url=f"{server.url}/api/tables") as http:
            proxy.cut_commit(b"Cleo", when)
            wish = {"name": "Cleo", "as": "program"}
            joining = asyncio.ensure_future(http.post(f"/{table}/join", json=wish))
            assert await asyncio.to_thread(proxy.was_cut.wait, PATIENCE)
            await asyncio.wait([joining], timeout=0.5)
            assert not joining.done()
            proxy.mend()
            assert (await joining).status_code == status
            shown = (await http.get(f"/{table}")).json()["lobby"]["seats"]
            assert ("Cleo" in [seat["name"] for seat in shown]) == sits

    with served_through(postgres_url, tmp_path) as (server, proxy):
        asyncio.run(story(server, proxy))


IMPATIENT = f"import bullpen.server.store.writer as writer; writer.LOOKING_SECONDS = 0.5; {RUN}"


@pytest.mark.parametrize(("when", "stored"), [("after", 1), ("before", 0)])
def test_a_mover_gets_no_answer_and_comes_back_where_the_database_stays_away(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
    when: When,
    stored: int,
) -> None:
    async def story(server: Served, proxy: Proxy) -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2), options=SHORT)
        async with seated(server.url, table, tokens[0]) as anna:
            question = anna.asked
            proxy.cut_commit(b'"move"', when)
            action = question["moves"][0]["action"]
            await anna.say(type="move", decision=question["number"], action=action)
            await asyncio.wait_for(anna.socket.wait_closed(), PATIENCE)
            assert anna.socket.close_code == 1012
        assert not {told["type"] for told in anna.told} & set(ANSWERS)
        proxy.mend()
        async with seated(server.url, table, tokens[0]) as anna:
            decision = anna.shown["decision"]
            assert (decision["choice"] is not None) == bool(stored)
        await play_together(server.url, table, tokens)

    with served_through(postgres_url, tmp_path, IMPATIENT) as (server, proxy):
        asyncio.run(story(server, proxy))
