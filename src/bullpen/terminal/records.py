"""Records from files, and whether they hold."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bullpen import record
from bullpen.cards import Problem
from bullpen.match import Match
from bullpen.text import Voice

BAD = 2  # exit code


def loaded(path: Path) -> Match:
    """The match of a record; a problem with it names the file."""
    if is_folder(path):
        raise Problem("record_is_folder", file=path)
    try:
        match = record.load(path)
    except Problem as problem:
        problem.facts.setdefault("file", path)
        raise
    match.names = [printable(name) for name in match.names]
    return match


def named(file: str) -> Path:
    """The path that somebody typed; nothing at all would be the folder where one is."""
    if not file:
        raise Problem("file_name_missing")
    return Path(file)


def is_folder(path: Path) -> bool:
    """Where we may not even look there is none: trying to read will say why not."""
    try:
        return path.is_dir()
    except OSError:
        return False


def printable(name: str) -> str:
    """A name without commands to the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def verify(voice: Voice, files: Sequence[str]) -> int:
    """Replay every record and say of each whether it holds."""
    code = 0
    for file in files:
        try:
            match = loaded(named(file))
        except Problem as problem:
            print(voice.problem(problem), file=sys.stderr)
            code = BAD
            continue
        facts = {"title": match.game.TITLE, "moves": len(match.decisions)}
        key = "finished" if match.is_over else "unfinished"
        print(voice.say(f"terminal.verify.{key}", file=file, **facts))
    return code
