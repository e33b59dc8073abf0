"""My tables: those that go on, and those that are over."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from bullpen.server.players import PAGE
from bullpen.server.requests import FinishedGame, FinishedPage, GameId, RunningTable, Scored
from bullpen.server.routes.parameters import REFUSALS, Device, TheDaily, ThePlayers, TheRatings
from bullpen.server.routes.ratings import changed
from bullpen.server.store import Before
from bullpen.server.store.ratings import Change

api = APIRouter(prefix="/api/mine", responses=REFUSALS)


@api.get("/running", summary="Tables of this player that are not over, one's own turn first")
async def running(device: Device, players: ThePlayers) -> list[RunningTable]:
    return [RunningTable(**one) for one in await players.running(device)]


@api.get("/finished", summary="Finished games of this player, the last ones first")
async def finished(
    device: Device,
    players: ThePlayers,
    ratings: TheRatings,
    daily: TheDaily,
    game: GameId | None = None,
    before: Annotated[float | None, Query(ge=0, allow_inf_nan=False)] = None,
    before_table: Annotated[str, Query(max_length=40)] = "",
) -> FinishedPage:
    """`before` and `before_table`: `finished` and `table` of the last game of the page before."""
    place = None if before is None else Before(before, before_table)
    found = await players.finished(device, game, place)
    changes = await ratings.changes(device, [one.table for one in found])
    sealed = await daily.sealed((await players.arrive(device)).own) if found else set()
    games = [
        FinishedGame(
            table=one.table,
            game=one.game,
            seat=one.seat,
            finished=one.finished,
            replay=one.is_kept and one.table not in sealed,
            sealed=one.table in sealed,
            scores=[Scored(**score._asdict()) for score in one.scores],
            rating=changed(changes[one.table]) if is_rated(changes.get(one.table)) else None,
        )
        for one in found[:PAGE]
    ]
    return FinishedPage(games=games, more=len(found) > PAGE)


def is_rated(change: Change | None) -> bool:
    return change is not None and change.why_not is None
