"""Whatever is sent: no fault of the server's own, no traceback, and the neighbours play on."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bullpen.server.messages import PHRASES
from bullpen.server.wire.schema import wire_schema
from bullpen.server.wire.server_messages import SERVER_MESSAGE
from tests.patience import PATIENCE
from tests.server.running import (
    Served,
    new_table,
    people,
    play_together,
    seated,
    started_table,
)
from tests.soaking import counted, tell

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_schema_conformance,negative_data_rejection,unsupported_method"
)
calm = settings(
    max_examples=15, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True
)


# -- HTTP ---------------------------------------------------------------------------------------


def strange_requests(server: Served, folder: Path, table: str, token: str, examples: int) -> None:
    """Schemathesis, by what /openapi.json says; at a table that there is, by somebody who sits there."""
    config = folder / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.table" = "{table}"\n')
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
    command += [f"{server.url}/openapi.json", "--checks", CHECKS, "--no-color"]
    command += ["--max-examples", str(examples), "--phases", "coverage,fuzzing", "--seed", "1"]
    command += ["-H", f"Authorization: Bearer {token}", "--request-timeout", str(PATIENCE)]
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
    paths = httpx.get(f"{server.url}/openapi.json").json()["paths"]
    operations = sum(len(methods) for methods in paths.values())
    assert f"Tested: {operations}\n" in found.stdout, found.stdout[-2000:]


def test_no_request_is_too_strange(patient: Served, tmp_path: Path) -> None:
    options = {"rounds": 1, "deck": "tactical"}
    table, tokens = started_table(patient.url, "six-nimmt", people(1, bots=1), options=options)
    asyncio.run(play_together(patient.url, table, tokens))
    strange_requests(patient, tmp_path, table, tokens[0], examples=4)


@pytest.mark.soak
@pytest.mark.parametrize("where", ["nowhere", "lobby", "playing"])
def test_no_request_of_very_many_is_too_strange(
    patient: Served, tmp_path: Path, where: str
) -> None:
    made = {"nowhere": new_table, "lobby": new_table, "playing": started_table}[where]
    table, tokens = made(patient.url, "six-nimmt", people(2))
    wanted = "nowhere" if where == "nowhere" else table
    strange_requests(patient, tmp_path, wanted, tokens[0], examples=2000)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"game":' * 1000, b"[" * 30000, b'{"a":1e999}'],
)
def test_a_body_that_is_no_request_is_refused_in_words(patient: Served, body: bytes) -> None:
    answer = httpx.post(
        f"{patient.url}/api/tables", content=body, headers={"content-type": "application/json"}
    )
    assert 400 <= answer.status_code < 500
    assert set(answer.json()) == {"key", "message"}


def test_a_body_without_end_is_not_read(patient: Served) -> None:
    answer = httpx.post(f"{patient.url}/api/tables", content=b"x" * 100_000)
    assert answer.status_code == 413
    assert answer.json()["key"] == "body_too_long"


# -- The socket ---------------------------------------------------------------------------------

NUMBER = st.integers(-2, 300) | st.integers() | st.none() | st.booleans() | st.floats()
TEXT = st.text(max_size=300) | st.none() | st.integers()
LIKE_A_MESSAGE = st.fixed_dictionaries(
    {"type": st.sampled_from(sorted(wire_schema()["client"]["discriminator"]["mapping"]))},
    optional={
        "decision": NUMBER,
        "action": NUMBER,
        "text": TEXT,
        "phrase": TEXT | st.sampled_from(PHRASES),
        "agree": st.booleans() | TEXT,
        "language": st.sampled_from(["en", "pl", "de"]) | TEXT,
        "seat": NUMBER,
    },
)
ODD = st.one_of(
    LIKE_A_MESSAGE.map(json.dumps),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    ).map(json.dumps),
    st.text(max_size=200),
    st.binary(max_size=200),
    st.sampled_from(
        [
            "",
            "null",
            '{"type":"move"}',
            '{"type":"move","decision":-1,"action":1}',
            '{"type":"move","decision":1e9,"action":1}',
            '{"type":"move","decision":true,"action":1}',
            '{"type":"move","decision":1,"action":1,"seat":1}',
            '{"type":"chat","text":"\\u0000"}',
            '{"type":"chat","text":"\\ud800"}',
            '{"type":"chat","text":null,"phrase":null}',
            '{"type":"chat","phrase":"__class__"}',
            "[" * 200,
            '{"a":' * 60,
            '{"type":"undo_answer","agree":"yes"}',
            '{"type":"hint","decision":1}',
        ]
    ),
)


async def bombard(url: str, table: str, token: str | None, texts: list[str | bytes]) -> None:
    """Everything is answered, and in the words of docs/wire.md."""
    async with seated(url, table, token) as player:
        for text in texts:
            try:
                await player.socket.send(text)
            except UnicodeEncodeError:
                continue  # not even a frame can hold it
        await player.say(type="ping")
        await player.hear_of("pong")
        for message in player.told:
            SERVER_MESSAGE.validate_json(json.dumps(message))


@given(texts=st.lists(ODD, min_size=20, max_size=60), seat=st.sampled_from([0, 1, None]))
@settings(calm, max_examples=25)
def test_no_message_is_too_strange(
    patient: Served, texts: list[str | bytes], seat: int | None
) -> None:
    table, tokens = started_table(patient.url, "x-nimmt", people(2, bots=1))
    token = None if seat is None else tokens[seat]
    asyncio.run(bombard(patient.url, table, token, texts))


@pytest.mark.soak
def test_no_message_of_a_million_is_too_strange(patient: Served) -> None:
    sent = 0

    @given(texts=st.lists(ODD, min_size=50, max_size=200), seat=st.sampled_from([0, 1, None]))
    @settings(calm, max_examples=80, derandomize=False)
    def some(texts: list[str | bytes], seat: int | None) -> None:
        nonlocal sent
        table, tokens = started_table(patient.url, "x-nimmt", people(2, bots=1))
        asyncio.run(bombard(patient.url, table, None if seat is None else tokens[seat], texts))
        sent += len(texts)

    for _ in counted(1_000_000, "times some hostile messages"):
        some()
        if sent >= 1_000_000:
            break
    tell(f"{sent:,} hostile messages")


def test_the_neighbours_of_a_hostile_client_play_on(patient: Served) -> None:
    async def story() -> None:
        rng = Random(1)
        table, tokens = started_table(patient.url, "six-nimmt", people(3), options={"rounds": 1})
        noise: list[str | bytes] = [rng.randbytes(50) for _ in range(1000)]
        async with (
            asyncio.TaskGroup() as tasks,
            seated(patient.url, table, tokens[0]) as anna,
            seated(patient.url, table, tokens[1]) as bo,
        ):
            bad = tasks.create_task(bombard(patient.url, table, tokens[2], noise))
            for player in (anna, bo):
                assert (await player.move())["type"] == "accepted"
            await bad

    asyncio.run(story())


def test_all_this_left_no_traceback(patient: Served) -> None:
    assert "Traceback" not in patient.log.read_text()
    assert httpx.get(f"{patient.url}/healthz").status_code == 200
