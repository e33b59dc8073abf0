"""The HTTP part: making and joining tables, and looking at finished ones."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse

from bullpen.game import BadOption
from bullpen.server import messages, replay
from bullpen.server.archive import Archive
from bullpen.server.arranging import arrangement
from bullpen.server.catalogue import catalogue
from bullpen.server.cookies import DEVICE, SEAT, cookie_of
from bullpen.server.door import own_seat
from bullpen.server.guard import address_of
from bullpen.server.house import House, Sat, device_hash
from bullpen.server.languages import language_of
from bullpen.server.refused import Refused
from bullpen.server.requests import (
    Commit,
    Done,
    Invitation,
    JoinTable,
    Kick,
    Mute,
    NewTable,
    Refusal,
    Seated,
    Start,
)
from bullpen.server.reviews import Reviews
from bullpen.server.room import Room
from bullpen.server.sockets import token_of
from bullpen.server.starting import commit_to
from bullpen.server.store import FINISHED
from bullpen.server.wire.schema import wire_schema

Table = Annotated[str, Path(min_length=1, max_length=40)]
Language = Annotated[Literal["en", "pl"] | None, Query()]
Json = dict[str, Any]

YEAR = 365 * 24 * 3600
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal} for status in (400, 403, 404, 409, 410, 413, 422, 429, 503)
}
LISTED = 100  # tables on the page of open ones


def router(house: House, reviews: Reviews, archive: Archive) -> APIRouter:  # noqa: C901 — one short function a route
    api = APIRouter(prefix="/api", responses=REFUSALS)

    async def finished(table: str) -> Room:
        room = await house.room(table)
        if room.header.state != FINISHED:
            raise Refused(409, "not_over")
        return room

    def seated(request: Request, response: Response, sat: Sat) -> Seated:
        """A browser gets its token as a cookie that scripts cannot read, a program in the answer."""
        answer = Seated(table=sat.room.id, seat=sat.seat)
        if sat.room.header.seats[sat.seat].kind == "program":
            answer.token = sat.token
        else:
            bake(request, response, SEAT, sat.token, f"/api/tables/{sat.room.id}")
        return answer

    @api.get("/games", summary="The games, their options, the levels of bots")
    async def games(request: Request, lang: Language = None) -> Json:  # noqa: ARG001
        return catalogue(language_of(request.scope))

    @api.get("/tables", summary="Listed tables that can be joined or watched")
    async def tables() -> list[Json]:
        return [shown(room) for room in await house.listed(LISTED)]

    @api.post("/tables", status_code=HTTPStatus.CREATED, summary="Make a table")
    async def create(request: Request, response: Response, wish: NewTable) -> Seated:
        device = device_of(request, response) if wish.kind == "person" else None
        sat, invite = await house.create(wish, address_of(request.scope), device)
        answer = seated(request, response, sat)
        answer.invite, answer.link = invite, link(sat.room, invite)
        return answer

    @api.get("/tables/{table}", summary="One table, and where one sits there")
    async def one(request: Request, table: Table) -> Json:
        room = await house.room(table)
        return {**shown(room), "seat": room.seat_of(token_of(request.scope))}

    @api.post("/tables/{table}/join", summary="Take an open seat")
    async def join(request: Request, response: Response, table: Table, wish: JoinTable) -> Seated:
        room = await house.room(table)
        device = device_of(request, response) if wish.kind == "person" else None
        return seated(request, response, await house.join(room, wish, device))

    @api.post("/tables/{table}/leave", summary="Give up the seat, or let a bot play on")
    async def leave(request: Request, table: Table) -> Done:
        room = await house.room(table)
        await house.leave(room, token_of(request.scope))
        return Done(table=room.id)

    @api.post("/tables/{table}/kick", summary="The host sends somebody away")
    async def kick(request: Request, table: Table, whom: Kick) -> Done:
        room = await house.room(table)
        await house.kick(room, token_of(request.scope), whom.seat)
        return Done(table=room.id)

    @api.post("/tables/{table}/mute", summary="The host decides whether somebody is heard")
    async def mute(request: Request, table: Table, wish: Mute) -> Done:
        room = await house.room(table)
        await house.mute(room, token_of(request.scope), wish)
        return Done(table=room.id)

    @api.post("/tables/{table}/commit", summary="Commit oneself to a share in the deal")
    async def commit(request: Request, table: Table, wish: Commit) -> Done:
        room = await house.room(table)
        token = token_of(request.scope)
        await commit_to(room, wish.commitment, lambda: own_seat(room, token))
        return Done(table=room.id)

    @api.post(
        "/tables/{table}/start", summary="The host starts the game; answered when it is dealt"
    )
    async def start(request: Request, table: Table, wish: Start | None = None) -> Done:  # noqa: ARG001
        room = await house.room(table)
        await house.start(room, token_of(request.scope))
        return Done(table=room.id)

    @api.post("/tables/{table}/invite", summary="A new invitation")
    async def invitation(request: Request, table: Table) -> Invitation:
        room = await house.room(table)
        invite = await house.invite(room, token_of(request.scope))
        return Invitation(invite=invite, link=link(room, invite))

    @api.post("/tables/{table}/rematch", summary="The next game with the same people")
    async def rematch(request: Request, response: Response, table: Table) -> Seated:
        room = await house.room(table)
        token, address = token_of(request.scope), address_of(request.scope)
        return seated(request, response, await house.rematch(room, token, address))

    @api.get("/tables/{table}/arrange", summary="Bullenparty: one's cards laid on the best piles")
    async def arrange(request: Request, table: Table, lang: Language = None) -> Json:  # noqa: ARG001
        room = await house.room(table)
        seat = own_seat(room, token_of(request.scope))
        return arrangement(room.play, seat, room.telling(language_of(request.scope)), room.header)

    @api.get(
        "/tables/{table}/replay",
        summary="A finished game, turn by turn",
        response_class=JSONResponse,
    )
    async def replayed(
        request: Request,
        table: Table,
        seat: Annotated[int | None, Query(ge=0)] = None,
        lang: Language = None,  # noqa: ARG001
    ) -> Response:
        room = await finished(table)
        if seat is not None and seat >= len(room.header.seats):
            raise BadOption("no_such_seat", seat=seat, last=len(room.header.seats) - 1)
        you = room.seat_of(token_of(request.scope))
        wished = {"language": language_of(request.scope), "seat": seat, "you": you}
        path = await archive.file(address_of(request.scope), room, "replay", **wished)
        return FileResponse(path, media_type="application/json")

    @api.get(
        "/tables/{table}/record",
        summary="The record of a finished game",
        response_class=JSONResponse,
    )
    async def record(request: Request, table: Table) -> Response:
        room = await finished(table)
        path = await archive.file(address_of(request.scope), room, "record")
        name = f"{room.header.game}-{room.id}.json"
        return FileResponse(path, media_type="application/json", filename=name)

    @api.get("/tables/{table}/fair", summary="How the deal of a finished game can be checked")
    async def fairness(table: Table) -> Json:
        return messages.fair(await finished(table))

    @api.get(
        "/tables/{table}/review",
        summary="What the coach says of a finished game",
        responses={202: {"model": Done, "description": "It is still thinking: ask again"}},
    )
    async def review(request: Request, table: Table, lang: Language = None) -> Response:  # noqa: ARG001
        room = await finished(table)
        judged = await reviews.of(room, address_of(request.scope))
        if judged is None:
            return JSONResponse({"table": table}, 202, headers={"retry-after": "2"})
        labels = replay.labels(room, judged, language_of(request.scope))
        return JSONResponse({**judged, "labels": labels})

    @api.get("/statistics", summary="Finished games of this device")
    async def statistics(request: Request) -> list[Json]:
        device = cookie_of(request.scope["headers"], DEVICE)
        if device is None:
            return []
        standings = await house.store.statistics(device=device_hash(device))
        kept = ("game", "name", "games", "wins", "least", "most", "mean", "last")
        return [{name: getattr(one, name) for name in kept} for one in standings]

    @api.get("/wire.json", summary="The schema of the messages on a socket")
    async def wire() -> Json:
        return wire_schema()

    return api


def link(room: Room, invite: str) -> str:
    return f"/table/{room.id}#invite={invite}"


def shown(room: Room) -> Json:
    facts = {"table": messages.table(room), "lobby": messages.lobby(room)}
    return {**facts, "fair": messages.fair(room)}


# -- Cookies ------------------------------------------------------------------------------------


def bake(request: Request, response: Response, name: str, value: str, path: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(
        name, value, max_age=YEAR, path=path, secure=secure, httponly=True, samesite="strict"
    )


def device_of(request: Request, response: Response) -> str:
    """What joins the finished games of one browser; it says nothing else about anybody."""
    device = cookie_of(request.scope["headers"], DEVICE) or secrets.token_urlsafe(16)
    bake(request, response, DEVICE, device, "/api")
    return device
