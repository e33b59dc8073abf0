"""Nobody takes another's chair: a seat has one living token, and whatever hangs on an old one ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bullpen.fair import fairness, findings, share_commitment
from bullpen.record import parsed, replay
from tests.patience import PATIENCE, until_soon
from tests.server.running import (
    RUN,
    Json,
    Served,
    bearer,
    checked,
    connect,
    new_table,
    people,
    play_together,
    seated,
    served,
    socket_url,
    started_table,
)

# Whoever is let in stands in the door until a file lets them in.
SLOW_DOOR = f"""
import asyncio, os
from bullpen.server.sockets import Sockets
serve = Sockets.serve
async def slowly(self, scope, receive, send):
    async def sending(message):
        await send(message)
        if message["type"] == "websocket.accept":
            while not os.path.exists(os.environ["LET_IN"]):
                await asyncio.sleep(0.01)
    await serve(self, scope, receive, sending)
Sockets.serve = slowly
{RUN}"""


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, PATIENCE))


class At(httpx.AsyncClient):
    """One table, over HTTP."""

    def __init__(self, server: Served, table: str) -> None:
        super().__init__()
        self.address = f"{server.url}/api/tables/{table}"

    async def ask(self, what: str, token: str | None = None, **body: Any) -> httpx.Response:
        headers = bearer(token) if token else {}
        return await self.post(f"{self.address}/{what}", json=body or None, headers=headers)

    async def do(self, what: str, token: str | None = None, **body: Any) -> Json:
        return checked(await self.ask(what, token, **body))

    async def shown(self, token: str | None = None) -> Json:
        return checked(await self.get(self.address, headers=bearer(token) if token else {}))

    async def seats(self) -> list[Json]:
        found: list[Json] = (await self.shown())["lobby"]["seats"]
        return found


async def heard_until_closed(socket: ClientConnection) -> list[Json]:
    heard: list[Json] = []
    try:
        while True:
            heard.append(json.loads(await asyncio.wait_for(socket.recv(), PATIENCE)))
    except ConnectionClosed:
        return heard


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["key"]


@pytest.fixture
def slow_door(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, SLOW_DOOR, LET_IN=str(tmp_path / "let in")) as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


# -- Sockets and tokens -------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["leave", "kick"])
def test_a_socket_that_stood_in_the_door_while_its_seat_was_freed_is_closed(
    slow_door: Served, how: str
) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(slow_door.url, "six-nimmt", people(2))
        address = socket_url(slow_door.url, table)
        async with (
            At(slow_door, table) as http,
            connect(address, additional_headers=bearer(bo)) as ghost,
        ):
            if how == "leave":
                await http.do("leave", bo)
            else:
                await http.do("kick", anna, seat=1)
            invite = (await http.do("invite", anna))["invite"]
            await http.do("join", name="Cleo", invite=invite)
            Path(slow_door.settings["LET_IN"]).touch()
            heard = await heard_until_closed(ghost)
            assert [one["type"] for one in heard] == ["closing"]
            assert ghost.close_code == 1000
            assert [seat["connected"] for seat in await http.seats()] == [False, False]

    run(story())


def test_sockets_that_come_while_their_seat_is_freed_leave_no_ghost(server: Served) -> None:
    """As above, with nothing planted: many at once."""

    async def one(address: str, token: str) -> None:
        with contextlib.suppress(InvalidStatus):  # refused at the door
            async with connect(address, additional_headers=bearer(token)) as socket:
                await heard_until_closed(socket)

    async def story() -> None:
        for _ in range(5):
            table, tokens = new_table(server.url, "six-nimmt", people(2))
            address = socket_url(server.url, table)
            async with At(server, table) as http:
                sockets = [asyncio.create_task(one(address, tokens[1])) for _ in range(20)]
                await http.do("leave", tokens[1])
                await asyncio.gather(*sockets)

    run(story())


# What comes after the first line waits until a file lets it through.
SLOW_CHAT = f"""
import asyncio, os
from bullpen.server.store.sql_store import SqlStore
say = SqlStore.say
async def slowly(self, *what):
    while what[-1] != "ghost 0" and not os.path.exists(os.environ["LET_THROUGH"]):
        await asyncio.sleep(0.01)
    return await say(self, *what)
SqlStore.say = slowly
{RUN}"""


def test_what_waits_to_be_said_is_not_said_by_whoever_sits_there_next(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2))
        async with (
            At(server, table) as http,
            seated(server.url, table, anna) as host,
            seated(server.url, table, bo) as ghost,
        ):
            for number in range(5):
                await ghost.say(type="chat", text=f"ghost {number}")
            await host.hear_of("chat")
            await http.do("leave", bo)
            invite = (await http.do("invite", anna))["invite"]
            await http.do("join", name="Cleo", invite=invite)
            Path(server.settings["LET_THROUGH"]).touch()
            for number in range(5):  # as long as the others would take
                await host.say(type="chat", text=f"host {number}")
            said: list[Json] = []
            while not said or said[-1]["text"] != "host 4":
                said.append(await host.hear_of("chat"))
            assert {line["name"] for line in said} <= {"P0", "P1"}
            assert sum(line["name"] == "P1" for line in said) <= 1

    with served(tmp_path, SLOW_CHAT, LET_THROUGH=str(tmp_path / "let through")) as server:
        run(story(server))


def test_every_token_of_a_table_counts_again_after_a_restart(tmp_path: Path) -> None:
    server = served(tmp_path)

    async def before() -> tuple[str, list[str], str]:
        table, tokens = new_table(server.url, "six-nimmt", people(3))
        async with At(server, table) as http:
            invite = (await http.do("invite", tokens[2]))["invite"]
            await http.do("leave", tokens[2])
        return table, tokens, invite

    async def after(table: str, tokens: list[str], invite: str) -> None:
        async with At(server, table) as http:
            assert [(await http.shown(token))["seat"] for token in tokens] == [0, 1, None]
            assert refused(await http.ask("leave", tokens[2])) == (403, "not_your_seat")
            assert (await http.do("join", name="Cleo", invite=invite))["seat"] == 2

    with server:
        kept = asyncio.run(before())
    with server:
        run(after(*kept))


# -- Once more ----------------------------------------------------------------------------------

SHORT = {"rounds": 1, "deck": "tactical"}


async def played(server: Served, seats: list[Json], **wishes: Any) -> tuple[str, list[str]]:
    """A finished table, and the tokens of its people."""
    table, tokens = started_table(server.url, "six-nimmt", seats, options=SHORT, **wishes)
    await play_together(server.url, table, tokens)
    return table, tokens


def test_a_seat_of_the_last_game_is_kept_for_whoever_sat_there(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = await played(server, people(2), listed=True)
        async with At(server, table) as old:
            first = await old.do("rematch", anna)
            async with At(server, first["table"]) as new:
                seats = await new.seats()
                assert [seat["kind"] for seat in seats] == ["program", "open"]
                assert [seat["reserved_for"] for seat in seats] == [None, "P1"]
                invite = (await new.do("invite", first["token"]))["invite"]
                thief = {"invite": invite, "as": "program"}
                for wish in ({"name": "P1"}, {"name": "Eve"}, {"name": "Eve", "seat": 1}):
                    answer = await new.ask("join", **thief, **wish)
                    assert refused(answer) == (409, "seat_kept")
                second = await old.do("rematch", bo)
                assert (second["table"], second["seat"]) == (first["table"], 1)
                shown = (await new.seats())[1]
                assert (shown["name"], shown["reserved_for"]) == ("P1", None)

    run(story())


def test_whoever_asks_again_gets_another_token_and_the_old_one_ends(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = await played(server, people(2))
        async with At(server, table) as old:
            await old.do("rematch", anna)
            first = await old.do("rematch", bo)
            async with At(server, first["table"]) as new:
                async with seated(server.url, first["table"], first["token"]) as lost:
                    second = await old.do("rematch", bo)
                    assert second["token"] != first["token"]
                    heard = await heard_until_closed(lost.socket)
                    assert heard[-1]["type"] == "closing"
                    assert lost.socket.close_code == 1000
                assert (await new.shown(first["token"]))["seat"] is None
                assert (await new.shown(second["token"]))["seat"] == 1

    run(story())


def test_whoever_comes_again_after_the_start_finds_their_seat(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = await played(server, people(2))
        async with At(server, table) as old:
            host, first = await old.do("rematch", anna), await old.do("rematch", bo)
            async with At(server, host["table"]) as new:
                await new.do("start", host["token"])
                second = await old.do("rematch", bo)
                assert (await new.shown(first["token"]))["seat"] is None
            tokens = [host["token"], second["token"]]
            await play_together(server.url, host["table"], tokens)

    run(story())


def test_all_who_ask_at_the_same_time_come_to_the_same_table(server: Served) -> None:
    async def story() -> None:
        for _ in range(5):
            table, tokens = await played(server, people(3))
            async with At(server, table) as old:
                answers = await asyncio.gather(*(old.do("rematch", token) for token in tokens))
            assert len({answer["table"] for answer in answers}) == 1
            assert [answer["seat"] for answer in answers] == [0, 1, 2]
            async with At(server, answers[0]["table"]) as new:
                lobby = (await new.shown())["lobby"]
                assert [seat["kind"] for seat in lobby["seats"]] == ["program"] * 3
                assert lobby["host"] is not None

    run(story())


def test_the_host_gives_a_kept_seat_up(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo, cleo) = await played(server, people(3))
        async with At(server, table) as old:
            host = await old.do("rematch", anna)
            async with At(server, host["table"]) as new:
                for seat in (1, 2):
                    await new.do("kick", host["token"], seat=seat)
                assert [seat["reserved_for"] for seat in await new.seats()] == [None] * 3
                invite = (await new.do("invite", host["token"]))["invite"]
                await new.do("join", name="Eve", invite=invite, seat=1)
                # Whoever sits there now is not who it was kept for.
                assert refused(await old.ask("rematch", bo)) == (409, "seat_taken")
                assert (await old.do("rematch", cleo))["seat"] == 2

    run(story())


def test_a_kept_seat_whose_person_does_not_come_is_a_bots_at_the_start(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = await played(server, people(2))
        async with At(server, table) as old:
            host = await old.do("rematch", anna)
            async with At(server, host["table"]) as new:
                await new.do("start", host["token"])
                seats = await new.seats()
                assert [seat["kind"] for seat in seats] == ["program", "bot"]
                assert seats[1]["reserved_for"] is None
            assert refused(await old.ask("rematch", bo)) == (409, "already_started")

    run(story())


def test_whoever_was_sent_away_from_the_next_table_does_not_come_back_by_the_last_one(
    server: Served,
) -> None:
    async def story() -> None:
        table, (anna, bo) = await played(server, people(2))
        async with At(server, table) as old:
            host = await old.do("rematch", anna)
            await old.do("rematch", bo)
            async with At(server, host["table"]) as new:
                await new.do("kick", host["token"], seat=1)
                assert refused(await old.ask("rematch", bo)) == (403, "sent_away")

    run(story())


def test_where_the_next_table_was_closed_the_next_one_to_ask_makes_another(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, (anna, bo) = await played(server, people(2))
        async with At(server, table) as old, seated(server.url, table, bo):
            first = await old.do("rematch", anna)
            closed = f"{server.url}/api/tables/{first['table']}"
            while (await old.get(closed)).status_code != 404:
                await asyncio.sleep(0.05)
            both = await asyncio.gather(*(old.do("rematch", token) for token in (anna, bo)))
            assert both[0]["table"] == both[1]["table"] != first["table"]

    # The next one must not be closed, too, while the second one asks.
    with served(tmp_path, BULLPEN_LOBBY_MINUTES="0.05") as server:
        run(story(server))


# -- The lobby ----------------------------------------------------------------------------------


def test_a_lobby_that_all_have_left_has_the_next_one_as_its_host(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2), listed=True)
        async with At(server, table) as http:
            await http.do("leave", anna)
            assert (await http.shown())["lobby"]["host"] == 1
            await http.do("leave", bo)
            assert (await http.shown())["lobby"]["host"] is None
            cleo = await http.do("join", None, **{"name": "Cleo", "seat": 1, "as": "program"})
            assert (await http.shown())["lobby"]["host"] == 1
            await http.do("start", cleo["token"])

    run(story())


def test_nobody_is_sent_away_where_nobody_is(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2, bots=1))
        async with At(server, table) as http:
            await http.do("leave", bo)
            for seat in (0, 1, 2, 9):
                answer = await http.ask("kick", anna, seat=seat)
                assert refused(answer) == (409, "nobody_to_kick")
                answer = await http.ask("mute", anna, seat=seat, muted=True)
                assert refused(answer) == (409, "nobody_to_mute")

    run(story())


def test_of_two_who_send_the_same_one_away_one_is_told_that_nobody_is_there(
    server: Served,
) -> None:
    async def story() -> None:
        for _ in range(10):
            table, (anna, _) = new_table(server.url, "six-nimmt", people(2))
            async with At(server, table) as http:
                kicks = (http.ask("kick", anna, seat=1) for _ in range(2))
                statuses = sorted(one.status_code for one in await asyncio.gather(*kicks))
                assert statuses == [200, 409]

    run(story())


def test_with_somebody_who_is_sent_away_the_invitations_end(server: Served) -> None:
    async def story() -> None:
        made = checked(
            httpx.post(
                f"{server.url}/api/tables",
                json={"game": "six-nimmt", "name": "Anna", "seats": people(3), "as": "program"},
            )
        )
        anna, invite = made["token"], made["invite"]
        async with At(server, made["table"]) as http:
            await http.do("join", **{"name": "Bo", "invite": invite, "as": "program"})
            await http.do("kick", anna, seat=1)
            for name in ("Bo", "Cleo"):
                answer = await http.ask("join", name=name, invite=invite)
                assert refused(answer) == (403, "invite_needed")
            invite = (await http.do("invite", anna))["invite"]
            await http.do("join", name="Cleo", invite=invite)

    run(story())


@pytest.mark.parametrize("listed", [True, False])
def test_a_browser_that_was_sent_away_does_not_sit_down_again(server: Served, listed: bool) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2), listed=listed)
        async with At(server, table) as http, At(server, table) as browser:
            await http.do("leave", bo)
            invite = (await http.do("invite", anna))["invite"]
            browser.headers["origin"] = server.url
            await browser.do("join", name="Bo", invite=invite)
            await http.do("kick", anna, seat=1)
            assert refused(await browser.ask("join", name="Bo")) == (403, "sent_away")
            invite = (await http.do("invite", anna))["invite"]
            for name in ("Bo", "Eve"):
                assert refused(await browser.ask("join", name=name, invite=invite)) == (
                    403,
                    "sent_away",
                )
            assert refused(await browser.ask("leave")) == (403, "not_your_seat")
            await http.do("join", name="Bo", invite=invite)

    run(story())


def test_who_got_no_answer_asks_again_by_the_same_attempt_and_has_the_same_seat(
    server: Served,
) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2))
        async with At(server, table) as http:
            await http.do("leave", bo)
            invite = (await http.do("invite", anna))["invite"]
            wish = {"name": "Bo", "invite": invite, "attempt": "a" * 32, "as": "program"}
            lost = await http.do("join", **wish)
            another = await http.ask("join", **{**wish, "name": "Cy", "attempt": "b" * 32})
            assert refused(another) == (409, "table_full")
            found = await http.do("join", **wish)
            assert found["seat"] == lost["seat"] == 1
            assert [seat["name"] for seat in await http.seats()] == ["P0", "Bo"]
            assert refused(await http.ask("leave", lost["token"])) == (403, "not_your_seat")
            await http.do("start", anna)  # also when it was started meanwhile
            late = await http.do("join", **wish)
            async with seated(server.url, table, late["token"]) as at_table:
                assert at_table.told[0]["seat"] == 1
            await http.do("kick", anna, seat=1)
            assert refused(await http.ask("join", **wish)) == (409, "already_started")

    run(story())


def test_when_the_game_is_over_an_attempt_gives_no_seat_any_more(server: Served) -> None:
    async def story() -> None:
        short = {"rounds": 1, "deck": "tactical"}
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2), options=short)
        async with At(server, table) as http:
            await http.do("leave", bo)
            invite = (await http.do("invite", anna))["invite"]
            wish = {"name": "Bo", "invite": invite, "attempt": "d" * 32, "as": "program"}
            bo = (await http.do("join", **wish))["token"]
            await http.do("start", anna)
            async with (
                seated(server.url, table, anna) as one,
                seated(server.url, table, bo) as other,
            ):
                await asyncio.gather(one.play_on(), other.play_on())
            assert refused(await http.ask("join", **wish)) == (409, "already_started")

    run(story())


def test_an_attempt_that_somebody_could_guess_is_refused(server: Served) -> None:
    async def story() -> None:
        table, _ = new_table(server.url, "six-nimmt", people(2))
        async with At(server, table) as http:
            answer = await http.ask("join", name="Bo", attempt="a" * 31)
            assert answer.status_code == 422

    run(story())


def test_whose_answer_was_lost_is_known_by_the_device_of_the_next_one(server: Served) -> None:
    """The cookie of a new player is lost with the answer; the game counts for whoever sits there at the start."""

    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2))
        async with At(server, table) as http:
            await http.do("leave", bo)
            invite = (await http.do("invite", anna))["invite"]
        wish = {"name": "Bo", "invite": invite, "attempt": "c" * 32}
        for is_lost in (True, False):
            async with At(server, table) as browser:
                browser.headers["origin"] = server.url
                await browser.do("join", **wish)
                if not is_lost:
                    mine = (await browser.get(f"{server.url}/api/mine/running")).json()
                    assert [one["table"] for one in mine] == [table]
        async with At(server, table) as http:
            await http.do("start", anna)
        async with At(
            server, table
        ) as other:  # who gets the attempt from Bo gets no game that is won already
            other.headers["origin"] = server.url
            assert (await other.do("join", **wish))["seat"] == 1
            assert (await other.get(f"{server.url}/api/mine/running")).json() == []

    run(story())


# -- After the start ----------------------------------------------------------------------------


def test_whoever_is_sent_away_after_the_start_is_played_for_to_the_end(tmp_path: Path) -> None:
    async def story(server: Served) -> str:
        table, (anna, bo) = started_table(server.url, "six-nimmt", people(2), options=SHORT)
        async with (
            At(server, table) as http,
            seated(server.url, table, anna) as host,
            seated(server.url, table, bo) as away,
        ):
            assert refused(await http.ask("kick", bo, seat=0)) == (403, "only_the_host")
            number, action = away.asked["number"], away.asked["moves"][0]["action"]
            await http.do("kick", anna, seat=1)
            with contextlib.suppress(ConnectionClosed):
                await away.say(type="move", decision=number, action=action)
            heard = await heard_until_closed(away.socket)
            assert (heard[-1]["type"], heard[-1]["key"]) == ("closing", "sent_away")
            assert away.socket.close_code == 1000
            assert refused(await http.ask("leave", bo)) == (403, "not_your_seat")
            assert (await http.shown(bo))["seat"] is None
            told = await host.hear_of("lobby")
            while not told["lobby"]["seats"][1]["sent_away"]:
                told = await host.hear_of("lobby")
            shown = told["lobby"]["seats"][1]
            assert (shown["kind"], shown["name"]) == ("program", "P1")
            assert (shown["connected"], shown["stand_in"]) == (False, True)
            assert refused(await http.ask("kick", anna, seat=1)) == (409, "nobody_to_kick")
            await host.move()  # and nobody waits for the other one
            await host.hear_of("view")
        return table + " " + anna

    async def to_the_end(server: Served, table: str, anna: str) -> None:
        async with At(server, table) as http, seated(server.url, table, anna) as host:
            assert host.told[0]["lobby"]["seats"][1]["sent_away"] is True
            result = await host.play_on()
            assert result["played_for"][0] == 0
            assert result["played_for"][1] > 0
            again = await http.do("rematch", anna)
            async with At(server, again["table"]) as new:
                seats = await new.seats()
                assert [seat["kind"] for seat in seats] == ["program", "open"]
                assert seats[1]["reserved_for"] is None

    # For good: longer than the server lives.  Nobody is away long enough to be played for otherwise.
    server = served(tmp_path, BULLPEN_AWAY_SECONDS="3600")
    with server:
        table, anna = asyncio.run(story(server)).split()
    with server:
        run(to_the_end(server, table, anna))


# Says when it begins to store who sits where, and takes its time.
SLOW_STORE = f"""
import asyncio
from bullpen.server.store.sql_store import SqlStore
reseat = SqlStore.reseat
async def slowly(self, *what):
    print("storing seats", flush=True)
    await asyncio.sleep(1)
    await reseat(self, *what)
SqlStore.reseat = slowly
{RUN}"""


def test_a_move_that_waits_while_its_player_is_sent_away_is_not_made(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, (anna, bo) = started_table(server.url, "six-nimmt", people(2), options=SHORT)
        before = server.log.read_text().count("storing seats")
        async with (
            At(server, table) as http,
            seated(server.url, table, anna) as host,
            seated(server.url, table, bo) as away,
        ):
            kick = asyncio.create_task(http.do("kick", anna, seat=1))
            await until_soon(lambda: server.log.read_text().count("storing seats") > before)
            asked = away.asked
            await away.say(
                type="move", decision=asked["number"], action=asked["moves"][0]["action"]
            )
            heard = await heard_until_closed(away.socket)
            assert "accepted" not in [one["type"] for one in heard]
            await kick
            await host.play_on()
            replay = checked(await http.get(f"{http.address}/replay"))
            by = {one["seat"]: one["by"] for one in replay["turns"][1]["decisions"]}
            assert by == {0: "program", 1: "stand_in"}

    with served(tmp_path, SLOW_STORE) as server:
        run(story(server))


def test_nobody_is_sent_away_when_the_game_is_over(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = await played(server, people(2))
        async with At(server, table) as http:
            assert refused(await http.ask("kick", anna, seat=1)) == (409, "already_over")
            assert (await http.shown(bo))["seat"] == 1

    run(story())


@pytest.mark.parametrize("when", ["before the start", "while they play", "when it is over"])
def test_whoever_is_muted_is_not_heard_until_the_host_lets_them(server: Served, when: str) -> None:
    async def story() -> None:
        if when == "when it is over":
            table, tokens = await played(server, people(2))
        else:
            make = new_table if when == "before the start" else started_table
            table, tokens = make(server.url, "six-nimmt", people(2))
        anna, bo = tokens
        async with (
            At(server, table) as http,
            seated(server.url, table, anna) as host,
            seated(server.url, table, bo, "pl") as loud,
        ):
            assert refused(await http.ask("mute", bo, seat=0, muted=True)) == (
                403,
                "only_the_host",
            )
            await http.do("mute", anna, seat=1, muted=True)
            while not (await loud.hear_of("lobby"))["lobby"]["seats"][1]["muted"]:
                pass
            for words in ({"text": "buy this"}, {"phrase": "hello"}):
                await loud.say(type="chat", **words)
                error = await loud.hear_of("error")
                assert (error["key"], "wyciszył" in error["message"]) == ("muted", True)
            await http.do("mute", anna, seat=1, muted=False)
            await loud.say(type="chat", text="sorry")
            assert (await host.hear_of("chat"))["text"] == "sorry"
            await http.do("mute", anna, seat=1, muted=True)
            shown = (await http.seats())[1]
            assert shown["muted"] is True

    run(story())


def test_who_was_muted_stays_so_at_the_next_table_unless_they_are_its_host(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = await played(server, people(2))
        async with At(server, table) as old:
            await old.do("mute", anna, seat=1, muted=True)
            await old.do("rematch", anna)
            sat = await old.do("rematch", bo)
            async with At(server, sat["table"]) as new:
                assert [seat["muted"] for seat in await new.seats()] == [False, True]
                await new.do("leave", (await old.do("rematch", anna))["token"])
                lobby = (await new.shown())["lobby"]
                assert lobby["host"] == 1
                assert [seat["muted"] for seat in lobby["seats"]] == [False, False]

    run(story())


# -- What the host arranges before the start ----------------------------------------------------


def test_the_host_changes_bots_and_frees_their_seats_before_the_start(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2, bots=1))
        async with At(server, table) as http, seated(server.url, table, bo) as other:
            await http.do("seat", anna, seat=2, kind="bot", level="hard")
            (_, _, bot) = (await other.hear_of("lobby"))["lobby"]["seats"]
            assert (bot["kind"], bot["level"], bool(bot["name"])) == ("bot", "hard", True)
            await http.do("seat", anna, seat=2, kind="person")
            assert (await http.seats())[2]["kind"] == "open"
            invite = (await http.do("invite", anna))["invite"]
            await http.do("join", name="Cleo", invite=invite)
            assert (await http.seats())[2]["name"] == "Cleo"

    run(story())


def test_nobody_loses_a_seat_that_the_host_arranges(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2, bots=1))
        async with At(server, table) as http:
            for token, seat, why in (
                (bo, 2, (403, "only_the_host")),
                (None, 2, (403, "not_your_seat")),
                (anna, 0, (409, "seat_taken")),
                (anna, 1, (409, "seat_taken")),
                (anna, 9, (409, "seat_taken")),
            ):
                assert refused(await http.ask("seat", token, seat=seat, kind="bot")) == why
            await http.do("start", anna)
            late = await http.ask("seat", anna, seat=2, kind="person")
            assert refused(late) == (409, "already_started")

    run(story())


# -- What the host changes before the start -----------------------------------------------------


def test_everybody_sees_at_once_what_the_host_changes(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2), clock=60)
        async with At(server, table) as http, seated(server.url, table, bo) as other:
            wish = {"seats": 4, "options": {"rounds": 2}, "clock": 30, "listed": True}
            await http.do("settings", anna, **wish)
            told = await other.hear_of("table")
            assert set(told["changed"]) == {"seats", "options.rounds", "clock", "listed"}
            assert told["by"] == 0
            assert told["table"]["options"]["rounds"] == 2
            assert (told["table"]["clock"], told["table"]["listed"]) == (30, True)
            listed = (await http.get(f"{server.url}/api/tables")).json()
            assert table in [one["table"]["id"] for one in listed]
            assert [seat["kind"] for seat in await http.seats()][2:] == ["open", "open"]
            await http.do("settings", anna, clock=None, coach=True)  # what is not named stays
            told = await other.hear_of("table")
            assert sorted(told["changed"]) == ["clock", "coach"]
            assert told["table"]["clock"] is None
            await http.do("settings", anna, seats=3)
            await other.hear_of("table")
            await http.do("settings", anna, seats=3)  # nothing new: nobody is told
            await http.do("start", anna)
            while other.view is None:
                await other.hear()
            assert len([one for one in other.told if one["type"] == "table"]) == 3
            assert len(other.shown["scores"]) == 3

    run(story())


def test_shares_in_the_deal_stand_when_seats_come_and_go(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2, bots=1))
        share = bytes(range(32))
        async with At(server, table) as http, seated(server.url, table, bo) as other:
            await http.do("commit", bo, commitment=share_commitment(table, 1, share))
            await http.do("settings", anna, seats=2)
            await http.do("settings", anna, seats=5, options={"deck": "tactical", "rounds": 1})
            start = asyncio.create_task(http.do("start", anna))
            asked = await other.hear_of("open_shares")
            assert asked["commitments"] == [None, share_commitment(table, 1, share), *[None] * 3]
            await other.say(type="open", share=share.hex())
            await start
            async with seated(server.url, table, anna) as host:
                await asyncio.gather(host.play_on(), other.play_on())
            text = (await http.get(f"{http.address}/record")).text
            match = replay(text)
            assert match.options["deck"] == "tactical"
            fair = fairness(match.fair, 5)
            found = findings(fair, parsed(text)["shuffles"])
            assert found is not None
            assert found.is_fair

    run(story())


def test_what_cannot_be_is_not_changed(server: Served) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(server.url, "six-nimmt", people(2))
        async with At(server, table) as http:
            before = await http.shown()
            for token, wish, why in (
                (bo, {"clock": 30}, (403, "only_the_host")),
                (None, {"clock": 30}, (403, "not_your_seat")),
                (anna, {"seats": 11}, (422, "bad_request")),
                (anna, {"options": {"rounds": 5000}}, (422, "bad_request")),
                (anna, {"options": {"rounds": 500}}, (422, "option_too_large")),
                (anna, {"options": {"hand": 2}}, (422, "mini_not_served")),
                (anna, {"options": {"moon": 1}}, (422, "unknown_option")),
                (anna, {"clock": 1}, (422, "bad_request")),
            ):
                assert refused(await http.ask("settings", token, **cast("Any", wish))) == why
            assert await http.shown() == before
            await http.do("settings", anna, seats=3)
            invite = (await http.do("invite", anna))["invite"]
            await http.do("join", name="Cleo", invite=invite, **{"as": "program"})
            taken = await http.ask("settings", anna, seats=2)
            assert refused(taken) == (409, "last_seat_taken")
            await http.do("start", anna)
            late = await http.ask("settings", anna, clock=30)
            assert refused(late) == (409, "already_started")

    run(story())


def test_an_option_that_so_many_players_cannot_have_is_as_usual_again(server: Served) -> None:
    async def story() -> None:
        seats = people(1, bots=3)
        options = {"first_seat": 3}
        table, (anna,) = new_table(server.url, "hornochsen", seats, options=options)
        async with At(server, table) as http:
            await http.do("settings", anna, seats=3)
            assert (await http.shown())["table"]["options"]["first_seat"] == 0

    run(story())
