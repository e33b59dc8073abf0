"""The deal of the day: the same game for two who play alike, once for each, and nothing of it to be learnt today."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from bullpen import days
from bullpen.cli import main
from bullpen.games import GAMES
from tests.patience import until
from tests.server.running import RUN, Json, Player, Served, checked, seated, served
from tests.server.test_players import Device, refusal

# The day is what a file says; without one, what the clock says.  Everybody comes from a place of their own.
ANY_DAY = f"""
import os
from datetime import date
from pathlib import Path
from bullpen import days
said = Path(os.environ["TODAY"])
days.today = lambda: date.fromisoformat(said.read_text())
{RUN}"""
# The levels that answer at once: the tests are about deals, not about how well bots play.
AT_ONCE = """
import bullpen.server.daily as daily
daily.LEVEL = daily.EXPERT = "medium"
"""


class Calendar:
    def __init__(self, file: Path) -> None:
        self.file = file
        self.set(datetime.now(UTC).date())

    def set(self, day: date) -> None:
        self.day = day
        self.file.write_text(str(day))

    def next_day(self) -> None:
        self.set(self.day + timedelta(days=1))


@pytest.fixture(scope="module")
def calendar(tmp_path_factory: pytest.TempPathFactory) -> Calendar:
    return Calendar(tmp_path_factory.mktemp("calendar") / "today.txt")


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory, calendar: Calendar) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("daily")
    run = AT_ONCE + ANY_DAY
    with served(folder, run, TODAY=str(calendar.file), BULLPEN_PROXY="127.0.0.1") as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


class Somebody(Device):
    """A browser in a place of its own, as a proxy says."""

    def __init__(self, server: Served, place: str) -> None:
        super().__init__(server)
        self.headers["x-forwarded-for"] = place
        self.server = server

    def begin(self, game: str, name: str = "Anna") -> str:
        return str(checked(self.post(f"/daily/{game}", json={"name": name}))["table"])

    def play(
        self, game: str, choose: Callable[[Json], int], name: str = "Anna"
    ) -> tuple[str, Player]:
        table = self.begin(game, name)
        return table, asyncio.run(self.to_the_end(table, choose))

    async def to_the_end(self, table: str, choose: Callable[[Json], int]) -> Player:
        async with seated(self.server.url, table, self.seat_token(table)) as player:
            answered = -1
            while player.result is None:
                if (question := player.question) and question["number"] != answered:
                    answered = question["number"]
                    await player.say(type="move", decision=answered, action=choose(question))
                await player.hear()
            return player

    def daily(self) -> Json:
        return checked(self.get("/daily"))

    def game(self, game: str, *, yesterday: bool = False) -> Json:
        shown = self.daily()
        shown = shown["yesterday"] if yesterday else shown
        return next(one for one in shown["games"] if one["game"] == game)


@contextmanager
def somebody(server: Served, *places: str) -> Iterator[list[Somebody]]:
    found = [Somebody(server, place) for place in places]
    try:
        yield found
    finally:
        for one in found:
            one.close()


def lowest(question: Json) -> int:
    return min(int(move["action"]) for move in question["moves"])


def highest(question: Json) -> int:
    return max(int(move["action"]) for move in question["moves"])


def course(player: Player) -> list[Json]:
    """What happened, and what was asked.  Not who had already chosen in secret when it was shown: that is time."""
    shown = [one["view"] if one["type"] == "welcome" else one for one in player.told]
    views = {view["turn"]: view for view in shown if view and view["type"] == "view"}
    told = [
        {key: views[turn][key] for key in ("turn", "phase", "scores", "steps")}
        | {"moves": (views[turn]["decision"] or {}).get("moves")}
        for turn in sorted(views)
    ]
    return [json.loads(json.dumps(one).replace("Zoe", "Anna")) for one in told]


# -- The same game ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_two_who_play_alike_have_the_same_game_to_the_last_card(
    playing: Served, calendar: Calendar, game: str
) -> None:
    with somebody(playing, "10.1.0.1", "10.1.0.2", "10.1.0.3") as (anna, zoe, other):
        one, ann = anna.play(game, lowest)
        two, zoes = zoe.play(game, lowest, "Zoe")
        three, _ = other.play(game, highest, "Otto")
        assert course(ann) == course(zoes)
        assert ann.ended["scores"] == zoes.ended["scores"]
        calendar.next_day()
        records = [checked(anna.get(f"/tables/{table}/record")) for table in (one, two, three)]
        assert records[0]["moves"] == records[1]["moves"]
        assert records[0]["shuffles"] == records[1]["shuffles"]
        assert (
            records[0]["shuffles"][0] == records[2]["shuffles"][0]
        )  # the cards do not ask who plays
        assert records[0]["moves"] != records[2]["moves"]
        calendar.set(calendar.day - timedelta(days=1))


def test_bots_that_think_answer_alike_too(server: Served) -> None:
    """With the levels as they are: the ones above need no time to think."""
    with somebody(server, "-", "-") as (anna, zoe):
        game = "six-nimmt"
        _, ann = anna.play(game, lowest)
        _, zoes = zoe.play(game, lowest, "Zoe")
        levels = [seat["level"] for seat in ann.told[0]["lobby"]["seats"]]
        assert levels == [None, "hard", "hard", "hard"]
        assert course(ann) == course(zoes)
        until(lambda: anna.game(game)["expert"] is not None, server.log.read_text)


# -- Once ---------------------------------------------------------------------------------------


def test_the_first_attempt_counts_on_whichever_device(playing: Served, calendar: Calendar) -> None:
    calendar.next_day()
    wish = {"name": "Anna"}
    with somebody(playing, "10.2.0.1", "10.2.0.2", "10.2.0.3") as (anna, tablet, bob):
        table = anna.begin("x-nimmt")
        again = anna.post("/daily/x-nimmt", json=wish)
        assert (again.status_code, again.json()["table"]) == (200, table)
        tablet.use(anna.code())
        assert tablet.post("/daily/x-nimmt", json=wish).json()["table"] == table
        assert [one["table"] for one in tablet.running()] == [table]
        checked(tablet.post(f"/tables/{table}/back"))
        player = asyncio.run(tablet.to_the_end(table, lowest))
        for one in (anna, tablet):
            assert refusal(one.post("/daily/x-nimmt", json=wish)) == (409, "daily_played")
            shown = one.game("x-nimmt")
            assert (shown["status"], shown["score"]) == ("finished", player.ended["scores"][0])
            assert one.daily()["streak"] == 1
        other = bob.begin("six-nimmt", "Bob")
        checked(bob.post(f"/tables/{other}/end"))
        assert refusal(bob.post("/daily/six-nimmt", json=wish)) == (409, "daily_given_up")
        assert bob.game("six-nimmt")["status"] == "given_up"
        assert refusal(bob.post("/daily/chess", json=wish))[0] == 422


def test_what_others_reached_is_told_to_who_has_played_and_a_second_of_the_same_place_is_not_counted(
    playing: Served, calendar: Calendar
) -> None:
    calendar.next_day()
    game = "six-nimmt"
    with somebody(playing, "10.3.0.1", "10.3.0.2", "10.3.0.2", "10.3.0.9") as (
        anna,
        bob,
        bob_again,
        looker,
    ):
        _, ann = anna.play(game, lowest)
        _, bobs = bob.play(game, highest, "Bob")
        _, twice = bob_again.play(game, highest, "Bobby")
        scores = [one.ended["scores"][0] for one in (ann, bobs)]
        assert twice.ended["scores"][0] == scores[1]
        until(lambda: anna.game(game)["expert"] is not None, playing.log.read_text)
        shown = anna.game(game)
        assert sorted(
            score for one in shown["scores"] for score in [one["score"]] * one["players"]
        ) == sorted(scores)
        assert (bob.game(game)["counted"], bob_again.game(game)["counted"]) == (True, False)
        before = looker.game(game)
        assert (before["expert"], before["scores"], before["line"]) == (None, [], None)
        assert before["status"] == "new"
        expert = shown["expert"]
        calendar.next_day()
        over = looker.game(game, yesterday=True)
        assert (over["expert"], over["scores"]) == (expert, shown["scores"])
        best = min(expert, *scores)
        assert over["line"]["score"] == best
        replay = checked(looker.get(f"/tables/{over['line']['table']}/replay"))
        assert replay["result"]["scores"][0] == best
        assert anna.daily()["streak"] == 1  # until today is over


def test_who_comes_too_late_is_not_counted(playing: Served, calendar: Calendar) -> None:
    today = calendar.day
    with somebody(playing, "10.4.0.1") as (anna,):
        try:
            calendar.set(datetime.now(UTC).date() - timedelta(days=3))
            table = anna.begin("x-nimmt")
            asyncio.run(anna.to_the_end(table, lowest))
            shown = anna.game("x-nimmt")
            assert (shown["status"], shown["counted"], shown["scores"]) == ("late", False, [])
            assert anna.daily()["streak"] == 0
        finally:
            calendar.set(today)


def test_a_streak_is_days_in_a_row(playing: Served, calendar: Calendar) -> None:
    with somebody(playing, "10.5.0.1") as (anna,):
        for length, game in enumerate(("x-nimmt", "six-nimmt", "x-nimmt"), start=1):
            calendar.next_day()
            assert anna.daily()["streak"] == length - 1
            anna.play(game, lowest)
            assert anna.daily()["streak"] == length
        calendar.next_day()
        calendar.next_day()
        assert anna.daily()["streak"] == 0


# -- Looking at the cards twice -------------------------------------------------------------------


def test_who_begins_looks_at_the_cards_as_somebody_else_and_then_goes_on_is_not_counted(
    playing: Served, calendar: Calendar
) -> None:
    calendar.next_day()
    game = "x-nimmt"
    with somebody(playing, "10.9.0.1", "10.9.0.1", "10.9.0.2") as (anna, puppet, bob):
        table = anna.begin(game)
        puppet.play(game, highest, "Zoe")
        asyncio.run(anna.to_the_end(table, lowest))
        _, bobs = bob.play(game, lowest, "Bob")
        assert [one.game(game)["counted"] for one in (anna, puppet, bob)] == [False, False, True]
        assert bob.game(game)["scores"] == [{"score": bobs.ended["scores"][0], "players": 1}]


def test_who_deletes_themselves_and_plays_again_is_not_counted_again(
    playing: Served, calendar: Calendar
) -> None:
    calendar.next_day()
    game = "x-nimmt"
    with somebody(playing, "10.10.0.1") as (anna,):
        anna.play(game, highest)
        checked(anna.delete("/me"))
        anna.play(game, lowest, "Zoe")
        shown = anna.game(game)
        assert (shown["status"], shown["counted"]) == ("finished", False)
        assert sum(one["players"] for one in shown["scores"]) == 1


LOOK_OFTEN = "import bullpen.server.retention as retention; retention.LOBBY_SECONDS = 0.05\n"


def test_where_somebody_played_from_is_known_on_that_day_alone(tmp_path: Path) -> None:
    calendar = Calendar(tmp_path / "today.txt")
    run = LOOK_OFTEN + AT_ONCE + ANY_DAY

    def marks() -> list[str | None]:
        with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
            found = db.execute(
                "SELECT network FROM daily WHERE device IS NULL OR device != 'house'"
            )
            return [one for (one,) in found]

    with (
        served(tmp_path, run, TODAY=str(calendar.file)) as server,
        somebody(server, "-", "-") as (anna, zoe),
    ):
        anna.begin("x-nimmt")
        zoe.begin("six-nimmt")
        checked(zoe.delete("/me"))
        assert all(marks())
        calendar.next_day()
        until(lambda: marks() == [None, None])  # also where nobody plays on that day


# Whoever asks for a deal waits, once it is known that they have begun none, for the other one.
BOTH_LOOK = """
import asyncio
import bullpen.server.daily as daily
begun, looked = daily.Daily.begun, []
async def together(self, game, own):
    found = await begun(self, game, own)
    looked.append(own)
    while len(looked) < 2:
        await asyncio.sleep(0.01)
    return found
daily.Daily.begun = together
"""


def test_two_devices_of_one_player_that_ask_at_once_begin_one_deal(tmp_path: Path) -> None:
    wish = {"name": "Anna"}
    with (
        served(tmp_path, AT_ONCE + BOTH_LOOK + RUN, BULLPEN_PROXY="127.0.0.1") as server,
        somebody(server, "10.11.0.1", "10.11.0.2") as (phone, laptop),
        ThreadPoolExecutor(2) as pool,
    ):
        checked(phone.put("/me", json={"name": "Anna", "colour": 1, "language": "en"}))
        checked(laptop.use(phone.code()))
        asked = [pool.submit(one.post, "/daily/x-nimmt", json=wish) for one in (phone, laptop)]
        answers = [one.result() for one in asked]
        assert sorted(one.status_code for one in answers) == [201, 409]
        assert {refusal(one) for one in answers if one.is_error} == {(409, "daily_begun")}
        assert len(phone.running()) == 1


# It goes down before the cards are there, once.
NOT_DEALT = """
import bullpen.server.daily as daily
from bullpen.server.refused import Gone
deal, tried = daily.Daily._deal, []
async def once_in_vain(self, room):
    tried.append(room)
    if len(tried) == 1:
        raise Gone(room.id)
    await deal(self, room)
daily.Daily._deal = once_in_vain
"""


def test_nobody_arranges_or_starts_a_deal_that_is_not_dealt_yet(tmp_path: Path) -> None:
    wish = {"name": "Anna"}
    with (
        served(tmp_path, AT_ONCE + NOT_DEALT + RUN) as server,
        somebody(server, "10.12.0.1") as (anna,),
    ):
        checked(anna.put("/me", json={"name": "Anna", "colour": 1, "language": "en"}))
        assert anna.post("/daily/x-nimmt", json=wish).status_code == 503
        (waiting,) = anna.running()
        table = waiting["table"]
        checked(anna.post(f"/tables/{table}/back"))
        for path, body in (
            ("settings", {"coach": True}),
            ("settings", {"latecomers": "welcome", "listed": True}),
            ("seat", {"seat": 1, "kind": "bot", "level": "easy"}),
            ("seat", {"seat": 1, "kind": "person"}),
            ("invite", {}),
            ("leave", {}),
            ("start", {}),
        ):
            refused = anna.post(f"/tables/{table}/{path}", json=body)
            assert refusal(refused) == (409, "already_started"), path
        assert checked(anna.post("/daily/x-nimmt", json=wish))["table"] == table
        shown = anna.get(f"/tables/{table}").json()
        assert (shown["lobby"]["status"], shown["table"]["coach"]) == ("playing", False)
        assert {one["level"] for one in shown["lobby"]["seats"]} == {None, "medium"}


# The first time that the expert should play it goes down before the cards are there.
EXPERT_NOT_DEALT = """
import bullpen.server.daily as daily
from bullpen.server.refused import Gone
deal, tried = daily.Daily._deal, []
async def once_in_vain(self, room):
    if room.header.host is None and not tried:
        tried.append(room)
        raise Gone(room.id)
    await deal(self, room)
daily.Daily._deal = once_in_vain
"""


def test_the_next_who_plays_brings_an_expert_about_who_was_not_dealt(tmp_path: Path) -> None:
    game = "x-nimmt"
    with (
        served(tmp_path, AT_ONCE + EXPERT_NOT_DEALT + RUN) as server,
        somebody(server, "-", "-") as (anna, zoe),
    ):
        anna.play(game, lowest)
        assert anna.game(game)["expert"] is None
        zoe.begin(game, "Zoe")
        until(lambda: anna.game(game)["expert"] is not None, server.log.read_text)


# -- What can be learnt ---------------------------------------------------------------------------


def test_nothing_of_todays_cards_is_told_and_tomorrow_everything_is(
    playing: Served, calendar: Calendar, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calendar.next_day()
    day, game = calendar.day, "x-nimmt"
    with somebody(playing, "10.6.0.1", "10.6.0.2") as (anna, thief):
        published = anna.daily()["commitment"]
        table, player = anna.play(game, lowest)
        told: list[Any] = [*player.told, anna.daily(), thief.daily()]
        until(lambda: anna.game(game)["expert"] is not None, playing.log.read_text)
        told += [one.get(f"/tables/{table}").json() for one in (anna, thief)]
        told += [anna.get("/me/export").json(), anna.get("/mine/finished").json()]
        (over,) = anna.get("/mine/finished").json()["games"]
        assert (over["replay"], over["sealed"]) == (False, True)
        closed = ["replay", "record", "review", "fair", "replay?seat=1"]
        on = {"turn": 0, "seat": 0, "name": "Anna"}
        for one in (anna, thief):
            for what in closed:
                assert refusal(one.get(f"/tables/{table}/{what}")) == (409, "daily_sealed")
            played_on = one.post(f"/tables/{table}/play-on", json=on)
            assert refusal(played_on) == (409, "daily_sealed")
        assert refusal(anna.post(f"/tables/{table}/rematch")) == (409, "daily_once")
        calendar.next_day()
        secret = anna.daily()["yesterday"]["secret"]
        assert secret == anna.daily()["commitment"]
        assert secret not in json.dumps(told)
        for what in closed:
            assert thief.get(f"/tables/{table}/{what}").status_code in (200, 202)
        record = thief.get(f"/tables/{table}/record").text
    file = tmp_path / "deal.json"
    file.write_text(record, "utf-8")
    assert json.loads(record)["fair"]["secret"] == secret
    assert main(["verify", str(file), "--published", f"{day}={published}", "--lang", "en"]) == 0
    assert f"the deal of the day of {day} was fixed before" in capsys.readouterr().out
    other = f"{day - timedelta(days=1)}={published}"
    assert main(["verify", str(file), "--published", other, "--lang", "en"]) == 2
    assert "NOT FAIR" in capsys.readouterr().err
    assert main(["verify", str(file), "--lang", "en"]) == 0
    assert published in capsys.readouterr().out


def test_at_a_running_deal_there_is_no_hint_no_undo_no_share_no_spectator_and_no_helper(
    playing: Served, calendar: Calendar
) -> None:
    calendar.next_day()

    async def said(player: Player, **message: Any) -> str:
        await player.say(**message)
        return str((await player.hear_of("error"))["key"])

    async def story(anna: Somebody, table: str) -> None:
        async with seated(playing.url, table, anna.seat_token(table)) as player:
            number = player.asked["number"]
            assert await said(player, type="hint", decision=number) == "no_coach"
            assert await said(player, type="undo") == "daily_no_undo"
            assert await said(player, type="commit", commitment="0" * 64) == "daily_no_shares"
            assert player.told[0]["fair"]["secret"] is None
            assert player.told[0]["table"]["daily"] == str(calendar.day)

    with somebody(playing, "10.7.0.1", "10.7.0.2") as (anna, thief):
        table = anna.begin("six-nimmt")
        asyncio.run(story(anna, table))
        assert anna.post(f"/tables/{table}/invite").status_code == 409
        late = thief.post(f"/tables/{table}/take-over", json={"name": "Bob"})
        assert refusal(late) == (403, "no_latecomers")
        assert refusal(thief.post(f"/tables/{table}/back")) == (403, "not_your_seat")
        assert table not in json.dumps(thief.get("/tables").json())
        with pytest.raises(Exception, match="403"):
            asyncio.run(watched(playing, table))


async def watched(server: Served, table: str) -> None:
    async with seated(server.url, table, None):
        pass


def test_a_deleted_player_leaves_a_score_without_a_name(
    playing: Served, calendar: Calendar
) -> None:
    calendar.next_day()
    with somebody(playing, "10.8.0.1", "10.8.0.2") as (anna, bob):
        anna.play("x-nimmt", lowest)
        mine = anna.get("/me/export").json()["deals_of_the_day"]
        assert [(one["day"], one["game"]) for one in mine] == [(str(calendar.day), "x-nimmt")]
        checked(anna.delete("/me"))
        bob.play("x-nimmt", lowest, "Bob")
        assert sum(one["players"] for one in bob.game("x-nimmt")["scores"]) == 2
        assert anna.daily()["streak"] == 0


# -- Fixed beforehand -------------------------------------------------------------------------------


def test_what_was_published_once_binds_every_day_also_after_a_restart(tmp_path: Path) -> None:
    calendar = Calendar(tmp_path / "today.txt")
    server = served(tmp_path, AT_ONCE + ANY_DAY, TODAY=str(calendar.file))

    def shown() -> Json:
        return checked(httpx.get(f"{server.url}/api/daily"))

    with server:
        first = shown()
        assert first["published"] == {"day": str(calendar.day), "commitment": first["commitment"]}
    begun = calendar.day
    with server:
        for ahead in (1, 2, 40):
            calendar.set(begun + timedelta(days=ahead))
            now = shown()
            assert now["published"] == first["published"]
            known = days.Published(begun, first["commitment"])
            yesterday = calendar.day - timedelta(days=1)
            assert days.fits(yesterday, bytes.fromhex(now["yesterday"]["secret"]), known)
            assert now["commitment"] == now["yesterday"]["secret"]
