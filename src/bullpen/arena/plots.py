"""Plots of a simulation, as PNG or SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bullpen.arena.simulation import Report
from bullpen.cards import Problem

FORMATS = (".png", ".svg")
SEAT_COLOURS = ("#4f87a8", "#2b9484", "#d99a1c", "#dd6a2c", "#b0213c", "#6b5b95", "#7a8450")


def checked_plot_file(path: Path) -> Path:
    """Before hours of simulation, not after them."""
    if path.suffix.lower() not in FORMATS:
        raise Problem("plot_format", file=path)
    try:
        import matplotlib as mpl  # noqa: F401
    except ModuleNotFoundError as error:
        raise Problem("plot_missing", package=error.name) from None
    if not path.parent.is_dir():
        raise Problem("plot_unwritable", file=path, reason="no such folder")
    return path


def plot(report: Report, path: Path, labels: dict[str, str]) -> None:
    """Scores and lengths as histograms, wins by seat with their intervals."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4), layout="constrained")
    scores, lengths, wins = figure.subplots(1, 3)
    plot_scores(scores, report, labels)
    numbers = sorted(report.lengths.times)
    lengths.bar(numbers, [report.lengths.times[n] for n in numbers], width=1.0, color="#8a8f98")
    lengths.set(title=labels["lengths"], xlabel=labels["decisions"], ylabel=labels["games"])
    plot_wins(wins, report, labels)
    figure.suptitle(labels["title"])
    try:
        figure.savefig(path)
    except OSError as error:
        raise Problem("plot_unwritable", file=path, reason=error.strerror) from None


def plot_scores(axes: Any, report: Report, labels: dict[str, str]) -> None:
    for seat, counts in enumerate(report.scores):
        numbers = sorted(counts.times)
        times = [counts.times[number] for number in numbers]
        colour = SEAT_COLOURS[seat % len(SEAT_COLOURS)]
        axes.step(numbers, times, where="mid", color=colour, label=f"{labels['seat']} {seat}")
    axes.set(title=labels["scores"], xlabel=labels["points"], ylabel=labels["games"])
    axes.legend()


def plot_wins(axes: Any, report: Report, labels: dict[str, str]) -> None:
    shares = [report.win_share(seat) for seat in range(report.seats)]
    margins = [share - low for share, low, _ in shares]
    colours = [SEAT_COLOURS[seat % len(SEAT_COLOURS)] for seat in range(report.seats)]
    axes.bar(range(report.seats), [share for share, *_ in shares], yerr=margins, color=colours)
    axes.axhline(1 / report.seats, color="#444", linestyle="--", linewidth=1)
    axes.set_xticks(range(report.seats))
    axes.set(title=labels["wins"], xlabel=labels["seat"], ylabel=labels["share"])
