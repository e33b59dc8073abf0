"""People at a table: each has a chair, and one or two sockets; whatever breaks, they come back and play on."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from dataclasses import dataclass, field
from random import Random

from tests.faults.history import History, Json, now
from tests.faults.joining import Share
from tests.faults.wire import LOST, Desk, Route, Socket, Ticket, Unreachable, opened

SILENCE = 12.0  # seconds without any answer to a move, until a client takes its socket for lost
TALK_SECONDS = 1.0  # between messages that are no moves: the limit is 20 in 10 s

_moves = itertools.count(1)


@dataclass
class Manners:
    """How somebody plays: chances, by decision or turn."""

    thinking: float = 0.02  # seconds at most
    changes: float = 0.1
    twice: float = 0.1
    contradicts: float = 0.03
    illegal: float = 0.02
    undoes: float = 0.1
    undoes_after_the_end: float = 0.3
    agrees: float = 0.9
    chats: float = 0.02
    looks: float = 0.02
    drops: float = 0.01
    leaves: float = 0.004

    def hurry(self) -> None:
        """It is late: to the end without detours."""
        self.thinking = self.undoes = self.drops = self.leaves = 0.0


@dataclass
class Sent:
    """A move that was said, and what became of it."""

    number: int
    decision: int
    action: int
    outcome: str = "pending"  # ok, refused, unknown
    key: str = ""
    at: float = field(default_factory=now)


class Line:
    """One device: a socket that is opened again whenever it is lost, as long as the table is of interest."""

    def __init__(self, place: Place, ticket: Ticket | None, chair: Chair | None) -> None:
        self.place, self.ticket, self.chair = place, ticket, chair
        self.seat = None if chair is None else chair.ticket.seat
        self.socket: Socket | None = None
        self.pending: list[Sent] = []
        self.away_until = 0.0
        self.is_over = False
        self.has_left = False

    async def live(self) -> None:
        delay = 0.05
        while not self.has_left:
            if now() < self.away_until:
                await asyncio.sleep(0.05)
                continue
            try:
                await self._converse()
                delay = 0.05
            except LOST as error:
                self._lost(type(error).__name__)
            await asyncio.sleep(delay * self.place.rng.uniform(0.5, 1.5))
            delay = min(1.0, 2 * delay)

    async def _converse(self) -> None:
        place = self.place
        query = place.rng.choice(("lang=en", "lang=pl"))
        if self.chair is None and self.ticket is not None:
            query += "&watch=yes"
        self.socket = await opened(
            place.history, place.route, place.address, place.table, self.ticket, query
        )
        socket = self.socket
        try:
            while True:
                frame = await self._hear(socket)
                place.history.note_frame(place.table, socket.number, self.seat, frame)
                self._take(frame)
        finally:
            self.socket = None
            with contextlib.suppress(*LOST):
                await socket.close()

    async def _hear(self, socket: Socket) -> Json:
        """Who has asked and hears nothing for long takes the socket for lost."""
        while True:
            try:
                async with asyncio.timeout(1.0):
                    return await socket.hear()
            except TimeoutError:
                if self.pending and now() - self.pending[0].at > SILENCE:
                    raise

    def _lost(self, why: str) -> None:
        self.place.history.note(self.place.table, "lost", seat=self.seat, why=why)
        for sent in self.pending:
            self._settle(sent, "unknown")
        self.pending = []
        if self.chair:
            self.chair.stirred.set()

    def _settle(self, sent: Sent, outcome: str, key: str = "") -> None:
        sent.outcome, sent.key, sent.at = outcome, key, now()
        self.place.history.note(
            self.place.table, outcome, move=sent.number, seat=self.seat, key=key
        )

    # -- Hearing ------------------------------------------------------------------------------

    def _take(self, frame: Json) -> None:
        kind = frame["type"]
        if kind == "accepted":
            self._answered(frame, "ok")
        elif kind == "refused":
            self._answered(frame, "refused")
        if kind == "result" or (kind == "welcome" and frame["result"]):
            self.is_over = True
        if self.chair:
            self.chair.hears(self, frame)

    def _answered(self, frame: Json, outcome: str) -> None:
        """Answers come in the order of the moves."""
        for sent in self.pending:
            if (
                sent.decision == frame["decision"]
                and frame.get("action", sent.action) == sent.action
            ):
                self.pending.remove(sent)
                self._settle(sent, outcome, frame.get("key", ""))
                return

    # -- Saying -------------------------------------------------------------------------------

    async def move(self, decision: int, action: int, turn: int) -> Sent:
        sent = Sent(next(_moves), decision, action)
        place = self.place
        socket = self.socket
        place.history.note(
            place.table,
            "invoke",
            move=sent.number,
            socket=socket.number if socket else None,
            seat=self.seat,
            decision=decision,
            action=action,
            turn=turn,
        )
        self.pending.append(sent)
        try:
            if socket is None:
                raise ConnectionError
            await socket.say(type="move", decision=decision, action=action)
        except LOST:
            if sent in self.pending:
                self.pending.remove(sent)
                self._settle(sent, "unknown")
        return sent

    async def say(self, **message: object) -> None:
        socket = self.socket
        if socket is None:
            return
        facts = {
            key: value for key, value in message.items() if key not in ("type", "text", "share")
        }
        kind = str(message["type"])
        self.place.history.note(
            self.place.table, "say", kind=kind, socket=socket.number, seat=self.seat, **facts
        )
        with contextlib.suppress(*LOST):
            await socket.say(**message)

    def drop(self, seconds: float) -> None:
        """A device that goes to sleep, or out of the network."""
        self.away_until = now() + seconds
        if self.socket:
            self.socket.connection.transport.abort()

    async def leave(self) -> None:
        self.has_left = True
        if self.socket:
            with contextlib.suppress(*LOST):
                await self.socket.close()


class Place:
    """What all at one table share."""

    def __init__(
        self, history: History, route: Route, desk: Desk, address: str, table: str, rng: Random
    ) -> None:
        self.history, self.route, self.desk = history, route, desk
        self.address, self.table, self.rng = address, table, rng


class Chair:
    """Who sits there: reads what the sockets show, and decides."""

    def __init__(self, place: Place, ticket: Ticket, devices: int, manners: Manners) -> None:
        self.place, self.ticket, self.manners, self.rng = place, ticket, manners, place.rng
        self.lines = [Line(place, ticket, self) for _ in range(devices)]
        self.stirred = asyncio.Event()
        self.view: Json | None = None
        self.status = "waiting"
        self.result: Json | None = None
        self.sent: dict[int, list[Sent]] = {}
        self.changed_at = self.undone_at = self.chatted_at = self.wandered_at = -1
        self.undo_wanted: list[int] = []  # who asks me to agree
        self.last_talk = 0.0
        self.has_left = False
        self.share, self.to_say = Share(ticket, self.rng), list[Json]()

    @property
    def open_lines(self) -> list[Line]:
        return [line for line in self.lines if line.socket is not None]

    # -- Hearing ------------------------------------------------------------------------------

    def hears(self, line: Line, frame: Json) -> None:
        kind = frame["type"]
        self.to_say += self.share.answers(frame)
        if kind == "welcome":
            self.result = frame["result"] or self.result
            self.status = frame["lobby"]["status"]
            self._sees(frame["view"])
        elif kind == "view":
            self._sees(frame)
        elif kind == "lobby":
            self.status = frame["lobby"]["status"]
        elif kind == "accepted":
            self._chose(frame)
        elif kind == "undo" and frame["state"] == "asked" and self.ticket.seat in frame["waiting"]:
            self.undo_wanted.append(frame["seat"])
        elif kind == "result":
            self.result = frame
        self.stirred.set()

    def _sees(self, view: Json | None) -> None:
        if view is not None and (self.view is None or view["turn"] >= self.view["turn"]):
            self.view = view

    def _chose(self, frame: Json) -> None:
        """While others still choose, the choice can be changed under the next number."""
        decision = self.view and self.view["decision"]
        if self.view and decision and decision["number"] == frame["decision"]:
            is_secret = self.view["actor"] is None
            changed = {**decision, "number": frame["next"], "choice": frame["action"]}
            self.view = {**self.view, "decision": changed if is_secret else None}

    @property
    def asks(self) -> bool:
        return bool(self.view and self.view["decision"] and self.view["decision"]["choice"] is None)

    # -- Deciding -----------------------------------------------------------------------------

    async def live(self) -> None:
        while not self.has_left:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.7):
                    await self.stirred.wait()
            self.stirred.clear()
            if self.open_lines:
                await self._act(self.rng.choice(self.open_lines))

    async def _act(self, line: Line) -> None:
        while self.to_say:
            await line.say(**self.to_say.pop())
        view = self.view
        if view is None:
            return
        if decision := view["decision"]:
            if decision["choice"] is None:
                await self._answer(line, view, decision)
            elif self.changed_at != view["turn"]:
                self.changed_at = view["turn"]
                if self.rng.random() < self.manners.changes:
                    await line.move(decision["number"], self._any(decision), view["turn"])
        await self._talk(line, view)
        await self._wander(view)

    def _any(self, decision: Json) -> int:
        action: int = self.rng.choice(decision["moves"])["action"]
        return action

    async def _answer(self, line: Line, view: Json, decision: Json) -> None:
        number, turn = decision["number"], view["turn"]
        before = self.sent.setdefault(number, [])
        if not before:
            await self._first_answer(line, turn, decision, before)
            return
        if any(sent.outcome == "pending" for sent in before):
            return
        last = before[-1]
        if now() - last.at < 0.4:
            return
        if last.outcome == "unknown" or last.key == "not_stored":
            # Said again, or thought over: nobody knows, or nothing has changed.
            again = last.action if self.rng.random() < 0.5 else self._any(decision)
            before.append(await line.move(number, again, turn))
        elif last.key and now() - last.at > 1.0:
            await self._say(line, type="look")
            before.append(await line.move(number, self._any(decision), turn))

    async def _first_answer(
        self, line: Line, turn: int, decision: Json, before: list[Sent]
    ) -> None:
        number, manners, chance = decision["number"], self.manners, self.rng.random
        if manners.thinking:
            await asyncio.sleep(self.rng.uniform(0, manners.thinking))
        if chance() < manners.illegal:
            await line.move(number, 9_999, turn)
        action = self._any(decision)
        before.append(await line.move(number, action, turn))
        other = self.rng.choice(self.open_lines or [line])
        if chance() < manners.twice:
            before.append(await other.move(number, action, turn))
        if chance() < manners.contradicts:
            await other.move(number, self._any(decision), turn)

    # -- Talking and wandering ----------------------------------------------------------------

    async def _say(self, line: Line, **message: object) -> None:
        if now() - self.last_talk >= TALK_SECONDS:
            self.last_talk = now()
            await line.say(**message)

    async def _talk(self, line: Line, view: Json) -> None:
        chance, turn = self.rng.random, view["turn"]
        if self.undo_wanted:
            self.undo_wanted.clear()
            await line.say(type="undo_answer", agree=chance() < self.manners.agrees)
        if view["can_undo"] and self.undone_at != turn:
            self.undone_at = turn
            wish = self.manners.undoes_after_the_end if self.result else self.manners.undoes
            if chance() < wish:
                await line.say(type="undo")
        if self.chatted_at != turn:
            self.chatted_at = turn
            if chance() < self.manners.chats:
                await self._say(line, type="chat", phrase=self.rng.choice(("hello", "ouch")))
            if chance() < self.manners.looks:
                await self._say(line, type="look")

    async def _wander(self, view: Json) -> None:
        if self.result or self.wandered_at == view["turn"]:
            return
        self.wandered_at = view["turn"]
        chance = self.rng.random
        if chance() < self.manners.drops:
            self.rng.choice(self.lines).drop(self.rng.uniform(0.1, 3.0))
        elif chance() < self.manners.leaves:
            for line in self.lines:
                line.away_until = now() + self.rng.uniform(0.5, 4.0)
            with contextlib.suppress(Unreachable):
                path = f"/api/tables/{self.place.table}/leave"
                await self.place.desk.ask("POST", path, None, self.ticket)
