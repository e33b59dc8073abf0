"""Passkeys: to make one, to come back by one, to have none any more."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse

from bullpen.server.passkeys import site_of
from bullpen.server.requests import OwnPasskey, PasskeyAnswer, PlayerShown
from bullpen.server.routes.cookies import keep_device
from bullpen.server.routes.parameters import REFUSALS, Address, Device, ThePasskeys, ThePlayers
from bullpen.server.store.passkeys import Own

api = APIRouter(prefix="/api/me/passkeys", responses=REFUSALS)


def shown(found: list[Own]) -> list[OwnPasskey]:
    return [OwnPasskey(**one._asdict()) for one in found]


@api.get("", summary="One's own passkeys")
async def own(device: Device, passkeys: ThePasskeys) -> list[OwnPasskey]:
    return shown(await passkeys.own(device))


@api.post("/new", summary="What a browser makes a passkey by", response_class=JSONResponse)
async def begin(request: Request, device: Device, passkeys: ThePasskeys) -> Response:
    site = site_of(request.headers.get("origin"))
    return JSONResponse(await passkeys.begin(device, site))


@api.post("", summary="A passkey that a browser has made")
async def add(
    request: Request, answer: PasskeyAnswer, device: Device, passkeys: ThePasskeys
) -> list[OwnPasskey]:
    site = site_of(request.headers.get("origin"))
    return shown(await passkeys.add(device, answer.credential, site))


@api.post("/ask", summary="What a browser looks for a passkey by", response_class=JSONResponse)
async def ask(
    request: Request,
    device: Device,
    players: ThePlayers,
    passkeys: ThePasskeys,
    address: Address,
) -> Response:
    site = site_of(request.headers.get("origin"))
    arrived = await players.arrive(device)
    response = JSONResponse(await passkeys.ask(arrived.device, site, address))
    keep_device(request, response, arrived.device)
    return response


@api.post("/use", summary="This device becomes the player's whose passkey has signed")
async def use(
    request: Request,
    response: Response,
    answer: PasskeyAnswer,
    device: Device,
    players: ThePlayers,
    passkeys: ThePasskeys,
    address: Address,
) -> PlayerShown:
    site = site_of(request.headers.get("origin"))
    arrived = await players.arrive(device)
    found = await passkeys.use(arrived.device, answer.credential, site, address)
    keep_device(request, response, arrived.device)
    return PlayerShown(**found)


@api.delete("/own/{number}", summary="A passkey that is good no more")
async def remove(
    number: Annotated[int, Path(ge=1, le=1000)], device: Device, passkeys: ThePasskeys
) -> list[OwnPasskey]:
    return shown(await passkeys.remove(device, number))
