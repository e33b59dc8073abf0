"""A bot of one's own, as a function: it takes what is cheapest and otherwise plays its highest card.

    bullpen tournament x-nimmt --bots careful,uniform,examples/mybot.py:choose --players 3

`view` holds all that this seat may know, and the action must be one of `view.legal`; what else there is
stands in docs/adding-a-bot.md.
"""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.game import Action, Game, View


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:
    """The cheapest row if one has to be taken, else the highest card, else anything."""
    rows = {action: row_of(game, action) for action in view.legal}
    if all(rows.values()):
        return min(view.legal, key=lambda action: heads_in(view, rows[action]))
    plays = [action for action in view.legal if game.NOTATION[action].startswith("play ")]
    return max(plays) if plays else rng.choice(view.legal)


def row_of(game: Game[Any], action: Action) -> str:
    """`row 2`, if that is what the action takes."""
    move = game.NOTATION[action]
    return move if move.startswith("row ") else ""


def heads_in(view: View[Any], row: str) -> int:
    cards = view.cards(row)
    heads = view.table.deck.heads
    return sum(heads[card] for card in cards) if heads else len(cards)
