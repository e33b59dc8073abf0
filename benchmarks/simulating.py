"""How much of the bare twin's speed `bullpen simulate` keeps: `python -m benchmarks.simulating [--games N] [--turns N]`.

In CPU seconds, all threads together, and in turns, so that a busy machine matters little; the best of the turns.  6 nimmt! also beside
the C program.  What it takes to start is not counted.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.compiled import fresh_record
from benchmarks.plain import SEATS
from bullpen.arena.simulation import play, simulate
from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES

IN_C = "six-nimmt"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulating", description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="in each turn")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--game", action="append", choices=tuple(GAMES))
    wished = parser.parse_args()
    print("| game | twin, million decisions/s | simulate | of the twin | of the C program |")
    print("|---|---:|---:|---:|---:|")
    for game in wished.game or GAMES:
        print(line(game, wished.games, wished.turns), flush=True)


def line(game: str, games: int, turns: int) -> str:
    bare, whole, in_c = 0.0, 0.0, 0.0
    bare_rate(game, 100)
    whole_rate(game, 100)
    for _ in range(turns):
        bare = max(bare, bare_rate(game, games))
        whole = max(whole, whole_rate(game, games))
        in_c = max(in_c, c_rate(games)) if game == IN_C else 0.0
    beside = f"{whole / in_c:.2f}" if in_c else ""
    return f"| {game} | {bare / 1e6:.1f} | {whole / 1e6:.1f} | {whole / bare:.2f} | {beside} |"


def bare_rate(game: str, games: int) -> float:
    twin, record = fresh_record(game)
    start = time.process_time()
    _, lengths, _ = play(twin, record, games, 1)
    return float(lengths.sum() / (time.process_time() - start))


def whole_rate(game: str, games: int) -> float:
    rules = GAMES[game]
    options, deck = complete_options(rules, SEATS, {}), load_deck(rules.DECK_FILES)
    start = time.process_time()
    report = simulate(rules, SEATS, options, deck, games, 1, 1)
    report.as_json()
    return report.decisions / (time.process_time() - start)


def c_rate(games: int) -> float:
    """0.0 without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return 0.0
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "six_nimmt"
        source = Path(__file__).parent / "six_nimmt.c"
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        words = [str(program), str(SEATS), str(games), "1"]
        ran = subprocess.run(words, check=True, capture_output=True, text=True)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return int(ran.stdout.split()[0]) / spent


if __name__ == "__main__":
    main()
