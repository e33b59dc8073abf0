"""Acknowledged means on disk: a server killed at any moment loses no move that it accepted, and doubles none."""

import asyncio
import contextlib
import signal
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import pytest
from websockets.exceptions import InvalidMessage, WebSocketException

from bullpen.server.store import Event, open_store
from tests.patience import until_soon
from tests.server.running import (
    RUN,
    Json,
    Served,
    connect,
    people,
    seated,
    served,
    socket_url,
    started_table,
)
from tests.soaking import counted

Key = tuple[str, int, int]  # table, seat, decision


class History:
    """What clients wanted, and what they were promised."""

    def __init__(self) -> None:
        self.invoked: dict[Key, int] = {}
        self.accepted: dict[Key, int] = {}


class Table(NamedTuple):
    id: str
    tokens: list[str]


async def play_seat(url: str, table: Table, seat: int, history: History, rng: Random) -> None:
    """Until the server is gone."""
    with contextlib.suppress(WebSocketException, OSError, TimeoutError):
        async with seated(url, table.id, table.tokens[seat], seed=rng.getrandbits(32)) as player:
            last = -1
            while player.result is None:
                question = player.question
                if question and question["number"] != last:
                    last = question["number"]
                    await invoke(player.say, table, seat, question, history, rng)
                message = await player.hear(10)
                if message["type"] == "accepted":
                    key = (table.id, seat, message["decision"])
                    history.accepted[key] = message["action"]


async def invoke(
    say: Any, table: Table, seat: int, question: Json, history: History, rng: Random
) -> None:
    key = (table.id, seat, question["number"])
    # A client that never heard an answer says the same again.
    action = history.invoked.get(key) or rng.choice(question["moves"])["action"]
    history.invoked[key] = action
    for _ in range(rng.choice([1, 1, 2])):
        await say(type="move", decision=question["number"], action=action)


async def play_until_killed(
    server: Served, tables: list[Table], history: History, rng: Random
) -> None:
    players = [
        asyncio.create_task(play_seat(server.url, table, seat, history, rng))
        for table in tables
        for seat in range(len(table.tokens))
    ]
    enough = len(history.accepted) + rng.randint(1, 40)
    while len(history.accepted) < enough and not all(player.done() for player in players):
        await asyncio.sleep(rng.uniform(0.001, 0.02))
    server.end(signal.SIGKILL)
    await asyncio.gather(*players)


async def log_of(db: str, tables: list[Table]) -> dict[str, list[Event]]:
    store = await open_store(db)
    events = {table.id: await store.events(table.id) for table in tables}
    await store.close()
    return events


def check(history: History, logs: dict[str, list[Event]]) -> None:
    stored: dict[Key, int] = {}
    for table, events in logs.items():
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        for event in events:
            if event.kind == "move":
                assert event.seat is not None
                assert event.decision is not None
                key = (table, event.seat, event.decision)
                assert key not in stored, "a move was doubled"
                stored[key] = event.payload["action"]
    for key, action in history.accepted.items():
        assert stored.get(key) == action, "an accepted move was lost"


def kill_again_and_again(folder: Path, kills: int, tables: int, seed: int) -> int:
    rng, history = Random(seed), History()
    server = served(folder)
    server.start()
    games = ["six-nimmt", "hornochsen", "x-nimmt"]
    made = [
        Table(*started_table(server.url, games[at % len(games)], people(3, bots=1)))
        for at in range(tables)
    ]
    for _ in range(kills):
        asyncio.run(play_until_killed(server, made, history, rng))
        check(history, asyncio.run(log_of(server.settings["BULLPEN_DB"], made)))
        server.start()
    server.end()
    check(history, asyncio.run(log_of(server.settings["BULLPEN_DB"], made)))
    return len(history.accepted)


def test_a_killed_server_loses_no_accepted_move(tmp_path: Path) -> None:
    assert kill_again_and_again(tmp_path, kills=5, tables=6, seed=1) > 20


@pytest.mark.soak
def test_a_server_killed_a_thousand_times_loses_no_accepted_move(tmp_path: Path) -> None:
    for seed in counted(1_000, "kills of the server", by=10):
        (folder := tmp_path / str(seed)).mkdir()
        assert kill_again_and_again(folder, kills=10, tables=10, seed=seed) > 50


ANNA_AND_BOTS = [0, 2, 3]


def test_a_restarted_server_goes_on_where_it_was(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, tokens = started_table(server.url, "bullenparty", people(2, bots=2))
        async with seated(server.url, table, tokens[0]) as anna:
            await anna.move()
            before: Json = {"chosen": []}
            while before["chosen"] != ANNA_AND_BOTS:  # then nothing happens until the other moves
                await asyncio.sleep(0.5)
                await anna.say(type="look")
                before = await anna.hear_of("view")
            server.end(signal.SIGKILL)
        server.start()
        async with seated(server.url, table, tokens[0]) as anna:
            assert anna.view is not None
            same = ("decision", "places", "facts", "scores", "phase", "turn")
            assert [anna.view[name] for name in same] == [before[name] for name in same]

    with served(tmp_path) as server:
        asyncio.run(story(server))


def test_a_server_that_is_asked_to_stop_says_so_and_ends_well(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            assert (await anna.hear_of("closing"))["key"] == "stopping"
            with pytest.raises(WebSocketException):
                await anna.hear()
            assert anna.socket.close_code == 1012

    with served(tmp_path) as server:
        asyncio.run(story(server))
        assert server.end() == 0
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{server.url}/healthz")


# Nobody comes in before the server has said goodbye to all who are inside, and closed its store.
SLOW_DOOR = f"""
import asyncio
from bullpen.server.app import Server
from bullpen.server.sockets import Sockets
admit, stop, stopped = Sockets.admit, Server.stop, asyncio.Event()

async def slowly(self, *given):
    print("in the door", flush=True)
    await stopped.wait()
    await admit(self, *given)

async def stopping(self):
    await stop(self)
    stopped.set()

Sockets.admit, Server.stop = slowly, stopping
{RUN}
"""


def test_who_stands_in_the_door_while_the_server_stops_is_told_of_no_server_error(
    tmp_path: Path,
) -> None:
    async def story(server: Served) -> None:
        table, _ = started_table(server.url, "six-nimmt", people(2))
        coming = asyncio.create_task(
            connect(socket_url(server.url, table), proxy=None).__aenter__()
        )
        await until_soon(lambda: "in the door" in server.log.read_text())
        assert await asyncio.to_thread(server.end) == 0
        with pytest.raises((OSError, EOFError, InvalidMessage)):
            await coming

    with served(tmp_path, SLOW_DOOR) as server:
        asyncio.run(story(server))
        assert "Traceback" not in server.log.read_text()
