"""`bullpen review`: a progress bar, then the review as tables, as JSON, as a page."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bullpen.cards import Problem
from bullpen.coach import wording
from bullpen.coach.curves import curve
from bullpen.coach.positions import positions
from bullpen.coach.review import Judged, Review, review
from bullpen.game import Seat, titled
from bullpen.match import Match
from bullpen.terminal.coach import waiting
from bullpen.terminal.progress import Bar
from bullpen.terminal.records import loaded
from bullpen.terminal.screen import TEXT_WIDTH, Screen, blank, rule, write
from bullpen.terminal.tell import BULLET, NAME_WIDTH

WORST_SHOWN = 10
BLOCKS, PLAIN_BLOCKS = "▁▂▃▄▅▆▇█", "_.-~=+*#"
STYLES = {"inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "bold red"}


def review_file(
    screen: Screen,
    path: Path,
    seat: Seat | None,
    playouts: int,
    seed: int,
    jobs: int | None,
    page: Path | None,
    *,
    as_json: bool,
) -> None:
    match = loaded(path)
    if seat is not None:
        match.legal(seat)  # refuses a seat that there is not, before anything is compiled
    found = judged_with_bar(screen, match, seat, playouts, seed, jobs)
    if as_json:
        sys.stdout.write(json.dumps(found.as_json()) + "\n")
    else:
        tell_review(screen, found)
    if page:
        write_page(screen, found, page)


def judged_with_bar(
    screen: Screen, match: Match, seat: Seat | None, playouts: int, seed: int, jobs: int | None
) -> Review:
    """Reviewed with a bar on the error output; Ctrl-C gives what is done by then."""
    first = next((one for one in positions(match) if len(one.view.legal) > 1), None)
    if first:
        with waiting(screen, match.game, first.view):
            pass
    with DecisionsBar(screen) as bar:
        return review(
            match, playouts=playouts, seed=seed, seat=seat, jobs=jobs, progress=bar.update
        )


class DecisionsBar(Bar):
    """Decisions done and time left; nothing where nobody watches."""

    def __init__(self, screen: Screen) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        errors = Console(stderr=True, highlight=False, markup=False)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
        shown = Progress(
            *columns,
            TimeRemainingColumn(),
            console=errors,
            disable=not errors.is_terminal,
            transient=True,
        )
        super().__init__(shown, screen.voice.say("coach.review.progress"), None)

    def update(self, done: int, wanted: int) -> None:
        self.shown.update(self.task, completed=done, total=wanted)


# -- Tables -----------------------------------------------------------------------------------


def tell_review(screen: Screen, found: Review) -> None:
    say = screen.voice.say
    rule(screen, say("coach.review.title", title=titled(found.game, found.match.options)))
    write(screen, say("coach.review.players", names=found.match.names))
    for note in wording.notes(screen.voice, found):
        write(screen, note, style="bold")
    heading(screen, "summary")
    screen.console.print(summary(screen, found))
    write(screen, say("coach.review.summary_note"), style="dim")
    heading(screen, "chart")
    tell_chart(screen, found)
    heading(screen, "verdicts")
    for seat in found.seats:
        sentences = " ".join(wording.verdict(screen.voice, found, seat))
        write(screen, f"{seat.name}: {sentences}", bullet=BULLET)
    heading(screen, "worst")
    worst = found.worst(WORST_SHOWN)
    if worst:
        screen.console.print(worst_table(screen, found, worst))
    else:
        write(screen, say("coach.review.no_worst"))


def heading(screen: Screen, key: str) -> None:
    blank(screen)
    write(screen, screen.voice.say(f"coach.review.{key}"), style="bold")


def short(name: str) -> str:
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "…"


def summary(screen: Screen, found: Review) -> Table:
    voice = screen.voice
    table = Table(box=None, pad_edge=False)
    table.add_column(voice.say("coach.review.name"))
    for column in ("result", "deal", "play", "skill", "lost"):
        table.add_column(voice.say(f"coach.review.{column}"), justify="right")
    table.add_column(voice.say("coach.review.mistakes"), no_wrap=True)
    for seat in found.seats:
        whole = seat.whole
        parts = (whole.result, whole.deal, whole.play, whole.skill)
        lost = f"{wording.decimal(voice, whole.lost)} ±{wording.decimal(voice, whole.lost_error)}"
        table.add_row(
            short(seat.name),
            *(wording.signed(voice, part) for part in parts),
            lost,
            voice.say("coach.review.counts", **seat.grades),
        )
    return table


def worst_table(screen: Screen, found: Review, worst: list[Judged]) -> Table:
    voice, names = screen.voice, found.match.names
    table = Table(box=None, pad_edge=False)
    table.add_column(voice.say("coach.review.number"), justify="right")
    for column in ("name", "move", "better"):
        table.add_column(voice.say(f"coach.review.{column}"))
    table.add_column(voice.say("coach.review.behind"), justify="right")
    table.add_column(voice.say("coach.review.grade"))
    for one in worst:
        means = wording.means(voice, found.game, one)
        table.add_row(
            str(one.number),
            short(names[one.seat]),
            *(
                "\n".join(filter(None, (voice.typed(move), means.get(move))))
                for move in (one.move, one.best)
            ),
            f"{wording.decimal(voice, one.lost)} ±{wording.decimal(voice, one.behind_error)}",
            voice.say(f"coach.grade.{one.grade}"),
            style=STYLES[one.grade] if screen.is_coloured else "",
        )
    return table


# -- The chart --------------------------------------------------------------------------------


def tell_chart(screen: Screen, found: Review) -> None:
    """A line of blocks for each seat, all of them on one scale."""
    voice = screen.voice
    curves = {seat.name: curve(found, seat) for seat in found.seats}
    leads = [point.lead for points in curves.values() for point in points]
    if not leads:
        return
    least, most = min(leads), max(leads)
    blocks = BLOCKS if "utf" in screen.console.encoding.lower() else PLAIN_BLOCKS
    width = max(len(short(name)) for name in curves)
    room = max(8, min(screen.width, TEXT_WIDTH) - width - 9)
    last = max(point.moment for points in curves.values() for point in points) or 1
    for name, points in curves.items():
        columns: dict[int, float] = {}
        for point in points:
            columns[round(point.moment / last * (room - 1))] = point.lead
        drawn, now = "", blocks[0]
        for column in range(room):
            if column in columns:
                height = (columns[column] - least) / ((most - least) or 1)
                now = blocks[round(height * (len(blocks) - 1))]
            drawn += now if drawn.strip() or column in columns else " "
        end = wording.signed(voice, points[-1].lead) if points else ""
        screen.console.print(f"{short(name):<{width}} {drawn} {end:>7}", no_wrap=True)
    scale = {"least": wording.signed(voice, least), "most": wording.signed(voice, most)}
    write(screen, voice.say("coach.review.scale", low=blocks[0], high=blocks[-1], **scale), "dim")


# -- The page ---------------------------------------------------------------------------------


def checked_page(name: str) -> Path:
    path = Path(name)
    if path.suffix.lower() not in (".html", ".htm"):
        raise Problem("page_format", file=path)
    if not path.resolve().parent.is_dir():
        raise Problem("page_unwritable", file=path, reason=os.strerror(errno.ENOENT))
    return path


def write_page(screen: Screen, found: Review, path: Path) -> None:
    from bullpen.coach.page import page

    try:
        path.write_text(page(screen.voice, found), "utf-8")
    except OSError as error:
        raise Problem("page_unwritable", file=path, reason=error.strerror) from None
    Console(stderr=True, highlight=False, markup=False).print(
        screen.voice.say("coach.review.page", file=path)
    )
