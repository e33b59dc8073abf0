"""The HTTP part: making and joining tables, and looking at finished ones."""

from __future__ import annotations

from fastapi import APIRouter

from bullpen.server.routes import (
    clubs,
    daily,
    finished,
    information,
    me,
    mine,
    passkeys,
    push,
    quick,
    ratings,
    seats,
    tables,
    tournaments,
)
from bullpen.server.routes.parameters import REFUSALS


def router() -> APIRouter:
    """The application's `state.server` has what the routes work on."""
    api = APIRouter(prefix="/api", responses=REFUSALS)
    for part in (
        *(information, tables, seats, finished, me, passkeys, mine, push),
        *(ratings, quick, daily),
    ):
        api.include_router(part.api)
    for part in (clubs, tournaments):
        api.include_router(part.api)
    return api
