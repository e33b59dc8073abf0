"""The HTTP part: making and joining tables, and looking at finished ones."""

from __future__ import annotations

from fastapi import APIRouter

from bullpen.server.routes import finished, information, me, mine, seats, tables
from bullpen.server.routes.parameters import REFUSALS


def router() -> APIRouter:
    """The application's `state.server` has what the routes work on."""
    api = APIRouter(prefix="/api", responses=REFUSALS)
    for part in (information, tables, seats, finished, me, mine):
        api.include_router(part.api)
    return api
