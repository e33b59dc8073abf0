"""Compiled twins of the games: the same rules at the speed of C.

For search bots, vector environments and mass simulation.  The plain modules are the product; a twin is
proven equal to its plain game move by move (tests/test_twins.py).  Needs Numba and NumPy.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bullpen.cards import Problem
from bullpen.games import part

if TYPE_CHECKING:
    from bullpen.fast.batches import Batch


@cache
def missing_package() -> str | None:
    """What compiled code needs and this installation lacks; without it there are no stronger bots, and no coach."""
    return next((name for name in ("numpy", "numba") if find_spec(name) is None), None)


def twin(game: str) -> Any:
    """The compiled twin of a game, by the game's id."""
    try:
        from bullpen.fast import dispatch
    except ModuleNotFoundError as error:
        raise Problem("fast_missing", package=(error.name or "numba").partition(".")[0]) from None
    module = part(game, "twin")
    if module is None:
        raise Problem("no_twin", game=game)
    dispatch.register(module)
    return module


def batch(game: str, seats: int, n: int, **settings: Any) -> Batch:
    """n games stepped at once; see `bullpen.fast.batches.Batch`."""
    twin(game)
    from bullpen.fast.batches import Batch

    return Batch(game, seats, n, **settings)
