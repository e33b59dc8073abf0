"""A small disk of its own, which can be filled to the last byte."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

MEGABYTE = 1024 * 1024


RUN = "BULLPEN_FAULTS_RUN"  # in the environment: the process that watches over the run


def mount_name() -> str:
    """As it stands in the list of mounts: of this run alone."""
    return f"bullpen-faults-{os.environ.get(RUN) or os.getpid()}"


class SmallDisk:
    """A file system in memory, mounted by root.  A ballast leaves little room in it; filling it up takes the rest."""

    def __init__(self, folder: Path, megabytes: int, room: int) -> None:
        self.folder, self.megabytes, self.room = folder, megabytes, room
        self.ballast = folder / "ballast"
        self.is_full = False

    @classmethod
    def mounted(cls, folder: Path, megabytes: int, room: int) -> SmallDisk | None:
        """None where that is not allowed."""
        folder.mkdir(parents=True, exist_ok=True)
        words = [
            "mount",
            "-t",
            "tmpfs",
            "-o",
            f"size={megabytes}m,mode=0755",
            mount_name(),
            str(folder),
        ]
        try:
            done = subprocess.run(words, capture_output=True, check=False)
        except OSError:
            return None
        return cls(folder, megabytes, room) if done.returncode == 0 else None

    def free(self) -> int:
        found = os.statvfs(self.folder)
        return found.f_bavail * found.f_frsize

    def settle(self) -> None:
        """Room for what goes on, and not for more."""
        if self.is_full:
            return
        wanted = self.size() + self.free() - self.room * MEGABYTE
        if abs(wanted - self.size()) > MEGABYTE:
            self._resize(max(0, wanted))

    def fill(self) -> None:
        self.is_full = True
        with suppress(OSError), self.ballast.open("ab") as file:
            while True:
                file.write(bytes(max(4096, self.free())))
                file.flush()

    def empty(self) -> None:
        self.is_full = False
        self._resize(max(0, self.size() - self.room * MEGABYTE))
        self.settle()

    def size(self) -> int:
        return self.ballast.stat().st_size if self.ballast.exists() else 0

    def _resize(self, size: int) -> None:
        with suppress(OSError):
            if size < self.size():
                os.truncate(self.ballast, size)
                return
            with self.ballast.open("ab") as file:
                file.write(bytes(size - self.size()))

    def unmount(self) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, check=False)
