"""Locks on files, which a killed process gives back: by the call that the system has for it."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any, Protocol

try:
    fcntl: Any = import_module("fcntl")
except ModuleNotFoundError:  # Windows
    fcntl, msvcrt = None, import_module("msvcrt")

FAR = 1 << 30  # the byte that is locked where only bytes can be: behind whatever stands in the file


class Opened(Protocol):
    def fileno(self) -> int: ...


def lock_at_once(file: Opened) -> None:
    """BlockingIOError where somebody else has it; another OSError where there are no locks at all."""
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    handle = file.fileno()
    here = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, FAR, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except PermissionError as error:  # how Windows says it
        raise BlockingIOError(error.errno, error.strerror) from None
    finally:
        os.lseek(handle, here, os.SEEK_SET)


def lock(handle: int) -> None:
    """Waits for it.  Only for several processes that serve one file, which Windows does not have."""
    fcntl.flock(handle, fcntl.LOCK_EX)


def unlock(handle: int) -> None:
    fcntl.flock(handle, fcntl.LOCK_UN)
