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
from bullpen.languages import ENGLISH, LANGUAGES, LOCALE, language_of_terminal, spoken
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
    "exploit",
    "dataset",
    "puzzles",
    "serve",
    "backup",
    "restore",
    "inspect",
    "prune",
    "people",
)
HELP = ("--help", "-h", "help")
INTERRUPTED = 130  # exit code


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    streams.prepare()
    words = list(sys.argv[1:] if words is None else words)
    language = language_of_terminal(os.environ)
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
    except ModuleNotFoundError as error:
        if (error.name or "bullpen").partition(".")[0] == "bullpen":
            raise  # then it is ours that is missing, and no package
        return complain(Problem("package_missing", package=error.name), language)
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
        return open_table(spoken.language) if has_browser() else start_menu(spoken.language)
    command = words[0]
    if words == ["--terminal"]:
        return start_menu(spoken.language)
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

    for one in (language, ENGLISH):
        path = LOCALE / f"{one}.terminal.toml"
        said = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
        if page := said.get("terminal", {}).get("help", {}).get(name):
            filled = str(page).replace("{languages}", ", ".join(LANGUAGES))
            return filled.replace("{games}", ", ".join(game_ids()))
    raise KeyError(name)


def game_ids() -> list[str]:
    """By the names of folders and entry points: no game is loaded for it."""
    from importlib.metadata import entry_points

    own = Path(__file__).parent.glob("games/*/rules.py")
    others = entry_points(group="bullpen.games")
    return sorted(
        {*(rules.parent.name.replace("_", "-") for rules in own), *(one.name for one in others)}
    )


# -- Languages --------------------------------------------------------------------------------


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
    language = spoken(wished)
    if wished and language is None:
        raise Problem("unknown_language", language=wished, known=", ".join(LANGUAGES))
    return rest, language or ""


# -- Commands ---------------------------------------------------------------------------------


def unknown_command(command: str) -> Problem:
    from difflib import get_close_matches

    known = ", ".join(COMMANDS)
    if command.startswith("-"):
        return Problem("unknown_flag", flag=command, known="--help, --version, --terminal, --lang")
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


def has_browser() -> bool:
    """Whether somebody sits in front of this terminal, and a browser would open before their eyes."""
    from bullpen.terminal.browser import has_display

    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)) and (
        has_display()
    )


def open_table(language: str) -> int:
    """As `bullpen serve --home`: games and tables in the user's own folder, phones can join."""
    from bullpen.terminal.program import program
    from bullpen.terminal.serve import serve
    from bullpen.text import voice

    speaker = voice(language)
    print(speaker.say("server.serve.opening", program=program()), file=sys.stderr)
    return serve(speaker, {}, at_home=True)


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
