"""How long a bot thinks: a number of playouts, which can be repeated, or a time."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple

from bullpen.game import BadOption

MOST_PLAYOUTS = 100_000_000
LONGEST_MS = 600_000


class Playouts(NamedTuple):
    """So many, shared evenly among the stages of a search."""

    number: int

    def stages(self, count: int) -> Iterator[Stage]:
        for _ in range(count):
            yield Stage(self.number // count, None)

    def share(self, part: float) -> Playouts:
        return Playouts(int(self.number * part))


class Milliseconds(NamedTuple):
    number: float

    def stages(self, count: int) -> Iterator[Stage]:
        start = monotonic()
        for stage in range(1, count + 1):
            yield Stage(None, start + self.number / 1000 * stage / count)

    def share(self, part: float) -> Milliseconds:
        return Milliseconds(self.number * part)


class Stage(NamedTuple):
    """A part of a search: up to so many playouts, or up to a time."""

    playouts: int | None
    deadline: float | None

    def portions(self, size: int) -> Iterator[int]:
        """Numbers of playouts, at least one portion, until the stage is over."""
        if self.playouts is not None:
            yield max(1, self.playouts)
            return
        assert self.deadline is not None
        yield size
        while monotonic() < self.deadline:
            yield size


Effort = Playouts | Milliseconds


def read_effort(bot: str, word: str) -> Effort:
    """`playouts=2000` or `ms=50`."""
    kind, _, number = word.partition("=")
    if kind == "playouts" and number.isascii() and number.isdigit():
        if 1 <= int(number) <= MOST_PLAYOUTS:
            return Playouts(int(number))
    if kind == "ms" and number.isascii() and number.isdigit():
        if 1 <= int(number) <= LONGEST_MS:
            return Milliseconds(int(number))
    raise BadOption("bad_effort", bot=bot, word=word, playouts=MOST_PLAYOUTS, ms=LONGEST_MS)
