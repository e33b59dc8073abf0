"""Which cards fly where when something happens: what a client animates, so that it needs no rules.

They are what the rules carried.  A flight that not everybody may see has the cards as some seats see them and
as the others do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bullpen.cards import Card
from bullpen.game import Event, Seat, Table
from bullpen.views import shown_to

Shown = list[Card] | int  # cards, or how many face-down ones


class Flight(NamedTuple):
    cards: Shown
    origin: str
    to: str
    seen_by: frozenset[Seat] | None = None  # None: by all
    to_others: Shown = 0

    def as_json(self, viewer: Seat | None) -> dict[str, Any]:
        open_to_viewer = self.seen_by is None or viewer in self.seen_by
        cards = self.cards if open_to_viewer else self.to_others
        return {"cards": cards, "from": self.origin, "to": self.to}


def flights(table: Table, events: Sequence[Event]) -> list[list[Flight]]:
    """One list an event, and one more where something was carried at last of which no event tells; `table`
    is as they left it."""
    deals = len(events) - len(table.events)  # a deal is told by the server, not by the rules
    return [*[[] for _ in range(deals)], *carried(table)]


def carried(table: Table) -> list[list[Flight]]:
    """By event of the last change: what was carried on its account; and what was carried after the last."""
    told: list[list[Flight]] = [[] for _ in range(len(table.events) + 1)]
    called = table.called
    for carry in table.carries:
        number, _, origin, to, _, _ = carry
        cards, seen_by, to_others = shown_to(table, carry)
        flight = Flight(cards, called(origin), called(to), seen_by, to_others)
        together = told[number]
        if together and origin != to and together[-1][1:4] == flight[1:4]:
            flight = joined(together.pop(), flight)
        together.append(flight)
    return told if told[-1] else told[:-1]


def joined(first: Flight, second: Flight) -> Flight:
    """Cards that go the same way fly together."""
    return first._replace(
        cards=first.cards + second.cards,  # type: ignore[operator]
        to_others=first.to_others + second.to_others,  # type: ignore[operator]
    )
