"""The screen: sentences written to it, words typed into it."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import Any

from rich.console import Console
from rich.text import Text

from bullpen.cards import Problem
from bullpen.text import Voice

LEAST_WIDTH, LEAST_HEIGHT = 36, 8  # below this a table cannot be read
ROOM_TO_TYPE = 8  # behind a prompt
TEXT_WIDTH = 88  # sentences longer than this are tiring to read


class InputEnded(Exception):
    """Nobody can type any more: the input was closed."""


@dataclass(frozen=True)
class Screen:
    console: Console
    voice: Voice

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def is_coloured(self) -> bool:
        return self.console.color_system is not None and not self.console.no_color


def open_screen(voice: Voice) -> Screen:
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=False)
    return Screen(console, voice)


def check_size(screen: Screen) -> None:
    """A terminal too small for any table is refused before the game begins."""
    width, height = screen.console.size
    if screen.console.is_terminal and (width < LEAST_WIDTH or height < LEAST_HEIGHT):
        least = f"{LEAST_WIDTH}×{LEAST_HEIGHT}"
        raise Problem("terminal_too_small", size=f"{width}×{height}", least=least)


# -- Writing ----------------------------------------------------------------------------------


def show(screen: Screen, lines: Iterable[Text]) -> None:
    for line in lines:
        screen.console.print(line, no_wrap=True, overflow="ignore", crop=False)


def tell(screen: Screen, key: str, **facts: Any) -> None:
    """The sentence with this key of the locale files."""
    write(screen, screen.voice.say(f"terminal.{key}", **facts))


def write(screen: Screen, sentence: str, style: str = "", bullet: str = "") -> None:
    """A sentence, wrapped; under a bullet its further lines are indented."""
    width = min(screen.width, TEXT_WIDTH)
    lines = typed_words_marked(screen, sentence).wrap(screen.console, width - len(bullet))
    for number, line in enumerate(lines):
        line.rstrip()
        lead = bullet if number == 0 else " " * len(bullet)
        screen.console.print(Text(lead).append_text(line), style=style)


def typed_words_marked(screen: Screen, sentence: str) -> Text:
    """`play 43` in one's own words and in another colour; where there are no colours the marks stay."""
    parts = sentence.split("`")
    parts[1::2] = (in_own_words(screen.voice, part) for part in parts[1::2])
    if not screen.is_coloured:
        return Text("`".join(parts))
    marked = Text()
    for number, part in enumerate(parts):
        marked.append(part, "bold cyan" if number % 2 else "")
    return marked


def in_own_words(voice: Voice, part: str) -> str:
    """A move; whatever else is typed stays as it is."""
    is_move = all(not word.isalpha() or voice.words_for(word) for word in part.split())
    return voice.typed(part) if is_move else part


def blank(screen: Screen) -> None:
    screen.console.print()


def rule(screen: Screen, title: str) -> None:
    """A line across the screen with a title in it."""
    room = min(screen.width, TEXT_WIDTH) - len(title) - 4
    screen.console.print(Text("─ ", "dim") + Text(title, "bold") + Text(" " + "─" * room, "dim"))


@contextmanager
def paged(screen: Screen) -> Iterator[None]:
    """What is written meanwhile comes by screenfuls, where somebody sits in front of a screen."""
    console = screen.console
    if not (console.is_terminal and sys.stdin is not None and sys.stdin.isatty()):
        yield
        return
    with console.capture() as captured:
        yield
    lines, room = captured.get().splitlines(keepends=True), max(console.height - 1, 1)
    enough = screen.voice.say("terminal.words.quit").split()
    for begin in range(0, len(lines), room):
        if begin and asked_for_more(screen) in enough:
            return
        console.file.writelines(lines[begin : begin + room])
        console.file.flush()


def asked_for_more(screen: Screen) -> str:
    try:
        return typed(screen.voice.say("terminal.more")).lower()
    except InputEnded:
        return screen.voice.say("terminal.words.quit").split()[0]


def clear(screen: Screen) -> None:
    """Nothing of what stood there can be read any more, not even by scrolling back."""
    if screen.console.is_terminal and not screen.console.is_dumb_terminal:
        screen.console.file.write("\x1b[H\x1b[2J\x1b[3J")
        screen.console.file.flush()
    else:
        screen.console.print("\n" * screen.console.height)


# -- Typing -----------------------------------------------------------------------------------


def typed(prompt: str) -> str:
    """A line from the keyboard, tidied.  A long prompt is wrapped, with room to type behind it."""
    if sys.stdin is None:
        raise InputEnded
    edit_lines()
    width = get_terminal_size().columns - ROOM_TO_TYPE
    *above, last = wrapped(prompt, width)
    sys.stdout.writelines(f"{line}\n" for line in above)
    sys.stdout.flush()
    try:
        return " ".join(input(f"{last} ").split())
    except (EOFError, OSError):  # OSError: the terminal itself has gone
        sys.stdout.write("\n")
        raise InputEnded from None


def wrapped(text: str, width: int) -> list[str]:
    """In lines broken only between words, so that paths can be copied."""
    lines = textwrap.wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False)
    return lines or [""]


def edit_lines() -> None:
    """Arrow keys work in the line being typed, but do not bring back what others typed before."""
    try:
        import readline
    except ImportError:
        return
    readline.set_auto_history(False)
