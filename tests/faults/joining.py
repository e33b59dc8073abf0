"""How one gets to a table and into a game: made, joined, contributed to, started, played again.

The part of the wire that may change; nothing else here knows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
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


async def join(desk: Desk, table: str, person: Person, invite: str, rng: Random) -> Ticket:
    body = {"name": person.name, "invite": invite, "as": person.kind, "contribution": share(rng)}
    answer = await _patiently(desk, f"/api/tables/{table}/join", body, person)
    return _ticket(answer, person)


async def start(desk: Desk, host: Ticket, rng: Random) -> None:
    """Until the table says that it is playing: an answer may be lost, and the game begun all the same."""
    for _ in range(TRIES):
        try:
            path = f"/api/tables/{host.table}/start"
            answer = await desk.ask("POST", path, {"contribution": share(rng)}, host)
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


def contributions(rng: Random) -> list[Json]:
    """What somebody says on the socket before the start."""
    return [{"type": "contribute", "text": share(rng)}]


def share(rng: Random) -> str:
    return f"{rng.getrandbits(64):016x}"


def is_early(fair: Json) -> list[str]:
    """What must not be told before the end, of the `fair` of a message."""
    return [name for name in ("secret", "contributions") if fair.get(name) is not None]


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
