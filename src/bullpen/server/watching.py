"""What operators want to know of a running server, seen from outside its parts: what is refused, how late the
loop is, what the log complains of, and a proxy that nobody has named."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from http import HTTPStatus
from ipaddress import ip_address

import orjson

from bullpen.server.guard import App, Message, Receive, Scope, Send, address_of
from bullpen.server.metrics import Metrics

log = logging.getLogger("bullpen.watching")

LOOK_SECONDS = 0.1  # between two looks at the loop
LONGEST_REFUSAL = 4 * 1024  # a body that is longer is none


class Watched:
    """An application whose refusals are counted by their key."""

    def __init__(self, app: App, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics
        self.knows_proxy = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if self.knows_proxy and is_forwarded_by_stranger(scope):
            self.knows_proxy = False  # said once
            log.warning("unknown proxy", extra=named_if_near(address_of(scope)))
        await self.app(scope, receive, self.counting(scope, send))

    def counting(self, scope: Scope, send: Send) -> Send:
        kind = "socket" if scope["type"] == "websocket" else "http"
        is_refused = False

        async def sending(message: Message) -> None:
            nonlocal is_refused
            if "status" in message:
                is_refused = message["status"] >= HTTPStatus.BAD_REQUEST
            elif is_refused:
                is_refused = False  # once, in however many pieces the answer comes
                self.metrics.refusals.labels(kind, key_of(message.get("body", b""))).inc()
            await send(message)

        return sending


def key_of(body: bytes) -> str:
    """Every refusal of ours is JSON with a key; keys stand in the sources, so there are not many."""
    if len(body) <= LONGEST_REFUSAL:
        with suppress(orjson.JSONDecodeError, KeyError, TypeError):
            return str(orjson.loads(body)["key"])
    return "other"


# -- A proxy that is not believed ---------------------------------------------------------------


def is_forwarded_by_stranger(scope: Scope) -> bool:
    """Where the proxy is believed, the address of a request is one that it has forwarded."""
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return bool(forwarded) and address_of(scope) not in b",".join(forwarded).decode("latin-1")


def named_if_near(address: str) -> dict[str, str]:
    """A proxy is mostly near by; whoever asks from far away is a person, who has no place in a log."""
    with suppress(ValueError):
        if ip_address(address).is_private:
            return {"address": address, "hint": f"--proxy {address}"}
    return {"hint": "--proxy ADDRESS, if it is yours"}


# -- The loop and the log -----------------------------------------------------------------------


async def watch_loop(metrics: Metrics) -> None:
    """How much later than asked for the loop comes back: so long everybody waits."""
    while True:
        due = time.monotonic() + LOOK_SECONDS
        await asyncio.sleep(LOOK_SECONDS)
        metrics.loop_lag.observe(max(0.0, time.monotonic() - due))


class Complaints(logging.Handler):
    """Counts warnings and errors by their words, which never hold a fact: facts stand beside them."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__(logging.WARNING)
        self.metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        self.metrics.complaints.labels(record.levelname.lower(), str(record.msg)).inc()
