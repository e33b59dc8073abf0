"""Pictures for the page of a review, as SVG that stands in the page: the chart, bars, cards."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import Any

from bullpen.cards import Card
from bullpen.coach.curves import Point
from bullpen.coach.grades import WORSE_THAN_FINE
from bullpen.deck import Deck
from bullpen.game import Game

# A bull's head in a box of 10 by 10: two horns and a snout.
BULL = "M0 0C.6 2.6 1.8 3 3 3H7C8.2 3 9.4 2.6 10 0 10.8 3.6 9 5.2 7.6 5.2L6.7 9Q5 10.6 3.3 9L2.4 5.2C1 5.2-.8 3.6 0 0Z"
SYMBOLS = (
    '<svg width="0" height="0" aria-hidden="true" focusable="false" style="position:absolute">'
    f'<symbol id="bull" viewBox="-1 -1 12 12"><path d="{BULL}"/></symbol></svg>'
)
PAPER = {1: "#f3f1ea", 2: "#d3e6f7", 3: "#fbeeb0", 4: "#f8d9b6", 5: "#f6bd84", 6: "#eda59c"}
MANY_HEADS = "#cfb5e6"
COLOURS = ("#2563c9", "#e0b400", "#1f8f4d", "#cf2f2f", "#1c1c1c", "#ffffff")
INK, GREEN, RED = "#2b2622", "#1b7f46", "#c02f2f"
LINES = (  # colour and dashes by seat, to be told apart without colours too
    ("#2f7ed8", ""),
    ("#d9622b", "7 4"),
    ("#2a9d5c", "2 4"),
    ("#a24bc4", "10 4 2 4"),
    ("#c2972a", ""),
    ("#d1467f", "7 4"),
    ("#3aa6b0", "2 4"),
    ("#7d8794", "10 4 2 4"),
    ("#6a63d6", ""),
    ("#8a5a3c", "7 4"),
)


# -- Cards ------------------------------------------------------------------------------------


def card(game: Game[Any], deck: Deck, number: Card, label: str, mark: str = "") -> str:
    """A card with its number and its heads; `mark` is a class of the page for its frame."""
    name, paper, heads = face(game, deck, number)
    size = 17 if len(name) < 3 else 14
    return (
        f'<svg class="card {mark}" viewBox="0 0 40 56" role="img"><title>{escape(label)}</title>'
        f'<rect x="1" y="1" width="38" height="54" rx="5" fill="{paper}" class="edge"/>'
        f'<text x="20" y="21" font-size="{size}" text-anchor="middle" fill="{INK}" '
        f'font-weight="700">{escape(name)}</text>{bulls(heads)}</svg>'
    )


def face(game: Game[Any], deck: Deck, number: Card) -> tuple[str, str, list[str]]:
    """What it says, the colour of its paper, and the colour of each head."""
    name = game.CARD_NAMES.get(number)
    if name is not None:
        if (heads := deck.heads_on_bull(name)) is not None:
            return "", MANY_HEADS, [INK] * heads
        return (f"0{name}" if len(name) == 1 else name), PAPER[3], []
    if deck.colours:
        shown = zip(COLOURS, deck.colours[number], strict=True)
        return str(number), PAPER[1], [ink for ink, count in shown for _ in range(count)]
    heads = deck.heads[number]
    if deck.has_red_heads:
        return str(number), PAPER[1], [GREEN if heads > 0 else RED] * abs(heads)
    return str(number), PAPER.get(heads, MANY_HEADS), [INK] * heads


def bulls(inks: Sequence[str]) -> str:
    """Heads in rows of at most four, below the number."""
    rows = [inks[:4], inks[4:8]] if len(inks) > 4 else [inks]
    size = 11 if len(inks) < 4 else 9
    drawn = []
    for line, row in enumerate(rows):
        top, left = (36 if len(rows) == 1 else 28 + 12 * line), 20 - size / 2 * len(row)
        for at, ink in enumerate(row):
            edge = ' stroke="#2b2622" stroke-width=".7"' if ink in COLOURS else ""
            drawn.append(
                f'<use href="#bull" x="{left + size * at:g}" y="{top}" width="{size}" '
                f'height="{size}" fill="{ink}"{edge}/>'
            )
    return "".join(drawn)


# -- The chart --------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 330, 46, 14, 14, 34


def chart(
    curves: Sequence[tuple[int, Sequence[Point]]],
    rounds: Sequence[int],
    title: str,
    text: str,
    axis: str,
) -> str:
    """A line for each seat, dots where it went wrong, a fine line where a round begins."""
    points = [point for _, curve in curves for point in curve]
    least = min([0.0, *(point.lead for point in points)])
    most = max([0.0, *(point.lead for point in points)])
    step = nice_step(most - least)
    low, high = floor(least / step) * step, max(ceil(most / step) * step, step)
    last = max([1.0, *(point.moment for point in points)])

    def across(moment: float) -> float:
        return LEFT + moment / last * (WIDTH - LEFT - RIGHT)

    def down(lead: float) -> float:
        return TOP + (high - lead) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [grid(low, high, step, down)]
    for number, moment in enumerate(rounds, start=2):
        x = across(moment - 0.05)
        parts.append(f'<path class="round" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text class="tick" x="{x + 4:.1f}" y="{TOP + 11}">{number}</text>')
    for seat, curve in curves:
        ink, dashes = LINES[seat % len(LINES)]
        way = "L".join(f"{across(p.moment):.1f} {down(p.lead):.1f}" for p in curve)
        if way:
            parts.append(
                f'<path class="line" d="M{way}" stroke="{ink}" stroke-dasharray="{dashes}"/>'
            )
        parts += [
            f'<circle class="{p.grade}" cx="{across(p.moment):.1f}" cy="{down(p.lead):.1f}" '
            f'r="{3 + WORSE_THAN_FINE.index(p.grade)}" stroke="{ink}"/>'
            for p in curve
            if p.grade in WORSE_THAN_FINE
        ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text class="tick" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(axis)}</text>'
    )
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="chart-title '
        f'chart-text"><title id="chart-title">{escape(title)}</title>'
        f'<desc id="chart-text">{escape(text)}</desc>{"".join(parts)}</svg>'
    )


def grid(low: float, high: float, step: float, down: Any) -> str:
    parts, value = [], low
    while value <= high + step / 2:
        kind, y = ("zero" if abs(value) < step / 2 else "grid"), down(value)
        parts.append(f'<path class="{kind}" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        label = "0" if kind == "zero" else f"{value:+g}".replace("-", "−")
        parts.append(
            f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
        )
        value += step
    return "".join(parts)


def nice_step(span: float) -> float:
    """1, 2 or 5 times a power of ten, for about five lines."""
    rough = max(span, 1.0) / 5
    power = 10.0 ** floor(log10(rough))
    return float(next(power * times for times in (1, 2, 5, 10) if power * times >= rough))


def legend_line(seat: int) -> str:
    ink, dashes = LINES[seat % len(LINES)]
    return (
        '<svg class="key" viewBox="0 0 30 8" aria-hidden="true">'
        f'<path d="M1 4H29" stroke="{ink}" stroke-width="3" stroke-dasharray="{dashes}"/></svg>'
    )


def bar(value: float, most: float) -> str:
    """A bar from the middle to the right, or to the left below zero."""
    length = 38 * min(abs(value) / (most or 1), 1)
    kind, x = ("plus", 40.0) if value >= 0 else ("minus", 40 - length)
    return (
        '<svg class="bar" viewBox="0 0 80 8" aria-hidden="true"><path class="zero" d="M40 0V8"/>'
        f'<rect class="{kind}" x="{x:.1f}" y="1.5" width="{length:.1f}" height="5" rx="1.5"/></svg>'
    )
