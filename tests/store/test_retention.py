"""What is over is kept for a time: then people are taken out of it, or it is taken away."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from bullpen.cli import main
from bullpen.languages import LANGUAGES
from bullpen.server.header import without_people
from bullpen.server.store import Key, Result, Store
from bullpen.server.store.backup import inspected
from tests.patience import until
from tests.server.running import (
    RUN,
    bearer,
    new_table,
    people,
    play_together,
    served,
    started_table,
)
from tests.store.stories import a_store, a_table, in_loop, results

DAY = 86_400
SEATS = [
    {"kind": "person", "name": "Anna", "device": "a hash", "contribution": "x"},
    {"kind": "bot", "name": "Bella", "device": None},
]
HEADER = {"game": "x-nimmt", "seats": SEATS, "barred": ["another hash"]}


async def filled(store: Store) -> None:
    """Two games over, one under way, one lobby; all but one of the games are old."""
    for table in ("old", "new", "running"):
        await a_table(store, table, events=3)
        await store.say(table, 0, "Anna", "hello")
        key = Key(f"of {table}", 0, "session", "Anna")
        await store.reseat(table, {"state": "playing", "seats": SEATS}, (), [key])
    for table in ("old", "new"):
        results = [Result(0, "Anna", "d", 3, True), Result(1, "Bella", None, 5, False)]
        await store.finish(table, HEADER, "x-nimmt", results)
    await store.create("lobby", "game", {"seats": SEATS})
    await store.release("running")
    long_ago = "UPDATE game_table SET touched = touched - ? WHERE id <> 'new'"
    await store._write("", lambda c: c.run(long_ago, 40 * DAY))  # type: ignore[attr-defined]


async def counts(store: Store, table: str) -> list[int]:
    """Rows of events, chat, tokens, results."""
    names = ("event", "chat", "token", "result")
    sql = [f"SELECT COUNT(*) FROM {name} WHERE table_id = ?" for name in names]
    found = await store._read(lambda c: [c.run(one, table)[0][0] for one in sql])  # type: ignore[attr-defined]
    return list(found)


@in_loop
async def test_people_are_taken_out_of_what_has_been_over_for_long(url: str) -> None:
    async with a_store(url) as store:
        await filled(store)
        before = await store.events("old")
        standings = await store.statistics()
        wish = {"untouched_since": time.time() - 30 * DAY, "limit": 9, "blank": without_people}
        assert await store.prune(how="blank", **wish) == ["old"]  # type: ignore[arg-type]
        assert await store.prune(how="blank", **wish) == []  # type: ignore[arg-type]
        header = await store.header("old")
        assert header is not None
        assert [seat["name"] for seat in header["seats"]] == ["Player 1", "Bella"]
        assert "hash" not in str(header)
        assert header["seats"][0]["contribution"] == "x"  # the deal can still be checked
        assert [result.name for result in await results(store, "old")] == ["Player 1", "Bella"]
        assert await counts(store, "old") == [3, 0, 0, 2]
        assert await store.events("old") == before
        for table in ("new", "running"):
            assert (await counts(store, table))[:3] == [3, 1, 1]
        after = await store.statistics()
        assert [one._replace(name="") for one in after] == [
            one._replace(name="") for one in standings
        ]
    assert inspected(url).damaged == []


@in_loop
async def test_what_has_been_over_for_long_is_deleted_and_its_points_stay(url: str) -> None:
    async with a_store(url) as store:
        await filled(store)
        pruned = await store.prune(
            untouched_since=time.time() - 30 * DAY, limit=9, how="delete", blank=without_people
        )
        assert pruned == ["old"]
        assert await store.header("old") is None
        assert await counts(store, "old") == [0, 0, 0, 2]
        assert [result.name for result in await results(store, "old")] == ["Player 1", "Bella"]
        assert await store.header("running") is not None


@in_loop
async def test_games_that_nobody_goes_on_with_are_given_up_but_not_those_that_are_kept(
    url: str,
) -> None:
    async with a_store(url) as store:
        await filled(store)
        since = time.time() - 30 * DAY
        assert await store.claim("running")
        assert await store.abandon(untouched_since=since, limit=9) == []
        await store.release("running")
        assert await store.abandon(untouched_since=since, limit=9) == ["running"]
        header = await store.header("running")
        assert header is not None
        assert header["state"] == "abandoned"
        assert await store.abandon(untouched_since=since, limit=9) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_says_what_it_would_do_and_does_it_when_told_so(
    url: str, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    async def fill() -> None:
        async with a_store(url) as store:
            await filled(store)

    async def left() -> list[list[int]]:
        async with a_store(url) as store:
            return [await counts(store, table) for table in ("old", "running")]

    asyncio.run(fill())
    before = asyncio.run(left())
    words = ["prune", "--db", url, "--older-than", "30", "--lang", language]
    assert main([*words, "--abandon-after", "35"]) == 0
    said = capsys.readouterr().out
    assert len(said.splitlines()) == 3
    assert "--yes" in said
    assert asyncio.run(left()) == before
    assert main([*words, "--abandon-after", "35", "--yes"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert asyncio.run(left())[0] == [3, 0, 0, 2]
    assert main([*words, "--delete", "--yes"]) == 0
    assert "1" in capsys.readouterr().out
    assert asyncio.run(left())[0] == [0, 0, 0, 2]
    assert inspected(url).damaged == []


@pytest.mark.parametrize("days", ["0", "-1", "many", "inf", "nan"])
def test_a_number_of_days_that_cannot_be_meant_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], days: str
) -> None:
    words = ["prune", "--db", f"sqlite:///{tmp_path}/x.db", f"--older-than={days}", "--yes"]
    assert main(words) == 2
    assert "--older-than" in capsys.readouterr().err


OFTEN = f"import bullpen.server.retention as retention; retention.LOBBY_SECONDS = 0.1; {RUN}"


async def is_kept(url: str, table: str) -> bool:
    async with a_store(url) as store:
        return await store.header(table) is not None


def test_a_server_keeps_names_as_long_as_it_was_told_and_gives_up_what_was_left(
    tmp_path: Path,
) -> None:
    import apsw

    days = {"BULLPEN_KEEP_DAYS": "30", "BULLPEN_ABANDON_DAYS": "30"}
    with served(tmp_path, BULLPEN_LOG="info", **days) as server:
        over, tokens = started_table(
            server.url, "six-nimmt", people(2), options={"rounds": 1, "deck": "tactical"}
        )
        asyncio.run(play_together(server.url, over, tokens))
        while httpx.get(f"{server.url}/api/tables/{over}/record").status_code != 200:
            pass  # the result is being written down
        left, others = started_table(server.url, "six-nimmt", people(2))
        lobby, _ = new_table(server.url, "six-nimmt", people(2))
        server.end()
        file = apsw.Connection(str(tmp_path / "tables.db"))
        file.execute("UPDATE game_table SET touched = touched - ?", [40 * DAY])
        file.close()
        server.run = OFTEN
        server.settings["BULLPEN_LOBBY_MINUTES"] = "0.05"
        server.start()
        until(lambda: '"pruned"' in server.log.read_text())
        shown = httpx.get(f"{server.url}/api/tables/{over}", headers=bearer(tokens[0])).json()
        names = [seat["name"] for seat in shown["lobby"]["seats"]]
        assert names == ["Player 1", "Player 2"]
        assert shown["seat"] is None  # tokens are gone
        answer = httpx.get(f"{server.url}/api/tables/{left}", headers=bearer(others[0]))
        assert (answer.status_code, answer.json()["key"]) == (410, "table_abandoned")
        # Nobody has come there.
        until(lambda: not asyncio.run(is_kept(server.settings["BULLPEN_DB"], lobby)))
        assert "Traceback" not in server.log.read_text()
