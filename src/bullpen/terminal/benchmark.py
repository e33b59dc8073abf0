"""`bullpen benchmark`: the tables of the family benchmark, a progress bar, scores, a result card."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bullpen.arena.family import Benchmark, Result, Score, suite
from bullpen.arena.family_card import card, is_repeatable, write_card
from bullpen.arena.family_check import check_card
from bullpen.arena.workers import Workers
from bullpen.cards import Problem
from bullpen.terminal import streams
from bullpen.terminal.complaint import complain
from bullpen.terminal.progress import Lines, games_bar
from bullpen.terminal.screen import Screen, write
from bullpen.terminal.simulate import decimal, percent
from bullpen.terminal.store import games_folder
from bullpen.text import printable

INTERRUPTED = 130  # exit code


@dataclass(frozen=True)
class Wishes:
    """The benchmark that somebody asks for."""

    benchmark: Benchmark
    workers: Workers
    card: Path
    as_json: bool


def folder() -> Path:
    return games_folder().parent / "benchmarks"


def usual_card(bot: str, *, is_whole: bool) -> Path:
    """Named after the bot, as far as a file can be; a part of the benchmark has a card of its own."""
    name = re.sub(r"[^\w.=-]+", "-", printable(bot)).strip("-.")
    return folder() / f"{name[:80]}{'' if is_whole else '-part'}.json"


def hold(screen: Screen, wishes: Wishes) -> int:
    """Play, show, keep the card; returns the exit code."""
    errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    benchmark, say = wishes.benchmark, screen.voice.say
    facts = {"tables": len(benchmark.plans), "deals": benchmark.deals, "games": benchmark.games}
    errors.print(say("benchmark.plan", bot=printable(benchmark.bot), **facts))
    with games_bar(errors) as shown, streams.kept_for_results():
        task = shown.add_task(say("benchmark.progress"), total=benchmark.games, rate="")
        lines = Lines(screen.voice, errors, benchmark.games)

        def progress(games: int) -> None:
            shown.update(task, completed=games)
            lines.update(games)

        benchmark.play(wishes.workers, folder() / f"family-{suite().version}", progress)
    if not benchmark.is_finished:
        return tell_end(screen, errors, benchmark)
    if wishes.as_json:
        sys.stdout.write(json.dumps(card(benchmark)) + "\n")
    else:
        tell(screen, benchmark)
    page = write_card(wishes.card, card(benchmark), markdown(screen, benchmark))
    errors.print(say("benchmark.card", file=wishes.card, page=page))
    return 0


def tell_end(screen: Screen, errors: Console, benchmark: Benchmark) -> int:
    code = INTERRUPTED
    if benchmark.stopped_by:
        code = complain(benchmark.stopped_by, screen.voice.language)
    done, tables = len(benchmark.results), len(benchmark.plans)
    errors.print(screen.voice.say("benchmark.to_go_on", done=done, tables=tables))
    return code


def tell_check(screen: Screen, bot: str, path: Path, games: Path) -> int:
    """Whether a card that was handed in tells the truth of this bot."""
    found = check_card(path, games)
    if found.bot != bot:
        raise Problem("benchmark_check_card", file=path, family=suite().version)
    facts = {"games": found.games, "tables": found.tables, "frozen": found.frozen}
    write(screen, screen.voice.say("benchmark.checked", bot=printable(bot), **facts))
    return 0


# -- The results ------------------------------------------------------------------------------


def title(screen: Screen, benchmark: Benchmark) -> str:
    return screen.voice.say("benchmark.title", bot=printable(benchmark.bot), family=suite().version)


def facts(screen: Screen, benchmark: Benchmark) -> list[str]:
    """How the numbers are meant."""
    say = screen.voice.say
    notes = [say("benchmark.meaning")]
    if benchmark.deals < suite().deals:
        notes.append(say("benchmark.quick", deals=benchmark.deals, all=suite().deals))
    if not is_repeatable(benchmark.bot):
        notes.append(say("benchmark.not_repeatable"))
    return notes


def score_columns(screen: Screen) -> list[str]:
    return [screen.voice.say(f"benchmark.{name}") for name in ("opponent", "score", "tables")]


def score_cells(screen: Screen, score: Score) -> list[str]:
    low, high = (decimal(screen, value, 3) for value in (score.low, score.high))
    shown = f"{decimal(screen, score.score, 3)} ({low} – {high})"
    return [score.opponent, shown, str(score.tables)]


def result_columns(screen: Screen) -> list[str]:
    names = ("game", "players", "opponent", "share", "even", "points", "their_points")
    return [screen.voice.say(f"benchmark.{name}") for name in names]


def result_cells(screen: Screen, result: Result) -> list[str]:
    cell = result.cell
    share = percent(screen, result.win_share)
    if result.deals > 1:
        low, high = decimal(screen, 100 * result.low, 1), decimal(screen, 100 * result.high, 1)
        share += f" ({low} – {high})"
    return [
        cell.rules.TITLE,
        str(cell.players),
        cell.opponent,
        share,
        percent(screen, 1 / cell.players),
        decimal(screen, result.points, 1),
        decimal(screen, result.their_points, 1),
    ]


def tell(screen: Screen, benchmark: Benchmark) -> None:
    write(screen, title(screen, benchmark), style="bold")
    show(
        screen,
        result_columns(screen),
        [result_cells(screen, result) for result in benchmark.results],
    )
    write(screen, "")
    show(screen, score_columns(screen), [score_cells(screen, score) for score in benchmark.scores])
    for sentence in facts(screen, benchmark):
        write(screen, sentence)


def show(screen: Screen, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, pad_edge=False)
    for at, column in enumerate(columns):
        table.add_column(column, justify="right" if at else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    screen.console.print(table)


def markdown(screen: Screen, benchmark: Benchmark) -> list[str]:
    scores = [score_cells(screen, score) for score in benchmark.scores]
    results = [result_cells(screen, result) for result in benchmark.results]
    return [
        f"# {title(screen, benchmark)}",
        "",
        *lines_of(score_columns(screen), scores),
        "",
        *facts(screen, benchmark),
        "",
        *lines_of(result_columns(screen), results),
    ]


def lines_of(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    marks = ["---", *["---:"] * (len(columns) - 1)]
    return [f"| {' | '.join(row)} |" for row in (columns, marks, *rows)]
