"""Messages to a client, as models: the schema of the wire is made from these.

Frames are built as plain dictionaries, which is several times quicker; the tests hold every frame of whole
games against these models.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Cards = (
    list[int] | int
)  # the cards in their order, 0 for a face-down one; or only how many, all face down


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


# -- Parts ------------------------------------------------------------------------------------


class SeatShown(Told):
    seat: int
    kind: Literal["open", "person", "program", "bot"]
    name: str
    level: str | None  # of a bot
    connected: bool
    stand_in: bool  # a bot plays for an absent person
    sent_away: bool  # by the host, after the start: the bot plays on for good
    muted: bool  # by the host: what this seat says is not heard
    reserved_for: str | None  # whose seat this was at the last table; only they can take it


class LobbyShown(Told):
    status: Literal["waiting", "opening", "playing", "over"]  # opening: started, not dealt yet
    host: int | None
    seats: list[SeatShown]
    spectators: int
    rematch: str | None  # the table where this one goes on


class Flight(Told):
    """Cards that go from one place to another; `cards` is a number where they stay face down."""

    cards: Cards
    origin: str = Field(alias="from")
    to: str


class Step(Told):
    """One thing that happened, in order: what a client animates and tells."""

    event: dict[str, Any]
    text: str
    moves: list[Flight]


class Offer(Told):
    action: int
    move: str  # the notation
    label: str  # in the reader's language


class Decision(Told):
    """What this seat may decide now.  With `choice` it has chosen, and may choose again."""

    number: int
    choice: int | None
    moves: list[Offer]


class Pace(Told):
    pause: float  # seconds for the animation of the steps, before the clock runs
    seconds: float | None  # for each decision; null: no clock


class View(Told):
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


class Fair(Told):
    """How the deal can be checked.  Lists are by seat, null for a seat without a share."""

    scheme: Literal["bullpen-fair-1", "bullpen-fair-2"] | None  # null: practice, dealt from a seed
    commitment: str | None
    commitments: list[str | None] | None  # of the players; null until the start
    unopened: list[int] | None  # seats whose share was replaced; null until the cards are dealt
    secret: str | None  # null until the end
    shares: list[str | None] | None  # as they counted; null until the end


class Result(Told):
    type: Literal["result"]
    scores: list[int]
    rounds: list[list[int]]
    winners: list[int]
    played_for: list[int]  # by seat: decisions that a bot made for its person
    text: str
    fair: Fair
    replay: str


class TableFacts(Told):
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


class Phrase(Told):
    phrase: str
    text: str


# -- Messages ---------------------------------------------------------------------------------


class Welcome(Told):
    """The first message: all that a client needs, at the start and after any interruption."""

    type: Literal["welcome"]
    version: Literal[2]
    seat: int | None  # null: a spectator
    language: Literal["en", "pl"]
    table: TableFacts
    lobby: LobbyShown
    fair: Fair
    phrases: list[Phrase]
    chat: list[ChatLine]
    view: View | None  # null until the table starts
    left: float | None  # seconds until this seat's clock runs out
    result: Result | None


class Lobby(Told):
    type: Literal["lobby"]
    lobby: LobbyShown


class OpenShares(Told):
    """The seats and commitments stand: open your share, if your commitment is among them."""

    type: Literal["open_shares"]
    commitment: str  # of the server
    commitments: list[str | None]  # by seat
    seconds: float  # then a share that is not open is replaced


class Committed(Told):
    """The commitment of this seat is stored; to all its sockets."""

    type: Literal["committed"]
    commitment: str


class Opened(Told):
    """The shares of these seats fit their commitments."""

    type: Literal["opened"]
    seats: list[int]


class Presence(Told):
    type: Literal["presence"]
    seat: int
    connected: bool
    stand_in: bool


class Accepted(Told):
    """A move is on disk.  The same move sent again gets the same answer."""

    type: Literal["accepted"]
    decision: int
    action: int
    next: int  # the number under which the choice may be changed, while it is secret


class Refused(Told):
    type: Literal["refused"]
    decision: int | None
    key: str
    rule: str | None
    message: str


class Chosen(Told):
    type: Literal["chosen"]
    seats: list[int]


class Clock(Told):
    type: Literal["clock"]
    left: float


class ChatLine(Told):
    type: Literal["chat"]
    seat: int | None
    name: str
    text: str
    phrase: str | None
    at: str  # UTC, 2026-11-16T12:00:00Z


class UndoShown(Told):
    type: Literal["undo"]
    seat: int
    state: Literal["asked", "declined", "done"]
    waiting: list[int]  # whose answers are missing


class HintShown(Told):
    type: Literal["hint"]
    decision: int
    action: int | None
    message: str
    details: dict[str, Any]


class Error(Told):
    type: Literal["error"]
    key: str
    message: str


class Closing(Told):
    type: Literal["closing"]
    key: str
    message: str


class Pong(Told):
    type: Literal["pong"]


Welcome.model_rebuild()
ServerMessage = Annotated[
    Welcome
    | Lobby
    | OpenShares
    | Committed
    | Opened
    | Presence
    | View
    | Accepted
    | Refused
    | Chosen
    | Clock
    | ChatLine
    | UndoShown
    | HintShown
    | Result
    | Error
    | Closing
    | Pong,
    Field(discriminator="type"),
]
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
