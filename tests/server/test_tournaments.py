"""Tournaments of clubs: tables made by themselves, results once, and what happens to who does not come."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.patience import until
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import Json, Served, checked, play_together, seated, served
from tests.server.test_clubs import invite_of, joined, new_club, page
from tests.server.test_players import SHORT, Device, devices, refusal

NAMES = ("Anna", "Bert", "Carl", "Dora", "Emil")
# Whoever is missing is not waited for; else a round would begin when everybody sits.
SOON = (
    "import bullpen.server.tournaments as t; t.LOOK_SECONDS = 0.05; t.FULL_SECONDS = 0.05;"
    "from bullpen.server.serving import run; from bullpen.server.settings import *;"
    "run(Settings(**from_environment()))"
)


def gathered(all_of: Sequence[Device]) -> Json:
    club = new_club(all_of[0], player=NAMES[0])
    for one, name in zip(all_of[1:], NAMES[1:], strict=False):
        joined(one, club, name)
    return club


def new_tournament(one: Device, club: Json, **wishes: Any) -> str:
    body = {"game": "six-nimmt", "seats": 2, "options": SHORT, "wait": 1200, **wishes}
    return str(checked(one.post(f"/clubs/{club['club']}/tournaments", json=body))["tournament"])


def ask(one: Device, tournament: str, what: str, **body: Any) -> httpx.Response:
    return one.post(f"/tournaments/{tournament}/{what}", json=body or None)


def look(one: Device, tournament: str) -> Json:
    return checked(one.get(f"/tournaments/{tournament}"))


def begun(all_of: Sequence[Device], **wishes: Any) -> str:
    """A tournament of all of them."""
    club = gathered(all_of)
    tournament = new_tournament(all_of[0], club, **wishes)
    for one in all_of[1:]:
        checked(ask(one, tournament, "enter"))
    checked(ask(all_of[0], tournament, "start"))
    return tournament


def waits(one: Device, tournament: str, number: int) -> bool:
    """Whether the tables of this round are there, or all is over."""
    shown = look(one, tournament)
    if shown["state"] != "running":
        return True
    tables = shown["tables"][0]["tables"]
    return shown["round"] == number and all(table["status"] != "making" for table in tables)


def sit_down(one: Device, tournament: str) -> str | None:
    table: str | None = look(one, tournament)["your_table"]
    if table is not None:
        checked(one.post(f"/tables/{table}/join", json={"name": "Whoever"}))
    return table


def play_round(server: Served, tournament: str, all_of: Sequence[Device], number: int) -> None:
    """Everybody who is expected sits down and plays to the end."""
    until(lambda: waits(all_of[0], tournament, number))
    tables: dict[str, list[str]] = {}
    for one in all_of:
        if table := sit_down(one, tournament):
            tables.setdefault(table, []).append(one.seat_token(table))

    async def play() -> None:
        await asyncio.gather(
            *(play_together(server.url, table, tokens) for table, tokens in tables.items())
        )

    asyncio.run(play())
    until(lambda: look(all_of[0], tournament)["round"] > number or is_over(all_of[0], tournament))


def is_over(one: Device, tournament: str) -> bool:
    return bool(look(one, tournament)["state"] == "over")


def pairs(shown: Json) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(seat["name"] for seat in table["seats"])
        for one in shown["tables"]
        for table in one["tables"]
    )


@pytest.fixture(scope="module")
def quick_server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with served(tmp_path_factory.mktemp("tournaments"), SOON) as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


# -- Entering -----------------------------------------------------------------------------------


def test_members_choose_themselves_until_it_starts_and_strangers_cannot(server: Served) -> None:
    with devices(server, 4) as (anna, bert, carl, stranger):
        club = gathered((anna, bert, carl))
        tournament = new_tournament(bert, club)
        stranger.table(name="Zoe")
        assert refusal(ask(stranger, tournament, "enter")) == (404, "no_such_club")
        checked(ask(anna, tournament, "enter"))
        checked(ask(anna, tournament, "enter"))  # twice is once
        checked(ask(carl, tournament, "enter"))
        checked(ask(carl, tournament, "withdraw"))
        shown = look(anna, tournament)
        assert [one["name"] for one in shown["entrants"]] == ["Bert", "Anna"]
        assert (shown["state"], shown["runs"], look(carl, tournament)["runs"]) == (
            *("open", True),
            False,
        )
        assert refusal(ask(carl, tournament, "start")) == (403, "tournament_not_yours")
        again = anna.post(
            f"/clubs/{club['club']}/tournaments", json={"game": "six-nimmt", "seats": 2}
        )
        assert refusal(again) == (409, "tournament_there")
        checked(ask(anna, tournament, "start"))  # the keeper may as well
        assert refusal(ask(carl, tournament, "enter")) == (409, "tournament_begun")
        (line,) = page(carl, club)["tournaments"]
        assert (line["tournament"], line["state"]) == (tournament, "running")


def test_what_cannot_be_played_is_refused_in_words(server: Served) -> None:
    with devices(server, 1) as (anna,):
        club = gathered((anna,))
        path = f"/clubs/{club['club']}/tournaments"

        def refused(**wish: Any) -> tuple[int, str]:
            return refusal(anna.post(path, json={"game": "six-nimmt", "seats": 2, **wish}))

        assert refused(game="x-nimmt", seats=9) == (422, "quick_seats")
        assert refused(kind="swiss") == (422, "tournament_rounds")
        assert refused(rounds=3) == (422, "tournament_rounds")
        assert refused(kind="swiss", rounds=31) == (422, "bad_request")
        assert refused(options={"no": 1})[0] == 422
        tournament = new_tournament(anna, club)
        assert refusal(ask(anna, tournament, "go-on")) == (409, "tournament_not_begun")
        assert refusal(ask(anna, tournament, "start")) == (409, "tournament_few")
        checked(ask(anna, tournament, "end"))
        assert refusal(ask(anna, tournament, "enter")) == (404, "no_such_tournament")
        assert refusal(anna.get("/tournaments/nowhere")) == (404, "no_such_tournament")


def test_two_with_the_same_name_can_be_told_apart(server: Served) -> None:
    with devices(server, 2) as (anna, other):
        club = new_club(anna)
        joined(other, club, "Anna")
        tournament = new_tournament(anna, club)
        checked(ask(other, tournament, "enter"))
        assert [one["name"] for one in look(anna, tournament)["entrants"]] == ["Anna", "Anna 2"]


# -- Playing ------------------------------------------------------------------------------------


def test_everybody_meets_everybody_and_the_standings_follow_from_the_tables(
    quick_server: Served,
) -> None:
    with devices(quick_server, 3) as all_of:
        tournament = begun(all_of)
        assert look(all_of[0], tournament)["rounds"] == 3
        for number in (1, 2, 3):
            play_round(quick_server, tournament, all_of, number)
        shown = look(all_of[0], tournament)
        assert shown["state"] == "over"
        assert set(pairs(shown).values()) == {1}
        assert len(pairs(shown)) == 3
        assert sorted(name for one in shown["tables"] for name in one["byes"]) == [*NAMES[:3]]
        points = Counter[str]()
        for one in shown["tables"]:
            for table in one["tables"]:
                first, second = table["seats"]
                assert first["points"] + second["points"] == 1
                assert (first["points"] > second["points"]) == (first["score"] < second["score"])
                for seat in table["seats"]:
                    points[seat["name"]] += seat["points"]
        rows = {one["name"]: one for one in shown["entrants"]}
        assert {name: row["points"] for name, row in rows.items()} == {
            name: points[name] for name in NAMES[:3]
        }
        assert [one["games"] for one in rows.values()] == [2, 2, 2]
        assert [one["place"] for one in shown["entrants"]] == sorted(
            one["place"] for one in shown["entrants"]
        )
        club = shown["club"]
        counted = checked(all_of[0].get(f"/clubs/{club}/standings"))["rows"]
        assert {one["name"]: one["games"] for one in counted} == dict.fromkeys(NAMES[:3], 2)


def test_swiss_at_larger_tables_bots_fill_and_are_never_counted(quick_server: Served) -> None:
    with devices(quick_server, 4) as all_of:
        club = gathered(all_of)
        wish = {"seats": 3, "kind": "swiss", "rounds": 2}
        tournament = new_tournament(all_of[0], club, **wish)
        for one in all_of[1:]:
            checked(ask(one, tournament, "enter"))
        assert look(all_of[0], tournament)["bots"] == 2  # told beforehand
        checked(ask(all_of[0], tournament, "start"))
        for number in (1, 2):
            play_round(quick_server, tournament, all_of, number)
        shown = look(all_of[0], tournament)
        assert shown["state"] == "over"
        tables = [table for one in shown["tables"] for table in one["tables"]]
        assert [(len(one["seats"]), one["bots"]) for one in tables] == [(2, 1)] * 4
        assert max(pairs(shown).values()) == 1
        assert sum(one["points"] for one in shown["entrants"]) == 4
        assert sorted(one["name"] for one in shown["entrants"]) == sorted(NAMES[:4])


def test_seats_are_kept_for_who_should_sit_there_and_nobody_has_a_hosts_power(
    quick_server: Served,
) -> None:
    with devices(quick_server, 4) as all_of:
        tournament = begun(all_of)
        until(lambda: waits(all_of[0], tournament, 1))
        anna, *others = all_of
        own = sit_down(anna, tournament)
        away = next(one for one in others if look(one, tournament)["your_table"] != own)
        intruding = away.post(f"/tables/{own}/join", json={"name": "Me"})
        assert refusal(intruding) == (403, "tournament_seat")
        invite = checked(anna.post(f"/tables/{own}/invite"))["invite"]
        by_link = away.post(f"/tables/{own}/join", json={"name": "Me", "invite": invite})
        assert refusal(by_link) == (403, "tournament_seat")
        for path, body in (
            ("start", {}),
            ("seat", {"seat": 1, "kind": "bot"}),
            ("settings", {"clock": None}),
            ("kick", {"seat": 1}),
        ):
            refused = anna.post(f"/tables/{own}/{path}", json=body)
            assert refusal(refused) == (403, "only_the_host")
        lobby = anna.get(f"/tables/{own}").json()["lobby"]
        assert lobby["host"] is None
        assert sorted(one["reserved_for"] or one["name"] for one in lobby["seats"]) == sorted(
            one["name"] for one in table_of(anna, tournament, str(own))["seats"]
        )
        checked(anna.post(f"/tables/{own}/leave"))  # and may come back
        assert sit_down(anna, tournament) == own


def table_of(one: Device, tournament: str, table: str) -> Json:
    tables = look(one, tournament)["tables"][0]["tables"]
    return next(found for found in tables if found["table"] == table)


def test_a_bot_stands_in_for_who_does_not_come_and_they_have_lost(quick_server: Served) -> None:
    async def alone(table: str, anna: Device) -> None:
        await play_together(quick_server.url, table, [anna.seat_token(table)])

    with devices(quick_server, 2) as (anna, bert):
        tournament = begun((anna, bert))
        until(lambda: waits(anna, tournament, 1))
        table = str(sit_down(anna, tournament))
        assert look(anna, tournament)["seconds_to_start"] > 0
        assert refusal(ask(bert, tournament, "go-on")) == (403, "tournament_not_yours")
        checked(ask(anna, tournament, "go-on"))
        asyncio.run(alone(table, anna))
        until(lambda: is_over(anna, tournament))
        rows = look(anna, tournament)["entrants"]
        assert [(one["name"], one["points"]) for one in rows] == [("Anna", 1), ("Bert", 0)]


def test_who_comes_after_the_clock_has_run_out_plays_on(quick_server: Served) -> None:
    async def come_late(table: str, anna: Device, bert: Device) -> None:
        async with seated(quick_server.url, table, anna.seat_token(table)) as first:
            until(lambda: anna.get(f"/tables/{table}").json()["lobby"]["status"] == "playing")
            checked(bert.post(f"/tables/{table}/join", json={"name": "Bert"}))
            async with seated(quick_server.url, table, bert.seat_token(table)) as second:
                ended = await asyncio.gather(first.play_on(), second.play_on())
        assert ended[0]["scores"] == ended[1]["scores"]

    with devices(quick_server, 2) as (anna, bert):
        tournament = begun((anna, bert))
        until(lambda: waits(anna, tournament, 1))
        table = str(sit_down(anna, tournament))
        checked(ask(anna, tournament, "go-on"))
        asyncio.run(come_late(table, anna, bert))
        until(lambda: is_over(anna, tournament))


def test_the_round_goes_on_by_the_clock_where_nobody_comes_at_all(tmp_path: Path) -> None:
    short = f"import bullpen.server.tournaments as t; made = t.checked; t.checked = lambda wish: {{**made(wish), 'wait': 0, 'clock': 0.05}};{SOON}"
    with served(tmp_path, short) as server, devices(server, 3) as all_of:
        tournament = begun(all_of)
        until(lambda: is_over(all_of[0], tournament))
        rows = look(all_of[0], tournament)["entrants"]
        assert [one["points"] for one in rows] == [0, 0, 0]
        assert [one["games"] for one in rows] == [2, 2, 2]


def test_who_leaves_late_keeps_their_points_and_the_others_go_on(quick_server: Served) -> None:
    with devices(quick_server, 3) as all_of:
        tournament = begun(all_of)
        play_round(quick_server, tournament, all_of, 1)
        before = {one["name"]: one["points"] for one in look(all_of[0], tournament)["entrants"]}
        checked(ask(all_of[2], tournament, "withdraw"))
        for number in (2, 3):
            if is_over(all_of[0], tournament) or look(all_of[0], tournament)["round"] > number:
                continue
            play_round(quick_server, tournament, all_of, number)
        until(lambda: is_over(all_of[0], tournament))
        shown = look(all_of[0], tournament)
        carl = next(one for one in shown["entrants"] if one["name"] == "Carl")
        assert carl["out"]
        assert carl["points"] >= before["Carl"]


def test_it_ends_when_whoever_runs_it_says_so_and_the_standings_stay(quick_server: Served) -> None:
    with devices(quick_server, 2) as (anna, bert):
        tournament = begun((anna, bert))
        assert refusal(ask(bert, tournament, "end")) == (403, "tournament_not_yours")
        checked(ask(anna, tournament, "end"))
        assert look(anna, tournament)["state"] == "ended"
        assert refusal(ask(anna, tournament, "end")) == (409, "tournament_over")
        assert len(look(bert, tournament)["entrants"]) == 2


def test_a_screen_that_is_nobodys_sees_the_standings_and_nothing_of_the_club(
    quick_server: Served,
) -> None:
    with devices(quick_server, 3) as (anna, bert, screen):
        tournament = begun((anna, bert))
        shown = look(screen, tournament)
        assert sorted(one["name"] for one in shown["entrants"]) == ["Anna", "Bert"]
        assert (shown["club"], shown["member"], shown["runs"]) == (None, False, False)
        club = page(anna, {"club": look(anna, tournament)["club"]})
        text = screen.get(f"/tournaments/{tournament}").text
        assert invite_of(club) not in text
        assert club["club"] not in text
        assert not any(one["you"] for one in shown["entrants"])


def test_whoever_is_deleted_or_leaves_the_club_is_out_and_the_name_is_gone(
    quick_server: Served,
) -> None:
    with devices(quick_server, 4) as all_of:
        anna, _, carl, dora = all_of
        tournament = begun(all_of)
        until(lambda: waits(anna, tournament, 1))
        checked(dora.delete("/me"))
        checked(carl.post(f"/clubs/{look(anna, tournament)['club']}/leave"))
        rows = look(anna, tournament)["entrants"]
        out = sorted(one["name"] for one in rows if one["out"])
        assert out == ["Carl", "Former player"]
        assert refusal(ask(carl, tournament, "withdraw")) == (404, "no_such_club")


# -- Restarts and several processes -------------------------------------------------------------


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_is_killed_in_the_middle_goes_on_and_counts_everything_once(
    tmp_path: Path, workers: str
) -> None:
    run = RUN_SEVERAL if workers == "2" else SOON
    with (
        served(tmp_path, run, BULLPEN_WORKERS=workers) as server,
        devices(server, 4) as all_of,
    ):
        tournament = begun(all_of, kind="swiss", rounds=2)
        play_round(server, tournament, all_of, 1)
        until(lambda: waits(all_of[0], tournament, 2))
        for one in all_of[:2]:
            sit_down(one, tournament)
        server.end(signal.SIGKILL if workers == "1" else signal.SIGTERM)
        server.start()
        play_round(server, tournament, all_of, 2)
        shown = look(all_of[0], tournament)
        assert shown["state"] == "over"
        assert len(pairs(shown)) == 4
        assert sum(one["points"] for one in shown["entrants"]) == 4
        assert [one["games"] for one in shown["entrants"]] == [2] * 4
        counted = checked(all_of[0].get(f"/clubs/{shown['club']}/standings"))["rows"]
        assert sum(one["games"] for one in counted) == 8


# The processes that are started by it read the module anew: each is told in the same way.
RUN_SEVERAL = (
    "from bullpen.server.serving import run; from bullpen.server.settings import *;"
    "run(Settings(**from_environment()))"
)


def test_two_servers_on_one_postgresql_draw_each_round_once(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    first = Served(postgres_url, tmp_path / "first.txt", SOON)
    second = Served(postgres_url, tmp_path / "second.txt", SOON)
    with first, second, devices(first, 3) as all_of:
        tournament = begun(all_of)
        for number in (1, 2, 3):
            play_round(first, tournament, all_of, number)
        shown = look(all_of[0], tournament)
        assert shown["state"] == "over"
        assert len(pairs(shown)) == 3
        assert sum(one["points"] for one in shown["entrants"]) == 3
    for log in ("first.txt", "second.txt"):
        assert "Traceback" not in (tmp_path / log).read_text()
