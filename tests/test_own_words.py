"""Moves in the language of whoever types them: what is shown can be typed, and means the same."""

from __future__ import annotations

import pytest

from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.terminal.moves import in_notation
from bullpen.text import voice


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_shown_of_a_move_can_be_typed(game: str, language: str) -> None:
    spoken = voice(language)
    moves = list(GAMES[game].NOTATION.values())
    for move in moves:
        assert in_notation(spoken, spoken.typed(move), moves) == move
