"""What every request passes: whose pages may ask, how much at once, and the headers of every answer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

from bullpen.cards import Problem
from bullpen.server.budget import Hits, Rate
from bullpen.server.cookies import without_strange_cookies
from bullpen.server.languages import language_of
from bullpen.server.networks import Networks, is_network, network_of
from bullpen.server.settings import Settings
from bullpen.text import voice

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_BODY = 32 * 1024
DIGITS = 9  # of a length that is worth reading
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# Names that nobody can register: whoever uses one means a machine of their own.
OWN_NAMES = ("localhost", "local", "lan", "internal", "test", "home.arpa")

POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    b"font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    b"form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


class Guard:
    def __init__(self, app: App, settings: Settings, hits: Hits) -> None:
        self.app, self.settings, self.hits = app, settings, hits
        self.rate = Rate("requests", settings.requests_per_minute, hits)
        self.banned = Networks(settings.banned)
        self.hosts = {urlsplit(origin).hostname for origin in settings.origin}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        send = with_headers(scope, send)
        if why := self.why_not(scope):
            await turn_away(scope, send, *why)
            return
        scope["headers"] = without_strange_cookies(scope["headers"])
        if scope["type"] == "http":
            receive = limited(receive)
        await self.app(scope, receive, send)

    def why_not(self, scope: Scope) -> tuple[int, Problem] | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        address = address_of(scope)
        if address in self.banned:
            return 403, self.hit("banned", address, Problem("banned"))
        if not self.rate.allows(address):
            return 429, Problem("too_many_requests", seconds=self.rate.seconds_left())
        length = headers.get(b"content-length", "0")
        if not length.isdecimal() or len(length) > DIGITS or int(length) > LONGEST_BODY:
            return 413, self.hit("body", address, Problem("body_too_long", most=LONGEST_BODY))
        host = host_of(headers.get(b"host", ""))
        if not self.is_ours(host):
            return 421, self.hit("host", address, Problem("foreign_host", host=host))
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if changes and not self.is_own_page(scope, headers):
            return 403, self.hit("origin", address, Problem("foreign_origin"))
        return None

    def hit(self, limit: str, address: str, problem: Problem) -> Problem:
        self.hits.count(limit, network_of(address))
        return problem

    def is_ours(self, host: str) -> bool:
        """A page of somebody else's whose name leads to this machine must not pass for one of ours: a public
        name has to be one of `origin`."""
        if "." not in host or host in self.hosts or is_network(host.strip("[]")):
            return True
        return host.endswith(tuple(f".{name}" for name in OWN_NAMES))

    def is_own_page(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        """A program without cookies need not say where it comes from; a browser always does."""
        origin = headers.get(b"origin")
        if origin is None:
            return b"cookie" not in headers
        if self.settings.origin:
            return origin in self.settings.origin
        secure = scope["scheme"] in ("https", "wss")
        return origin == f"{'https' if secure else 'http'}://{headers.get(b'host', '')}"


def host_of(header: str) -> str:
    """Without the port."""
    name, _, port = header.lower().rpartition(":")
    return (name if name and port.isdecimal() else header.lower()).rstrip(".")


def address_of(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


# -- Answers ------------------------------------------------------------------------------------


def with_headers(scope: Scope, send: Send) -> Send:
    async def sending(message: Message) -> None:
        starts = ("http.response.start", "websocket.http.response.start")
        if message["type"] in starts:
            headers = [*message.get("headers", ()), *HEADERS]
            if scope["path"].startswith("/api"):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return sending


async def turn_away(scope: Scope, send: Send, status: int, problem: Problem) -> None:
    kind = "http" if scope["type"] == "http" else "websocket.http"
    body, headers = refusal(problem, language_of(scope))
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", str(problem.facts.get("seconds", 60)).encode()))
    await send({"type": f"{kind}.response.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.response.body", "body": body})


def refusal(problem: Problem, language: str) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    answer = {"key": problem.key, "message": voice(language).problem(problem)}
    body = json.dumps(answer, ensure_ascii=False).encode()
    length = str(len(body)).encode()
    return body, [(b"content-type", b"application/json"), (b"content-length", length)]


# -- Bodies -------------------------------------------------------------------------------------


def limited(receive: Receive) -> Receive:
    """A body that does not say how long it is must not be longer than any other."""
    read = 0

    async def receiving() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > LONGEST_BODY:
            raise HTTPException(413)
        return message

    return receiving
