"""The hash chain of a table: whatever was changed, cut out or cut off is found.

hash = SHA-256(hash of the event before + canonical JSON of the event).  The chain begins with the
hash of the table's id, and the table's own row keeps how long it is and its last hash.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

import orjson

from bullpen.server.store.connection import Corrupt
from bullpen.server.store.contract import Damage, Event, Json, NewEvent

# A row as the database gives it; after damage it may hold anything.
Row = Sequence[Any]
COLUMNS = "table_id, seq, seat, decision, kind, payload, time, hash"


def canonical(value: Any) -> str:
    """The same text for the same value, everywhere: sorted keys, no spaces, ASCII."""
    if is_plain(value):
        with suppress(orjson.JSONEncodeError):  # a number beyond 64 bits, a text that is none
            text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
            if text.isascii():
                return text.decode()
    return ENCODER.encode(value)


def is_plain(value: Any) -> bool:
    """What both encoders write alike, the quick one and Python's own: what nearly all events are made of."""
    if type(value) is dict:
        return all(type(name) is str and is_simple(one) for name, one in value.items())
    return type(value) is list and all(map(is_simple, value))


def is_simple(value: Any) -> bool:
    """Fractions only where nobody would write them with an exponent."""
    return type(value) in SIMPLE or (type(value) is float and 1 <= value < 10**15)


SIMPLE = frozenset((str, int, type(None)))
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def hashed(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()


def first_hash(table: str) -> str:
    return hashed("bullpen-table-1", table)


def header_hash(table: str, kind: str, state: str, header: str) -> str:
    return hashed("bullpen-header-1", canonical([table, kind, state]), header)


def event_hash(
    before: str, table: str, seq: int, event: NewEvent, payload: str, time: float
) -> str:
    facts = canonical([table, seq, event.seat, event.decision, event.kind, time])
    return hashed(before, facts, payload)


def chained(
    table: str, before: str, first_seq: int, events: Sequence[NewEvent], time: float
) -> Iterator[Row]:
    """The rows of new events, each hanging on the one before."""
    for seq, event in enumerate(events, start=first_seq):
        payload = canonical(event.payload)
        before = event_hash(before, table, seq, event, payload, time)
        yield table, seq, event.seat, event.decision, event.kind, payload, time, before


def as_event(row: Row) -> Event:
    table, seq, seat, decision, kind, payload, time, own_hash = row
    return Event(table, seq, seat, decision, kind, json.loads(payload), time, own_hash)


# -- Checking -----------------------------------------------------------------------------------


def checked_header(table: str, row: Row) -> Json | None:
    """None: it is not what was written."""
    kind, state, header, written_hash = row
    try:
        if header_hash(table, kind, state, header) != written_hash:
            return None
        read = json.loads(header)
    except (TypeError, ValueError):
        return None
    return read if isinstance(read, dict) else None


def checked_events(
    table: str,
    header: Json | None,
    head: Row,
    rows: Iterable[Row],
) -> tuple[list[Event], Damage | None]:
    """The events that hold, and what is wrong with the next one.

    `head`: how long the chain is and its last hash, as the table's own row says."""
    good: list[Event] = []
    seq, last_hash = 0, first_hash(table)
    what = ""
    try:
        for row in rows:
            if not holds(table, seq + 1, last_hash, row):
                what = "event"
                break
            good.append(as_event(row))
            seq, last_hash = seq + 1, row[7]
    except (Corrupt, ValueError):
        what = "unreadable"
    if not what and (seq, last_hash) != tuple(head):
        what = "end"
    if not what and header is None:
        what = "header"
    return good, Damage(table, what, seq + 1, header, good) if what else None


def holds(table: str, seq: int, before: str, row: Row) -> bool:
    """Whether a row is the event that was written in this place."""
    seat, decision, kind, payload, time, own_hash = row[2:]
    if row[0] != table or row[1] != seq or not isinstance(time, float):
        return False
    try:
        event = NewEvent(seat, decision, kind, {})
        return bool(event_hash(before, table, seq, event, payload, time) == own_hash)
    except (TypeError, ValueError):  # of a kind that was never written
        return False
