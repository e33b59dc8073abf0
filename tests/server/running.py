"""A real server in a process of its own, and clients that know only docs/wire.md."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil
from websockets.asyncio import client as websockets
from websockets.asyncio.client import ClientConnection

from tests.patience import PATIENCE, until
from tests.ports import own_port
from tests.server.forking import Process, Start, forked

Json = dict[str, Any]
RUN = "from bullpen.server.serving import run; from bullpen.server.settings import *; run(Settings(**from_environment()))"
# For opening shares there is time until a test says that it is up, by a file.
UNTIL_TIME_IS_UP = f"""
import asyncio, os
from bullpen.server.opening import Opening
wait = Opening.wait

async def until_told(self, seconds):
    while not (self.all_open.is_set() or os.path.exists(os.environ["TIME_IS_UP"])):
        await asyncio.sleep(0.01)
    await wait(self, 0)

Opening.wait = until_told
{RUN}"""
WORKER = "bullpen.server.workers"  # what each of several that serve runs
QUICK = {
    "BULLPEN_WARM": "no",
    "BULLPEN_THINKERS": "1",
    "BULLPEN_LOG": "warning",
    "BULLPEN_QUALITY_SHARE": "0",
}
GENEROUS = {
    "BULLPEN_REQUESTS_PER_MINUTE": "1000000",
    "BULLPEN_TABLES_PER_ADDRESS": "100000",
    "BULLPEN_TABLES_PER_PLAYER": "100000",
    "BULLPEN_CODES_PER_MINUTE": "100000",
    "BULLPEN_CLUBS_PER_MINUTE": "100000",
    "BULLPEN_SOCKETS_PER_ADDRESS": "100000",
    "BULLPEN_CONNECTIONS_PER_ADDRESS": "100000",
    "BULLPEN_CONNECTIONS": "100000",
}


class Served:
    """A server that can be killed and started again on the same store and port."""

    def __init__(
        self, db: str, log: Path, run: str = RUN, by: Start = forked, /, **settings: str
    ) -> None:
        self.settings = {**QUICK, **GENEROUS, **settings, "BULLPEN_DB": db}
        self.log, self.run, self.by, self.port = log, run, by, 0
        self.process: Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Served:
        self.port = self.port or own_port()
        environment = {**os.environ, **self.settings, "BULLPEN_PORT": str(self.port)}
        with self.log.open("ab") as log:
            self.process = self.by(self.run, environment, log)
        until(self.is_well, self.log.read_text)
        return self

    def is_well(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/healthz").status_code == 200
        return False

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        assert self.process is not None
        workers = self.workers()
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        # Where they are left alone, they notice it a moment later, and listen at the port until then.
        _, left = psutil.wait_procs(workers, PATIENCE)
        assert not left, left
        return code

    def workers(self) -> list[psutil.Process]:
        """Of several that serve: none of those that think."""
        assert self.process is not None
        if self.process.poll() is not None or "BULLPEN_WORKERS" not in self.settings:
            return []
        try:
            children = psutil.Process(self.process.pid).children()
        except psutil.NoSuchProcess:  # it has just ended
            return []
        return [one for one in children if is_worker(one)]

    def __enter__(self) -> Served:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.end()


def is_worker(process: psutil.Process) -> bool:
    try:
        return WORKER in process.cmdline()
    except psutil.Error:  # it has just ended
        return False


def served(folder: Path, run: str = RUN, by: Start = forked, /, **settings: str) -> Served:
    return Served(f"sqlite:///{folder}/tables.db", folder / "log.txt", run, by, **settings)


# -- Clients ------------------------------------------------------------------------------------


def people(count: int, bots: int = 0, level: str = "easy") -> list[Json]:
    return [{"kind": "person"}] * count + [{"kind": "bot", "level": level}] * bots


def new_table(url: str, game: str, seats: list[Json], **wishes: Any) -> tuple[str, list[str]]:
    """A table with all its people's seats taken by programs, and their tokens by seat."""
    body = {"game": game, "name": "P0", "seats": seats, "clock": None, "as": "program", **wishes}
    with httpx.Client(base_url=f"{url}/api") as http:
        made = checked(http.post("/tables", json=body))
        table, tokens = made["table"], [made["token"]]
        for number in range(1, sum(seat["kind"] == "person" for seat in seats)):
            wish = {"name": f"P{number}", "invite": made["invite"], "as": "program"}
            tokens.append(checked(http.post(f"/tables/{table}/join", json=wish))["token"])
    return table, tokens


def started_table(url: str, game: str, seats: list[Json], **wishes: Any) -> tuple[str, list[str]]:
    table, tokens = new_table(url, game, seats, **wishes)
    answer = httpx.post(f"{url}/api/tables/{table}/start", headers=bearer(tokens[0]))
    assert answer.status_code == 200, answer.text
    return table, tokens


def checked(answer: httpx.Response) -> Json:
    assert answer.is_success, (answer.status_code, answer.text)
    found: Json = answer.json()
    return found


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def socket_url(url: str, table: str, language: str = "en") -> str:
    return f"{url.replace('http', 'ws', 1)}/api/tables/{table}/socket?lang={language}"


def connect(address: str, **how: Any) -> websockets.connect:
    """A socket that gives up no sooner than anybody here."""
    return websockets.connect(address, open_timeout=PATIENCE, ping_timeout=PATIENCE, **how)


class Player:
    """One socket at a table; remembers what it was told."""

    def __init__(self, socket: ClientConnection, rng: Random) -> None:
        self.socket, self.rng = socket, rng
        self.told: list[Json] = []
        self.view: Json | None = None
        self.result: Json | None = None

    async def hear(self, seconds: float = PATIENCE) -> Json:
        message: Json = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        self.told.append(message)
        if message["type"] == "view":
            self.view = message
        elif message["type"] == "welcome":
            self.view, self.result = message["view"], message["result"]
        elif message["type"] == "result":
            self.result = message
        return message

    async def hear_of(self, kind: str) -> Json:
        while (message := await self.hear())["type"] != kind:
            pass
        return message

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    @property
    def question(self) -> Json | None:
        """What this seat is asked and has not answered."""
        decision = self.view and self.view["decision"]
        return decision if decision and decision["choice"] is None else None

    # The same where it must be there.

    @property
    def asked(self) -> Json:
        assert self.question is not None
        return self.question

    @property
    def shown(self) -> Json:
        assert self.view is not None
        return self.view

    @property
    def ended(self) -> Json:
        assert self.result is not None
        return self.result

    async def move(self, action: int | None = None) -> Json:
        """Answer the question, by any action if none is given; the answer to it."""
        assert self.question is not None
        chosen = self.rng.choice(self.question["moves"])["action"] if action is None else action
        number = self.question["number"]
        await self.say(type="move", decision=number, action=chosen)
        while (answer := await self.hear())["type"] not in ("accepted", "refused"):
            pass
        return answer

    async def play_on(self) -> Json:
        """To the end of the game."""
        answered = -1
        while self.result is None:
            if (question := self.question) and question["number"] != answered:
                answered = question["number"]
                action = self.rng.choice(question["moves"])["action"]
                await self.say(type="move", decision=answered, action=action)
            await self.hear()
        return self.result


@contextlib.asynccontextmanager
async def seated(
    url: str, table: str, token: str | None, language: str = "en", seed: int = 0
) -> AsyncIterator[Player]:
    headers = bearer(token) if token else None
    address = socket_url(url, table, language)
    async with connect(address, additional_headers=headers, max_queue=None) as socket:
        player = Player(socket, Random(seed))
        await player.hear()
        yield player


async def play_together(url: str, table: str, tokens: list[str]) -> list[Player]:
    """All seats, each on its own socket, to the end."""

    async def one(seat: int, token: str) -> Player:
        async with seated(url, table, token, "pl" if seat == 1 else "en", seat) as player:
            await player.play_on()
            return player

    return await asyncio.gather(*(one(seat, token) for seat, token in enumerate(tokens)))
