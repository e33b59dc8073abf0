"""Two things that are right by themselves, at the same table at once, in the wrong order, or twice."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from tests.patience import until, until_soon
from tests.server.running import (
    RUN,
    Json,
    Served,
    bearer,
    checked,
    people,
    play_together,
    seated,
    served,
    started_table,
)
from tests.server.test_chairs import At, refused, run
from tests.server.test_players import SHORT, devices, refusal


async def played(server: Served, seats: list[Json]) -> tuple[str, list[str]]:
    table, tokens = started_table(server.url, "six-nimmt", seats, options=SHORT)
    await play_together(server.url, table, tokens)
    return table, tokens


# -- The next game ------------------------------------------------------------------------------


def test_who_comes_to_the_next_game_after_their_seat_was_taken_away_is_told_so(
    server: Served,
) -> None:
    async def story() -> None:
        table, (anna, _, cleo) = await played(server, people(3))
        async with At(server, table) as old:
            host = await old.do("rematch", anna)
            async with At(server, host["table"]) as new:
                await new.do("kick", host["token"], seat=2)
                await new.do("settings", host["token"], seats=2)
                assert refused(await old.ask("rematch", cleo)) == (409, "seat_taken")
                await new.do("settings", host["token"], seats=3)
                assert (await old.do("rematch", cleo))["seat"] == 2

    run(story())


def test_after_the_next_game_was_given_up_there_is_another_next_game(server: Served) -> None:
    async def story() -> None:
        table, (anna,) = await played(server, people(1, 1))
        async with At(server, table) as old:
            first = await old.do("rematch", anna)
            async with At(server, first["table"]) as new:
                await new.do("start", first["token"])
                await new.do("end", first["token"])
            second = await old.do("rematch", anna)
            assert second["table"] != first["table"]
            async with At(server, second["table"]) as new:
                assert (await new.seats())[0]["name"] == "P0"

    run(story())


def test_no_seat_of_the_next_game_is_kept_for_who_was_deleted(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        made = anna.table(bots=0, others=1)
        table = made["table"]
        wish = {"name": "Bert", "invite": made["invite"]}
        checked(bert.post(f"/tables/{table}/join", json=wish))
        checked(anna.post(f"/tables/{table}/start", json={}))
        tokens = [anna.seat_token(table), bert.seat_token(table)]
        asyncio.run(play_together(server.url, table, tokens))
        until(lambda: anna.running() == [])
        checked(bert.delete("/me"))
        new = checked(anna.post(f"/tables/{table}/rematch"))["table"]
        seats = anna.get(f"/tables/{new}").json()["lobby"]["seats"]
        assert [one["reserved_for"] for one in seats] == [None, None]


def test_a_deleted_name_is_not_kept_for_a_seat_of_a_table_that_sleeps(tmp_path: Path) -> None:
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        made = anna.table(bots=0, others=1)
        table = made["table"]
        wish = {"name": "Bert-Otto", "invite": made["invite"]}
        checked(bert.post(f"/tables/{table}/join", json=wish))
        checked(anna.post(f"/tables/{table}/start", json={}))
        tokens = [anna.seat_token(table), bert.seat_token(table)]
        asyncio.run(play_together(server.url, table, tokens))
        until(lambda: anna.running() == [])
        new = checked(anna.post(f"/tables/{table}/rematch"))["table"]
        server.end()
        server.start()  # it does not read tables that have not begun
        checked(bert.delete("/me"))
        assert "Bert-Otto" not in anna.get(f"/tables/{new}").text


# -- Somebody else sits there by now ------------------------------------------------------------

# Who is deleted waits in the door of a table until a file lets them in.
SLOW_DELETION = f"""
import asyncio, os
from bullpen.server import door
through = door.through
async def slowly(room, decide):
    if decide.__name__ == "blank":
        open(os.environ["THERE"], "w").close()
        while not os.path.exists(os.environ["LET_IN"]):
            await asyncio.sleep(0.01)
    await through(room, decide)
door.through = slowly
{RUN}"""


def test_who_sits_down_while_somebody_is_deleted_keeps_the_seat(tmp_path: Path) -> None:
    there, let_in = tmp_path / "there", tmp_path / "let in"
    files = {"THERE": str(there), "LET_IN": str(let_in)}
    with (
        served(tmp_path, SLOW_DELETION, **files) as server,
        devices(server, 3) as (anna, bert, cleo),
        ThreadPoolExecutor(1) as pool,
    ):
        made = anna.table(bots=0, others=1)
        table, invite = made["table"], made["invite"]
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert", "invite": invite}))
        leaving = bearer(bert.seat_token(table))
        deleting = pool.submit(bert.delete, "/me")
        until(there.exists)
        address = f"{server.url}/api/tables/{table}"
        checked(httpx.post(f"{address}/leave", headers=leaving))
        wish = {"name": "Cleo", "invite": invite}
        assert checked(cleo.post(f"/tables/{table}/join", json=wish))["seat"] == 1
        let_in.touch()
        checked(deleting.result())
        assert cleo.get(f"/tables/{table}").json()["seat"] == 1


def test_nobody_takes_along_or_deletes_what_others_have_said_on_their_seat(server: Served) -> None:
    with devices(server, 3) as (anna, bert, cleo):
        made = anna.table(bots=0, others=2, latecomers="welcome")
        table, invite = made["table"], made["invite"]
        wish = {"name": "Bert", "invite": invite}
        checked(bert.post(f"/tables/{table}/join", json=wish))
        checked(anna.post(f"/tables/{table}/start", json={}))

        async def say(token: str, text: str) -> None:
            async with seated(server.url, table, token) as at_table:
                await at_table.say(type="chat", text=text)
                await at_table.hear_of("chat")

        asyncio.run(say(bert.seat_token(table), "Bert was here"))
        checked(bert.post(f"/tables/{table}/leave"))
        wish = {"name": "Cleo", "invite": invite, "seat": 1}
        key = checked(cleo.post(f"/tables/{table}/take-over", json=wish))["request"]
        checked(anna.post(f"/tables/{table}/latecomer", json={"request": 1, "allow": True}))
        checked(cleo.post(f"/tables/{table}/take-over", json={**wish, "request": key}))
        asyncio.run(say(cleo.seat_token(table), "Cleo is here"))
        said = [
            [line["chat.text"] for line in one.get("/me/export").json()["chat"]]
            for one in (anna, bert, cleo)
        ]
        assert said == [[], ["Bert was here"], ["Cleo is here"]]
        checked(bert.delete("/me"))

        async def shown() -> list[str]:
            async with seated(server.url, table, anna.seat_token(table)) as at_table:
                return [line["text"] for line in at_table.told[0]["chat"]]

        assert asyncio.run(shown()) == ["Cleo is here"]
        assert [line["chat.text"] for line in cleo.get("/me/export").json()["chat"]] == [
            "Cleo is here"
        ]


def test_what_was_written_of_a_game_before_somebody_was_deleted_is_not_shown_any_more(
    server: Served,
) -> None:
    with devices(server, 2) as (anna, reader):
        table = anna.started(name="Anna-Sophie")
        asyncio.run(play_together(server.url, table, [anna.seat_token(table)]))
        until(lambda: anna.running() == [])
        for kind in ("replay", "record"):
            assert "Anna-Sophie" in reader.get(f"/tables/{table}/{kind}").text
        checked(anna.delete("/me"))
        for kind in ("replay", "record"):
            answer = reader.get(f"/tables/{table}/{kind}")
            assert answer.status_code == 200
            assert "Anna-Sophie" not in answer.text


# -- The last card is played --------------------------------------------------------------------

# A result is not written down until a file lets it in.
SLOW_END = f"""
import asyncio, os
from bullpen.server.steward import Steward
finish = Steward.finish
async def slowly(self, room):
    open(os.environ["THERE"], "w").close()
    while not os.path.exists(os.environ["LET_IN"]):
        await asyncio.sleep(0.01)
    await finish(self, room)
Steward.finish = slowly
{RUN}"""


def test_a_game_that_is_over_is_not_given_up_before_its_result_is_written(tmp_path: Path) -> None:
    there, let_in = tmp_path / "there", tmp_path / "let in"
    files = {"THERE": str(there), "LET_IN": str(let_in)}
    with served(tmp_path, SLOW_END, **files) as server, devices(server, 1) as (anna,):
        table = anna.started()

        async def play() -> None:
            async with seated(server.url, table, anna.seat_token(table)) as at_table:
                playing = asyncio.create_task(at_table.play_on())
                await until_soon(there.exists)
                answer = await asyncio.to_thread(anna.post, f"/tables/{table}/end")
                assert refusal(answer) == (409, "already_over")
                let_in.touch()
                await playing

        asyncio.run(play())
        until(lambda: anna.running() == [])
        (game,) = anna.get("/mine/finished").json()["games"]
        assert game["table"] == table


# -- Many at once -------------------------------------------------------------------------------

# A table is not made until a file lets it.
SLOW_TABLES = f"""
import asyncio, os
from bullpen.server.house import House
made = House.made
async def slowly(self, header, address, keys):
    while not os.path.exists(os.environ["LET_IN"]):
        await asyncio.sleep(0.01)
    return await made(self, header, address, keys)
House.made = slowly
{RUN}"""


def test_a_limit_holds_for_tables_that_are_made_at_once(tmp_path: Path) -> None:
    let_in = tmp_path / "let in"
    limits = {"BULLPEN_TABLES_PER_PLAYER": "3", "LET_IN": str(let_in)}
    with (
        served(tmp_path, SLOW_TABLES, **limits) as server,
        devices(server, 1) as (anna,),
        ThreadPoolExecutor(6) as pool,
    ):
        let_in.touch()
        anna.table()
        let_in.unlink()
        body = {"game": "six-nimmt", "name": "Anna", "seats": people(1, 1)}
        wishes = [pool.submit(anna.post, "/tables", json=body) for _ in range(6)]
        try:
            until(lambda: sum(one.done() for one in wishes) == 4)
        finally:
            let_in.touch()
        assert sorted(one.result().status_code for one in wishes) == [201] * 2 + [429] * 4
        assert len(anna.running()) == 3


# -- Coming back --------------------------------------------------------------------------------

# Whoever sits down waits in the door of the table until a file lets them in.
SLOW_SITTING = f"""
import asyncio, os
from bullpen.server import door
through = door.through
async def slowly(room, decide):
    if decide.__qualname__.startswith(os.environ["WHO"]):
        open(os.environ["THERE"], "w").close()
        while not os.path.exists(os.environ["LET_IN"]):
            await asyncio.sleep(0.01)
    await through(room, decide)
door.through = slowly
{RUN}"""


def test_who_is_sent_away_while_their_other_device_comes_in_does_not_come_in(
    tmp_path: Path,
) -> None:
    there, let_in = tmp_path / "there", tmp_path / "let in"
    files = {"THERE": str(there), "LET_IN": str(let_in), "WHO": "House.join"}
    with (
        served(tmp_path, SLOW_SITTING, **files) as server,
        devices(server, 3) as (host, phone, laptop),
        ThreadPoolExecutor(1) as pool,
    ):
        table = host.table(others=2, bots=0, listed=True)["table"]
        let_in.touch()
        seat = checked(phone.post(f"/tables/{table}/join", json={"name": "Bo"}))["seat"]
        laptop.use(phone.code())
        let_in.unlink()
        there.unlink()
        coming = pool.submit(laptop.post, f"/tables/{table}/join", json={"name": "Bo too"})
        until(there.exists)
        checked(host.post(f"/tables/{table}/kick", json={"seat": seat}))
        let_in.touch()
        assert refusal(coming.result()) == (403, "sent_away")


# What is decided for somebody who is away comes after a file, and waits in the door of the table for another.
SLOW_STAND_INS = f"""
import asyncio, os
from bullpen.server.room import Room
from bullpen.server.steward import Steward
think, write = Steward._think, Room._write
async def until(name):
    while not os.path.exists(os.environ[name]):
        await asyncio.sleep(0.01)
async def thinking(self, room, questions):
    await until("MOVED")
    await think(self, room, questions)
async def writing(self):
    if any(getattr(entry, "by", "") == "stand_in" for entry in self._inbox):
        open(os.environ["THERE"], "w").close()
        await until("LET_IN")
    await write(self)
Steward._think, Room._write = thinking, writing
{RUN}"""


def test_nobody_waits_for_who_has_come_back_and_gone_again_at_once(tmp_path: Path) -> None:
    there, let_in = tmp_path / "there", tmp_path / "let in"
    moved = tmp_path / "moved"
    files = {"THERE": str(there), "LET_IN": str(let_in), "MOVED": str(moved)}
    with (
        served(tmp_path, SLOW_STAND_INS, BULLPEN_AWAY_SECONDS="0.1", **files) as server,
        devices(server, 3) as (anna, phone, laptop),
    ):
        made = anna.table(bots=0, others=1)
        table = made["table"]
        wish = {"name": "Bert", "invite": made["invite"]}
        checked(phone.post(f"/tables/{table}/join", json=wish))
        laptop.use(phone.code())

        async def play() -> None:
            checked(await asyncio.to_thread(anna.post, f"/tables/{table}/start", json={}))
            async with seated(server.url, table, anna.seat_token(table)) as at_table:
                await at_table.move()
                moved.touch()
                await until_soon(there.exists)  # Bert is away, and a bot has decided for him
                checked(await asyncio.to_thread(laptop.post, f"/tables/{table}/back"))
                let_in.touch()
                await at_table.hear_of("view")  # both have chosen

        asyncio.run(play())


# -- A replay, and room for others or a stop ------------------------------------------------------

SWEPT_AWAY = f"""
from bullpen.server.archive import Archive
file = Archive.file

async def and_then_swept_away(self, *given, **named):
    found = await file(self, *given, **named)
    self.folder.cleanup()
    return found

Archive.file = and_then_swept_away
{RUN}"""


def test_what_is_swept_away_while_it_is_sent_arrives_whole_and_then_is_refused_in_words(
    tmp_path: Path,
) -> None:
    """Found by the fault test: a server that stopped between finding a replay and sending it answered with 500."""
    with served(tmp_path, SWEPT_AWAY) as server:
        table, tokens = started_table(server.url, "x-nimmt", people(2), options={"rounds": 1})
        asyncio.run(play_together(server.url, table, tokens))
        found = httpx.get(f"{server.url}/api/tables/{table}/record")
        assert found.status_code == 200
        assert found.json()["game"] == "x-nimmt"
        assert f'filename="x-nimmt-{table}.json"' in found.headers["content-disposition"]
        gone = httpx.get(f"{server.url}/api/tables/{table}/record")
        assert (gone.status_code, gone.json()["key"]) == (503, "not_made")
        log = server.log.read_text()
    assert "Traceback" not in log, log
