"""A game once more, turn by turn, from what went into it: for whoever looks at it later, or in another language."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from bullpen.server.play import Made, Play, new_play
from bullpen.server.sight import Happened, happened, overdue


class Turn(NamedTuple):
    play: Play  # as it stood then
    decisions: list[Made]
    happenings: list[Happened]


def turns_again(whole: Play) -> Iterator[Turn]:
    """As everybody saw it go on; of a secret choice that is still open nothing is shown."""
    game, shuffles = whole.game, iter(whole.shuffles)
    play = new_play(game, whole.seats, whole.options, whole.deck)

    def dealt() -> list[Happened]:
        happenings: list[Happened] = []
        while game.to_shuffle(play.table):
            before = play.table
            happenings += happened(play, before, play.shuffle(next(shuffles)))
        return happenings

    yield Turn(play, [], dealt())
    for _, together in groupby(whole.made, key=attrgetter("moment")):
        decisions, happenings = list(together), list[Happened]()
        for one in decisions:
            before = play.table
            events = play.move(one.seat, play.numbers[one.seat], one.action, one.by)
            happenings += happened(play, before, events)
        yield Turn(play, decisions, [*overdue(play), *happenings, *dealt()])
