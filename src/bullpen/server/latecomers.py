"""Somebody who comes after the start takes over the seat of a bot, if the host lets them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from bullpen.game import Seat
from bullpen.server import door, seating
from bullpen.server.door import Change
from bullpen.server.header import Header, SeatTaken
from bullpen.server.house import House, Sat, by_the_host
from bullpen.server.late_requests import Request
from bullpen.server.refused import Refused
from bullpen.server.requests import LateAnswer, TakeOver
from bullpen.server.room import Room
from bullpen.server.store import new_token


class Asker(NamedTuple):
    wish: TakeOver
    token: str | None  # of the seat that they have, if any
    device: str | None  # a hash
    own: Sequence[str] = ()  # all devices of the same player


async def take_over(house: House, room: Room, asker: Asker) -> Sat | Request:
    """The seat, or the request for it that waits for the host's answer."""
    request = room.asking.by(asker.wish.request, asker.device)
    if request is not None and request.answer == "declined":
        raise Refused(403, "not_let_in")
    seat = seat_for(room, room.header, asker, request)
    if seating.needs_the_host(room.header, seat) and not is_allowed(request):
        return asked(room, asker, seat, request)
    own_token = new_token()
    # What the host has agreed to: this name, on this seat.
    name = request.name if request is not None and is_allowed(request) else asker.wish.name

    def sit(header: Header) -> Change:
        """All of it once more: somebody else may have sat down there, or the game may be over."""
        if seat_for(room, header, asker, request) != seat:
            raise Refused(409, "seat_taken")
        if seating.needs_the_host(header, seat) and not is_allowed(request):
            raise Refused(409, "seat_taken")
        assert room.play is not None
        seating.name_is_free(name, header.called())
        made = sum(one.seat == seat for one in room.play.made)
        person = SeatTaken(kind=asker.wish.kind, name=name, device=asker.device)
        seating.take_over(header, seat, person, made)
        return door.seating(seat, name, own_token)

    await door.through(room, sit)
    if room.undo_seat == seat:  # what the bot has decided is not theirs to take back
        room.undo_seat = None
    if request is not None:
        room.asking.end(request)
        room.broadcast_lobby()
    room.clocked.pop(seat, None)
    house.steward.go_on(room)
    return Sat(room, seat, own_token)


def seat_for(room: Room, header: Header, asker: Asker, request: Request | None) -> Seat:
    """Which seat it is about; refuses whoever may not have it in any case."""
    seating.is_under_way(header)
    if room.play is None or room.play.is_over:
        raise Refused(409, "late_over")
    if room.seat_of(asker.token) is not None or seating.sits(header, asker.own):
        raise Refused(409, "already_seated")
    seating.not_sent_away(header, asker.own)
    if not header.listed and not room.keys.invites(asker.wish.invite):
        raise Refused(403, "invite_needed")
    wanted = asker.wish.seat
    if request is not None and (wanted is None or is_allowed(request)):
        wanted = request.seat
    return seating.seat_to_take_over(header, wanted, room.here.left)


def is_allowed(request: Request | None) -> bool:
    return request is not None and request.answer == "allowed"


def asked(room: Room, asker: Asker, seat: Seat, request: Request | None) -> Request:
    """The host is told; whoever asks again is still there, and may have thought of another seat or name."""
    now, name = asyncio.get_running_loop().time(), asker.wish.name
    others = [one.name for one in room.asking.all if one is not request]
    seating.name_is_free(name, [*room.header.called(), *others])
    if request is None:
        if room.asking.is_full:
            raise Refused(429, "too_many_ask")
        request = room.asking.add(new_token(), seat, name, asker.device, now)
        room.broadcast_lobby()
    elif (request.seat, request.name) != (seat, name):
        request.seat, request.name = seat, name
        room.broadcast_lobby()
    request.heard = now
    return request


def answer(room: Room, token: str | None, said: LateAnswer) -> None:
    """By the host.  The seat changes hands when its asker fetches it: nobody waits for somebody who has gone."""
    by_the_host(room, room.header, token)
    request = room.asking.numbered(said.request)
    if request is None:
        raise Refused(409, "asks_no_more")
    request.answer = "allowed" if said.allow else "declined"
    room.broadcast_lobby()
