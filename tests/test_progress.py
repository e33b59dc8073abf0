"""How far a benchmark is, where nobody sees a bar."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from bullpen.terminal import progress
from bullpen.text import voice


def test_where_nobody_sees_a_bar_lines_tell_how_far_and_how_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter([0.0, 0.0, 1.0, 60.0, 61.0, 120.0])
    monkeypatch.setattr("bullpen.terminal.progress.time.monotonic", lambda: next(clock))
    piped = StringIO()
    lines = progress.Lines(voice("en"), Console(file=piped, highlight=False), 400)
    for games in (0, 1, 100, 101, 400):
        lines.update(games)
    assert piped.getvalue() == "100 of 400 games; about 3 min left\n"


def test_at_a_terminal_the_bar_is_enough() -> None:
    shown = StringIO()
    lines = progress.Lines(voice("en"), Console(file=shown, force_terminal=True), 400)
    lines.next_line = 0.0
    lines.update(0)
    lines.update(100)
    assert shown.getvalue() == ""
