"""Decisions that can be solved: where a game's `endgame.py` can, nothing has to be imagined or played out.

What is best there may be to choose now this, now that: whoever always chose the same would be found out.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np

from bullpen import fast
from bullpen.game import Action, Game, View
from bullpen.games import has_part, part

PLACES = 9  # after the point: what rounding has done beyond is no difference


class Solved(NamedTuple):
    """One action, with both sides going on without a fault."""

    lead: float
    share: float  # how often a player without a fault takes it


def solved(game: Game[Any], view: View[Any]) -> dict[Action, Solved] | None:
    """All legal actions; None where a decision cannot be solved, which is nearly always."""
    if view.seat is None or not has_part(game.ID, "endgame"):
        return None
    endgame: Any = part(game.ID, "endgame")
    if view.table.seats not in endgame.SEATS:
        return None
    twin = fast.twin(game.ID)
    record = twin.to_record(game.imagine(game.before_choices(view), Random(0)))
    leads, shares = np.zeros(twin.ACTIONS), np.zeros(twin.ACTIONS)
    if not endgame.solve(record, view.seat, leads, shares):
        return None
    return {
        action: Solved(round(float(leads[action]), PLACES), round(float(shares[action]), PLACES))
        for action in view.legal
    }


def without_thinking(game: Game[Any], view: View[Any], rng: Random) -> Action | None:
    """The only legal action, or one of a solution, as often as it should be taken; None: think."""
    if len(view.legal) == 1:
        return view.legal[0]
    if found := solved(game, view):
        return rng.choices([*found], [one.share for one in found.values()])[0]
    return None


def make_ready(game: Game[Any]) -> None:
    """Compile it, or load what was compiled before."""
    if has_part(game.ID, "endgame"):
        endgame: Any = part(game.ID, "endgame")
        twin = fast.twin(game.ID)
        endgame.solve(np.zeros(1, twin.STATE), 0, np.zeros(twin.ACTIONS), np.zeros(twin.ACTIONS))
