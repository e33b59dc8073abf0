"""Piles of Bullenparty, laid as well as can be: worked out for a player who asks, from what that player sees.

In the last round no other way of laying makes more points; before it, the piles that leave the best prospects,
as the careful bot judges them.
"""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.bots.careful.bullenparty import Own, what_it_has, worth_of_laying
from bullpen.game import Action, Seat, View
from bullpen.games import bullenparty
from bullpen.server.header import Header
from bullpen.server.play import Play
from bullpen.server.refused import Refused
from bullpen.server.sight import Telling


def arrangement(play: Play | None, seat: Seat, telling: Telling, header: Header) -> dict[str, Any]:
    """The moves in their order, the piles that they lead to, and the points that these make.

    In the last round that is mere sorting; before it, it is advice, which a table may do without."""
    table = play.table if play and play.game is bullenparty else None
    if play is None or table is None or table.phase != bullenparty.PILING or table.actor != seat:
        raise Refused(409, "nothing_to_arrange")
    if not header.coach and not table.emptied:
        raise Refused(403, "no_coach")
    actions, after = laid_well(play.view(seat))
    return {
        "decision": play.numbers[seat],
        "moves": telling.offers(actions),
        "piles": [list(pile) for pile in bullenparty.piles(after, seat)],
        "points": bullenparty.points(after, seat),
    }


def laid_well(
    view: View[bullenparty.Table],
) -> tuple[list[Action], bullenparty.Table]:
    """Until enough is laid; what lies hidden is imagined, and does not matter to one's own piles."""
    seat = view.seat
    assert seat is not None
    table, actions = bullenparty.imagine(view, Random(0)), []
    while table.phase == bullenparty.PILING and table.actor == seat:
        seen = bullenparty.view(table, seat)
        own = what_it_has(seen)
        action = max(seen.legal, key=lambda action: rank(table, own, action))
        actions.append(action)
        table, _ = bullenparty.apply(table, seat, action)
    return actions, table


def rank(table: bullenparty.Table, own: Own, action: Action) -> tuple[float, bool, int]:
    """What is worth most; among equals as few piles as possible, and the lowest card first."""
    card, onto = bullenparty.pile_move(action)
    return round(worth_of_laying(table, own, action), 6), onto is not None, -card
