"""A store with very many living tables: a server starts on it, and whoever comes to any of them plays."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.patience import PATIENCE
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import Served, people, seated, started_table
from tests.server.stored import an_id, many_in, token_of

MANY, LATELY = 50_000, 300  # in so many of them something happened a moment ago
DAY = 86_400.0
ASLEEP = [an_id(number) for number in (0, 1, 9_999, 24_000, MANY - LATELY - 1)]
AWAKE = an_id(MANY - 1)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/tables.db"
    found: str = request.getfixturevalue("postgres_url")
    return found


def test_a_server_with_fifty_thousand_tables_starts_and_any_of_them_is_played(
    url: str, tmp_path: Path
) -> None:
    """PostgreSQL as it comes has room for some thousand locks; when a server held one for every living table, moves
    were refused everywhere once there were no more."""
    now = time.time()
    touched = [now - DAY] * (MANY - LATELY) + [now] * LATELY
    asyncio.run(many_in(url, (an_id(number) for number in range(MANY)), touched))
    with Served(url, tmp_path / "log.txt", BULLPEN_LOG="info") as server:
        wait_until_restored(server)
        new, tokens = started_table(server.url, "six-nimmt", people(2))
        asyncio.run(moved(server.url, new, tokens))
        for table in (*ASLEEP, AWAKE):
            asyncio.run(moved(server.url, table, [token_of(table, seat) for seat in range(2)]))
        assert httpx.get(f"{server.url}/healthz").json()["tables"] == LATELY + len(ASLEEP) + 1
        if url.startswith("postgresql:"):
            assert locks_held(url) == 1
        log = server.log.read_text()
        assert "not restored" not in log, log
        assert "Traceback" not in log, log


def wait_until_restored(server: Served) -> None:
    until = time.monotonic() + PATIENCE
    while '"tables restored"' not in (log := server.log.read_text()):
        assert "not restored" not in log, log
        assert time.monotonic() < until, "tables are still being read"
        begun = time.monotonic()
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        assert time.monotonic() - begun < 10
        time.sleep(0.05)


async def moved(url: str, table: str, tokens: list[str]) -> None:
    """Both choose a card, and both see what comes of it."""
    async with seated(url, table, tokens[0]) as anna, seated(url, table, tokens[1]) as bo:
        turn = anna.shown["turn"]
        for player in (anna, bo):
            answer = await player.move()
            assert answer["type"] == "accepted", answer
        for player in (anna, bo):
            while player.shown["turn"] == turn:
                await player.hear()


def locks_held(url: str) -> int:
    with psycopg.connect(url) as connection:
        sql = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'"
        found = connection.execute(sql).fetchone()
    assert found is not None
    return int(found[0])
