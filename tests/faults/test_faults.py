"""A short run of `make faults` on each database: whatever fails, nothing acknowledged is lost, and nothing is seen too early."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

SECONDS = "12"
SEED = "1"
ROOT = Path(__file__).parents[2]
# What there is no time for here: every kind of client that annoys, and what lasts longer than a lease.
SHORT = {
    "sqlite": "kill -9,SIGTERM,thinker killed,disk full,writes fail,slow clients,pings",
    "postgresql": "kill -9,SIGSTOP,database crash,connections cut,commits lost,junk frames",
}


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nothing_is_lost_doubled_invented_or_seen_too_early_whatever_fails(
    database: str,
) -> None:
    words = ["--db", database, "--seconds", SECONDS, "--seed", SEED]
    command = [sys.executable, "-m", "tests.faults", *words, "--only", SHORT[database]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-3_000:]
    assert "moves acknowledged" in done.stdout
    # Where it fails its folder stays, and is named; pytest's own folders go when other tests run.
    assert not left_behind(Path(done.stdout.splitlines()[0].rpartition(" ")[2]))


def left_behind(folder: Path) -> list[str]:
    """What is still there of a run: its folder, file systems, processes."""
    mounts = Path("/proc/mounts")
    found = (
        [line for line in mounts.read_text().splitlines() if str(folder) in line]
        if mounts.exists()
        else []
    )
    if folder.exists():
        found.append(str(folder))
    for process in psutil.process_iter(["cmdline"]):
        words = " ".join(process.info["cmdline"] or [])
        if str(folder) in words:
            found.append(words)
    return found
