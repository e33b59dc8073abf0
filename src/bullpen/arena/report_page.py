"""The report of a tournament as one page that needs nothing else: tables and plots, light or dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from bullpen.arena import svg
from bullpen.arena.standings import Standings
from bullpen.arena.svg import Scale, Span
from bullpen.cards import Problem

MARK = '<meta name="generator" content="bullpen tournament">'
SIGMAS = 2  # on either side of a rating: about 95 %

STYLE = """
:root { color-scheme: light dark; --ground: #fbfaf7; --ink: #23262b; --faint: #8b9099; --rule: #d9d6ce;
  --c0: #1f6f8b; --c1: #b4572c; --c2: #2c8a6d; --c3: #8a3ea3; --c4: #a37c12; --c5: #b02a4c; --c6: #4d63b8; --c7: #5f7a2c; }
@media (prefers-color-scheme: dark) { :root { --ground: #17191d; --ink: #e8e6e1; --faint: #8f959f; --rule: #3a3e45;
  --c0: #5fb6d3; --c1: #ec9a6d; --c2: #63c9a6; --c3: #cf8ee6; --c4: #e0bd5a; --c5: #f0839c; --c6: #9aabf0; --c7: #afcd77; } }
body { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 54rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.3rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--rule); padding: 0.3rem 0.9rem 0.3rem 0; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
svg { width: 100%; height: auto; } svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.name { text-anchor: end; } .below { text-anchor: middle; fill: var(--faint); } .axis { stroke: var(--rule); }
.mark { stroke: var(--faint); stroke-dasharray: 3 4; } .reach { stroke-width: 3; }
""" + "".join(f".c{n} {{ fill: var(--c{n}); stroke: var(--c{n}); }} " for n in range(8))


class Words(NamedTuple):
    """What the page says, in the language of its reader."""

    language: str
    title: str
    facts: Sequence[str]  # sentences below the title
    head: Sequence[str]
    rows: Sequence[Sequence[str]]  # the table of the standings
    comparisons: Sequence[str]
    shares: Mapping[str, str]  # by bot, as it is written
    even: str
    headings: Mapping[str, str]


def checked_report(path: Path) -> Path:
    """Before the games and not after them; only a report is replaced by a report."""
    if path.suffix != ".html":
        raise Problem("report_name", file=path)
    try:
        if path.is_dir():
            raise Problem("report_unwritable", file=path, reason="a folder")
        if path.exists() and MARK not in path.read_text("utf-8", errors="replace"):
            raise Problem("report_exists", file=path)
        if not path.parent.is_dir():
            raise Problem("report_unwritable", file=path, reason="no such folder")
    except OSError as error:
        raise Problem("report_unwritable", file=path, reason=error.strerror) from None
    return path


def write_report(path: Path, found: Standings, seats: int, words: Words) -> None:
    try:
        path.write_text(page(found, seats, words), "utf-8")
    except OSError as error:
        raise Problem("report_unwritable", file=path, reason=error.strerror) from None


def page(found: Standings, seats: int, words: Words) -> str:
    say = words.headings
    sections = [
        (say["standings"], table(words)),
        (say["shares"], share_plot(found, seats, words)),
        (say["points"], points_plot(found, words)),
        (say["ratings"], rating_plot(found, words)),
    ]
    if words.comparisons:
        listed = "".join(f"<li>{escape(sentence)}</li>" for sentence in words.comparisons)
        sections.append((say["comparisons"], f"<ul>{listed}</ul>"))
    body = "".join(f"<h2>{escape(heading)}</h2>\n{part}\n" for heading, part in sections)
    facts = "".join(f"<p>{escape(fact)}</p>" for fact in words.facts)
    title = escape(words.title)
    return (
        f'<!doctype html>\n<html lang="{words.language}">\n<head><meta charset="utf-8">{MARK}\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style></head>\n"
        f"<body>\n<h1>{title}</h1>\n{facts}\n{body}</body>\n</html>\n"
    )


def table(words: Words) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in words.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in words.rows
    )
    return f'<div class="wide"><table><tr>{head}</tr>{rows}</table></div>'


def share_plot(found: Standings, seats: int, words: Words) -> str:
    rows = [
        Span(row.bot, row.win_share, row.low, row.high, words.shares[row.bot]) for row in found.bots
    ]
    marks = [(0.0, "0 %"), (1 / seats, words.even), (1.0, "100 %")]
    return svg.spans(words.headings["shares"], rows, Scale(0.0, 1.0), marks)


def points_plot(found: Standings, words: Words) -> str:
    return svg.histograms(words.headings["points"], [(row.bot, row.points) for row in found.bots])


def rating_plot(found: Standings, words: Words) -> str:
    rows = [
        Span(
            row.bot,
            row.rating.mu,
            row.rating.mu - SIGMAS * row.rating.sigma,
            row.rating.mu + SIGMAS * row.rating.sigma,
            f"{row.rating.mu:.0f}",
        )
        for row in found.bots
    ]
    least, most = min(row.low for row in rows), max(row.high for row in rows)
    marks = [(least, f"{least:.0f}"), (most, f"{most:.0f}")]
    return svg.spans(words.headings["ratings"], rows, Scale(least, most), marks)
