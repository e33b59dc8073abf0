"""“Play on from here”: a finished game from one of its positions, at a table of its own."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bullpen.games import GAMES
from bullpen.record import parsed, replay
from bullpen.server.play import fold, new_play, replayed
from bullpen.server.playing_on import as_it_stood
from tests.server.running import Json, Served, checked, people, play_together, seated, served
from tests.server.running import started_table as started
from tests.server.stored import dealt
from tests.server.test_chairs import At, refused, run

SHORT: dict[str, dict[str, Any]] = {
    game: {"rounds": 1} for game in ("six-nimmt", "x-nimmt", "eleven-nimmt")
}


async def finished(server: Served, game: str, seats: int = 3) -> tuple[str, list[str]]:
    table, tokens = started(server.url, game, people(seats), options=SHORT.get(game, {}))
    await play_together(server.url, table, tokens)
    return table, tokens


async def got(http: At, what: str, **query: Any) -> Json:
    return checked(await http.get(f"{http.address}/{what}", params=query))


def moves_until(replayed: Json, turn: int) -> list[tuple[int, str]]:
    return [
        (one["seat"], one["move"])
        for turns in replayed["turns"][: turn + 1]
        for one in turns["decisions"]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_new_game_begins_at_that_very_position_and_the_old_one_stays_as_it_was(
    server: Served, game: str
) -> None:
    async def story() -> None:
        table, _ = await finished(server, game)
        async with At(server, table) as http:
            old_record, old_table = await got(http, "record"), await http.shown()
            open_cards = await got(http, "replay")
            middle = len(open_cards["turns"]) // 2
            for turn in (0, middle):
                wish: Json = {
                    "turn": turn,
                    "seat": 1,
                    "name": "Zoe",
                    "level": "easy",
                    "as": "program",
                }
                made = await http.do("play-on", **wish)
                async with seated(server.url, made["table"], made["token"]) as player:
                    welcome = player.told[0]
                    seen = (await got(http, "replay", seat=1))["turns"][turn]
                    assert (
                        player.told[0]["view"]["turn"] == turn
                    )  # no bot moves before one is there
                    assert player.told[0]["view"]["places"] == seen["places"]
                    facts = welcome["table"]
                    assert facts["played_on"] == {"table": table, "turn": turn}
                    assert (facts["practice"], welcome["fair"]["scheme"]) == (True, None)
                    assert facts["options"] == open_cards["table"]["options"]
                    kinds = [seat["kind"] for seat in welcome["lobby"]["seats"]]
                    assert kinds == ["bot", "program", "bot"]
                    result = await player.play_on()
                    assert result["played_for"] == [0, 0, 0]
                async with At(server, made["table"]) as new:
                    told = await got(new, "replay")
                    first = open_cards["turns"][turn]["places"]
                    assert told["turns"][turn]["places"] == first  # hidden cards lie as they did
                    earlier = moves_until(told, turn)
                    assert earlier == moves_until(open_cards, turn)
                    by = [one["by"] for one in told["turns"][turn]["decisions"]]
                    assert set(by) <= {"earlier"}
                    text = (await new.get(f"{new.address}/record")).text
                match = replay(text)  # as `bullpen verify` does
                assert match.is_over
                assert "fair" not in parsed(text)
            assert await got(http, "record") == old_record
            assert await http.shown() == old_table

    run(story())


def test_not_a_byte_of_the_old_game_changes_and_the_new_one_survives_a_crash(
    tmp_path: Path,
) -> None:
    def stored(table: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
            rows = db.execute("SELECT * FROM event WHERE table_id = ? ORDER BY seq", (table,))
            header = db.execute("SELECT header FROM game_table WHERE id = ?", (table,))
            return [*rows.fetchall(), *header.fetchall()]

    with served(tmp_path) as server:
        told: dict[str, Any] = {}

        async def begin() -> None:
            table, _ = await finished(server, "six-nimmt")
            told["old"], told["before"] = table, stored(table)
            async with At(server, table) as http:
                wish: Json = {"turn": 4, "seat": 2, "name": "Zoe", "as": "program", "level": "easy"}
                told["new"] = await http.do("play-on", **wish)
            async with seated(server.url, told["new"]["table"], told["new"]["token"]) as player:
                chosen = set(player.shown["chosen"])
                while len(chosen) < 2:  # what the bots decide now must not come between two looks
                    chosen |= set((await player.hear_of("chosen"))["seats"])
                await player.say(type="look")
                told["view"] = await player.hear_of("view")

        async def go_on() -> None:
            new = told["new"]
            async with seated(server.url, new["table"], new["token"]) as player:
                assert player.shown["places"] == told["view"]["places"]
                assert player.told[0]["table"]["played_on"]["turn"] == 4
                assert not player.shown["can_undo"]
                await player.play_on()

        run(begin())
        server.end(signal.SIGKILL)
        server.start()
        run(go_on())
        assert stored(told["old"]) == told["before"]


def test_nobody_takes_back_what_was_decided_in_the_old_game() -> None:
    """As the table is read again, after a restart or a sleep: then it is looked up what may be taken back."""
    told = dealt("a table of old", "hornochsen", 2)
    told.play_to_the_end(Random(1))
    old = told.play
    turns = len(list(old.made)) - 1  # in this game each decision is a turn

    async def story() -> None:
        could = []
        for turn in range(turns):
            play, log = await as_it_stood(old, turn)
            again = new_play(old.game, old.seats, old.options, old.deck)
            for event in log:
                fold(again, event.kind, event.seat, event.decision, event.payload)
            assert again.table == play.table
            assert again.undo_seat() is None
            made = islice(old.made, turn)
            same = replayed(old.game, old.seats, old.options, old.deck, old.shuffles, made)
            could.append(same.undo_seat() is not None)
        assert any(could)  # where it was one's own game

    run(story())


def test_only_what_everybody_may_see_is_played_on_from(server: Served) -> None:
    async def story() -> None:
        running, _ = started(server.url, "six-nimmt", people(2))
        async with At(server, running) as http:
            wish: Json = {"turn": 0, "seat": 0, "name": "Zoe"}
            assert refused(await http.ask("play-on", **wish)) == (409, "not_over")
        table, _ = await finished(server, "six-nimmt", seats=2)
        async with At(server, table) as http:
            last = len((await got(http, "replay"))["turns"]) - 1
            for change, why in (
                ({"turn": last}, (422, "nothing_to_play_on")),
                ({"turn": last + 1}, (422, "nothing_to_play_on")),
                ({"seat": 2}, (422, "no_such_chair")),
                ({"turn": -1}, (422, "bad_request")),
                ({"level": "godlike"}, (422, "bad_request")),
            ):
                assert refused(await http.ask("play-on", **{**wish, **change})) == why

    run(story())


def test_a_game_that_was_played_on_is_in_nobodys_statistics_and_the_next_is_one_like_any_other(
    server: Served,
) -> None:
    async def story() -> None:
        table, _ = await finished(server, "six-nimmt", seats=2)
        async with At(server, table) as http:
            made = await http.do("play-on", turn=9, seat=0, name="Zoe", level="easy")
            token = http.cookies["seat"]
            headers = {"authorization": f"Bearer {token}"}
            async with seated(server.url, made["table"], token) as player:
                await player.play_on()
            answer = await http.get(f"{server.url}/api/statistics")
            assert answer.json() == []
            async with At(server, made["table"]) as new:
                again = checked(await new.post(f"{new.address}/rematch", headers=headers))
            async with At(server, again["table"]) as next_table:
                shown = await next_table.shown()
                assert shown["table"]["played_on"] is None
                assert not shown["table"]["practice"]
                assert shown["fair"]["commitment"]

    run(story())
