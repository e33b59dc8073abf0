"""What a route can take: parts of the server, and facts of the request.

Nothing here refuses anybody: what is wrong with a request itself is found before its table is looked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Path, Query, Request

from bullpen.server import guard, languages, sockets
from bullpen.server.archive import Archive
from bullpen.server.clubs import Clubs
from bullpen.server.cookies import DEVICE, cookie_of
from bullpen.server.daily import Daily
from bullpen.server.house import House
from bullpen.server.passkeys import Passkeys
from bullpen.server.players import Players
from bullpen.server.pushes import Pushes
from bullpen.server.quality import Quality
from bullpen.server.quick import Quick
from bullpen.server.ratings import Ratings
from bullpen.server.reports import Reports
from bullpen.server.requests import Refusal
from bullpen.server.reviews import Reviews
from bullpen.server.tournaments import Tournaments

if TYPE_CHECKING:
    from bullpen.server.app import Server

Json = dict[str, Any]
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal} for status in (400, 403, 404, 409, 410, 413, 422, 429, 503)
}

TableId = Annotated[str, Path(min_length=1, max_length=40)]
LanguageQuery = Annotated[languages.LanguageCode | None, Query()]


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


# Asynchronous, all of them: for a plain function FastAPI would wake a thread.


async def house(request: Request) -> House:
    return server_of(request).house


async def reviews(request: Request) -> Reviews:
    return server_of(request).reviews


async def players(request: Request) -> Players:
    return server_of(request).players


async def ratings(request: Request) -> Ratings:
    return server_of(request).ratings


async def pushes(request: Request) -> Pushes:
    return server_of(request).pushes


async def quality(request: Request) -> Quality:
    return server_of(request).quality


async def reports(request: Request) -> Reports:
    return server_of(request).reports


async def passkeys(request: Request) -> Passkeys:
    return server_of(request).passkeys


async def quick(request: Request) -> Quick:
    return server_of(request).quick


async def daily(request: Request) -> Daily:
    return server_of(request).daily


async def clubs(request: Request) -> Clubs:
    return server_of(request).clubs


async def tournaments(request: Request) -> Tournaments:
    return server_of(request).tournaments


async def device(request: Request) -> str | None:
    return cookie_of(request.scope["headers"], DEVICE)


async def archive(request: Request) -> Archive:
    return server_of(request).archive


async def address(request: Request) -> str:
    return guard.address_of(request.scope)


async def token(request: Request) -> str | None:
    return sockets.token_of(request.scope)


async def language(request: Request, lang: LanguageQuery = None) -> str:  # noqa: ARG001 — in the schema by this
    return languages.language_of(request.scope)


TheHouse = Annotated[House, Depends(house)]
TheReviews = Annotated[Reviews, Depends(reviews)]
TheDaily = Annotated[Daily, Depends(daily)]
ThePlayers = Annotated[Players, Depends(players)]
ThePushes = Annotated[Pushes, Depends(pushes)]
TheQuality = Annotated[Quality, Depends(quality)]
TheReports = Annotated[Reports, Depends(reports)]
ThePasskeys = Annotated[Passkeys, Depends(passkeys)]
TheQuick = Annotated[Quick, Depends(quick)]
TheRatings = Annotated[Ratings, Depends(ratings)]
TheClubs = Annotated[Clubs, Depends(clubs)]
TheTournaments = Annotated[Tournaments, Depends(tournaments)]
Device = Annotated[str | None, Depends(device)]
TheArchive = Annotated[Archive, Depends(archive)]
Address = Annotated[str, Depends(address)]
Token = Annotated[str | None, Depends(token)]
Language = Annotated[str, Depends(language)]
