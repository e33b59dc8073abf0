"""Compiled twins: complete random games, one call a decision, batches, and a C program beside them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import single
from benchmarks.plain import SEATS
from bullpen import fast
from bullpen.arena.simulation import play, simulate
from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES


def fresh_record(game_id: str) -> tuple[Any, Any]:
    game, twin = GAMES[game_id], fast.twin(game_id)
    options, deck = complete_options(game, SEATS, {}), load_deck(game.DECK_FILES)
    return twin, twin.to_record(game.set_up(SEATS, options, deck))


def twin_rate(game_id: str, seconds: float) -> float:
    """Decisions a second on one core, complete random games with deal and scoring; the best of four."""
    twin, record = fresh_record(game_id)
    play(twin, record, 10, 0)
    start = time.perf_counter()
    play(twin, record, 500, 1)
    games = max(500, int(500 * seconds / 4 / (time.perf_counter() - start)))
    return max(rate_of(twin, record, games, seed) for seed in range(4))


def rate_of(twin: Any, record: Any, games: int, seed: int) -> float:
    start = time.perf_counter()
    _, lengths, _ = play(twin, record, games, seed)
    return float(lengths.sum() / (time.perf_counter() - start))


def c_rate(games: int) -> float | None:
    """The C program of benchmarks/six_nimmt.c; None without a compiler.  The best of four."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    source = Path(__file__).parent / "six_nimmt.c"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "six_nimmt"
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        return max(c_run(program, games, seed) for seed in range(4))


def c_run(program: Path, games: int, seed: int) -> float:
    ran = subprocess.run(
        [program, str(SEATS), str(games), str(seed)], check=True, capture_output=True, text=True
    )
    decisions, seconds, _ = ran.stdout.split()
    return int(decisions) / float(seconds)


def single_rate(game_id: str, seconds: float) -> float:
    """One call from Python a decision."""
    table = single.Single(game_id, SEATS, seed=1)
    advance, buffer = table.advance, table.buffer
    action, decisions = advance(buffer, table.first_action()), 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(10_000):
            action = advance(buffer, action)
        decisions += 10_000
    return decisions / (time.perf_counter() - start)


def batch_rate(game_id: str, seconds: float, jobs: int, n: int = 4096) -> float:
    """Decisions a second through the batch, masks filled after every step; the best of twenty."""
    games = fast.batch(game_id, SEATS, n, seed=1, jobs=jobs)
    games.step(games.sample())
    return max(stepping_rate(games, seconds / 20) for _ in range(20))


def stepping_rate(games: fast.batches.Batch, seconds: float) -> float:
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(20):
            games.step(games.sample())
        steps += 20
    return games.n * steps / (time.perf_counter() - start)


def simulation_rate(game_id: str, games: int, jobs: int) -> tuple[float, float]:
    """Seconds for a simulation with its full report, and decisions a second."""
    game = GAMES[game_id]
    options, deck = complete_options(game, SEATS, {}), load_deck(game.DECK_FILES)
    start = time.perf_counter()
    report = simulate(game, SEATS, options, deck, games, 1, jobs)
    report.as_json()
    return time.perf_counter() - start, report.decisions / report.seconds


def start_seconds(game_id: str, cache: str) -> float:
    """From the start of a new process to the end of its first compiled game."""
    # Numba loads these where they are installed, which is only beside the tests.
    code = f"""
import sys
sys.modules.update(coverage=None, scipy=None, yaml=None)
from bullpen.arena.simulation import prepare
from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES
game = GAMES[{game_id!r}]
prepare(game, {SEATS}, complete_options(game, {SEATS}, {{}}), load_deck(game.DECK_FILES))
print("played", flush=True)
"""
    # As on a user's machine, where Python keeps its bytecode.
    plain_env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env={**plain_env, "BULLPEN_CACHE": cache},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "played\n"
        return time.perf_counter() - start


def starts(game_id: str) -> tuple[float, float]:
    """Seconds to the first game: with an empty cache, and from the cache (the best of five)."""
    with tempfile.TemporaryDirectory() as cache:
        cold = start_seconds(game_id, cache)
        return cold, min(start_seconds(game_id, cache) for _ in range(5))


def record_bytes(game_id: str) -> int:
    return int(np.dtype(fast.twin(game_id).STATE).itemsize)
