"""A disk that fails under a running table: everybody is told, nothing is lost, and play goes on by itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from bullpen.cards import Problem
from bullpen.fair import share_commitment
from bullpen.game import Seat
from bullpen.server import room as rooms
from bullpen.server import starting, steward
from bullpen.server.app import Server
from bullpen.server.budget import bucket
from bullpen.server.connection import Connection
from bullpen.server.opening import Opening
from bullpen.server.playing_on import play_on
from bullpen.server.refused import Gone, Refused
from bullpen.server.requests import JoinTable, NewTable, PlayOn, SeatWish
from bullpen.server.room import Entry, Room
from bullpen.server.settings import Settings
from bullpen.server.starting import commit_to
from bullpen.server.store import FINISHED, LOBBY, OPENING, Event, Store, StoreUnavailable
from tests.patience import PATIENCE, until_soon
from tests.store.disks import Disk
from tests.store.stories import a_store, in_loop, results

SOON = 0.02
CLOSING = 0x88  # the first byte of a frame


@pytest.fixture(autouse=True)
def trying_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "RETRY_SECONDS", SOON)
    monkeypatch.setattr(steward, "RETRY_SECONDS", SOON)


class Heard:
    """The end of a socket that keeps what it is sent."""

    def __init__(self) -> None:
        self.written, self.is_closed = b"", False

    def write(self, data: bytes) -> None:
        self.written += data

    def abort(self) -> None:
        pass

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str) -> Any:
        return None

    def types(self) -> list[str]:
        """Of all messages since the last look."""
        found, left = [], self.written
        while left:
            if left[0] == CLOSING:
                break
            length, start = left[1], 2
            if length == 126:
                length, start = int.from_bytes(left[2:4], "big"), 4
            found.append(json.loads(left[start : start + length])["type"])
            left = left[start + length :]
        self.written = b""
        return found


HOSTS: dict[str, str] = {}  # by table: the token of its host


@asynccontextmanager
async def a_lobby(disk: Disk, folder: Path) -> AsyncIterator[tuple[Server, Room]]:
    """Anna and Bert wait at a table of three."""
    async with a_store(f"sqlite:///{folder}/store.db?vfs={disk.name}") as store:
        server = Server(Settings(), store)
        wish = NewTable(
            game="x-nimmt", name="Anna", seats=[SeatWish(kind="person")] * 3, listed=True
        )
        anna, _ = await server.house.create(wish, "here", None)
        room, HOSTS[anna.room.id] = anna.room, anna.token
        await server.house.join(room, JoinTable(name="Bert"), None, "there")
        yield server, room
        await server.steward.close()
    disk.unregister()


def listener(room: Room, seat: Seat) -> tuple[Heard, Connection]:
    heard = Heard()
    connection = Connection(heard, seat, "en", bucket(100, 1.0))
    connection.key = room.keys.of_seat[seat]
    room.here.add(connection)
    return heard, connection


async def move(room: Room, seat: Seat, connection: Connection | None = None) -> None:
    assert room.play is not None
    action = room.play.offers(seat)[0]
    room.submit(Entry(seat, room.play.numbers[seat], action, "person", connection))
    await room.settled()


@in_loop
async def test_a_move_that_cannot_be_stored_is_refused_and_the_same_is_accepted_later(
    tmp_path: Path,
) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        await server.house.start(room, HOSTS[room.id])
        anna, connection = listener(room, 0)
        bert, _ = listener(room, 1)
        disk.failing = apsw.FullError
        await move(room, 0, connection)
        assert anna.types() == ["refused"]
        assert bert.types() == []
        disk.failing = None
        await move(room, 0, connection)
        assert anna.types() == ["accepted", "chosen"]
        assert bert.types() == ["chosen"]


@in_loop
async def test_what_goes_on_by_itself_waits_a_moment_before_a_failing_disk_is_tried_again(
    tmp_path: Path,
) -> None:
    disk = Disk()
    now = asyncio.get_running_loop().time
    asked: list[tuple[Room, float]] = []
    async with a_lobby(disk, tmp_path) as (server, room):
        await server.house.start(room, HOSTS[room.id])
        room.after = lambda one: asked.append((one, now()))
        disk.failing, begun = apsw.FullError, now()
        await move(room, 0)
        await until_soon(lambda: asked)
        disk.failing = None
        [(one, when)] = asked
        assert one is room
        assert when - begun >= rooms.RETRY_SECONDS * 0.99  # a timer may be a little early


@contextmanager
def stored_but_unknown(store: Store) -> Iterator[None]:
    """What is appended is stored, and nobody hears so."""
    append = store.append

    async def failing(*asked: Any, **named: Any) -> list[Event]:
        await append(*asked, **named)
        raise StoreUnavailable("store_io", "unknown", "planted")

    store.append = failing  # type: ignore[method-assign]
    yield
    store.append = append  # type: ignore[method-assign]


@in_loop
async def test_where_nobody_knows_whether_a_move_was_stored_nobody_is_told_and_the_table_is_read_again(
    tmp_path: Path,
) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        await server.house.start(room, HOSTS[room.id])
        anna, connection = listener(room, 0)
        with stored_but_unknown(server.store):
            await move(room, 0, connection)
        assert anna.types() == ["closing"]
        assert anna.is_closed
        again = await server.house.room(room.id)
        assert again is not room
        assert again.play is not None
        assert sorted(again.play.choices) == [0]
        await move(again, 1)  # and it goes on
        assert sorted(again.play.choices) == [0, 1]


@in_loop
async def test_a_result_that_cannot_be_written_down_is_written_down_later(tmp_path: Path) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        await server.house.start(room, HOSTS[room.id])
        anna, _ = listener(room, 0)
        disk.failing = apsw.FullError
        finishing = asyncio.ensure_future(server.steward.finish(room))
        await asyncio.sleep(5 * SOON)
        assert not finishing.done()
        assert "result" not in anna.types()
        disk.failing = None
        await finishing
        assert room.header.state == FINISHED
        assert "result" in anna.types()
        assert len(await results(server.store, room.id)) == 3


@in_loop
async def test_a_start_that_cannot_be_stored_leaves_the_lobby_as_it_was(tmp_path: Path) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        disk.failing = apsw.FullError
        with pytest.raises(StoreUnavailable):
            await server.house.start(room, HOSTS[room.id])
        assert room.header.state == LOBBY
        assert room.header.open_seats() == [2]
        disk.failing = None
        await server.house.start(room, HOSTS[room.id])
        assert room.is_playing


@in_loop
async def test_a_table_that_another_process_has_taken_is_let_go_and_can_be_had_again(
    tmp_path: Path,
) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        await server.house.start(room, HOSTS[room.id])
        anna, connection = listener(room, 0)
        async with a_store(f"sqlite:///{tmp_path}/store.db?vfs={disk.name}") as other:
            assert await other.claim(room.id)
            await move(room, 0, connection)
        assert room.is_gone
        assert anna.types() == [
            "closing"
        ]  # neither accepted nor refused: whoever comes back sends it again
        assert anna.is_closed
        again = await server.house.room(room.id)
        assert again is not room
        await move(again, 0)
        assert again.play is not None
        assert sorted(again.play.choices) == [0]


@in_loop
async def test_a_lobby_that_another_process_has_taken_is_read_again(tmp_path: Path) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        async with a_store(f"sqlite:///{tmp_path}/store.db?vfs={disk.name}") as other:
            assert await other.claim(room.id)
            with pytest.raises(Refused) as refused:
                await server.house.join(room, JoinTable(name="Cleo"), None, "there")
        assert (refused.value.status, refused.value.key) == (503, "table_elsewhere")
        again = await server.house.room(room.id)
        assert (await server.house.join(again, JoinTable(name="Cleo"), None, "there")).seat == 2
        await server.house.sweep()
        assert server.house.rooms == {room.id: again}


@in_loop
async def test_a_table_that_ends_while_others_are_swept_away_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        house, close = server.house, server.house._close
        wish = NewTable(game="x-nimmt", name="Cleo", seats=[SeatWish(kind="person")] * 2)
        cleo, _ = await house.create(wish, "here", None)
        last, _ = await house.create(wish, "here", None)
        house.idle_since[room.id] = house.idle_since[last.room.id] = float("-inf")

        async def meanwhile(closed: Room) -> None:
            if closed is room:
                await house.end(cleo.room, cleo.token)
            await close(closed)

        monkeypatch.setattr(house, "_close", meanwhile)
        await house.sweep()
        assert house.rooms == {}


@in_loop
async def test_a_table_that_ends_while_another_server_asks_for_it_is_handed_over_to_nobody(
    tmp_path: Path,
) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, _):
        house = server.house
        wish = NewTable(game="x-nimmt", name="Cleo", seats=[SeatWish(kind="person")] * 2)
        cleo, _ = await house.create(wish, "here", None)
        await house.leave(cleo.room, cleo.token)
        ending = asyncio.create_task(house._end_if_empty(cleo.room))
        await asyncio.sleep(0)
        assert cleo.room.lock.locked()
        await house._let_go(cleo.room)
        await ending
        assert cleo.room.id not in house.rooms


@in_loop
async def test_a_game_that_could_not_be_played_on_leaves_no_table_to_deal_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise StoreUnavailable("store_away", "unknown", "a test")

    disk, wish = Disk(), PlayOn(turn=0, seat=0, name="Dee")
    async with a_lobby(disk, tmp_path) as (server, room):
        await server.house.start(room, HOSTS[room.id])
        monkeypatch.setattr(server.store, "update", fails)
        with pytest.raises(StoreUnavailable):
            await play_on(server.house, room, wish, "here", None)
        (half,) = (one for one in server.house.rooms.values() if one is not room)
        assert half.is_gone
        room.let_go()
        with pytest.raises(Gone):
            await play_on(server.house, room, wish, "here", None)


async def until_all_are_open(opening: Opening, _seconds: float) -> None:
    """However slow this machine is: no share stays out."""
    await asyncio.wait_for(opening.all_open.wait(), PATIENCE)
    opening.is_closed = True


@in_loop
async def test_a_deal_that_cannot_be_stored_is_dealt_later_with_the_same_shares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(starting, "RETRY_SECONDS", SOON)
    monkeypatch.setattr(starting, "STORING_SECONDS", 0.1)
    monkeypatch.setattr(Opening, "wait", until_all_are_open)
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        server.house.starting.seconds = 0.0  # that who asks for the start waits besides
        await commit_to(room, share_commitment(room.id, 0, bytes(32)), lambda: 0)
        await commit_to(room, share_commitment(room.id, 1, bytes(32)), lambda: 1)
        asked = asyncio.create_task(server.house.start(room, HOSTS[room.id]))
        while room.opening is None:
            await asyncio.sleep(SOON)
        disk.failing = apsw.FullError
        room.open_share(0, "00" * 32)
        room.open_share(1, "00" * 32)
        with pytest.raises(Refused) as refused:
            await asked
        assert (refused.value.status, refused.value.key) == (503, "not_dealt_yet")
        assert room.header.state == OPENING
        with pytest.raises(Refused):
            await server.house.start(room, HOSTS[room.id])
        await until_soon(lambda: "not dealt" in caplog.messages)
        disk.failing = None
        while not room.is_playing:
            await asyncio.sleep(SOON)
        assert [seat.share for seat in room.header.seats[:2]] == ["00" * 32] * 2
        assert len(await server.store.events(room.id)) == room.seq == 1


@in_loop
async def test_a_start_that_is_stored_while_the_server_stops_is_answered_and_left_to_the_next_one(
    tmp_path: Path,
) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        await commit_to(room, share_commitment(room.id, 0, bytes(32)), lambda: 0)
        await server.house.starting.close()
        with pytest.raises(Refused) as refused:
            await asyncio.wait_for(server.house.start(room, HOSTS[room.id]), PATIENCE)
        assert (refused.value.status, refused.value.key) == (503, "not_dealt_yet")
        stored = await server.store.header(room.id)
        assert stored is not None
        assert stored["state"] == OPENING


@in_loop
async def test_nobody_gives_another_share_once_the_table_has_started(tmp_path: Path) -> None:
    disk = Disk()
    async with a_lobby(disk, tmp_path) as (server, room):
        in_time, too_late = (share_commitment(room.id, 0, bytes([at]) * 32) for at in (1, 2))
        await commit_to(room, in_time, lambda: 0)
        starting = asyncio.create_task(server.house.start(room, HOSTS[room.id]))
        await asyncio.sleep(0)
        with pytest.raises(Problem) as late:
            await commit_to(room, too_late, lambda: 0)
        assert late.value.key == "commit_late"
        room.open_share(0, ("01" * 32))
        await starting
        kept = await server.store.header(room.id)
        assert kept is not None
        assert kept["seats"][0]["commitment"] == in_time == room.header.commitments[0]
        assert kept["seats"][0]["share"] == "01" * 32
