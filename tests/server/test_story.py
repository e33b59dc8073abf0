"""What was told before is told again in another language: the same, in other words, and nothing more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bullpen.games import GAMES
from bullpen.server.story import LINES
from bullpen.server.wire.server_messages import SERVER_MESSAGE
from bullpen.text import voice
from tests.server.running import (
    Player,
    Served,
    new_table,
    people,
    play_together,
    seated,
    started_table,
)

Json = dict[str, Any]


def lines_of(player: Player) -> list[Json]:
    """All that this seat was told, from the deal on."""
    views = [one["view"] if one["type"] == "welcome" else one for one in player.told]
    views = [one for one in views if one and one["type"] == "view"]
    steps = {view["turn"]: view["steps"] for view in views}
    return [
        {"event": step["event"]["event"], "text": step["text"]}
        for turn in sorted(steps)
        for step in steps[turn]
        if step["event"] is not None
    ]


async def story_for(player: Player, language: str) -> Json:
    await player.say(type="language", language=language)
    await player.say(type="story")
    told = await player.hear_of("story")
    SERVER_MESSAGE.validate_python(told)
    assert told["language"] == language
    return told


@pytest.mark.parametrize("game", GAMES)
def test_the_story_in_ones_own_language_is_what_one_was_told(server: Served, game: str) -> None:
    """So it tells nobody of a card that they did not see."""

    async def story() -> None:
        table, tokens = started_table(server.url, game, people(2))
        players = await play_together(server.url, table, tokens)
        for seat, language in enumerate(("en", "pl")):
            async with seated(server.url, table, tokens[seat], language) as again:
                told = await story_for(again, language)
            assert told["lines"] == lines_of(players[seat])[-LINES:]

    asyncio.run(story())


def test_in_another_language_the_same_has_happened(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(1, bots=2))
        async with seated(server.url, table, tokens[0]) as anna:
            await anna.say(type="chat", phrase="hello")
            await anna.hear_of("chat")
            for _ in range(3):
                turn = anna.shown["turn"]
                await anna.move()
                while anna.shown["turn"] == turn or anna.question is None:
                    await anna.hear()
            heard = lines_of(anna)
            english, polish = await story_for(anna, "en"), await story_for(anna, "pl")
            assert [one["event"] for one in english["lines"]] == [
                one["event"] for one in polish["lines"]
            ]
            assert english["lines"] == heard
            assert any("dokłada" in one["text"] for one in polish["lines"])
            assert polish["chat"][0]["text"] == voice("pl").say("server.phrases.hello")
            assert polish["phrases"][0]["text"] == voice("pl").say("server.phrases.hello")
            assert polish["result"] is None

    asyncio.run(story())


def test_a_clock_that_ran_out_is_told_again(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(1, bots=1), clock=5)
        async with seated(server.url, table, tokens[0]) as anna:
            await anna.hear_of("view")
            told = [line for line in lines_of(anna) if line["event"] == "time_up"]
            assert told == [{"event": "time_up", "text": "Your time ran out; a bot chose for you."}]
            again = await story_for(anna, "pl")
            assert {"event": "time_up", "text": voice("pl").say("server.time_up_you")} in again[
                "lines"
            ]

    asyncio.run(story())


def test_of_a_choice_that_is_not_turned_up_nothing_is_told(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            before = await story_for(anna, "en")
            await anna.move()
            assert await story_for(anna, "en") == before

    asyncio.run(story())


def test_before_the_start_there_is_no_story(server: Served) -> None:
    async def story() -> None:
        table, tokens = new_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            assert (await story_for(anna, "pl"))["lines"] == []

    asyncio.run(story())
