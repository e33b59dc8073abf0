"""Whether a bot answers at once, or must be compiled first, which takes some seconds the first time."""

from __future__ import annotations

from typing import Any

from bullpen import fast
from bullpen.bots import THINKING
from bullpen.bots.levels import LEVELS
from bullpen.game import Game, View
from bullpen.games import about, has_part


def compiled_part(name: str) -> str | None:
    """The bot behind a name, if it is one that is compiled."""
    kind = name.partition(":")[0]
    if kind in LEVELS:
        kind = LEVELS[kind].bot
    return kind if kind in THINKING else None


def ways_of(name: str, game: Game[Any]) -> tuple[str, ...]:
    """What this bot may need compiled, with whatever number of players and at whatever decision."""
    kind = compiled_part(name)
    if kind is None or not has_part(game.ID, "twin"):
        return ()
    if kind == "judgement":
        return ("playouts", "trees") if about(game).trees else ("playouts",)
    return {"guessing": ("playouts", "guesses"), "search": ("trees",)}.get(kind, ("playouts",))


def is_ready(name: str, game: Game[Any]) -> bool:
    if not (ways := ways_of(name, game)):
        return True
    fast.twin(game.ID)
    from bullpen.fast import compiling

    return all(compiling.is_compiled(f"{way}-{game.ID}") for way in ways)


def make_ready(name: str, game: Game[Any], view: View[Any]) -> None:
    """Compile, or load what was compiled before; `view` is any decision of this game."""
    if not (ways := ways_of(name, game)):
        return
    fast.twin(game.ID)
    from bullpen.bots import endgames
    from bullpen.fast import compiling

    with compiling.collection_paused():
        endgames.make_ready(game)
        for way in ways:
            compile_way(way, game, view)
            compiling.mark_compiled(f"{way}-{game.ID}")


def compile_way(way: str, game: Game[Any], view: View[Any]) -> None:
    """By playing on no table at all."""
    import numpy as np

    from bullpen.bots.evaluation import Evaluator
    from bullpen.bots.search import TreeSearch

    judge = TreeSearch(game, view, 0) if way == "trees" else Evaluator(game, view, 0)
    if way == "playouts":
        judge.read_others(game, view)
    if way == "guesses":
        judge.guess(0)
    judge.play_out(np.array(view.legal), 0)
