"""Games as people name them: `X nimmt!`, `xnimmt`, `11nimmt`, `horn`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from bullpen.game import BadOption, Game
from bullpen.games import GAMES


def game_meant(name: str) -> Game[Any]:
    """The game with this id or title, however it is spelled, or the only one that begins so."""
    wanted = bare(name)
    by_name = {bare(spelled): game for game in GAMES.values() for spelled in (game.ID, game.TITLE)}
    if wanted in by_name:
        return by_name[wanted]
    beginning = {game.ID for bare_name, game in by_name.items() if bare_name.startswith(wanted)}
    if wanted and len(beginning) == 1:
        return GAMES[beginning.pop()]
    if near := get_close_matches(wanted, by_name, n=1):
        raise BadOption("unknown_game_near", name=name, near=by_name[near[0]].ID, known=known())
    raise BadOption("unknown_game", game=name, known=known())


def bare(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def known() -> str:
    return ", ".join(GAMES)
