"""Where games are kept: a record, and beside it who sits where.

The record alone holds the game; the small file beside it (`….seats`) only says which seats are played
by bots and in which language, so that a game can be continued as it was left.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from shlex import quote
from typing import Any

from bullpen import record
from bullpen.bots import bot_called
from bullpen.cards import Problem
from bullpen.folders import data_folder
from bullpen.game import Seat
from bullpen.languages import LANGUAGES
from bullpen.terminal.people import USUAL_BOT, Sitting
from bullpen.terminal.program import program
from bullpen.terminal.records import is_folder, loaded, new_file

RECALLED = 8  # events that are told again when a game is continued


def games_folder() -> Path:
    return data_folder() / "games"


def new_path(game: str) -> Path:
    """A place for a new game, named after the game and the time."""
    return unused(games_folder() / f"{game}-{time.strftime('%Y-%m-%d-%H%M%S')}.json")


def unused(path: Path) -> Path:
    """This place, or one beside it if a game is kept there already."""
    number, free = 1, path
    while is_there(free):
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def own_path(file: str) -> Path:
    """The place that somebody named; what is there already is not overwritten."""
    path = new_file(file)
    if is_folder(path):
        raise Problem("save_is_folder", file=file)
    if is_there(path):
        raise Problem("save_exists", file=file, program=program(), saved=quote(file))
    return path


def is_there(path: Path) -> bool:
    """Where we may not even look, nothing is: trying to write there will say why not."""
    try:
        return path.exists()
    except OSError:
        return False


# -- Keeping ----------------------------------------------------------------------------------


def keep(sitting: Sitting) -> None:
    """Write the record and who sits where; raises OSError where that is not possible."""
    record.save(sitting.match, sitting.path)
    bots = {str(seat): kind for seat, kind in sitting.bots.items()}
    beside = {"bots": bots, "language": sitting.language}
    seats_path(sitting.path).write_text(json.dumps(beside) + "\n", "utf-8")


def seats_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.seats")


# -- Continuing -------------------------------------------------------------------------------


def continued(path: Path) -> Sitting:
    """The game of a record, as it was left."""
    match = loaded(path)
    if match.is_over:
        raise Problem("game_finished", program=program(), saved=quote(str(path)))
    bots, language = seated_bots(path, match.seats), language_of(path)
    sitting = Sitting(match, bots, path, SystemRandom(), language=language)
    recalled = max(0, len(match.events) - RECALLED)
    return replace(sitting, events_shown=dict.fromkeys([None, *range(match.seats)], recalled))


def seated_bots(path: Path, seats: int) -> dict[Seat, str]:
    """Who sat where; of a record that came alone, seat 0 is a person and the others are bots."""
    try:
        bots = {int(seat): str(kind) for seat, kind in kept_beside(path)["bots"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return dict.fromkeys(range(1, seats), USUAL_BOT)
    return {
        seat: kind if is_bot(kind) else USUAL_BOT
        for seat, kind in bots.items()
        if 0 <= seat < seats
    }


def is_bot(name: str) -> bool:
    try:
        bot_called(name)
    except Problem:
        return False
    return True


def language_of(path: Path) -> str:
    """The language in which the game was played, if that is known."""
    language = kept_beside(path).get("language")
    return language if language in LANGUAGES else ""


def kept_beside(path: Path) -> dict[str, Any]:
    """What stands in the file beside a record; nothing if there is none, or none of ours."""
    try:
        kept = json.loads(seats_path(path).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def latest_unfinished() -> Path:
    for path in kept_games():
        if is_unfinished(path):
            return path
    raise Problem("nothing_to_resume", file=games_folder(), program=program())


def kept_games() -> Iterator[Path]:
    """The games in our folder, the newest first."""
    try:
        found = [(path.stat().st_mtime_ns, path) for path in games_folder().glob("*.json")]
    except OSError:
        return
    for _, path in sorted(found, reverse=True):
        yield path


def is_unfinished(path: Path) -> bool:
    """As the record itself says; whether it holds is seen when it is loaded."""
    try:
        return record.parsed(path.read_text("utf-8"))["winners"] is None
    except (OSError, ValueError):
        return False
