"""Reports: a player tells the operator what somebody at their table has said, or how they are called.

What goes with it is what the reporter could see: the last lines of chat.  Nobody at the table hears of it, and nothing
of it stands in the log; the operator reads it with `bullpen people`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from bullpen.cards import Problem
from bullpen.server import door
from bullpen.server.budget import Hits, Rate
from bullpen.server.refused import Refused
from bullpen.server.requests import NewReport, Reported
from bullpen.server.retention import report_days
from bullpen.server.room import Room
from bullpen.server.settings import Settings
from bullpen.server.store import Store
from bullpen.server.store.decency import MOST_REPORTS, Report, new_id

PER_MINUTE = 10  # tries, from one address
LINES = 20  # of chat that go with a report


class Reports:
    def __init__(self, settings: Settings, store: Store, hits: Hits) -> None:
        self.days, self.book = int(report_days(settings)), store.decency
        self.tries = Rate("reports", PER_MINUTE, hits)

    async def make(
        self, room: Room, token: str | None, wish: NewReport, own: Sequence[str], address: str
    ) -> Reported:
        """`own`: all devices of whoever reports."""
        seat = door.own_seat(room, token)
        seats = room.header.seats
        if (
            wish.seat == seat
            or wish.seat >= len(seats)
            or seats[wish.seat].kind not in ("person", "program")
        ):
            raise Refused(409, "report_nobody")
        if not wish.note.isprintable():
            raise Problem("chat_unprintable")
        accused = seats[wish.seat]
        said = [{"name": one["name"], "text": said_in(one)} for one in room.chat[-LINES:]]
        new = Report(
            id=new_id(),
            time=time.time(),
            table=room.id,
            seat=wish.seat,
            about=wish.about,
            name=accused.name,
            note=wish.note.strip(),
            lines=said,
            device=accused.device,
            reporter=seats[seat].device,
        )
        devices = [*own, *([new.reporter] if new.reporter else [])]
        if not self.tries.allows(address) or not await self.book.report(new, devices):
            raise Refused(429, "too_many_reports", most=MOST_REPORTS)
        return Reported(table=room.id, lines=len(said), days=self.days)


def said_in(line: dict[str, object]) -> str:
    return str(line["text"] or f"({line['phrase']})")
