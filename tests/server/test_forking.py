"""A fork is to a test what a process of its own would be."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE, until
from tests.server.forking import Forked, Process, Start, anew, forked

# Where the tests were started deaf to Ctrl-C, as in a shell's background, a new process would be so too.
NOTHING_DONE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    " print('there', flush=True); signal.pause()"
)
pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="servers are not forked here")


@pytest.fixture(params=[anew, forked])
def by(request: pytest.FixtureRequest) -> Start:
    found: Start = request.param
    return found


@pytest.fixture
def asleep(by: Start, tmp_path: Path) -> Iterator[Process]:
    log = tmp_path / "log.txt"
    process = run(by, NOTHING_DONE, log)
    until(log.read_text)
    yield process
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)


def run(by: Start, code: str, log: Path, **environment: str) -> Process:
    with log.open("ab") as opened:
        return by(code, {**os.environ, **environment}, opened)


def test_it_has_its_own_environment_and_folder_and_says_what_it_says_to_its_log(
    by: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BULLPEN_PORT", "1")
    monkeypatch.chdir(tmp_path)
    code = "import os, sys; print(os.environ['BULLPEN_PORT'], os.getcwd(), sys.argv, __name__)"
    assert run(by, code, tmp_path / "log.txt", BULLPEN_PORT="2").wait(PATIENCE) == 0
    assert (tmp_path / "log.txt").read_text() == f"2 {tmp_path} ['-c'] __main__\n"


@pytest.mark.parametrize(
    ("code", "ended", "said"),
    [
        ("import sys; sys.exit(3)", 3, ""),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("import atexit; atexit.register(print, 'at last')", 0, "at last"),
    ],
)
def test_it_ends_as_its_code_does(
    by: Start, tmp_path: Path, code: str, ended: int, said: str
) -> None:
    process = run(by, code, tmp_path / "log.txt")
    assert process.wait(PATIENCE) == process.poll() == process.returncode == ended
    assert said in (tmp_path / "log.txt").read_text()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_who_ended_it_is_told(asleep: Process, how: signal.Signals) -> None:
    assert asleep.poll() is None
    asleep.send_signal(how)
    assert asleep.wait(PATIENCE) == -how


def test_ctrl_c_interrupts_it(asleep: Process) -> None:
    asleep.send_signal(signal.SIGINT)
    assert asleep.wait(PATIENCE) == -signal.SIGINT


def test_it_is_waited_for_no_longer_than_one_wants(asleep: Process) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        asleep.wait(0.01)
    assert asleep.poll() is None


def test_what_one_has_changed_the_next_one_does_not_see(tmp_path: Path) -> None:
    run(forked, "import bullpen; bullpen.changed = 1", tmp_path / "one.txt").wait(PATIENCE)
    looking = "import bullpen, random; print(hasattr(bullpen, 'changed'), random.random())"
    for log in (tmp_path / "two.txt", tmp_path / "three.txt"):
        run(forked, looking, log).wait(PATIENCE)
    second, third = ((tmp_path / f"{name}.txt").read_text().split() for name in ("two", "three"))
    assert second[0] == third[0] == "False"
    assert second[1] != third[1]  # as with processes of their own


@pytest.mark.parametrize("name", ["PYTHONPATH", "PYTHONUTF8", "COVERAGE_PROCESS_CONFIG"])
def test_what_python_reads_when_it_starts_has_a_python_of_its_own(
    tmp_path: Path, name: str
) -> None:
    process = run(forked, "", tmp_path / "log.txt", **{name: "1"})
    process.wait(PATIENCE)
    assert not isinstance(process, Forked)
