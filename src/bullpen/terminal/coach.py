"""`bullpen hint`, and `hint` during a game: the candidates, and what the coach would play."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bullpen.bots import readiness
from bullpen.coach import wording
from bullpen.coach.candidates import USUAL_PLAYOUTS, are_exact
from bullpen.coach.hint import Hint, deciding_seat, hint
from bullpen.game import Game, Seat, View
from bullpen.match import Match
from bullpen.phrases import phrases
from bullpen.terminal import store
from bullpen.terminal.records import loaded
from bullpen.terminal.screen import Screen, blank, rule, write

SHOWN = 12  # candidates
JUDGE = "judgement"  # the bot whose compiled part judges candidates


def hint_for_file(
    screen: Screen, path: Path, seat: Seat | None, playouts: int, seed: int, *, as_json: bool
) -> None:
    """For the seat that was asked for, or for a person who has to decide in this game."""
    match = loaded(path)
    bots = store.seated_bots(path, match.seats)
    people = [one for one in range(match.seats) if one not in bots]
    seat = deciding_seat(match, seat, people)
    found = thought_of(screen, match.game, match.view(seat), playouts, seed)
    if as_json:
        sys.stdout.write(json.dumps(found.as_json()) + "\n")
    else:
        rule(screen, screen.voice.say("coach.hint.title", name=match.names[seat]))
        tell_hint(screen, match.game, match.view(seat), found)


def hint_now(screen: Screen, match: Match, seat: Seat) -> None:
    """In a running game, for the person who is asked."""
    view = match.view(seat)
    found = thought_of(screen, match.game, view, USUAL_PLAYOUTS, seed=0)
    blank(screen)
    tell_hint(screen, match.game, view, found)
    blank(screen)


def thought_of(screen: Screen, game: Game[Any], view: View[Any], playouts: int, seed: int) -> Hint:
    if len(view.legal) > 1:
        with waiting(screen, game, view):
            return hint(game, view, playouts, seed)
    return hint(game, view, playouts, seed)


@contextmanager
def waiting(screen: Screen, game: Game[Any], view: View[Any]) -> Iterator[None]:
    """A sign of life on the error output, and a word where compiling makes the first time long."""
    errors = Console(stderr=True, highlight=False, markup=False)
    if not readiness.is_ready(JUDGE, game):
        errors.print(screen.voice.say("coach.compiling", title=game.TITLE))
    with errors.status(screen.voice.say("coach.thinking")):
        readiness.make_ready(JUDGE, game, view)
        yield


def tell_hint(screen: Screen, game: Game[Any], view: View[Any], found: Hint) -> None:
    voice = screen.voice
    why, _ = wording.reasoned(voice, game, view, found)
    for sentence in (*wording.advice(voice, game, found), *why):
        write(screen, sentence)
    if not found.candidates:
        return
    blank(screen)
    means = phrases(voice, game, view)
    table = Table(box=None, pad_edge=False)
    table.add_column(voice.say("coach.hint.move"), style="cyan")
    table.add_column("", style="dim")
    for column in ("lead", "behind"):
        table.add_column(voice.say(f"coach.hint.{column}"), justify="right")
    for one in found.candidates[:SHOWN]:
        lead = f"{wording.signed(voice, one.lead)} ±{wording.decimal(voice, one.error)}"
        behind = f"{wording.decimal(voice, one.behind)} ±{wording.decimal(voice, one.behind_error)}"
        table.add_row(
            voice.typed(one.move),
            means[one.move],
            lead,
            behind if one is not found.candidates[0] else "",
        )
    screen.console.print(table)
    if (more := len(found.candidates) - SHOWN) > 0:
        write(screen, voice.say("coach.review.more", count=more), style="dim")
    if not are_exact(found.candidates):
        write(screen, voice.say("coach.hint.note", playouts=found.playouts), style="dim")
