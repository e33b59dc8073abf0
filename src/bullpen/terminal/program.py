"""How this program is started: `bullpen` where the shell finds it, else the way it was started now."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from shutil import which


def program() -> str:
    """What to type before a command; after `make play`, for instance, `.venv/bin/bullpen`."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        return (
            "bullpen" if which("bullpen") else f"{quote(nearest(Path(sys.executable)))} -m bullpen"
        )
    if started.name != "bullpen" or is_found_by_the_shell(started):
        return "bullpen"
    return quote(nearest(started))


def is_found_by_the_shell(started: Path) -> bool:
    found = which("bullpen")
    return found is not None and Path(found).absolute() == started.absolute()


def nearest(path: Path) -> str:
    """From the folder where one is, if it is below it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
