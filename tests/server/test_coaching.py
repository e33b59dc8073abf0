"""The coach: where the table allows it, about one's own decision, and after the end about everything."""

import asyncio
import time

import httpx

from bullpen.server.wire.told import SERVER_MESSAGE
from tests.server.running import Served, people, play_together, seated, started_table

SHORT = {"rounds": 1, "deck": "tactical"}


def test_a_hint_is_one_of_the_moves_offered(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(1, bots=2), coach=True)
        async with seated(server.url, table, tokens[0], "pl") as anna:
            await anna.say(type="hint", decision=anna.asked["number"])
            while (told := await anna.hear(120))["type"] != "hint":
                assert told["type"] != "error"
            SERVER_MESSAGE.validate_python(told)
            offers = {one["action"]: one["label"] for one in anna.asked["moves"]}
            assert told["message"] == offers[told["action"]]
            assert told["details"]["seat"] == 0

    asyncio.run(story())


def test_a_table_without_a_coach_has_no_hints(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            await anna.say(type="hint", decision=anna.asked["number"])
            assert (await anna.hear_of("error"))["key"] == "no_coach"

    asyncio.run(story())


def test_a_finished_game_is_reviewed_when_somebody_asks(server: Served) -> None:
    table, tokens = started_table(server.url, "six-nimmt", people(1, bots=1), options=SHORT)
    address = f"{server.url}/api/tables/{table}/review"
    assert httpx.get(address).json()["key"] == "not_over"
    asyncio.run(play_together(server.url, table, tokens))
    until = time.monotonic() + 300
    while (answer := httpx.get(address)).status_code == 202 and time.monotonic() < until:
        time.sleep(0.2)
    assert answer.status_code == 200
    assert answer.json()["format"] == "bullpen-review"
    assert len(answer.json()["seats"]) == 2
