"""OpenSpiel's C++ card games through its Python API, on the same machine in the same run.

Nothing is measured where `open_spiel` is not installed (extra `bench`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import find_spec
from random import Random
from typing import Any

COMPARABLE = ("goofspiel", "hearts", "oh_hell")


def rates(seconds: float) -> Iterator[tuple[str, float]]:
    if find_spec("pyspiel") is None:
        return
    import pyspiel

    for name in COMPARABLE:
        game = pyspiel.load_game(name)
        if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
        yield name, rate(game, seconds)


def rate(game: Any, seconds: float) -> float:
    """Decisions a second of random play; chance moves are played too, but not counted."""
    rng, decisions, start = Random(1), 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return decisions / (time.perf_counter() - start)
