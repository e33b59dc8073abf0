"""Words that are refused, in names and in chat: the operator's, from a file, and a host's, at a table.

A word is refused where it stands as a word, `*` before or behind it means whatever comes there.  Text is compared as a
glance would see it (`names.looks`): large or small, with other letters that look the same, with figures for letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from bullpen.cards import Problem
from bullpen.server.names import looks

LONGEST_WORD = 40
MOST_WORDS = 10_000  # of a file
GAPS = re.compile(r"[\W_]+")


class Words:
    """A list of refused words."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.whole, self.parts = set[str](), list[tuple[str, str]]()
        for word in words:
            bare = word.strip("*")
            if not bare.strip():
                continue
            where = ("*" if word.startswith("*") else "") + ("*" if word.endswith("*") else "")
            starts = word.startswith("*")
            if not where:
                self.whole |= looks(bare)
            else:
                kind = "in" if where == "**" else "end" if starts else "start"
                self.parts += [(kind, look) for look in looks(bare)]

    def refuses(self, text: str) -> bool:
        if not self.whole and not self.parts:
            return False
        seen = {look for one in (text, *GAPS.split(text)) if one for look in looks(one)}
        return bool(seen & self.whole) or any(
            is_part(kind, part, one) for one in seen for kind, part in self.parts
        )


def is_part(kind: str, part: str, text: str) -> bool:
    if kind == "start":
        return text.startswith(part)
    return text.endswith(part) if kind == "end" else part in text


class RefusedFile:
    """The operator's list: a word a line, `#` before what is not one.  Read again when the file has changed."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.changed, self.words = 0.0, Words()

    def use(self, path: str) -> None:
        """Raises a Problem where it cannot be read."""
        self.path = Path(path) if path else None
        self.changed, self.words = 0.0, Words()
        self.look_again()

    def look_again(self) -> None:
        if self.path is None:
            return
        try:
            changed = self.path.stat().st_mtime
            if changed != self.changed:
                lines = self.path.read_text("utf-8").splitlines()
                self.words, self.changed = Words(read_words(lines)), changed
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "UTF-8"
            raise Problem("refused_words_file", file=self.path, reason=reason) from None


def read_words(lines: Iterable[str]) -> list[str]:
    found = [line.strip() for line in lines]
    return [line for line in found if line and not line.startswith("#")][:MOST_WORDS]


REFUSED = RefusedFile()  # of this server; a process serves with one


def allowed_name(name: str) -> str:
    if REFUSED.words.refuses(name):
        raise Problem("name_refused")
    return name
