"""Plots of a tournament as SVG: drawn in the colours of the page that they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

WIDTH, LINE, LEFT, RIGHT, TOP, BOTTOM = 720, 34, 200, 70, 12, 34
BARS, BARS_HEIGHT = 24, 70
LONGEST_NAME = 26


class Span(NamedTuple):
    """A value, and from where to where it may lie."""

    name: str
    value: float
    low: float
    high: float
    label: str


def plot(height: float, title: str, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"


class Scale(NamedTuple):
    """From numbers to places between the left and the right margin."""

    least: float
    most: float

    def at(self, number: float) -> float:
        share = (number - self.least) / (self.most - self.least or 1)
        return LEFT + share * (WIDTH - LEFT - RIGHT)


def spans(
    title: str, rows: Sequence[Span], scale: Scale, marks: Sequence[tuple[float, str]]
) -> str:
    """A dot with its interval for each name; marks are lines across, with what they mean."""
    height = TOP + LINE * len(rows) + BOTTOM
    foot = height - BOTTOM + 6
    parts = [line(LEFT, foot, WIDTH - RIGHT, foot, "axis")]
    for number, label in marks:
        x = scale.at(number)
        parts += [line(x, TOP, x, foot, "mark"), text(x, foot + 18, label, "below")]
    for row, span in enumerate(rows):
        y, colour = TOP + LINE * (row + 0.5), f"c{row % 8}"
        x = scale.at(span.value)
        parts += [
            text(LEFT - 12, y + 5, shortened(span.name), "name"),
            line(scale.at(span.low), y, scale.at(span.high), y, f"reach {colour}"),
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" class="{colour}"/>',
            text(WIDTH - RIGHT + 8, y + 5, span.label, "value"),
        ]
    return plot(height, title, parts)


def histograms(title: str, rows: Sequence[tuple[str, dict[int, int]]]) -> str:
    """How often each bot had how many points: one below the other, on one scale."""
    least = min(min(times) for _, times in rows)
    most = max(max(times) for _, times in rows)
    width = -(-(most - least + 1) // BARS)
    bars = -(-(most - least + 1) // width)
    scale = Scale(least, least + bars * width)
    height = TOP + BARS_HEIGHT * len(rows) + BOTTOM
    parts: list[str] = []
    for row, (name, times) in enumerate(rows):
        foot = TOP + BARS_HEIGHT * (row + 1)
        found = [0] * bars
        for points, often in times.items():
            found[(points - least) // width] += often
        parts.append(text(LEFT - 12, foot - 8, shortened(name), "name"))
        for at, often in enumerate(found):
            x, tall = scale.at(least + at * width), often / max(found) * (BARS_HEIGHT - 14)
            wide = scale.at(least + (at + 1) * width) - x
            parts.append(
                f'<rect x="{x + 0.5:.1f}" y="{foot - tall:.1f}" width="{wide - 1:.1f}"'
                f' height="{tall:.1f}" class="c{row % 8}"/>'
            )
        parts.append(line(LEFT, foot, WIDTH - RIGHT, foot, "axis"))
    foot = height - BOTTOM + 20
    marks = (least, (least + most) // 2, most)
    parts += [text(scale.at(number), foot, str(number), "below") for number in marks]
    return plot(height, title, parts)
