"""Several processes on one database: which tables each of them takes care of, and whose turn it is to write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from bullpen.locks import lock, unlock


def keeper_of(table: str, processes: int) -> int:
    """The number, from 0, of the process that a table belongs to; the same in every process and at every start."""
    return crc32(table.encode()) % processes


class Share(NamedTuple):
    """The tables of one of several processes that divide all tables among them."""

    number: int  # from 0
    of: int

    def has(self, table: str) -> bool:
        return keeper_of(table, self.of) == self.number


ALL = Share(0, 1)


# -- Turns --------------------------------------------------------------------------------------

PRIVATE = 0o600


class Turn:
    """Who writes to a SQLite file next.  SQLite itself would try again and again, and whoever has just written is
    the first to try.  Here everybody waits in a lock of the system, which a killed process gives back.

    Two locks: of those who wait, one holds the door and is next for sure, however quick the one is who has just
    written; the others wait in front of the door."""

    def __init__(self, path: Path) -> None:
        self.door, self.turn = (
            os.open(name, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE) for name in names(path)
        )

    @staticmethod
    def is_taken_in(path: Path) -> bool:
        """Whether several processes write to this file, or did."""
        return all(name.exists() for name in names(path))

    def take(self) -> None:
        lock(self.door)
        try:
            lock(self.turn)
        finally:
            unlock(self.door)

    def give(self) -> None:
        unlock(self.turn)

    def close(self) -> None:
        os.close(self.door)
        os.close(self.turn)


def names(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-door"), path.with_name(f"{path.name}-turn")
