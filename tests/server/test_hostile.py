"""Whatever is sent: no fault of the server's own, no traceback, and the neighbours play on."""

import asyncio
import json
from random import Random
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from bullpen.server.wire.schema import wire_schema
from bullpen.server.wire.told import SERVER_MESSAGE
from tests.server.running import Served, people, seated, started_table

CHECKS = (
    not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
calm = settings(
    max_examples=15, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True
)


# -- HTTP ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def api(patient: Served) -> Any:
    return schemathesis.openapi.from_url(f"{patient.url}/openapi.json")


described = schemathesis.pytest.from_fixture("api")


@described.parametrize()
@calm
def test_no_request_is_too_strange(case: Any) -> None:
    case.call_and_validate(checks=CHECKS)


@pytest.mark.soak
@described.parametrize()
@settings(calm, max_examples=6000)
def test_no_request_of_very_many_is_too_strange(case: Any) -> None:
    case.call_and_validate(checks=CHECKS)


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

CLIENT = wire_schema()["client"]
ODD = st.one_of(
    from_schema(CLIENT).map(json.dumps),
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
            "[" * 2000,
            '{"a":' * 600,
            '{"type":"undo_answer","agree":"yes"}',
            '{"type":"hint","decision":1}',
            "1" * 4000,
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
@given(texts=st.lists(ODD, min_size=50, max_size=200), seat=st.sampled_from([0, 1, None]))
@settings(calm, max_examples=8000, derandomize=False)
def test_no_message_of_a_million_is_too_strange(
    patient: Served, texts: list[str | bytes], seat: int | None
) -> None:
    table, tokens = started_table(patient.url, "x-nimmt", people(2, bots=1))
    token = None if seat is None else tokens[seat]
    asyncio.run(bombard(patient.url, table, token, texts))


def test_the_neighbours_of_a_hostile_client_play_on(patient: Served) -> None:
    async def story() -> None:
        rng = Random(1)
        table, tokens = started_table(patient.url, "six-nimmt", people(3), options={"rounds": 1})
        bad = asyncio.create_task(
            bombard(patient.url, table, tokens[2], [rng.randbytes(50) for _ in range(1000)])
        )
        async with (
            seated(patient.url, table, tokens[0]) as anna,
            seated(patient.url, table, tokens[1]) as bo,
        ):
            for player in (anna, bo):
                assert (await player.move())["type"] == "accepted"
        await bad

    asyncio.run(story())


def test_all_this_left_no_traceback(patient: Served) -> None:
    assert "Traceback" not in patient.log.read_text()
    assert httpx.get(f"{patient.url}/healthz").status_code == 200
