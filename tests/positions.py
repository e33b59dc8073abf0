"""Positions of real games in a file for the tests of the browser."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

Part = tuple[dict[str, Any], Iterable[dict[str, Any]]]  # what holds for all positions, and they


def as_text(parts: Iterable[Part]) -> str:
    """One position a line, so that a difference can be read."""
    return "[\n" + ",\n".join(written(*part) for part in parts) + "\n]\n"


def written(facts: dict[str, Any], positions: Iterable[dict[str, Any]]) -> str:
    lines: Iterator[str] = map(compact, positions)
    return f'{compact(facts)[:-1]},"positions":[\n' + ",\n".join(lines) + "\n]}"


def compact(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))
