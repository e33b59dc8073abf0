"""Counts of a soak: how far it is, and where it stopped.

`make soak` runs the full counts, which takes hours; `make soak SECONDS=600` gives each test ten minutes, and what
was counted until then is told.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

TOLD_EVERY = 20.0  # seconds
LIMIT = "SOAK_SECONDS"


def counted(wanted: int, what: str, by: int = 1) -> Iterator[int]:
    """0, `by`, twice `by`, … as long as there is time; told on the way and at the end."""
    begun = told = time.monotonic()
    until = begun + float(os.environ.get(LIMIT) or "inf")
    done = 0
    while done < wanted and time.monotonic() < until:
        yield done
        done += by
        if time.monotonic() > told + TOLD_EVERY:
            told = time.monotonic()
            tell(f"{done:,} of {wanted:,} {what}")
    seconds = time.monotonic() - begun
    tell(f"{'all' if done >= wanted else 'stopped after'} {done:,} {what} in {seconds:.0f} s")


def tell(line: str) -> None:
    print(f"\n{line}", file=sys.stderr, flush=True)
