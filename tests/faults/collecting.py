"""What the server says of a finished table afterwards: record, replays, result."""

from __future__ import annotations

import asyncio

from tests.faults.history import History
from tests.faults.wire import Answer, Desk, Unreachable

TRIES = 30


async def collect(history: History, desk: Desk, table: str, seats: int) -> bool:
    """Record, replays as each of the first seats saw it, and the deal."""
    base = f"/api/tables/{table}"
    record = await patiently(desk, f"{base}/record")
    if record is None or not record.is_good:
        history.note(table, "no record", status=record.status if record else None)
        return False
    history.note(table, "record", record=record.body)
    fair = await patiently(desk, f"{base}/fair")
    history.note(table, "deal", fair=fair.body if fair else None)
    for seat in range(seats):
        replay = await patiently(desk, f"{base}/replay?seat={seat}")
        if replay is None or not replay.is_good:
            history.note(table, "no replay", status=replay.status if replay else None)
            return False
        turns = [
            {
                **{key: turn[key] for key in ("phase", "places", "facts", "scores", "rounds")},
                "steps": [
                    {"event": step["event"], "moves": step["moves"]} for step in turn["steps"]
                ],
                "decisions": [
                    [one["seat"], one["action"], one["move"], one["by"]]
                    for one in turn["decisions"]
                ],
            }
            for turn in replay.body["turns"]
        ]
        result = {
            key: replay.body["result"][key] for key in ("scores", "rounds", "winners", "played_for")
        }
        history.note(table, "replay", seat=seat, turns=turns, result=result)
    return True


async def collect_again(history: History, desk: Desk, table: str) -> None:
    """At the very end: it must be what it was."""
    record = await patiently(desk, f"/api/tables/{table}/record")
    history.note(table, "record", record=record.body if record and record.is_good else None)


async def patiently(desk: Desk, path: str) -> Answer | None:
    """Also while the server cannot answer just now."""
    answer = None
    for _ in range(TRIES):
        try:
            answer = await desk.ask("GET", path)
        except Unreachable:
            await asyncio.sleep(0.5)
            continue
        if answer.status not in (503, 429):
            return answer
        await asyncio.sleep(0.5)
    return answer
