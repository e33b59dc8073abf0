"""Cards laid as well as can be, for a player who asks: in games whose folder has an `arranging.py`."""

from __future__ import annotations

from typing import Any

from bullpen.game import Seat
from bullpen.games import part
from bullpen.server.header import Header
from bullpen.server.play import Play
from bullpen.server.refused import Refused
from bullpen.server.sight import Telling


def arrangement(play: Play | None, seat: Seat, telling: Telling, header: Header) -> dict[str, Any]:
    """The moves in their order, the piles that they lead to, and the points that these make.

    Where that is advice and not mere sorting, a table may do without."""
    arranging = part(play.game.ID, "arranging") if play else None
    if play is None or arranging is None or not arranging.can_arrange(play.table, seat):
        raise Refused(409, "nothing_to_arrange")
    if not header.coach and arranging.is_advice(play.table):
        raise Refused(403, "no_coach")
    arranged = arranging.arranged(play.view(seat))
    return {
        "decision": play.numbers[seat],
        "moves": telling.offers(arranged.actions),
        "piles": [list(pile) for pile in arranged.piles],
        "main": arranged.main,
        "points": arranged.points,
    }
