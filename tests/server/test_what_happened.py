"""Nobody changes what happened: when a game is over nothing is taken back, whoever agrees."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from bullpen.cli import main
from bullpen.server.app import Server
from bullpen.server.play import Play
from bullpen.server.requests import NewTable, SeatWish
from bullpen.server.room import Entry, Room, TakeBack
from bullpen.server.settings import Settings
from tests.patience import PATIENCE
from tests.server.running import (
    Player,
    Served,
    checked,
    people,
    play_together,
    seated,
    served,
    started_table,
)
from tests.server.test_table import nothing_more, run
from tests.store.stories import a_store

GAMES = ["hornochsen", "eleven-nimmt", "x-nimmt", "baron-oxx", "bullenparty", "six-nimmt"]


async def everything_told(server: Served, table: str, tmp_path: Path) -> list[Any]:
    """The result, wherever it is written down; and `verify` says that it follows from the record."""
    address = f"{server.url}/api/tables/{table}"
    async with httpx.AsyncClient() as http:
        replay = checked(await http.get(f"{address}/replay"))
        record = await http.get(f"{address}/record")
        fair = checked(await http.get(f"{address}/fair"))
    file = tmp_path / "record.json"
    file.write_text(record.text)
    assert main(["verify", str(file)]) == 0
    assert replay["turns"][-1]["phase"] == "over"
    assert replay["turns"][-1]["scores"] == replay["result"]["scores"]
    return [replay, record.json(), fair]


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_taken_back_when_the_game_is_over(
    server: Served, game: str, tmp_path: Path
) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, game, people(2))
        await play_together(server.url, table, tokens)
        before = await everything_told(server, table, tmp_path)
        for token in tokens:  # alone: nobody else is there who would have to agree
            async with seated(server.url, table, token) as player:
                assert player.shown["can_undo"] is False
                await player.say(type="undo")
                error = await player.hear_of("error")
                assert error["key"] == "undo_over"
                await player.say(type="look")
                assert (await player.hear_of("view"))["decision"] is None
        assert await everything_told(server, table, tmp_path) == before

    run(story())


def test_who_asks_after_the_end_is_told_why_not_in_their_language(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "hornochsen", people(2))
        await play_together(server.url, table, tokens)
        async with seated(server.url, table, tokens[0], "pl") as anna:
            await anna.say(type="undo")
            assert "skończona" in (await anna.hear_of("error"))["message"]

    run(story())


def test_the_last_decision_and_taking_it_back_at_once_is_the_last_decision(tmp_path: Path) -> None:
    """Both wait in the room together: what was agreed is decided again when its turn comes."""

    async def story() -> None:
        async with a_store(f"sqlite:///{tmp_path}/store.db") as store:
            server = Server(Settings(), store)
            wish = NewTable(game="hornochsen", name="Anna", seats=[SeatWish(kind="person")] * 2)
            (room, _, token), _ = await server.house.create(wish, "here", None)
            await server.house.start(room, token)
            room.after = nothing_follows
            while not ends(entry := next_entry(room), room):
                room.submit(entry)
                await room.settled()
            moves = len(played(room).made) + 1
            room.submit(entry)
            room.submit(TakeBack(entry.seat, moves))
            await room.settled()
            assert played(room).is_over
            assert room.undo_seat is None
            kinds = [event.kind for event in await store.events(room.id)]
            assert kinds == ["shuffle", *["move"] * moves]

    asyncio.run(story())


def nothing_follows(_room: Room) -> None:
    """No bot, no clock, no end."""


def played(room: Room) -> Play:
    assert room.play is not None
    return room.play


def next_entry(room: Room) -> Entry:
    play = played(room)
    (seat, *_) = play.waiting
    return Entry(seat, play.numbers[seat], play.offers(seat)[0], "person")


def ends(entry: Entry, room: Room) -> bool:
    tried = played(room).copy()
    tried.move(entry.seat, entry.decision, entry.action, entry.by)
    return tried.is_over


# -- While they play ----------------------------------------------------------------------------


async def asked_to_undo(anna: Player) -> None:
    await anna.move(anna.asked["moves"][0]["action"])
    assert (await anna.hear_of("view"))["can_undo"] is True
    await anna.say(type="undo")


def test_who_asks_and_goes_asks_no_more(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "hornochsen", people(2))
        async with seated(server.url, table, tokens[1]) as bo:
            async with seated(server.url, table, tokens[0]) as anna:
                await asked_to_undo(anna)
                assert (await bo.hear_of("undo"))["state"] == "asked"
            assert (await bo.hear_of("undo"))["state"] == "declined"
            await bo.say(type="undo_answer", agree=True)
            assert (await bo.hear_of("error"))["key"] == "undo_not_asked"
            await bo.say(type="look")
            assert (await bo.hear_of("view"))["facts"]["played"] == 1

    run(story())


def test_what_is_agreed_to_twice_is_taken_back_once(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "hornochsen", people(2))
        async with (
            seated(server.url, table, tokens[0]) as anna,
            seated(server.url, table, tokens[1]) as bo,
            seated(server.url, table, tokens[1]) as second_device,
        ):
            before = anna.shown["places"]
            await asked_to_undo(anna)
            for one in (bo, second_device):
                await one.hear_of("undo")
            for one in (bo, second_device):
                await one.say(type="undo_answer", agree=True)
            await anna.say(type="undo")
            assert (await anna.hear_of("view"))["places"] == before
            for one in (anna, bo, second_device):
                await nothing_more(one)
            states = [one["state"] for one in anna.told if one["type"] == "undo"]
            assert states.count("done") == 1
            errors = [one["key"] for one in second_device.told + bo.told if one["type"] == "error"]
            assert errors == ["undo_not_asked"]

    run(story())


def test_a_decision_is_not_taken_back_over_a_choice_that_was_made_since(tmp_path: Path) -> None:
    """Not after a restart either: else the choice would be taken out of the record, and the decision stay."""
    server = served(tmp_path)

    async def until_somebody_could(table: str, tokens: list[str]) -> int | None:
        """Somebody may take back a decision of their own, and the other one has laid a card since."""
        async with (
            seated(server.url, table, tokens[0], seed=1) as anna,
            seated(server.url, table, tokens[1], seed=2) as bo,
        ):
            both = (anna, bo)
            while anna.result is None:
                turn = anna.shown["turn"]
                able = [one.shown["can_undo"] for one in both]
                if any(able) and anna.shown["phase"] == "laying":
                    await both[not able.index(True)].move()
                    return able.index(True)
                for one in both:
                    if one.question:
                        await one.move()
                for one in both:
                    while one.shown["turn"] == turn and one.result is None:
                        await one.hear()
                    await nothing_more(one)
        return None

    async def first() -> tuple[str, list[str], int]:
        for _ in range(50):
            table, tokens = started_table(server.url, "x-nimmt", people(2))
            if (seat := await until_somebody_could(table, tokens)) is not None:
                return table, tokens, seat
        raise AssertionError("nobody could take anything back")

    async def then(table: str, tokens: list[str], seat: int) -> None:
        async with seated(server.url, table, tokens[seat]) as asker:
            assert asker.shown["can_undo"] is False
            await asker.say(type="undo")
            assert (await asker.hear_of("error"))["key"] == "undo_impossible"
        await play_together(server.url, table, tokens)
        await everything_told(server, table, tmp_path)

    with server:
        found = asyncio.run(asyncio.wait_for(first(), PATIENCE))
    with server:
        run(then(*found))
