"""Appends to some tables for ever and prints each event once it is acknowledged: to be killed.

python -m tests.store.playing URL TABLES [NUMBER OF]   # the last two: as one of several processes
"""

from __future__ import annotations

import asyncio
import sys

from bullpen.server.store import ALL, Conflict, Share, Store, open_store
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


async def play_everywhere(url: str, tables: int, share: Share) -> None:
    store = await open_store(url, owner="playing", share=share)
    own = [table for n in range(tables * share.of) if share.has(table := f"t{n}")]
    await asyncio.gather(*(play(store, table) for table in own))


if __name__ == "__main__":
    try:
        number, of = map(int, sys.argv[3:5]) if sys.argv[3:] else ALL
        asyncio.run(play_everywhere(sys.argv[1], int(sys.argv[2]), Share(number, of)))
    except Conflict as conflict:  # nobody else plays here
        sys.exit(f"two at one table: {conflict}")
