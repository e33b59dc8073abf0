"""Decisions a second through the vector environment, beside the batch that it is built on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.plain import SEATS
from bullpen import fast
from bullpen.envs.petting import aec_env
from bullpen.envs.vector import vector_env
from bullpen.games import GAMES

GAMES_AT_ONCE = 4096
ROUNDS = 20  # of measuring, in which all take turns: the machine may be busy in between
KINDS: dict[str, dict[str, Any]] = {
    "masks": {"shown": "masks"},
    "observations": {},
    "one seat": {"seat": 0},
}


def lines(seconds: float) -> Iterator[str]:
    yield ""
    yield f"### Environments: {GAMES_AT_ONCE:,} games at once through Gymnasium's vector, two cores"
    yield ""
    yield (
        "Million decisions/s, and in brackets as a part of the batch alone, which was measured in turn"
        " with them; `one seat` counts only its own decisions."
    )
    yield ""
    yield "| game | batch with masks | " + " | ".join(KINDS) + " |"
    yield "|---|---:|" + "---:|" * len(KINDS)
    for game in GAMES:
        rates = vector_rates(game, seconds)
        batch = rates.pop("batch")
        cells = [f"{rate / 1e6:.2f} ({rate / batch:.2f})" for rate in rates.values()]
        yield f"| {game} | {batch / 1e6:.2f} | {' | '.join(cells)} |"
    yield ""
    rate = aec_rate("x-nimmt", seconds)
    yield f"PettingZoo in turn, plain rules, X nimmt!: {rate:,.0f} decisions/s."


def vector_rates(game: str, seconds: float) -> dict[str, float]:
    """The best of many short measurements of each kind, in turn with each other."""
    steps: dict[str, Callable[[], object]] = {"batch": batch_step(game)}
    steps |= {name: vector_step(game, wished) for name, wished in KINDS.items()}
    best = dict.fromkeys(steps, 0.0)
    for _ in range(ROUNDS):
        for name, step in steps.items():
            best[name] = max(best[name], stepping_rate(step, seconds / ROUNDS))
    return best


def batch_step(game: str) -> Callable[[], object]:
    games = fast.batch(game, SEATS, GAMES_AT_ONCE, seed=1, jobs=2)
    return lambda: games.step(games.sample())


def vector_step(game: str, wished: dict[str, Any]) -> Callable[[], object]:
    envs = vector_env(game, GAMES_AT_ONCE, SEATS, jobs=2, **wished)
    envs.reset(seed=1)
    return lambda: envs.step(envs.sample())


def stepping_rate(step: Callable[[], object], seconds: float) -> float:
    step()
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(10):
            step()
        steps += 10
    return GAMES_AT_ONCE * steps / (time.perf_counter() - start)


def aec_rate(game: str, seconds: float) -> float:
    """Random moves through PettingZoo, with observations."""
    env = aec_env(game, SEATS)
    decisions, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        env.reset(seed=decisions)
        for agent in env.agent_iter():
            observed, _, over, _, _ = env.last()
            env.step(None if over else env.action_space(agent).sample(observed["action_mask"]))
            decisions += not over
    return decisions / (time.perf_counter() - start)
