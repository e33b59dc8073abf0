"""Clubs: who belongs to them, what they see, and what nobody else does."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import Json, Served, checked, people, play_together, served
from tests.server.test_players import SHORT, Device, devices, refusal

NOBODY = (404, "no_such_club")


def new_club(keeper: Device, name: str = "Family", player: str = "Anna") -> Json:
    return checked(keeper.post("/clubs", json={"name": name, "player": player}))


def invite_of(club: Json) -> str:
    return str(club["link"]).partition("#invite=")[2]


def joined(one: Device, club: Json, player: str | None = None) -> Json:
    body = {"invite": invite_of(club), **({"player": player} if player else {})}
    return checked(one.post(f"/clubs/{club['club']}/join", json=body))


def page(one: Device, club: Json) -> Json:
    return checked(one.get(f"/clubs/{club['club']}"))


def names(club: Json) -> list[str]:
    return [one["name"] for one in club["members"]]


def number_of(club: Json, name: str) -> int:
    return next(int(one["member"]) for one in club["members"] if one["name"] == name)


def for_the_club(one: Device, club: Json, **wishes: Any) -> str:
    return str(one.table(bots=0, others=1, club=club["club"], **wishes)["table"])


def played(server: Served, table: str, *all_of: Device) -> None:
    """To its end, by whoever sits there."""
    if all_of[0].get(f"/tables/{table}").json()["lobby"]["status"] == "waiting":
        checked(all_of[0].post(f"/tables/{table}/start", json={}))
    tokens = [one.seat_token(table) for one in all_of]
    asyncio.run(play_together(server.url, table, tokens))


# -- Belonging ----------------------------------------------------------------------------------


def test_a_known_player_joins_with_one_tap_and_both_see_each_other(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        club = new_club(anna)
        assert club["keeper"]
        bert.table(name="Bert")
        door = checked(bert.post(f"/clubs/{club['club']}/look", json={"invite": invite_of(club)}))
        assert door == {"club": club["club"], "name": "Family", "members": 1, "member": False}
        seen = joined(bert, club)
        assert names(seen) == ["Anna", "Bert"]
        assert [(one["keeper"], one["you"]) for one in seen["members"]] == [
            (True, False),
            (False, True),
        ]
        assert names(joined(bert, club)) == ["Anna", "Bert"]  # twice is once
        (own,) = bert.get("/clubs").json()
        assert (own["name"], own["members"], own["keeper"]) == ("Family", 2, False)


def test_who_is_not_known_yet_says_a_name_to_make_or_join_one(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        assert refusal(anna.post("/clubs", json={"name": "X"})) == (422, "club_who")
        club = new_club(anna)
        wish = {"invite": invite_of(club)}
        assert refusal(bert.post(f"/clubs/{club['club']}/join", json=wish)) == (422, "club_who")
        assert names(joined(bert, club, "Bert")) == ["Anna", "Bert"]


def test_strangers_see_nothing_of_a_club_and_change_nothing(server: Served) -> None:
    with devices(server, 3) as (anna, bert, stranger):
        club = new_club(anna)
        joined(bert, club, "Bert")
        stranger.table(name="Zoe")
        path = f"/clubs/{club['club']}"
        member = {"member": 1}
        for answer in (
            stranger.get(path),
            stranger.get(f"{path}/standings"),
            stranger.put(path, json={"name": "Mine"}),
            stranger.delete(path),
            stranger.post(f"{path}/leave"),
            stranger.post(f"{path}/invite"),
            stranger.post(f"{path}/keeper", json=member),
            stranger.post(f"{path}/send-away", json=member),
            stranger.post(f"{path}/tournaments", json={"game": "six-nimmt", "seats": 2}),
            stranger.get("/clubs/abcdefghijkmnpqr"),
        ):
            assert refusal(answer) == NOBODY
            assert "Family" not in answer.text
        wrong = {"invite": "x" * 43}
        for door in ("look", "join"):
            assert refusal(stranger.post(f"{path}/{door}", json=wrong)) == (404, "club_link")
        assert stranger.get("/clubs").json() == []
        table = {"game": "six-nimmt", "name": "Zoe", "seats": people(2), "club": club["club"]}
        assert refusal(stranger.post("/tables", json=table)) == NOBODY
        assert names(page(anna, club)) == ["Anna", "Bert"]


def test_a_new_invitation_ends_the_old_one_and_so_does_sending_somebody_away(
    server: Served,
) -> None:
    with devices(server, 3) as (anna, bert, carl):
        club = new_club(anna)
        renewed = checked(anna.post(f"/clubs/{club['club']}/invite"))
        old, new = {"invite": invite_of(club)}, {"invite": invite_of(renewed), "player": "Bert"}
        assert refusal(bert.post(f"/clubs/{club['club']}/join", json=old)) == (404, "club_link")
        seen = checked(bert.post(f"/clubs/{club['club']}/join", json=new))
        assert refusal(bert.post(f"/clubs/{club['club']}/invite")) == (403, "only_the_keeper")
        away = {"member": number_of(seen, "Bert")}
        left = checked(anna.post(f"/clubs/{club['club']}/send-away", json=away))
        assert names(left) == ["Anna"]
        assert refusal(bert.get(f"/clubs/{club['club']}")) == NOBODY
        for one in (bert, carl):
            again = one.post(f"/clubs/{club['club']}/join", json=new)
            assert refusal(again) == (404, "club_link")
        assert invite_of(left) not in (invite_of(club), invite_of(renewed))


def test_the_keeper_renames_hands_over_and_ends_it_and_nobody_else_does(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        club = new_club(anna)
        seen, path = joined(bert, club, "Bert"), f"/clubs/{club['club']}"
        assert refusal(bert.put(path, json={"name": "Mine"})) == (403, "only_the_keeper")
        assert refusal(bert.delete(path)) == (403, "only_the_keeper")
        assert checked(anna.put(path, json={"name": "Class 3b"}))["name"] == "Class 3b"
        own = {"member": number_of(seen, "Anna")}
        assert refusal(anna.post(f"{path}/send-away", json=own)) == (409, "club_keeper_stays")
        assert refusal(anna.post(f"{path}/keeper", json={"member": 99})) == (404, "no_such_member")
        checked(anna.post(f"{path}/keeper", json={"member": number_of(seen, "Bert")}))
        assert refusal(anna.delete(path)) == (403, "only_the_keeper")
        checked(bert.delete(path))
        assert refusal(anna.get(path)) == NOBODY
        assert anna.get("/clubs").json() == []


def test_when_the_keeper_leaves_who_has_been_there_longest_keeps_it_and_the_last_one_ends_it(
    server: Served,
) -> None:
    with devices(server, 3) as (anna, bert, carl):
        club = new_club(anna)
        joined(bert, club, "Bert")
        joined(carl, club, "Carl")
        checked(anna.post(f"/clubs/{club['club']}/leave"))
        assert page(bert, club)["keeper"]
        checked(bert.post(f"/clubs/{club['club']}/leave"))
        assert page(carl, club)["keeper"]
        checked(carl.post(f"/clubs/{club['club']}/leave"))
        assert refusal(carl.get(f"/clubs/{club['club']}")) == NOBODY
        old = {"invite": invite_of(club), "player": "Bert"}
        assert refusal(bert.post(f"/clubs/{club['club']}/join", json=old)) == (404, "club_link")


def test_another_device_of_a_member_is_the_same_member(server: Served) -> None:
    with devices(server, 3) as (anna, phone, bert):
        club = new_club(anna)
        joined(bert, club, "Bert")
        assert names(joined(phone, club, "Anna2")) == ["Anna", "Bert", "Anna2"]
        checked(phone.use(anna.code()))
        seen = page(phone, club)
        assert names(seen) == ["Anna", "Bert"]
        assert seen["keeper"]


def test_who_is_deleted_is_gone_from_the_club_and_what_is_exported_names_it(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        club = new_club(anna)
        joined(bert, club, "Bert")
        table = for_the_club(anna, club)
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
        played(server, table, anna, bert)
        exported = anna.get("/me/export").json()
        (told,) = exported["clubs"]
        assert (told["club.id"], told["club.name"]) == (club["club"], "Family")
        (result,) = exported["club_results"]
        assert result["table_id"] == table
        checked(anna.delete("/me"))
        seen = page(bert, club)
        assert names(seen) == ["Bert"]
        assert seen["keeper"]
        assert [one["name"] for one in seen["games"][0]["scores"]] == ["Former player", "Bert"]
        rows = checked(bert.get(f"/clubs/{club['club']}/standings"))["rows"]
        assert [one["name"] for one in rows] == ["Bert"]
        checked(bert.delete("/me"))
        server.end()
        with sqlite3.connect(tmp_path / "tables.db") as store:
            for name in ("club", "club_member", "club_table", "club_result"):
                assert store.execute(f"SELECT COUNT(*) FROM {name}").fetchall() == [(0,)]


def test_limits_are_told_in_words(tmp_path: Path) -> None:
    limits = {"BULLPEN_CLUBS_PER_MINUTE": "4", "BULLPEN_CLUBS_PER_PLAYER": "2"}
    with served(tmp_path, **limits) as server, devices(server, 1) as (anna,):
        new_club(anna)
        club = new_club(anna, "Class")
        wish = {"name": "Third"}
        assert refusal(anna.post("/clubs", json=wish)) == (429, "too_many_own_clubs")
        wrong = {"invite": "no"}
        answers = [anna.post(f"/clubs/{club['club']}/look", json=wrong) for _ in range(6)]
        assert (429, "too_many_clubs") in map(refusal, answers)
        assert checked(anna.get(f"/clubs/{club['club']}"))["name"] == "Class"


@pytest.mark.parametrize("language", ["en", "de", "pl"])
def test_refusals_are_said_in_the_readers_language(server: Served, language: str) -> None:
    with devices(server, 1) as (anna,):
        answer = anna.get("/clubs/abcdefghijkmnpqr", params={"lang": language})
        word = {"en": "no such club", "de": "Diesen Club", "pl": "takiego klubu"}[language]
        assert word in answer.json()["message"]


# -- Tables and standings -----------------------------------------------------------------------


def test_members_sit_down_at_a_table_of_the_club_without_a_link_and_strangers_do_not(
    server: Served,
) -> None:
    with devices(server, 3) as (anna, bert, stranger):
        club = new_club(anna)
        joined(bert, club, "Bert")
        table = for_the_club(anna, club)
        (shown,) = page(bert, club)["tables"]
        assert (shown["table"], shown["status"], shown["free"]) == (table, "waiting", 1)
        assert not shown["yours"]
        listed = [one["table"]["id"] for one in stranger.get("/tables").json()]
        assert table not in listed
        wish = {"name": "Zoe"}
        join = f"/tables/{table}/join"
        assert refusal(stranger.post(join, json=wish)) == (403, "invite_needed")
        checked(bert.post(join, json={"name": "Bert"}))
        (shown,) = page(bert, club)["tables"]
        assert shown["yours"]
        listing = anna.post(f"/tables/{table}/settings", json={"listed": True})
        assert refusal(listing) == (422, "club_not_listed")
        public = {"game": "six-nimmt", "name": "Anna", "seats": people(2), "club": club["club"]}
        made = anna.post("/tables", json={**public, "listed": True})
        assert refusal(made) == (422, "club_not_listed")


def test_a_game_among_members_counts_for_the_month_once(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        club = new_club(anna)
        joined(bert, club, "Bert")
        table = for_the_club(anna, club)
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
        played(server, table, anna, bert)
        seen = page(anna, club)
        assert seen["tables"] == []
        (game,) = seen["games"]
        assert (game["table"], game["replay"]) == (table, True)
        scores = {one["name"]: one["score"] for one in game["scores"]}
        found = checked(anna.get(f"/clubs/{club['club']}/standings"))
        assert found["month"] == seen["first_month"]
        rows = {one["name"]: one for one in found["rows"]}
        assert {one["games"] for one in rows.values()} == {1}
        assert sum(one["points"] for one in rows.values()) == 1
        for one in rows.values():
            assert one["mean_score"] == scores[one["name"]]
        if scores["Anna"] != scores["Bert"]:
            best = min(scores, key=lambda name: scores[name])
            assert (rows[best]["place"], rows[best]["wins"], rows[best]["points"]) == (1, 1, 1)
        path = f"/clubs/{club['club']}/standings"
        assert checked(anna.get(path, params={"game": "x-nimmt"}))["rows"] == []
        assert len(checked(anna.get(path, params={"game": "six-nimmt"}))["rows"]) == 2
        assert checked(anna.get(path, params={"month": "2020-01"}))["rows"] == []
        assert anna.get(path, params={"month": "2020-13"}).status_code == 422


def test_bots_guests_and_games_with_hints_do_not_count(server: Served) -> None:
    with devices(server, 2) as (anna, guest):
        club = new_club(anna)
        for coach in (False, True):
            made = anna.table(bots=0, others=1, club=club["club"], coach=coach)
            body = {"name": "Guest", "invite": made["invite"]}
            checked(guest.post(f"/tables/{made['table']}/join", json=body))
            if coach:
                joined(guest, club)
            played(server, made["table"], anna, guest)
        assert len(page(anna, club)["games"]) == 2
        assert checked(anna.get(f"/clubs/{club['club']}/standings"))["rows"] == []


def test_whose_game_a_bot_finished_has_lost_it(tmp_path: Path) -> None:
    async def alone(server: Served, table: str, anna: Device) -> None:
        await play_together(server.url, table, [anna.seat_token(table)])

    with (
        served(tmp_path, BULLPEN_AWAY_SECONDS="0.1") as server,
        devices(server, 2) as (anna, bert),
    ):
        club = new_club(anna)
        joined(bert, club, "Bert")
        table = for_the_club(anna, club)
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
        checked(anna.post(f"/tables/{table}/start", json={}))
        asyncio.run(alone(server, table, anna))
        rows = checked(anna.get(f"/clubs/{club['club']}/standings"))["rows"]
        assert [(one["name"], one["points"], one["wins"]) for one in rows] == [
            ("Anna", 1, 1),
            ("Bert", 0, 0),
        ]


def test_the_next_game_of_the_same_people_is_one_of_the_club_too(server: Served) -> None:
    with devices(server, 2) as (anna, bert):
        club = new_club(anna)
        joined(bert, club, "Bert")
        table = for_the_club(anna, club)
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
        played(server, table, anna, bert)
        following = checked(anna.post(f"/tables/{table}/rematch"))["table"]
        assert [one["table"] for one in page(bert, club)["tables"]] == [following]


def test_no_secret_of_a_device_or_player_leaves_with_the_page(tmp_path: Path) -> None:
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        club = new_club(anna)
        joined(bert, club, "Bert")
        table = for_the_club(anna, club)
        shown = json.dumps(
            [page(bert, club), bert.get("/clubs").json(), bert.get(f"/tables/{table}").json()]
        )
        with sqlite3.connect(tmp_path / "tables.db") as store:
            hidden = [
                one for row in store.execute("SELECT hash, player FROM device") for one in row
            ]
            hidden += [row[0] for row in store.execute("SELECT hash FROM token")]
        assert len(hidden) >= 5
        assert not [one for one in hidden if one in shown]


def test_clubs_work_on_postgresql_with_several_workers(postgres_url: str, tmp_path: Path) -> None:  # noqa: F811
    running = Served(postgres_url, tmp_path / "log.txt", BULLPEN_WORKERS="2")
    with running as server, devices(server, 3) as (anna, bert, carl):
        club = new_club(anna)
        joined(bert, club, "Bert")
        seen = joined(carl, club, "Carl")
        checked(
            anna.post(f"/clubs/{club['club']}/send-away", json={"member": number_of(seen, "Carl")})
        )
        table = for_the_club(anna, club, options=SHORT)
        checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
        assert refusal(carl.post(f"/tables/{table}/join", json={"name": "Carl"})) == (
            403,
            "invite_needed",
        )
        played(server, table, anna, bert)
        rows = checked(bert.get(f"/clubs/{club['club']}/standings"))["rows"]
        assert sorted(one["name"] for one in rows) == ["Anna", "Bert"]
        checked(bert.delete("/me"))
        assert names(page(anna, club)) == ["Anna"]
