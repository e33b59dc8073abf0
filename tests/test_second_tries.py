"""What is tried twice is named and told of; all else fails at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OTHERS = """
import sys
sys.path.insert(0, {root!r})
from tests.second_tries import SECOND_TRIES, pytest_runtest_protocol, pytest_terminal_summary
SECOND_TRIES["test_it.py::test_named"] = "the moon was full"
"""
# Each fails the first time, and only then.
FAILING_ONCE = """
from pathlib import Path
def once(name):
    if not Path(name).exists():
        Path(name).touch()
        raise AssertionError(name)
def test_named(tmp_path): once("named")
def test_not_named(tmp_path): once("not named")
"""


@pytest.mark.parametrize("processes", ["0", "1"])
def test_only_what_is_named_is_tried_twice_and_the_reason_is_told(
    tmp_path: Path, processes: str
) -> None:
    (tmp_path / "conftest.py").write_text(OTHERS.format(root=str(ROOT)))
    (tmp_path / "test_it.py").write_text(FAILING_ONCE)
    words = [sys.executable, "-m", "pytest", "--rootdir", ".", "-n", processes, "-p", "no:cov"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "FAILED test_it.py::test_not_named" in done.stdout
    assert "TRIED TWICE test_it.py::test_named - the moon was full" in done.stdout
    assert "TRIED TWICE test_it.py::test_not_named" not in done.stdout
