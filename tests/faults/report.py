"""What a run was and what was found: as text, and as a table for docs/promises.md."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.faults.checker import Counts, Trouble
from tests.faults.history import Json, read

AROUND = 3  # lines of the history before and after
LONGEST_LINE = 220
MOST_TOLD = 4  # of each kind
BEGIN, END = "<!-- faults: written by make faults -->", "<!-- faults: end -->"


@dataclass
class Report:
    database: str
    seed: int
    seconds: float
    disk: str = ""
    faults: Counter[str] = field(default_factory=Counter)
    commits_lost: int = 0
    did: Counter[str] = field(default_factory=Counter)  # by clients of each kind
    tables: int = 0
    finished: int = 0
    games: Counter[str] = field(default_factory=Counter)
    counts: Counts = field(default_factory=Counts)
    answers: int = 0
    reconnects: int = 0
    waits: dict[str, float] = field(default_factory=dict)
    memory: float = 0.0
    verified: int = 0
    troubles: list[Trouble] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        counts, longest = self.counts, max(self.waits.values(), default=0.0)
        during = max(self.waits, key=lambda kind: self.waits[kind], default="")
        return [
            ("seed, seconds", f"{self.seed}, {self.seconds:.0f}"),
            ("disk", self.disk),
            ("faults", listed(self.faults)),
            ("commits hit", f"{self.commits_lost:,}"),
            ("clients that annoy", listed(self.did)),
            ("tables, finished", f"{self.tables:,}, {self.finished:,} ({listed(self.games)})"),
            (
                "moves acknowledged, refused, unknown",
                f"{counts.moves_ok:,}, {counts.moves_refused:,}, {counts.moves_unknown:,}",
            ),
            ("taken back, played by a stand-in", f"{counts.undone:,}, {counts.stand_ins:,}"),
            ("frames, card faces checked", f"{counts.frames:,}, {counts.faces:,}"),
            ("requests, sockets opened", f"{self.answers:,}, {self.reconnects:,}"),
            ("longest wait of a neighbour", f"{longest:.2f} s ({during})"),
            ("most memory of a server", f"{self.memory:.0f} MB"),
            ("records verified", f"{self.verified:,}"),
            (
                "found",
                f"{len(self.troubles):,}"
                + (f" ({listed(kinds(self.troubles))})" if self.troubles else ""),
            ),
        ]


def kinds(troubles: list[Trouble]) -> Counter[str]:
    return Counter(one.what for one in troubles)


def listed(counted: Counter[str]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in sorted(counted.items())) or "none"


def as_text(report: Report) -> str:
    width = max(len(name) for name, _ in report.rows())
    lines = [f"{report.database}:"]
    lines += [f"  {name.ljust(width)}  {value}" for name, value in report.rows()]
    return "\n".join(lines)


def troubles_as_text(folder: Path, troubles: list[Trouble]) -> str:
    """Each with the lines of the history around it."""
    told: Counter[str] = Counter()
    parts = []
    for one in troubles:
        told[one.what] += 1
        if told[one.what] > MOST_TOLD:
            continue
        where = f"table {one.table}" if one.table else "the run"
        seat = "" if one.seat is None else f", seat {one.seat}"
        decision = "" if one.decision is None else f", decision {one.decision}"
        parts.append(f"!! {one.what}: {where}{seat}{decision}\n   {one.facts[:1200]}")
        parts += excerpt(folder, one)
    left = sum(count - MOST_TOLD for count in told.values() if count > MOST_TOLD)
    if left:
        parts.append(f"… and {left:,} more of these kinds")
    return "\n".join(parts)


def excerpt(folder: Path, trouble: Trouble) -> list[str]:
    if not trouble.table or not trouble.lines:
        return []
    lines = read(folder, trouble.table)
    shown = {
        number
        for at in trouble.lines[:4]
        for number in range(at - AROUND, at + AROUND + 1)
        if 0 <= number < len(lines)
    }
    return [f"   {'>' if at in trouble.lines else ' '} {brief(lines[at])}" for at in sorted(shown)]


def brief(line: Json) -> str:
    facts = {
        key: value
        for key, value in line.items()
        if key not in ("t", "what", "line", "view", "same", "turns")
    }
    view = line.get("view")
    if view:
        facts["view"] = {key: view[key] for key in ("turn", "phase", "chosen", "scores", "places")}
    return f"{line['line']:6} {line['t']:.3f} {line['what']}: {facts}"[:LONGEST_LINE]


# -- For docs/promises.md -----------------------------------------------------------------------


def as_table(reports: list[Report]) -> str:
    head = ["", *(report.database for report in reports)]
    rows = [
        [name, *(dict(report.rows())[name] for report in reports)] for name, _ in reports[0].rows()
    ]
    lines = [" | ".join(["", *cells, ""]).strip() for cells in (head, ["---"] * len(head), *rows)]
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    return f"The last long run, {date}:\n\n" + "\n".join(lines)


def write(page: Path, reports: list[Report]) -> None:
    text = page.read_text()
    block = f"{BEGIN}\n{as_table(reports)}\n{END}"
    if BEGIN in text:
        text = re.sub(
            f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: block, text, flags=re.DOTALL
        )
    else:
        text = f"{text.rstrip()}\n\n{block}\n"
    page.write_text(text)
