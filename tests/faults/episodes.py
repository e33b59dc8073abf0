"""The faults: what is done to servers, disks and databases, by a schedule that follows from the seed."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import psutil

from tests.faults.history import RUN, History, now
from tests.faults.nuisances import KINDS as NUISANCES
from tests.faults.nuisances import annoy
from tests.faults.servers import Fleet, Server, thinkers, workers

GONE = (psutil.Error, OSError)  # what is gone already need not be ended
LATEST_SECONDS = 30.0  # beyond the wished time, for faults that were asked for
RECOVERY_SECONDS = 45.0  # until all servers must work again after a fault
Act = Callable[["Stage", Random], Awaitable[None]]


@dataclass
class Stage:
    """All that faults can touch."""

    history: History
    fleet: Fleet
    database: Any
    only: Sequence[str] = ()  # kinds of faults; none: all
    until: float = float("inf")
    pace: float = 1.0  # how long faults and pauses last, in parts of the usual

    def any_server(self, rng: Random) -> Server:
        return rng.choice(self.fleet.servers)

    def seconds(self, rng: Random, least: float, most: float) -> float:
        """Not far beyond the end of the run."""
        return max(0.3, min(self.pace * rng.uniform(least, most), self.until - now()))

    def pause(self, rng: Random) -> float:
        return max(0.1, min(self.pace * rng.uniform(0.5, 2.0), self.until - now()))


# -- Processes ----------------------------------------------------------------------------------


async def kill(stage: Stage, rng: Random) -> None:
    server = stage.any_server(rng)
    if rng.random() < 0.5:
        server.send_all(signal.SIGKILL)
    else:
        server.send(signal.SIGKILL)
    await server.ended()
    await asyncio.sleep(rng.choice((0.0, 0.0, 0.5)))
    server.start()


async def stop(stage: Stage, rng: Random) -> None:
    server = stage.any_server(rng)
    server.send(signal.SIGTERM)
    code = await server.ended()
    stage.history.note(RUN, "stopped", server=server.name, code=code)
    server.start()


async def kill_thinker(stage: Stage, rng: Random) -> None:
    for _ in range(rng.choice((1, 2, 3))):
        if found := thinkers(stage.any_server(rng).children()):
            with contextlib.suppress(*GONE):
                rng.choice(found).kill()
        await asyncio.sleep(rng.uniform(0.05, 0.5))


async def kill_worker(stage: Stage, rng: Random) -> None:
    """A process that serves, of a server that has several."""
    if found := workers(stage.any_server(rng).children()):
        with contextlib.suppress(*GONE):
            rng.choice(found).kill()


async def freeze(stage: Stage, rng: Random) -> None:
    server = stage.any_server(rng)
    server.send_all(signal.SIGSTOP)
    await asyncio.sleep(stage.seconds(rng, 0.5, 3.0))
    server.send_all(signal.SIGCONT)


async def freeze_past_the_lease(stage: Stage, rng: Random) -> None:
    """It wakes up after others had time to take its tables."""
    server = stage.any_server(rng)
    server.send_all(signal.SIGSTOP)
    await asyncio.sleep(stage.seconds(rng, 8.0, 14.0))
    server.send_all(signal.SIGCONT)


# -- Disks --------------------------------------------------------------------------------------


async def fill_disk(stage: Stage, rng: Random) -> None:
    stage.database.disk.fill()
    await asyncio.sleep(stage.seconds(rng, 1.0, 5.0))
    stage.database.disk.empty()
    await mend_database(stage)


async def fail_writes(stage: Stage, rng: Random) -> None:
    """No file may grow, or be written behind its first page: as a disk that fails, or a quota."""
    server = stage.any_server(rng)
    serving = [psutil.Process(server.pid), *workers(server.children())]
    for one in serving:
        one.rlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    await asyncio.sleep(stage.seconds(rng, 1.0, 4.0))
    for one in serving:
        without_limit(one)
    for one in server.children():  # whoever was started meanwhile has it, too
        without_limit(one)


def without_limit(process: psutil.Process) -> None:
    with contextlib.suppress(*GONE):
        process.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


# -- PostgreSQL ---------------------------------------------------------------------------------


async def crash_database(stage: Stage, rng: Random) -> None:
    await asyncio.to_thread(stage.database.crash)
    await asyncio.sleep(stage.seconds(rng, 0.0, 2.0))
    await mend_database(stage)


async def cut_connections(stage: Stage, rng: Random) -> None:
    for _ in range(rng.choice((1, 2, 3))):
        if rng.random() < 0.5:
            await asyncio.to_thread(stage.database.disconnect)
        else:
            stage.database.proxy.order("all")
        await asyncio.sleep(rng.uniform(0.05, 0.5))


async def lose_commits(stage: Stage, rng: Random) -> None:
    """The connection breaks during a commit: before it, or after it and before the answer."""
    before = int(stage.database.proxy.order("cuts"))
    for _ in range(rng.choice((2, 3, 4))):
        stage.database.proxy.order(rng.choice(("after", "after", "before")))
        await asyncio.sleep(rng.uniform(0.3, 1.0))
    stage.database.proxy.order("")
    cuts = int(stage.database.proxy.order("cuts")) - before
    stage.history.note(RUN, "commits lost", count=cuts)


async def mend_database(stage: Stage) -> None:
    if hasattr(stage.database, "start"):
        await asyncio.to_thread(stage.database.start)


# -- Clients ------------------------------------------------------------------------------------


def nuisance(kind: str) -> Act:
    async def annoys(stage: Stage, rng: Random) -> None:
        server = stage.any_server(rng)
        told = await annoy(kind, server.port, stage.seconds(rng, 3.0, 8.0))
        stage.history.note(RUN, "nuisance", kind=kind, told=told)

    return annoys


# -- The schedule -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    kind: str
    act: Act
    group: str  # process, store, thinker or nuisance: what may be expected meanwhile
    weight: int = 1
    only: str = ""  # for this database alone
    needs_disk: bool = False


FAULTS = (
    Fault("kill -9", kill, "process", 6),
    Fault("SIGTERM", stop, "process", 2),
    Fault("thinker killed", kill_thinker, "thinker", 2),
    Fault("worker killed", kill_worker, "process", 2),
    Fault("SIGSTOP", freeze, "process", 2),
    Fault("disk full", fill_disk, "store", 3, needs_disk=True),
    Fault("writes fail", fail_writes, "store", 2, only="sqlite"),
    Fault("database crash", crash_database, "store", 3, only="postgresql"),
    Fault("connections cut", cut_connections, "store", 2, only="postgresql"),
    Fault("commits lost", lose_commits, "store", 4, only="postgresql"),
    Fault("SIGSTOP past the lease", freeze_past_the_lease, "process", 1, only="postgresql"),
    *(Fault(kind, nuisance(kind), "nuisance") for kind in NUISANCES),
)
QUIET = {
    "process": "process",
    "store": "store",
}  # groups in which nobody is promised a quick answer


def possible(stage: Stage) -> list[Fault]:
    has_workers = any(workers(server.children()) for server in stage.fleet.servers)
    return [
        fault
        for fault in FAULTS
        if fault.only in ("", stage.database.name)
        and (not stage.only or fault.kind in stage.only)
        and (stage.database.disk or not fault.needs_disk)
        and (has_workers or fault.kind != "worker killed")
    ]


def schedule(faults: list[Fault], rng: Random) -> list[Fault]:
    """A round: each kind, the weighty ones more often, in an order that follows from the seed."""
    due = [fault for fault in faults for _ in range(fault.weight)]
    rng.shuffle(due)
    return due


async def run_faults(stage: Stage, rng: Random, told: Callable[[str], None]) -> None:
    """Until it is time to end; all servers work again then.  Kinds that were asked for come once at least, however
    slow the machine is, and in the first round each kind comes once."""
    due = rng.sample(faults := possible(stage), len(faults))
    owed = len(due) if stage.only else 0
    while now() < stage.until or (owed > 0 and now() < stage.until + LATEST_SECONDS):
        due = due or schedule(possible(stage), rng)
        fault = due.pop()
        owed -= 1
        stage.history.note(RUN, "fault", kind=fault.kind, group=fault.group)
        told(fault.kind)
        await fault.act(stage, rng)
        stage.history.note(RUN, "fault over", kind=fault.kind, group=fault.group)
        await recovered(stage, fault)
        told("")
        await asyncio.sleep(stage.pause(rng))


async def recovered(stage: Stage, fault: Fault) -> None:
    begun = now()
    ready = await asyncio.gather(*(one.ready(RECOVERY_SECONDS) for one in stage.fleet.servers))
    for server in stage.fleet.servers:
        server.children()
    facts = {"kind": fault.kind, "group": fault.group, "seconds": now() - begun}
    stage.history.note(RUN, "recovered", ready=all(ready), **facts)
    if not all(ready):
        raise RuntimeError(f"a server does not work again after: {fault.kind}")
