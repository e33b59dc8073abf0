"""Results that are kept while a long measurement runs: one line of JSON each, so that it can be ended at any time and taken up again.

A line names all that its number depends on, so one file may hold many measurements.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

RESULT = "result"


class Kept:
    """The results in a file, or, without one, only as long as this runs."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.found: dict[str, Any] = {}
        if path is not None and path.exists():
            for line in whole_lines(path):
                fact = json.loads(line)
                result = fact.pop(RESULT)
                self.found[key_of(fact)] = result

    def result_of(self, what: Mapping[str, Any], measure: Callable[[], Any]) -> Any:
        """As it was measured before, or measured now and kept."""
        key = key_of(what)
        if key not in self.found:
            self.found[key] = measure()
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({**what, RESULT: self.found[key]}) + "\n")
        return self.found[key]


def key_of(what: Mapping[str, Any]) -> str:
    return json.dumps(what, sort_keys=True)


def whole_lines(path: Path) -> Iterator[str]:
    """Without the last one, if it was cut off when the measurement was ended."""
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, "utf-8")
    yield from whole.splitlines()
