"""How long a game can get, how many points it can bring: true bounds, not always tight ones.

OpenSpiel asks for them before the first card is dealt.  Each game's stand in its `environment.py`, beside their
reason.
"""

from __future__ import annotations

from typing import NamedTuple


class Bounds(NamedTuple):
    decisions: int
    shuffles: int
    least: int  # points of a seat
    most: int


def whole(value: object) -> int:
    assert isinstance(value, int)
    return value
