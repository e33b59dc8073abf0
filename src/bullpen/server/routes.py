"""The HTTP part: making and joining tables, and looking at finished ones."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse

from bullpen.game import BadOption, Seat
from bullpen.server import messages, replay
from bullpen.server.archive import Archive
from bullpen.server.arranging import arrangement
from bullpen.server.catalogue import catalogue
from bullpen.server.connection import NORMAL
from bullpen.server.guard import address_of
from bullpen.server.house import House, Refused, device_hash
from bullpen.server.languages import language_of
from bullpen.server.requests import (
    Done,
    Invitation,
    JoinTable,
    Kick,
    NewTable,
    Refusal,
    Seated,
    Start,
)
from bullpen.server.reviews import Reviews
from bullpen.server.room import Room
from bullpen.server.sockets import COOKIE, cookie_of, token_of
from bullpen.server.store import FINISHED, LOBBY
from bullpen.server.wire.schema import wire_schema

Table = Annotated[str, Path(min_length=1, max_length=40)]
Language = Annotated[Literal["en", "pl"] | None, Query()]
Json = dict[str, Any]

DEVICE = "device"
YEAR = 365 * 24 * 3600
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal} for status in (400, 403, 404, 409, 410, 413, 422, 429, 503)
}
LISTED = 100  # tables on the page of open ones


def router(house: House, reviews: Reviews, archive: Archive) -> APIRouter:  # noqa: C901 — one short function a route
    api = APIRouter(prefix="/api", responses=REFUSALS)

    async def own_seat(request: Request, room: Room) -> Seat:
        seat = await house.seat_of(room, token_of(request.scope))
        if seat is None:
            raise Refused(403, "not_your_seat")
        return seat

    async def finished(table: str) -> Room:
        room = await house.room(table)
        if room.header.state != FINISHED:
            raise Refused(409, "not_over")
        return room

    async def host(request: Request, room: Room) -> Seat:
        seat = await own_seat(request, room)
        if seat != room.header.host:
            raise Refused(403, "only_the_host")
        return seat

    async def seated(
        request: Request, response: Response, room: Room, seat: Seat, kind: str
    ) -> Seated:
        """A browser gets its token as a cookie that scripts cannot read, a program in the answer."""
        token = await house.store.create_token(room.id, seat, "session", room.header.names[seat])
        answer = Seated(table=room.id, seat=seat)
        if kind == "program":
            answer.token = token
        else:
            bake(request, response, COOKIE, token, f"/api/tables/{room.id}")
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
        room, seat = await house.create(wish, address_of(request.scope), device)
        answer = await seated(request, response, room, seat, wish.kind)
        answer.invite, answer.link = await invite(room)
        return answer

    async def invite(room: Room) -> tuple[str, str]:
        token = await house.store.create_token(room.id, None, "invite")
        return token, f"/table/{room.id}#invite={token}"

    @api.get("/tables/{table}", summary="One table, and where one sits there")
    async def one(request: Request, table: Table) -> Json:
        room = await house.room(table)
        return {**shown(room), "seat": await house.seat_of(room, token_of(request.scope))}

    @api.post("/tables/{table}/join", summary="Take an open seat")
    async def join(request: Request, response: Response, table: Table, wish: JoinTable) -> Seated:
        room = await house.room(table)
        device = device_of(request, response) if wish.kind == "person" else None
        seat = await house.join(room, wish, device)
        return await seated(request, response, room, seat, wish.kind)

    @api.post("/tables/{table}/leave", summary="Give up the seat, or let a bot play on")
    async def leave(request: Request, table: Table) -> Done:
        room = await house.room(table)
        seat = await own_seat(request, room)
        if room.header.state == LOBBY:
            await house.free(room, seat)
        else:
            for connection in list(room.here.of(seat)):
                connection.close(NORMAL)
        return Done(table=room.id)

    @api.post("/tables/{table}/kick", summary="The host frees a seat before the start")
    async def kick(request: Request, table: Table, whom: Kick) -> Done:
        room = await house.room(table)
        seat = await host(request, room)
        if whom.seat == seat or whom.seat not in room.header.people():
            raise Refused(409, "nobody_to_kick", seat=whom.seat)
        await house.free(room, whom.seat)
        return Done(table=room.id)

    @api.post("/tables/{table}/start", summary="The host starts the game")
    async def start(request: Request, table: Table, wish: Start | None = None) -> Done:
        room = await house.room(table)
        seat = await host(request, room)
        if wish and wish.contribution and room.header.state == LOBBY:
            await room.contribute(seat, wish.contribution)
        await house.start(room)
        return Done(table=room.id)

    @api.post("/tables/{table}/invite", summary="A new invitation")
    async def invitation(request: Request, table: Table) -> Invitation:
        room = await house.room(table)
        await own_seat(request, room)
        if room.header.state != LOBBY:
            raise Refused(409, "already_started")
        token, link = await invite(room)
        return Invitation(invite=token, link=link)

    @api.post("/tables/{table}/rematch", summary="The next game with the same people")
    async def rematch(request: Request, response: Response, table: Table) -> Seated:
        room = await house.room(table)
        seat = await own_seat(request, room)
        new, seat = await house.rematch(room, seat, address_of(request.scope))
        return await seated(request, response, new, seat, new.header.seats[seat].kind)

    @api.get("/tables/{table}/arrange", summary="Bullenparty: one's cards laid on the best piles")
    async def arrange(request: Request, table: Table, lang: Language = None) -> Json:  # noqa: ARG001
        room = await house.room(table)
        seat = await own_seat(request, room)
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
        you = await house.seat_of(room, token_of(request.scope))
        language = language_of(request.scope)
        wished = {"language": language, "seat": seat, "you": you}
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
        device = cookie_of(dict(request.scope["headers"]), DEVICE)
        if device is None:
            return []
        standings = await house.store.statistics(device=device_hash(device))
        kept = ("game", "name", "games", "wins", "least", "most", "mean", "last")
        return [{name: getattr(one, name) for name in kept} for one in standings]

    @api.get("/wire.json", summary="The schema of the messages on a socket")
    async def wire() -> Json:
        return wire_schema()

    return api


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
    device = cookie_of(dict(request.scope["headers"]), DEVICE) or secrets.token_urlsafe(16)
    bake(request, response, DEVICE, device, "/api")
    return device
