"""How many events a second the store keeps, each synced before it is acknowledged.

    python -m benchmarks.store [URL] [--seconds N]

Without an address: a new SQLite store in a temporary folder.  A database that is named should be empty;
it is left with the tables of the measurement.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time

from bullpen.server.store import NewEvent, Store, open_store

TABLES = (1, 10, 100, 300)


async def play(store: Store, table: str, until: float, waits: list[float]) -> None:
    seq = 0
    while (begun := time.perf_counter()) < until:
        seq += 1
        await store.append(table, seq, [NewEvent(0, seq, "move", {"move": "play 43"})])
        waits.append(time.perf_counter() - begun)


async def measure(store: Store, tables: int, seconds: float) -> tuple[float, float, float]:
    """Events a second, and how long one waits: the median and the 99th percentile, in milliseconds."""
    names = [f"{tables}-{number}-{time.time()}" for number in range(tables)]
    for name in names:
        await store.create(name, "benchmark", {"state": "playing"})
    waits: list[float] = []
    begun = time.perf_counter()
    await asyncio.gather(*(play(store, name, begun + seconds, waits) for name in names))
    rate = len(waits) / (time.perf_counter() - begun)
    cuts = statistics.quantiles(waits, n=100)
    return rate, 1000 * cuts[49], 1000 * cuts[98]


async def run(url: str, seconds: float) -> None:
    store = await open_store(url, owner="benchmark")
    print("tables at once   events/s   median wait   99th percentile")
    for tables in TABLES:
        rate, median, slow = await measure(store, tables, seconds)
        print(f"{tables:14} {rate:10.0f} {median:10.1f} ms {slow:14.1f} ms")
    await store.close()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("url", nargs="?")
    words.add_argument("--seconds", type=float, default=3.0)
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(given.url or f"sqlite:///{folder}/store.db", given.seconds))


if __name__ == "__main__":
    main()
