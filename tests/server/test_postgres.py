"""The same on PostgreSQL, and with several servers on one database."""

import asyncio
import signal
from pathlib import Path

import httpx

from bullpen.record import replay
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import Served, bearer, people, play_together, seated, started_table

SHORT = {"rounds": 1, "deck": "tactical"}


def test_a_whole_game_on_postgresql(postgres_url: str, tmp_path: Path) -> None:  # noqa: F811
    with Served(postgres_url, tmp_path / "log.txt") as server:
        table, tokens = started_table(server.url, "six-nimmt", people(2, bots=1), options=SHORT)
        players = asyncio.run(play_together(server.url, table, tokens))
        record = httpx.get(f"{server.url}/api/tables/{table}/record").text
        assert replay(record).scores == players[0].ended["scores"]


def test_a_table_is_kept_by_one_server_and_taken_over_when_it_dies(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    async def story(one: Served, other: Served) -> None:
        table, tokens = started_table(one.url, "six-nimmt", people(2), options=SHORT)
        async with seated(one.url, table, tokens[0]) as anna:
            await anna.move()
            answer = httpx.get(f"{other.url}/api/tables/{table}")
            assert (answer.status_code, answer.json()["key"]) == (503, "table_elsewhere")
            await anna.say(type="look")
            before = await anna.hear_of("view")
            one.end(signal.SIGKILL)
        for _ in range(200):  # until the database has noticed
            found = httpx.get(f"{other.url}/api/tables/{table}", headers=bearer(tokens[0]))
            if found.status_code == 200:
                break
            await asyncio.sleep(0.05)
        async with seated(other.url, table, tokens[0]) as anna:
            assert anna.shown["places"] == before["places"]
            assert anna.shown["decision"] == before["decision"]
        await play_together(other.url, table, tokens)

    one = Served(postgres_url, tmp_path / "one.txt")
    other = Served(postgres_url, tmp_path / "other.txt")
    with one, other:
        asyncio.run(story(one, other))
