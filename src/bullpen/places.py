"""The places of a game, declared once: what they are called, how many there are, and who sees them.

    places = Places(SEATS[-1])
    BOX = places.box()
    ROW = places.numbered("row", 3)
    HAND = places.by_seat("hand", HELD, opened=(DEALING, OVER))
    LAID = places.by_seat("laid", secret_in=LAYING, part_of=HAND)

Each line gives a plain number: ROW + 1 is the first row, HAND + 2 the hand of seat 2.  Names, views,
imagined tables and what is told of a card on its way follow from these lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from bullpen.cards import Place, Seat

# -- Who sees a place -------------------------------------------------------------------------

FACE_UP: Final = "face up"  # all see it
HELD: Final = "held"  # its owner sees it, in the order of the numbers
ACTING: Final = "acting"  # who decides now sees it
TOP_ONLY: Final = "top only"  # all see the top card, and not even how many lie under it
FACE_DOWN: Final = "face down"  # nobody sees it, but what has lain open is remembered where it lies
SHUFFLED: Final = "shuffled"  # the same, but nobody knows in which order they lie
UNKNOWN: Final = "unknown"  # nobody ever sees it
ASIDE: Final = "aside"  # the same, but all know which cards a small deck leaves out
ALIKE: Final = "alike"  # cards that are all alike are only counted

Sight = Literal[
    "face up", "held", "acting", "top only", "face down", "shuffled", "unknown", "aside", "alike"
]
Kind = Literal["one", "seat", "number", "heap"]
# What a perfect memory knows of a hidden place: of a hand that is only dealt nothing, of a pile of cards that lay
# open before everything.  Where it depends, the cards themselves are looked at, which takes longer.
Known = Literal["nothing", "some", "everything"]

ALL, NOBODY = -1, -2  # in place of a seat
MOST_HEAPS = 256  # no game comes near


class Family(NamedTuple):
    """The places that share a name: the hands of all seats, or all rows."""

    name: str
    first: Place
    kind: Kind
    room: int  # how many places; of heaps none is fixed
    sight: Sight
    opened: tuple[int, ...] = ()  # in these phases all see it
    secret_in: int = -1  # in this phase only its owner sees it
    part_of: Place = -1  # a card hidden here counts as lying there
    owned: bool = False  # heaps that belong to seats
    one_a_seat: bool = False  # numbered, as many as seats
    out_of_play: bool = False
    known: Known = "some"
    holds: tuple[int, ...] = ()  # for drawing: room for so many cards each, the filling one too

    @property
    def is_shared(self) -> bool:
        """Rows and heaps in the middle, for all."""
        return self.kind == "number" or (self.kind == "heap" and not self.owned)

    def hides_in(self, phase: int) -> bool:
        """Whether somebody does not see what lies there."""
        if phase in self.opened or self.sight is TOP_ONLY or self.sight is ALIKE:
            return False
        return self.sight is not FACE_UP or self.secret_in == phase


# How a view shows a place of which it does not show everything.
HAND, PILE, BOX, CLOSED, CHOSEN, DRAWN, TURNED_DOWN = range(7)
Shading = tuple[int, Place, Place]  # how, which, and where its cards count as lying
HOW = {HELD: HAND, SHUFFLED: HAND, FACE_DOWN: PILE, ACTING: DRAWN, FACE_UP: CHOSEN}
HOW |= {UNKNOWN: CLOSED, ASIDE: BOX}


class Places:
    """The places of one game; they are listed in the order in which they are declared, the box last."""

    def __init__(self, most_seats: int) -> None:
        self.most_seats, self.fixed = most_seats, 0  # how many have a number of their own
        self.families: list[Family] = []
        self._by_place: list[Family] = []  # of the heaps once, at the end
        self.heap: Family | None = None
        self.shows_tops = False  # of the heaps only the top cards are seen
        self.alike: set[Place] = set()  # whose cards are only counted
        self._order: tuple[str, ...] = ()
        self._shadings: dict[tuple[int, int, Seat | None], list[Shading]] = {}
        self._own: dict[tuple[int, int, Seat], tuple[list[Place], list[Place]]] = {}
        self._names: dict[int, dict[str, Place]] = {}  # by the number of seats
        self._ascending: dict[int, list[Place]] = {}
        self._called: dict[int, dict[Place, str]] = {}

    # -- Declarations -------------------------------------------------------------------------

    def one(
        self, name: str, sight: Sight = FACE_UP, *, opened: Sequence[int] = (), part_of: Place = -1
    ) -> Place:
        return self._add(Family(name, self.fixed, "one", 1, sight, tuple(opened), part_of=part_of))

    def box(self, sight: Sight = UNKNOWN) -> Place:
        """What is out of play."""
        return self._add(Family("box", self.fixed, "one", 1, sight, out_of_play=True))

    def by_seat(
        self,
        name: str,
        sight: Sight = FACE_UP,
        *,
        opened: Sequence[int] = (),
        secret_in: int = -1,
        part_of: Place = -1,
        known: Known = "some",
    ) -> Place:
        """One a seat: the number returned and the seat's."""
        return self._add(
            Family(
                name,
                self.fixed,
                "seat",
                self.most_seats,
                sight,
                tuple(opened),
                secret_in,
                part_of,
                known=known,
            )
        )

    def numbered(
        self,
        name: str,
        count: int | None = None,
        sight: Sight = FACE_UP,
        *,
        holds: Sequence[int] = (),
    ) -> Place:
        """Numbered from 1; as many as seats where no count is given."""
        room = count or self.most_seats
        first = self.fixed - 1
        return self._add(
            Family(
                name,
                first,
                "number",
                room,
                sight,
                one_a_seat=count is None,
                holds=tuple(holds),
            )
        )

    def heaps(
        self, name: str, sight: Sight = FACE_UP, *, owned: bool = False, holds: Sequence[int] = ()
    ) -> Place:
        """Heaps that come and go; each keeps its number, and an empty one is gone.  Declared last."""
        self.heap = Family(name, self.fixed, "heap", 0, sight, owned=owned, holds=tuple(holds))
        self.shows_tops = sight is TOP_ONLY
        return self._add(self.heap)

    def listed(self, *names: str) -> None:
        """In which order the places are listed, where it is not the order of their declarations."""
        self._order = names

    def _add(self, family: Family) -> Place:
        assert self.heap is None or family is self.heap, "heaps come last"
        self.families.append(family)
        self._by_place += [family] * (family.room or 1)
        if family.sight is ALIKE:
            self.alike.update(range(self.fixed, self.fixed + family.room))
        self.fixed += family.room
        return family.first

    # -- What follows -------------------------------------------------------------------------

    def by_place(self) -> list[Family]:
        """The family of every fixed place; of the heaps once more at the end."""
        return self._by_place

    def family_of(self, place: Place) -> Family:
        return self._by_place[min(place, self.fixed)]

    def family_called(self, name: str) -> Family:
        return next(family for family in self.families if family.name == name)

    def in_order(self) -> list[Family]:
        if self._order:
            return [self.family_called(name) for name in self._order]
        return sorted(self.families, key=lambda family: family.out_of_play)

    def fixed_names(self, seats: int) -> dict[str, Place]:
        """Every place but the heaps by its name; what belongs to a seat stands together."""
        if seats not in self._names:
            self._names[seats] = dict(self._named(seats, ()))
        return self._names[seats]

    def fixed_name(self, seats: int, place: Place) -> str:
        if seats not in self._called:
            names = self.fixed_names(seats)
            self._called[seats] = {place: name for name, place in names.items()}
        return self._called[seats][place]

    def names(self, seats: int, heaps: Sequence[str]) -> dict[str, Place]:
        """Every place by its name, as tables are drawn and as the wire says it; `heaps` are theirs."""
        if self.heap is None:
            return self.fixed_names(seats).copy()
        return dict(self._named(seats, heaps))

    def _named(self, seats: int, heaps: Sequence[str]) -> Iterator[tuple[str, Place]]:
        families = self.in_order()
        of_seats = [family for family in families if family.kind == "seat"]
        for family in families:
            if family.kind == "one":
                yield family.name, family.first
            elif family.kind == "number":
                for number in range(1, (seats if family.one_a_seat else family.room) + 1):
                    yield f"{family.name} {number}", family.first + number
            elif family.kind == "heap":
                for at, name in enumerate(heaps):
                    yield name, family.first + at
            elif family is of_seats[0]:
                for seat in range(seats):
                    for mine in of_seats:
                        yield f"{mine.name} {seat}", mine.first + seat

    def ascending(self, seats: int) -> list[Place]:
        """Where cards lie in the order of their numbers: hands, and the box."""
        if seats not in self._ascending:
            self._ascending[seats] = [
                place
                for family in self.families
                if family.sight is HELD or family.out_of_play
                for place in range(family.first, family.first + min(family.room, seats))
            ]
        return self._ascending[seats]

    def shadings(self, seats: int, phase: int, viewer: Seat | None) -> list[Shading]:
        """The places that are not open to a viewer; those that are part of another one first."""
        key = seats, phase, viewer
        if (known := self._shadings.get(key)) is not None:
            return known
        hidden = [family for family in self.families if family.hides_in(phase)]
        self._shadings[key] = [
            shading
            for family in sorted(hidden, key=lambda family: family.part_of < 0)
            for shading in shadings_of(family, seats, viewer)
        ]
        return self._shadings[key]

    def own(self, seats: int, phase: int, seat: Seat) -> tuple[list[Place], list[Place]]:
        """The places that are open to this seat and not to spectators; and those that are while it acts."""
        key = seats, phase, seat
        if (known := self._own.get(key)) is not None:
            return known
        hidden = self.shadings(seats, phase, seat)
        always = [one[1] for one in self.shadings(seats, phase, None) if one not in hidden]
        self._own[key] = always, [place for how, place, _ in hidden if how == DRAWN]
        return self._own[key]


def shadings_of(family: Family, seats: int, viewer: Seat | None) -> Iterator[Shading]:
    """Of his own places a player does not see those that lie face down."""
    how = BOX if family.out_of_play and family.sight is FACE_DOWN else HOW[family.sight]
    if family.known == "nothing":
        how = CLOSED
    elif family.known == "everything":
        how = TURNED_DOWN
    if family.kind != "seat":
        yield how, family.first, family.part_of
        return
    for seat in range(seats):
        if seat != viewer or family.sight in (FACE_DOWN, UNKNOWN):
            yield how, family.first + seat, family.part_of + seat
