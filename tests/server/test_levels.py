"""What a server can and cannot play: levels that need compiled code, and systems that lack parts of ours."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.patience import until
from tests.server.forking import anew
from tests.server.running import (
    RUN,
    Served,
    bearer,
    new_table,
    people,
    play_together,
    seated,
    served,
    started_table,
)

WITHOUT_NUMBA = f"""
import importlib.util, os, sys
sys.modules["numba"] = None
{RUN}"""

# A process that thinks, but cannot compile.
NO_COMPILER = """
import sys
from bullpen.server.thinking import worker

def warm(question):
    raise MemoryError("too little")

worker.ANSWERS["warm"] = warm
worker.main()
"""
CANNOT_COMPILE = f"""
import sys
from bullpen.server.serving import run
from bullpen.server.settings import *
run(Settings(**from_environment()), worker=(sys.executable, "-c", {NO_COMPILER!r}))
"""

# As on Windows: no uvloop, and none of what only Unix has.
ELSEWHERE = f"""
import asyncio, subprocess, sys, types
for name in ("uvloop", "fcntl", "resource"):
    sys.modules[name] = None
locked = types.ModuleType("msvcrt")
locked.LK_NBLCK, locked.locking = 2, lambda handle, how, count: None
sys.modules["msvcrt"] = locked
{RUN}"""


def table(server: Served, level: str) -> httpx.Response:
    wish = {
        "game": "x-nimmt",
        "name": "Ola",
        "seats": people(1, bots=1, level=level),
        "coach": True,
    }
    return httpx.post(f"{server.url}/api/tables", json=wish)


def refusal_of(server: Served, level: str) -> httpx.Response | None:
    answer = table(server, level)
    return answer if answer.is_error else None


def levels(server: Served) -> list[str]:
    return [one["level"] for one in httpx.get(f"{server.url}/api/games").json()["levels"]]


def test_without_numba_the_stronger_levels_are_not_offered_and_refused_in_words(
    tmp_path: Path,
) -> None:
    with served(tmp_path, WITHOUT_NUMBA, anew) as server:
        assert levels(server) == ["easy", "medium"]
        assert table(server, "medium").is_success
        refused = table(server, "expert")
        assert (refused.status_code, refused.json()["key"]) == (422, "level_missing")
        assert "easy, medium" in refused.json()["message"]
        assert asyncio.run(asked_for_a_hint(server)) == "fast_missing"
    assert "no stronger bots and no coach" in server.log.read_text()


async def asked_for_a_hint(server: Served) -> str:
    """The key of what it is answered."""
    name, tokens = started_table(server.url, "x-nimmt", people(2), coach=True)
    async with seated(server.url, name, tokens[0]) as ola:
        await ola.say(type="hint", decision=ola.asked["number"])
        return str((await ola.hear_of("error"))["key"])


def test_a_level_that_cannot_be_compiled_is_refused_and_not_played_by_another(
    tmp_path: Path,
) -> None:
    with served(tmp_path, CANNOT_COMPILE, BULLPEN_WARM="yes") as server:
        refused = until(lambda: refusal_of(server, "hard"))
        assert refused is not None
        assert (refused.status_code, refused.json()["key"]) == (503, "level_failed")
        assert table(server, "easy").is_success
        waiting, tokens = new_table(server.url, "x-nimmt", people(2))
        wish = {"seat": 1, "kind": "bot", "level": "hard"}
        address = f"{server.url}/api/tables/{waiting}/seat"
        arranged = httpx.post(address, json=wish, headers=bearer(tokens[0]))
        assert (arranged.status_code, arranged.json()["key"]) == (503, "level_failed")


def test_every_level_is_offered_where_all_packages_are(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert levels(server) == ["easy", "medium", "hard", "expert"]


def test_a_server_plays_on_the_plain_loop_without_what_only_unix_has(tmp_path: Path) -> None:
    with served(tmp_path, ELSEWHERE, anew) as server:
        name, tokens = started_table(server.url, "x-nimmt", people(1, bots=1))
        asyncio.run(play_together(server.url, name, tokens))
    assert server.process is not None
    assert server.process.returncode == 0, server.log.read_text()


@pytest.mark.parametrize("named", ["tables.db", "./tables.db"])
def test_a_store_can_be_named_by_its_file(
    tmp_path: Path, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Served(named, tmp_path / "log.txt") as server:
        assert table(server, "easy").is_success
    assert (tmp_path / "tables.db").is_file()
