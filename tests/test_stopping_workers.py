"""A pool of processes that is stopped in the middle of its work ends, whatever a worker was just writing."""

from __future__ import annotations

import multiprocessing
import os
import struct
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

from bullpen.arena.workers import stop
from tests.patience import PATIENCE

HALF_A_RESULT = struct.pack("!i", 1000) + b"the rest never comes"


def stopped_in_the_middle_of_a_result() -> None:
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
    pool.submit(os.getpid).result()
    os.write(pool._result_queue._writer.fileno(), HALF_A_RESULT)  # type: ignore[attr-defined]
    stop(pool)


def test_a_worker_that_ends_in_the_middle_of_a_result_does_not_keep_the_process() -> None:
    """In a process of its own: where it fails, nothing that waits for the pool's thread ever ends."""
    subprocess.run([sys.executable, "-m", __name__], check=True, timeout=PATIENCE)


if __name__ == "__main__":
    stopped_in_the_middle_of_a_result()
