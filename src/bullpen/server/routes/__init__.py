"""The HTTP part: making and joining tables, and looking at finished ones."""

from __future__ import annotations

from starlette.routing import BaseRoute

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


def all_routes() -> list[BaseRoute]:
    """The application's `state.server` has what the routes work on."""
    parts = (
        *(information, tables, seats, finished, me, passkeys, mine, push),
        *(ratings, quick, daily, clubs, tournaments),
    )
    return [route for part in parts for route in part.api.routes]
