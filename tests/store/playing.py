"""Appends to some tables for ever and prints each event once it is acknowledged: to be killed."""

from __future__ import annotations

import asyncio
import sys

from bullpen.server.store import Conflict, Store, open_store
from tests.store.stories import move


async def play(store: Store, table: str) -> None:
    if await store.header(table) is None:
        await store.create(table, "game", {"state": "playing"})
    seq = len(await store.events(table))
    while True:
        for event in await store.append(table, seq + 1, [move(seq + 1), move(seq + 2)]):
            sys.stdout.write(f"{table} {event.seq} {event.hash}\n")
        sys.stdout.flush()
        seq += 2


async def play_everywhere(url: str, tables: int) -> None:
    store = await open_store(url, owner="playing")
    await asyncio.gather(*(play(store, f"t{n}") for n in range(tables)))


if __name__ == "__main__":
    try:
        asyncio.run(play_everywhere(sys.argv[1], int(sys.argv[2])))
    except Conflict as conflict:  # nobody else plays here
        sys.exit(f"two at one table: {conflict}")
