"""How many tables one server process carries, and how long a move takes to reach everybody.

    python -m benchmarks.load [--tables N --seats S --rate R --seconds T --workers W]
                              [--grow] [--capacity] [--several] [--write]

A real server on a free port of this machine, with a SQLite file in a temporary folder and every move synced;
the people are in a second process (`load_client.py`).  Without wishes: 300 tables of ten seats, 300 moves a
second.  --grow: from 10 to 1,000 tables, with a plot in docs/; --capacity: tables of four as fast as they go;
--several: the same with one process and with two.
--write adds a dated section to benchmarks/results.md, and makes the plot.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import httpx

from benchmarks.__main__ import RESULTS, processor
from benchmarks.load_client import BARE, ONE, TOGETHER, Load, Measured

PLOT = Path(__file__).parent.parent / "docs" / "load.svg"
PROMISE = Load(tables=300, seats=10, rate=300, seconds=20)
MOST_MS, MOST_MB = 50, 400  # of the promise
GROWTH = (10, 30, 100, 300, 1000)  # tables, each with ten seats and a move a second
CAPACITY = (25, 100, 400)  # tables of four, as fast as they go
CAPACITY_TOLD = {
    BARE: "a bare broadcast in Starlette: no store, no rules, no views",
    TOGETHER: "all who are asked choose at once, and a wait is that of a turn",
    ONE: "one move at a time, the next as soon as all know the last",
}
ROUNDS = 3
SETTING_UP_SECONDS = 240  # at most, and for the client's end
SETTINGS = {
    "BULLPEN_WARM": "no",  # no bot plays here
    "BULLPEN_LOG": "warning",
    "BULLPEN_REQUESTS_PER_MINUTE": "10000000",
    "BULLPEN_TABLES_PER_ADDRESS": "100000",
    "BULLPEN_SOCKETS_PER_ADDRESS": "100000",
    "BULLPEN_CONNECTIONS_PER_ADDRESS": "100000",
    "BULLPEN_CONNECTIONS": "100000",
}
RUN = (
    "from bullpen.server.serving import run; from bullpen.server.settings import *; "
    "run(Settings(**from_environment()))"
)


@contextlib.contextmanager
def served(folder: str, how: str = ONE, workers: int = 1) -> Iterator[tuple[str, int]]:
    """The address and the process of a server of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"BULLPEN_PORT": str(port), "BULLPEN_DB": f"sqlite:///{folder}/tables.db"}
    environment = {**os.environ, **SETTINGS, **own, "BULLPEN_WORKERS": str(workers)}
    words = ["-m", "benchmarks.bare", str(port)] if how == BARE else ["-c", RUN]
    server = subprocess.Popen([sys.executable, *words], env=environment)
    try:
        url = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 60
        while not answers(url):
            if server.poll() is not None or time.monotonic() > until:
                raise SystemExit("the server did not start")
            time.sleep(0.05)
        yield url, server.pid
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def answers(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{url}/healthz").is_success
    return False


def measure(load: Load) -> Measured:
    """A new server for every measurement; nothing of the last one is left."""
    with (
        tempfile.TemporaryDirectory() as folder,
        on_cores(load, slice(0, 1)),
        served(folder, load.how, load.workers) as (url, pid),
        on_cores(load, slice(1, None)),
    ):
        words = [sys.executable, "-m", "benchmarks.load_client", url, str(pid), *map(str, load)]
        most = SETTING_UP_SECONDS + load.seconds
        ended = subprocess.run(words, stdout=subprocess.PIPE, timeout=most, check=True)
    return Measured(*json.loads(ended.stdout))


@contextlib.contextmanager
def on_cores(load: Load, which: slice) -> Iterator[None]:
    """As fast as it goes, on one core: what is started here stays on some of the cores, where there are
    several; what keeps a pace may use them all."""
    before = os.sched_getaffinity(0)
    if not load.rate and load.workers == 1 and (some := sorted(all_cores())[which]):
        os.sched_setaffinity(0, some)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@cache
def all_cores() -> set[int]:
    return os.sched_getaffinity(0)


def lines(seconds: float) -> Iterator[str]:
    """All parts, for `make bench`."""
    allow_many_sockets()
    yield from promise_part(PROMISE._replace(seconds=10 * seconds))
    yield from growth_part(4 * seconds, 2, draws=False)
    yield from capacity_part(2 * seconds)
    yield from several_part(2 * seconds)


# -- Telling ------------------------------------------------------------------------------------

HEADINGS = (
    "tables",
    "seats each",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "slowest ms",
    "server CPU",
    "moves per CPU second",
    "MB",
)


SEVERAL_HEADINGS = (
    "processes",
    "moves/s",
    "p99 ms",
    "server cores",
    "client cores",
    "moves per CPU second",
    "its cores carry",
    "of one process",
    "what",
)


def heading(*more: str) -> Iterator[str]:
    headings = (*HEADINGS, *more)
    yield f"| {' | '.join(headings)} |"
    yield "|" + "---:|" * len(headings)


def row(found: Measured) -> str:
    if found.refused:
        raise SystemExit(f"{found.refused} moves were refused or never told")
    return (
        f"| {found.tables} | {found.seats} | {found.rate:,.0f} | {found.p50:.1f} | {found.p99:.1f}"
        f" | {found.slowest:.0f} | {found.server_cpu / found.seconds:.0%} | {found.per_cpu_second:,.0f}"
        f" | {found.memory:.0f} |"
    )


def promise_part(load: Load = PROMISE) -> Iterator[str]:
    yield ""
    yield "### The server: a move until everybody at the table knows, each synced first"
    yield ""
    yield from heading()
    found = measure(load)
    yield row(found)
    if load[:3] == PROMISE[:3]:
        kept = found.p99 <= MOST_MS and found.memory <= MOST_MB
        yield ""
        yield (
            f"Promised: p99 at most {MOST_MS} ms in at most {MOST_MB} MB: {'kept' if kept else 'not kept'},"
            f" at a machine load of {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."
        )


def growth_part(seconds: float, workers: int, *, draws: bool) -> Iterator[str]:
    yield ""
    by = f", by {workers} processes" if workers > 1 else ""
    yield f"### The server: from 10 to 1,000 tables of ten, a move a second at each{by}"
    yield ""
    yield from heading()
    found = []
    for tables in GROWTH:
        found.append(measure(Load(tables, 10, tables, seconds, workers=workers)))
        yield row(found[-1])
    if draws:
        plot(found, PLOT)


def capacity_part(seconds: float) -> Iterator[str]:
    yield ""
    yield "### The server: tables of four as fast as they go, on one core"
    yield ""
    yield f"The middle one of {ROUNDS} rounds, in each of which all three were measured one after the other."
    for tables in CAPACITY:
        rounds = [
            {how: measure(Load(tables, 4, 0, seconds, how)) for how in CAPACITY_TOLD}
            for _ in range(ROUNDS)
        ]
        yield ""
        yield from heading("of the bare one", "what")
        for how, told in CAPACITY_TOLD.items():
            shares = [one[how].per_cpu_second / one[BARE].per_cpu_second for one in rounds]
            middle = sorted((one[how] for one in rounds), key=lambda one: one.per_cpu_second)
            yield f"{row(middle[ROUNDS // 2])} {statistics.median(shares):.0%} | {told} |"


def several_part(seconds: float) -> Iterator[str]:
    """The clients need processor time too, on the same cores: it is told, and not counted as the server's."""
    yield ""
    yield "### The server: one process and two, 100 tables of four as fast as they go"
    yield ""
    yield (
        f"The middle one of {ROUNDS} rounds, in each of which both were measured one after the other. One process has a"
        " core and the clients have the other; two share both cores with the clients. What the cores of the server"
        " carry is its moves per CPU second times its processes."
    )
    yield ""
    yield f"| {' | '.join(SEVERAL_HEADINGS)} |"
    yield "|" + "---:|" * (len(SEVERAL_HEADINGS) - 1) + "---|"
    for how in (TOGETHER, ONE):
        rounds = [
            [measure(Load(100, 4, 0, seconds, how, n)) for n in (1, 2)] for _ in range(ROUNDS)
        ]
        for at, processes in enumerate((1, 2)):
            found = sorted((one[at] for one in rounds), key=lambda one: one.per_cpu_second)
            middle = found[ROUNDS // 2]
            gains = [processes * one[at].per_cpu_second / one[0].per_cpu_second for one in rounds]
            yield (
                f"| {processes} | {middle.rate:,.0f} | {middle.p99:.0f} | {middle.server_cpu / middle.seconds:.2f}"
                f" | {middle.client_cpu / middle.seconds:.2f} | {middle.per_cpu_second:,.0f}"
                f" | {processes * middle.per_cpu_second:,.0f} | {statistics.median(gains):.2f} | {CAPACITY_TOLD[how]} |"
            )


def plot(found: Sequence[Measured], to: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "load"  # the same file for the same numbers
    import matplotlib.pyplot as plt

    figure, (waits, costs) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    tables = [one.tables for one in found]
    for share, numbers in (
        ("p50", [one.p50 for one in found]),
        ("p99", [one.p99 for one in found]),
    ):
        waits.plot(tables, numbers, marker="o", label=share)
    waits.axhline(MOST_MS, color="grey", linestyle=":", label=f"{MOST_MS} ms")
    waits.set(ylabel="ms until everybody knows a move", xscale="log", yscale="log")
    used = [100 * one.server_cpu / one.seconds for one in found]
    costs.plot(tables, used, marker="o", label="CPU, % of a core")
    costs.plot(tables, [one.memory for one in found], marker="s", label="memory, MB")
    costs.set(xscale="log", ylim=(0, None))
    for axes in (waits, costs):
        axes.set_xlabel("tables of ten seats, a move a second at each")
        axes.set_xticks(tables, [f"{number:,}" for number in tables])
        axes.minorticks_off()
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(to, metadata={"Date": None})


# -- The command --------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, default=PROMISE.tables)
    parser.add_argument("--seats", type=int, default=PROMISE.seats)
    parser.add_argument(
        "--rate", type=float, default=PROMISE.rate, help="moves a second; 0: as fast as it goes"
    )
    parser.add_argument("--seconds", type=float, default=PROMISE.seconds)
    parser.add_argument("--workers", type=int, default=1, help="processes of the server")
    parser.add_argument("--grow", action="store_true")
    parser.add_argument("--several", action="store_true")
    parser.add_argument("--capacity", action="store_true")
    parser.add_argument("--write", action="store_true", help="add to benchmarks/results.md")
    wished = parser.parse_args()
    allow_many_sockets()
    lines = []
    for line in report(wished):
        print(line, flush=True)
        lines.append(line)
    if wished.write:
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *lines, ""]))


def report(wished: argparse.Namespace) -> Iterator[str]:
    yield f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC: the server under load"
    yield ""
    busy = os.getloadavg()[0]
    yield f"{processor()}, server and clients in processes of their own; machine load {busy:.1f} before."
    if not wished.grow and not wished.capacity and not wished.several:
        load = Load(wished.tables, wished.seats, wished.rate, wished.seconds)
        yield from promise_part(load._replace(workers=wished.workers))
    if wished.grow:
        yield from growth_part(wished.seconds, wished.workers, draws=wished.write)
    if wished.several:
        yield from several_part(wished.seconds)
    if wished.capacity:
        yield from capacity_part(wished.seconds)


def allow_many_sockets() -> None:
    """1,000 tables of ten are 10,000 sockets, in each of the two processes that inherit this."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    main()
