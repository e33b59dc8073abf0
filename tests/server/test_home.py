"""`bullpen serve --home`, which is what `make play` does."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from bullpen.cards import Problem
from bullpen.server.nearby import address_for_others
from bullpen.server.settings import Settings, read
from bullpen.terminal.serve import USUAL_PORTS, free_port, has_display, show_qr, shown_host
from bullpen.text import voice
from tests.server.running import served


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
        second = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
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
    for language in ("en", "pl"):
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
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_display()
    monkeypatch.setenv("CI", "true")
    assert not has_display()


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
