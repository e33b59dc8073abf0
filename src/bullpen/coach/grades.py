"""How bad is a worse move?  By the points that it gives away, measured against what is usual in its game.

Points mean different things in different games: two of them are much in one and little in
another.  So the limits are shares of a game's spread: the standard deviation of one seat's lead at
the end of a round of random play with four players.
"""

from __future__ import annotations

from functools import cache
from random import Random
from statistics import stdev
from typing import Any, Literal

from bullpen.bots.plain_playouts import lead, played_out
from bullpen.deck import load_deck
from bullpen.game import Game, complete_options
from bullpen.games import about, game_called

Grade = Literal["forced", "fine", "inaccuracy", "mistake", "blunder"]

LIMITS: tuple[tuple[Grade, float], ...] = (  # from this share of the spread on
    ("blunder", 0.20),
    ("mistake", 0.08),
    ("inaccuracy", 0.03),
)
MEASURED = 200  # games
CLEAR = 2.0  # standard errors: a difference below that is no difference
WORSE_THAN_FINE: tuple[Grade, ...] = ("inaccuracy", "mistake", "blunder")


def spread(game: Game[Any]) -> float:
    known = about(game).spread
    return measured_spread(game.ID) if known is None else known


@cache
def measured_spread(game_id: str) -> float:
    """By plain playouts, for a game that does not tell it."""
    game, rng = game_called(game_id), Random(0)
    seats = min(4, game.SEATS[-1])
    options, deck = complete_options(game, seats, {}), load_deck(game.DECK_FILES)
    leads = [
        lead(game.scores(played_out(game, game.set_up(seats, options, deck), rng)), 0)
        for _ in range(MEASURED)
    ]
    return max(stdev(leads), 1.0)


def limits(game: Game[Any]) -> dict[Grade, float]:
    """The points from which on a move has each grade, the mildest first."""
    return {grade: round(share * spread(game), 2) for grade, share in reversed(LIMITS)}


def grade(game: Game[Any], behind: float, error: float) -> Grade:
    """Of a move that is so many points behind the best one; what is not clear is not blamed."""
    if behind <= CLEAR * error:
        return "fine"
    for name, share in LIMITS:
        if behind >= share * spread(game):
            return name
    return "fine"
