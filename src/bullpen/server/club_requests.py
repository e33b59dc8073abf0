"""The bodies of requests and answers about clubs and their tournaments."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from bullpen.server.levels import Level
from bullpen.server.requests import Body, GameId, Name, Options, Scored, SeatShown, Token

MOST_ROUNDS = 30
MemberNumber = Annotated[int, Field(strict=True, ge=0, le=2**31)]


class NewClub(Body):
    """`player`: how one is called oneself; who is known need not say it."""

    name: Name
    player: Name | None = None


class ClubName(Body):
    name: Name


class ClubLink(Body):
    invite: Token


class JoinClub(Body):
    invite: Token
    player: Name | None = None


class MemberWish(Body):
    member: MemberNumber


class OwnClub(Body):
    """A club that one belongs to; `tournament`: one that goes on, or can be entered."""

    club: str
    name: str
    members: int
    keeper: bool
    tournament: str | None


class ClubDoor(Body):
    """What an invitation shows."""

    club: str
    name: str
    members: int
    member: bool  # one is in already


class MemberShown(Body):
    member: int
    name: str
    colour: int
    keeper: bool
    you: bool


class ClubTableShown(Body):
    """`free`: seats that any member may take."""

    table: str
    game: str
    status: Literal["waiting", "opening", "playing"]
    seats: list[SeatShown]
    free: int
    tournament: str | None
    yours: bool  # one sits there, or has a seat kept


class ClubGameShown(Body):
    table: str
    game: str
    finished: float
    replay: bool
    tournament: str | None
    scores: list[Scored]


class TournamentLine(Body):
    tournament: str
    game: str
    kind: Literal["everybody", "swiss"]
    state: Literal["open", "running", "over", "ended"]
    entrants: int
    created: float


class ClubShown(Body):
    club: str
    name: str
    link: str  # the invitation
    keeper: bool  # oneself
    members: list[MemberShown]
    tables: list[ClubTableShown]
    games: list[ClubGameShown]
    tournaments: list[TournamentLine]
    first_month: str  # of which there are standings


class ClubLeft(Body):
    club: str


class StandingRow(Body):
    """`points`: of all others at the tables so many were behind, from 0 to 1 a game."""

    place: int
    name: str
    colour: int
    you: bool
    games: int
    wins: int
    points: float  # a game
    mean_place: float
    mean_score: float


class ClubStandings(Body):
    month: str
    game: str | None
    rows: list[StandingRow]


# -- Tournaments --------------------------------------------------------------------------------


class NewTournament(Body):
    """`rounds`: of a Swiss one; `wait`: seconds until a table starts without who is missing."""

    game: GameId
    seats: Annotated[int, Field(strict=True, ge=2, le=10)]
    kind: Literal["everybody", "swiss"] = "everybody"
    rounds: Annotated[int, Field(strict=True, ge=1, le=MOST_ROUNDS)] | None = None
    options: Options = Field(default_factory=dict)
    clock: Annotated[float, Field(ge=5, le=600)] = 60
    wait: Annotated[int, Field(strict=True, ge=10, le=1200)] = 180
    stand_in: Level = "medium"


class EntrantShown(Body):
    """A row of the standings."""

    entrant: int
    name: str
    you: bool
    out: bool
    place: int
    points: float
    met: float
    wins: int
    games: int
    byes: int


class TournamentSeat(Body):
    entrant: int
    name: str
    points: float | None
    score: int | None


class TournamentTable(Body):
    table: str
    number: int
    status: Literal["making", "waiting", "playing", "over"]
    seats: list[TournamentSeat]
    bots: int
    yours: bool


class TournamentRound(Body):
    round: int
    tables: list[TournamentTable]
    byes: list[str]


class TournamentShown(Body):
    """`member`: whether one may enter; `runs`: whether one may start it and send people out of it."""

    tournament: str
    club: str | None  # told to members
    club_name: str
    game: str
    options: dict[str, Any]
    kind: Literal["everybody", "swiss"]
    seats: int
    clock: float
    wait: int
    state: Literal["open", "running", "over", "ended"]
    round: int
    rounds: int | None  # null: it is not known before all have entered
    bots: int  # at the tables of a round, as many as take part now
    seconds_to_start: int  # until tables start without who is missing
    member: bool
    runs: bool
    entered: bool
    your_table: str | None
    entrants: list[EntrantShown]
    tables: list[TournamentRound]
