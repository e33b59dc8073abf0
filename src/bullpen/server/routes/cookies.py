"""The cookies of a browser: one for each seat that it has, and one that joins its finished games."""

from __future__ import annotations

import secrets

from fastapi import Request, Response

from bullpen.server.cookies import DEVICE, SEAT, cookie_of
from bullpen.server.house import Sat
from bullpen.server.requests import Seated

YEAR = 365 * 24 * 3600


def seated(request: Request, response: Response, sat: Sat) -> Seated:
    """A browser gets its token as a cookie that scripts cannot read, a program in the answer."""
    answer = Seated(table=sat.room.id, seat=sat.seat)
    if sat.room.header.seats[sat.seat].kind == "program":
        answer.token = sat.token
    else:
        set_cookie(request, response, SEAT, sat.token, f"/api/tables/{sat.room.id}")
    return answer


def device_of(request: Request, response: Response, kind: str) -> str | None:
    """What joins the finished games of one browser; it says nothing else about anybody."""
    if kind != "person":
        return None
    device = cookie_of(request.scope["headers"], DEVICE) or secrets.token_urlsafe(16)
    set_cookie(request, response, DEVICE, device, "/api")
    return device


def set_cookie(request: Request, response: Response, name: str, value: str, path: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(
        name, value, max_age=YEAR, path=path, secure=secure, httponly=True, samesite="strict"
    )
