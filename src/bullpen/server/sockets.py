"""The door of a table's socket: who it is, whether there is room, and then listening until it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import parse_qs

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server import messages
from bullpen.server.budget import Bucket, Held, Hits, bucket
from bullpen.server.connection import (
    NORMAL,
    POLICY_VIOLATION,
    RESTARTING,
    TOO_MANY_IGNORED,
    Connection,
)
from bullpen.server.cookies import SEAT, cookie_of
from bullpen.server.guard import Receive, Scope, Send, address_of, turn_away
from bullpen.server.house import House
from bullpen.server.languages import language_of
from bullpen.server.message_handler import MessageHandler
from bullpen.server.metrics import Metrics
from bullpen.server.refused import Refused
from bullpen.server.room import Room
from bullpen.server.settings import Settings
from bullpen.server.store import token_hash
from bullpen.server.transport import Frames

log = logging.getLogger("bullpen.sockets")

MOST_OF_A_SEAT, MOST_SPECTATORS = 10, 200  # sockets, of one table


class Sockets:
    def __init__(
        self,
        settings: Settings,
        house: House,
        handler: MessageHandler,
        metrics: Metrics,
        hits: Hits,
    ) -> None:
        self.settings, self.house, self.handler, self.metrics = settings, house, handler, metrics
        self.hits = hits
        self.open: set[Connection] = set()
        self.is_stopping = False
        self.by_address = Held("sockets", settings.sockets_per_address, hits)

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application for `/api/tables/{id}/socket`."""
        address = address_of(scope)
        await receive()  # the wish to connect
        if not self.by_address.takes(address):
            most = self.settings.sockets_per_address
            await turn_away(scope, send, 429, Problem("too_many_sockets", most=most))
            return
        try:
            await self.admit(scope, receive, send)
        finally:
            self.by_address.give_back(address)

    async def admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            room = await self.house.room(scope["path_params"]["table"])
            token = None if asks_for(scope, "watch") else token_of(scope)
            seat = room.seat_of(token)
            if seat is None and token:
                raise Refused(403, "not_your_seat")
            if seat is None and not room.header.spectators:
                raise Refused(403, "no_spectators")
            most = MOST_SPECTATORS if seat is None else MOST_OF_A_SEAT
            if len(room.here.of(seat)) >= most:
                raise Refused(429, "too_many_sockets", most=most)
        except Refused as problem:
            await turn_away(scope, send, problem.status, problem)
            return
        except Problem as problem:
            await turn_away(scope, send, 503, problem)
            return
        await send({"type": "websocket.accept"})
        socket: Frames = scope["extensions"]["bullpen.socket"]
        allowance = self.allowance(room, seat)
        language = language_of(scope)
        connection = Connection(socket.transport, seat, language, allowance, socket.end)
        connection.key = token_hash(token) if token else None
        connection.detail = "explained" if asks_for(scope, "explain") else "plain"
        if len(room.here.of(seat)) >= most:  # others came in meanwhile
            connection.close(POLICY_VIOLATION)
            return
        if self.is_stopping:
            connection.close(RESTARTING)
            return
        if not may_enter(room, connection):  # while it was let in, its seat was freed
            return
        self.open.add(connection)
        self.metrics.sockets.set(len(self.open))
        try:
            self.enter(room, connection)
            socket.listen(lambda text: self.hear(room, connection, text))
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self.open.discard(connection)
            self.metrics.sockets.set(len(self.open))
            self.metrics.dropped.inc(connection.was_cut_off)
            self.leave(room, connection)

    def allowance(self, room: Room, seat: Seat | None) -> Bucket:
        """All sockets of a seat share one; every spectator has one alone."""
        for other in room.here.of(seat) if seat is not None else ():
            return other.allowance
        return bucket(self.settings.messages, self.settings.messages_seconds)

    def enter(self, room: Room, connection: Connection) -> None:
        was_asleep = self.house.steward.is_asleep(room)
        was_away = room.here.add(connection)
        seat = connection.seat
        was_played_for = seat in room.here.stand_ins
        if seat is not None:
            room.here.stand_ins.discard(seat)
        connection.send(messages.welcome(room, seat, connection.language, connection.detail))
        if seat is None:
            room.broadcast_lobby()
        elif was_away:
            self.house.steward.came(room, seat, starts_anew=was_played_for)
        if was_asleep:
            self.house.steward.wake(room)

    def leave(self, room: Room, connection: Connection) -> None:
        is_away, seat = room.here.remove(connection), connection.seat
        if not room.here.sockets:
            self.house.steward.stay_awake(room)
        if seat is None:
            room.broadcast_lobby()
        elif is_away:
            self.house.steward.went(room, seat)
            room.went(seat)

    def hear(self, room: Room, connection: Connection, text: str | None) -> None:
        if room.is_gone or not room.still_sits(connection):
            return  # closed already; this was on its way
        if connection.may_send(asyncio.get_running_loop().time()):
            self.handler.handle(room, connection, text)
        elif connection.ignored > TOO_MANY_IGNORED:
            self.hits.count("messages", f"table {room.id}")
            connection.was_cut_off = True
            connection.close(POLICY_VIOLATION)
        elif connection.ignored % 10 == 1:  # said now and then, not every time
            connection.send(messages.error("too_fast", connection.language))

    def cut_off_stalled(self) -> None:
        now = asyncio.get_running_loop().time()
        for connection in list(self.open):
            connection.cut_off_if_stalled(now)

    def say_goodbye(self) -> None:
        self.is_stopping = True  # who comes now, handed over by another process, is sent on at once
        for connection in list(self.open):
            error = messages.error("stopping", connection.language)
            connection.send({**error, "type": "closing"})


def may_enter(room: Room, connection: Connection) -> bool:
    """Asked when nothing is waited for any more; who may not is told so."""
    if room.is_gone:
        connection.close(RESTARTING)
        return False
    if not room.still_sits(connection):
        error = messages.error("seat_freed", connection.language)
        connection.send({**error, "type": "closing"})
        connection.close(NORMAL)
        return False
    return True


def asks_for(scope: MutableMapping[str, Any], wish: str) -> bool:
    """`watch=yes`: a big screen sees what everybody sees, also on the device of somebody who plays;
    `explain=yes`: whoever draws the table wants to know what each offer means."""
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get(wish) == ["yes"]


def token_of(scope: MutableMapping[str, Any]) -> str | None:
    """From the cookie of a browser or the header of a program; nowhere else."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return cookie_of(scope["headers"], SEAT)
