"""The deal of the day: what there is today, what was yesterday, and playing it."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from bullpen.server.requests import DailyShown, DailyWish, GameId, Seated
from bullpen.server.routes.cookies import keep_device, seated
from bullpen.server.routes.parameters import (
    REFUSALS,
    Address,
    Device,
    Language,
    TheDaily,
    ThePlayers,
)
from bullpen.server.store.daily import SEAT

api = APIRouter(prefix="/api/daily", responses=REFUSALS)


@api.get("", summary="The deals of today and of yesterday, and how one did")
async def shown(device: Device, players: ThePlayers, daily: TheDaily) -> DailyShown:
    own = (await players.arrive(device)).own if device else []
    return DailyShown(**await daily.shown(own))


@api.post(
    "/{game}",
    status_code=HTTPStatus.CREATED,
    summary="Play today's deal: once; asked again, the table where one plays it",
)
async def play(
    request: Request,
    response: Response,
    game: GameId,
    wish: DailyWish,
    daily: TheDaily,
    players: ThePlayers,
    device: Device,
    address: Address,
    language: Language,
) -> Seated:
    arrived = await players.arrive(device, wish.name)
    known = await daily.begun(game, arrived.own)
    if known is not None and (table := await daily.go_on(known)) is not None:
        response.status_code = HTTPStatus.OK
        return Seated(table=table, seat=SEAT)
    async with players.making_a_table(arrived):
        sat = await daily.begin(game, wish.name, arrived, address)
    await players.meet(arrived.device, wish.name, language)
    keep_device(request, response, arrived.device)
    return seated(request, response, sat)
