"""The fault test: see tests/faults/__init__.py.

    python -m tests.faults [--seconds 120] [--db sqlite|postgresql|both] [--seed N] [--folder F] [--write]

Its exit code is 0 where nothing was found.  What it wrote down is kept where something was.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from tests.faults.disks import RUN, mount_name

BOTH = ("sqlite", "postgresql")
GRACE = 120.0  # seconds beyond the wished time, until a run that hangs is ended
SUBREAPER = 36  # prctl: whatever our children leave behind is ours
PAGE = Path(__file__).parents[2] / "docs" / "promises.md"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120.0, help="for all databases together")
    parser.add_argument("--db", choices=[*BOTH, "both"], default="both")
    parser.add_argument("--seed", type=int, default=None, help="of the schedule")
    parser.add_argument("--only", default="", help="these kinds of faults, separated by commas")
    parser.add_argument("--folder", type=Path, default=None, help="for histories and logs; kept")
    parser.add_argument("--write", action="store_true", help="the report into docs/promises.md")
    return parser.parse_args()


def main() -> int:
    wished = arguments()
    if os.environ.get(RUN):
        return work(wished)
    # What was seen is checked after the wished time, and that takes some, too.
    return watched(1.5 * wished.seconds + GRACE)


# -- Watching over the run: whatever happens, it ends, and nothing stays --------------------------


def watched(seconds: float) -> int:
    ctypes.CDLL(None).prctl(SUBREAPER, 1)
    command = [sys.executable, "-m", "tests.faults", *sys.argv[1:]]
    os.environ[RUN] = str(os.getpid())
    child = subprocess.Popen(command)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: child.terminate())
    try:
        code = child.wait(seconds)
    except subprocess.TimeoutExpired:
        print(f"!! the run did not end by itself within {seconds:.0f} s", flush=True)
        code = 1
    end_everything()
    return code


def end_everything() -> None:
    """Servers, databases and whatever else is left, and their file systems."""
    until = time.monotonic() + 10
    while (left := psutil.Process().children(recursive=True)) and time.monotonic() < until:
        for process in left:
            try:
                process.kill()
                process.wait(1)
            except psutil.Error:
                continue
    for place in mounted():
        subprocess.run(["umount", "-l", place], check=False)
        with contextlib.suppress(OSError):
            Path(place).rmdir()


def mounted() -> list[str]:
    """File systems of this run."""
    mounts = Path("/proc/mounts")
    lines = mounts.read_text().splitlines() if mounts.exists() else []
    found = [line.split(" ")[:2] for line in lines]
    return [place for name, place in found if name == mount_name()]


# -- The run --------------------------------------------------------------------------------------


def work(wished: argparse.Namespace) -> int:
    from tests.faults.report import as_text, troubles_as_text, write
    from tests.faults.running import run

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    seed = wished.seed if wished.seed is not None else secrets.randbelow(10**6)
    names = BOTH if wished.db == "both" else (wished.db,)
    folder = wished.folder or Path(tempfile.mkdtemp(prefix="bullpen-faults-"))
    tell(f"seed {seed}, {wished.seconds:.0f} s, {' and '.join(names)}; history in {folder}")
    only = tuple(kind.strip() for kind in wished.only.split(",") if kind.strip())
    reports = []
    for name in names:
        (own := folder / name).mkdir(parents=True, exist_ok=True)
        report = run(name, wished.seconds / len(names), seed, own, only, tell)
        reports.append(report)
        tell(as_text(report))
        if report.troubles:
            tell(troubles_as_text(own / "history", report.troubles))
    if wished.write:
        write(PAGE, reports)
    if any(report.troubles for report in reports):
        tell(f"Found something; all of it is kept in {folder}; again with: --seed {seed}")
        return 1
    if wished.folder is None:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
