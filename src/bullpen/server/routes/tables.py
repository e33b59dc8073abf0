"""Tables until they are over: finding, making and starting them."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from bullpen.server import messages
from bullpen.server.arranging import arrangement
from bullpen.server.door import own_seat
from bullpen.server.house import device_hash
from bullpen.server.refused import Refused
from bullpen.server.requests import Commit, Done, NewTable, Seated, Start
from bullpen.server.room import Room
from bullpen.server.routes.cookies import keep_device, seated
from bullpen.server.routes.parameters import (
    REFUSALS,
    Address,
    Device,
    Json,
    Language,
    TableId,
    TheClubs,
    TheHouse,
    ThePlayers,
    Token,
)
from bullpen.server.routes.seats import link
from bullpen.server.starting import commit_to

LISTED = 100  # tables on the page of open ones

api = APIRouter(prefix="/api/tables", responses=REFUSALS)


def shown(room: Room) -> Json:
    facts = {"table": messages.table(room), "lobby": messages.lobby(room)}
    return {**facts, "fair": messages.fair(room)}


@api.get("", summary="Listed tables that can be joined or watched")
async def tables(house: TheHouse) -> list[Json]:
    return [shown(room) for room in await house.listed(LISTED)]


@api.post("", status_code=HTTPStatus.CREATED, summary="Make a table")
async def create(
    request: Request,
    response: Response,
    wish: NewTable,
    house: TheHouse,
    players: ThePlayers,
    clubs: TheClubs,
    device: Device,
    address: Address,
    language: Language,
) -> Seated:
    if wish.club is not None:
        await clubs.must_be_member(wish.club, device_hash(device))
        if wish.listed:
            raise Refused(422, "club_not_listed")
    if wish.kind == "program":
        sat, invite = await house.create(wish, address, None)
    else:
        arrived = await players.arrive(device, wish.name)
        async with players.making_a_table(arrived):
            sat, invite = await house.create(wish, address, arrived.device)
        await players.meet(arrived.device, wish.name, language)
        keep_device(request, response, arrived.device)
    answer = seated(request, response, sat)
    answer.invite, answer.link = invite, link(sat.room, invite)
    return answer


@api.get("/{table}", summary="One table, and where one sits there")
async def one(table: TableId, house: TheHouse, token: Token) -> Json:
    room = await house.room(table)
    return {**shown(room), "seat": room.seat_of(token)}


@api.post("/{table}/commit", summary="Commit oneself to a share in the deal")
async def commit(table: TableId, wish: Commit, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await commit_to(room, wish.commitment, lambda: own_seat(room, token))
    return Done(table=room.id)


@api.post("/{table}/start", summary="The host starts the game; answered when it is dealt")
async def start(
    table: TableId,
    house: TheHouse,
    token: Token,
    wish: Start | None = None,  # noqa: ARG001 — nothing but what is checked of it
) -> Done:
    room = await house.room(table)
    await house.start(room, token)
    return Done(table=room.id)


@api.get("/{table}/arrange", summary="One's cards laid as well as can be, in games that can say it")
async def arrange(table: TableId, house: TheHouse, token: Token, language: Language) -> Json:
    room = await house.room(table)
    return arrangement(room.play, own_seat(room, token), room.telling(language), room.header)
