"""What happens at one table: choices, changes, taking back, chat, spectators, coming and going."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import httpx
import pytest

from bullpen.text import voice
from tests.patience import PATIENCE
from tests.server.running import (
    Player,
    Served,
    bearer,
    checked,
    new_table,
    people,
    play_together,
    seated,
    started_table,
)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE))


async def nothing_more(player: Player) -> None:
    """Everything that was on its way has come."""
    await player.say(type="ping")
    await player.hear_of("pong")


def test_a_choice_is_secret_and_can_be_changed_until_the_last_one_is_in(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with (
            seated(server.url, table, tokens[0]) as anna,
            seated(server.url, table, tokens[1]) as bo,
        ):
            first, second = (one["action"] for one in anna.asked["moves"][:2])
            number = anna.asked["number"]
            answer = await anna.move(first)
            assert answer == {
                "type": "accepted",
                "decision": number,
                "action": first,
                "next": number + 1,
            }
            assert await bo.hear_of("chosen") == {"type": "chosen", "seats": [0]}
            await anna.say(type="look")
            view = await anna.hear_of("view")
            assert view["decision"]["choice"] == first
            assert view["decision"]["number"] == number + 1
            await anna.say(type="move", decision=number + 1, action=second)
            assert (await anna.hear_of("accepted"))["action"] == second
            await nothing_more(bo)
            assert [one["type"] for one in bo.told].count("chosen") == 1
            await bo.move()
            reveal = (await bo.hear_of("view"))["steps"][0]["event"]
            assert reveal["event"] == "reveal"
            assert reveal["cards"][0] == second
            await anna.hear_of("view")
            await anna.say(type="move", decision=number + 2, action=first)
            refused = await anna.hear_of("refused")
            assert refused["key"] == "decision_past"

    run(story())


def test_a_refused_move_names_the_rule_in_the_language_of_the_reader(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(1, bots=1))
        async with seated(server.url, table, tokens[0], "pl") as anna:
            mine = {one["action"] for one in anna.asked["moves"]}
            other = next(card for card in range(1, 105) if card not in mine)
            answer = await anna.move(other)
            assert answer["rule"] == "SN-3"
            assert answer["key"] == "card_not_in_hand"
            assert "nie jest możliwe" in answer["message"] or "możliw" in answer["message"].lower()

    run(story())


def test_the_same_move_sent_again_has_one_effect_and_the_same_answer(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "hornochsen", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            question = anna.asked
            action = question["moves"][0]["action"]
            for _ in range(5):
                await anna.say(type="move", decision=question["number"], action=action)
            answers = [await anna.hear_of("accepted") for _ in range(5)]
            assert all(answer == answers[0] for answer in answers)
            other = question["moves"][1]["action"]
            await anna.say(type="move", decision=question["number"], action=other)
            assert (await anna.hear_of("refused"))["key"] == "decision_answered"
            await anna.say(type="look")
            assert (await anna.hear_of("view"))["facts"]["played"] == 1

    run(story())


def test_a_decision_is_taken_back_when_all_agree(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "hornochsen", people(2))
        async with (
            seated(server.url, table, tokens[0]) as anna,
            seated(server.url, table, tokens[1]) as bo,
        ):
            before = anna.shown
            await anna.move(before["decision"]["moves"][0]["action"])
            assert (await anna.hear_of("view"))["can_undo"] is True
            await anna.say(type="undo")
            assert (await bo.hear_of("undo"))["waiting"] == [1]
            await bo.say(type="undo_answer", agree=False)
            assert (await anna.hear_of("undo"))["state"] == "asked"
            assert (await anna.hear_of("undo"))["state"] == "declined"
            await anna.say(type="undo")
            assert (await bo.hear_of("undo"))["state"] == "declined"
            assert (await bo.hear_of("undo"))["state"] == "asked"
            await bo.say(type="undo_answer", agree=True)
            assert (await bo.hear_of("undo"))["state"] == "done"
            after = await anna.hear_of("view")
            assert after["places"] == before["places"]
            assert after["decision"]["number"] > before["decision"]["number"]

    run(story())


def test_what_was_revealed_is_not_taken_back(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with (
            seated(server.url, table, tokens[0]) as anna,
            seated(server.url, table, tokens[1]) as bo,
        ):
            await anna.move()
            await bo.move()
            view = await anna.hear_of("view")
            assert view["can_undo"] is False
            await anna.say(type="undo")
            assert (await anna.hear_of("error"))["key"] == "undo_impossible"

    run(story())


def test_phrases_are_read_in_each_readers_language(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with (
            seated(server.url, table, tokens[0], "en") as anna,
            seated(server.url, table, tokens[1], "pl") as bo,
        ):
            await anna.say(type="chat", phrase="well_played")
            said = await bo.hear_of("chat")
            assert said["text"] == voice("pl").say("server.phrases.well_played")
            assert said["name"] == "P0"
            await bo.say(type="chat", text="  Dobra   gra  ")
            said = await anna.hear_of("chat")
            assert said["phrase"] == "well_played"
            said = await anna.hear_of("chat")
            assert (said["text"], said["seat"]) == ("Dobra gra", 1)
        async with seated(server.url, table, tokens[0], "pl") as anna:
            chat = anna.told[0]["chat"]
            assert [line["phrase"] for line in chat] == ["well_played", None]
            assert chat[0]["text"] == voice("pl").say("server.phrases.well_played")

    run(story())


def test_spectators_see_only_what_everybody_sees(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with (
            seated(server.url, table, None) as watcher,
            seated(server.url, table, tokens[0]) as anna,
        ):
            assert watcher.shown["decision"] is None
            assert watcher.shown["places"]["hand 0"] == 10
            assert watcher.shown["places"]["hand 1"] == 10
            assert len(anna.shown["places"]["hand 0"]) == 10
            await watcher.say(type="move", decision=1, action=1)
            assert (await watcher.hear_of("refused"))["key"] == "only_players"
            await watcher.say(type="chat", text="psst")
            assert (await watcher.hear_of("error"))["key"] == "only_players"
            await anna.move()
            assert await watcher.hear_of("chosen") == {"type": "chosen", "seats": [0]}

    run(story())


def test_a_table_without_spectators_has_none(server: Served) -> None:
    table, _ = started_table(server.url, "six-nimmt", people(2), spectators=False)
    address = f"{server.url}/api/tables/{table}/socket"
    upgrade = {"connection": "upgrade", "upgrade": "websocket"}
    upgrade |= {"sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}
    answer = httpx.get(address, headers=upgrade)
    assert answer.status_code == 403
    assert answer.json()["key"] == "no_spectators"


def test_who_is_sent_away_has_no_seat_any_more(server: Served) -> None:
    async def story() -> None:
        table, tokens = new_table(server.url, "six-nimmt", people(3))
        async with (
            httpx.AsyncClient(base_url=f"{server.url}/api/tables/{table}") as http,
            seated(server.url, table, tokens[1]) as sent_away,
            seated(server.url, table, tokens[0]) as host,
        ):
            kicked = await http.post("/kick", json={"seat": 1}, headers=bearer(tokens[2]))
            assert kicked.json()["key"] == "only_the_host"
            kicked = await http.post("/kick", json={"seat": 1}, headers=bearer(tokens[0]))
            assert kicked.status_code == 200
            assert (await sent_away.hear_of("closing"))["key"] == "sent_away"
            await asyncio.wait_for(sent_away.socket.wait_closed(), PATIENCE)
            assert sent_away.socket.close_code == 1000
            shown = (await host.hear_of("lobby"))["lobby"]["seats"][1]
            assert (shown["kind"], shown["connected"]) == ("open", False)
            assert (await http.post("/leave", headers=bearer(tokens[1]))).status_code == 403
            assert (await http.post("/leave", headers=bearer(tokens[2]))).status_code == 200
            started = await http.post("/start", headers=bearer(tokens[0]))
            assert started.status_code == 200
            lobby = checked(httpx.get(f"{server.url}/api/tables/{table}"))["lobby"]
            assert [seat["kind"] for seat in lobby["seats"]] == ["program", "bot", "bot"]

    run(story())


def test_the_same_people_play_again(server: Served) -> None:
    async def story() -> None:
        options = {"rounds": 1, "deck": "tactical"}
        table, tokens = started_table(server.url, "six-nimmt", people(2), options=options)
        await play_together(server.url, table, tokens)
        async with httpx.AsyncClient(base_url=f"{server.url}/api/tables") as http:
            answers = [
                checked(await http.post(f"/{table}/rematch", headers=bearer(token)))
                for token in tokens
            ]
            assert answers[0]["table"] == answers[1]["table"]
            assert [answer["seat"] for answer in answers] == [0, 1]
            again, new_tokens = answers[0]["table"], [answer["token"] for answer in answers]
            start = await http.post(f"/{again}/start", headers=bearer(new_tokens[0]))
            assert start.status_code == 200
        players = await play_together(server.url, again, new_tokens)
        assert players[0].told[0]["lobby"]["seats"][1]["name"] == "P1"

    run(story())


def test_a_practice_table_has_the_same_cards_every_time(server: Served) -> None:
    async def story() -> None:
        seen = []
        for _ in range(2):
            table, tokens = started_table(server.url, "x-nimmt", people(1, bots=2), practice=7)
            async with seated(server.url, table, tokens[0]) as anna:
                assert anna.told[0]["fair"]["commitment"] is None
                seen.append(anna.shown["places"])
        assert seen[0]["hand 0"] == seen[1]["hand 0"]
        assert seen[0]["row 1"] == seen[1]["row 1"]

    run(story())


def test_at_a_practice_table_the_same_play_meets_the_same_choices(server: Served) -> None:
    async def story() -> None:
        games = []
        for _ in range(2):
            wishes = {"practice": 7, "options": {"rounds": 1}}
            table, tokens = started_table(server.url, "x-nimmt", people(1, bots=3), **wishes)
            await play_together(server.url, table, tokens)
            record = checked(httpx.get(f"{server.url}/api/tables/{table}/record"))
            # In which order they were heard is chance.
            games.append([[m for m in record["moves"] if m["seat"] == seat] for seat in range(4)])
        assert games[0] == games[1]

    run(story())


@pytest.mark.parametrize("game", ["six-nimmt", "bullenparty"])
def test_a_replay_shows_every_card_and_ends_with_the_result(server: Served, game: str) -> None:
    async def story() -> None:
        options = {"rounds": 1} if game == "six-nimmt" else {}
        table, tokens = started_table(server.url, game, people(1, bots=2), options=options)
        running = httpx.get(f"{server.url}/api/tables/{table}/replay")
        assert running.json()["key"] == "not_over"
        (anna,) = await play_together(server.url, table, tokens)
        replay = checked(httpx.get(f"{server.url}/api/tables/{table}/replay?lang=pl"))
        last = replay["turns"][-1]
        assert last["phase"] == "over"
        assert last["scores"] == anna.ended["scores"] == replay["result"]["scores"]
        assert all(0 not in cards for cards in replay["turns"][0]["places"].values())
        assert len(replay["turns"][0]["places"]["hand 1"]) >= 6
        # However many kinds of cards are shuffled, it is one deal.
        dealt = [step["event"]["event"] for step in replay["turns"][0]["steps"]]
        assert dealt.count("deal") == 1

    run(story())


def test_in_a_replay_you_is_who_reads_it_whatever_the_chair(server: Served) -> None:
    async def story() -> None:
        short = {"rounds": 1, "deck": "tactical"}
        table, tokens = started_table(server.url, "six-nimmt", people(2), options=short)
        await play_together(server.url, table, tokens)
        address, mine = f"{server.url}/api/tables/{table}", bearer(tokens[0])
        assert checked(httpx.get(address, headers=mine))["seat"] == 0
        assert checked(httpx.get(address))["seat"] is None

        def told(**asked: Any) -> tuple[int | None, list[str]]:
            replay = checked(httpx.get(f"{address}/replay?lang=en", **asked))
            steps = [step for turn in replay["turns"] for step in turn["steps"]]
            placed = [step for step in steps if step["event"]["event"] == "place"]
            return replay["you"], [step["text"].split()[0] for step in placed]

        you, by_me = told(headers=mine)
        assert you == 0
        assert set(by_me) == {"You", "P1"}
        assert told(headers=mine, params={"lang": "en", "seat": 1}) == (0, by_me)
        nobody, names = told()
        assert nobody is None
        assert names == [{"You": "P0"}.get(name, name) for name in by_me]

    run(story())
