"""Tournaments: how one stands, entering and leaving it, and what whoever runs it may do."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from bullpen.server.club_requests import TournamentShown
from bullpen.server.house import device_hash
from bullpen.server.requests import Body
from bullpen.server.routes.parameters import REFUSALS, Device, TheTournaments

api = APIRouter(prefix="/api/tournaments/{tournament}", responses=REFUSALS)
TournamentId = Annotated[str, Path(min_length=1, max_length=40)]


class EntrantWish(Body):
    entrant: Annotated[int, Field(strict=True, ge=0, le=2**31)]


class TournamentEnded(Body):
    tournament: str


@api.get("", summary="A tournament: rounds, tables, standings")
async def one(
    tournament: TournamentId, tournaments: TheTournaments, device: Device
) -> TournamentShown:
    return TournamentShown(**await tournaments.shown(tournament, device_hash(device)))


@api.post("/enter", summary="Take part")
async def enter(
    tournament: TournamentId, tournaments: TheTournaments, device: Device
) -> TournamentShown:
    await tournaments.enter(tournament, str(device_hash(device)))
    return await one(tournament, tournaments, device)


@api.post("/withdraw", summary="Take part no more; one's points stay")
async def withdraw(
    tournament: TournamentId, tournaments: TheTournaments, device: Device
) -> TournamentShown:
    await tournaments.withdraw(tournament, str(device_hash(device)))
    return await one(tournament, tournaments, device)


@api.post("/start", summary="Draw lots and the first round")
async def start(
    tournament: TournamentId, tournaments: TheTournaments, device: Device
) -> TournamentShown:
    await tournaments.start(tournament, str(device_hash(device)))
    return await one(tournament, tournaments, device)


@api.post("/go-on", summary="Start the tables of this round without who is missing")
async def go_on(
    tournament: TournamentId, tournaments: TheTournaments, device: Device
) -> TournamentShown:
    await tournaments.go_on(tournament, str(device_hash(device)))
    return await one(tournament, tournaments, device)


@api.post("/leave-out", summary="Go on without somebody, from the next round on")
async def leave_out(
    tournament: TournamentId, wish: EntrantWish, tournaments: TheTournaments, device: Device
) -> TournamentShown:
    await tournaments.leave_out(tournament, str(device_hash(device)), wish.entrant)
    return await one(tournament, tournaments, device)


@api.post("/end", summary="End it; before the start nothing stays of it")
async def end(
    tournament: TournamentId, tournaments: TheTournaments, device: Device
) -> TournamentEnded:
    await tournaments.end(tournament, str(device_hash(device)))
    return TournamentEnded(tournament=tournament)
