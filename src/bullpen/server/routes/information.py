"""What is the same for everybody: the games, and how messages look."""

from __future__ import annotations

from fastapi import APIRouter

from bullpen.server.catalogue import catalogue
from bullpen.server.routes.parameters import REFUSALS, Json, Language
from bullpen.server.wire.schema import wire_schema

api = APIRouter(prefix="/api", responses=REFUSALS)


@api.get("/games", summary="The games, their options, the levels of bots")
async def games(language: Language) -> Json:
    return catalogue(language)


@api.get("/wire.json", summary="The schema of the messages on a socket")
async def wire() -> Json:
    return wire_schema()
