"""Disks that lose power, run full or fail: a layer (VFS) between SQLite and the file system.

A disk keeps what was synced.  Of what was written since, a power cut leaves any part: none, some writes
without the ones before them, or halves of a write.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import apsw

SECTOR = 512
_numbers = itertools.count()


class Disk(apsw.VFS):
    """While it is `failing`, writing raises what a full or broken disk would."""

    def __init__(self, failing: type[apsw.Error] | None = None) -> None:
        self.name = f"disk-{next(_numbers)}"
        self.failing = failing
        self.one_at_a_time = threading.RLock()  # one thread writes the log, another copies it
        self.done = 0  # writes, syncs and cuts
        self.cut_after = -1
        self.at_power_cut: Callable[[], None] = lambda: None
        self.fails_in = {"write", "sync", "truncate"}
        self.synced: dict[str, bytearray] = {}
        self.unsynced: dict[str, list[tuple[int, bytes | None]]] = {}  # None: cut off there
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "unnamed-shm"
        return WatchedFile(self, path, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(name, syncdir)
        self.synced.pop(name, None)
        self.unsynced.pop(name, None)

    def watch(self, path: Path) -> None:
        """What is on the disk now is on it for good."""
        self.synced[str(path)] = bytearray(path.read_bytes())

    def try_to(self, do: str) -> None:
        self.done += 1
        if self.done == self.cut_after:
            self.at_power_cut()
        if self.failing and do in self.fails_in:
            raise self.failing(f"planted: {do}")

    def after_power_cut(self, rng: Random, folder: Path) -> None:
        """What is found when the power is back, as files in the folder."""
        for path, content in self.synced.items():
            if path.endswith("-shm"):
                continue  # memory
            left = bytearray(content)
            for offset, data in surviving(rng, self.unsynced.get(path, [])):
                write(left, offset, data)
            (folder / Path(path).name).write_bytes(left)


def surviving(
    rng: Random, written: list[tuple[int, bytes | None]]
) -> list[tuple[int, bytes | None]]:
    """A disk writes in any order, sector by sector, and may be stopped at any point."""
    how = rng.choice(["nothing", "all", "beginning", "some", "torn"])
    if how == "nothing":
        return []
    if how == "all":
        return written
    if how == "beginning":
        return written[: rng.randint(0, len(written))]
    if how == "some":
        return [one for one in written if rng.random() < 0.5]
    sectors: list[tuple[int, bytes | None]] = []
    for offset, data in written:
        if data is None:
            sectors.append((offset, None))
            continue
        parts = range(0, len(data), SECTOR)
        sectors += [(offset + at, data[at : at + SECTOR]) for at in parts]
    return [one for one in sectors if rng.random() < 0.7]


def write(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
        return
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


class WatchedFile(apsw.VFSFile):
    def __init__(self, disk: Disk, path: str, name: Any, flags: Any) -> None:
        self.disk, self.path = disk, path
        super().__init__("", name, flags)
        disk.synced.setdefault(path, bytearray())

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        with self.disk.one_at_a_time:
            self.disk.try_to("write")
            super().xWrite(data, offset)
            self.disk.unsynced.setdefault(self.path, []).append((offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        with self.disk.one_at_a_time:
            self.disk.try_to("truncate")
            super().xTruncate(newsize)
            self.disk.unsynced.setdefault(self.path, []).append((newsize, None))

    def xSync(self, flags: int) -> None:  # noqa: N802
        with self.disk.one_at_a_time:
            self.disk.try_to("sync")
            super().xSync(flags)
            content = self.disk.synced[self.path]
            for offset, data in self.disk.unsynced.pop(self.path, []):
                write(content, offset, data)
