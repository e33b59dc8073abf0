"""A PostgreSQL of the tests' own: started on loopback from the machine's programs, gone afterwards.

Import the fixtures where they are needed: `from tests.postgres import postgres, postgres_url  # noqa: F401`.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.ports import HOST, own_port

_numbers = itertools.count()


class Postgres:
    """One server.  It refuses to run as root, so root starts it as another user."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        self.data = folder / "data"
        self.port = own_port()
        self.user = runner()
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        self.call(
            "initdb", "-D", str(self.data), "-U", "bullpen", "-A", "trust", "-N", "-E", "UTF8"
        )
        self.start()

    def call(self, program: str, *words: str) -> None:
        as_user = (
            [
                "setpriv",
                f"--reuid={self.user.pw_uid}",
                f"--regid={self.user.pw_gid}",
                "--clear-groups",
            ]
            if self.user
            else []
        )
        done = subprocess.run(
            [*as_user, str(self.programs / program), *words],
            stdout=subprocess.DEVNULL,  # a server would keep a pipe open for as long as it lives
            stderr=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            cwd=self.folder,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        assert done.returncode == 0, f"{program} failed: {done.stderr!r}"

    def start(self) -> None:
        settings = f"-h {HOST} -p {self.port} -k {self.folder} -c fsync=off -c max_connections=60"
        log = str(self.folder / "log")
        self.call("pg_ctl", "-D", str(self.data), "-l", log, "-w", "-o", settings, "start")

    def stop(self, mode: str = "immediate") -> None:
        self.call("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://bullpen@{HOST}:{self.port}/{database}"

    def new_database(self) -> str:
        name = f"test_{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def remove(self, url: str) -> None:
        """Whoever is still connected to it."""
        name = url.rsplit("/", 1)[1]
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    def disconnect(self, url: str) -> int:
        """Cut every connection to a database, as a lost network would; how many there were."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            cut = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                [url.rsplit("/", 1)[1]],
            ).fetchall()
        time.sleep(0.05)
        return len(cut)


def runner() -> pwd.struct_passwd | None:
    """Whom to run it as; None: as ourselves."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def programs() -> Path | None:
    """The newest of Debian's versions, or what stands in the path."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if installed:
        return installed[-1].parent
    found = shutil.which("initdb")
    return Path(found).parent if found else None


def installed() -> Path:
    """Where there is none, root fetches Debian's; others are told what to do."""
    if programs() is None and os.getuid() == 0 and shutil.which("apt-get"):
        command = ["apt-get", "install", "--yes", "--no-install-recommends", "postgresql"]
        subprocess.run(command, capture_output=True, check=False)
    found = programs()
    if found is None:
        pytest.fail(
            "these tests need PostgreSQL's programs (initdb, postgres): apt-get install postgresql",
            pytrace=False,
        )
    return found


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="bullpen-postgres-"))
    try:
        server = Postgres(installed(), folder)
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """Gone with its test: what is removed at once hardly reaches the disk, from which it takes long to remove."""
    url = postgres.new_database()
    yield url
    postgres.remove(url)
