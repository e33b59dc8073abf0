"""The careful bot: for each game a rule of thumb, as a thoughtful person at the table would have one.

Each game explains its rule at the top of its `careful.py`.  None of them plays on in its head: a choice is a
small sum over what lies open, so it takes about a millisecond.  A game without one gets a few playouts.
"""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.bots.likelihood import cheapest
from bullpen.bots.plain_playouts import lead_after
from bullpen.game import Action, Game, View
from bullpen.games import part

FEW = 16  # imagined tables


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:
    """What the game's rule of thumb says."""
    rule_of_thumb: Any = part(game.ID, "careful")
    if rule_of_thumb is None:
        return plainest(game, view, rng)
    action: Action = rule_of_thumb.choose(view, rng)
    return action


def plainest(game: Game[Any], view: View[Any], rng: Random) -> Action:
    """Played on at random a few times: crude, but it knows what a turn is about."""
    seat = view.seat
    assert seat is not None
    sign = 1 if game.best(view.table.options) is min else -1
    start = game.before_choices(view)
    tables = [(game.imagine(start, rng), rng.getrandbits(62)) for _ in range(FEW)]

    def cost(action: Action) -> float:
        leads = (lead_after(game, table, seat, action, Random(seed)) for table, seed in tables)
        return sign * sum(leads)

    return cheapest(view.legal, cost, rng)
