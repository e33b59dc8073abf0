"""The coach: where the table allows it, about one's own decision, and after the end about everything."""

import asyncio
import re
import time

import httpx

from bullpen.server.replay import with_names, worded
from bullpen.server.wire.server_messages import SERVER_MESSAGE
from tests.server.running import Served, people, play_together, seated, started_table

WOULD_DO = r"→ rząd [1-4]|zabiera rząd [1-4]: \d+ (głowa|głowy|głów)|wybór: rząd 1, 2, 3, 4"
SHORT = {"rounds": 1, "deck": "tactical"}


def test_a_hint_is_one_of_the_moves_offered(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(1, bots=2), coach=True)
        async with seated(server.url, table, tokens[0], "pl") as anna:
            await anna.say(type="hint", decision=anna.asked["number"])
            while (told := await anna.hear())["type"] != "hint":
                assert told["type"] != "error"
            SERVER_MESSAGE.validate_python(told)
            offers = {one["action"]: one["label"] for one in anna.asked["moves"]}
            assert told["message"] == offers[told["action"]]
            assert told["details"]["seat"] == 0
            means = [one["means"] for one in told["details"]["candidates"]]
            assert len(means) == 10
            assert all(re.fullmatch(WOULD_DO, said) for said in means), means
            why, reason = told["details"]["why"], told["details"]["reason"]
            assert "wyobrażonych kolejek" in why[0] or "wyobrażonych kolejkach" in why[0], why
            assert 0 <= reason["nothing"] <= 1
            assert reason["tables"] >= 100

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
    while (answer := httpx.get(address)).status_code == 202:  # the coach may have to be compiled
        time.sleep(0.2)
    assert answer.status_code == 200
    assert answer.json()["format"] == "bullpen-review"
    assert len(answer.json()["seats"]) == 2
    for one in answer.json()["decisions"]:
        assert "means" not in one


def test_a_reader_of_a_review_is_told_in_their_language_what_a_move_would_have_done() -> None:
    means = {
        "en": {"play 3": "takes row 1", "stop": ""},
        "pl": {"play 3": "bierze rząd 1", "stop": ""},
    }
    candidates = [{"move": "play 3", "lead": 1.0}, {"move": "stop", "lead": 0.0}]
    fine = {"move": "play 5", "candidates": []}
    review = {"decisions": [{"move": "play 3", "candidates": candidates, "means": means}, fine]}
    taking = {"move": "play 3", "lead": 1.0, "means": "bierze rząd 1"}
    told = {"move": "play 3", "candidates": [taking, candidates[1]]}
    assert worded(review, "pl") == [told, fine]


def test_a_review_names_people_as_they_are_called_when_it_is_read() -> None:
    review = {"players": ["Anna", "Bo"], "seats": [{"seat": 1, "name": "Bo", "grades": {}}]}
    assert with_names(review, ["Anna", "Former player"]) == {
        "players": ["Anna", "Former player"],
        "seats": [{"seat": 1, "name": "Former player", "grades": {}}],
    }
