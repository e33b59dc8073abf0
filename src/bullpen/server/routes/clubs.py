"""Clubs: making and joining them, their page, and what their keeper may do."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from bullpen.server.club_requests import (
    ClubDoor,
    ClubLeft,
    ClubLink,
    ClubName,
    ClubShown,
    ClubStandings,
    JoinClub,
    MemberWish,
    NewClub,
    NewTournament,
    OwnClub,
    TournamentShown,
)
from bullpen.server.house import device_hash
from bullpen.server.requests import GameId
from bullpen.server.routes.cookies import keep_device
from bullpen.server.routes.parameters import (
    REFUSALS,
    Address,
    Device,
    Language,
    TheClubs,
    ThePlayers,
    TheTournaments,
)

api = APIRouter(prefix="/api/clubs", responses=REFUSALS)
ClubId = Annotated[str, Path(min_length=1, max_length=40)]
Month = Annotated[str, Query(pattern="^20[0-9]{2}-(0[1-9]|1[0-2])$")]


@api.get("", summary="Clubs that one belongs to")
async def own(device: Device, clubs: TheClubs) -> list[OwnClub]:
    return [OwnClub(**one) for one in await clubs.of(device_hash(device))]


@api.post("", status_code=HTTPStatus.CREATED, summary="Make a club; one keeps it")
async def make(
    request: Request,
    response: Response,
    wish: NewClub,
    clubs: TheClubs,
    players: ThePlayers,
    device: Device,
    address: Address,
    language: Language,
) -> ClubShown:
    arrived = await players.arrive(device, wish.player)
    await players.may_write(device)
    if wish.player:
        await players.meet(arrived.device, wish.player, language)
    hashed = str(device_hash(arrived.device))
    club = await clubs.make(wish.name, hashed, address)
    keep_device(request, response, arrived.device)
    return ClubShown(**await clubs.shown(club, hashed))


@api.get("/{club}", summary="The page of a club, for its members")
async def one(club: ClubId, clubs: TheClubs, device: Device) -> ClubShown:
    return ClubShown(**await clubs.shown(club, device_hash(device)))


@api.post("/{club}/look", summary="What an invitation is to")
async def look(
    club: ClubId, wish: ClubLink, clubs: TheClubs, device: Device, address: Address
) -> ClubDoor:
    return ClubDoor(**await clubs.door(club, wish.invite, device_hash(device), address))


@api.post("/{club}/join", summary="Become a member, by an invitation")
async def join(
    request: Request,
    response: Response,
    club: ClubId,
    wish: JoinClub,
    clubs: TheClubs,
    players: ThePlayers,
    device: Device,
    address: Address,
    language: Language,
) -> ClubShown:
    arrived = await players.arrive(device, wish.player)
    hashed = str(device_hash(arrived.device))
    await clubs.door(club, wish.invite, hashed, address)  # before anybody is met
    if wish.player:
        await players.meet(arrived.device, wish.player, language)
    await clubs.join(club, wish.invite, hashed, address)
    keep_device(request, response, arrived.device)
    return ClubShown(**await clubs.shown(club, hashed))


@api.post("/{club}/leave", summary="Leave a club; the keeping goes to who has been there longest")
async def leave(club: ClubId, clubs: TheClubs, device: Device) -> ClubLeft:
    await clubs.leave(club, str(device_hash(device)))
    return ClubLeft(club=club)


@api.put("/{club}", summary="The keeper gives it another name")
async def rename(
    club: ClubId, wish: ClubName, clubs: TheClubs, players: ThePlayers, device: Device
) -> ClubShown:
    await players.may_write(device)
    hashed = str(device_hash(device))
    await clubs.rename(club, hashed, wish.name)
    return ClubShown(**await clubs.shown(club, hashed))


@api.delete("/{club}", summary="The keeper ends the club")
async def delete(club: ClubId, clubs: TheClubs, device: Device) -> ClubLeft:
    await clubs.delete(club, str(device_hash(device)))
    return ClubLeft(club=club)


@api.post("/{club}/invite", summary="The keeper makes a new invitation; the old one ends")
async def renew(club: ClubId, clubs: TheClubs, device: Device) -> ClubShown:
    hashed = str(device_hash(device))
    await clubs.renew(club, hashed)
    return ClubShown(**await clubs.shown(club, hashed))


@api.post("/{club}/keeper", summary="The keeper hands over the keeping")
async def hand_over(club: ClubId, wish: MemberWish, clubs: TheClubs, device: Device) -> ClubShown:
    hashed = str(device_hash(device))
    await clubs.hand_over(club, hashed, wish.member)
    return ClubShown(**await clubs.shown(club, hashed))


@api.post("/{club}/send-away", summary="The keeper sends somebody away; the invitation ends")
async def send_away(club: ClubId, wish: MemberWish, clubs: TheClubs, device: Device) -> ClubShown:
    hashed = str(device_hash(device))
    await clubs.send_away(club, hashed, wish.member)
    return ClubShown(**await clubs.shown(club, hashed))


@api.get("/{club}/standings", summary="The standings of a month, in all games or in one")
async def standings(
    club: ClubId,
    clubs: TheClubs,
    device: Device,
    month: Month | None = None,
    game: GameId | None = None,
) -> ClubStandings:
    return ClubStandings(**await clubs.standings(club, device_hash(device), month, game))


@api.post(
    "/{club}/tournaments",
    status_code=HTTPStatus.CREATED,
    summary="Make a tournament that members can enter",
)
async def make_tournament(
    club: ClubId, wish: NewTournament, tournaments: TheTournaments, device: Device
) -> TournamentShown:
    hashed = str(device_hash(device))
    made = await tournaments.make(club, hashed, wish)
    return TournamentShown(**await tournaments.shown(made, hashed))
