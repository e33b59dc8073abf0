"""What a person is asked to decide."""

from __future__ import annotations

from typing import Any, NamedTuple


class Question(NamedTuple):
    key: str  # of the locale files, below terminal.ask.<game>
    facts: dict[str, Any]
    rules: tuple[str, ...]  # that one needs to know for it
