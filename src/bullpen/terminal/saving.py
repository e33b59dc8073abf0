"""Saving during play: never an end of the game, at worst a warning."""

from __future__ import annotations

from dataclasses import replace

from bullpen.cards import Problem
from bullpen.terminal import store
from bullpen.terminal.people import Sitting
from bullpen.terminal.screen import Screen, write
from bullpen.terminal.screen import tell as say


def keep_or_warn(screen: Screen, sitting: Sitting) -> None:
    """Saved; the first time that this fails it is said, and the game goes on."""
    try:
        store.keep(sitting)
    except OSError as error:
        if not sitting.not_saved_because:
            reason = error.strerror or str(error)
            facts = {"where": sitting.path, "reason": reason}
            write(screen, screen.voice.say("terminal.not_saved", **facts), style="bold red")
            sitting.not_saved_because = reason
    else:
        sitting.not_saved_because = ""


def save_on_demand(screen: Screen, sitting: Sitting, file: str) -> None:
    """`save` says where the game is; `save FILE` writes another copy of it."""
    if not file:
        keep_or_warn(screen, sitting)
        if not sitting.not_saved_because:
            say(screen, "saved", file=sitting.path)
        return
    try:
        copy = replace(sitting, path=store.own_path(file))
        store.keep(copy)
    except Problem as problem:
        write(screen, screen.voice.problem(problem))
    except (OSError, ValueError) as error:
        facts = {"where": file, "reason": getattr(error, "strerror", None) or error}
        write(screen, screen.voice.say("terminal.not_saved", **facts))
    else:
        say(screen, "saved", file=copy.path)
        if sitting.not_saved_because:  # from now on it is kept there
            sitting.path, sitting.not_saved_because = copy.path, ""
