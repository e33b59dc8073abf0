"""Compiled twins of the games: the same rules at the speed of C.

For search bots, vector environments and mass simulation.  The plain modules are the product; a twin is
proven equal to its plain game move by move (tests/test_twins.py).  Needs the extra `fast`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bullpen.cards import Problem
from bullpen.games import game_called

if TYPE_CHECKING:
    from bullpen.fast.batches import Batch


def twin(game: str) -> Any:
    """The compiled twin of a game, by the game's id."""
    try:
        from bullpen.fast import dispatch
    except ModuleNotFoundError as error:
        raise Problem("fast_missing", package=error.name) from None
    try:
        module = import_module(f"bullpen.fast.{game_called(game).ID.replace('-', '_')}")
    except ModuleNotFoundError:
        raise Problem("no_twin", game=game) from None
    dispatch.register(module)
    return module


def batch(game: str, seats: int, n: int, **settings: Any) -> Batch:
    """n games stepped at once; see `bullpen.fast.batches.Batch`."""
    twin(game)
    from bullpen.fast.batches import Batch

    return Batch(game, seats, n, **settings)
