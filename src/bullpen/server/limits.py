"""What the system lets a process have: open files, and so connections, and memory.  Windows has no such limits to ask for."""

from __future__ import annotations

import math
from contextlib import suppress
from importlib import import_module
from typing import Any

try:
    resource: Any = import_module("resource")
except ModuleNotFoundError:  # Windows
    resource = None


def most_open_files() -> float:
    """Once we have asked for all that we may have."""
    if resource is None:
        return math.inf
    most: int = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return math.inf if most == resource.RLIM_INFINITY else most


def allowed_open_files(wanted: int) -> int:
    """As many as wanted, or as the system lets us have."""
    most = most_open_files()
    allowed = wanted if math.isinf(most) else min(wanted, int(most))
    if resource and resource.getrlimit(resource.RLIMIT_NOFILE)[0] < allowed:
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, limit))
    return allowed


def limit_memory(megabytes: int) -> None:
    """Of this process: its address space; where that cannot be limited it is not."""
    if resource is None:
        return
    limit = megabytes * 1024 * 1024
    with suppress(ValueError, OSError):  # macOS knows the limit and refuses to set it
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
