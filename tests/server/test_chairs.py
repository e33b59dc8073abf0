"""Nobody takes another's chair: a seat has one living token, and whatever hangs on an old one ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.running import (
    RUN,
    Json,
    Served,
    bearer,
    checked,
    new_table,
    people,
    served,
    socket_url,
)

# Whoever is let in stands in the door for a while before they are inside.
SLOW_DOOR = f"""
import asyncio
from bullpen.server.sockets import Sockets
serve = Sockets.serve
async def slowly(self, scope, receive, send):
    async def sending(message):
        await send(message)
        if message["type"] == "websocket.accept":
            await asyncio.sleep(0.5)
    await serve(self, scope, receive, sending)
Sockets.serve = slowly
{RUN}"""


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


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
            heard.append(json.loads(await asyncio.wait_for(socket.recv(), 10)))
    except ConnectionClosed:
        return heard


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["key"]


@pytest.fixture(scope="module")
def slow_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("slow"), SLOW_DOOR) as running:
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
