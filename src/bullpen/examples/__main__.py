"""`python -m bullpen.examples [FOLDER]`"""

from __future__ import annotations

import sys
from pathlib import Path

from bullpen.cards import Problem
from bullpen.examples import copied
from bullpen.text import voice

USUAL = "examples"


def main(words: list[str]) -> int:
    try:
        for path in written(words):
            print(path)
    except Problem as problem:
        print(voice("en").problem(problem), file=sys.stderr)
        return 2
    return 0


def written(words: list[str]) -> list[Path]:
    if len(words) > 1 or (words and words[0].startswith("-")):
        raise Problem("examples_usage", usual=USUAL)
    try:
        return copied(Path(words[0] if words else USUAL))
    except OSError as error:
        raise Problem("cannot_write", reason=error.strerror) from None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
