"""`make bench`: how fast the games run, as ratios against what was measured in the same run.

    python -m benchmarks [plain|compiled|environments|thinking|load|ratings|web] [--seconds S] [--write]

--write adds a dated section to benchmarks/results.md.
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import plain
from bullpen.games import GAMES

RESULTS = Path(__file__).parent / "results.md"
PARTS = ("plain", "compiled", "environments", "thinking", "load", "ratings", "web")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="?", choices=PARTS, help="only this part")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--write", action="store_true", help="add to benchmarks/results.md")
    wished = parser.parse_args()
    lines = []
    for line in report(wished.what, wished.seconds):
        print(line, flush=True)
        lines.append(line)
    if wished.write:
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *lines, ""]))


def report(what: str | None, seconds: float) -> Iterator[str]:
    yield f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    yield ""
    yield f"{processor()}, Python {platform.python_version()}, four seats."
    if what in (None, "plain"):
        yield from plain_part(seconds)
    if what in (None, "compiled"):
        yield from compiled_part(seconds)
    if what in (None, "environments"):
        from benchmarks import environments

        yield from environments.lines(seconds)
    if what in (None, "thinking"):
        from benchmarks import thinking

        yield from thinking.lines(seconds)
    if what in (None, "load"):
        from benchmarks import load

        yield from load.lines(seconds)
    if what in (None, "ratings"):
        from benchmarks import ratings

        yield from ratings.lines()
    if what in (None, "web"):
        from benchmarks import web

        yield from web.lines()


def processor() -> str:
    try:
        names = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    found = [line.partition(":")[2].strip() for line in names if line.startswith("model name")]
    return f"{len(found)} cores of {found[0]}" if found else platform.machine()


def plain_part(seconds: float) -> Iterator[str]:
    limit = plain.tight_rate(seconds)
    yield ""
    yield "### Plain Python, one core: choose from `legal`, `apply`, events"
    yield ""
    yield "| game | decisions/s | of a tight loop |"
    yield "|---|---:|---:|"
    yield f"| (tight loop: 6 nimmt! without views, events or checks) | {limit:,.0f} | 1.00 |"
    for game in GAMES:
        rate = plain.plain_rate(game, seconds)
        yield f"| {game} | {rate:,.0f} | {rate / limit:.2f} |"


def compiled_part(seconds: float) -> Iterator[str]:
    from benchmarks import compiled

    yield ""
    yield "### Compiled twins, one core: complete random games with deal and scoring"
    yield ""
    limit = compiled.c_rate(int(40_000 * seconds))
    yield "| game | million decisions/s | of the C program | bytes a record | cold start s | warm s |"
    yield "|---|---:|---:|---:|---:|---:|"
    if limit is None:
        yield "| (no C compiler found: no limit measured) | | | | | |"
    else:
        yield f"| (C program, 6 nimmt!) | {limit / 1e6:.1f} | 1.00 | | | |"
    for game in GAMES:
        rate = compiled.twin_rate(game, seconds)
        share = f"{rate / limit:.2f}" if limit else ""
        cold, warm = compiled.starts(game)
        size = compiled.record_bytes(game)
        yield f"| {game} | {rate / 1e6:.1f} | {share} | {size} | {cold:.1f} | {warm:.2f} |"
    yield from driven_part(seconds)


def driven_part(seconds: float) -> Iterator[str]:
    from benchmarks import compiled

    yield ""
    yield "### Driven from Python"
    yield ""
    yield "| what | million decisions/s |"
    yield "|---|---:|"
    for game in ("six-nimmt", "x-nimmt"):
        yield f"| {game}, one call a decision | {compiled.single_rate(game, seconds) / 1e6:.2f} |"
    for game in GAMES:
        for jobs in (1, 2):
            rate = compiled.batch_rate(game, seconds, jobs)
            cores = "one core" if jobs == 1 else "two cores"
            yield f"| {game}, batch of 4,096 with masks, {cores} | {rate / 1e6:.2f} |"
    yield from open_spiel_part(seconds)
    yield ""
    games = max(10_000, int(500_000 * seconds))
    one, many = (compiled.simulation_rate("x-nimmt", games, jobs) for jobs in (1, 2))
    yield (
        f"{games:,} simulated games of X nimmt! with the full report: {many[0]:.1f} s on two cores"
        f" ({many[1] / 1e6:.1f} million decisions/s), {one[0]:.1f} s on one: {one[0] / many[0]:.2f}"
        " times as fast."
    )


def open_spiel_part(seconds: float) -> Iterator[str]:
    """OpenSpiel's C++ through its Python API, where it is installed."""
    from benchmarks import open_spiel_rate

    for name, rate in open_spiel_rate.rates(seconds):
        yield f"| OpenSpiel's {name}, its Python API | {rate / 1e6:.2f} |"


if __name__ == "__main__":
    main()
