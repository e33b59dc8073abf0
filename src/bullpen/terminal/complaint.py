"""One line on the error output for whatever went wrong."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

from bullpen.cards import Problem
from bullpen.terminal import streams

BAD_INPUT = 2  # exit code


def complain(problem: Problem, language: str) -> int:
    """One line on the error output; on a screen it is wrapped."""
    from bullpen.text import voice

    streams.flush_quietly()
    sentence = voice(language).problem(problem)
    if sys.stderr is not None and sys.stderr.isatty():
        from bullpen.terminal.screen import wrapped

        sentence = "\n".join(wrapped(sentence, get_terminal_size().columns))
    print(sentence, file=sys.stderr)
    return BAD_INPUT
