"""Whether a bot answers at once, or must be compiled first, which takes some seconds the first time."""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen import fast
from bullpen.bots import THINKING, bot_called
from bullpen.bots.levels import LEVELS
from bullpen.game import Game, View
from bullpen.games import about, has_part


def compiled_part(name: str) -> str | None:
    """The bot behind a name, if it is one that is compiled."""
    kind = name.partition(":")[0]
    if kind in LEVELS:
        kind = LEVELS[kind].bot
    return kind if kind in THINKING else None


def is_ready(name: str, game: Game[Any]) -> bool:
    kind = compiled_part(name)
    if kind is None or not has_part(game.ID, "twin"):
        return True
    fast.twin(game.ID)
    from bullpen.fast import compiling

    return compiling.is_compiled(f"{kind}-{game.ID}")


def ways_of(kind: str, game: Game[Any]) -> tuple[str, ...]:
    """The bots whose compiled code this one may need, with whatever number of players."""
    if kind != "judgement":
        return (kind,)
    return ("montecarlo", "search") if about(game).trees else ("montecarlo",)


def make_ready(name: str, game: Game[Any], view: View[Any]) -> None:
    """Compile, or load what was compiled before; `view` is any decision of this game."""
    kind = compiled_part(name)
    if kind is None or not has_part(game.ID, "twin"):
        return
    fast.twin(game.ID)
    from bullpen.bots import endgames
    from bullpen.fast import compiling

    with compiling.collection_paused():
        for way in ways_of(kind, game):
            bot_called(f"{way}:playouts=1")(game, view, Random(0))
        endgames.make_ready(game)
    if len(view.legal) > 1:  # with one legal move there was nothing to think about
        compiling.mark_compiled(f"{kind}-{game.ID}")
