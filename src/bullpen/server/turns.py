"""Whose turn it is, at a table that may sleep: to look at a list wakes nobody up."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import Any

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server.header import Header
from bullpen.server.house import House
from bullpen.server.play import fold, new_play
from bullpen.server.store import LOBBY, OPENING, PLAYING, AtTable

Json = dict[str, Any]
FOLDED_AT_ONCE = 50  # events of a log, until others have their turn
MOST_KNOWN = 10_000  # tables whose turn is remembered
STATUS = {LOBBY: "waiting", OPENING: "opening", PLAYING: "playing"}


class Turns:
    def __init__(self, house: House) -> None:
        self.house = house
        self.known: OrderedDict[tuple[str, int], list[Seat]] = OrderedDict()

    async def shown(self, at: AtTable) -> Json | None:
        """A table of somebody's, for their list; None where it cannot be played any more."""
        header = Header.model_validate(at.header)
        if not header.can_be_played:
            return None
        waiting = await self.waiting(at, header)
        people = header.people()
        return {
            "table": at.table,
            "game": header.game,
            "status": STATUS[header.state],
            "seat": at.seat,
            "seats": [{"kind": one.kind, "name": one.name} for one in header.seats],
            "waiting": waiting,
            "your_turn": at.seat in waiting,
            "clock": header.clock,
            "left": None if at.due is None else round(max(0.0, at.due - time.time()), 1),
            "alone": people == [at.seat] and (header.state != LOBBY or not header.open_seats()),
            "daily": header.daily,
            "touched": at.touched,
        }

    async def waiting(self, at: AtTable, header: Header) -> list[Seat]:
        """The seats that the table waits for: open to everybody, as at the table itself."""
        if header.state != PLAYING:
            return []
        if (room := self.house.rooms.get(at.table)) and room.play is not None:
            return room.play.waiting
        key = (at.table, at.last_seq)
        if key not in self.known:
            self.known[key] = await self._folded(at.table, header)
            if len(self.known) > MOST_KNOWN:
                self.known.popitem(last=False)
        return self.known[key]

    async def _folded(self, table: str, header: Header) -> list[Seat]:
        try:
            events = await self.house.store.events(table)
        except Problem:  # damaged: whoever opens it is told so
            return []
        play = new_play(header.rules, len(header.seats), header.options, header.cards())
        for number, event in enumerate(events, start=1):
            fold(play, event.kind, event.seat, event.decision, event.payload)
            if not number % FOLDED_AT_ONCE:
                await asyncio.sleep(0)
        return play.waiting
