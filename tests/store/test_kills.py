"""A process that is killed while it writes: every event that it told of is there (promises 3 and 22)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bullpen.server.store import Event
from tests.soaking import counted
from tests.store.stories import a_store, all_tables

ROOT = Path(__file__).parent.parent.parent
KILLS = 10
KILLS_OF_A_SOAK = 1_000
KILLS_OF_A_GAME = 25
TABLES = 5


def started(url: str) -> subprocess.Popen[bytes]:
    """tests/store/playing.py: plays on all tables at once, and says what has been acknowledged."""
    command = [sys.executable, "-m", "tests.store.playing", url, str(TABLES)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT)


def killed_after(url: str, lines: int) -> list[str]:
    """All that a process had told of when it was killed."""
    process = started(url)
    assert process.stdout
    told = [process.stdout.readline() for _ in range(lines)]
    os.kill(process.pid, signal.SIGKILL)
    told += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    assert told[lines - 1], "it ended by itself"
    return [line.decode() for line in told if line.endswith(b"\n")]  # the last may be half a line


async def stored(url: str) -> dict[str, list[Event]]:
    async with a_store(url) as store:
        return {table: await store.events(table) for table in await all_tables(store)}


async def cleared(url: str) -> None:
    """Long games take long to read; killing shall be quick."""
    async with a_store(url) as store:
        for table in await all_tables(store):
            await store.delete(table)


def check_kills(url: str, kills: int, seed: int) -> None:
    rng = Random(seed)
    for kill in counted(kills, "kills of the writer"):
        if kill % KILLS_OF_A_GAME == KILLS_OF_A_GAME - 1:
            asyncio.run(cleared(url))
        told = killed_after(url, rng.randint(1, 120))
        kept = asyncio.run(stored(url))
        check_told(told, kept)


def check_told(told: list[str], kept: dict[str, list[Event]]) -> None:
    for line in told:
        table, seq, own_hash = line.split()
        assert kept[table][int(seq) - 1].hash == own_hash
    for events in kept.values():
        decisions = [event.decision for event in events]
        assert decisions == list(range(1, len(events) + 1))  # none lost, none doubled


def test_no_acknowledged_event_is_lost_when_the_writer_is_killed(url: str) -> None:
    check_kills(url, KILLS // 2, seed=1)


@pytest.mark.soak
def test_no_acknowledged_event_is_lost_in_a_thousand_kills(url: str) -> None:
    check_kills(url, KILLS_OF_A_SOAK // 2, seed=2)
