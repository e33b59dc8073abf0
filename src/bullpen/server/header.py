"""What is kept of a table besides its log: who sits where, and what was agreed.  None of it goes out as it is."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel

from bullpen import days
from bullpen.deck import Deck, deck_from_json, load_deck
from bullpen.fair import OLD_SCHEME
from bullpen.game import Game, Seat
from bullpen.games import GAMES
from bullpen.server.levels import Level
from bullpen.server.store import ABANDONED, LOBBY, OPENING, PLAYING
from bullpen.server.store.deadlines import LONGEST_SITTING

SeatKind = Literal["open", "person", "program", "bot"]
Talk = Literal["free", "phrases", "off"]  # what may be said at a table
# Whether somebody may take over a bot's seat after the start: the host is asked, or need not be.
Latecomers = Literal["ask", "welcome", "never"]


@cache
def our_deck(game: str) -> Deck:
    """Read once: all tables of a game show the same cards."""
    return load_deck(GAMES[game].DECK_FILES)


class Reservation(BaseModel):
    """For whom an open seat is kept: who sat there at the table before."""

    kind: Literal["person", "program"]
    name: str
    device: str | None = None
    muted: bool = False


class Part(BaseModel):
    """Who played a seat before somebody took it over, and how many of its decisions were made by then."""

    kind: SeatKind
    name: str
    decisions: int
    device: str | None = None
    level: Level | None = None


class PlayedOn(BaseModel):
    """The finished game from which a table goes on, and after which of its turns."""

    table: str
    turn: int


class SeatTaken(BaseModel):
    kind: SeatKind = "open"
    name: str = ""
    level: Level | None = None
    device: str | None = None  # a hash; for statistics
    network: str | None = None  # that tells two seats of one address, until the game is over
    commitment: str | None = None  # to a share in the deal: published by this seat before the start
    share: str | None = None  # hexadecimal; None: not opened, or none was committed to
    contribution: str = ""  # of the older scheme, in clear
    kept_for: Reservation | None = None
    attempt: str | None = None  # a hash: by which whoever sits here asked for the seat
    is_back: bool = False  # whoever sits here came by their token of the table before
    muted: bool = False
    sent_away: bool = False  # after the start: a bot plays on for good
    earlier: list[Part] = []  # who played here before, in their order


class Header(BaseModel):
    game: str
    rules_version: int = 1  # that the game began with
    options: dict[str, Any]
    deck: dict[str, Any] | None = None  # None: ours
    seats: list[SeatTaken]
    host: Seat | None = 0
    clock: float | None = None
    listed: bool = False
    spectators: bool = True
    coach: bool = False
    stand_in: Level = "medium"
    practice: int | None = None
    played_on: PlayedOn | None = None
    daily: str | None = None  # the day of which this is the deal
    latecomers: Latecomers = "ask"
    scheme: str = OLD_SCHEME  # of fair deals; older servers did not say which
    secret: str = ""  # hexadecimal; opened at the end
    commitment: str | None = None
    rematch: str | None = None
    barred: list[str] = []  # devices, as hashes, that were sent away from this table
    barred_seats: list[
        Seat
    ] = []  # the same for who came from the table before: programs have no device
    is_quick: bool = False  # made for a quick match; see quick.py
    club: str | None = None  # whose members may sit down without an invitation
    tournament: str | None = None  # of that club, which has made this table
    talk: Talk = "free"
    refused: list[str] = []  # words that the host does not want to hear here
    senders: list[Seat] = []  # hosts who have sent somebody away after the start
    state: str = LOBBY
    result: dict[str, Any] | None = None

    @property
    def rules(self) -> Game[Any]:
        return GAMES[self.game]

    @property
    def can_be_played(self) -> bool:
        """By other rules the log might mean something else, or nothing."""
        return self.game in GAMES and self.rules_version == self.rules.RULES

    def cards(self) -> Deck:
        files = self.rules.DECK_FILES
        return our_deck(self.game) if self.deck is None else deck_from_json(files, self.deck)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def contributions(self) -> list[str]:
        return [seat.contribution for seat in self.seats]

    @property
    def commitments(self) -> list[str | None]:
        return [seat.commitment for seat in self.seats]

    @property
    def has_shares(self) -> bool:
        return self.practice is None and any(self.commitments)

    @property
    def is_over_days(self) -> bool:
        """Whoever has to decide has hours or days to do so, and need not be there."""
        return self.clock is not None and self.clock > LONGEST_SITTING

    @property
    def is_sealed(self) -> bool:
        """A deal of the day until it is over: others still play with the same cards."""
        return self.daily is not None and self.daily >= str(days.today())

    def open_seats(self) -> list[Seat]:
        return [seat for seat, taken in enumerate(self.seats) if taken.kind == "open"]

    def free_seats(self) -> list[Seat]:
        """Open, and kept for nobody."""
        return [seat for seat in self.open_seats() if self.seats[seat].kept_for is None]

    def called(self) -> list[str]:
        """The names that nobody else can have here."""
        kept = [seat.kept_for.name for seat in self.seats if seat.kept_for]
        return [name for name in (*self.names, *kept) if name]

    def people(self) -> list[Seat]:
        """Who is no bot of ours, and was not sent away."""
        return [
            seat
            for seat, taken in enumerate(self.seats)
            if taken.kind in ("person", "program") and not taken.sent_away
        ]

    def names_any(self, devices: Container[str]) -> bool:
        """Whether one of these devices sits here, or has a seat kept."""
        kept = [seat.kept_for.device for seat in self.seats if seat.kept_for]
        now = [seat.device for seat in self.seats]
        earlier = [part.device for seat in self.seats for part in seat.earlier]
        return any(one in devices for one in (*now, *earlier, *kept) if one)

    def names_of(self, devices: Container[str | None]) -> list[tuple[Seat, str]]:
        """On which seats these devices played, and how they were called there."""
        now = [(seat, taken.name, taken.device) for seat, taken in enumerate(self.seats)]
        earlier = [
            (seat, part.name, part.device)
            for seat, taken in enumerate(self.seats)
            for part in taken.earlier
        ]
        return [(seat, name) for seat, name, device in (*now, *earlier) if device in devices]

    def is_former(self, seat: Seat) -> bool:
        """Whether a person played here who was deleted: nobody comes back for them."""
        return self.seats[seat].kind == "person" and self.seats[seat].device is None

    def sent_away(self) -> list[Seat]:
        return [seat for seat, taken in enumerate(self.seats) if taken.sent_away]


NOBODY: dict[str, Any] = {
    "device": None,
    "network": None,
    "attempt": None,
    "kept_for": None,
    "earlier": [],
}


def without_people(kept: dict[str, Any]) -> dict[str, Any]:
    """A header as it was stored, with nothing in it that says who played; the bots may keep their names."""
    seats = [
        seat if seat.get("kind") == "bot" else {**seat, **NOBODY, "name": f"Player {number}"}
        for number, seat in enumerate(kept.get("seats", []), start=1)
    ]
    return {**kept, "seats": seats, "barred": []}


def without_former(kept: dict[str, Any], former: Mapping[str, str]) -> dict[str, Any]:
    """A header as it was stored, without people who were deleted: their devices, and what they are called now."""
    header = Header.model_validate(kept)
    forget(header, former)
    if header.state in (OPENING, PLAYING) and not header.people():
        header.state = ABANDONED
    return header.model_dump()


def with_names(kept: dict[str, Any], called: Mapping[str, str]) -> dict[str, Any]:
    """A header as it was stored, in which these devices are called so."""
    header = Header.model_validate(kept)
    rename(header, called)
    return header.model_dump()


def rename(header: Header, called: Mapping[str, str]) -> list[tuple[Seat, str, str]]:
    """The seats, the names before and now, where they differ."""
    changed = []
    for seat, taken in enumerate(header.seats):
        for one in (taken, *taken.earlier, *([taken.kept_for] if taken.kept_for else ())):
            name = called.get(one.device or "", one.name)
            if name != one.name:
                changed.append((seat, one.name, name))
                one.name = name
    return changed


def forget(header: Header, former: Mapping[str, str]) -> list[Seat]:
    """Before the start their seats are free, afterwards a bot plays on; what is over keeps its points.  The seats."""
    seats = []
    for seat, taken in enumerate(header.seats):
        if taken.kept_for and taken.kept_for.device in former:
            taken.kept_for = None
        for part in taken.earlier:
            if part.device is not None and part.device in former:
                part.name, part.device = former[part.device], None
        if taken.device not in former or taken.device is None:
            continue
        seats.append(seat)
        if header.state == LOBBY:
            header.seats[seat] = SeatTaken()
        else:
            taken.name = former[taken.device]
            taken.device = taken.network = taken.attempt = None
            taken.sent_away = header.state in (OPENING, PLAYING)
    if header.host in seats and header.state in (LOBBY, OPENING, PLAYING):
        header.host = next(iter(header.people()), None)
    header.barred = [one for one in header.barred if one not in former]
    return seats
