"""What has happened at a table so far, in words: for somebody who changes the language.

Nothing of it is kept: the game is played again, by a process of its own.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from bullpen.game import Seat
from bullpen.server import messages
from bullpen.server.retelling import turns_again
from bullpen.server.room import Room
from bullpen.server.sight import Telling
from bullpen.server.store import FINISHED
from bullpen.text import voice

Json = dict[str, Any]
LINES = 200  # the last ones


def story(room: Room, seat: Seat | None, language: str, lines: list[Json]) -> Json:
    return {
        "type": "story",
        "language": language,
        "lines": lines,
        "phrases": messages.phrases(language),
        "chat": [messages.chat_line(line, language) for line in room.chat],
        "result": messages.result(room, seat, language) if room.header.state == FINISHED else None,
    }


def lines_for(room: Room, seat: Seat | None, language: str) -> list[Json]:
    """As this seat saw it."""
    assert room.play is not None
    telling = Telling(room.game, voice(language), room.header.names)
    lines: deque[Json] = deque(maxlen=LINES)
    for turn in turns_again(room.play):
        for step in telling.steps(turn.happenings, seat, room.options):
            if step["event"] is not None:
                lines.append({"event": step["event"]["event"], "text": step["text"]})
    return list(lines)
