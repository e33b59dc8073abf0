"""The image and what is composed around it.  There need be no container engine: see tests/dockerfile.py."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatch
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from bullpen.server.settings import PREFIX, from_environment
from tests import dockerfile
from tests.dockerfile import ROOT
from tests.patience import PATIENCE, until
from tests.ports import own_port
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import people, play_together, started_table

STAGES = dockerfile.stages((ROOT / "Dockerfile").read_text("utf-8"))
IMAGE = STAGES[-1]
NOT_SETTINGS = {"BULLPEN_CACHE"}  # read by compiled games, server or not
UPGRADED = """
from bullpen.cli import main
from bullpen.server.store import schema
schema.MIGRATIONS.append(("CREATE TABLE extra (name TEXT NOT NULL PRIMARY KEY) {kind}",))
raise SystemExit(main(["serve"]))
"""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    return found


def own_names(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(PREFIX)}


# -- What the files say -------------------------------------------------------------------------


def test_the_dockerfile_copies_only_files_that_are_there_and_sent_along() -> None:
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    sent = [line.removeprefix("!") for line in lines if line.startswith("!")]
    copied = [source for stage in STAGES for source in dockerfile.copied_here(stage)]
    assert copied
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(fnmatch(source.split("/")[0], pattern) for pattern in sent), source
    assert "requirements.lock" in copied


def test_the_image_installs_by_hash_and_nothing_besides() -> None:
    installs = [part for one in STAGES[0].all("RUN") for part in one.words.split("&&")]
    installs = [part for part in installs if "pip install" in part or "pip wheel" in part]
    assert len(installs) == 3
    for part in installs:
        assert "--require-hashes" in part or "--no-deps" in part, part


def test_the_image_and_what_is_around_it_set_only_settings_that_there_are(
    compose: dict[str, Any],
) -> None:
    for environment in (IMAGE.environment, compose["services"]["bullpen"]["environment"]):
        given = {name: value.replace("${SITE", "a${") for name, value in environment.items()}
        own = own_names(given)
        assert own
        there = {name for name in own if from_environment({name: own[name].partition("${")[0]})}
        assert set(own) - NOT_SETTINGS == there


def test_only_the_proxy_is_seen_from_outside_and_believed(compose: dict[str, Any]) -> None:
    services, networks = compose["services"], compose["networks"]
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    assert networks["front"]["internal"]
    assert networks["back"]["internal"]
    assert "proxy" not in [name for name, one in services.items() if "back" in one["networks"]]
    (subnet,) = networks["front"]["ipam"]["config"]
    believed = services["bullpen"]["environment"]["BULLPEN_PROXY"]
    assert ip_network(believed) == ip_network(subnet["subnet"])
    assert {name for name, one in services.items() if "front" in one["networks"]} == {
        "proxy",
        "bullpen",
    }


def test_what_the_server_writes_to_is_a_volume(compose: dict[str, Any]) -> None:
    service = compose["services"]["bullpen"]
    volumes = {line.split(":")[1]: line.split(":")[0] for line in service["volumes"]}
    assert service["read_only"]
    assert set(volumes) == set(IMAGE.last("VOLUME").parts)
    assert set(volumes.values()) <= set(compose["volumes"])
    assert IMAGE.last("WORKDIR").words in volumes  # copies before an upgrade go there
    assert IMAGE.environment["BULLPEN_CACHE"] in volumes


def test_every_part_has_limits_and_a_fixed_major_version(compose: dict[str, Any]) -> None:
    for name, one in compose["services"].items():
        assert "mem_limit" in one, name
        assert "build" in one or not one["image"].endswith((":latest", one["image"].split(":")[0]))
    assert compose["services"]["bullpen"]["ulimits"]["nofile"] >= 65536


def test_compose_takes_the_file() -> None:
    words = next(
        (
            words
            for words in (["docker-compose"], ["docker", "compose"])
            if shutil.which(words[0])
            and not subprocess.run([*words, "version"], capture_output=True, check=False).returncode
        ),
        None,
    )
    if words is None:
        pytest.skip("no docker-compose: apt-get install docker-compose")
    given = {**os.environ, "SITE": "play.example.org", "POSTGRES_PASSWORD": "a b@c/d"}
    told = subprocess.run(
        [*words, "--file", str(ROOT / "compose.yaml"), "config"],
        env=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    environment = yaml.safe_load(told.stdout)["services"]["bullpen"]["environment"]
    assert environment["BULLPEN_ORIGIN"] == "https://play.example.org"
    assert "a b" not in environment["BULLPEN_DB"]
    assert environment["PGPASSWORD"] == "a b@c/d"


# -- The image, built and started ---------------------------------------------------------------


@pytest.fixture(scope="module")
def image() -> Iterator[dockerfile.Layer]:
    if why := dockerfile.why_not():
        pytest.skip(f"the Dockerfile cannot be carried out here: {why}")
    folder = Path(tempfile.mkdtemp(prefix="bullpen-image-", dir=dockerfile.MEMORY))
    try:
        yield dockerfile.built(STAGES, folder)
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def running(
    image: dockerfile.Layer, stage: dockerfile.Stage, log: Path, port: int, **settings: str
) -> Iterator[str]:
    url = f"http://127.0.0.1:{port}"
    own = {"BULLPEN_HOST": "127.0.0.1", "BULLPEN_PORT": str(port), **settings}
    words, environment = image.served(stage, **own)
    with log.open("ab") as told:
        process = subprocess.Popen(words, env=environment, stderr=told, stdout=told)
    try:
        until(lambda: process.poll() is not None or is_healthy(url), log.read_text)
        assert process.poll() is None, log.read_text()
        status = Path(f"/proc/{process.pid}/status").read_text()
        assert "Uid:\t10001\t10001" in status
        assert "CapEff:\t0000000000000000" in status
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0, log.read_text()


def is_healthy(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"{url}/healthz").status_code == 200
    return False


def stored_copies(image: dockerfile.Layer) -> list[Path]:
    return list((image.folder / "volumes" / "data").glob("*.backup"))


@pytest.mark.soak
def test_the_image_is_built_serves_and_survives_an_upgrade(
    image: dockerfile.Layer,
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Without root's rights, with all but its volumes read-only, on PostgreSQL as in compose.yaml."""
    log, port = tmp_path / "log.txt", own_port()
    with running(image, IMAGE, log, port, BULLPEN_DB=postgres_url) as url:
        assert "<title>" in httpx.get(url).text  # the pages are in it
        table, tokens = started_table(url, "six-nimmt", people(2, bots=1), options={"rounds": 1})
        asyncio.run(play_together(url, table, tokens))
        compiled = image.folder / "volumes" / "cache"
        until(lambda: "bots ready" in log.read_text(), log.read_text)
        assert list(compiled.rglob("*.nbi"))
    assert not stored_copies(image)
    upgraded = dockerfile.Stage(IMAGE.base, "", [*IMAGE.instructions])
    command = json.dumps(["python", "-c", UPGRADED])
    upgraded.instructions.append(dockerfile.Instruction("CMD", command))
    with running(image, upgraded, log, port, BULLPEN_DB=postgres_url, BULLPEN_WARM="no") as url:
        assert httpx.get(f"{url}/api/tables/{table}/record").is_success
    assert len(stored_copies(image)) == 1
    assert "Traceback" not in log.read_text()
