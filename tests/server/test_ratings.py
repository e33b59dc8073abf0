"""Ratings at a running server: made by themselves after a game, shown to everybody without telling who anybody is."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from bullpen.server.house import device_hash
from tests.patience import until
from tests.server.running import Json, Served, checked, play_together, seated, served
from tests.server.test_players import Device, refusal

GAME = "six-nimmt"


class Visitor(Device):
    """A browser at an address of its own."""

    def __init__(self, server: Served, number: int = 1) -> None:
        super().__init__(server)
        self._transport = httpx.HTTPTransport(local_address=f"127.0.0.{number}")
        self._mounts = {}

    def rating_of(self, table: str) -> Json:
        """Once it is known."""
        found: Json = {}

        def is_known() -> bool:
            found.update(checked(self.get(f"/tables/{table}/rating")))
            return bool(found["state"] != "waiting")

        until(is_known)
        return found

    def board(self, **asked: Any) -> Json:
        return checked(self.get(f"/ratings/{GAME}", params=asked))


def play_alone(server: Served, one: Device, **wishes: Any) -> str:
    table = one.started(**wishes)

    async def play() -> None:
        async with seated(server.url, table, one.seat_token(table)) as at_table:
            await at_table.play_on()

    asyncio.run(play())
    until(lambda: one.get(f"/tables/{table}/record").is_success)
    return table


def play_with(server: Served, anna: Device, bert: Device) -> str:
    made = anna.table(bots=0, others=1)
    table: str = made["table"]
    wish = {"name": "Bert", "invite": made["invite"]}
    checked(bert.post(f"/tables/{table}/join", json=wish))
    checked(anna.post(f"/tables/{table}/start", json={}))
    asyncio.run(play_together(server.url, table, [anna.seat_token(table), bert.seat_token(table)]))
    until(lambda: anna.get(f"/tables/{table}/record").is_success)
    return table


def test_a_game_against_a_bot_makes_a_rating_that_is_shown_with_how_sure_it_is(
    server: Served,
) -> None:
    with Visitor(server) as anna, Visitor(server) as looker:
        assert anna.get("/ratings").json() == []
        table = play_alone(server, anna)
        told = anna.rating_of(table)
        assert told["state"] == "rated"
        change = told["change"]
        assert change["before"] == {"points": 1000, "give_or_take": 667}
        assert change["after"]["give_or_take"] < 667
        (own,) = anna.get("/ratings").json()
        assert own["rating"] == change["after"]
        assert (own["game"], own["games"]) == (GAME, 1)
        board = anna.board()
        assert [one for one in board["places"] if one["you"]] == [
            {
                "place": own["place"],
                "name": "Anna",
                "colour": (anna.player() or {})["colour"],
                "rating": own["rating"],
                "games": 1,
                "you": True,
                "quality": None,  # judged later, if at all
            }
        ]
        assert board["you"] == own
        assert not any(one["you"] for one in looker.board()["places"])
        assert looker.board()["you"] is None
        assert looker.get(f"/tables/{table}/rating").json()["change"] is None  # it is Anna's
        (history,) = anna.get(f"/ratings/{GAME}/history").json()
        assert history == change
        (game,) = anna.get("/mine/finished").json()["games"]
        assert game["rating"] == change


def test_people_at_two_addresses_are_rated_and_at_one_address_not(tmp_path: Path) -> None:
    with (
        served(tmp_path) as server,
        Visitor(server, 1) as anna,
        Visitor(server, 2) as bert,
        Visitor(server, 1) as puppet,
    ):
        apart = play_with(server, anna, bert)
        told = [one.rating_of(apart)["change"] for one in (anna, bert)]
        gains = [one["after"]["points"] - one["before"]["points"] for one in told]
        assert gains[0] * gains[1] < 0 or gains == [0, 0]
        together = play_with(server, anna, puppet)
        for one in (anna, puppet):
            found = one.rating_of(together)
            assert (found["state"], found["why_not"]) == ("unrated", "same_person")
        assert anna.board()["count"] == 2
        # What told them apart is gone with the game.
        with sqlite3.connect(tmp_path / "tables.db") as db:
            for (header,) in db.execute("SELECT header FROM game_table"):
                assert {seat["network"] for seat in json.loads(header)["seats"]} == {None}
        db.close()


@pytest.mark.parametrize(
    ("wish", "why"), [({"coach": True}, "coach"), ({"practice": 7}, "practice")]
)
def test_with_hints_or_at_a_practice_table_nothing_is_rated(
    server: Served, wish: dict[str, Any], why: str
) -> None:
    with Visitor(server) as anna:
        table = play_alone(server, anna, **wish)
        told = anna.rating_of(table)
        assert (told["state"], told["why_not"]) == ("unrated", why)
        assert anna.get("/ratings").json() == []


def test_who_gives_up_against_bots_has_lost(server: Served) -> None:
    with Visitor(server) as anna:
        table = anna.started(bots=3)
        checked(anna.post(f"/tables/{table}/end", json={}))
        until(lambda: anna.get("/ratings").json())
        (own,) = anna.get("/ratings").json()
        assert own["rating"]["points"] < 1000


# -- Choosing which games count -------------------------------------------------------------------


def test_nobody_who_sits_at_a_table_takes_over_a_second_seat_there(server: Served) -> None:
    """By a browser that leaves its seat's cookie at home, or another device: they would see two hands."""
    with Visitor(server) as anna, Visitor(server) as without_seat, Visitor(server) as phone:
        table = anna.started(bots=1, latecomers="welcome", listed=True)
        without_seat.cookies.set("device", anna.secret())
        checked(phone.use(anna.code()))
        for one in (without_seat, phone):
            late = one.post(f"/tables/{table}/take-over", json={"name": "Zoe", "seat": 1})
            assert refusal(late) == (409, "already_seated")


def test_nobody_hands_a_game_that_goes_on_to_another_player(server: Served) -> None:
    with Visitor(server) as laptop, Visitor(server) as phone, Visitor(server) as puppet:
        table = laptop.started(bots=3)
        checked(phone.use(laptop.code()))
        puppet.put("/me", json={"name": "Zoe", "colour": 1, "language": "en"})
        code = puppet.code()
        assert refusal(laptop.use(code)) == (409, "code_playing")
        checked(laptop.post(f"/tables/{table}/end", json={}))
        until(lambda: phone.get("/ratings").json())
        (own,) = phone.get("/ratings").json()
        assert own["rating"]["points"] < 1000
        checked(laptop.use(code))  # it is still good
        assert puppet.get("/ratings").json() == []


def test_a_game_that_is_lost_stays_lost_for_who_becomes_somebody_else_meanwhile(
    server: Served,
) -> None:
    with Visitor(server) as anna, Visitor(server) as puppet:
        table = anna.started(bots=3)
        puppet.put("/me", json={"name": "Zoe", "colour": 1, "language": "en"})
        checked(anna.use(puppet.code()))
        checked(anna.post(f"/tables/{table}/end", json={}))
        until(lambda: anna.get("/ratings").json())
        (own,) = anna.get("/ratings").json()
        assert own["rating"]["points"] < 1000


def test_taking_along_and_deletion_take_the_ratings_too_and_nobody_is_told_by_an_id(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as server, Visitor(server) as anna, Visitor(server) as looker:
        table = play_alone(server, anna)
        anna.rating_of(table)
        told = anna.get("/me/export").json()
        assert [one["game"] for one in told["ratings"]] == [GAME]
        assert [one["table_id"] for one in told["rating_changes"]] == [table]
        shown = looker.get(f"/ratings/{GAME}").text
        assert "Anna" in shown
        for secret in (told["player"]["id"], anna.secret(), str(device_hash(anna.secret()))):
            assert secret not in shown
        checked(anna.delete("/me"))
        assert looker.board()["places"] == []
        with sqlite3.connect(tmp_path / "tables.db") as db:
            for name in ("rating", "rating_change"):
                assert db.execute(f"SELECT COUNT(*) FROM {name}").fetchone() == (0,)
            (kept,) = db.execute("SELECT contestants FROM rated_game").fetchone()
            assert kept == ""
        db.close()


def test_ratings_go_on_where_a_killed_server_stopped(tmp_path: Path) -> None:
    from signal import SIGKILL

    with served(tmp_path) as server, Visitor(server) as anna:
        table = play_alone(server, anna)
        server.end(SIGKILL)  # before it was rated: it waits two seconds for that
        server.start()
        assert anna.rating_of(table)["state"] == "rated"
        (own,) = anna.get("/ratings").json()
        assert own["games"] == 1
        assert "Traceback" not in server.log.read_text()


def test_a_page_or_a_game_that_is_none_is_refused_in_words(server: Served) -> None:
    with Visitor(server) as anna:
        assert anna.board(page=999)["places"] == []
        for path in (f"/ratings/{GAME}?page=0", "/ratings/chess", f"/ratings/{GAME}?page=x"):
            assert refusal(anna.get(path)) == (422, "bad_request")
        table = anna.started()
        assert anna.get(f"/tables/{table}/rating").status_code == 409
