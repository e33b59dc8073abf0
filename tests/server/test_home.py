"""`bullpen serve --home`, which is what `make play` does."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread

import httpx
import pexpect
import pytest

from bullpen.cards import Problem
from bullpen.languages import LANGUAGES
from bullpen.server.nearby import address_for_others
from bullpen.server.serving import bound
from bullpen.server.settings import Settings, read
from bullpen.terminal.browser import has_display
from bullpen.terminal.serve import USUAL_PORTS, free_port, show_qr, shown_host
from bullpen.text import voice
from tests.patience import PATIENCE, until
from tests.ports import own_port
from tests.server.running import served
from tests.terminal_session import at_a_terminal


def test_it_tells_its_address_once_somebody_can_connect(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "CI": "1", "BULLPEN_WARM": "no"}
    words = [sys.executable, "-m", "bullpen", "serve", "--home", "--thinkers", "1"]
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        healthy = address and httpx.get(f"{address[0]}/healthz").json()["status"] == "ok"
        server.send_signal(signal.SIGTERM)
        rest = server.stderr.read()
    assert healthy, said + rest
    assert server.returncode == 0
    assert (tmp_path / "bullpen" / "tables.db").exists()


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/tables.db"
    with served(tmp_path, BULLPEN_DB=db) as first:
        words = [
            sys.executable,
            "-m",
            "bullpen",
            "serve",
            "--port",
            "0",
            "--db",
            first.settings["BULLPEN_DB"],
        ]
        second = subprocess.run(
            words, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert httpx.get(f"{first.url}/healthz").json()["status"] == "ok"
    assert second.returncode == 2
    assert "nother Bullpen serves" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize(
    ("setting", "text", "key"),
    [
        ("port", "-1", "bad_setting_range"),
        ("port", "99999", "bad_setting_range"),
        ("port", "http", "bad_setting_range"),
        ("thinkers", "0", "bad_setting_number"),
        ("bot_seconds", "nan", "bad_setting_number"),
        ("bot_seconds", "inf", "bad_setting_number"),
        ("memory", "1", "bad_setting_number"),
        ("requests_per_minute", "0", "bad_setting_number"),
        ("warm", "maybe", "bad_setting_word"),
        ("log", "loud", "bad_setting_word"),
        ("proxy", "localhost", "bad_setting_network"),
        ("origin", "nonsense", "bad_setting_origin"),
        ("origin", "https://a.example/path", "bad_setting_origin"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused_with_what_can(
    setting: str, text: str, key: str
) -> None:
    with pytest.raises(Problem) as refused:
        read(setting, text)
    assert refused.value.key == key
    for language in LANGUAGES:
        assert text in voice(language).problem(refused.value)


def test_settings_are_read_as_they_are_written() -> None:
    assert read("port", "0") == 0
    assert read("warm", "No") is False
    assert read("log", "DEBUG") == "debug"
    assert read("bot_seconds", "0.5") == 0.5
    assert read("origin", "https://a.example/, http://b:80") == ("https://a.example", "http://b:80")


def test_the_first_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr("bullpen.terminal.serve.USUAL_PORTS", range(port, port + 1))
        assert free_port("127.0.0.1") == 0
    assert free_port("127.0.0.1") == port


def test_no_browser_is_opened_in_ci_or_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_display()
    monkeypatch.setenv("SSH_CONNECTION", "203.0.113.7 50000 203.0.113.8 22")
    assert not has_display()
    monkeypatch.delenv("SSH_CONNECTION")
    monkeypatch.setenv("CI", "true")
    assert not has_display()


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_where_every_desktop_has_a_display_a_browser_is_opened(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY"):
        monkeypatch.delenv(name, raising=False)
    assert has_display()


# -- `bullpen` alone ----------------------------------------------------------------------------


def at_a_desktop(folder: Path, **more: str) -> dict[str, str]:
    """A terminal with a display, and a browser that only writes down what it is asked to open."""
    program = folder / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {folder}/part && mv {folder}/part {folder}/asked\n')
    program.chmod(0o755)
    left_out = ("CI", "SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "BULLPEN_WARM": "no"}
    return {**kept, **home, "DISPLAY": ":0", "BROWSER": str(program), "LC_ALL": "C.UTF-8", **more}


def test_bullpen_alone_opens_the_table_in_the_browser(tmp_path: Path) -> None:
    session = at_a_terminal(env=at_a_desktop(tmp_path))
    asked = tmp_path / "asked"
    until(asked.is_file, lambda: session.before)
    assert httpx.get(f"{asked.read_text().strip()}healthz").json()["status"] == "ok"
    session.sendintr()
    session.expect(pexpect.EOF)
    session.close()
    assert session.exitstatus in (0, 130)
    assert "Traceback" not in str(session.before)
    assert (tmp_path / "bullpen" / "tables.db").is_file()


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ((), {"SSH_CONNECTION": "203.0.113.7 50000 203.0.113.8 22"}),
        ((), {"DISPLAY": ""}),
        (("--terminal",), {}),
    ],
)
def test_over_ssh_without_a_display_or_where_wished_it_is_the_menu(
    tmp_path: Path, words: tuple[str, ...], more: dict[str, str]
) -> None:
    session = at_a_terminal(*words, env=at_a_desktop(tmp_path, **more))
    session.expect("letter\\): $")
    session.sendline("q")
    session.expect(pexpect.EOF)
    session.close()
    assert session.exitstatus == 0
    assert not (tmp_path / "asked").exists()


def test_where_nobody_sits_in_front_of_it_nothing_is_opened(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bullpen"],
        env=at_a_desktop(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert ran.returncode == 2
    assert not (tmp_path / "asked").exists()


def test_the_code_for_phones_is_drawn_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show_qr("http://192.168.1.20:8000")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 10
    assert len({len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines if line}) == 1


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("0.0.0.0", "127.0.0.1"),
        ("::", "127.0.0.1"),
        ("::1", "[::1]"),
        ("10.0.0.2", "10.0.0.2"),
    ],
)
def test_what_one_types_into_a_browser(host: str, shown: str) -> None:
    assert shown_host(host) == shown


def test_an_address_of_the_newer_kind_stands_in_brackets() -> None:
    settings = Settings(host="fd00::1")
    assert address_for_others(settings, 8000) == "http://[fd00::1]:8000"


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_a_free_port_is_found_for_either_kind_of_address() -> None:
    assert free_port("::1") in USUAL_PORTS


# -- Two at the same moment ---------------------------------------------------------------------


def test_of_two_that_want_one_port_at_the_same_moment_one_has_it_and_the_other_is_told() -> None:
    """Both can be bound to it; who listens first has it."""
    port = own_port()
    for _ in range(500):
        together, got = Barrier(2), list[socket.socket | str]()

        def want(together: Barrier = together, got: list[socket.socket | str] = got) -> None:
            together.wait()
            try:
                got.append(bound(Settings(port=port)))
            except Problem as problem:
                got.append(problem.key)

        both = [Thread(target=want) for _ in range(2)]
        for one in both:
            one.start()
        for one in both:
            one.join()
        (listening,) = [one for one in got if isinstance(one, socket.socket)]
        listening.close()
        assert got.count("cannot_listen") == 1


# The port that looked free is somebody else's by the time that it is asked for.
ONE_MOMENT_LATE = """
import sys, bullpen.terminal.serve as serve
from bullpen.cli import main
found, free_port = [int(sys.argv[1])], serve.free_port
serve.free_port = lambda host: found.pop() if found else free_port(host)
sys.exit(main(["serve", "--home", "--warm", "no", "--thinkers", "1"]))
"""


def test_at_home_the_next_port_is_taken_where_somebody_else_was_quicker(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "CI": "1"}
    with socket.create_server(("0.0.0.0", 0)) as quicker:
        taken = str(quicker.getsockname()[1])
        words = [sys.executable, "-c", ONE_MOMENT_LATE, taken]
        with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            said = server.stderr.readline()
            address = re.search(r"http://127\.0\.0\.1:(\d+)", said)
            healthy = address and httpx.get(f"{address[0]}/healthz").json()["status"] == "ok"
            server.send_signal(signal.SIGTERM)
            rest = server.communicate()[1]
    assert healthy, said + rest
    assert address
    assert address[1] != taken
    assert server.returncode == 0
