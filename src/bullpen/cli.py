"""The command line.

Whatever is typed wrongly is answered with one line that says what, why and what instead, and with
exit code 2.  The help pages stand in locale/; everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bullpen.cards import Problem
from bullpen.terminal import streams
from bullpen.terminal.complaint import complain

COMMANDS = (
    "play",
    "resume",
    "replay",
    "rules",
    "games",
    "trace",
    "verify",
    "hint",
    "review",
    "simulate",
    "tournament",
    "benchmark",
    "serve",
    "backup",
    "restore",
    "inspect",
    "prune",
)
HELP = ("--help", "-h", "help")
INTERRUPTED = 130  # exit code


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    streams.prepare()
    words = list(sys.argv[1:] if words is None else words)
    language = usual_language()
    try:
        words, wished = without_language(words)
        language = wished or language
        code = run(words, Spoken(language, is_wished=bool(wished)))
        sys.stdout.flush()
        return code
    except Problem as problem:
        return complain(problem, language)
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit:  # how Typer and Rich take it that nobody reads any more
        streams.let_go_of_stdout()
        return 0
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EIO):
            streams.let_go_of_stdout()
            return complain(Problem("cannot_write", reason=error.strerror), language)
        streams.let_go_of_stdout()  # nobody reads any more: no reason to complain
        return 0


def run(words: list[str], spoken: Spoken) -> int:
    if not words:
        return start_menu(spoken.language)
    command = words[0]
    if command in HELP:
        return give_help(words[1] if words[1:] else "page", spoken.language)
    if command == "--version":
        return tell_version(words[1:])
    if command not in COMMANDS:
        raise unknown_command(command)
    if "--help" in words or "-h" in words:
        return give_help(command, spoken.language)
    return run_command(words, spoken)


def give_help(page: str, language: str) -> int:
    if page not in ("page", *COMMANDS):
        raise unknown_command(page)
    print(help_page(page, language), end="")
    return 0


def tell_version(extra: list[str]) -> int:
    from bullpen import __version__

    if extra:
        raise Problem("version_stands_alone", extra=" ".join(extra))
    print(f"bullpen {__version__}")
    return 0


def help_page(name: str, language: str) -> str:
    """Read straight from its file: `bullpen --help` must not wait for anything else."""
    import tomllib

    path = Path(__file__).parent / "locale" / f"{language}.terminal.toml"
    page: str = tomllib.loads(path.read_text("utf-8"))["terminal"]["help"][name]
    return page


# -- Languages --------------------------------------------------------------------------------

LANGUAGES = ("en", "pl")  # as in text.py, which takes longer to import than help pages should


def usual_language() -> str:
    """The language of the terminal, where we speak it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "pl" if value.startswith("pl") else "en"
    return "en"


class Spoken(NamedTuple):
    """The language to speak, and whether somebody asked for it or it is just that of the terminal."""

    language: str
    is_wished: bool


def without_language(words: list[str]) -> tuple[list[str], str]:
    """`--lang pl` may stand anywhere; what was wished in the environment comes after it."""
    wished, rest = os.environ.get("BULLPEN_LANG", ""), []
    left = iter(words)
    for word in left:
        flag, equals, value = word.partition("=")
        if flag != "--lang":
            rest.append(word)
            continue
        wished = value if equals else next(left, "")
        if not wished:
            raise Problem("flag_needs_value", flag=flag)
    language = wished.lower().replace("-", "_").partition("_")[0]
    if wished and language not in LANGUAGES:
        raise Problem("unknown_language", language=wished, known=", ".join(LANGUAGES))
    return rest, language


# -- Commands ---------------------------------------------------------------------------------


def unknown_command(command: str) -> Problem:
    from difflib import get_close_matches

    known = ", ".join(COMMANDS)
    if command.startswith("-"):
        return Problem("unknown_flag", flag=command, known="--help, --version, --lang")
    if near := get_close_matches(command.lower(), COMMANDS, n=1):
        return Problem("unknown_command_near", command=command, near=near[0], known=known)
    return Problem("unknown_command", command=command, known=known)


def run_command(words: list[str], spoken: Spoken) -> int:
    from typer.exceptions import TyperException

    from bullpen.terminal.commands import app, usage_problem, with_usual_ray

    try:
        code = app(args=with_usual_ray(words), standalone_mode=False, obj=spoken)
    except TyperException as error:
        raise usage_problem(error, words[0]) from None
    return code if isinstance(code, int) else 0


def start_menu(language: str) -> int:
    from bullpen.terminal.menu import menu
    from bullpen.terminal.screen import InputEnded, check_size, open_screen
    from bullpen.text import voice

    screen = open_screen(voice(language))
    check_size(screen)
    try:
        menu(screen)
    except KeyboardInterrupt:
        print()
        raise
    except InputEnded:
        raise Problem("input_ended_in_menu") from None
    return 0
