"""What everybody wanted, was promised and saw: lines that are only ever added, one file a table.

Each line is a JSON object with `t` (seconds of the monotonic clock, the same for all files of a run) and `what`.
What concerns no single table stands in `run.jsonl`.  A view is written once a table; whoever sees the same again
has `same`, the number of its first line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import orjson

Json = dict[str, Any]
RUN = "run"
# Of a message: what stands elsewhere in the line, or is for people to read.
UNNOTED = ("type", "view", "table", "phrases", "text", "message")


class History:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._books: dict[str, Book] = {}

    def note(self, table: str, what: str, /, **facts: Any) -> None:
        self._book(table).write({"t": now(), "what": what, **facts})

    def note_frame(self, table: str, socket: int, seat: int | None, frame: Json) -> None:
        """A message that somebody got: `seat` is the reader's."""
        book, kind = self._book(table), frame["type"]
        line = {"t": now(), "what": kind, "socket": socket, "seat": seat}
        if kind == "view":
            book.write_view(line, frame)
            return
        line["frame"] = {key: value for key, value in frame.items() if key not in UNNOTED}
        book.write_view(line, frame["view"] if kind == "welcome" else None)

    def tables(self) -> list[str]:
        return [name for name in self._books if name != RUN]

    def flush(self) -> None:
        for book in self._books.values():
            book.close()

    def close(self, table: str) -> None:
        """Nobody is there any more; a later line opens the file again."""
        self._book(table).close()

    def _book(self, table: str) -> Book:
        if table not in self._books:
            self._books[table] = Book(self.folder / f"{table}.jsonl")
        return self._books[table]


class Book:
    """One file."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines = path, 0
        self.file: BinaryIO | None = None
        self.known: dict[bytes, int] = {}  # a view as bytes, and the line where it stands

    def write(self, line: Json) -> None:
        if self.file is None:
            self.file = self.path.open("ab")
        self.file.write(orjson.dumps(line) + b"\n")
        self.lines += 1

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
            self.file = None

    def write_view(self, line: Json, view: Json | None) -> None:
        if view is None:
            self.write(line)
            return
        short = orjson.dumps(shortened(view))
        first = self.known.setdefault(short, self.lines)
        if first == self.lines:
            self.write({**line, "view": orjson.Fragment(short)})
        else:
            self.write({**line, "same": first})


def shortened(view: Json) -> Json:
    """Without the sentences."""
    kept = {key: value for key, value in view.items() if key not in ("type", "pace")}
    kept["steps"] = [{"event": step["event"], "moves": step["moves"]} for step in view["steps"]]
    if decision := view["decision"]:
        moves = [[offer["action"], offer["move"]] for offer in decision["moves"]]
        kept["decision"] = {**decision, "moves": moves}
    return kept


def now() -> float:
    return time.monotonic()


def read(folder: Path, table: str) -> list[Json]:
    """The lines of a table; `line` is their number from 0, and every view is whole."""
    lines = list(_lines(folder / f"{table}.jsonl"))
    for line in lines:
        if "same" in line:
            line["view"] = lines[line["same"]]["view"]
    return lines


def _lines(path: Path) -> Iterator[Json]:
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, text in enumerate(file):
            yield {**orjson.loads(text), "line": number}
