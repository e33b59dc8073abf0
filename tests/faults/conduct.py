"""Reads what concerns no single table: answers, waits, logs, memory, how servers ended, statistics."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from tests.faults.checker import Table, Trouble, told
from tests.faults.history import RUN, Json

LONGEST_WAIT = 5.0  # seconds for an answer, while nothing but clients is at fault
MOST_MEMORY = 300.0  # megabytes of a process that serves
GRACE = 3.0  # seconds after a fault, in which whoever was hit comes back
OPENING = 5.0  # seconds that a start may wait for shares that nobody opens
MOVING = (
    20.0  # seconds in which tables may move from one server to another, once one was not reached
)

Span = tuple[float, float]


class Calendar:
    """When which faults were."""

    def __init__(self, lines: Sequence[Json]) -> None:
        self.end = max((line["t"] for line in lines), default=0.0)
        self.troubled: list[Span] = []  # a server or its store was hit
        self.annoyed: list[tuple[float, float, str]] = []
        begun: dict[str, float] = {}
        for line in lines:
            if line["what"] == "fault":
                begun[line["kind"]] = line["t"]
            elif line["what"] == "recovered":
                self._note(line, begun.pop(line["kind"]))
        lags = [(line["t"] - line["seconds"], line["t"]) for line in lines if line["what"] == "lag"]
        self.lags = sorted(lags)
        self.troubled += [(start, self.end + 60) for start in begun.values()]
        self.lost = [line["t"] for line in lines if line["what"] == "http" and "lost" in line]
        stops = [line["t"] for line in lines if line["what"] == "closing time"]
        self.troubled += [(t, self.end + 60) for t in stops[-1:]]

    def _note(self, line: Json, start: float) -> None:
        if line["group"] in ("process", "store"):
            self.troubled.append((start, line["t"] + GRACE))
        elif line["group"] == "nuisance":
            self.annoyed.append((start, line["t"], line["kind"]))

    def is_troubled(self, start: float, end: float) -> bool:
        return any(start < until and end > since for since, until in self.troubled)

    def may_move(self, start: float, end: float) -> bool:
        """Whether whoever could not reach a server may have gone to another, which then wants the table."""
        lost = any(start - MOVING < t < end for t in self.lost)
        return lost or self.is_troubled(start - MOVING, end)

    def lag(self, start: float, end: float) -> float:
        """How long the test itself stood still in between."""
        at = bisect_left(self.lags, (start - 60, 0.0))
        lags = (max(0.0, min(end, until) - max(start, since)) for since, until in self.lags[at:])
        return float(sum(lags))

    def annoyance(self, start: float, end: float) -> str:
        return next(
            (kind for since, until, kind in self.annoyed if start < until and end > since), ""
        )


# -- Waiting ------------------------------------------------------------------------------------


class Waits:
    """The longest, by what was going on."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.longest: dict[str, float] = defaultdict(float)
        self.count: Counter[str] = Counter()
        self.troubles: list[Trouble] = []

    def took(self, start: float, end: float, trouble: Trouble) -> None:
        """From asking to the answer, or to giving up; only where no server was hit meanwhile."""
        if self.calendar.is_troubled(start, end):
            return
        waited = end - start - self.calendar.lag(start, end)
        during = self.calendar.annoyance(start, end) or "quiet"
        self.count[during] += 1
        self.longest[during] = max(self.longest[during], waited)
        if waited > LONGEST_WAIT:
            facts = f"{waited:.1f} s during: {during}; {trouble.facts}"
            what, where = trouble.what, (trouble.table, trouble.seat, trouble.decision)
            self.troubles.append(Trouble(what, facts, *where, lines=trouble.lines))


def waits_of_moves(table: Table, waits: Waits) -> None:
    for move in table.moves:
        end = move.answered if move.answered is not None else waits.calendar.end
        facts = f"outcome {move.outcome}"
        at = Trouble("a neighbour waits", facts, table.id, move.seat, move.decision, (move.line,))
        waits.took(move.t, end, at)


def waits_of_requests(lines: Sequence[Json], waits: Waits) -> None:
    for line in lines:
        if line["what"] == "http":
            facts = f"{line['asked']}: {line.get('status', line.get('lost'))}"
            at = Trouble("a neighbour waits", facts, RUN, lines=(line["line"],))
            slow = OPENING if line["asked"].endswith("/start") else 0.0
            waits.took(line["begun"], max(line["begun"], line["t"] - slow), at)


# -- Answers ------------------------------------------------------------------------------------


def answers(lines: Sequence[Json], calendar: Calendar) -> Iterator[Trouble]:
    """No server error but 503 while a server or its store is hit; and nobody is turned away otherwise."""
    for line in lines:
        if line["what"] != "http":
            continue
        status, at = line.get("status", 0), (line["line"],)
        is_troubled = calendar.is_troubled(line["begun"], line["t"])
        if line.get("key") == "table_elsewhere":
            is_troubled = calendar.may_move(line["begun"], line["t"])
        if status >= 500 and not (status == 503 and is_troubled):
            yield Trouble(
                "a server error", f"{line['asked']}: {status} {line['key']}", RUN, lines=at
            )
        elif "lost" in line and not is_troubled:
            during = calendar.annoyance(line["begun"], line["t"]) or "quiet"
            facts = f"{line['asked']}: {line['lost']} during: {during}"
            yield Trouble("nobody gets in", facts, RUN, lines=at)


def ends(lines: Sequence[Json]) -> Iterator[Trouble]:
    for line in lines:
        at = (line["line"],)
        if line["what"] == "stopped" and line["code"] != 0:
            facts = f"{line['server']}: exit code {line['code']}"
            yield Trouble("a server does not stop in order", facts, RUN, lines=at)
        elif line["what"] == "survivors" and line["pids"]:
            yield Trouble("a process outlives its server", str(line["pids"]), RUN, lines=at)
        elif line["what"] == "recovered" and not line["ready"]:
            yield Trouble("a server does not recover", line["kind"], RUN, lines=at)
        elif line["what"] == "memory" and line["megabytes"] > MOST_MEMORY:
            facts = f"{line['server']}: {line['megabytes']:.0f} MB"
            yield Trouble("a server needs too much memory", facts, RUN, lines=at)
            return
        elif line["what"] == "did not end":
            yield Trouble("a table does not come to its end", line["why"], line["table"])


def logs(files: Sequence[Path]) -> Iterator[Trouble]:
    """Each kind of traceback once, by where it ends."""
    for file in files:
        told: Counter[str] = Counter()
        lines = file.read_text(errors="replace").splitlines() if file.exists() else []
        for at, line in enumerate(lines):
            if "Traceback (most recent call last)" in line:
                whole = as_lines(line) or lines[at : at + 40]
                told["\n      ".join(whole[-8:])] += 1
        for text, times in told.items():
            yield Trouble("a traceback in a log", f"{file.name}, {times} times: …\n      {text}")


def as_lines(line: str) -> list[str]:
    """Of a line of JSON: the text of its error."""
    try:
        found: str = orjson.loads(line)["error"]
    except (ValueError, KeyError):
        return []
    return found.strip().splitlines()


# -- Statistics ---------------------------------------------------------------------------------


def statistics(tables: Sequence[Table], lines: Sequence[Json]) -> Iterator[Trouble]:
    """Each device's games, as the results that its people were told."""
    said = {line["device"]: line["said"] for line in lines if line["what"] == "statistics"}
    expected: dict[str, dict[str, list[tuple[int, int]]]] = {device: {} for device in said}
    for table in tables:
        begun = next((line for line in table.lines if line["what"] == "table"), None)
        if begun is None or not table.results:
            continue
        result = told(table.results[0])
        for one in begun["seats"]:
            if one["device"] in expected:
                outcome = (int(one["seat"] in result["winners"]), result["scores"][one["seat"]])
                expected[one["device"]].setdefault(begun["game"], []).append(outcome)
    for device, games in expected.items():
        wanted = {game: summed(outcomes) for game, outcomes in games.items()}
        found = {
            one["game"]: [one[key] for key in ("games", "wins", "least", "most")]
            for one in said[device]
        }
        for game in sorted(wanted | found):
            if wanted.get(game) != found.get(game):
                facts = f"{game} (games, wins, least, most): {found.get(game)}; told at the tables: {wanted.get(game)}"
                yield Trouble("statistics are not the results told", facts, RUN)


def summed(outcomes: list[tuple[int, int]]) -> list[int]:
    points = [score for _, score in outcomes]
    return [len(outcomes), sum(won for won, _ in outcomes), min(points), max(points)]
