"""Who sits at a table: joining, leaving, inviting, and what its host may do."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from bullpen.server import latecomers
from bullpen.server.house import Sat, device_hash
from bullpen.server.latecomers import Asker
from bullpen.server.requests import (
    Arrange,
    Done,
    Invitation,
    JoinTable,
    Kick,
    LateAnswer,
    Mute,
    NewReport,
    Reported,
    Seated,
    TableChange,
    TakeOver,
    TalkWish,
    WaitingForHost,
)
from bullpen.server.room import Room
from bullpen.server.routes.cookies import keep_device, seated
from bullpen.server.routes.parameters import (
    REFUSALS,
    Address,
    Device,
    Language,
    TableId,
    TheHouse,
    ThePlayers,
    TheReports,
    Token,
)

api = APIRouter(prefix="/api/tables/{table}", responses=REFUSALS)


def link(room: Room, invite: str) -> str:
    return f"/table/{room.id}#invite={invite}"


@api.post("/join", summary="Take an open seat")
async def join(
    request: Request,
    response: Response,
    table: TableId,
    wish: JoinTable,
    house: TheHouse,
    players: ThePlayers,
    device: Device,
    address: Address,
    language: Language,
) -> Seated:
    room = await house.room(table)
    if wish.kind == "program":
        return seated(request, response, await house.join(room, wish, None, address))
    arrived = await players.arrive(device, wish.name)
    sat = await house.join(room, wish, arrived.device, address, arrived.own)
    if room.header.tournament is None:  # where everybody is called as they have entered
        await players.meet(arrived.device, wish.name, language)
    keep_device(request, response, arrived.device)
    return seated(request, response, sat)


@api.post("/back", summary="Come back to one's seat, also on another device of the same player")
async def back(
    request: Request,
    response: Response,
    table: TableId,
    house: TheHouse,
    players: ThePlayers,
    device: Device,
    token: Token,
) -> Seated:
    room = await house.room(table)
    arrived = await players.arrive(device)
    if (seat := room.seat_of(token)) is not None:
        return Seated(table=room.id, seat=seat)
    return seated(request, response, await house.come_back(room, arrived.own))


@api.post(
    "/end", summary="Leave for good: with bots alone the table ends, among people a bot plays on"
)
async def end(table: TableId, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await house.end(room, token)
    return Done(table=room.id)


@api.post("/leave", summary="Give up the seat, or let a bot play on")
async def leave(table: TableId, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await house.leave(room, token)
    return Done(table=room.id)


@api.post("/kick", summary="The host sends somebody away")
async def kick(table: TableId, whom: Kick, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await house.kick(room, token, whom.seat)
    return Done(table=room.id)


@api.post("/seat", summary="Before the start: the host puts a bot on a seat, or frees it")
async def arrange(table: TableId, wish: Arrange, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await house.arrange(room, token, wish)
    return Done(table=room.id)


@api.post("/settings", summary="Before the start: the host changes what was agreed")
async def change(table: TableId, wish: TableChange, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await house.change(room, token, wish)
    return Done(table=room.id)


@api.post(
    "/take-over",
    summary="After the start: play on for a bot",
    responses={202: {"model": WaitingForHost, "description": "The host is asked: ask again"}},
)
async def take_over(
    request: Request,
    response: Response,
    table: TableId,
    wish: TakeOver,
    house: TheHouse,
    players: ThePlayers,
    device: Device,
    token: Token,
    language: Language,
) -> Seated | WaitingForHost:
    room = await house.room(table)
    arrived = await players.arrive(device, wish.name) if wish.kind == "person" else None
    asker = Asker(wish, token, None)
    if arrived is not None:
        keep_device(request, response, arrived.device)
        asker = Asker(wish, token, device_hash(arrived.device), arrived.own)
    found = await latecomers.take_over(house, room, asker)
    if isinstance(found, Sat):
        if arrived is not None:
            await players.meet(arrived.device, wish.name, language)
        return seated(request, response, found)
    response.status_code = HTTPStatus.ACCEPTED
    response.headers["retry-after"] = "2"
    return WaitingForHost(table=room.id, seat=found.seat, request=found.key)


@api.post("/latecomer", summary="The host lets somebody in who comes late, or does not")
async def latecomer(table: TableId, said: LateAnswer, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    latecomers.answer(room, token, said)
    return Done(table=room.id)


@api.post("/mute", summary="The host decides whether somebody is heard")
async def mute(table: TableId, wish: Mute, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await house.mute(room, token, wish)
    return Done(table=room.id)


@api.post(
    "/talk", summary="The host decides what may be said: anything, ready-made phrases, or nothing"
)
async def talk(table: TableId, wish: TalkWish, house: TheHouse, token: Token) -> Done:
    room = await house.room(table)
    await house.talk(room, token, wish)
    return Done(table=room.id)


@api.post(
    "/report", summary="Tell the operator what somebody here has said, or how they are called"
)
async def report(
    table: TableId,
    wish: NewReport,
    house: TheHouse,
    reports: TheReports,
    players: ThePlayers,
    device: Device,
    token: Token,
    address: Address,
) -> Reported:
    room = await house.room(table)
    own = (await players.arrive(device)).own if device else []
    return await reports.make(room, token, wish, own, address)


@api.post("/invite", summary="A new invitation")
async def invitation(table: TableId, house: TheHouse, token: Token) -> Invitation:
    room = await house.room(table)
    invite = await house.invite(room, token)
    return Invitation(invite=invite, link=link(room, invite))


@api.post("/rematch", summary="The next game with the same people")
async def rematch(
    request: Request,
    response: Response,
    table: TableId,
    house: TheHouse,
    token: Token,
    address: Address,
) -> Seated:
    room = await house.room(table)
    return seated(request, response, await house.rematch(room, token, address))
