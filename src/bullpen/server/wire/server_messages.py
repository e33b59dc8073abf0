"""Messages to a client, as models: the schema of the wire is made from these.

Frames are built as plain dictionaries, which is several times quicker; the tests hold every frame of whole
games against these models.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bullpen.server.languages import LanguageCode

Cards = (
    list[int] | int
)  # the cards in their order, 0 for a face-down one; or only how many, all face down


class FromServer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


# -- Parts ------------------------------------------------------------------------------------


class SeatShown(FromServer):
    seat: int
    kind: Literal["open", "person", "program", "bot"]
    name: str
    level: str | None  # of a bot
    connected: bool
    stand_in: bool  # a bot plays for an absent person
    left: bool = False  # who is not here has said so, and may come back
    sent_away: bool  # by the host, after the start: the bot plays on for good
    muted: bool  # by the host: what this seat says is not heard
    reserved_for: str | None  # whose seat this was at the last table; only they can take it


class Asking(FromServer):
    """Somebody who came late would like to play this bot's seat; the host says whether they may."""

    request: int
    name: str
    seat: int


class LobbyShown(FromServer):
    status: Literal["waiting", "opening", "playing", "over"]  # opening: started, not dealt yet
    host: int | None
    seats: list[SeatShown]
    spectators: int
    rematch: str | None  # the table where this one goes on
    again: list[
        int
    ] = []  # seats whose people have sat down there, since this server looks after the table
    asking: list[Asking] = []
    talk: Literal["free", "phrases", "off"] = "free"  # what may be said here


class Taking(FromServer):
    """What lay in the middle goes to somebody."""

    seat: int | None  # whose points it is counted to, if anybody's yet
    heads: (
        int | None
    )  # on these cards; null where not all see them, or a special card is among them
    tone: Literal["good", "bad", "plain"]


class Flight(FromServer):
    """Cards that go from one place to another; `cards` is a number where they stay face down."""

    cards: Cards
    origin: str = Field(alias="from")
    to: str
    taking: Taking | None = None


class TallyPart(FromServer):
    """One part of what a seat's points are made of."""

    name: str
    text: str  # in the reader's language
    cards: list[int]
    points: str  # as it is shown
    tone: Literal["good", "bad", "plain"]


class Step(FromServer):
    """One thing that happened, in order: what a client animates and tells."""

    event: dict[str, Any] | None  # null: cards fly of which the next event tells more
    text: str  # empty where there is no event
    moves: list[Flight]
    # Where a round or the game ends: by seat, how the points came about.
    tally: list[list[TallyPart]] | None


class Offer(FromServer):
    """What may be done.  From `card` on only where offers are explained."""

    action: int
    move: str  # the notation
    label: str  # in the reader's language
    card: int | None = None  # that is played, kept or laid down
    origin: str | None = None  # where it lies
    place: str | None = None  # where it would land, or the place that is meant; `new`: a new heap
    effect: Literal["takes", "joins", "chooses", "says"] | None = None
    taken: list[int] = []  # from that place, 0 for a face-down one
    next: list[str] = []  # the places of the choice that follows
    then: list[str] = []  # events that surely follow
    points: int | None = None  # by how much what one's cards count would change
    tone: Literal["good", "bad", "plain"] | None = None


class Unusable(FromServer):
    """A card that one holds and that cannot be played now."""

    card: int
    why: str


class Decision(FromServer):
    """What this seat may decide now.  With `choice` it has chosen, and may choose again."""

    number: int
    choice: int | None
    moves: list[Offer]
    unusable: list[Unusable] = []  # only where offers are explained


class Pace(FromServer):
    pause: float  # seconds for the animation of the steps, before the clock runs
    seconds: float | None  # for each decision; null: no clock


class View(FromServer):
    type: Literal["view"]
    turn: int  # how many times the table has gone on
    steps: list[Step]
    phase: str
    actor: int | None
    places: dict[str, Cards]
    remembered: dict[str, Cards] | None  # only where the memory aid is on
    facts: dict[str, Any]
    waiting: list[int]
    chosen: list[int]
    decision: Decision | None
    scores: list[int]
    rounds: list[list[int]]
    pace: Pace
    can_undo: bool


class Fair(FromServer):
    """How the deal can be checked.  Lists are by seat, null for a seat without a share."""

    scheme: Literal["bullpen-fair-1", "bullpen-fair-2"] | None  # null: practice, dealt from a seed
    commitment: str | None
    commitments: list[str | None] | None  # of the players; null until the start
    unopened: list[int] | None  # seats whose share was replaced; null until the cards are dealt
    secret: str | None  # null until the end
    shares: list[str | None] | None  # as they counted; null until the end


class PartShown(FromServer):
    """Who played a seat for a while."""

    name: str
    kind: Literal["person", "program", "bot"]
    decisions: int


class Result(FromServer):
    type: Literal["result"]
    scores: list[int]
    rounds: list[list[int]]
    winners: list[int]
    played_for: list[int]  # by seat: decisions that a bot made for its person
    parts: list[list[PartShown]] = []  # by seat: who played it one after the other; else empty
    text: str
    fair: Fair
    replay: str
    tally: list[list[TallyPart]]  # by seat: how the last points came about


class PlaceShown(FromServer):
    """Places that share a name: the hands of all seats, or all rows."""

    name: str
    kind: Literal["one", "seat", "number", "heap"]
    sight: str
    count: int | None  # of numbered ones; null: as many as seats
    room: list[int] | None  # how many cards each has room for
    tray: str | None  # cards chosen in secret: where they come from


class PlayedOn(FromServer):
    """The finished game from which a practice table goes on, and after which turn of its replay."""

    table: str
    turn: int


class TableFacts(FromServer):
    id: str
    game: str
    title: str
    options: dict[str, Any]
    basis: Literal["established", "reconstruction", "own"]
    deck: dict[str, Any]
    card_names: dict[str, str]
    clock: float | None
    coach: bool
    memory_aid: bool
    practice: bool
    listed: bool
    spectators: bool
    stand_in: str
    latecomers: Literal["ask", "welcome", "never"] = "ask"
    played_on: PlayedOn | None = None
    bots_in: float | None = None  # seconds until anybody here may start with bots: a quick match
    daily: str | None = None
    club: str | None = None
    tournament: str | None = None
    best: Literal["most", "fewest"]
    places: list[PlaceShown]


class Phrase(FromServer):
    phrase: str
    text: str


# -- Messages ---------------------------------------------------------------------------------


class Welcome(FromServer):
    """The first message: all that a client needs, at the start and after any interruption."""

    type: Literal["welcome"]
    version: Literal[2]
    seat: int | None  # null: a spectator
    language: LanguageCode
    table: TableFacts
    lobby: LobbyShown
    fair: Fair
    phrases: list[Phrase]
    chat: list[ChatLine]
    view: View | None  # null until the table starts
    left: float | None  # seconds until this seat's clock runs out
    clocks: list[float | None] = []  # the same of every seat; null: it has nothing to decide
    result: Result | None


class Lobby(FromServer):
    type: Literal["lobby"]
    lobby: LobbyShown


class TableChanged(FromServer):
    """The host has changed what was agreed, before the start."""

    type: Literal["table"]
    table: TableFacts
    changed: list[str]  # seats, clock, listed, coach, latecomers; `options.rounds`
    by: int | None


class OpenShares(FromServer):
    """The seats and commitments stand: open your share, if your commitment is among them."""

    type: Literal["open_shares"]
    commitment: str  # of the server
    commitments: list[str | None]  # by seat
    seconds: float  # then a share that is not open is replaced


class Committed(FromServer):
    """The commitment of this seat is stored; to all its sockets."""

    type: Literal["committed"]
    commitment: str


class Opened(FromServer):
    """The shares of these seats fit their commitments."""

    type: Literal["opened"]
    seats: list[int]


class Presence(FromServer):
    type: Literal["presence"]
    seat: int
    connected: bool
    stand_in: bool
    left: bool = False


class Accepted(FromServer):
    """A move is on disk.  The same move sent again gets the same answer."""

    type: Literal["accepted"]
    decision: int
    action: int
    next: int  # the number under which the choice may be changed, while it is secret


class Refused(FromServer):
    type: Literal["refused"]
    decision: int | None
    key: str
    rule: str | None
    message: str


class Chosen(FromServer):
    type: Literal["chosen"]
    seats: list[int]


class Clock(FromServer):
    type: Literal["clock"]
    left: float


class Clocks(FromServer):
    """Of all seats, for everybody at the table."""

    type: Literal["clocks"]
    left: list[float | None]  # by seat; null: it has nothing to decide, or no clock


class ChatLine(FromServer):
    type: Literal["chat"]
    seat: int | None
    name: str
    text: str
    phrase: str | None
    at: str  # UTC, 2026-11-16T12:00:00Z


class UndoShown(FromServer):
    type: Literal["undo"]
    seat: int
    state: Literal["asked", "declined", "done"]
    waiting: list[int]  # whose answers are missing


class HintShown(FromServer):
    type: Literal["hint"]
    decision: int
    action: int | None
    message: str
    details: dict[str, Any]


class StoryLine(FromServer):
    event: str  # its name
    text: str


class Story(FromServer):
    """Everything said in words so far, in the present language; of what happened the last lines."""

    type: Literal["story"]
    language: LanguageCode
    lines: list[StoryLine]
    phrases: list[Phrase]
    chat: list[ChatLine]
    result: Result | None


class Error(FromServer):
    type: Literal["error"]
    key: str
    message: str


class Closing(FromServer):
    type: Literal["closing"]
    key: str
    message: str


class Pong(FromServer):
    type: Literal["pong"]


Welcome.model_rebuild()
ServerMessage = Annotated[
    Welcome
    | Lobby
    | TableChanged
    | OpenShares
    | Committed
    | Opened
    | Presence
    | View
    | Accepted
    | Refused
    | Chosen
    | Clock
    | Clocks
    | ChatLine
    | UndoShown
    | HintShown
    | Story
    | Result
    | Error
    | Closing
    | Pong,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
