"""Two moves compared at the end of the turn.

Where a turn has several moves, the quick moves of a playout after the first one would blame the order:
the card that one would lay next anyway looks better when it is laid at once.  So the seat goes on by the
coach's own advice to the last move of its turn, and only then the playout begins.
"""

from __future__ import annotations

from math import hypot
from random import Random
from typing import Any

from bullpen.coach.candidates import compared, ranked_candidates
from bullpen.game import Action, Game, View

LONGEST_TURN = 40  # moves
SHARE_ON_THE_WAY = 4  # so much less effort goes into each further move of the turn


def behind(
    game: Game[Any], view: View[Any], action: Action, better: Action, playouts: int, seed: int
) -> tuple[float, float]:
    """How much less an action is worth than another one, with its standard error; never below zero."""
    own, other = (to_end_of_turn(game, view, one, playouts, seed) for one in (action, better))
    if own[0] is view and other[0] is view:
        pair = compared(game, view, [action, better], playouts, seed)
        chosen = next(one for one in pair if one.move == game.NOTATION[action])
        return chosen.behind, chosen.behind_error
    (mine,), (theirs,) = (
        compared(game, last, [move], playouts // 2, seed) for last, move in (own, other)
    )
    # Of several moves in a turn none is made where who wins counts more than the lead, so the lead tells what they are worth.
    return max(0.0, theirs.lead - mine.lead), hypot(mine.error, theirs.error)


def to_end_of_turn(
    game: Game[Any], view: View[Any], action: Action, playouts: int, seed: int
) -> tuple[View[Any], Action]:
    """The last move of the turn that begins so, and what the seat knows before it."""
    actions = {move: number for number, move in game.NOTATION.items()}
    for _ in range(LONGEST_TURN):
        later = view_after(game, view, action, seed)
        if later is None:
            break
        view = later
        best = ranked_candidates(game, view, playouts // SHARE_ON_THE_WAY, seed)[0]
        action = actions[best.move]
    return view, action


def view_after(game: Game[Any], view: View[Any], action: Action, seed: int) -> View[Any] | None:
    """What the seat sees next, if it goes on at once and nothing new is turned up meanwhile."""
    views, start = [], game.before_choices(view)
    for chance in (seed, seed + 1):
        table, _ = game.apply(game.imagine(start, Random(chance)), view.seat or 0, action)
        if game.to_shuffle(table) or game.waiting_for(table) != [view.seat]:
            return None
        views.append(game.view(table, view.seat))
    return views[0] if views[0] == views[1] else None
