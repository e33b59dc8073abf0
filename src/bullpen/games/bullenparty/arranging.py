"""Piles laid as well as can be: worked out for a player who asks, from what that player sees.

In the last round no other way of laying makes more points; before it, the piles that leave the best prospects,
as the careful bot judges them.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from bullpen.cards import Card
from bullpen.game import Action, Game, Seat, View
from bullpen.games.bullenparty import rules
from bullpen.games.bullenparty.careful import Own, what_it_has, worth_of_laying
from bullpen.games.bullenparty.rules import PILING, Table, main_pile, pile_move, piles, worth

GAME = Game(rules)


class Arranged(NamedTuple):
    """The moves in their order, the piles that they lead to, which of these is the main one, and the points that they make."""

    actions: list[Action]
    piles: list[tuple[Card, ...]]
    main: int
    points: int


def can_arrange(table: Table, seat: Seat) -> bool:
    return table.phase == PILING and table.actor == seat


def is_advice(table: Table) -> bool:
    """In the last round it is mere sorting."""
    return not table.emptied


def arranged(view: View[Table]) -> Arranged:
    assert view.seat is not None
    actions, after = laid_well(view)
    own = piles(after, view.seat)
    return Arranged(actions, own, main_pile(after, own), worth(after, view.seat))


def laid_well(view: View[Table]) -> tuple[list[Action], Table]:
    """Until enough is laid; what lies hidden is imagined, and does not matter to one's own piles."""
    seat = view.seat
    assert seat is not None
    table, actions = GAME.imagine(view, Random(0)), []
    while can_arrange(table, seat):
        seen = GAME.view(table, seat)
        own = what_it_has(seen)
        action = max(seen.legal, key=lambda action: rank(table, own, action))
        actions.append(action)
        table, _ = GAME.apply(table, seat, action)
    return actions, table


def rank(table: Table, own: Own, action: Action) -> tuple[float, bool, int]:
    """What is worth most; among equals as few piles as possible, and the lowest card first."""
    card, onto = pile_move(action)
    return round(worth_of_laying(table, own, action), 6), onto is not None, -card
