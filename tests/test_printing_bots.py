"""Bots that do what bots should not: print, end their process, change in the middle of a tournament."""

from __future__ import annotations

import json
import subprocess
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from bullpen.arena.workers import exit_code
from tests.patience import PATIENCE

PRINTS = """
import os
print("loaded")

def choose(game, view, rng):
    print("thinking")
    os.write(1, b"quite directly\\n")
    return view.legal[0]
"""
ENDS = """
import os

def choose(game, view, rng):
    os._exit(7)
"""
RAISES = """
def choose(game, view, rng):
    raise RuntimeError("not yet")
"""
FIRST = """
def choose(game, view, rng):
    return view.legal[0]
"""


def tournament(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bullpen", "tournament", "x-nimmt", "--option", "rounds=1"]
    return subprocess.run(
        [*command, "--table", "bot.py:choose,uniform", "--deals", "2", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_bot_prints_does_not_disturb_the_json(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "bot.py").write_text(PRINTS)
    ran = tournament(tmp_path, "--json", "--jobs", jobs, "--out", "games.jsonl")
    assert json.loads(ran.stdout)["games"] == 4
    for said in ("loaded", "thinking", "quite directly"):
        assert said in ran.stderr


def test_what_a_bot_prints_while_somebody_plays_is_not_on_the_output(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PRINTS)
    words = ["play", "x-nimmt", "--players", "2", "--bots", "2", "--bot", "bot.py:choose"]
    ran = subprocess.run(
        [sys.executable, "-m", "bullpen", *words, "--option", "rounds=1", "--save", "game.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert "thinking" in ran.stderr
    assert "thinking" not in ran.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_that_ends_its_process_is_named(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "bot.py").write_text(ENDS)
    ran = tournament(tmp_path, "--jobs", jobs, "--out", "games.jsonl")
    assert ran.returncode == 2
    assert "bot.py:choose ended the whole process that it played in (exit code 7)" in ran.stderr
    assert "memory" not in ran.stderr


def test_a_bot_that_was_mended_is_told_to_be_another_one(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(RAISES)
    broken = tournament(tmp_path, "--jobs", "1", "--out", "games.jsonl")
    assert "not yet" in broken.stderr
    assert "the same command goes on" not in broken.stderr
    (tmp_path / "bot.py").write_text(FIRST)
    mended = tournament(tmp_path, "--jobs", "1", "--out", "games.jsonl")
    assert mended.returncode == 2
    assert "bot.py has changed since" in mended.stderr
    assert tournament(tmp_path, "--jobs", "1", "--out", "others.jsonl").returncode == 0


class Reaped(BaseProcess):
    """Gone, but who waited for it has not told its exit code yet."""

    looks = 0

    def __init__(self) -> None:
        """Never started."""

    @property
    def exitcode(self) -> int | None:
        self.looks += 1
        return 7 if self.looks > 3 else None


def test_a_code_that_is_told_a_moment_later_is_waited_for() -> None:
    assert exit_code(Reaped()) == 7
