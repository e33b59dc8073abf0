"""Finished games: replays, records, reviews, the proof of a fair deal, and statistics."""

from __future__ import annotations

import os
from http import HTTPStatus
from typing import Annotated, BinaryIO

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from bullpen.game import BadOption
from bullpen.server import messages, playing_on
from bullpen.server.house import House
from bullpen.server.refused import Refused
from bullpen.server.replay import labels, with_names, worded
from bullpen.server.requests import Done, PlayOn, Seated
from bullpen.server.room import Room
from bullpen.server.routes.cookies import keep_device, seated
from bullpen.server.routes.parameters import (
    REFUSALS,
    Address,
    Device,
    Json,
    Language,
    TableId,
    TheArchive,
    TheHouse,
    ThePlayers,
    TheReviews,
    Token,
)
from bullpen.server.store import FINISHED

PORTION = 64 * 1024  # bytes that are read at a time
STANDING = ("game", "name", "games", "wins", "least", "most", "mean", "last")

api = APIRouter(prefix="/api", responses=REFUSALS)


async def finished(house: House, table: str) -> Room:
    room = await house.room(table)
    if room.header.state != FINISHED:
        raise Refused(409, "not_over")
    if room.header.is_sealed:
        raise Refused(409, "daily_sealed", day=room.header.daily)
    return room


class Whole(Response):
    """A file that is open already.  Its portions are read by a thread: nobody else waits for a disk.  The last one says
    that it is the last: whoever has counted the bytes may ask for the next thing at once."""

    media_type = "application/json"

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.left = file, os.fstat(file.fileno()).st_size
        super().__init__(headers={"content-length": str(self.left)})

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        status, headers = HTTPStatus.OK, self.raw_headers
        with self.file:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            is_whole = False
            while not is_whole:
                portion = await to_thread.run_sync(self.file.read, PORTION)
                self.left -= len(portion)
                is_whole = not portion or self.left <= 0
                await send(
                    {"type": "http.response.body", "body": portion, "more_body": not is_whole}
                )


@api.get(
    "/tables/{table}/replay",
    summary="A finished game, turn by turn",
    response_class=JSONResponse,
)
async def replayed(
    table: TableId,
    house: TheHouse,
    archive: TheArchive,
    token: Token,
    address: Address,
    language: Language,
    seat: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    room = await finished(house, table)
    if seat is not None and seat >= len(room.header.seats):
        raise BadOption("no_such_seat", seat=seat, last=len(room.header.seats) - 1)
    wished = {"language": language, "seat": seat, "you": room.seat_of(token)}
    return Whole(await archive.file(address, room, "replay", **wished))


@api.get(
    "/tables/{table}/record",
    summary="The record of a finished game",
    response_class=JSONResponse,
)
async def record(
    table: TableId, house: TheHouse, archive: TheArchive, address: Address
) -> Response:
    room = await finished(house, table)
    answer = Whole(await archive.file(address, room, "record"))
    name = f"{room.header.game}-{room.id}.json"
    answer.headers["content-disposition"] = f'attachment; filename="{name}"'
    return answer


@api.post(
    "/tables/{table}/play-on",
    status_code=HTTPStatus.CREATED,
    summary="A finished game played on from one of its positions, against bots",
)
async def play_on(
    request: Request,
    response: Response,
    table: TableId,
    wish: PlayOn,
    house: TheHouse,
    archive: TheArchive,
    players: ThePlayers,
    device: Device,
    address: Address,
    language: Language,
) -> Seated:
    room = await finished(house, table)
    if wish.kind == "program":
        with archive.work_for(address):
            sat = await playing_on.play_on(house, room, wish, address, None)
        return seated(request, response, sat)
    arrived = await players.arrive(device, wish.name)
    async with players.making_a_table(arrived):
        with archive.work_for(address):
            sat = await playing_on.play_on(house, room, wish, address, arrived.device)
    await players.meet(arrived.device, wish.name, language)
    keep_device(request, response, arrived.device)
    return seated(request, response, sat)


@api.get("/tables/{table}/fair", summary="How the deal of a finished game can be checked")
async def fairness(table: TableId, house: TheHouse) -> Json:
    return messages.fair(await finished(house, table))


@api.get(
    "/tables/{table}/review",
    summary="What the coach says of a finished game",
    responses={202: {"model": Done, "description": "It is still thinking: ask again"}},
)
async def review(
    table: TableId, house: TheHouse, reviews: TheReviews, address: Address, language: Language
) -> Response:
    room = await finished(house, table)
    found = await reviews.of(room, address)
    if found is None:
        return JSONResponse({"table": table}, 202, headers={"retry-after": "2"})
    words = {"labels": labels(room, found, language), "decisions": worded(found, language)}
    return JSONResponse({**with_names(found, room.header.names), **words})


@api.get("/statistics", summary="Finished games of this player, by game")
async def statistics(device: Device, players: ThePlayers) -> list[Json]:
    standings = await players.statistics(device)
    return [{name: getattr(one, name) for name in STANDING} for one in standings]
