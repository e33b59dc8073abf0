"""Quick match: sit down with whoever waits, or wait."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from bullpen.server.requests import GameId, QuickWish, Seated, WaitingHere
from bullpen.server.routes.cookies import keep_device, seated
from bullpen.server.routes.parameters import (
    REFUSALS,
    Address,
    Device,
    Language,
    ThePlayers,
    TheQuick,
)

api = APIRouter(prefix="/api/quick", responses=REFUSALS)
Seats = Annotated[int, Path(ge=2, le=10)]


@api.get("", summary="How many people wait, by game and number of players")
async def waiting(quick: TheQuick) -> list[WaitingHere]:
    return [
        WaitingHere(game=game, seats=seats, people=people)
        for (game, seats), people in sorted((await quick.counts()).items())
    ]


@api.post("/{game}/{seats}", summary="Sit down at a table that waits, or at a new one")
async def sit(
    request: Request,
    response: Response,
    game: GameId,
    seats: Seats,
    wish: QuickWish,
    quick: TheQuick,
    players: ThePlayers,
    device: Device,
    address: Address,
    language: Language,
) -> Seated:
    arrived = await players.arrive(device, wish.name)
    sat = await quick.sit((game, seats), wish.name, arrived, address)
    await players.meet(arrived.device, wish.name, language)
    keep_device(request, response, arrived.device)
    return seated(request, response, sat)
