"""The tables of the games, drawn, and the question that each asks a person."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol, cast

from rich.text import Text

from bullpen.games import part
from bullpen.terminal.boards import generic
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.sight import Layout, Sight


class Board(Protocol):
    """A board is a module with these names."""

    def draw(self, sight: Sight) -> list[Text]:
        """The table as one sees it, line by line."""

    def question(self, sight: Sight) -> Question:
        """What the person who looks has to decide now."""


def board_of(sight: Sight) -> Board:
    """The game's own board, or the one that is drawn from its places."""
    board: Any = part(sight.game.ID, "board")
    return cast("Board", board or generic)


def drawn_table(sight: Sight) -> list[Text]:
    return board_of(sight).draw(sight)


def drawn_within(sight: Sight, room: int) -> list[Text]:
    """The table in so many lines; if even the shortest is longer, what one decides about comes last."""
    layouts: tuple[Layout, ...] = ("full", "brief", "players_first")
    for layout in layouts:
        lines = drawn_table(replace(sight, layout=layout))
        if len(lines) <= room:
            break
    return lines


def question_for(sight: Sight) -> Question:
    return board_of(sight).question(sight)
