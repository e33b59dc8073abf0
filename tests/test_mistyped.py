"""Paths and words that were mistyped: told as what they are, and nothing new is made of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["inspect", "--db", "page.md"], "not a SQLite database"),
        (["inspect", "--db", "sqlite:///page.md"], "not a SQLite database"),
        (["restore", "--db", "new.db", "page.md"], "not a backup of a store"),
        (["serve", "--port", "0", "--db", "page.md"], "not a SQLite database"),
        (["serve", "--port", "0", "--db", "mistyped/tables.db"], "no folder"),
        (["serve", "--port", "0", "--db", "sqlite:///mistyped/tables.db"], "no folder"),
        (["restore", "--db", "mistyped/tables.db", "page.md"], "not a backup"),
        (["serve", "--port", "0", "--db", "nonsense"], "not the address of a store"),
        (["verify", "page.md"], "not a Bullpen record"),
        (["play", "x-nimmt", "--save", "mistyped/game.json"], "no folder"),
        (["tournament", "x-nimmt", "--table", "easy,easy", "--out", "mistyped/x"], "no folder"),
        (["trace", "x-nimmt", "--players", "2", "--seed", "1", "--prefer", "zzz"], "play, row"),
        (["foo"], "prune"),
    ],
)
def test_what_was_mistyped_is_told_as_what_it_is_and_nothing_is_made(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(
        "# A page\n\nThat is no database, no backup and no record.\n" * 99
    )
    ran = subprocess.run(
        [sys.executable, "-m", "bullpen", *words, "--lang", "en"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert ran.returncode == 2, ran.stderr
    assert said in ran.stderr.splitlines()[-1]
    assert "bullpen inspect" not in ran.stderr
    assert "a new, empty one is made" not in ran.stderr
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".lock"] == ["page.md"]
