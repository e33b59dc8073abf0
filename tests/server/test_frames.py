"""Short texts are read by ourselves, all else by the library: however the bytes arrive, both agree."""

import asyncio
import base64
import contextlib
import json
import os
from collections.abc import AsyncIterator

import pytest
from websockets.frames import Frame, Opcode

from bullpen.server.transport import short_text
from tests.patience import PATIENCE
from tests.server.running import Served, people, started_table

PING = b'{"type":"ping"}'


def masked(payload: bytes, opcode: Opcode = Opcode.TEXT, *, final: bool = True) -> bytes:
    return Frame(opcode, payload, fin=final).serialize(mask=True)


@pytest.mark.parametrize("text", ["", "{}", "ąę" * 31, "x" * 125])
def test_a_short_text_in_one_piece_is_read(text: str) -> None:
    assert short_text(masked(text.encode())) == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x81",
        masked(b"x" * 126),
        masked(b"x", Opcode.BINARY),
        masked(b"", Opcode.PING),
        masked(b"x", final=False),
        masked(PING)[:-1],
        (b"\x81\xfe\x01\x00\0\0\0\0" + b"x" * 256)[:132],  # the beginning of a long one
        masked(PING) + b"\x81",
        masked(b"\xff\xfe"),
        Frame(Opcode.TEXT, PING).serialize(mask=False),
        b"\xc1" + masked(PING)[1:],  # a reserved bit
    ],
    ids=[  # masks are random, and every test process must find the same names
        "nothing",
        "one byte",
        "longer",
        "binary",
        "ping",
        "not final",
        "cut short",
        "the beginning of a long one",
        "more behind it",
        "no text",
        "not masked",
        "a reserved bit",
    ],
)
def test_everything_else_is_left_to_the_library(data: bytes) -> None:
    assert short_text(data) is None


@contextlib.asynccontextmanager
async def raw_socket(
    server: Served,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A seat's socket, byte by byte; its welcome has been read."""
    table, tokens = started_table(server.url, "six-nimmt", people(2))
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\nAuthorization: Bearer {tokens[0]}\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    yield reader, writer
    writer.close()


async def heard(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The next frame that is no table news: its first byte and its payload."""
    while True:
        first, length = await asyncio.wait_for(reader.readexactly(2), PATIENCE)
        if length == 126:
            length = int.from_bytes(await reader.readexactly(2), "big")
        payload = await reader.readexactly(length)
        if first != 0x81 or json.loads(payload)["type"] not in ("welcome", "presence", "lobby"):
            return first, payload


@pytest.mark.parametrize(
    ("pieces", "answers"),
    [
        ([masked(PING)], 1),
        ([masked(PING) * 3], 3),
        ([bytes((byte,)) for byte in masked(PING)], 1),
        ([masked(PING)[:5]], 0),
        ([masked(PING[:4], final=False), masked(PING[4:], Opcode.CONT)], 1),
        ([masked(PING) + masked(PING)[:3]], 1),
    ],
)
def test_however_the_bytes_arrive_every_message_is_answered_once(
    server: Served, pieces: list[bytes], answers: int
) -> None:
    async def story() -> None:
        async with raw_socket(server) as (reader, writer):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.01)  # so that they arrive one by one, mostly
            for _ in range(answers):
                assert await heard(reader) == (0x81, b'{"type":"pong"}')
            writer.write_eof()
            with pytest.raises(asyncio.IncompleteReadError):  # the server says no more
                await heard(reader)

    asyncio.run(story())


def test_a_new_message_within_another_is_an_error_of_the_protocol(server: Served) -> None:
    async def story() -> None:
        async with raw_socket(server) as (reader, writer):
            writer.write(masked(PING[:4], final=False))
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.write(masked(PING))
            first, payload = await heard(reader)
            assert (first, int.from_bytes(payload[:2], "big")) == (0x88, 1002)

    asyncio.run(story())


def test_a_text_that_is_no_utf8_closes_the_socket(server: Served) -> None:
    async def story() -> None:
        async with raw_socket(server) as (reader, writer):
            writer.write(masked(b"\xff\xfe"))
            first, payload = await heard(reader)
            assert (first, int.from_bytes(payload[:2], "big")) == (0x88, 1007)

    asyncio.run(story())
