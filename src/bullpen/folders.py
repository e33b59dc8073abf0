"""Where this system keeps what belongs to a user: games, and what can be made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """For games: XDG_DATA_HOME where it is set, else where the system keeps such things."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (named if named.is_absolute() else usual_data(sys.platform)) / "bullpen"


def cache_folder() -> Path:
    """For compiled code: BULLPEN_CACHE or XDG_CACHE_HOME where one is set."""
    named = os.environ.get("BULLPEN_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else usual_cache(sys.platform)) / "bullpen"


def usual_data(platform: str) -> Path:
    if platform == "win32":
        return local_data()
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path.home() / ".local" / "share"


def usual_cache(platform: str) -> Path:
    if platform == "win32":
        return local_data()
    return Path.home() / ("Library/Caches" if platform == "darwin" else ".cache")


def local_data() -> Path:
    """Of Windows: for this user on this machine alone."""
    return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
