"""Whoever comes back finds everything; whoever stays away stops nobody; clients that do not read are cut off."""

import asyncio
import contextlib
import json
import socket as sockets
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.exceptions import InvalidStatus, WebSocketException

from tests.patience import until
from tests.server.running import (
    Json,
    Player,
    Served,
    bearer,
    people,
    play_together,
    seated,
    served,
    started_table,
)
from tests.soaking import counted

# -- Coming back --------------------------------------------------------------------------------


async def settled_view(player: Player) -> Json | None:
    """The view when nobody but this seat has to decide; None when the game is over."""
    while True:
        await player.say(type="look")
        view = await player.hear_of("view")
        if view["waiting"] == [0]:
            return view
        if not view["waiting"]:
            return None


async def interrupted(url: str, game: str, interruptions: int, rng: Random) -> int:
    """One seat with two sockets: one stays, the other is cut off again and again."""
    table, tokens = started_table(url, game, people(1, bots=2), options={"memory_aid": True})
    compared = 0
    async with seated(url, table, tokens[0]) as steady:
        while compared < interruptions and (view := await settled_view(steady)):
            async with seated(url, table, tokens[0]) as shaky:
                for _ in range(rng.randrange(3)):
                    await shaky.say(type="look")
                shaky.socket.transport.abort()
            async with seated(url, table, tokens[0]) as back:
                assert as_sent(back.view) == as_sent(view)
                assert as_sent(await settled_view(back)) == as_sent(view)
            compared += 1
            await steady.move()
    return compared


def as_sent(view: Json | None) -> str:
    """With the order of the keys."""
    return json.dumps(view)


@pytest.mark.parametrize("game", ["six-nimmt", "eleven-nimmt", "bullenparty"])
def test_a_resumed_view_is_that_of_a_twin_who_never_left(patient: Served, game: str) -> None:
    assert asyncio.run(interrupted(patient.url, game, 20, Random(1))) >= 10


@pytest.mark.soak
def test_ten_thousand_interruptions(patient: Served) -> None:
    for seed in counted(10_000, "interruptions", by=10):
        done = 0
        while done < 10:
            rng = Random(f"{seed} {done}")
            done += asyncio.run(interrupted(patient.url, "six-nimmt", 10 - done, rng))


# -- Staying away -------------------------------------------------------------------------------


def test_games_whose_people_all_leave_are_finished(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        options = {"rounds": 1, "deck": "tactical"}
        tables = [
            started_table(server.url, "six-nimmt", people(2, bots=1), options=options)[0],
            started_table(server.url, "hornochsen", people(3))[0],
        ]
        for table in tables:
            replay = replayed(server, table)
            while replay.status_code != 200:
                await asyncio.sleep(0.1)
                replay = replayed(server, table)
            # And the result says for whom a bot has played; bots play for themselves.
            played_for = replay.json()["result"]["played_for"]
            kinds = [seat["kind"] for seat in replay.json()["players"]]
            assert [count > 0 for count in played_for] == [kind == "program" for kind in kinds]

    with served(tmp_path, BULLPEN_AWAY_SECONDS="0.2") as server:
        asyncio.run(story(server))


def replayed(server: Served, table: str) -> httpx.Response:
    return httpx.get(f"{server.url}/api/tables/{table}/replay")


def test_a_bot_plays_for_the_absent_until_they_come_back(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            async with seated(server.url, table, tokens[1]):
                pass
            await anna.move()
            gone = await anna.hear_of("presence")
            while not gone["stand_in"]:
                gone = await anna.hear_of("presence")
            assert gone == {
                "type": "presence",
                "seat": 1,
                "connected": False,
                "stand_in": True,
                "left": False,
            }
            view = await anna.hear_of("view")
            assert view["steps"][0]["event"]["event"] == "reveal"
            async with seated(server.url, table, tokens[1]) as bo:
                seats = bo.told[0]["lobby"]["seats"]
                assert seats[1]["connected"] is True
                assert seats[1]["stand_in"] is False
                back = await anna.hear_of("presence")
                assert (back["connected"], back["stand_in"]) == (True, False)

    with served(tmp_path, BULLPEN_AWAY_SECONDS="0.3") as server:
        asyncio.run(story(server))


@pytest.mark.parametrize("clock", [None, 5])
def test_where_only_bots_wait_for_somebody_the_game_waits_too(
    tmp_path: Path, clock: int | None
) -> None:
    async def story(server: Served) -> None:
        table, tokens = started_table(
            server.url, "six-nimmt", people(1, bots=2), clock=clock, spectators=True
        )
        async with seated(server.url, table, tokens[0]) as anna:
            number = anna.asked["number"]
        async with seated(server.url, table, None) as watcher:
            with pytest.raises(TimeoutError):  # longer than anybody has to decide
                await asyncio.wait_for(watcher.hear_of("view"), 8 if clock else 2)
        async with seated(server.url, table, tokens[0]) as anna:
            assert anna.asked["number"] == number
            assert anna.told[0]["lobby"]["seats"][0]["stand_in"] is False

    with served(tmp_path, BULLPEN_AWAY_SECONDS="0.2") as server:
        asyncio.run(story(server))


def test_somebody_alone_who_stays_away_is_played_for_in_the_end(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, _ = started_table(server.url, "six-nimmt", people(1, bots=2))
        async with seated(server.url, table, None) as watcher:
            view = await watcher.hear_of("view")
            assert view["steps"][0]["event"]["event"] == "reveal"

    with served(tmp_path, BULLPEN_ALONE_SECONDS="0.5") as server:
        asyncio.run(story(server))


def test_when_the_clock_runs_out_a_bot_decides(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(1, bots=1), clock=5)
        async with seated(server.url, table, tokens[0]) as anna:
            first = anna.question
            assert first is not None
            assert anna.told[0]["view"]["pace"]["seconds"] == 5
            assert 0 < anna.told[0]["left"] <= 7
            view = await anna.hear_of("view")
            late, revealed, *_ = view["steps"]
            assert late["event"] == {"event": "time_up", "seat": 0}
            assert late["text"] == "Your time ran out; a bot chose for you."
            assert revealed["event"]["event"] == "reveal"
            if view["decision"]:
                assert (await anna.hear_of("clock"))["left"] > 5

    asyncio.run(story())


def test_everybody_is_told_whose_clock_runs(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(
            server.url, "six-nimmt", people(2, bots=1), clock=30, spectators=True
        )
        async with (
            seated(server.url, table, tokens[0]) as anna,
            seated(server.url, table, tokens[1]) as bo,
            seated(server.url, table, None) as watcher,
        ):
            for one in (anna, bo, watcher):
                first, second, of_the_bot = one.told[0]["clocks"]
                assert 0 < first <= 32
                assert 0 < second <= 32
                assert of_the_bot is None
            await anna.move()
            await bo.move()
            told = await watcher.hear_of("clocks")
            view = next(one for one in reversed(watcher.told) if one["type"] == "view")
            assert [seat for seat, left in enumerate(told["left"]) if left is not None] == [
                seat for seat in view["waiting"] if seat != 2
            ]

    asyncio.run(story())


def test_who_leaves_and_who_is_only_away_are_told_apart(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(3))
        async with seated(server.url, table, tokens[0]) as anna:
            async with seated(server.url, table, tokens[1]):
                httpx.post(
                    f"{server.url}/api/tables/{table}/leave", headers=bearer(tokens[1])
                ).raise_for_status()
                gone = await anna.hear_of("presence")
                while gone["connected"]:
                    gone = await anna.hear_of("presence")
            assert (gone["seat"], gone["left"]) == (1, True)
            async with seated(server.url, table, tokens[2]):
                pass
            gone = await anna.hear_of("presence")
            while gone["connected"]:
                gone = await anna.hear_of("presence")
            assert (gone["seat"], gone["left"]) == (2, False)
            async with seated(server.url, table, tokens[1]) as back:
                seats = back.told[0]["lobby"]["seats"]
                assert [seat["left"] for seat in seats] == [False, False, False]

    asyncio.run(story())


# -- Not reading --------------------------------------------------------------------------------


def test_a_client_that_never_reads_is_cut_off_and_nobody_else_notices(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        unread = sockets.socket()
        unread.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        unread.connect(("127.0.0.1", server.port))
        unread.sendall(handshake(server, table, tokens[0]))
        async with seated(server.url, table, tokens[1]) as bo:
            here = (
                await bo.hear_of("presence")
                if not bo.told[0]["lobby"]["seats"][0]["connected"]
                else {}
            )
            assert here.get("connected", True)
            # Everyone at the table is sent what is said there; only one of them reads it.
            gone = None
            for number in range(5000):
                await bo.say(type="chat", text=f"{number} " + "x" * 190)
                message = await bo.hear()
                if message["type"] == "presence" and message["seat"] == 0:
                    gone = message
                    break
            assert gone is not None
            assert (gone["connected"], gone["stand_in"]) == (False, False)
            await bo.move()
        unread.close()
        assert "bullpen_dropped_total 0" not in httpx.get(f"{server.url}/metrics").text

    with served(tmp_path, BULLPEN_MESSAGES="100000") as server:
        asyncio.run(story(server))


def handshake(server: Served, table: str, token: str) -> bytes:
    lines = [
        f"GET /api/tables/{table}/socket HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        f"Authorization: Bearer {token}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


# -- Limits -------------------------------------------------------------------------------------


async def closed(player: Player) -> None:
    with contextlib.suppress(WebSocketException):
        while True:
            await player.hear()


def test_a_message_that_is_too_long_closes_its_socket_alone(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[1]) as bo:
            async with seated(server.url, table, tokens[0]) as anna:
                await anna.say(type="chat", text="x" * 5000)
                await closed(anna)
                assert anna.socket.close_code == 1009
            await bo.move()

    asyncio.run(story())


def test_a_socket_that_talks_too_much_is_not_heard_and_then_closed(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            with contextlib.suppress(WebSocketException):
                for _ in range(500):
                    await anna.say(type="ping")
            await closed(anna)
            kinds = [message["type"] for message in anna.told]
            assert kinds.count("pong") <= 25
            assert "too_fast" in [one.get("key") for one in anna.told]
            assert anna.socket.close_code == 1008

    asyncio.run(story())


def test_honest_quick_play_is_never_too_fast(server: Served) -> None:
    table, tokens = started_table(server.url, "hornochsen", people(1, bots=1))
    (anna,) = asyncio.run(play_together(server.url, table, tokens))
    assert "error" not in [message["type"] for message in anna.told]


def test_one_address_has_so_many_tables_and_sockets_and_requests(tmp_path: Path) -> None:
    settings = {"BULLPEN_TABLES_PER_ADDRESS": "3", "BULLPEN_SOCKETS_PER_ADDRESS": "2"}

    async def crowd(server: Served, table: str, tokens: list[str]) -> None:
        async with seated(server.url, table, tokens[0]), seated(server.url, table, tokens[1]):
            answer = httpx.get(
                f"{server.url}/api/tables/{table}/socket", headers=upgrade(bearer(tokens[1]))
            )
            assert (answer.status_code, answer.json()["key"]) == (429, "too_many_sockets")
        while True:  # there is room again, as soon as the server has noticed
            with contextlib.suppress(InvalidStatus):
                async with seated(server.url, table, tokens[0]) as anna:
                    assert anna.view is not None
                    return

    with served(tmp_path, **settings, BULLPEN_REQUESTS_PER_MINUTE="200") as server:
        body = {"game": "six-nimmt", "name": "A", "seats": people(2)}
        made = [started_table(server.url, "six-nimmt", people(2)) for _ in range(3)]
        answer = httpx.post(f"{server.url}/api/tables", json=body)
        assert (answer.status_code, answer.json()["key"]) == (429, "too_many_tables")
        assert int(answer.headers["retry-after"]) > 0
        asyncio.run(crowd(server, *made[0]))
        with httpx.Client(base_url=server.url) as http:
            answers = [http.get("/healthz") for _ in range(450)]
        assert answers[-1].status_code == 429 or 429 in [a.status_code for a in answers]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["key"] == "too_many_requests"
        assert 0 < int(refused.headers["retry-after"]) <= 60


def upgrade(headers: dict[str, str]) -> dict[str, str]:
    wanted = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    return {**wanted, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", **headers}


def test_a_lobby_that_nobody_comes_to_is_closed(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_LOBBY_MINUTES="0.01") as server:
        body = {"game": "six-nimmt", "name": "A", "seats": people(2), "listed": True}
        made = [httpx.post(f"{server.url}/api/tables", json=body).json() for _ in range(20)]
        assert len({one["table"] for one in made}) == 20
        last = f"{server.url}/api/tables/{made[-1]['table']}"
        until(lambda: httpx.get(last).status_code == 404)
        assert httpx.get(f"{server.url}/api/tables").json() == []
        assert "bullpen_tables 0.0" in httpx.get(f"{server.url}/metrics").text
