"""Who one is on this server, on one device or several; and being forgotten."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from bullpen.server.cookies import DEVICE
from bullpen.server.players import CODE_SECONDS
from bullpen.server.requests import (
    Code,
    Forgotten,
    Me,
    PlayerShown,
    PlayerWish,
    RecoveryCode,
    UseCode,
)
from bullpen.server.routes.cookies import DEVICE_PATH, keep_device
from bullpen.server.routes.parameters import REFUSALS, Address, Device, ThePlayers

api = APIRouter(prefix="/api/me", responses=REFUSALS)


@api.get("", summary="Who one is: the player whose device this is")
async def me(device: Device, players: ThePlayers) -> Me:
    found = await players.shown(device)
    return Me(player=PlayerShown(**found) if found else None)


@api.put("", summary="Name, colour and language")
async def change(
    request: Request, response: Response, wish: PlayerWish, device: Device, players: ThePlayers
) -> PlayerShown:
    arrived = await players.arrive(device, wish.name)
    shown = await players.change(arrived.device, wish.name, wish.colour, wish.language)
    keep_device(request, response, arrived.device)
    return PlayerShown(**shown)


@api.post("/code", summary="A code for another device: of one use, for ten minutes")
async def code(device: Device, players: ThePlayers) -> Code:
    given = await players.code(device)
    return Code(code=given, link=f"/me#code={given}", seconds=int(CODE_SECONDS))


@api.post("/recovery", summary="A code to print, good until there is a newer one")
async def recovery(device: Device, players: ThePlayers) -> RecoveryCode:
    return RecoveryCode(code=await players.recovery(device))


@api.post("/use", summary="This device becomes the player's whose code it is")
async def use(
    request: Request,
    response: Response,
    wish: UseCode,
    device: Device,
    players: ThePlayers,
    address: Address,
) -> PlayerShown:
    arrived = await players.arrive(device)
    shown = await players.use(arrived.device, wish.code, address)
    keep_device(request, response, arrived.device)
    return PlayerShown(**shown)


@api.get("/export", summary="All that is stored about this player", response_class=JSONResponse)
async def export(device: Device, players: ThePlayers) -> Response:
    found = await players.data_of(device)
    name = {"content-disposition": 'attachment; filename="bullpen-me.json"'}
    return JSONResponse(found, headers=name)


@api.delete("", summary="Forget this player: finished games stay, without the name")
async def delete(response: Response, device: Device, players: ThePlayers) -> Forgotten:
    await players.delete(device)
    response.delete_cookie(DEVICE, path=DEVICE_PATH, httponly=True, samesite="strict")
    return Forgotten(forgotten=True)
