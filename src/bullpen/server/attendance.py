"""Who is connected, who is away, and whose time runs: all by the monotonic clock."""

from __future__ import annotations

from collections.abc import Iterator

from bullpen.game import Seat
from bullpen.server.connection import Connection


class Attendance:
    """The sockets of one table, by seat; None is the spectators'."""

    def __init__(self) -> None:
        self.sockets: dict[Seat | None, set[Connection]] = {}
        self.stand_ins: set[Seat] = set()  # seats that a bot plays because their people are away
        self.left: set[Seat] = set()  # seats whose people said that they go, and may come back

    def add(self, connection: Connection) -> bool:
        """Whether this seat was away before."""
        there = self.sockets.setdefault(connection.seat, set())
        there.add(connection)
        if connection.seat is not None:
            self.left.discard(connection.seat)
        return len(there) == 1

    def remove(self, connection: Connection) -> bool:
        """Whether this seat is away now."""
        there = self.sockets.get(connection.seat, set())
        there.discard(connection)
        if there:
            return False
        return self.sockets.pop(connection.seat, None) is not None

    def end(self, seat: Seat) -> set[Connection]:
        """Whoever was here is not any more; their sockets are to be closed."""
        self.stand_ins.discard(seat)
        self.left.discard(seat)
        return self.sockets.pop(seat, set())

    def is_here(self, seat: Seat) -> bool:
        return seat in self.sockets

    @property
    def spectators(self) -> int:
        return len(self.sockets.get(None, ()))

    def of(self, seat: Seat | None) -> set[Connection]:
        return self.sockets.get(seat, set())

    def everyone(self) -> Iterator[Connection]:
        for there in self.sockets.values():
            yield from there


class Deadlines:
    """Until when each seat has to decide.  The clock starts when the animation has had its time."""

    def __init__(self) -> None:
        self.until: dict[Seat, float] = {}
        self.animated_until = 0.0

    def animate(self, now: float, seconds: float) -> None:
        self.animated_until = max(now, self.animated_until) + seconds

    def start(self, seat: Seat, now: float, seconds: float) -> None:
        self.until[seat] = max(now, self.animated_until) + seconds

    def stop(self, seat: Seat) -> None:
        self.until.pop(seat, None)

    def left(self, seat: Seat, now: float) -> float | None:
        return round(max(0.0, self.until[seat] - now), 1) if seat in self.until else None

    def due(self, now: float) -> list[Seat]:
        return [seat for seat, until in self.until.items() if until <= now]
