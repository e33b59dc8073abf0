"""A table, and the one way to change it: cards are carried from place to place, and events say so.

What is carried belongs to the event that is told next.  The events are what traces and records hold; the
carries are what a client animates.  Both are those of the last change alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from bullpen.cards import Card, Lying, Place, Seat, without
from bullpen.deck import Deck
from bullpen.places import FACE_UP, HELD, MOST_HEAPS, TOP_ONLY, Places
from bullpen.sizes import NO_SIZES, Sizes, made_smaller

Event = dict[str, Any]  # {"event": "place", "seat": 0, "card": 3, "row": 2}: as a trace prints it
OptionValue = int | str | bool | None
Options = Mapping[str, OptionValue]
PrintedSizes = Mapping[int, Sizes]  # by the number of seats
NOT_PRINTED: PrintedSizes = {}

# The number of its event, the cards, from where, to where; the phase and who decided then.  A plain
# tuple: it is made for every card that moves.
Carry = tuple[int, tuple[Card, ...], Place, Place, int, Seat]
TURNED_UP = -1  # in place of the phase: cards that are shown to all where they lie

# What becomes of a card that comes to a place.
PUT, SORTED_IN, OPENED = range(3)

T = TypeVar("T", bound="Table")
Fact = TypeVar("Fact")


@dataclass(slots=True)
class Table:
    """The base of every game's table, which adds only the facts of its own; they are open to all."""

    seats: int
    options: Options
    deck: Deck
    phase: int = 0
    actor: Seat = 0  # who decides, where it is one seat
    points: tuple[tuple[int, ...], ...] = ()  # of each finished round, by seat
    seen: int = 0  # the cards that have lain open since the last deal, as a mask
    heaps: tuple[int, ...] = ()  # the numbers of the heaps that come and go, in the order they lie
    lying: Lying = field(default_factory=list)
    events: list[Event] = field(default_factory=list, compare=False, repr=False)
    carries: list[Carry] = field(default_factory=list, compare=False, repr=False)
    # A trial: nobody else is waited for.
    alone: bool = field(default=False, compare=False, repr=False)
    sizes: Sizes = field(init=False, compare=False, repr=False)  # where there are mini games

    PLACES: ClassVar[Places]
    PRINTED: ClassVar[PrintedSizes] = {}
    FIXED: ClassVar[int]
    ARRIVAL: ClassVar[list[int]]  # by place
    OPEN: ClassVar[tuple[str, ...]] = ()  # the facts that a game adds and that everybody sees
    MEMORY: ClassVar[tuple[str, ...]] = (
        "seen",
    )  # facts for a perfect memory: sets of cards, as masks

    def __post_init__(self) -> None:
        self.sizes = made_smaller(self.PRINTED.get(self.seats, NO_SIZES), self.options)

    def changed(self: T) -> T:
        """A copy to be changed, with no event yet.  `with_places` writes it for each class."""
        raise NotImplementedError

    # -- Dealing ------------------------------------------------------------------------------

    def clear(self) -> Lying:
        """Nothing lies anywhere any more, and nobody has seen anything."""
        self.lying, self.heaps, self.seen = [()] * self.FIXED, (), 0
        return self.lying

    def lay(self, cards: Iterable[Card], to: Place) -> None:
        """Cards of a shuffle come to a place; there is no event for it."""
        lying, arrival = self.lying, self.ARRIVAL[to]
        lying[to] += tuple(cards)
        if arrival == SORTED_IN:
            lying[to] = tuple(sorted(lying[to]))
        elif arrival == OPENED:
            for card in lying[to]:
                self.seen |= 1 << card

    # -- Carrying -----------------------------------------------------------------------------

    def carry(self, card: Card, origin: Place, to: Place) -> None:
        """One card from place to place."""
        lying, arrival = self.lying, self.ARRIVAL
        cards = lying[origin]
        lying[origin] = without(cards, card) if len(cards) > 1 else ()
        if arrival[to] == SORTED_IN:
            lying[to] = tuple(sorted((*lying[to], card)))
        else:
            lying[to] += (card,)
            if arrival[to] == OPENED and arrival[origin] != OPENED:
                self.seen |= 1 << card
        if origin >= self.FIXED or to >= self.FIXED:
            origin, to = self.lasting(origin), self.lasting(to)
        self.carries.append((len(self.events), (card,), origin, to, self.phase, self.actor))

    def carry_all(self, origin: Place, to: Place) -> tuple[Card, ...]:
        """All that lies there, in its order; a heap is gone then."""
        lying, arrival = self.lying, self.ARRIVAL
        cards = lying[origin]
        if not cards:
            return cards
        lying[origin] = ()
        if arrival[to] == SORTED_IN:
            lying[to] = tuple(sorted(lying[to] + cards))
        else:
            lying[to] += cards
            if arrival[to] == OPENED and arrival[origin] != OPENED:
                for card in cards:
                    self.seen |= 1 << card
        if origin >= self.FIXED or to >= self.FIXED:
            gone = origin
            origin, to = self.lasting(origin), self.lasting(to)
            if gone >= self.FIXED:
                self._remove_heap(gone)
        self.carries.append((len(self.events), cards, origin, to, self.phase, self.actor))
        return cards

    def draw(self, origin: Place, to: Place) -> Card:
        """The first card of a pile."""
        card = self.lying[origin][0]
        self.carry(card, origin, to)
        return card

    def choose(self, card: Card, origin: Place, to: Place) -> None:
        """A secret choice: face down, without an event."""
        self.lying[origin] = without(self.lying[origin], card)
        self.lying[to] = (card,)

    def turn_up(self, first: Place) -> list[Card | None]:
        """What lies in front of each seat there is shown to all; of single cards, which they are."""
        number, cards = len(self.events), list[Card | None]()
        for place in range(first, first + self.seats):
            lies = self.lying[place]
            if lies:
                self.carries.append((number, lies, place, place, TURNED_UP, 0))
                for card in lies:
                    self.seen |= 1 << card
                cards.append(lies[0])
            else:
                cards.append(None)
        return cards

    def still_to_choose(self, seats: Sequence[Seat], where: Place) -> list[Seat]:
        """Who has laid no card there yet; in a trial nobody else is waited for."""
        if self.alone:
            return []
        lying = self.lying
        return [seat for seat in seats if not lying[where + seat]]

    # -- Heaps --------------------------------------------------------------------------------

    def new_heap(self) -> Place:
        """A heap keeps its number as long as it lies there."""
        self.lying.append(())
        self.heaps += (max(self.heaps, default=0) + 1,)
        return len(self.lying) - 1

    def heap_name(self, number: int) -> str:
        """`stack 3`; where heaps have owners, a game adds whose it is."""
        assert self.PLACES.heap is not None
        return f"{self.PLACES.heap.name} {number}"

    def named_places(self) -> dict[str, Place]:
        """Every place by its name, as tables are drawn."""
        return self.PLACES.names(self.seats, [self.heap_name(number) for number in self.heaps])

    def called(self, place: Place) -> str:
        """The name of a place in `carries`."""
        if place >= self.FIXED:
            return self.heap_name(place - self.FIXED + 1)
        return self.PLACES.fixed_name(self.seats, place)

    def lasting(self, place: Place) -> Place:
        """A place as it is noted: a heap by its number, whatever other heaps come and go."""
        return place if place < self.FIXED else self.FIXED + self.heaps[place - self.FIXED] - 1

    def owner_of(self, place: Place) -> Seat | None:
        """Before whom a place lies; None: in the middle.  Where heaps have owners, a game has `owners` of them."""
        family = self.PLACES.family_of(place)
        if family.kind == "seat":
            return place - family.first
        owners: Sequence[Seat] = getattr(self, "owners", ())
        return owners[place - self.FIXED] if family.owned else None

    def _remove_heap(self, place: Place) -> None:
        at = place - self.FIXED
        del self.lying[place]
        self.heaps = self.heaps[:at] + self.heaps[at + 1 :]

    def own_facts(self) -> dict[str, Any]:
        """What a game's table knows besides where cards lie, open to all."""
        return {name: getattr(self, name) for name in self.OPEN}

    # -- Telling ------------------------------------------------------------------------------

    def tell(self, **event: Any) -> None:
        """`tell(event="place", seat=0, card=3, row=2)`: it tells what was carried since the last one."""
        self.events.append(event)


def remembered(default: int) -> int:
    """A game's own fact that only a perfect memory knows, cards as a mask: no view shows it."""
    fact: int = field(default=default, metadata={"remembered": True})
    return fact


def recalled(default: Fact) -> Fact:
    """A game's own fact about how it came to this table, open to all who were there: no view hides it, and nothing that is
    played from here on depends on it."""
    fact: Fact = field(default=default, compare=False, repr=False, metadata={"recalled": True})
    return fact


def with_places(
    places: Places, printed: PrintedSizes = NOT_PRINTED
) -> Callable[[type[T]], type[T]]:
    """Of a table's class: its places, and the sizes of its rulebook.  Stands before `@dataclass(slots=True)`."""

    def finished(table: type[T]) -> type[T]:
        families = [*places.by_place()]
        if places.heap is not None:
            families += [places.heap] * (MOST_HEAPS - 1)
        arrivals = {HELD: SORTED_IN, FACE_UP: OPENED, TOP_ONLY: OPENED}
        table.PLACES, table.FIXED, table.PRINTED = places, places.fixed, printed
        table.ARRIVAL = [arrivals.get(family.sight, PUT) for family in families]
        shared = {one.name for one in fields(Table)}
        own = [one for one in fields(table) if one.name not in shared]
        memory = tuple(one.name for one in own if one.metadata.get("remembered"))
        table.MEMORY = (*Table.MEMORY, *memory)
        table.OPEN = tuple(one.name for one in own if one.compare and one.name not in memory)
        setattr(table, "changed", copying(table))  # noqa: B010 - mypy knows it as a method
        return table

    return finished


def copying(table: type[T]) -> Callable[[T], T]:
    """`changed` of one class, a line for each of its facts, as a dataclass has its `__init__` written: it is called
    for every move and every view.  What does not make two tables different belongs to one table alone, and begins anew.
    """
    lines = ["def changed(self):", "    copied = new(table)"]
    names: dict[str, Any] = {"new": object.__new__, "table": table}
    for one in fields(table):
        if not one.compare and one.default is not MISSING and "recalled" not in one.metadata:
            names[f"default_{one.name}"] = one.default
            value = f"default_{one.name}"
        elif one.default_factory is list:  # a list of its own
            value = f"self.{one.name}[:]" if one.compare else "[]"
        else:
            value = f"self.{one.name}"
        lines.append(f"    copied.{one.name} = {value}")
    exec("\n".join([*lines, "    return copied"]), names)  # noqa: S102 - of our own names alone
    changed: Callable[[T], T] = names["changed"]
    return changed
