"""A seventh game: examples/highest-takes, installed as anybody would install it, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

EXAMPLE = Path(__file__).parent.parent / "examples" / "highest-takes"
GAME = "highest-takes"
OFFLINE = ("--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--no-cache-dir")


@cache
def installed() -> Path:
    """The folder with the installed package; whoever has it in PYTHONPATH has the game.  What builds it is here
    already, so that nothing is fetched."""
    folder = Path(mkdtemp(prefix="bullpen-seventh-"))
    built = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--target", str(folder), *OFFLINE, str(EXAMPLE)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


def surroundings() -> dict[str, str]:
    """What a process needs to know of the game, and nothing of the folder that it was built from."""
    also = os.environ.get("PYTHONPATH")  # where Bullpen itself may be found
    return {"PYTHONPATH": os.pathsep.join([str(installed()), *([also] if also else [])])}
