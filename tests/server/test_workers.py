"""Several processes behind one port: nobody notices, except that it is quicker."""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from bullpen.server.store import keeper_of
from tests.patience import PATIENCE, until_soon
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import (
    Served,
    bearer,
    checked,
    new_table,
    people,
    play_together,
    seated,
    served,
    started_table,
)

SHORT = {"rounds": 1, "deck": "tactical"}


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("several"), BULLPEN_WORKERS="2") as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


def one_of_each(server: Served, **wishes: Any) -> dict[int, tuple[str, list[str]]]:
    """A started table of either process: on a busy machine one may make a hundred before the other makes any."""
    found: dict[int, tuple[str, list[str]]] = {}
    while len(found) < 2:
        table, tokens = started_table(server.url, "six-nimmt", people(2), options=SHORT, **wishes)
        found.setdefault(keeper_of(table, 2), (table, tokens))
    return found


def workers_of(server: Served) -> list[psutil.Process]:
    return server.workers()


def test_tables_of_both_are_played_through_one_port(several: Served) -> None:
    for table, tokens in one_of_each(several).values():
        anna, _ = asyncio.run(play_together(several.url, table, tokens))
        record = checked(httpx.get(f"{several.url}/api/tables/{table}/record"))
        assert record["scores"] == anna.ended["scores"]


def test_one_line_may_ask_for_tables_of_both_by_turns(several: Served) -> None:
    """The line moves to whoever keeps the table, with its request, also where a body comes later."""
    tables = one_of_each(several)
    with httpx.Client(base_url=several.url) as http:
        for _ in range(5):
            for table, tokens in tables.values():
                answer = http.get(f"/api/tables/{table}", headers=bearer(tokens[1]))
                assert checked(answer)["seat"] == 1
            assert http.get("/api/games").status_code == 200
        lobby, keys = new_table(several.url, "six-nimmt", people(3))
        wish = {"seat": 2}
        answer = http.post(f"/api/tables/{lobby}/kick", json=wish, headers=bearer(keys[0]))
        assert answer.status_code == 200


def test_every_process_lists_the_tables_of_all(several: Served) -> None:
    made = {table for table, _ in one_of_each(several, listed=True).values()}
    for _ in range(10):
        shown = {one["table"]["id"] for one in httpx.get(f"{several.url}/api/tables").json()}
        assert made <= shown


def test_what_is_measured_is_that_of_all(several: Served) -> None:
    def stored() -> float:
        lines = httpx.get(f"{several.url}/metrics").text.splitlines()
        return next(
            float(line.split()[1]) for line in lines if line.startswith("bullpen_events_total")
        )

    before = stored()
    for table, tokens in one_of_each(several).values():
        asyncio.run(play_together(several.url, table, tokens))
    assert {stored() for _ in range(10)} == {stored()}
    assert stored() > before + 2 * 20


def test_a_killed_process_comes_back_and_the_other_notices_nothing(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        tables = one_of_each(server)
        workers = sorted(workers_of(server), key=lambda one: one.create_time())
        assert len(workers) == 2
        (table, tokens), (other, keys) = tables[0], tables[1]
        async with seated(server.url, other, keys[0]) as bystander:
            async with seated(server.url, table, tokens[0]) as anna:
                question = anna.asked
                answer = await anna.move()
                first = next(one for one in workers if keeper_in(one) == 0)
                first.kill()
                with pytest.raises(ConnectionClosed):
                    await anna.hear_of("never")
            async with asyncio.timeout(PATIENCE):
                while True:
                    try:
                        async with seated(server.url, table, tokens[0]) as anna:
                            decision = anna.shown["decision"]
                            assert decision["choice"] == answer["action"]
                            assert decision["number"] == question["number"] + 1
                            break
                    except (OSError, ConnectionClosed, EOFError):
                        await asyncio.sleep(0.05)
            assert (await bystander.move())["type"] == "accepted"

    with served(tmp_path, BULLPEN_WORKERS="2") as server:
        asyncio.run(story(server))
        assert '"worker died"' in server.log.read_text()


def test_a_thinking_process_has_no_connection_of_anybody(tmp_path: Path) -> None:
    """One that holds a client's connection would keep it open when the server closes it."""

    def thinkers(server: Served) -> list[psutil.Process]:
        below = [one for worker in workers_of(server) for one in worker.children()]
        return [one for one in below if "bullpen.server.thinking.worker" in one.cmdline()]

    async def bot_moves(server: Served, table: str, token: str) -> None:
        async with seated(server.url, table, token) as anna:
            await anna.move()
            while anna.shown["turn"] < 1:  # the bot has chosen, too
                await anna.hear()

    async def story(server: Served) -> None:
        tables = one_of_each(server)
        async with (
            seated(server.url, *first_seat(tables[0])),
            seated(server.url, *first_seat(tables[1])),
        ):
            for one in thinkers(server):
                one.kill()  # whoever is started for it has all that is open now
            while {keeper_of(table, 2) for table in made} != {0, 1}:
                table, (token,) = started_table(
                    server.url, "six-nimmt", people(1, bots=1), options=SHORT
                )
                made.append(table)
                await bot_moves(server, table, token)
            held = [one.net_connections("inet") for one in thinkers(server)]
        assert held
        assert not any(held)

    made: list[str] = []
    with served(tmp_path, BULLPEN_WORKERS="2") as server:
        asyncio.run(story(server))


def first_seat(started: tuple[str, list[str]]) -> tuple[str, str]:
    table, tokens = started
    return table, tokens[0]


def keeper_in(process: psutil.Process) -> int:
    return int(json.loads(process.cmdline()[-1])["share"][0])


def test_a_stop_stops_all_and_the_tables_go_on_in_one_process(tmp_path: Path) -> None:
    server = served(tmp_path, BULLPEN_WORKERS="3").start()
    table, tokens = started_table(server.url, "six-nimmt", people(2), options=SHORT)
    processes = (
        psutil.Process(server.process.pid).children(recursive=True) if server.process else []
    )
    assert server.end() == 0
    assert not [one for one in processes if one.is_running() and one.status() != "zombie"]
    with served(tmp_path) as alone:
        asyncio.run(play_together(alone.url, table, tokens))


def test_whoever_comes_back_at_once_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    """Also where another process hands the connection over to one that has said goodbye already."""

    async def comes_back(server: Served, table: str, token: str, inside: list[str]) -> None:
        while True:
            with suppress(OSError, WebSocketException, EOFError):
                async with seated(server.url, table, token) as player:
                    inside.append(token)
                    await player.hear_of("never")

    async def story(server: Served) -> None:
        tables, inside = one_of_each(server), list[str]()
        people_there = [
            asyncio.create_task(comes_back(server, table, token, inside))
            for table, tokens in tables.values()
            for token in tokens
            for _ in range(3)
        ]
        await until_soon(lambda: len(inside) >= len(people_there))
        assert await asyncio.to_thread(server.end) == 0
        for task in people_there:
            task.cancel()
        log = server.log.read_text()
        assert "timeout graceful shutdown exceeded" not in log  # nobody had to be cut off
        assert "Traceback" not in log

    for number in range(3):
        (folder := tmp_path / str(number)).mkdir()
        with served(folder, BULLPEN_WORKERS="2") as server:
            asyncio.run(story(server))


def test_the_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    server = served(tmp_path, BULLPEN_WORKERS="2").start()
    workers = workers_of(server)
    server.end(signal.SIGKILL)
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert not alive
    with served(tmp_path, BULLPEN_WORKERS="2") as again:
        assert httpx.get(f"{again.url}/healthz").status_code == 200


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_WORKERS="2") as first:
        second = served(tmp_path, BULLPEN_WORKERS="2")
        second.log = tmp_path / "second.txt"
        with pytest.raises(AssertionError):
            second.start()
        assert "store_in_use" in second.log.read_text()
        assert httpx.get(f"{first.url}/healthz").status_code == 200


def test_a_second_server_does_not_take_the_tables_by_another_name_of_the_file(
    tmp_path: Path,
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "tables.db").symlink_to(tmp_path / "tables.db")

    async def moved(url: str, table: str, token: str) -> str:
        async with seated(url, table, token) as anna:
            return str((await anna.move())["type"])

    with served(tmp_path) as first:
        table, tokens = started_table(first.url, "six-nimmt", people(2))
        with (
            pytest.raises(AssertionError, match="store_in_use"),
            served(tmp_path / "elsewhere") as second,
        ):
            asyncio.run(moved(second.url, table, tokens[1]))
        assert asyncio.run(moved(first.url, table, tokens[0])) == "accepted"


def test_several_processes_share_postgresql(tmp_path: Path, postgres_url: str) -> None:  # noqa: F811
    server = Served(postgres_url, tmp_path / "log.txt", BULLPEN_WORKERS="2")
    with server:
        for table, tokens in one_of_each(server).values():
            asyncio.run(play_together(server.url, table, tokens))
    assert "Traceback" not in server.log.read_text()


def test_a_process_that_cannot_start_is_no_server(tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_bytes(b"this is no database" * 1000)
    server = served(tmp_path, BULLPEN_WORKERS="2")
    with pytest.raises(AssertionError):
        server.start()
    assert server.process is not None
    assert server.process.poll() not in (None, 0)
    assert (tmp_path / "tables.db").stat().st_size == 19_000
