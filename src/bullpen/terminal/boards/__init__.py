"""The tables of the six games, drawn, and the question that each asks a person."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from rich.text import Text

from bullpen.terminal.boards import (
    baron_oxx,
    bullenparty,
    eleven_nimmt,
    hornochsen,
    six_nimmt,
    x_nimmt,
)
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.sight import Layout, Sight


class Board(Protocol):
    """A board is a module with these names."""

    def draw(self, sight: Sight) -> list[Text]:
        """The table as one sees it, line by line."""

    def question(self, sight: Sight) -> Question:
        """What the person who looks has to decide now."""


BOARDS: dict[str, Board] = {
    "hornochsen": hornochsen,
    "eleven-nimmt": eleven_nimmt,
    "x-nimmt": x_nimmt,
    "baron-oxx": baron_oxx,
    "bullenparty": bullenparty,
    "six-nimmt": six_nimmt,
}


def drawn_table(sight: Sight) -> list[Text]:
    return BOARDS[sight.game.ID].draw(sight)


def drawn_within(sight: Sight, room: int) -> list[Text]:
    """The table in so many lines; if even the shortest is longer, what one decides about comes last."""
    layouts: tuple[Layout, ...] = ("full", "brief", "players_first")
    for layout in layouts:
        lines = drawn_table(replace(sight, layout=layout))
        if len(lines) <= room:
            break
    return lines


def question_for(sight: Sight) -> Question:
    return BOARDS[sight.game.ID].question(sight)
