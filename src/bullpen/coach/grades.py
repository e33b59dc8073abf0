"""How bad is a worse move?  By the points that it gives away, measured against what is usual in its game.

Points mean different things in different games: two of them are much in Bullenparty and little in
Hornochsen!.  So the limits are shares of a game's spread: the standard deviation of one seat's lead at
the end of a round of random play with four players.
"""

from __future__ import annotations

from typing import Any, Literal

from bullpen.game import Game

Grade = Literal["forced", "fine", "inaccuracy", "mistake", "blunder"]

SPREAD = {  # in points, measured with 10,000 playouts
    "hornochsen": 33,
    "eleven-nimmt": 20,
    "x-nimmt": 14,
    "baron-oxx": 25,
    "bullenparty": 8.5,
    "six-nimmt": 11,
}
LIMITS: tuple[tuple[Grade, float], ...] = (  # from this share of the spread on
    ("blunder", 0.20),
    ("mistake", 0.08),
    ("inaccuracy", 0.03),
)
CLEAR = 2.0  # standard errors: a difference below that is no difference
WORSE_THAN_FINE: tuple[Grade, ...] = ("inaccuracy", "mistake", "blunder")


def limits(game: Game[Any]) -> dict[Grade, float]:
    """The points from which on a move has each grade, the mildest first."""
    return {grade: round(share * SPREAD[game.ID], 2) for grade, share in reversed(LIMITS)}


def grade(game: Game[Any], behind: float, error: float) -> Grade:
    """Of a move that is so many points behind the best one; what is not clear is not blamed."""
    if behind <= CLEAR * error:
        return "fine"
    for name, share in LIMITS:
        if behind >= share * SPREAD[game.ID]:
            return name
    return "fine"
