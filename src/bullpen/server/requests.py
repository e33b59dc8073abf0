"""The bodies of HTTP requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from bullpen.games import GAMES
from bullpen.server.header import Latecomers
from bullpen.server.languages import LanguageCode
from bullpen.server.levels import Level
from bullpen.server.names import LONGEST_NAME, tidy_name
from bullpen.server.wire.client_messages import SHA256

# A served table ends one day, whatever was wished for.
MOST_POINTS = 1000
MOST_ROUNDS = 100  # or games


def known_game(name: str) -> str:
    if name not in GAMES:
        known = ", ".join(f"'{game}'" for game in GAMES)
        raise PydanticCustomError(
            "literal_error", "Input should be {expected}", {"expected": known}
        )
    return name


def most_of(option: str) -> int:
    """Of an option that is a number."""
    return MOST_POINTS if option == "limit" else MOST_ROUNDS


# One of the games that are there: checked by the schema, so that the document of the API names them too.
GameId = Annotated[str, AfterValidator(known_game), Field(json_schema_extra={"enum": list(GAMES)})]


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(tidy_name)]
Token = Annotated[str, Field(max_length=100)]
OptionValue = int | str | bool | None
Options = Annotated[
    dict[
        Annotated[str, Field(max_length=40)],
        Annotated[int, Field(le=MOST_POINTS)] | str | bool | None,
    ],
    Field(max_length=10),
]
Clock = Annotated[float, Field(ge=5, le=3600)] | None


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SeatWish(Body):
    kind: Literal["person", "bot"]
    level: Level | None = None


class NewTable(Body):
    game: GameId
    name: Name
    seats: Annotated[list[SeatWish], Field(min_length=2, max_length=10)]
    options: Options = {}
    deck: dict[str, list[Any]] | None = None
    clock: Clock = 60
    listed: bool = False
    spectators: bool = True
    coach: bool = False
    stand_in: Level = "medium"
    practice: Annotated[int, Field(ge=0, le=2**31)] | None = None
    latecomers: Latecomers = "ask"
    kind: Literal["person", "program"] = Field(default="person", alias="as")


class JoinTable(Body):
    name: Name
    invite: Token | None = None
    seat: Annotated[int, Field(ge=0, le=9)] | None = None
    kind: Literal["person", "program"] = Field(default="person", alias="as")


class TableChange(Body):
    """What is to be otherwise; what is not named stays as it is."""

    seats: Annotated[int, Field(strict=True, ge=2, le=10)] | None = None  # so many
    options: Options = {}
    clock: Clock = None  # null is no clock
    listed: bool | None = None
    coach: bool | None = None
    latecomers: Latecomers | None = None


class TakeOver(Body):
    """Whoever comes after the start: for the seat of this bot, or of any."""

    name: Name
    invite: Token | None = None
    seat: Annotated[int, Field(strict=True, ge=0, le=9)] | None = None
    request: Token | None = None  # one's own, asked again
    kind: Literal["person", "program"] = Field(default="person", alias="as")


class LateAnswer(Body):
    """The host lets somebody in who comes late, or does not."""

    request: Annotated[int, Field(strict=True, ge=1, le=2**31)]
    allow: Annotated[bool, Field(strict=True)]


class Asked(Body):
    """The host has been asked: ask again with this request."""

    table: str
    seat: int
    request: str


class PlayOn(Body):
    """From the position after this turn of a replay, in this chair."""

    turn: Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
    seat: Annotated[int, Field(strict=True, ge=0, le=9)]
    name: Name
    level: Level = "medium"  # of the bots
    kind: Literal["person", "program"] = Field(default="person", alias="as")


class Commit(Body):
    """To a share in the deal; it names the table and the seat, so it can be made only by who sits there."""

    commitment: Annotated[str, Field(pattern=SHA256)]


class Start(Body):
    """There is nothing to say but that it starts."""


class Kick(Body):
    seat: Annotated[int, Field(ge=0, le=9)]


class Arrange(Body):
    """Who should sit here: a bot of this level, or whoever comes."""

    seat: Annotated[int, Field(ge=0, le=9)]
    kind: Literal["person", "bot"]
    level: Level | None = None


class Mute(Body):
    """Whether what this seat says is heard."""

    seat: Annotated[int, Field(ge=0, le=9)]
    muted: bool


class Seated(Body):
    """Where one sits, and how others can be invited."""

    table: str
    seat: int
    invite: str | None = None
    link: str | None = None
    token: str | None = None


class Invitation(Body):
    invite: str
    link: str


class Place(Body):
    """Where others find this server; null where only this machine does."""

    address: str | None


class QrWish(Body):
    text: Annotated[str, Field(min_length=1, max_length=200, pattern="^[!-~]+$")]  # an address


class QrCode(Body):
    """So many squares wide and high; the dark ones as the path of an SVG."""

    size: int
    path: str


Colour = Annotated[int, Field(strict=True, ge=0, lt=6)]


class PlayerWish(Body):
    """How one wants to be called, and seen."""

    name: Name
    colour: Colour
    language: LanguageCode


class PlayerShown(Body):
    name: str
    colour: int
    language: str
    created: float
    devices: int


class Me(Body):
    """Null: this device has not played here yet."""

    player: PlayerShown | None


class Code(Body):
    """For another device: typed there, or opened as a link."""

    code: str
    link: str
    seconds: int


class RecoveryCode(Body):
    code: str


class UseCode(Body):
    code: Token


class Forgotten(Body):
    forgotten: bool


class SeatShown(Body):
    kind: str
    name: str


class RunningTable(Body):
    """A table of one's own that is not over; `alone`: no other person sits or can sit there."""

    table: str
    game: str
    status: Literal["waiting", "opening", "playing"]
    seat: int
    seats: list[SeatShown]
    waiting: list[int]
    your_turn: bool
    alone: bool
    touched: float


class Scored(Body):
    seat: int
    name: str
    score: int
    won: bool


class FinishedGame(Body):
    """`replay`: false where only the result is kept."""

    table: str
    game: str
    seat: int
    finished: float
    replay: bool
    scores: list[Scored]


class FinishedPage(Body):
    games: list[FinishedGame]
    more: bool


class Done(Body):
    table: str


class Refusal(Body):
    key: str
    message: str
