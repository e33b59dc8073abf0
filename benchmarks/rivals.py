"""This version beside an earlier one, Pgx, EnvPool and OpenSpiel, in one run: decisions per processor second, random moves.

    python -m benchmarks.rivals [REVISION] [--seconds S] [--turns N] [--game GAME]

`make rivals` makes the environment in which the others live (`.tools/rivals`, versions in `benchmarks/rivals.txt`) and runs this.
All take turns, each in a process of its own, so that a busy machine slows all alike; told is the best of the turns.  Whoever
plays many games at once plays 1,024 and may use one thread; processor seconds are those of all threads anyway.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.beside import GAMES, ROOT, git
from benchmarks.stepping import BEFORE, measured

ENVIRONMENT = ROOT / ".tools" / "rivals" / "bin" / "python"
OURS, SEATS = "this version", 4  # as `benchmarks.stepping` seats them

COMMON = r"""
import json, sys, time
seconds, clock, rates = float(sys.argv[1]), time.process_time, {}


def measure(name, play):
    play()  # compiles, where something is compiled
    decisions, start = 0, clock()
    while clock() - start < seconds:
        decisions += play()
    rates[name] = decisions / (clock() - start)
"""

# One step at a time, as the others are asked, and a hundred in one compiled loop without Python in between.
PGX = r"""
import jax, pgx
from jax import numpy as jnp
from pgx.experimental import auto_reset

GAMES = 1024


def playing(name, steps):
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry, _):
        state, key = carry
        key, choosing, dealing = jax.random.split(key, 3)
        likely = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(choosing, likely)
        return (step(state, action, jax.random.split(dealing, GAMES)), key), None

    run = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=steps)[0])
    key = jax.random.PRNGKey(1)
    kept = [(jax.vmap(env.init)(jax.random.split(key, GAMES)), key)]

    def play():
        kept[0] = jax.block_until_ready(run(kept[0]))
        return GAMES * steps

    return play


for name in ("kuhn_poker", "leduc_holdem"):
    measure(f"{name}, 1,024 games, step by step", playing(name, 1))
    measure(f"{name}, 1,024 games, 100 steps at once", playing(name, 100))
"""

ENVPOOL = r"""
import envpool, numpy as np

GAMES = 1024
envs = envpool.make_gymnasium("CartPole-v1", num_envs=GAMES, num_threads=1, seed=1)
envs.reset()
actions = np.random.default_rng(1).integers(0, 2, (64, GAMES)).astype(np.int32)


def play():
    for row in actions:
        envs.step(row)
    return GAMES * len(actions)


measure("CartPole-v1, 1,024 games", play)
"""

OPEN_SPIEL = r"""
import pyspiel
from random import Random

rng = Random(1)


def playing(name, tensors):
    game = pyspiel.load_game(name)

    def play():
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                continue
            if tensors:
                state.information_state_tensor(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


measure("leduc_poker, one game", playing("leduc_poker", False))
measure("leduc_poker, one game, tensors", playing("leduc_poker", True))
"""

RIVALS = {"Pgx": PGX, "EnvPool": ENVPOOL, "OpenSpiel": OPEN_SPIEL}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rivals", description=__doc__)
    parser.add_argument("revision", nargs="?", default=BEFORE)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement")
    parser.add_argument("--turns", type=int, default=3, help="of each of them")
    parser.add_argument("--game", action="append", choices=GAMES)
    wished = parser.parse_args()
    games = wished.game or ["six-nimmt"]
    for line in lines(wished.revision, wished.seconds, wished.turns, games):
        print(line, flush=True)


def lines(revision: str, seconds: float, turns: int, games: Sequence[str]) -> Iterator[str]:
    """A line for each way to play a game of ours, then one for each rival."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        git("worktree", "add", "--detach", str(before), revision)
        try:
            best, failed = best_of(turns, {OURS: ROOT, revision: before}, games, seconds)
        finally:
            git("worktree", "remove", "--force", str(before))
    yield f"### Beside others: decisions per processor second, random moves, best of {turns} turns"
    yield ""
    yield f"| who | what | decisions | times those of {revision} | our vector makes so many times as many |"
    yield "|---|---|---:|---:|---:|"
    vector = best[OURS, named(games[0], "vector")]
    for (who, what), rate in best.items():
        if who != revision:
            ratio = f"{rate / best[revision, what]:.1f}" if who == OURS else ""
            yield f"| {who} | {what} | {rate:,.0f} | {ratio} | {vector / rate:.1f} |"
    for who, why in failed.items():
        yield f"| {who} | not measured: {why} | | | |"


def named(game: str, kind: str) -> str:
    return f"{game}, {SEATS} seats, {kind}"


EVERYTHING = ""  # no kind of `stepping` is left out
Rates = dict[tuple[str, str], float]  # by who and what


def best_of(
    turns: int, versions: Mapping[str, Path], games: Sequence[str], seconds: float
) -> tuple[Rates, dict[str, str]]:
    """The best rates, and who could not be measured, and why."""
    best: Rates = {}
    failed: dict[str, str] = {}
    for _ in range(turns):
        for who, tree in versions.items():
            for game in games:
                rates = measured(game, tree, seconds, EVERYTHING)
                keep(best, who, {named(game, kind): rate for kind, rate in rates.items()})
        for who in RIVALS.keys() - failed.keys():
            try:
                keep(best, who, measured_rival(RIVALS[who], seconds))
            except RuntimeError as error:
                failed[who] = str(error)
    return best, failed


def keep(best: Rates, who: str, rates: Mapping[str, float]) -> None:
    for what, rate in rates.items():
        best[who, what] = max(rate, best.get((who, what), 0.0))


def measured_rival(code: str, seconds: float) -> dict[str, float]:
    if not ENVIRONMENT.exists():
        raise RuntimeError("there is no .tools/rivals; `make rivals` makes it")
    ran = subprocess.run(
        [
            str(ENVIRONMENT),
            "-c",
            COMMON + code + "\nprint('rates', json.dumps(rates))",
            str(seconds),
        ],
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip().splitlines()[-1])
    rates: dict[str, float] = json.loads(ran.stdout.rpartition("rates ")[2])
    return rates


if __name__ == "__main__":
    main()
