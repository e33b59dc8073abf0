"""`bullpen simulate`: a progress bar, then the report as a table, as JSON, as plots."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bullpen.arena.simulation import (
    Counts,
    Report,
    histogram,
    is_compiled,
    prepare,
    simulate,
)
from bullpen.deck import Deck
from bullpen.game import Game, Options, titled
from bullpen.terminal.progress import Bar, games_bar
from bullpen.terminal.screen import Screen, write

BARS, LONGEST_BAR = 16, 40


def run(
    screen: Screen,
    game: Game[Any],
    seats: int,
    options: Options,
    deck: Deck,
    games: int,
    seed: int,
    jobs: int | None,
    tell: Callable[[Screen, Report], None],
) -> Report:
    """Simulate with a progress bar on the error output, then `tell` the report."""
    errors = Console(stderr=True, highlight=False, markup=False)
    say = screen.voice.say
    if not is_compiled(game):
        errors.print(say("simulate.compiling", title=game.TITLE))
        with errors.status(game.TITLE):
            prepare(game, seats, options, deck)
    with SimulationBar(screen, errors, games) as bar:
        report = simulate(game, seats, options, deck, games, seed, jobs, bar.update)
    if report.games < games:
        errors.print(say("simulate.interrupted"))
    if report.games:
        tell(screen, report)
    return report


class SimulationBar(Bar):
    """Games done, rate and time left; nothing where nobody watches."""

    def __init__(self, screen: Screen, errors: Console, games: int) -> None:
        self.screen = screen
        super().__init__(games_bar(errors), screen.voice.say("simulate.progress"), games)

    def update(self, games: int, decisions: int) -> None:
        seconds = self.shown.tasks[0].elapsed or 1e-9
        rate = self.screen.voice.say(
            "simulate.rate", rate=decimal(self.screen, decisions / seconds / 1e6, 1)
        )
        self.shown.update(self.task, completed=games, rate=rate)


# -- The report -------------------------------------------------------------------------------


def tell_json(_screen: Screen, report: Report) -> None:
    sys.stdout.write(json.dumps(report.as_json()) + "\n")


def tell_tables(screen: Screen, report: Report) -> None:
    say = screen.voice.say
    title = titled(report.game, report.options)
    write(screen, say("simulate.title", title=title, games=report.games, players=report.seats))
    rate = decimal(screen, report.decisions / report.seconds / 1e6, 1)
    seconds = decimal(screen, report.seconds, 1)
    facts = {"decisions": report.decisions, "seconds": seconds, "rate": rate, "jobs": report.jobs}
    write(screen, say("simulate.decisions", **facts))
    lengths = report.lengths
    write(
        screen,
        say(
            "simulate.lengths",
            mean=decimal(screen, lengths.mean, 1),
            least=min(lengths.times),
            most=max(lengths.times),
            median=lengths.quantile(0.5),
        ),
    )
    share, low, high = (percent(screen, part) for part in report.win_share(0))
    even = percent(screen, 1 / report.seats)
    write(screen, say("simulate.first_seat", share=share, even=even, low=low, high=high))
    tables = {"scores": score_table, "distribution": spread_table, "facts": facts_table}
    for heading, table in tables.items():
        screen.console.print()
        write(screen, say(f"simulate.{heading}"), style="bold")
        screen.console.print(table(screen, report))


def decimal(screen: Screen, number: float, places: int) -> str:
    """With a point or a comma, as the language writes it."""
    return screen.voice.decimal(number, places)


def percent(screen: Screen, share: float) -> str:
    return f"{decimal(screen, 100 * share, 1)} %"


def score_table(screen: Screen, report: Report) -> Table:
    say = screen.voice.say
    table = Table(box=None, pad_edge=False)
    for column in ("seat", "mean", "deviation", "least", "median", "most", "wins"):
        table.add_column(say(f"simulate.{column}"), justify="right")
    for seat, counts in enumerate(report.scores):
        share, _, high = report.win_share(seat)
        table.add_row(
            str(seat),
            decimal(screen, counts.mean, 2),
            decimal(screen, counts.deviation, 2),
            str(min(counts.times)),
            str(counts.quantile(0.5)),
            str(max(counts.times)),
            f"{percent(screen, share)} ±{percent(screen, high - share)}",
        )
    return table


def spread_table(screen: Screen, report: Report) -> Table:
    say = screen.voice.say
    everyone = Counts()
    for counts in report.scores:
        for number, times in counts.times.items():
            everyone.times[number] = everyone.times.get(number, 0) + times
    ranges = histogram(everyone, BARS)
    longest = max(times for *_, times in ranges)
    table = Table(box=None, pad_edge=False)
    table.add_column(say("simulate.points"), justify="right")
    table.add_column(say("simulate.games"), justify="right")
    table.add_column()
    for start, end, times in ranges:
        label = str(start) if start == end else f"{start}–{end}"
        share = times / everyone.total
        table.add_row(label, percent(screen, share), "#" * round(LONGEST_BAR * times / longest))
    return table


def facts_table(screen: Screen, report: Report) -> Table:
    say = screen.voice.say
    table = Table(box=None, pad_edge=False)
    table.add_column(say("simulate.fact"))
    table.add_column(say("simulate.times"), justify="right")
    for fact, count in report.as_json()["per_game"].items():
        table.add_row(say(f"simulate.of.{report.game.ID}.{fact}"), decimal(screen, count, 2))
    return table


def plot_labels(screen: Screen, report: Report) -> dict[str, str]:
    say, title = screen.voice.say, titled(report.game, report.options)
    heading = say("simulate.title", title=title, games=report.games, players=report.seats)
    plots = {
        name: say(f"simulate.plot_{name}") for name in ("scores", "lengths", "wins", "decisions")
    }
    words = {name: say(f"simulate.{name}") for name in ("seat", "points", "games", "share")}
    return {"title": heading, **plots, **words}


def checked_plot(name: str) -> Path:
    from bullpen.arena.plots import checked_plot_file

    return checked_plot_file(Path(name))


def tell_plots(screen: Screen, report: Report, path: Path) -> None:
    from bullpen.arena.plots import plot

    plot(report, path, plot_labels(screen, report))
    Console(stderr=True, highlight=False, markup=False).print(
        screen.voice.say("simulate.plot", file=path)
    )
