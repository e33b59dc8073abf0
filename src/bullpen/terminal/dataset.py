"""`bullpen dataset make`: games of bots as a dataset, with a bar for playing and one for writing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from bullpen.arena.plan import Plan
from bullpen.arena.workers import Workers
from bullpen.envs import dataset
from bullpen.terminal import streams
from bullpen.terminal.complaint import complain
from bullpen.terminal.progress import Bar, games_bar
from bullpen.terminal.screen import Screen, write
from bullpen.terminal.tournament import INTERRUPTED


@dataclass(frozen=True)
class Wishes:
    """The dataset that somebody asks for."""

    plan: Plan
    deals: int
    workers: Workers
    folder: Path


def make(screen: Screen, wishes: Wishes) -> int:
    """Returns the exit code."""
    errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    say, games = screen.voice.say, len(wishes.plan.seatings) * wishes.deals
    errors.print(
        say("dataset.plan", title=wishes.plan.rules.TITLE, games=games, folder=wishes.folder)
    )
    bars = games_bar(errors)
    playing = Bar(bars, say("tournament.progress"), games)
    writing = Bar(bars, say("dataset.writing"), games)
    with playing, streams.kept_for_results():
        played = dataset.make(
            wishes.plan,
            wishes.deals,
            wishes.workers,
            wishes.folder,
            lambda done: playing.shown.update(playing.task, completed=done),
            lambda done: writing.shown.update(writing.task, completed=done),
        )
    if played.is_finished:
        made = dataset.load(wishes.folder)
        write(screen, say("dataset.made", decisions=len(made), folder=wishes.folder))
        return 0
    code = INTERRUPTED
    if played.stopped_by:
        code = complain(played.stopped_by, screen.voice.language)
    facts = {"games": len(played.outcomes), "all": played.games, "file": wishes.folder}
    errors.print(say("tournament.to_go_on", **facts))
    return code
