"""The games of a tournament on a Ray cluster: the same work, the same results, other machines.

A node that dies takes nothing with it: Ray gives its pieces of work to another one, and since a game
follows from its number alone, it comes out the same there.
"""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from bullpen.arena.one_game import Work
from bullpen.arena.plan import Plan
from bullpen.arena.workers import SHARES_AHEAD, Shares, Workers, timed
from bullpen.cards import Problem

LOCAL = "local"  # instead of an address: a Ray of our own on this machine
RETRIES = 5  # of a piece of work whose node or process died
SECONDS_TO_REACH = 5
OBJECT_STORE = 80 * 1024 * 1024  # bytes; the least that Ray takes, and plenty for lines of text


def ray_cluster(address: str, jobs: int | None = None) -> Workers:
    """The workers of the cluster at this address."""
    checked_ray()

    def work(plan: Plan, numbers: range) -> Iterator[Work]:
        ray = checked_ray()
        is_ours = not ray.is_initialized()
        if is_ours:
            join(ray, address, jobs)
        try:
            yield from in_order(ray, plan, numbers)
        except ray.exceptions.RayError:
            raise Problem("tournament_ray_lost") from None
        finally:
            if is_ours:
                ray.shutdown()

    return work


def checked_ray() -> Any:
    """The package, if it is there: said before any work and not after it."""
    # Ray reads these when it is imported: no usage reports, no advice about other settings.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        import ray.exceptions
    except ModuleNotFoundError:
        raise Problem("tournament_ray_missing") from None
    return ray


def checked_address(address: str) -> None:
    """Ray itself would try for minutes to reach a machine that does not answer."""
    if place := re.fullmatch(r"(?:ray://)?\[?([^/]+?)\]?:([0-9]{1,5})", address):
        try:
            socket.create_connection((place[1], int(place[2])), SECONDS_TO_REACH).close()
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Problem("tournament_ray_address", address=address, reason=reason) from None


def join(ray: Any, address: str, jobs: int | None) -> None:
    checked_address(address)
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address == LOCAL:
            ray.init(
                "local",
                num_cpus=jobs,
                object_store_memory=OBJECT_STORE,
                include_dashboard=False,
                **quiet,
            )
        else:
            ray.init(address, **quiet)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise Problem("tournament_ray_address", address=address, reason=reason) from None


def in_order(ray: Any, plan: Plan, numbers: range) -> Iterator[Work]:
    """Pieces finish in any order; they are handed on in the order of the games."""
    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(timed_there)
    shared, folder = ray.put(plan), os.getcwd()  # noqa: PTH109 — a text, which may not exist there
    workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
    shares = Shares(numbers)
    pieces = iter(shares)
    running: dict[Any, range] = {}
    done: dict[int, tuple[range, Work]] = {}  # by the number of the first game
    try:
        awaited = numbers.start
        while True:
            while len(running) + len(done) < SHARES_AHEAD * workers and (
                share := next(pieces, None)
            ):
                running[remote.remote(shared, share, folder)] = share
            while awaited in done:
                share, work = done.pop(awaited)
                awaited = share.stop
                yield work
            if not running:
                if not done and not shares.left:
                    return
                continue
            ready, _ = ray.wait(list(running))
            for piece in ready:
                share = running.pop(piece)
                work, seconds = ray.get(piece)
                shares.learn(len(share), seconds)
                done[share.start] = (share, work)
    finally:
        for piece in running:
            with suppress(Exception):
                ray.cancel(piece, force=True)


def timed_there(plan: Plan, numbers: range, folder: str) -> tuple[Work, float]:
    with suppress(OSError):  # bots from outside are named from the folder where the user is
        os.chdir(folder)
    return timed(plan, numbers)
