"""From the start of a table to its first card, for all tables of a server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server import door, messages, seating
from bullpen.server.door import Change
from bullpen.server.header import Header
from bullpen.server.room import RETRY_SECONDS, Room
from bullpen.server.steward import Steward
from bullpen.server.store import NotOwner

log = logging.getLogger("bullpen.starting")

COMING_BACK_SECONDS = 10.0  # after a restart: clients need a moment to find the server again
STORING_SECONDS = 5.0  # that whoever has started a table waits longer than for the shares


async def commit_to(room: Room, commitment: str, whose: Callable[[], Seat]) -> None:
    """`whose` is asked when the table is locked: it may be somebody else's seat by then."""
    seats = []

    def promise(header: Header) -> Change:
        seats.append(whose())
        seating.commit(header, seats[0], commitment)
        return Change()

    await door.through(room, promise)
    for connection in room.here.of(seats[0]):  # a second device learns that its own is past
        connection.send({"type": "committed", "commitment": commitment})


class Starting:
    def __init__(self, seconds: float, steward: Steward) -> None:
        self.seconds, self.steward = seconds, steward
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.is_closed = False

    def begin(self, room: Room) -> None:
        """The seats of this table stand: everybody with a share is asked for it, then it is dealt."""
        room.broadcast_lobby()
        if room.opening is None:
            self._show(room)
            return
        room.broadcast(messages.open_shares(room, self.seconds))
        self._deal_after(room, self.seconds)

    def go_on(self, room: Room) -> None:
        """The server went down while shares were opened; `welcome` asks for them again."""
        self._deal_after(room, self.seconds + COMING_BACK_SECONDS)

    async def dealt(self, room: Room) -> None:
        """For whoever waits for the first card: until it is there, or something is in its way."""
        if task := self.tasks.get(room.id):
            await asyncio.wait({task}, timeout=self.seconds + STORING_SECONDS)

    def _deal_after(self, room: Room, seconds: float) -> None:
        if (
            self.is_closed
        ):  # the start was just being stored when the server stopped: the next one deals
            return
        task = asyncio.create_task(self._deal(room, seconds))
        self.tasks[room.id] = task
        task.add_done_callback(lambda done: self._ended(room.id, done))

    def _ended(self, table: str, task: asyncio.Task[None]) -> None:
        if self.tasks.get(table) is task:
            del self.tasks[table]
        if not task.cancelled() and (error := task.exception()):
            log.error("not dealt", extra={"table": table}, exc_info=error)

    async def _deal(self, room: Room, seconds: float) -> None:
        assert room.opening is not None
        await room.opening.wait(seconds)
        while not await self._is_dealt(room):
            await asyncio.sleep(RETRY_SECONDS)
        if not room.is_gone:
            room.broadcast_lobby()
            self._show(room)

    async def _is_dealt(self, room: Room) -> bool:
        """Or kept by another server, which then deals it."""
        async with room.lock:
            if room.is_gone:
                return True
            try:
                await room.deal()
            except NotOwner:
                room.let_go()
            except Problem as problem:
                log.error("not dealt", extra={"table": room.id, "reason": problem.key})
                return False
        return True

    def _show(self, room: Room) -> None:
        room.show_view()
        self.steward.take_over(room)

    async def close(self) -> None:
        self.is_closed = True
        for task in list(self.tasks.values()):
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
