"""Going through a recorded game, step by step or as a whole."""

from __future__ import annotations

import sys
from pathlib import Path

from bullpen import record
from bullpen.match import Match
from bullpen.terminal import tell
from bullpen.terminal.boards import drawn_table
from bullpen.terminal.program import program
from bullpen.terminal.records import game_of_tournament, loaded
from bullpen.terminal.screen import InputEnded, Screen, blank, check_size, rule, show, typed, write
from bullpen.terminal.sight import open_sight, sight_of


def replay(screen: Screen, path: Path) -> None:
    """In a terminal step by step, into a pipe or a file as one transcript."""
    match = loaded(path)
    if screen.console.is_terminal and sys.stdin is not None and sys.stdin.isatty():
        check_size(screen)
        step_through(screen, game_of_tournament(path) or path.read_text("utf-8"), match)
    else:
        transcript(screen, match)


def transcript(screen: Screen, match: Match) -> None:
    tell.opening(screen, match)
    write(screen, screen.voice.say("terminal.replay.players", names=match.names))
    blank(screen)
    tell_steps(screen, match, 0, match)
    ending(screen, match)


def tell_steps(screen: Screen, match: Match, begin: int, whole: Match) -> None:
    """Of a game that is still being played only what everybody may know."""
    if whole.is_over:
        tell.everything(screen, match, begin)
    else:
        tell.events(screen, match, begin, None)


def ending(screen: Screen, match: Match) -> None:
    if match.is_over:
        tell.result(screen, match, None)
    else:
        write(
            screen, screen.voice.say("terminal.replay.unfinished", program=program()), style="bold"
        )


# -- Step by step -----------------------------------------------------------------------------


def step_through(screen: Screen, text: str, whole: Match) -> None:
    """The decisions count from 1; step 0 is the table as it was dealt."""
    last = len(whole.decisions)
    tell.opening(screen, whole)
    step, shown = 0, -1
    while True:
        if step != shown:
            show_step(screen, text, whole, step)
            shown = step
        key = "prompt" if step < last else "prompt_at_end"
        prompt = screen.voice.say(f"terminal.replay.{key}", step=step, last=last)
        try:
            answer = typed(prompt).lower()
        except InputEnded:
            return
        if answer in screen.voice.say("terminal.words.quit").split():
            return
        step = next_step(screen, answer, step, last)


def next_step(screen: Screen, answer: str, step: int, last: int) -> int:
    words = screen.voice.say
    if answer == "" or answer in words("terminal.words.next").split():
        wanted = step + 1
    elif answer in words("terminal.words.previous").split():
        wanted = step - 1
    elif answer in words("terminal.words.end").split():
        wanted = last
    elif answer.isdecimal():
        wanted = int(answer[:9])
    else:
        write(screen, words("terminal.replay.help", last=last))
        return step
    if not 0 <= wanted <= last:
        write(screen, words("terminal.replay.no_such_step", last=last))
        return step
    return wanted


def show_step(screen: Screen, text: str, whole: Match, step: int) -> None:
    """What the decision led to, and the table after it."""
    match = record.replay(text, step)
    blank(screen)
    rule(screen, screen.voice.say("terminal.replay.step", step=step, last=len(whole.decisions)))
    if whole.is_over and step:  # a secret choice of a game that goes on is not told
        made = match.decisions[-1]
        name, move = match.names[made.seat], match.game.NOTATION[made.action]
        write(screen, screen.voice.say("terminal.replay.decision", name=name, move=move))
    known = len(record.replay(text, step - 1).events) if step else 0
    tell_steps(screen, match, known, whole)
    sight = open_sight(match, screen) if whole.is_over else sight_of(match, None, screen)
    show(screen, drawn_table(sight))
    if step == len(whole.decisions):
        ending(screen, whole)
