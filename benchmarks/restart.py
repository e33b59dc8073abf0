"""How soon a killed server is back: `python -m benchmarks.restart [--tables N] [--write]`.

A real server is ended by SIGKILL while people play at all of its tables, and started again on the same file.
Counted from that start: until it answers, and until every table has been asked for and is being played.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx

from benchmarks.__main__ import RESULTS, processor
from benchmarks.load import allow_many_sockets, served
from benchmarks.load_client import Load
from bullpen.server.store import tables as tables_of
from bullpen.server.store.contract import LIVING
from bullpen.server.store.database import connected, opened

PROMISED_SECONDS = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.restart", description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--write", action="store_true", help="add to benchmarks/results.md")
    wished = parser.parse_args()
    allow_many_sockets()
    lines = [*report(wished.tables)]
    if wished.write:
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *lines, ""]))


def report(tables: int) -> Iterator[str]:
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        names, stored = killed_in_play(folder, tables)
        start = time.perf_counter()
        with served(folder) as (url, _):
            back = time.perf_counter() - start
            with httpx.Client(base_url=url) as people:
                playing = [is_playing(people, name) for name in names]
            all_back = time.perf_counter() - start
    told = (
        f"{processor()}, machine load {load:.1f} before. {tables} tables of four in play, {stored:,} moves"
        f" stored, then SIGKILL: answers again {back:.2f} s after its start (promised {PROMISED_SECONDS:.0f} s),"
        f" all {sum(playing)} tables asked for and in play after {all_back:.2f} s."
    )
    for line in (
        f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC: the server killed and started again",
        "",
        told,
    ):
        print(line, flush=True)
        yield line


def killed_in_play(folder: str, tables: int) -> tuple[list[str], int]:
    """The tables' names, and how many events were stored when the server ended."""
    load = Load(tables, 4, tables, 60.0)
    with served(folder) as (url, pid):
        words = [sys.executable, "-m", "benchmarks.load_client", url, str(pid), *map(str, load)]
        people = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while (stored := events_stored(url)) < 6 * tables:
                if people.poll() is not None:
                    raise SystemExit("the people at the tables did not come")
                time.sleep(0.2)
            os.kill(pid, signal.SIGKILL)
        finally:
            people.terminate()
            people.wait()
    with connected(opened(f"sqlite:///{folder}/tables.db").connect) as store:
        names = tables_of.all_tables(store)
        headers = [tables_of.header(store, name) or {} for name in names]
    living = [
        name
        for name, header in zip(names, headers, strict=True)
        if tables_of.state_of(header) in LIVING
    ]
    return living, stored


def events_stored(url: str) -> int:
    for line in httpx.get(f"{url}/metrics").text.splitlines():
        if line.startswith("bullpen_events_total "):
            return int(float(line.split()[1]))
    return 0


def is_playing(people: httpx.Client, table: str) -> bool:
    lobby = people.get(f"/api/tables/{table}").json()["lobby"]
    return bool(lobby["status"] == "playing")


if __name__ == "__main__":
    main()
