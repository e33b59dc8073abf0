"""The cookies of a browser: one for each seat that it has, and one by which its player comes back."""

from __future__ import annotations

from fastapi import Request, Response

from bullpen.server.cookies import DEVICE, SEAT
from bullpen.server.house import Sat
from bullpen.server.requests import Seated

YEAR = 365 * 24 * 3600
DEVICE_PATH = "/api"


def seated(request: Request, response: Response, sat: Sat) -> Seated:
    """A browser gets its token as a cookie that scripts cannot read, a program in the answer."""
    answer = Seated(table=sat.room.id, seat=sat.seat)
    if sat.room.header.seats[sat.seat].kind == "program":
        answer.token = sat.token
    else:
        set_cookie(request, response, SEAT, sat.token, f"/api/tables/{sat.room.id}")
    return answer


def keep_device(request: Request, response: Response, device: str) -> None:
    """The secret by which somebody comes back; it says nothing about anybody."""
    set_cookie(request, response, DEVICE, device, DEVICE_PATH)


def set_cookie(request: Request, response: Response, name: str, value: str, path: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(
        name, value, max_age=YEAR, path=path, secure=secure, httponly=True, samesite="strict"
    )
