"""Who comes back: a player on several devices, their tables, and what is left of them when they are deleted."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.patience import until
from tests.server.running import (
    Json,
    Served,
    bearer,
    checked,
    new_table,
    people,
    seated,
    served,
)

SHORT = {"rounds": 1, "deck": "tactical"}


class Device(httpx.Client):
    """A browser, with cookies of its own."""

    def __init__(self, server: Served) -> None:
        super().__init__(base_url=f"{server.url}/api", headers={"origin": server.url})

    def table(self, *, bots: int = 1, others: int = 0, name: str = "Anna", **wishes: Any) -> Json:
        body = {
            "game": "six-nimmt",
            "name": name,
            "seats": people(1 + others, bots),
            "clock": None,
            "options": SHORT,
            **wishes,
        }
        return checked(self.post("/tables", json=body))

    def started(self, **wishes: Any) -> str:
        table: str = self.table(**wishes)["table"]
        checked(self.post(f"/tables/{table}/start", json={}))
        return table

    def seat_token(self, table: str) -> str:
        """Of the cookie that no script can read."""
        return next(
            str(one.value) for one in self.cookies.jar if one.name == "seat" and table in one.path
        )

    def secret(self) -> str:
        return next(str(one.value) for one in self.cookies.jar if one.name == "device")

    def running(self) -> list[Json]:
        found: list[Json] = self.get("/mine/running").json()
        return found

    def player(self) -> Json | None:
        found: Json | None = self.get("/me").json()["player"]
        return found

    def code(self) -> str:
        return str(checked(self.post("/me/code"))["code"])

    def use(self, code: str) -> httpx.Response:
        return self.post("/me/use", json={"code": code})


@contextmanager
def devices(server: Served, count: int) -> Iterator[list[Device]]:
    found = [Device(server) for _ in range(count)]
    try:
        yield found
    finally:
        for one in found:
            one.close()


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["key"]


# -- Who one is ---------------------------------------------------------------------------------


def test_a_player_is_made_with_the_first_game_and_not_before(server: Served) -> None:
    with devices(server, 2) as (anna, looker):
        assert anna.player() is None
        anna.table()
        known = anna.player()
        assert known is not None
        assert (known["name"], known["language"], known["devices"]) == ("Anna", "en", 1)
        looker.get("/tables")
        looker.get("/mine/running")
        assert looker.player() is None
        assert not list(looker.cookies.jar)
        assert refusal(looker.post("/me/code")) == (404, "no_player")
    before = httpx.post(
        f"{server.url}/api/tables",
        json={"game": "x-nimmt", "name": "P", "seats": people(1, 1), "as": "program"},
    )
    assert "set-cookie" not in before.headers  # a program has no device


def test_name_colour_and_language_can_be_changed_and_the_last_name_counts(server: Served) -> None:
    with devices(server, 1) as (anna,):
        anna.table()
        changed = checked(anna.put("/me", json={"name": "Ania", "colour": 4, "language": "pl"}))
        assert (changed["name"], changed["colour"], changed["language"]) == ("Ania", 4, "pl")
        anna.table(name="Anka")
        assert (anna.player() or {})["name"] == "Anka"
        bad_colours: list[Json] = [{"colour": colour} for colour in (6, -1, "4", 4.0, True, None)]
        for bad in (*bad_colours, {"language": "xx"}, {"name": ""}, {"name": "\u202eevil"}):
            wish = {"name": "Ania", "colour": 4, "language": "pl", **bad}
            assert anna.put("/me", json=wish).status_code == 422


# -- Several devices ----------------------------------------------------------------------------


def test_a_code_brings_a_second_device_to_the_same_tables_once(server: Served) -> None:
    with devices(server, 3) as (phone, laptop, thief):
        table = phone.started()
        own = laptop.started(name="Anna too")  # what was played there comes along
        code = phone.code()
        assert checked(laptop.use(code.upper().replace("-", " ")))["devices"] == 2
        assert {one["table"] for one in laptop.running()} == {table, own}
        assert laptop.running() == phone.running()
        assert refusal(thief.use(code)) == (403, "code_unknown")
        assert refusal(laptop.use(code)) == (403, "code_unknown")
        assert thief.player() is None
        assert thief.running() == []


def test_of_several_devices_that_use_a_code_at_once_one_gets_in(server: Served) -> None:
    with devices(server, 6) as (anna, *others):
        anna.table()
        code = anna.code()
        with ThreadPoolExecutor(len(others)) as pool:
            found = [one.status_code for one in pool.map(lambda one: one.use(code), others)]
        assert sorted(found) == [200, 403, 403, 403, 403]


def test_a_new_code_ends_the_one_before_and_a_recovery_code_stays(server: Served) -> None:
    with devices(server, 4) as (anna, second, third, fourth):
        anna.table()
        old, new = anna.code(), anna.code()
        assert refusal(second.use(old)) == (403, "code_unknown")
        assert second.use(new).status_code == 200
        printed = checked(anna.post("/me/recovery"))["code"]
        assert third.use(printed).status_code == 200
        assert fourth.use(printed).status_code == 200
        newer = checked(anna.post("/me/recovery"))["code"]
        assert newer != printed
        with devices(server, 1) as (late,):
            assert refusal(late.use(printed)) == (403, "code_unknown")


def test_codes_cannot_be_guessed_for_long(tmp_path: Path) -> None:
    with (
        served(tmp_path, BULLPEN_CODES_PER_MINUTE="3") as server,
        devices(server, 2) as (anna, evil),
    ):
        anna.table()
        code = anna.code()
        wrong = ["", "a", "ż" * 100, "x" * 101, "abcd-efgh-ijkm", code[:-1]]
        found = [evil.use(guess).status_code for guess in wrong]
        assert found[:3] == [403, 403, 403]
        assert found[3] == 422
        assert found[4:] == [429, 429]
        late = evil.use(code)  # also with the right one
        assert refusal(late) == (429, "too_many_codes")
        assert int(late.headers["retry-after"]) > 0


async def sees_it_go_on_elsewhere(server: Served, phone: Device, laptop: Device) -> None:
    table = phone.started(bots=2)
    assert laptop.use(phone.code()).status_code == 200
    assert refusal(laptop.post(f"/tables/{table}/leave")) == (403, "not_your_seat")
    async with seated(server.url, table, phone.seat_token(table)) as at_phone:
        await at_phone.move()
        assert checked(phone.post(f"/tables/{table}/back"))["seat"] == 0  # changes nothing
        back = checked(laptop.post(f"/tables/{table}/back"))
        assert (back["seat"], back["token"]) == (0, None)
        assert (await at_phone.hear_of("closing"))["key"] == "seat_elsewhere"
    async with seated(server.url, table, laptop.seat_token(table)) as at_laptop:
        while not at_laptop.question:
            await at_laptop.hear()
        assert (await at_laptop.move())["type"] == "accepted"
    old = bearer(phone.seat_token(table))
    assert httpx.post(f"{server.url}/api/tables/{table}/leave", headers=old).status_code == 403


def test_a_game_goes_on_on_another_device_and_the_seat_keeps_one_token(server: Served) -> None:
    with devices(server, 2) as (phone, laptop):
        asyncio.run(sees_it_go_on_elsewhere(server, phone, laptop))


def test_nobody_comes_back_to_the_seat_of_another(server: Served) -> None:
    with devices(server, 2) as (anna, evil):
        table = anna.started()
        evil.table(name="Eve")
        assert refusal(evil.post(f"/tables/{table}/back")) == (403, "not_your_seat")
        assert refusal(evil.post(f"/tables/{table}/end")) == (403, "not_your_seat")
        program, _ = new_table(server.url, "six-nimmt", people(2))
        assert refusal(evil.post(f"/tables/{program}/back")) == (403, "not_your_seat")
        stranger = httpx.post(f"{server.url}/api/tables/{table}/back")
        assert refusal(stranger) == (403, "not_your_seat")


def test_who_was_sent_away_does_not_come_in_on_their_other_device(server: Served) -> None:
    with devices(server, 3) as (host, phone, laptop):
        made = host.table(others=2, bots=0)
        wish = {"name": "Bo", "invite": made["invite"]}
        seat = checked(phone.post(f"/tables/{made['table']}/join", json=wish))["seat"]
        laptop.use(phone.code())
        checked(host.post(f"/tables/{made['table']}/kick", json={"seat": seat}))
        invite = checked(host.post(f"/tables/{made['table']}/invite"))["invite"]
        for one in (phone, laptop):
            again = one.post(f"/tables/{made['table']}/join", json={**wish, "invite": invite})
            assert refusal(again) == (403, "sent_away")


# -- My tables ----------------------------------------------------------------------------------


def test_my_tables_tell_whose_turn_it_is_also_while_they_sleep(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_SLEEP_SECONDS="0") as server, devices(server, 2) as (anna, bert):
        alone = anna.started()
        made = anna.table(bots=0, others=1)
        lobby = anna.table(bots=0, others=1)["table"]
        table = made["table"]
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert", "invite": made["invite"]}))
        checked(anna.post(f"/tables/{table}/start", json={}))

        async def anna_moves() -> None:
            async with seated(server.url, table, anna.seat_token(table)) as at_table:
                await at_table.move()

        asyncio.run(anna_moves())
        until(lambda: httpx.get(f"{server.url}/healthz").json()["tables"] == 1)  # the lobby alone
        mine = {one["table"]: one for one in anna.running()}
        assert anna.running()[0]["table"] == alone
        assert (mine[alone]["your_turn"], mine[alone]["alone"]) == (True, True)
        assert (mine[table]["your_turn"], mine[table]["alone"]) == (False, False)
        assert (mine[table]["waiting"], mine[table]["status"]) == ([1], "playing")
        assert (mine[lobby]["waiting"], mine[lobby]["status"]) == ([], "waiting")
        assert [seat["name"] for seat in mine[table]["seats"]] == ["Anna", "Bert"]
        assert [one["your_turn"] for one in bert.running()] == [True]
        assert httpx.get(f"{server.url}/healthz").json()["tables"] == 1  # looking has woken nobody


def test_finished_games_come_in_pages_and_by_game(server: Served) -> None:
    with devices(server, 1) as (anna,):

        async def play(table: str) -> None:
            async with seated(server.url, table, anna.seat_token(table)) as at_table:
                await at_table.play_on()

        tables = [anna.started() for _ in range(22)]
        other = anna.started(game="x-nimmt", options={"rounds": 1})
        for table in (*tables, other):
            asyncio.run(play(table))
        until(lambda: anna.running() == [])
        first = anna.get("/mine/finished").json()
        assert (len(first["games"]), first["more"]) == (20, True)
        last = first["games"][-1]
        page = {"before": last["finished"], "before_table": last["table"]}
        second = anna.get("/mine/finished", params=page).json()
        assert (len(second["games"]), second["more"]) == (3, False)
        found = [one["table"] for one in (*first["games"], *second["games"])]
        assert sorted(found) == sorted((*tables, other))
        times = [one["finished"] for one in (*first["games"], *second["games"])]
        assert times == sorted(times, reverse=True)
        (only,) = anna.get("/mine/finished", params={"game": "x-nimmt"}).json()["games"]
        assert (only["table"], only["seat"], only["replay"]) == (other, 0, True)
        assert only["scores"][0]["name"] == "Anna"
        assert anna.get("/mine/finished", params={"before": "nan"}).status_code == 422
        assert anna.get("/mine/finished", params={"game": "chess"}).status_code == 422


def test_what_fills_a_limit_can_be_ended(tmp_path: Path) -> None:
    limits = {"BULLPEN_TABLES_PER_PLAYER": "2", "BULLPEN_TABLES_PER_ADDRESS": "3"}
    with served(tmp_path, **limits) as server, devices(server, 2) as (anna, bert):
        game, lobby = anna.started(), anna.table(bots=0, others=1)["table"]
        full = anna.post("/tables", json={"game": "six-nimmt", "name": "A", "seats": people(1, 1)})
        assert refusal(full) == (429, "too_many_own_tables")
        bert.started(name="Bert")
        full = bert.post("/tables", json={"game": "six-nimmt", "name": "B", "seats": people(1, 1)})
        assert refusal(full) == (429, "too_many_tables")  # of the address, all three
        for table in (game, lobby):
            checked(anna.post(f"/tables/{table}/end"))
        assert anna.running() == []
        assert refusal(anna.get(f"/tables/{game}")) == (410, "table_abandoned")
        assert refusal(anna.get(f"/tables/{lobby}")) == (404, "no_such_table")
        anna.started()
        assert refusal(anna.post(f"/tables/{game}/end")) == (410, "table_abandoned")


def test_among_people_a_bot_plays_on_for_who_ends_it(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        made = anna.table(bots=0, others=1)
        table = made["table"]
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert", "invite": made["invite"]}))
        checked(anna.post(f"/tables/{table}/start", json={}))
        checked(anna.post(f"/tables/{table}/end"))
        shown = bert.get(f"/tables/{table}").json()
        assert shown["lobby"]["status"] == "playing"
        assert shown["lobby"]["seats"][0]["left"]


# -- Nothing any more ---------------------------------------------------------------------------


async def leaves_nothing_but_games(server: Served, anna: Device, bert: Device) -> list[str]:
    over = anna.started(name="Anna-Lena")
    async with seated(server.url, over, anna.seat_token(over)) as at_table:
        await at_table.say(type="chat", text="I am Anna-Lena")
        await at_table.play_on()
    until(lambda: anna.running() == [])
    made = bert.table(name="Bert", bots=0, others=1)
    table = made["table"]
    wish = {"name": "Anna-Lena", "invite": made["invite"]}
    checked(anna.post(f"/tables/{table}/join", json=wish))
    checked(bert.post(f"/tables/{table}/start", json={}))
    alone = anna.started(name="Anna-Lena")
    lobby = anna.table(name="Anna-Lena", bots=0, others=1)["table"]
    token = anna.seat_token(table)
    async with (
        seated(server.url, table, bert.seat_token(table)) as at_table,
        seated(server.url, table, token) as gone,
    ):
        assert checked(anna.delete("/me")) == {"forgotten": True}
        assert (await gone.hear_of("closing"))["key"] == "seat_freed"
        while True:
            seats = (await at_table.hear_of("lobby"))["lobby"]["seats"]
            if seats[1]["name"] == "Former player":
                break
        await at_table.play_on()
    told = at_table.told
    assert not any("Anna-Lena" in json.dumps(one) for one in told[-3:])
    assert refusal(bert.get(f"/tables/{alone}")) == (410, "table_abandoned")
    assert refusal(bert.get(f"/tables/{lobby}")) == (404, "no_such_table")
    replay = bert.get(f"/tables/{over}/replay").json()
    assert replay["players"][0]["name"] == "Former player"
    old = httpx.post(f"{server.url}/api/tables/{table}/leave", headers=bearer(token))
    assert old.status_code == 403
    return [over, table]


def test_deletion_leaves_nothing_but_games_without_a_name(tmp_path: Path) -> None:
    with (
        served(tmp_path, BULLPEN_LOG="debug") as server,
        devices(server, 3) as (anna, bert, second),
    ):
        kept = asyncio.run(leaves_nothing_but_games(server, anna, bert))
        assert anna.player() is None
        assert "device" not in {one.name for one in anna.cookies.jar}
        until(lambda: bert.running() == [])
        (game,) = bert.get("/mine/finished").json()["games"]
        assert [one["name"] for one in game["scores"]] == ["Bert", "Former player"]
        second.table(name="Anna-Lena")  # somebody else of that name
        second.delete("/me")
        until(lambda: second.running() == [])
        server.end()
        log = server.log.read_text()
    with sqlite3.connect(tmp_path / "tables.db") as db:
        dump = "\n".join(db.iterdump())
        states = dict(db.execute("SELECT id, state FROM game_table"))
        named = db.execute("SELECT COUNT(*) FROM player").fetchone()
    assert "Anna-Lena" not in dump
    assert "Anna-Lena" not in log
    assert named == (1,)  # Bert
    assert {table: states[table] for table in kept} == dict.fromkeys(kept, "finished")
    assert "Traceback" not in log


def test_the_cookie_of_who_was_deleted_is_nobodys_and_the_next_game_is_a_new_players(
    server: Served,
) -> None:
    with devices(server, 2) as (anna, other):
        anna.table()
        other.use(anna.code())
        code, secret = anna.code(), anna.secret()
        checked(other.delete("/me"))
        assert anna.player() is None  # all devices at once
        assert anna.running() == []
        with devices(server, 1) as (late,):
            assert refusal(late.use(code)) == (403, "code_unknown")
        assert refusal(anna.delete("/me")) == (404, "no_player")
        table = anna.table()["table"]
        assert anna.secret() != secret
        assert [one["table"] for one in anna.running()] == [table]


def test_all_that_is_stored_can_be_taken_along(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        table = anna.started()
        bert.started(name="Bert")

        async def play() -> None:
            async with seated(server.url, table, anna.seat_token(table)) as at_table:
                await at_table.say(type="chat", text="my own words")
                await at_table.play_on()

        asyncio.run(play())
        until(lambda: anna.running() == [])
        answer = anna.get("/me/export")
        assert "attachment" in answer.headers["content-disposition"]
        told = answer.json()
        assert told["player"]["name"] == "Anna"
        assert [one["table_id"] for one in told["results"]] == [table]
        assert [one["table_id"] for one in told["tables"]] == [table]
        assert [one["chat.text"] for one in told["chat"]] == ["my own words"]
        assert "Bert" not in answer.text
        assert anna.secret() not in answer.text
        assert refusal(httpx.get(f"{server.url}/api/me/export")) == (404, "no_player")


def test_no_code_and_no_device_is_in_the_store_or_in_a_log(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_LOG="debug") as server, devices(server, 2) as (anna, other):
        anna.table()
        codes = [anna.code(), checked(anna.post("/me/recovery"))["code"]]
        other.use(codes[1])
        other.use("wrong-code-here")
        secrets = [
            *codes,
            *(code.replace("-", "") for code in codes),
            anna.secret(),
            other.secret(),
        ]
        assert re.fullmatch(r"[a-z2-9]{4}(-[a-z2-9]{4}){5}", codes[1])
    with sqlite3.connect(tmp_path / "tables.db") as db:
        kept = "\n".join(db.iterdump())
    assert "player_code" in kept
    log = (tmp_path / "log.txt").read_text()
    for secret in secrets:
        assert secret not in kept
        assert secret not in log


@pytest.mark.parametrize("method", ["DELETE", "PUT"])
def test_a_foreign_page_cannot_change_or_delete_anybody(server: Served, method: str) -> None:
    with devices(server, 1) as (anna,):
        anna.table()
        wish = {"name": "Eve", "colour": 1, "language": "en"}
        foreign = {"origin": "https://evil.example"}
        answer = anna.request(method, "/me", json=wish, headers=foreign)
        assert refusal(answer) == (403, "foreign_origin")
        assert (anna.player() or {})["name"] == "Anna"
