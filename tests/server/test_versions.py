"""What an earlier Bullpen has kept: its store, and games by rules that have changed since."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import httpx
import pytest

from bullpen.server.store.backup import inspected, restore
from bullpen.server.store.schema import MIGRATIONS
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import (
    RUN,
    Json,
    Served,
    bearer,
    people,
    play_together,
    seated,
    served,
    started_table,
)

# A real one of each: a lobby, a game under way, a finished one with chat, and one of a browser; from version 2 on
# another one of that browser goes on, from version 3 on one of a second device of the same player.
KEPT = Path(__file__).parent.parent / "store" / "versions"


@pytest.fixture(params=["sqlite", "postgresql"])
def old_store(
    request: pytest.FixtureRequest, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    monkeypatch.chdir(tmp_path)  # where a copy is put before PostgreSQL's schema is changed
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgres_url")
        restore(KEPT / f"version-{version}.db", url)
        return url
    shutil.copyfile(KEPT / f"version-{version}.db", tmp_path / "tables.db")
    return f"sqlite:///{tmp_path}/tables.db"


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_server_goes_on_with_the_store_of_an_earlier_version(
    old_store: str, version: int, tmp_path: Path
) -> None:
    known: dict[str, Json] = json.loads((KEPT / f"version-{version}.json").read_text())

    async def story(server: Served) -> None:
        lobby, running, finished = (known[name] for name in ("lobby", "running", "finished"))
        api = f"{server.url}/api/tables"
        assert [one["table"]["id"] for one in httpx.get(api).json()] == [lobby["table"]]
        started = httpx.post(f"{api}/{lobby['table']}/start", headers=bearer(lobby["tokens"][0]))
        assert started.status_code == 200
        async with seated(server.url, running["table"], running["tokens"][0]) as anna:
            assert anna.shown["places"] == running["places"]
            assert anna.shown["decision"] == running["decision"]
            assert [line["text"] for line in anna.told[0]["chat"]] == ["hello Bert"]
        await play_together(server.url, running["table"], running["tokens"])
        async with seated(server.url, finished["table"], finished["tokens"][0]) as anna:
            assert anna.ended["scores"] == finished["scores"]
            assert len(anna.told[0]["chat"]) == 2
        device = {"cookie": f"device={known['browser']['device']}"}
        found = httpx.get(f"{server.url}/api/statistics", headers=device).json()
        assert found == known["browser"]["statistics"]
        # Who played before there were players finds everything again, and becomes one with the next game.
        mine = httpx.Client(base_url=f"{server.url}/api", headers={**device, "origin": server.url})
        over = mine.get("/mine/finished").json()["games"]
        assert [one["table"] for one in over] == known["browser"].get(
            "finished", [over[0]["table"]]
        )
        running_there = [one["table"] for one in mine.get("/mine/running").json()]
        assert running_there == known["browser"].get("running", [])
        assert mine.get("/me").json() == {"player": known["browser"].get("player")}
        wish = {"name": "Celina", "colour": 3, "language": "pl"}
        assert mine.put("/me", json=wish).status_code == 200
        assert mine.get("/me").json()["player"]["name"] == "Celina"
        told = mine.get("/me/export").json()
        assert len(told["results"]) == len(over)
        # Of games before there were ratings nobody wrote down who they were played by: only new ones are rated.
        assert (told["ratings"], mine.get("/ratings").json()) == ([], [])
        if recovery := known["browser"].get("recovery"):
            with httpx.Client(base_url=f"{server.url}/api") as another:
                another.headers["origin"] = server.url
                assert another.post("/me/use", json={"code": recovery}).json()["devices"] == 3
        mine.close()

    with Served(old_store, tmp_path / "log.txt") as server:
        asyncio.run(story(server))
        assert "Traceback" not in server.log.read_text()
    assert inspected(old_store).damaged == []
    assert len(MIGRATIONS) > 1
    (backup,) = tmp_path.glob(f"*.version-{version}.*.backup")
    assert inspected(f"sqlite:///{backup}").tables == 3 + version


NEXT_RULES = f"from bullpen.games import GAMES; GAMES['six-nimmt'].RULES = 2; {RUN}"


def test_games_of_other_rules_are_set_aside_and_finished_ones_still_tell_their_result(
    tmp_path: Path,
) -> None:
    short = {"rounds": 1, "deck": "tactical"}
    with served(tmp_path) as server:
        running, tokens = started_table(server.url, "six-nimmt", people(2), options=short)
        over, others = started_table(server.url, "six-nimmt", people(2), options=short)
        scores = asyncio.run(play_together(server.url, over, others))[0].ended["scores"]
        of_another_game, _ = started_table(server.url, "x-nimmt", people(2))
        while httpx.get(f"{server.url}/api/tables/{over}/record").status_code != 200:
            pass  # the result is being written down
        server.end()
        server.run = NEXT_RULES
        server.start()
        for path in (running, f"{running}/replay"):
            answer = httpx.get(f"{server.url}/api/tables/{path}", headers=bearer(tokens[0]))
            assert (answer.status_code, answer.json()["key"]) == (410, "table_other_rules")
        answer = httpx.get(f"{server.url}/api/tables/{over}")
        assert (answer.status_code, answer.json()["key"]) == (410, "table_other_rules_over")
        assert f"P0 {scores[0]}, P1 {scores[1]}" in answer.json()["message"]
        assert httpx.get(f"{server.url}/api/tables/{of_another_game}").status_code == 200
        new, tokens = started_table(server.url, "six-nimmt", people(2), options=short)
        server.end()
        server.start()  # by the same rules as these
        asyncio.run(play_together(server.url, new, tokens))
        server.end()
        server.run = RUN  # the rules that the first was begun with are back
        server.start()
        assert httpx.get(f"{server.url}/api/tables/{running}").status_code == 200
        assert httpx.get(f"{server.url}/api/tables/{new}").status_code == 410
        assert "Traceback" not in server.log.read_text()
