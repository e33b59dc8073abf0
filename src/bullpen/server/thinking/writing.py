"""Games as they went, as a thinking process tells them: finished ones as files, others in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import orjson

from bullpen.server import replay as replays
from bullpen.server.header import Header
from bullpen.server.metrics import Metrics
from bullpen.server.play import replayed
from bullpen.server.room import Room
from bullpen.server.store import Store
from bullpen.server.story import lines_for

Json = dict[str, Any]


def table_of(question: Json) -> Room:
    """A table to look at: nothing is stored any more, and nobody sits there."""
    header = Header.model_validate(question["header"])
    room = Room(question["table"], header, cast("Store", None), Metrics())
    shuffles, made = question["shuffles"], question["made"]
    room.play = replayed(room.game, len(header.seats), room.options, room.deck, shuffles, made)
    return room


def replay(question: Json) -> Json:
    wished = question["language"], question["seat"], question["you"]
    document = replays.replay(table_of(question), *wished)
    Path(question["path"]).write_bytes(orjson.dumps(document))
    return {}


def record(question: Json) -> Json:
    Path(question["path"]).write_text(replays.record(table_of(question)), encoding="utf-8")
    return {}


def story(question: Json) -> Json:
    return {"lines": lines_for(table_of(question), question["seat"], question["language"])}
