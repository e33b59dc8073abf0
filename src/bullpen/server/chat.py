"""Chat between the store and the wire: a line is stored as text, a ready-made phrase by its name."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from bullpen.server.store import ChatLine

LINES_SHOWN = 50  # to a newcomer
PHRASE_MARK = "\x01"  # before the name of a phrase; nobody can type this
OLD_MARK = "\x00"  # of the first version; PostgreSQL takes none


def stored_text(text: str, phrase: str | None) -> str:
    return text if phrase is None else PHRASE_MARK + phrase


def day_and_time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def message(line: ChatLine) -> dict[str, Any]:
    is_phrase = line.text.startswith((PHRASE_MARK, OLD_MARK))
    return {
        "type": "chat",
        "seat": line.seat,
        "name": line.name,
        "text": "" if is_phrase else line.text,
        "phrase": line.text[1:] if is_phrase else None,
        "at": datetime.fromtimestamp(line.time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
