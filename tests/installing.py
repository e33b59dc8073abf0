"""The package built once for a test run, and environments with nothing else in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from bullpen.locks import lock
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
OLDEST = (3, 11)
NO_NETWORK = ("dns error", "error sending request", "network was disabled", "failed to lookup")
# What would let an environment see this one, or the machine it is tested on.
LEFT_OUT = (
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "BULLPEN_CACHE",
    "BULLPEN_LANG",
    "DISPLAY",
    "WAYLAND_DISPLAY",
)


@cache
def pythons() -> dict[str, str]:
    """By `3.12`: every Python of this machine that is new enough, the one that runs the tests first."""
    found = {name_of(sys.version_info[:2]): sys.executable}
    named = [shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], 20)]
    kept = (Path.home() / ".pyenv" / "versions").glob("3.*/bin/python")
    for python in (*filter(None, named), *map(str, sorted(kept))):
        told = subprocess.run(
            [python, "-c", "import sys; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        version = tuple(map(int, told.stdout.split())) if told.returncode == 0 else (0, 0)
        if version >= OLDEST:
            found.setdefault(name_of(version), python)
    return found


def name_of(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def uv() -> str:
    """As scripts/bootstrap.sh finds it."""
    beside = ROOT / ".tools" / "uv" / "bin" / "uv"
    found = shutil.which("uv") or (str(beside) if beside.is_file() else None)
    if found is None:
        pytest.skip("there is no uv: `make install` brings it")
    return found


def outside() -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    if "PIP_INDEX_URL" in environment:
        environment.setdefault("UV_DEFAULT_INDEX", environment["PIP_INDEX_URL"])
    if Path("/etc/ssl/certs/ca-certificates.crt").is_file():
        environment.setdefault("UV_SYSTEM_CERTS", "1")
    return {**environment, "UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never"}


def run_uv(*words: str) -> str:
    ran = subprocess.run(
        [uv(), *words],
        env=outside(),
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE,
    )
    if ran.returncode and any(sign in ran.stderr.lower() for sign in NO_NETWORK):
        pytest.skip("the package index cannot be reached")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@dataclass(frozen=True)
class Built:
    wheel: Path
    sdist: Path


def built(shared: Path) -> Built:
    """By whichever test process comes first; the others take what it has built."""
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as alone:
        lock(alone.fileno())
        dist = shared / "dist"
        if not dist.exists():
            part = shared / "part"
            words = [sys.executable, "-m", "hatchling", "build", "--directory", str(part)]
            ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
            assert ran.returncode == 0, ran.stdout + ran.stderr
            part.rename(dist)
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    return Built(wheel, sdist)


class Installed:
    """An environment with the package, and a folder to work in that was empty."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "env" / "bin"
        self.work = folder / "work"
        self.work.mkdir()
        self.environment = {
            **outside(),
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "HOME": str(folder / "home"),
            "CI": "1",
        }
        for name in [name for name in self.environment if name.startswith("XDG_")]:
            del self.environment[name]

    def run(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.work,
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
            timeout=2 * PATIENCE,
        )

    def bullpen(self, *words: str, typed: str = "") -> str:
        """What it says; it must not fail."""
        ran = self.run(str(self.bin / "bullpen"), *words, typed=typed)
        assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr
        return ran.stdout

    def refused(self, *words: str) -> str:
        """The one line that says what is wrong."""
        ran = self.run(str(self.bin / "bullpen"), *words)
        assert ran.returncode == 2, ran.stdout + ran.stderr
        assert "Traceback" not in ran.stderr
        return ran.stderr

    def python(self, program: str) -> str:
        ran = self.run(str(self.bin / "python"), "-c", program)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout


@contextmanager
def installed(
    folder: Path, wheel: Path, extra: str = "", python: str = sys.executable
) -> Iterator[Installed]:
    """In the versions of our lock file, which lie in uv's cache; taken away again, for they are large."""
    env = folder / "env"
    run_uv("venv", "--quiet", "--python", python, str(env))
    wanted = f"bullpen-games{extra} @ {wheel.as_uri()}"
    constraints = ["--constraint", str(ROOT / "requirements-dev.lock")]
    run_uv(
        "pip", "install", "--quiet", "--python", str(env / "bin" / "python"), *constraints, wanted
    )
    try:
        yield Installed(folder)
    finally:
        shutil.rmtree(env)
