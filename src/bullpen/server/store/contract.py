"""What a store promises, whichever database it stands on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

from bullpen.cards import Problem
from bullpen.game import Seat

if TYPE_CHECKING:
    from bullpen.server.store.clubs import Clubs
    from bullpen.server.store.connection import Connection
    from bullpen.server.store.daily import Daily
    from bullpen.server.store.deadlines import Deadline, Deadlines
    from bullpen.server.store.decency import Decency
    from bullpen.server.store.passkeys import Passkeys
    from bullpen.server.store.players import Players
    from bullpen.server.store.pushes import Pushes
    from bullpen.server.store.puzzles import Puzzles
    from bullpen.server.store.quality import Judgements
    from bullpen.server.store.ratings import Ratings
    from bullpen.server.store.tournaments import Tournaments

# What `header["state"]` can say; a header that says nothing is that of a lobby.
LOBBY, OPENING, PLAYING = "lobby", "opening", "playing"  # opening: started, not dealt yet
FINISHED, ABANDONED = "finished", "abandoned"
LIVING = (LOBBY, OPENING, PLAYING)
CHAT_KEPT = 200  # messages of a table; older ones are dropped

Json = dict[str, Any]
T = TypeVar("T")


# -- What is kept -------------------------------------------------------------------------------


class NewEvent(NamedTuple):
    """Something that goes into a game: never anything that follows from the rules."""

    seat: Seat | None  # None: the server itself
    decision: int | None  # the number of this seat's own decision that it answers
    kind: str  # "shuffle", "move" or "undo"
    payload: Json


class Event(NamedTuple):
    table: str
    seq: int  # from 1
    seat: Seat | None
    decision: int | None
    kind: str
    payload: Json
    time: float
    hash: str  # of the event before and this one, see chain.py


class Key(NamedTuple):
    """A token as it is kept: by its hash alone."""

    hash: str
    seat: Seat | None  # None: an invitation, good for any seat that is free
    kind: str  # "session" or "invite"
    name: str = ""


class ChatLine(NamedTuple):
    number: int
    seat: Seat | None
    name: str
    text: str
    time: float


class Result(NamedTuple):
    """How one seat did in a finished game."""

    seat: Seat
    name: str
    device: str | None  # an id that the browser keeps; None for a bot
    score: int
    won: bool


class Standing(NamedTuple):
    """What one device has reached in one game, over all finished tables."""

    game: str
    device: str
    name: str  # as last used
    games: int
    wins: int
    least: int
    most: int
    mean: float
    last: float  # when


class GivenUp(NamedTuple):
    """A game that nobody goes on with: what is kept of it, and of whom it says something."""

    header: Json
    contestants: Sequence[Json] = ()


GiveUp = Callable[[Json], GivenUp]


def nobody_counts(header: Json) -> GivenUp:
    return GivenUp(header)


class Damage(NamedTuple):
    """A table whose stored events or header are not what was written."""

    table: str
    what: str  # "header", "event", "end", "unreadable"
    seq: int  # the first event that is not to be trusted
    header: Json | None  # None: not to be trusted either
    good: list[Event]  # the events before it: these are as written


# -- What can go wrong --------------------------------------------------------------------------


class Conflict(Problem):
    """The place of an event is taken; nothing of this append was stored."""

    def __init__(self, stored: Event | None, *, table: str, seq: int) -> None:
        super().__init__("store_conflict", table=table, seq=seq)
        self.stored = stored  # what stands there; None: a gap, the table is not that long yet


class NotOwner(Problem):
    """Another process has this table now.  Read the events again after `claim`."""

    def __init__(self, table: str) -> None:
        super().__init__("store_not_owner", table=table)


class NoSuchTable(Problem):
    def __init__(self, table: str) -> None:
        super().__init__("store_no_table", table=table)


class TableDamaged(Problem):
    """Only this table is to be set aside; `damage.good` can be exported."""

    def __init__(self, damage: Damage) -> None:
        super().__init__("store_table_damaged", table=damage.table, seq=damage.seq)
        self.damage = damage


class StoreUnavailable(Problem):
    """Writing (or, on PostgreSQL, reading too) does not work now; trying again later may."""

    def __init__(self, why: str, stored: Literal["nothing", "unknown"], reason: str) -> None:
        super().__init__(why, reason=reason)
        # "unknown": whether it is stored could not be found out in time.  The table is given up (see `lost`).
        self.stored: Literal["nothing", "unknown"] = stored


# -- Two ways in --------------------------------------------------------------------------------


class Writing(Protocol):
    def __call__(self, table: str, work: Callable[[Connection], T]) -> Awaitable[T]: ...


class Reading(Protocol):
    def __call__(self, work: Callable[[Connection], T]) -> Awaitable[T]: ...


# -- The store ----------------------------------------------------------------------------------


class Store(Protocol):
    """Used from one asyncio loop.  Whatever returns has been synced to disk."""

    # Tables
    async def create(self, table: str, game: str, header: Json, given: Sequence[Key] = ()) -> None:
        """A new table, owned by this store, with the tokens of its maker: all or nothing."""

    async def update(self, table: str, header: Json) -> None:
        """A new header; `header["state"]` says whether the table lives on."""

    async def header(self, table: str) -> Json | None: ...

    async def delete(self, table: str) -> None:
        """With its events, chat, tokens; results stay."""

    async def reap(self, *, untouched_since: float) -> list[str]:
        """Delete lobbies that nothing was written to since then, and that nobody keeps."""

    async def abandon(
        self,
        *,
        untouched_since: float,
        limit: int,
        who: Literal["all", "alone"] = "all",
        give_up: GiveUp = nobody_counts,
    ) -> list[str]:
        """Some of the running games that nothing was written to since then, and that nobody keeps, are given up: all,
        or those in which one person played with bots alone."""

    async def prune(
        self,
        *,
        untouched_since: float,
        limit: int,
        how: Literal["blank", "delete"],
        blank: Callable[[Json], Json],
    ) -> list[str]:
        """Some of the tables that are over and that nothing was written to since then lose chat, tokens, names and
        devices (`blank` makes such a header), or are deleted; results stay, without names."""

    # Events
    async def append(
        self,
        table: str,
        first_seq: int,
        events: Sequence[NewEvent],
        deadlines: Sequence[Deadline] | None = None,
    ) -> list[Event]:
        """All or none; at a table over days with who has until when to decide.  Raises Conflict, NotOwner, NoSuchTable, StoreUnavailable."""

    async def events(self, table: str) -> list[Event]:
        """Checked against the hash chain; raises TableDamaged rather than give a wrong one."""

    # Ownership: of interest where several processes share one database
    async def claim(self, table: str) -> bool:
        """Become the owner; False where another living process is.  Claim, then read, then run the
        table.  Whoever writes to a table without having claimed it claims it by that; but a table
        that was lost (NotOwner) is not taken again unasked."""

    async def adopt(self, *, within: float, limit: int) -> list[str]:
        """Claim running games that nobody keeps, of our share, in which something happened within so many seconds;
        the last ones first."""

    async def release(self, table: str) -> None: ...

    async def ask_for(self, table: str) -> None:
        """Whoever keeps the table is asked to release it; `claim` shows whether it was."""

    def wanted(self) -> AsyncIterator[str]:
        """Tables that another process asks for."""

    def lost(self) -> AsyncIterator[str]:
        """Tables that others have taken while this process hung or was cut off, and tables of which nobody knows
        whether the last change was stored: to be let go, and claimed and read again by whoever asks for them."""

    async def listed(self, limit: int) -> list[tuple[str, Json]]:
        """Of all processes, what is not over yet: ids and headers, the newest first."""

    # Finished games
    async def finish(
        self,
        table: str,
        header: Json,
        game: str,
        results: Sequence[Result],
        contestants: Sequence[Json] = (),
    ) -> None:
        """The last header (state "finished"), the results, and what is to be rated, together; a second time changes
        nothing in the results."""

    async def statistics(self, *, device: str | None = None) -> list[Standing]:
        """Of this device, or of all: by games played, the most first."""

    # Tokens: 256 random bits each, of which only a SHA-256 is kept
    async def reseat(
        self,
        table: str,
        header: Json,
        ended: Sequence[Seat | None],
        given: Sequence[Key],
        contestants: Sequence[Json] = (),
    ) -> None:
        """A new header, and with it, all or nothing: every token of the `ended` seats is worth nothing
        any more (None: every invitation), and the `given` ones are good from now on.  With contestants the game is
        over, and waits to be rated."""

    async def keys(self, table: str) -> list[Key]:
        """What is good at this table now, the oldest first."""

    # Chat: kept with the table, the last 200 lines, no part of the game
    async def say(self, table: str, seat: Seat | None, name: str, text: str) -> ChatLine: ...

    async def chat(self, table: str) -> list[ChatLine]: ...

    # Who comes back, on one device or several
    @property
    def players(self) -> Players: ...

    # How strong they are
    @property
    def ratings(self) -> Ratings: ...

    @property
    def daily(self) -> Daily: ...

    # Tables over days, and how people hear of them
    @property
    def deadlines(self) -> Deadlines: ...

    @property
    def pushes(self) -> Pushes: ...

    # Groups of players, and their evenings
    @property
    def clubs(self) -> Clubs: ...

    @property
    def tournaments(self) -> Tournaments: ...

    @property
    def passkeys(self) -> Passkeys: ...

    @property
    def puzzles(self) -> Puzzles: ...

    # How they behave
    @property
    def decency(self) -> Decency: ...

    # How well they decide
    @property
    def judgements(self) -> Judgements: ...

    # The store itself

    async def probe(self) -> None:
        """Write something, at most once a second however often this is asked; raises StoreUnavailable as a move would."""

    def wait_no_longer(self) -> None:
        """The process is about to end: what cannot be found out about a commit now stays unknown."""

    async def close(self) -> None: ...
