"""Tables over days: clocks that go on while everything is down, and a bot that stands in when they have run out."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from bullpen.server.over_days import until_when
from bullpen.server.store import keeper_of
from tests.patience import until
from tests.server.running import (
    Served,
    bearer,
    checked,
    people,
    seated,
    served,
    started_table,
)

HOUR, DAY = 3600.0, 86_400.0
SHORT = {"rounds": 1, "deck": "tactical"}


def over_days(server: Served, **wishes: Any) -> tuple[str, list[str]]:
    return started_table(
        server.url, "six-nimmt", people(2), **{"clock": 3 * DAY, "options": SHORT, **wishes}
    )


class Book:
    """The store of a server, looked into from outside."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tables.db"

    def run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path, timeout=60)) as book, book:
            return book.execute(sql, values).fetchall()

    def due(self, table: str) -> dict[int, float]:
        """Of people who have to decide; of bots, and of what is to be written down, the time is up at once."""
        sql = "SELECT seat, due FROM deadline WHERE table_id = ? AND due > ?"
        return dict(self.run(sql, table, time.time()))

    def owner(self, table: str) -> str:
        return str(self.run("SELECT owner FROM game_table WHERE id = ?", table)[0][0])

    def pass_time(self, table: str, seconds: float) -> None:
        """As if it were so much later for this table."""
        self.run("UPDATE deadline SET due = due - ? WHERE table_id = ?", seconds, table)

    def of_seat(self, table: str, seat: int) -> dict[int, str]:
        """Who made its decisions, by their numbers."""
        moves = self.moves(table)
        return {number: by(payload) for at, number, payload in moves if at == seat}

    def moves(self, table: str) -> list[tuple[int, int, str]]:
        """By seat: the decision, and what stands in the log of it."""
        sql = "SELECT seat, decision, payload FROM event WHERE table_id = ? AND kind = 'move' ORDER BY seq"
        return self.run(sql, table)


def by(payload: str) -> str:
    return str(json.loads(payload)["by"])


def played(book: Book, table: str, count: int) -> list[tuple[int, int, str]]:
    moves = book.moves(table)
    return moves if len(moves) >= count else []


async def told_left(server: Served, table: str, token: str) -> tuple[float, list[float | None]]:
    async with seated(server.url, table, token) as player:
        welcome = player.told[0]
        return welcome["left"], welcome["clocks"]


async def moved(server: Served, table: str, token: str) -> None:
    """Somebody comes, decides and goes."""
    async with seated(server.url, table, token) as player:
        while player.question is None:
            await player.hear()
        assert (await player.move())["type"] == "accepted"


def test_a_clock_may_last_hours_or_days_and_not_longer_than_two_weeks(server: Served) -> None:
    body = {"game": "six-nimmt", "name": "P", "seats": people(2), "as": "program"}
    with httpx.Client(base_url=f"{server.url}/api") as http:
        for seconds in (12 * HOUR, DAY, 7 * DAY):
            made = checked(http.post("/tables", json={**body, "clock": seconds}))
            shown = checked(http.get(f"/tables/{made['table']}"))
            assert shown["table"]["clock"] == seconds
            wish = {"clock": 3 * DAY}
            headers = bearer(made["token"])
            checked(http.post(f"/tables/{made['table']}/settings", json=wish, headers=headers))
            assert checked(http.get(f"/tables/{made['table']}"))["table"]["clock"] == 3 * DAY
        refused = http.post("/tables", json={**body, "clock": 30 * DAY})
        assert refused.status_code == 422
        assert refused.json()["key"] == "bad_request"


def test_a_clock_of_days_does_not_begin_anew_when_somebody_comes_or_the_server_is_killed(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as server:
        book, (table, tokens) = Book(tmp_path), over_days(server)
        before = book.due(table)
        assert set(before) == {0, 1}
        assert all(0 < due - time.time() <= 3 * DAY for due in before.values())
        server.end(signal.SIGKILL)
        book.pass_time(table, DAY)
        server.start()
        for _ in range(2):  # coming twice does not help
            left, clocks = asyncio.run(told_left(server, table, tokens[0]))
            assert left <= 2 * DAY
            assert clocks[1] is not None
            assert clocks[1] <= 2 * DAY
        assert book.due(table) == {seat: due - DAY for seat, due in before.items()}


def test_a_game_over_days_is_played_to_its_end_across_restarts(tmp_path: Path) -> None:
    rng, decisions = Random(4), 0
    with served(tmp_path, BULLPEN_SLEEP_SECONDS="0") as server:
        book, (table, tokens) = Book(tmp_path), over_days(server)
        while waiting := book.due(table):
            asyncio.run(moved(server, table, tokens[rng.choice(sorted(waiting))]))
            decisions += 1
            if decisions in (3, 8):  # in the middle of a turn, and between two
                kept = book.due(table)
                server.end(signal.SIGKILL)
                server.start()
                assert book.due(table) == kept

        def is_over() -> bool:
            return httpx.get(f"{server.url}/api/tables/{table}/record").is_success

        until(is_over, server.log.read_text)
        assert decisions >= 20
        assert {by(payload) for _, _, payload in book.moves(table)} == {"program"}
        until(lambda: not book.run("SELECT 1 FROM deadline WHERE table_id = ?", table))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_ran_out_while_the_server_was_down_is_acted_on_once_by_a_bot(
    tmp_path: Path, workers: str
) -> None:
    with served(tmp_path, BULLPEN_WORKERS=workers, BULLPEN_SLEEP_SECONDS="0") as server:
        book, made = Book(tmp_path), dict[int, tuple[str, list[str]]]()
        while len(made) < int(workers):
            table, tokens = over_days(server)
            made.setdefault(keeper_of(table, int(workers)), (table, tokens))
        for table, tokens in made.values():
            asyncio.run(moved(server, table, tokens[0]))
        server.end(signal.SIGKILL)
        for table, _ in made.values():
            # Long ago: nothing but its clock wakes it.
            book.run("UPDATE game_table SET touched = touched - ? WHERE id = ?", 4 * DAY, table)
            book.pass_time(table, 4 * DAY)
        server.start()
        for table, tokens in made.values():
            until(lambda table=table: book.of_seat(table, 1), server.log.read_text)  # type: ignore[misc]
            # From now on a bot plays for them, so the table waits for the other one alone.
            until(lambda table=table: set(book.due(table)) == {0}, server.log.read_text)  # type: ignore[misc]
            assert set(book.of_seat(table, 1).values()) == {"stand_in"}
            assert next(iter(book.of_seat(table, 1))) == 1
            assert 2 * DAY < book.due(table)[0] - time.time() <= 3 * DAY
            assert not asyncio.run(is_played_for(server, table, tokens[1]))
    assert "Traceback" not in server.log.read_text()


async def is_played_for(server: Served, table: str, token: str) -> bool:
    """Whether somebody who comes back has not got their seat."""
    async with seated(server.url, table, token) as player:
        seats = player.told[0]["lobby"]["seats"]
        return bool(seats[player.told[0]["seat"]]["stand_in"])


def test_who_was_away_too_long_is_played_for_after_a_restart_too_until_they_come(
    tmp_path: Path,
) -> None:
    with served(tmp_path, BULLPEN_SLEEP_SECONDS="0") as server:
        book, (table, tokens) = Book(tmp_path), over_days(server)
        asyncio.run(moved(server, table, tokens[0]))
        server.end(signal.SIGKILL)
        book.pass_time(table, 4 * DAY)
        server.start()
        for _ in range(3):
            until(lambda: book.of_seat(table, 1) and set(book.due(table)) == {0})
            server.end(signal.SIGKILL)
            server.start()
            asyncio.run(moved(server, table, tokens[0]))
        until(lambda: set(book.due(table)) == {0})
        assert set(book.of_seat(table, 1).values()) == {"stand_in"}
        assert not asyncio.run(is_played_for(server, table, tokens[1]))
        before = set(book.of_seat(table, 1))
        while set(book.of_seat(table, 1)) == before:
            asyncio.run(moved(server, table, tokens[min(book.due(table))]))
        assert [*book.of_seat(table, 1).values()][-1] == "program"


def test_a_table_over_days_sleeps_in_the_store_when_nobody_is_there(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_SLEEP_SECONDS="0") as server:
        book, (table, tokens) = Book(tmp_path), over_days(server)
        asyncio.run(moved(server, table, tokens[0]))
        until(lambda: not book.owner(table))
        waiting = book.due(table)
        assert set(waiting) == {1}
        book.pass_time(table, 4 * DAY)  # the server runs, and the table is nobody's
        until(lambda: book.of_seat(table, 1), server.log.read_text)
        assert set(book.of_seat(table, 1).values()) == {"stand_in"}


def test_bots_play_on_though_nobody_is_there_until_it_is_a_person_s_turn(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_SLEEP_SECONDS="0") as server:
        wish = {"clock": DAY, "options": SHORT}
        table, tokens = started_table(server.url, "six-nimmt", people(1, bots=2), **wish)
        book = Book(tmp_path)
        until(lambda: set(book.due(table)) == {0})
        asyncio.run(moved(server, table, tokens[0]))
        # One of each, and the bots' next ones: in between, too, the table may be nobody's for a moment.
        until(lambda: played(book, table, 5), server.log.read_text)
        until(lambda: set(book.due(table)) == {0} and not book.owner(table))


def test_what_waits_for_me_stands_first_with_the_time_that_is_left(tmp_path: Path) -> None:
    with (
        served(tmp_path) as server,
        httpx.Client(base_url=f"{server.url}/api", headers={"origin": server.url}) as anna,
    ):
        made = {}
        for seconds in (None, 7 * DAY, 12 * HOUR):
            body = {
                "game": "six-nimmt",
                "name": "Anna",
                "seats": people(2),
                "clock": seconds,
                "options": SHORT,
            }
            table = checked(anna.post("/tables", json=body))["table"]
            checked(anna.post(f"/tables/{table}/start", json={}))
            made[table] = seconds
        found = anna.get("/mine/running").json()
        assert [one["clock"] for one in found] == [12 * HOUR, 7 * DAY, None]
        assert [one["your_turn"] for one in found] == [True, True, True]
        assert 0 < found[0]["left"] <= 12 * HOUR < found[1]["left"] <= 7 * DAY
        assert found[2]["left"] is None


def test_who_leaves_is_played_for_at_once_until_they_come_back(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_SLEEP_SECONDS="0") as server:
        book, (table, tokens) = Book(tmp_path), over_days(server)
        left = httpx.post(f"{server.url}/api/tables/{table}/leave", headers=bearer(tokens[1]))
        assert left.status_code == 200
        until(lambda: book.of_seat(table, 1), server.log.read_text)
        until(lambda: set(book.due(table)) == {0})
        assert set(book.of_seat(table, 1).values()) == {"stand_in"}
        server.end(signal.SIGKILL)
        server.start()
        assert not asyncio.run(is_played_for(server, table, tokens[1]))


def test_who_leaves_and_comes_again_gains_no_time_but_has_all_of_it_after_a_bot_stood_in() -> None:
    now = time.time()
    played_for: Any = SimpleNamespace(due={}, promised={0: (3, now + HOUR), 1: (3, now - HOUR)})
    assert until_when(played_for, 0, 3, now) == now + HOUR
    assert until_when(played_for, 0, 5, now) is None  # another decision
    assert until_when(played_for, 1, 3, now) is None
    asked: Any = SimpleNamespace(due={1: (3, now - HOUR)}, promised={1: (3, now - HOUR)})
    assert until_when(asked, 1, 3, now) == now - HOUR  # nobody wakes it to gain time
