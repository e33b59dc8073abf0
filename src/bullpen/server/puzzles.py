"""Puzzles for the browser: a position as its seat sees it, and what the coach says of the move that was tried.

Of players who try one it is kept whether they solved it at the first try: by that a puzzle is easy or hard (docs/puzzles.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from math import sqrt
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from bullpen.coach.puzzles import Puzzle, match_of, puzzles_of
from bullpen.game import Action, Game
from bullpen.games import GAMES, game_called
from bullpen.server.house import device_hash
from bullpen.server.languages import language_of
from bullpen.server.play import Made, Play, replayed
from bullpen.server.refused import Refused
from bullpen.server.requests import GameId
from bullpen.server.routes.parameters import (
    REFUSALS,
    Address,
    Device,
    Language,
    LanguageQuery,
    TheArchive,
    server_of,
)
from bullpen.server.rulebook import as_table, reader_and_others
from bullpen.server.store import StoreUnavailable
from bullpen.server.store.puzzles import Counted
from bullpen.server.thinking.pool import NoAnswer

Json = dict[str, Any]
MOST_ANSWERS = 2_000  # that are remembered


class Answer(BaseModel):
    """Whether the move was right; the best one, and what speaks for it, in sentences."""

    right: bool
    action: int
    said: list[str]


class Try(BaseModel):
    model_config = ConfigDict(extra="forbid")

    move: Annotated[int, Field(ge=0, le=1_000_000, strict=True)]


class Solvers(BaseModel):
    """How many players have tried it, and solved it at once; 95 of 100 times the truth lies within `least` and `most`."""

    number: int
    tries: int
    solved: int
    least: float
    most: float


class Listed(BaseModel):
    """The puzzles of a game, the easy ones first, and those that one has tried oneself."""

    game: str
    order: list[int]
    solvers: list[Solvers]
    tried: list[int]
    solved: list[int]


class Count(BaseModel):
    game: str
    puzzles: int


def puzzle_numbered(game: Game[Any], number: int) -> Puzzle:
    """From 1, as people count."""
    known = puzzles_of(game)
    if number > len(known):
        raise Refused(404, "no_such_puzzle", number=number, last=len(known))
    return known[number - 1]


# -- How hard they are --------------------------------------------------------------------------

SURE = 2.0  # standard errors to each side


def interval(solved: int, tries: int) -> tuple[float, float]:
    """Of the share of all who would solve it, by Wilson: right also where few have tried, or all solved it."""
    square = SURE**2
    middle = (solved + square / 2) / (tries + square)
    inner = solved * (tries - solved) / tries + square / 4
    half = SURE * sqrt(inner) / (tries + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def solvers_of(one: Counted) -> Solvers:
    least, most = interval(one.solved, one.tries)
    return Solvers(**one._asdict(), least=round(least, 3), most=round(most, 3))


def by_ease(puzzles: int, counted: Sequence[Counted]) -> list[int]:
    """The easy ones first.  Each is taken for solved by half of two who have not come yet: what is unknown stands in the
    middle, and one try moves nothing far."""
    known = {one.number: one for one in counted}

    def ease(number: int) -> float:
        one = known.get(number, Counted(number, 0, 0))
        return (one.solved + 1) / (one.tries + 2)

    return sorted(range(1, puzzles + 1), key=lambda number: (-ease(number), number))


@lru_cache(maxsize=64)
def position(game_id: str, number: int) -> Play:
    game = game_called(game_id)
    match = match_of(game, puzzle_numbered(game, number))
    made = [Made(*one, by="bot") for one in match.decisions]
    return replayed(game, match.seats, match.options, match.deck, match.shuffles, made)


def welcome(game_id: str, number: int, language: str) -> Json:
    play = position(game_id, number)
    reader = puzzle_numbered(play.game, number).seat
    names = reader_and_others(reader, play.seats, language)
    return as_table(f"{game_id} puzzle {number}", play, [], reader, names, language)


# -- Over HTTP ----------------------------------------------------------------------------------

Number = Annotated[int, Path(ge=1, le=100_000)]
Move = Annotated[int, Query(ge=0, le=1_000_000)]


async def listed(request: Request, game: GameId, device: Device) -> Listed:
    book = server_of(request).store.puzzles
    counted = await book.counted(game)
    own = await book.own(str(device_hash(device)), game) if device else []
    known = len(puzzles_of(game_called(game)))
    return Listed(
        game=game,
        order=by_ease(known, counted),
        solvers=[solvers_of(one) for one in counted],
        tried=[one.number for one in own],
        solved=[one.number for one in own if one.solved],
    )


def router() -> APIRouter:
    api = APIRouter(prefix="/api/puzzles", responses=REFUSALS)
    known: dict[tuple[str, int, Action, str], list[str]] = {}

    @api.get("", summary="How many puzzles there are, by game")
    def count() -> list[Count]:
        return [Count(game=name, puzzles=len(puzzles_of(game))) for name, game in GAMES.items()]

    api.get("/{game}", summary="The puzzles of a game, the easy ones first, and who solves them")(
        listed
    )

    @api.get("/{game}/{number}", summary="A position in which one move is the best")
    def shown(
        request: Request,
        game: GameId,
        number: Number,
        lang: LanguageQuery = None,  # noqa: ARG001
    ) -> Json:
        return welcome(game, number, language_of(request.scope))

    @api.get("/{game}/{number}/answer", summary="What the coach says of a move there")
    async def answer(
        request: Request,
        game: GameId,
        number: Number,
        move: Move,
        archive: TheArchive,
        address: Address,
        language: Language,
    ) -> Answer:
        rules = game_called(game)
        puzzle = puzzle_numbered(rules, number)
        play = position(game, number)
        if move not in play.offers(puzzle.seat):
            raise Refused(422, "puzzle_no_move", move=move)
        key = (game, number, move, language)
        if key not in known:
            asked = {"game": game, "number": number, "move": rules.NOTATION[move]}
            server = server_of(request)
            with archive.work_for(address):
                try:
                    said = await server.coach.ask(
                        "puzzle", server.settings.coach_seconds, language=language, **asked
                    )
                except NoAnswer:
                    raise Refused(503, "coach_silent") from None
            known[key] = said["said"]
            if len(known) > MOST_ANSWERS:
                del known[next(iter(known))]
        best = next(
            action for action in play.offers(puzzle.seat) if rules.NOTATION[action] == puzzle.answer
        )
        return Answer(right=move == best, action=best, said=known[key])

    @api.post("/{game}/{number}/try", summary="The same, and the first try of a player is kept")
    async def tried(
        request: Request,
        game: GameId,
        number: Number,
        wish: Try,
        device: Device,
        archive: TheArchive,
        address: Address,
        language: Language,
    ) -> Answer:
        found = await answer(request, game, number, wish.move, archive, address, language)
        if device:
            book = server_of(request).store.puzzles
            with suppress(StoreUnavailable):  # the answer is theirs all the same
                await book.tried(str(device_hash(device)), game, number, solved=found.right)
        return found

    return api
