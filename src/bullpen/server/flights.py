"""Which cards fly where when something happens: what a client animates, so that it needs no rules.

They are what the rules carried.  A flight that not everybody may see has the cards as some seats see them and
as the others do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from bullpen.cards import Card, Place
from bullpen.game import Event, Game, Seat, Table
from bullpen.offers import Tone, tone_of
from bullpen.places import HELD
from bullpen.views import shown_to

Shown = list[Card] | int  # cards, or how many face-down ones


class Taking(NamedTuple):
    """What lay in the middle goes to somebody."""

    seat: (
        Seat | None
    )  # whose points it is counted to; None while it is in a hand, or looked through
    heads: (
        int | None
    )  # on these cards; None: not all see them, or a special card makes more or less of them
    tone: Tone


class Flight(NamedTuple):
    cards: Shown
    origin: str
    to: str
    seen_by: frozenset[Seat] | None = None  # None: by all
    to_others: Shown = 0
    taking: Taking | None = None

    def as_json(self, viewer: Seat | None) -> dict[str, Any]:
        open_to_viewer = self.seen_by is None or viewer in self.seen_by
        cards = self.cards if open_to_viewer else self.to_others
        shown = {"cards": cards, "from": self.origin, "to": self.to}
        return shown if self.taking is None else {**shown, "taking": self.taking._asdict()}


def flights(game: Game[Any], table: Table, events: Sequence[Event]) -> list[list[Flight]]:
    """One list an event, and one more where something was carried at last of which no event tells; `table`
    is as they left it."""
    deals = len(events) - len(table.events)  # a deal is an event of the server, not of the rules
    return [*[[] for _ in range(deals)], *carried(game, table)]


def carried(game: Game[Any], table: Table) -> list[list[Flight]]:
    """By event of the last change: what was carried on its account; and what was carried after the last."""
    by_event: list[list[Flight]] = [[] for _ in range(len(table.events) + 1)]
    called = table.called
    for carry in table.carries:
        number, _, origin, to, _, _ = carry
        cards, seen_by, to_others = shown_to(table, carry)
        flight = Flight(cards, called(origin), called(to), seen_by, to_others)
        together = by_event[number]
        if together and origin != to and together[-1][1:4] == flight[1:4]:
            flight = joined(together.pop(), flight)
        if is_taken(table, origin, to):
            flight = flight._replace(taking=taking(game, table, flight, to))
        together.append(flight)
    return by_event if by_event[-1] else by_event[:-1]


def is_taken(table: Table, origin: Place, to: Place) -> bool:
    family_of = table.PLACES.family_of
    return family_of(origin).is_shared and not family_of(to).is_shared


def taking(game: Game[Any], table: Table, flight: Flight, to: Place) -> Taking:
    end, cards = table.PLACES.family_of(to), flight.cards
    if isinstance(cards, int) or flight.seen_by is not None:
        return Taking(None, None, "plain")
    seat = to - end.first if end.kind == "seat" and end.sight is not HELD else None
    heads = table.deck.shown_on(cards)
    tone = "plain" if seat is None else tone_of(heads, game.best(table.options))
    has_number_alone = game.CARD_NAMES.keys().isdisjoint(cards)
    return Taking(seat, heads if has_number_alone else None, tone)


def joined(first: Flight, second: Flight) -> Flight:
    """Cards that go the same way fly together."""
    return first._replace(
        cards=first.cards + second.cards,  # type: ignore[operator]
        to_others=first.to_others + second.to_others,  # type: ignore[operator]
    )
