"""\"Your turn\", as a web push: to devices whose people want it, one a table until they come, and never a card in it."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import ssl
import time
from collections.abc import Mapping
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING

import orjson

from bullpen.cards import Problem
from bullpen.server.endpoints import Endpoint, Forbidden, Reach
from bullpen.server.header import Header
from bullpen.server.house import device_hash
from bullpen.server.metrics import Metrics
from bullpen.server.refused import Refused
from bullpen.server.settings import Settings
from bullpen.server.store import Store
from bullpen.server.store.pushes import Address, Turn
from bullpen.text import voice

if TYPE_CHECKING:
    from bullpen.server import (
        web_push,
    )  # loaded where somebody wants to be told: it takes ten megabytes

log = logging.getLogger("bullpen.pushes")

LOOK_SECONDS = 1.0  # between two looks for somebody to be told
AT_ONCE = 20  # turns that are told in one transaction
MOST_PENDING = 200  # pushes that are on their way, or wait for the next try
MOST_CALLS = 10  # of them at the same time
CALL_SECONDS = 10.0  # for one call, from the first look at its name to the answer
PAUSES = (10.0, 60.0, 300.0, 1800.0)  # seconds, after each try that failed for now
LONGEST_STATUS = 1000  # bytes of an answer's first line
LONGEST_KEPT = 4 * 7 * 86_400  # seconds that a service keeps a push for a device that is away
HOUR, DAY = 3600, 86_400
NOBODY = "mailto:nobody@localhost"  # where an operator names no contact

GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)


class Pushes:
    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.store, self.book, self.metrics = store, store.pushes, metrics
        self.contact = contact_of(settings)
        self.reach = Reach(local=settings.push_local)
        self.calls = asyncio.Semaphore(MOST_CALLS)
        self.pending: set[asyncio.Task[None]] = set()
        self._sender: web_push.Sender | None = None

    async def sender(self) -> web_push.Sender:
        """Known to push services by a key that this server has drawn once, for all its processes."""
        from bullpen.server import web_push

        if self._sender is None:
            key = await self.book.key(web_push.new_key)
            self._sender = web_push.Sender(key, self.contact)
        return self._sender

    @cached_property
    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    # -- Who wants to be told -----------------------------------------------------------------

    async def is_subscribed(self, device: str | None) -> bool:
        hashed = device_hash(device)
        return hashed is not None and await self.book.is_subscribed(hashed)

    async def subscribe(self, device: str | None, endpoint: str, p256dh: str, auth: str) -> None:
        try:
            self.reach.read(endpoint)
        except Forbidden:
            raise Refused(422, "push_address") from None
        from bullpen.server import web_push

        try:
            web_push.receiver(p256dh, auth)
        except ValueError:
            raise Refused(422, "push_keys") from None
        hashed = device_hash(device)
        if not hashed or not await self.book.subscribe(hashed, endpoint, p256dh, auth):
            raise Refused(404, "no_player")

    async def unsubscribe(self, device: str | None) -> None:
        if hashed := device_hash(device):
            await self.book.unsubscribe(hashed)

    # -- Telling them -------------------------------------------------------------------------

    async def run(self) -> None:
        """As long as the server runs."""
        while True:
            try:
                await self.tell_all()
            except Problem as problem:
                log.warning("not told", extra={"reason": problem.key})
            except Exception:  # once is no reason never to try again
                log.exception("not told")
            await asyncio.sleep(LOOK_SECONDS)

    async def tell_all(self) -> None:
        while len(self.pending) < MOST_PENDING and await self.book.untold():
            for turn in await self.book.tell(AT_ONCE):
                for address in turn.addresses:
                    task = asyncio.create_task(self._deliver(turn, address))
                    self.pending.add(task)
                    task.add_done_callback(self.pending.discard)

    async def _deliver(self, turn: Turn, address: Address) -> None:
        """Again after a while, where the service cannot take it now and its person still does not know."""
        for pause in (*PAUSES, None):
            try:
                outcome = await self._try(turn, address)
            except Problem as problem:
                outcome = "later"
                log.warning("not told", extra={"reason": problem.key})
            except Exception:
                outcome = "refused"
                log.exception("not told")
            self.metrics.pushes.labels(outcome).inc()
            if outcome != "later" or pause is None:
                return
            await asyncio.sleep(pause)

    async def _try(self, turn: Turn, address: Address) -> str:
        """What became of it: sent, later, gone, refused or unwanted."""
        if not await self.book.is_wanted(turn, address.device):
            return "unwanted"
        try:
            async with self.calls, asyncio.timeout(CALL_SECONDS):
                status = await self._call(turn, address)
        except Forbidden:
            await self.book.drop(address.endpoint)
            return "refused"
        except (OSError, TimeoutError, ValueError, EOFError):
            return "later"
        if status in GONE:
            await self.book.drop(address.endpoint)
            return "gone"
        if status in LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return "later"
        return "sent" if status < HTTPStatus.MULTIPLE_CHOICES else "refused"

    async def _call(self, turn: Turn, address: Address) -> int:
        """The status of the answer; nothing else of it is read, and no other address is called than the one that was
        checked."""
        from bullpen.server import web_push

        endpoint = self.reach.read(address.endpoint)
        text = orjson.dumps(words_of(turn, address.language))
        body = web_push.encrypted(text, web_push.receiver(address.p256dh, address.auth))
        sender = await self.sender()
        headers = {
            "authorization": sender.authorization(endpoint.service),
            "ttl": str(int(min(LONGEST_KEPT, max(0.0, turn.due - time.time())))),
            "topic": topic_of(turn.table),
            "urgency": "normal",
        }
        where = await self.reach.found(endpoint)
        is_safe = endpoint.scheme == "https"
        reader, writer = await asyncio.open_connection(
            where,
            endpoint.port,
            ssl=self.tls if is_safe else None,
            server_hostname=endpoint.host if is_safe else None,
            limit=LONGEST_STATUS,
        )
        try:
            writer.write(request(endpoint, headers, body))
            await writer.drain()
            return status_in(await reader.readuntil(b"\r\n"))
        except asyncio.LimitOverrunError as error:
            raise ValueError(endpoint.host) from error
        finally:
            writer.transport.abort()

    async def close(self) -> None:
        for task in list(self.pending):
            task.cancel()
        await asyncio.gather(*self.pending, return_exceptions=True)


def contact_of(settings: Settings) -> str:
    """Whom a push service may write to."""
    sites = [site for site in settings.origin if site.startswith("https://")]
    return settings.push_contact or (sites[0] if sites else NOBODY)


def topic_of(table: str) -> str:
    """By which a service forgets an older push about the same table; it says nothing about it."""
    return hashlib.sha256(f"bullpen-topic {table}".encode()).hexdigest()[:32]


# -- What is said -------------------------------------------------------------------------------


def words_of(turn: Turn, language: str) -> dict[str, str]:
    """What everybody at the table knows, in the words of whoever reads it."""
    header, say = Header.model_validate(turn.header), voice(language).say
    others = [name for seat, name in enumerate(header.names) if seat != turn.seat]
    left = max(0.0, turn.due - time.time())
    days = round(left / DAY)
    facts = {"game": header.rules.TITLE, "names": others}
    body = (
        say("server.push.days", **facts, days=days)
        if days > 1
        else say("server.push.hours", **facts, hours=max(1, round(left / HOUR)))
    )
    return {"title": say("server.push.title"), "body": body, "table": turn.table}


# -- HTTP ---------------------------------------------------------------------------------------


def request(endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = {
        "host": endpoint.service.partition("://")[2],
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        "content-length": str(len(body)),
        "connection": "close",
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {endpoint.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body


def status_in(line: bytes) -> int:
    """Raises ValueError."""
    version, _, rest = line.decode("latin-1").partition(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError(line)
    return int(rest[:3])
