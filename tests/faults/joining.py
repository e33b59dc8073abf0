"""How one gets to a table and into a game: made, joined, contributed to, started, played again.

The part of the wire that may change; nothing else here knows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

from tests.faults.history import Json
from tests.faults.wire import Answer, Desk, Ticket, Unreachable

TRIES = 40  # each half a second: as long as a fault may last


class NoTable(Exception):
    """It came to nothing, because of a fault; another table is made instead."""


@dataclass
class Person:
    """Who sits down: a program, or a browser with its device."""

    name: str
    kind: str = "program"
    device: str = ""


async def make(desk: Desk, host: Person, wish: Json) -> tuple[Ticket, str]:
    """A table, and its invitation.  Where no answer comes there may be a lobby that nobody ever comes to."""
    body = {**wish, "name": host.name, "as": host.kind}
    answer = await _patiently(desk, "/api/tables", body, host)
    return _ticket(answer, host), answer.body["invite"]


async def join(desk: Desk, table: str, person: Person, invite: str) -> Ticket:
    body = {"name": person.name, "invite": invite, "as": person.kind}
    answer = await _patiently(desk, f"/api/tables/{table}/join", body, person)
    return _ticket(answer, person)


async def start(desk: Desk, host: Ticket) -> None:
    """Until the table says that it is playing: an answer may be lost, and the game begun all the same."""
    for _ in range(TRIES):
        try:
            answer = await desk.ask("POST", f"/api/tables/{host.table}/start", None, host)
            if answer.is_good or answer.key == "already_started":
                return
            if answer.status not in (503, 429):
                raise NoTable(f"start: {answer.status} {answer.key}")
        except Unreachable:
            pass
        await asyncio.sleep(0.5)
    raise NoTable("start: no answer")


async def rematch(desk: Desk, ticket: Ticket, person: Person) -> Ticket:
    answer = await _patiently(desk, f"/api/tables/{ticket.table}/rematch", None, person, ticket)
    return _ticket(answer, person)


class Share:
    """One's share in the deal.  Version 1 of the wire takes a text in clear; version 2 a commitment, and the share itself
    once all commitments stand."""

    def __init__(self, ticket: Ticket, rng: Random) -> None:
        self.seat, self.bytes = ticket.seat, rng.randbytes(32)
        told = b"bullpen-fair-2/share" + len(ticket.table).to_bytes(4, "big")
        told += ticket.table.encode() + ticket.seat.to_bytes(4, "big") + self.bytes
        self.commitment = sha256(told).hexdigest()
        self.seal = ""  # the server's own commitment, as first seen

    def answers(self, frame: Json) -> list[Json]:
        """What one says to a message."""
        if frame["type"] == "open_shares":
            return self._opened(frame["commitment"], frame["commitments"])
        if frame["type"] != "welcome":
            return []
        fair = frame["fair"]
        self.seal = self.seal or fair["commitment"]
        match frame["lobby"]["status"], frame["version"]:
            case "waiting", 1:
                return [{"type": "contribute", "text": self.bytes.hex()}]
            case "waiting", _:
                return [{"type": "commit", "commitment": self.commitment}]
            case "opening", _:
                return self._opened(fair["commitment"], fair["commitments"])
        return []

    def _opened(self, seal: str, commitments: list[str | None]) -> list[Json]:
        if (seal, commitments[self.seat]) != (self.seal, self.commitment):
            return []
        return [{"type": "open", "share": self.bytes.hex()}]


SECRETS = ("secret", "contributions", "shares")  # of a message's `fair`: told at the end


def is_early(fair: Json) -> list[str]:
    """What must not be told before the end."""
    return [name for name in SECRETS if fair.get(name) is not None]


def secrets_of(fair: Json) -> list[str]:
    """The texts that were secrets until the end."""
    shares = fair.get("shares") or fair.get("contributions") or []
    return [text for text in (fair.get("secret"), *shares) if text]


def seats_of(people: int, bots: Sequence[str]) -> list[Json]:
    return [{"kind": "person"}] * people + [{"kind": "bot", "level": level} for level in bots]


# -- Inside -------------------------------------------------------------------------------------


async def _patiently(
    desk: Desk, path: str, body: Any, person: Person, ticket: Ticket | None = None
) -> Answer:
    """A server that cannot store just now is asked again; one that does not answer may have done it."""
    for _ in range(TRIES):
        try:
            answer = await desk.ask("POST", path, body, ticket, device=person.device)
        except Unreachable as lost:
            raise NoTable(str(lost)) from None
        if answer.is_good:
            return answer
        if answer.status not in (503, 429):
            raise NoTable(f"{path}: {answer.status} {answer.key}")
        await asyncio.sleep(0.5)
    raise NoTable(path)


def _ticket(answer: Answer, person: Person) -> Ticket:
    told = answer.body
    if person.kind == "program":
        return Ticket(told["table"], told["seat"], "program", told["token"])
    person.device = answer.cookies.get("device", person.device)
    return Ticket(told["table"], told["seat"], "person", answer.cookies["seat"], person.device)
