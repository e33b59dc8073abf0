"""The tables of the six games, drawn, and the question that each asks a person."""

from __future__ import annotations

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
from bullpen.terminal.sight import Sight


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


def question_for(sight: Sight) -> Question:
    return BOARDS[sight.game.ID].question(sight)
