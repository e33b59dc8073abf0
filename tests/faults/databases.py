"""The two databases, each on a small disk of its own where that is allowed."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from tests.faults.disks import SmallDisk
from tests.ports import HOST, own_port
from tests.postgres import installed, runner

SMALL_LOG = "--wal-segsize=1"  # megabytes: a small disk is full soon


class Sqlite:
    name = "sqlite"
    servers = (2,)  # workers of each
    room = 12  # megabytes: less than the log would like to have from the start

    def __init__(self, folder: Path) -> None:
        self.disk = SmallDisk.mounted(folder / "disk", 256, self.room)
        self.folder = folder / "disk"
        if self.disk:
            self.disk.settle()
        self.url = f"sqlite:///{self.folder}/tables.db"

    def close(self) -> None:
        if self.disk:
            self.disk.unmount()


class Postgresql:
    """A server of its own, behind a proxy that can lose connections."""

    name = "postgresql"
    servers = (2, 1)  # workers of each
    room = 24

    def __init__(self, folder: Path) -> None:
        # Not in the folder of the run, which may be closed to the user that PostgreSQL runs as.
        self.folder = Path(tempfile.mkdtemp(prefix="bullpen-faults-"))
        self.disk = SmallDisk.mounted(self.folder, 320, self.room)
        self.user = runner()
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.programs, self.data = installed(), self.folder / "data"
        self.port = own_port()
        self.log = (folder / "postgresql.log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None
        made = subprocess.run(
            self._program("initdb", "-U", "bullpen", "-A", "trust", "-N", "-E", "UTF8", SMALL_LOG),
            capture_output=True,
            cwd=self.folder,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        assert made.returncode == 0, made.stderr
        self.start()
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE bullpen")
        if self.disk:
            self.disk.settle()
        self.proxy = Proxy(self.port)
        self.url = f"postgresql://bullpen@{HOST}:{self.proxy.port}/bullpen"

    def _as_user(self) -> list[str]:
        if not self.user:
            return []
        return [
            "setpriv",
            f"--reuid={self.user.pw_uid}",
            f"--regid={self.user.pw_gid}",
            "--clear-groups",
        ]

    def _program(self, name: str, *words: str) -> list[str]:
        return [*self._as_user(), str(self.programs / name), "-D", str(self.data), *words]

    def _address(self, database: str) -> str:
        return f"postgresql://bullpen@{HOST}:{self.port}/{database}?connect_timeout=2"

    def start(self, seconds: float = 30) -> None:
        """Waits until it answers; where it ends by itself (a full disk), it is started again."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.process is None or self.process.poll() is not None:
                self._spawn()
            with contextlib.suppress(psycopg.Error), psycopg.connect(self._address("postgres")):
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL does not start: see postgresql.log")

    def _spawn(self) -> None:
        settings = {
            "fsync": "off",
            "max_connections": 60,
            "shared_buffers": "16MB",
            "min_wal_size": "2MB",
            "max_wal_size": "8MB",
            "unix_socket_directories": "",  # the path of one may be too long
        }
        words = [f"-c{name}={value}" for name, value in settings.items()]
        self.process = subprocess.Popen(
            self._program("postgres", "-h", HOST, "-p", str(self.port), *words),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
        )

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def crash(self) -> None:
        """As `pg_ctl stop -m immediate`: no farewell, and recovery at the next start."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(3)  # SIGQUIT
            self.process.wait(30)

    def disconnect(self) -> int:
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            cut = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'bullpen'"
            ).fetchall()
        return len(cut)

    def close(self) -> None:
        self.proxy.close()
        self.crash()
        self.log.close()
        if self.disk:
            self.disk.unmount()
        shutil.rmtree(self.folder, ignore_errors=True)


class Proxy:
    """A process between servers and PostgreSQL; see proxy.py."""

    def __init__(self, to: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.proxy", str(to)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self.port = int(self._line())

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().strip()

    def order(self, word: str) -> str:
        """`after`, `before`: arm it for the next commit; `all`: cut all; `cuts`: how many there were."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n".encode())
        return self._line()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


DATABASES: dict[str, Any] = {"sqlite": Sqlite, "postgresql": Postgresql}
