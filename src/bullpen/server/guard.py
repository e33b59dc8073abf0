"""What every request passes: whose pages may ask, how much at once, and the headers of every answer."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException

from bullpen.cards import Problem
from bullpen.server.languages import language_of
from bullpen.server.settings import Settings
from bullpen.text import voice

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_BODY = 32 * 1024
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
MOST_ADDRESSES = 50_000  # that are counted at a time

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


class Rate:
    """How many requests each address may still make; all begin anew every minute."""

    def __init__(self, per_minute: int) -> None:
        self.per_minute = per_minute
        self.minute, self.counts = 0, dict[str, int]()

    def allows(self, address: str) -> bool:
        minute = int(time.monotonic() // 60)
        if minute != self.minute or len(self.counts) > MOST_ADDRESSES:
            self.minute, self.counts = minute, {}
        self.counts[address] = self.counts.get(address, 0) + 1
        return self.counts[address] <= self.per_minute

    def seconds_left(self) -> int:
        return 60 - int(time.monotonic() % 60)


class Guard:
    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.rate = Rate(settings.requests_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        send = with_headers(scope, send)
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if why := self.why_not(scope, headers):
            await turn_away(scope, send, *why)
            return
        if scope["type"] == "http":
            receive = limited(receive)
        await self.app(scope, receive, send)

    def why_not(self, scope: Scope, headers: dict[bytes, str]) -> tuple[int, Problem] | None:
        if not self.rate.allows(address_of(scope)):
            return 429, Problem("too_many_requests", seconds=self.rate.seconds_left())
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > LONGEST_BODY:
            return 413, Problem("body_too_long", most=LONGEST_BODY)
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if changes and not self.is_own_page(scope, headers):
            return 403, Problem("foreign_origin")
        return None

    def is_own_page(self, scope: Scope, headers: dict[bytes, str]) -> bool:
        """A program without cookies need not say where it comes from; a browser always does."""
        origin = headers.get(b"origin")
        if origin is None:
            return b"cookie" not in headers
        if self.settings.origin:
            return origin in self.settings.origin
        secure = scope["scheme"] in ("https", "wss")
        return origin == f"{'https' if secure else 'http'}://{headers.get(b'host', '')}"


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
    told = {"key": problem.key, "message": voice(language).problem(problem)}
    body = json.dumps(told, ensure_ascii=False).encode()
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
