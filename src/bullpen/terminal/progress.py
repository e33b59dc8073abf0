"""How far, how fast, and how long still, on the error output: a bar, or lines where it goes into a file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from rich.console import Console

from bullpen.text import Voice

if TYPE_CHECKING:
    from rich.progress import Progress


def games_bar(errors: Console) -> Progress:
    """For tasks with a field `rate`, which stands between how far and how long."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=errors,
        disable=not errors.is_terminal,
        transient=True,
    )


class Bar:
    """Shown while it is entered: `with SomeBar(...) as bar`."""

    def __init__(self, shown: Progress, name: str, wanted: int | None) -> None:
        self.shown, self.task = shown, shown.add_task(name, total=wanted, rate="")

    def __enter__(self) -> Self:
        self.shown.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shown.stop()


EVERY_SECONDS = 10.0
SOON = 3.0  # seconds, after which the first estimate is worth something


class Lines:
    """Where nobody sees a bar: a line now and then, the first one as soon as there is an estimate."""

    def __init__(self, voice: Voice, errors: Console, games: int) -> None:
        self.voice, self.errors, self.games = voice, errors, games
        self.begun = time.monotonic()
        self.next_line = self.begun + SOON
        self.before: int | None = None  # games that were there already took no time

    def update(self, games: int) -> None:
        now = time.monotonic()
        if self.before is None:
            self.before, self.begun = games, now
        if self.errors.is_terminal or now < self.next_line or games >= self.games:
            return
        self.next_line = now + EVERY_SECONDS
        pace = (games - self.before) / max(now - self.begun, 1e-9)
        if pace:
            minutes = max(1, round((self.games - games) / pace / 60))
            line = self.voice.say("benchmark.so_far", done=games, games=self.games, minutes=minutes)
            self.errors.print(line)
