"""The games, by their ids: a folder is a game.

Its `rules.py` and its words are all that it needs; what else lies there makes it quicker, stronger or prettier
(docs/adding-a-game.md).  A package of somebody else brings a game by an entry point of the group
`bullpen.games`.  Nothing outside these folders names a game.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from bullpen.about import About
from bullpen.game import BadOption, Game

ENTRY_POINTS = "bullpen.games"


def own_packages() -> list[str]:
    folders = sorted(Path(__file__).parent.glob("*/rules.py"))
    return [f"{__name__}.{rules.parent.name}" for rules in folders]


def found_games() -> dict[str, Game[Any]]:
    """Our own games, and those of other packages; one that cannot be loaded does not stop the others."""
    found: dict[str, Game[Any]] = {}
    for package in own_packages():
        game = game_in(package)
        found[game.ID] = game
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            game = game_in(entry.value)
        except Exception as error:
            warnings.warn(f"the game {entry.name} cannot be loaded: {error!r}", stacklevel=2)
        else:
            found.setdefault(game.ID, game)
    return dict(sorted(found.items(), key=lambda item: (about(item[1]).order, item[0])))


def game_in(package: str) -> Game[Any]:
    rules: Any = import_module(f"{package}.rules")
    return Game(rules)


def about(game: Game[Any]) -> About:
    found = getattr(import_module(package_of(game)), "ABOUT", None)
    return found if isinstance(found, About) else About()


def package_of(game: Game[Any]) -> str:
    return str(game.rules.__name__).removesuffix(".rules")


def folder_of(game: Game[Any]) -> Path:
    return Path(game.rules.__file__).parent


def package(game: str) -> ModuleType:
    """A game's folder itself: the small facts of its `__init__.py`."""
    return import_module(package_of(game_called(game)))


@cache
def has_part(game: str, name: str) -> bool:
    """Whether a game's folder has this file; it is not loaded, so that what it needs may be missing."""
    return find_spec(f"{package_of(game_called(game))}.{name}") is not None


@cache
def part(game: str, name: str) -> ModuleType | None:
    """A file that a game's folder may have or not: `twin`, `habit`, `reading`, `careful`, `board`."""
    return (
        import_module(f"{package_of(game_called(game))}.{name}") if has_part(game, name) else None
    )


def game_called(name: str) -> Game[Any]:
    if name not in GAMES:
        raise BadOption("unknown_game", game=name, known=", ".join(GAMES))
    return GAMES[name]


GAMES = found_games()
