"""Ratings by game: leaderboards for everybody, one's own ratings for oneself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query

from bullpen.server.quality import Shown
from bullpen.server.quality import shown as decided
from bullpen.server.ratings import PLACES
from bullpen.server.requests import (
    GameId,
    Leaderboard,
    OwnQuality,
    OwnRating,
    QualityShown,
    RatedPlayer,
    RatingChange,
    RatingOfGame,
    RatingShown,
)
from bullpen.server.routes.finished import finished
from bullpen.server.routes.parameters import (
    REFUSALS,
    Device,
    TableId,
    TheHouse,
    TheQuality,
    TheRatings,
)
from bullpen.server.store.ratings import Change, Standing
from bullpen.server.strengths import Strength

api = APIRouter(prefix="/api", responses=REFUSALS)
MOST_PAGES = 40_000


def shown(mu: float, sigma: float) -> RatingShown:
    strength = Strength(mu, sigma)
    return RatingShown(points=strength.points, give_or_take=strength.give_or_take)


def rounded(one: Shown) -> QualityShown:
    points, give_or_take = round(one.points, 3), round(one.give_or_take, 3)
    return QualityShown(
        points=points, give_or_take=give_or_take, decisions=one.decisions, games=one.games
    )


def own(one: Standing, found: Mapping[str, Shown]) -> OwnRating:
    quality = found.get(one.game)
    return OwnRating(
        game=one.game,
        rating=shown(one.mu, one.sigma),
        games=one.games,
        place=one.place,
        of=one.of,
        quality=rounded(quality) if quality else None,
    )


def changed(one: Change) -> RatingChange:
    before, after = shown(one.mu_before, one.sigma_before), shown(one.mu, one.sigma)
    return RatingChange(table=one.table, before=before, after=after, finished=one.finished)


@api.get("/ratings", summary="One's own ratings, by game")
async def standings(device: Device, ratings: TheRatings, quality: TheQuality) -> list[OwnRating]:
    found = await quality.own(device)
    return [own(one, found) for one in await ratings.standings(device)]


@api.get("/quality", summary="How well one decides, by game: points a decision below the best")
async def qualities(device: Device, quality: TheQuality) -> list[OwnQuality]:
    found = await quality.own(device)
    return [OwnQuality(game=game, quality=rounded(one)) for game, one in found.items()]


@api.get("/ratings/{game}", summary="The leaderboard of a game, by the careful end of the interval")
async def leaderboard(
    game: GameId,
    device: Device,
    ratings: TheRatings,
    quality: TheQuality,
    page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1,
) -> Leaderboard:
    found = await ratings.page(game, page, device)
    places = [
        RatedPlayer(
            place=one.place,
            name=one.name,
            colour=one.colour,
            rating=shown(one.mu, one.sigma),
            games=one.games,
            you=one.is_you,
            quality=rounded(decided(game, one.quality)) if one.quality else None,
        )
        for one in found.places
    ]
    pages = -(-found.rated // PLACES)
    you = own(found.you, await quality.own(device)) if found.you else None
    return Leaderboard(game=game, page=page, pages=pages, count=found.rated, places=places, you=you)


@api.get("/ratings/{game}/history", summary="How one's own rating in a game has changed")
async def history(game: GameId, device: Device, ratings: TheRatings) -> list[RatingChange]:
    return [changed(one) for one in await ratings.history(game, device)]


@api.get("/tables/{table}/rating", summary="What a finished game was for one's own rating")
async def of_game(
    table: TableId, device: Device, house: TheHouse, ratings: TheRatings
) -> RatingOfGame:
    room = await finished(house, table)
    game = await ratings.of_game(room.id, room.header, device)
    change = changed(game.change) if game.change and game.state == "rated" else None
    return RatingOfGame(state=game.state, why_not=game.why_not, change=change)
