"""What operators are told: at the start, in the metrics, and in the log."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from bullpen import __version__
from bullpen.languages import LANGUAGES
from bullpen.server.advice import advice
from bullpen.server.settings import Settings, read
from bullpen.text import voice
from tests.patience import until
from tests.server.running import Served, new_table, people, served
from tests.server.test_access import TABLE, UPGRADE

FORWARDED = {"x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https"}


def metric(server: Served, line: str) -> float:
    """The value after a name with its labels; 0 where it is not there."""
    text = httpx.get(f"{server.url}/metrics").text
    found = re.findall(rf"^{re.escape(line)} (\S+)$", text, re.MULTILINE)
    return float(found[0]) if found else 0.0


def logged(server: Served, message: str) -> list[dict[str, str]]:
    lines = server.log.read_text().splitlines()
    found = [json.loads(line) for line in lines if line.startswith("{")]
    return [line for line in found if line["message"] == message]


# -- At the start -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "files", "keys"),
    [
        (Settings(), 65536, []),
        (Settings(host="0.0.0.0"), 65536, ["no_origin"]),
        (Settings(host="::"), 65536, ["no_origin"]),
        (Settings(host="8.8.8.8"), 65536, ["no_origin"]),
        (Settings(host="192.168.1.5"), 65536, []),
        (Settings(host="0.0.0.0", origin=("http://games.example",)), 65536, []),
        (Settings(origin=("https://games.example",)), 65536, ["no_proxy"]),
        (Settings(origin=("https://games.example",), proxy="127.0.0.1"), 65536, []),
        (Settings(), 1024, ["few_files"]),
        (Settings(connections=500), 1024, []),
    ],
)
def test_what_is_likely_wrong_is_told(settings: Settings, files: int, keys: list[str]) -> None:
    found = advice(settings, files)
    assert [key for key, _ in found] == keys
    for key, facts in found:
        for language in LANGUAGES:
            assert "{" not in voice(language).say(f"server.serve.{key}", **facts)


@pytest.mark.parametrize(
    ("most", "at_home", "warnings", "limit"),
    [
        (512, [], ["https://games.example", "512 files"], 512),
        (10_050, [], ["https://games.example"], 10_050),
        (512, ["--home"], [], 512),
    ],
)
def test_a_start_tells_each_warning_in_one_line_and_takes_the_files_it_may(
    tmp_path: Path, most: int, at_home: list[str], warnings: list[str], limit: int
) -> None:
    own = {"XDG_DATA_HOME": str(tmp_path), "CI": "1", "BULLPEN_LOG": "error"}
    words = [
        "prlimit",
        f"--nofile=256:{most}",
        sys.executable,
        "-m",
        "bullpen",
        "serve",
        *at_home,
        "--host",
        "127.0.0.1",
    ]
    words += ["--port", "0", "--warm", "no", "--origin", "https://games.example"]

    with subprocess.Popen(
        words,
        env={**os.environ, **own},
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        if not at_home:
            assert "a new, empty one is made" in server.stderr.readline()
        assert "http://127.0.0.1:" in server.stderr.readline()
        said = [server.stderr.readline() for _ in warnings]
        limits = Path(f"/proc/{server.pid}/limits").read_text()
        server.send_signal(signal.SIGTERM)
        rest = server.stderr.read()
    for line, part in zip(said, warnings, strict=True):
        assert line.startswith("Warning: ")
        assert part in line
    assert "Warning" not in rest
    assert re.search(rf"Max open files +{limit} ", limits)


def test_a_proxy_is_named_by_address() -> None:
    assert read("proxy", "127.0.0.1, 10.1.2.3/8,::1") == "127.0.0.1,10.0.0.0/8,::1"


# -- A proxy that nobody named ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proxy", "lines"), [("", 1), ("127.0.0.1", 0), ("127.0.0.0/8", 0), ("10.1.2.3", 1)]
)
def test_a_proxy_that_is_not_believed_is_told_of_once(
    tmp_path: Path, proxy: str, lines: int
) -> None:
    with served(tmp_path, BULLPEN_PROXY=proxy) as server:
        for _ in range(3):
            assert httpx.get(f"{server.url}/healthz", headers=FORWARDED).status_code == 200
        found = logged(server, "unknown proxy")
        line = 'bullpen_complaints_total{level="warning",line="unknown proxy"}'
        assert metric(server, line) == lines
    assert [line["hint"] for line in found] == ["--proxy 127.0.0.1"] * lines
    assert "192.0.2.7" not in server.log.read_text()


# -- Metrics ------------------------------------------------------------------------------------


def test_refusals_are_counted_by_what_was_refused(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_TABLES_PER_ADDRESS="1") as server:
        table, _ = new_table(server.url, "six-nimmt", people(2))
        foreign = {"origin": "https://evil.example"}
        httpx.post(f"{server.url}/api/tables", json=TABLE, headers=foreign)
        httpx.get(f"{server.url}/api/tables/{table}/socket", headers={**UPGRADE, **foreign})
        httpx.get(f"{server.url}/api/tables/nowhere/socket", headers=UPGRADE)
        for _ in range(2):
            assert httpx.post(f"{server.url}/api/tables", json=TABLE).status_code == 429
        for kind, key, count in [
            ("http", "foreign_origin", 1),
            ("socket", "foreign_origin", 1),
            ("socket", "no_such_table", 1),
            ("http", "too_many_tables", 2),
        ]:
            line = f'bullpen_refusals_total{{key="{key}",kind="{kind}"}}'
            assert metric(server, line) == count, line


def test_a_loop_that_was_held_up_is_seen(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert server.process is not None
        late = 'bullpen_loop_lag_seconds_bucket{le="0.5"}', "bullpen_loop_lag_seconds_count"
        until(lambda: metric(server, late[1]) >= 1)
        before = metric(server, late[1]) - metric(server, late[0])
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(0.8)  # so long it stands still
        server.process.send_signal(signal.SIGCONT)
        until(lambda: metric(server, late[1]) - metric(server, late[0]) > before)


def test_the_metrics_say_what_runs_and_what_it_uses(server: Served) -> None:
    text = httpx.get(f"{server.url}/metrics").text
    assert re.search(rf'^bullpen_build_info{{.*version="{__version__}"}} 1.0$', text, re.MULTILINE)
    assert metric(server, "process_open_fds") > 3
    assert metric(server, "process_max_fds") > 100
    assert metric(server, "process_resident_memory_bytes") > 10**7


def test_several_processes_tell_their_figures_together(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_WORKERS="2") as server:
        foreign = {"origin": "https://evil.example"}
        for _ in range(20):  # some by the one, some by the other
            httpx.post(f"{server.url}/api/tables", json=TABLE, headers=foreign)
        assert metric(server, 'bullpen_refusals_total{key="foreign_origin",kind="http"}') == 20
        assert metric(server, "bullpen_loop_lag_seconds_count") > 0
        text = httpx.get(f"{server.url}/metrics").text
        assert f'version="{__version__}"}} 1.0' in text
