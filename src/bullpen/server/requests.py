"""The bodies of HTTP requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from bullpen.games import GAMES
from bullpen.server.endpoints import LONGEST_ENDPOINT
from bullpen.server.header import Latecomers, Talk
from bullpen.server.languages import LanguageCode
from bullpen.server.levels import Level
from bullpen.server.names import LONGEST_NAME, tidy_name
from bullpen.server.wire.client_messages import SHA256
from bullpen.server.words import LONGEST_WORD, allowed_name

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


Name = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_NAME),
    AfterValidator(tidy_name),
    AfterValidator(allowed_name),
]
Token = Annotated[str, Field(max_length=100)]
Attempt = Annotated[str, Field(min_length=32, max_length=100)]  # random, and told to nobody else
OptionValue = int | str | bool | None
Options = Annotated[
    dict[
        Annotated[str, Field(max_length=40)],
        Annotated[int, Field(le=MOST_POINTS)] | str | bool | None,
    ],
    Field(max_length=10),
]
MOST_DAYS = 14  # for one decision
Clock = Annotated[float, Field(ge=5, le=86_400 * MOST_DAYS)] | None


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
    club: Annotated[str, Field(max_length=40)] | None = None  # whose members find it on their page
    kind: Literal["person", "program"] = Field(default="person", alias="as")


class JoinTable(Body):
    name: Name
    invite: Token | None = None
    attempt: Attempt | None = None  # the same once more is the same person, whose answer was lost
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


class WaitingForHost(Body):
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


class TalkWish(Body):
    """What may be said at a table, and words that the host does not want to hear; what is left out stays."""

    talk: Talk | None = None
    refused: (
        Annotated[
            list[Annotated[str, Field(min_length=1, max_length=LONGEST_WORD)]],
            Field(max_length=50),
        ]
        | None
    ) = None


class NewReport(Body):
    """Of what somebody at the table has said, or of how they are called."""

    seat: Annotated[int, Field(ge=0, le=9)]
    about: Literal["chat", "name"]
    note: Annotated[str, Field(max_length=200)] = ""


class Reported(Body):
    table: str
    lines: int  # of chat that go with it
    days: int  # that it is kept, unless it is closed before


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


class PushKeys(Body):
    p256dh: Annotated[str, Field(max_length=200)]
    auth: Annotated[str, Field(max_length=100)]


class PushWish(Body):
    """A subscription of this browser, as it says it itself."""

    endpoint: Annotated[str, Field(max_length=LONGEST_ENDPOINT)]
    keys: PushKeys


class PushShown(Body):
    """`key`: this server's, with which a browser subscribes."""

    key: str
    subscribed: bool


class OwnPasskey(Body):
    number: int
    created: float
    used: float | None


class PasskeyAnswer(Body):
    """What the browser's `PublicKeyCredential` says of itself, as JSON."""

    credential: dict[str, Any]


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
    clock: float | None  # seconds for a decision
    left: float | None  # at a table over days: seconds until one's own time is up
    alone: bool
    daily: str | None  # a deal of the day: the day
    touched: float


class Scored(Body):
    seat: int
    name: str
    score: int
    won: bool


class RatingShown(Body):
    """So many points; 95 of 100 times the truth is within so many to each side."""

    points: int
    give_or_take: int


class QualityShown(Body):
    """Points a decision below the best; 95 of 100 times the truth is within so many to each side."""

    points: float
    give_or_take: float
    decisions: int
    games: int


class OwnQuality(Body):
    game: str
    quality: QualityShown


class RatingChange(Body):
    table: str
    before: RatingShown
    after: RatingShown
    finished: float


class OwnRating(Body):
    """In one game; `place` among so many."""

    game: str
    rating: RatingShown
    games: int
    place: int
    of: int
    quality: QualityShown | None = None


class RatedPlayer(Body):
    place: int
    name: str
    colour: int
    rating: RatingShown
    games: int
    you: bool
    quality: QualityShown | None = None


class Leaderboard(Body):
    game: str
    page: int
    pages: int
    count: int
    places: list[RatedPlayer]
    you: OwnRating | None


class RatingOfGame(Body):
    """`waiting`: ask again in a second or two."""

    state: Literal["rated", "waiting", "unrated"]
    why_not: str | None
    change: RatingChange | None


class FinishedGame(Body):
    """`replay`: false where only the result is kept, or nothing else is shown before the day of its deal is over:
    then it is `sealed`."""

    table: str
    game: str
    seat: int
    finished: float
    replay: bool
    sealed: bool
    scores: list[Scored]
    rating: RatingChange | None


class FinishedPage(Body):
    games: list[FinishedGame]
    more: bool


class QuickWish(Body):
    name: Name


class WaitingHere(Body):
    """People who wait for others, at tables of so many seats."""

    game: str
    seats: int
    people: int


class DailyWish(Body):
    """How one is called at the deal of the day."""

    name: Name


class ScoreCount(Body):
    score: int
    players: int


class BestLine(Body):
    """The best game found of a deal whose day is over, to be replayed."""

    table: str
    score: int
    by: Literal["you", "player", "expert"]


class DailyGame(Body):
    """The deal of a day; what others reached is told to whoever has played it, and to all when the day is over."""

    game: str
    best: Literal["fewest", "most"]
    status: Literal["new", "playing", "finished", "late", "given_up"]
    table: str | None
    score: int | None
    counted: bool  # among all who played
    expert: int | None  # null: still playing, or nobody asked
    scores: list[ScoreCount]
    line: BestLine | None


class PublishedShown(Body):
    day: str
    commitment: str


class DailyOver(Body):
    day: str
    secret: str
    games: list[DailyGame]


class DailyShown(Body):
    day: str
    seconds: int  # until the next one
    commitment: str  # to today's secret: yesterday's
    published: PublishedShown  # on the first day of this server
    streak: int
    games: list[DailyGame]
    yesterday: DailyOver


class Done(Body):
    table: str


class Refusal(Body):
    key: str
    message: str
