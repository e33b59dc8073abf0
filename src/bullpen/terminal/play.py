"""Playing: the bots move, people are asked, and every decision is saved at once."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from bullpen.bots import bot_called, readiness
from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.terminal import store, tell
from bullpen.terminal.boards import drawn_table
from bullpen.terminal.decide import decide
from bullpen.terminal.people import Sitting, Wishes, again, sit_down
from bullpen.terminal.program import program
from bullpen.terminal.saving import keep_or_warn
from bullpen.terminal.screen import InputEnded, Screen, blank, clear, show, typed, write
from bullpen.terminal.sight import sight_of

Ending = Literal["finished", "left"]


def play_new(screen: Screen, wishes: Wishes, path: Path) -> None:
    play_on(screen, sit_down(wishes, path))


def play_on(screen: Screen, sitting: Sitting) -> None:
    """A game, and another one as long as people want one; it is kept beside the one before."""
    while play(screen, sitting) == "finished" and wants_rematch(screen, sitting):
        sitting = sit_down(again(sitting), store.unused(sitting.path))


def play(screen: Screen, sitting: Sitting) -> Ending:
    """One game to its end, or until its people leave.  The game is never lost: it is saved after every
    decision, so leaving in whatever way leaves it where it was."""
    sitting.language = screen.voice.language
    tell.opening(screen, sitting.match)
    keep_or_warn(screen, sitting)
    try:
        while not sitting.match.is_over:
            if next_decision(screen, sitting) == "left":
                return "left"
        finish(screen, sitting)
    except InputEnded:
        raise input_ended(sitting) from None
    except KeyboardInterrupt:
        blank(screen)
        if not sitting.not_saved_because:
            tell.left(screen, sitting.path)
        raise
    return "finished"


def input_ended(sitting: Sitting) -> Problem:
    if sitting.not_saved_because:
        return Problem("input_ended_unsaved", saved=sitting.path)
    if sitting.path.parent == store.games_folder():
        return Problem("input_ended", program=program())
    return Problem("input_ended_elsewhere", program=program(), saved=sitting.path)


def next_decision(screen: Screen, sitting: Sitting) -> Literal["decided", "left"]:
    """Bots first: then nobody waits for them when cards are turned up."""
    match = sitting.match
    waiting = match.waiting_for
    seat = next((seat for seat in waiting if seat in sitting.bots), waiting[0])
    if seat not in sitting.bots:
        return decide(screen, sitting, seat)
    bot, view = sitting.bots[seat], match.view(seat)
    if not readiness.is_ready(bot, match.game):
        write(screen, screen.voice.say("simulate.compiling", title=match.game.TITLE))
        readiness.make_ready(bot, match.game, view)
    match.act(seat, bot_called(bot)(match.game, view, sitting.rng))
    keep_or_warn(screen, sitting)
    if not sitting.people:
        tell_news(screen, sitting, None)
    return "decided"


def tell_news(screen: Screen, sitting: Sitting, seat: Seat | None) -> None:
    """What this person has not been told yet."""
    tell.events(screen, sitting.match, sitting.events_shown.get(seat, 0), seat)
    sitting.events_shown[seat] = len(sitting.match.events)


# -- The end ----------------------------------------------------------------------------------


def finish(screen: Screen, sitting: Sitting) -> None:
    people = sitting.people
    you = people[0] if len(people) == 1 else None
    if len(people) > 1:  # the last of them has just looked at a hand
        clear(screen)
        sitting.events_shown[None] = min(sitting.events_shown.get(seat, 0) for seat in people)
    blank(screen)
    tell_news(screen, sitting, you)
    blank(screen)
    show(screen, drawn_table(sight_of(sitting.match, you, screen)))
    tell.result(screen, sitting.match, you)
    if not sitting.not_saved_because:
        tell.finished(screen, sitting.path)


def wants_rematch(screen: Screen, sitting: Sitting) -> bool:
    if not sitting.people:
        return False
    say = screen.voice.say
    yes, no = say("terminal.words.yes").split(), say("terminal.words.no").split()
    answer = ""
    asked = False
    while answer not in yes + no:
        if asked:
            write(screen, say("terminal.rematch_help", yes=yes[0], no=no[0]))
        asked = True
        try:
            answer = typed(say("terminal.rematch")).lower()
        except (InputEnded, KeyboardInterrupt):
            return False  # the game is over and kept, so there is nothing to complain about
    return answer in yes
