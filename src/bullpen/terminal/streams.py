"""What goes to and comes from the terminal, whatever letters it knows."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

STDOUT, STDERR = 1, 2

# Drawn letter for letter, so that columns stay columns on a terminal without Unicode.
PLAIN = {
    "▼": "*",
    "ß": "ss",
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
    "·": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "x",
    "→": ">",
    "›": ">",
    "─": "-",
    "│": "|",
    "’": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "…": "...",
    "ł": "l",
    "Ł": "L",
    "\u00a0": " ",
}


def in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """An error handler of `codecs`: the nearest ASCII of what cannot be written."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(plain, error.object[error.start : error.end])), error.end


def plain(letter: str) -> str:
    if letter in PLAIN:
        return PLAIN[letter]
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return bare or "?"


def prepare() -> None:
    """Nothing that is written or typed may end in a UnicodeError."""
    codecs.register_error("bullpen", in_plain_letters)
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="bullpen")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


@contextmanager
def kept_for_results() -> Iterator[None]:
    """What bots write to the output meanwhile, by whatever way and in whatever process, goes to the error output."""
    flush_quietly()
    try:
        kept = os.dup(STDOUT)
        os.dup2(STDERR, STDOUT)
    except OSError:  # closed by whoever started us
        yield
        return
    try:
        yield
    finally:
        flush_quietly()
        os.dup2(kept, STDOUT)
        os.close(kept)


def flush_quietly() -> None:
    """What was said before a complaint comes before it, if anybody still reads it."""
    try:
        sys.stdout.flush()
    except OSError:
        let_go_of_stdout()


def let_go_of_stdout() -> None:
    """The reader of our output has gone: Python must not try to write the rest when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
