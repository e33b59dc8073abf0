"""Who would like to take over a bot's seat, and what the host has said: kept in memory alone, for as long as they ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bullpen.game import Seat

MOST = 10  # that wait at one table
SILENT_SECONDS = 15.0  # whoever has not asked again for so long asks no more


@dataclass(slots=True)
class Request:
    number: int  # by which the host answers
    key: str  # by which its asker asks again; nobody else knows it
    seat: Seat
    name: str
    device: str | None  # of a browser that asks, as a hash: one request each
    heard: float  # when they asked last, by the monotonic clock
    answer: Literal["none", "allowed", "declined"] = "none"


class Requests:
    """Of one table."""

    def __init__(self) -> None:
        self.all: list[Request] = []
        self.last_number = 0

    def open(self) -> list[Request]:
        """Those that the host has not answered."""
        return [one for one in self.all if one.answer == "none"]

    @property
    def is_full(self) -> bool:
        return len(self.all) >= MOST

    def add(self, key: str, seat: Seat, name: str, device: str | None, now: float) -> Request:
        self.last_number += 1
        request = Request(self.last_number, key, seat, name, device, now)
        self.all.append(request)
        return request

    def by(self, key: str | None, device: str | None) -> Request | None:
        """Of whoever knows its key, or asks again from the same browser."""
        for one in self.all:
            if (key is not None and one.key == key) or (device and one.device == device):
                return one
        return None

    def numbered(self, number: int) -> Request | None:
        return next((one for one in self.open() if one.number == number), None)

    def end(self, request: Request) -> None:
        self.all = [one for one in self.all if one is not request]

    def forget_silent(self, now: float) -> bool:
        """Whether the host has been looking at one that is gone."""
        before = self.open()
        self.all = [one for one in self.all if now - one.heard <= SILENT_SECONDS]
        return self.open() != before
