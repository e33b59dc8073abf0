"""How well the people of a finished game decided, as a thinking process finds out: after everybody else's work."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from typing import Any

from bullpen.server.header import Header
from bullpen.server.play import Made
from bullpen.server.thinking.coaching import PLAYOUTS

Json = dict[str, Any]
LOWEST = 19  # of the system's priorities
PERSON = "person"  # by whom a decision was made: no bot that stood in, no clock


def quality(question: Json) -> Json:
    """For each person (`whose`): decisions with a choice, the points that they gave away, and the squares of these.  The
    same judgement as in a review: only what is clear counts as lost."""
    from bullpen.coach.positions import positions
    from bullpen.coach.review import judge_decision
    from bullpen.server.play import as_match
    from bullpen.server.thinking.writing import table_of

    step_back()
    room = table_of(question)
    assert room.play is not None
    match = as_match(room.play, room.header.names)
    owners = owners_of(room.header, list(room.play.made))
    found: dict[str, list[float]] = {}
    for position, owner in zip(positions(match), owners, strict=True):
        if owner is None or len(position.view.legal) == 1:
            continue
        lost = judge_decision(match.game, position, PLAYOUTS, seed=0).lost
        own = found.setdefault(owner, [0, 0.0, 0.0])
        own[0], own[1], own[2] = own[0] + 1, own[1] + lost, own[2] + lost**2
    return {"found": found}


def owners_of(header: Header, made: list[Made]) -> list[str | None]:
    """The device of whoever made each decision; None where it was no person, or is nobody's any more."""
    counts, owners = [0] * len(header.seats), list[str | None]()
    for one in made:
        taken = header.seats[one.seat]
        device = next(
            (part.device for part in taken.earlier if counts[one.seat] < part.decisions),
            taken.device,
        )
        owners.append(device if one.by == PERSON else None)
        counts[one.seat] += 1
    return owners


@cache
def step_back() -> None:
    """Whatever else the machine has to do goes first."""
    with suppress(AttributeError, OSError):  # Windows has no such thing
        os.nice(LOWEST)
