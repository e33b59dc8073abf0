"""Speaking with a server as docs/wire.md says: requests and sockets, each from an address of loopback of its own."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Protocol

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from tests.faults.history import RUN, History, Json, now

PATIENCE = 15.0  # seconds for one answer, before a client gives up
LOST = (OSError, TimeoutError, WebSocketException, httpx.TransportError)


class Unreachable(Exception):
    """No answer: what was asked for may have happened or not."""


class Answer:
    def __init__(self, status: int, body: Any, cookies: dict[str, str]) -> None:
        self.status, self.body, self.cookies = status, body, cookies

    @property
    def is_good(self) -> bool:
        return self.status < 400

    @property
    def key(self) -> str:
        return self.body.get("key", "") if isinstance(self.body, dict) else ""


class Route(Protocol):
    """Where the server is that one speaks with."""

    @property
    def url(self) -> str: ...

    def failed(self, url: str) -> None:
        """It did not answer."""


@dataclass
class Ticket:
    """Who one is at a table: a program with a token, or a person in a browser with cookies."""

    table: str
    seat: int
    kind: str  # program or person
    token: str
    device: str = ""

    def headers(self, url: str) -> dict[str, str]:
        if self.kind == "program":
            return {"authorization": f"Bearer {self.token}"}
        return browser_headers(url, seat=self.token, device=self.device)


def browser_headers(url: str, **cookies: str) -> dict[str, str]:
    told = "; ".join(f"{name}={value}" for name, value in cookies.items() if value)
    return {"origin": url, **({"cookie": told} if told else {})}


class Desk:
    """HTTP; every answer is noted, and how long it took."""

    def __init__(self, history: History, route: Route, address: str) -> None:
        self.history, self.route = history, route
        transport = httpx.AsyncHTTPTransport(local_address=address, verify=False)
        self.http = httpx.AsyncClient(transport=transport, timeout=PATIENCE, trust_env=False)

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        ticket: Ticket | None = None,
        device: str = "",
    ) -> Answer:
        url, begun = self.route.url, now()
        headers = ticket.headers(url) if ticket else browser_headers(url, device=device)
        try:
            answer = await self.http.request(method, f"{url}{path}", json=body, headers=headers)
        except LOST as error:
            self._note(method, path, url, begun, lost=type(error).__name__)
            self.route.failed(url)
            raise Unreachable(f"{method} {path}: {error!r}") from None
        cookies = dict(answer.cookies)
        self.http.cookies.clear()
        try:
            told = answer.json()
        except ValueError:
            told = answer.text
        key = told.get("key") if isinstance(told, dict) else None
        self._note(method, path, url, begun, status=answer.status_code, key=key)
        return Answer(answer.status_code, told, cookies)

    def _note(self, method: str, path: str, url: str, begun: float, **facts: Any) -> None:
        self.history.note(RUN, "http", asked=f"{method} {path}", at=url, begun=begun, **facts)

    async def close(self) -> None:
        await self.http.aclose()


_numbers = itertools.count(1)


class Socket:
    """One socket at a table, from its opening to its loss."""

    def __init__(self, connection: ClientConnection, number: int) -> None:
        self.connection, self.number = connection, number

    async def hear(self) -> Json:
        message: Json = orjson.loads(await self.connection.recv())
        return message

    async def say(self, **message: Any) -> None:
        await self.connection.send(orjson.dumps(message).decode())

    async def close(self) -> None:
        await self.connection.close()


async def opened(
    history: History, route: Route, address: str, table: str, ticket: Ticket | None, query: str
) -> Socket:
    """Raises one of LOST, with a line in the history, where it is not opened."""
    number, begun, url = next(_numbers), now(), route.url
    target = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/socket?{query}"
    seat = ticket.seat if ticket else None
    try:
        connection = await connect(
            target,
            additional_headers=ticket.headers(url) if ticket else None,
            local_addr=(address, 0),
            proxy=None,
            compression=None,
            open_timeout=PATIENCE,
            close_timeout=1,
            ping_interval=None,
            max_queue=None,
        )
    except InvalidStatus as refused:
        status = refused.response.status_code
        history.note(
            RUN,
            "http",
            asked=f"SOCKET {table}",
            at=url,
            begun=begun,
            status=status,
            key=key_of(refused),
        )
        raise
    except (InvalidHandshake, *LOST) as error:
        lost = type(error).__name__
        history.note(RUN, "http", asked=f"SOCKET {table}", at=url, begun=begun, lost=lost)
        route.failed(url)
        raise
    history.note(table, "connected", socket=number, seat=seat, begun=begun, at=url)
    return Socket(connection, number)


def key_of(refused: InvalidStatus) -> str:
    try:
        return str(orjson.loads(refused.response.body or b"{}").get("key", ""))
    except (ValueError, AttributeError):
        return ""
