"""The unit in contrib/, by systemd's own judgement and by our settings."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bullpen.server.serving import STOP_SECONDS
from bullpen.server.settings import PREFIX, from_environment
from tests.proxies import CONTRIB

UNIT = (CONTRIB / "bullpen.service").read_text("utf-8")
WORST_EXPOSURE = 20  # of 100, in tenths: systemd calls up to 2 well protected
NOT_SETTINGS = {"BULLPEN_CACHE"}


def directives(name: str) -> list[str]:
    lines = [line.split("=", 1) for line in UNIT.splitlines() if "=" in line and line[0] != "#"]
    return [value for key, value in lines if key == name]


def by_systemd(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Judged by systemd-analyze, with a program that is there."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing: apt-get install systemd")
    unit = tmp_path / "bullpen.service"
    unit.write_text(UNIT.replace("/opt/bullpen/bin/bullpen serve", sys.executable), "utf-8")
    command = ["systemd-analyze", *words, str(unit)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    told = by_systemd(tmp_path, "verify")
    assert "bullpen.service" not in told.stderr, told.stderr  # it names whatever it does not like
    assert told.returncode == 0, told.stderr


def test_systemd_finds_it_well_protected(tmp_path: Path) -> None:
    words = ("security", "--offline=true", "--no-pager", f"--threshold={WORST_EXPOSURE}")
    told = by_systemd(tmp_path, *words)
    assert "Overall exposure level" in told.stdout
    assert told.returncode == 0, told.stdout.splitlines()[-1]


def test_the_unit_and_its_environment_set_only_settings_that_there_are() -> None:
    lines = (CONTRIB / "bullpen.env").read_text("utf-8").splitlines()
    given = [line.removeprefix("# ") for line in lines if f"{PREFIX}" in line]
    given += [word for line in directives("Environment") for word in line.split()]
    own = dict(word.split("=", 1) for word in given if word.startswith(PREFIX))
    assert len(own) > 3
    there = {name for name, value in own.items() if from_environment({name: value})}
    assert set(own) - NOT_SETTINGS == there


def test_a_stop_has_the_time_that_it_needs_and_the_files_a_place() -> None:
    (stop,) = directives("TimeoutStopSec")
    assert int(stop.removesuffix("s")) > STOP_SECONDS
    (where,) = directives("WorkingDirectory")  # copies before an upgrade go there
    assert where == "%S/" + directives("StateDirectory")[0]
    assert "BULLPEN_DB=sqlite:///" + where in directives("Environment")[0]
