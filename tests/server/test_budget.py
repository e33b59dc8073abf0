"""What one client may ask for: whatever it is, the others do not wait for it."""

import asyncio
import base64
import contextlib
import json
import os
import socket
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path
from random import Random

import httpx
import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from bullpen.server.networks import Networks, network_of
from bullpen.server.play import MOST_CHANGES
from bullpen.server.sockets import MOST_OF_A_SEAT
from bullpen.server.transport import LONGEST_HEAD, LONGEST_LINE
from tests.patience import PATIENCE, until
from tests.server.running import (
    RUN,
    Player,
    Served,
    bearer,
    checked,
    connect,
    new_table,
    people,
    play_together,
    seated,
    served,
    socket_url,
    started_table,
)
from tests.server.stored import an_id, dealt, finished_in


@contextlib.contextmanager
def line_to(server: Served) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        yield line


def said_on(line: socket.socket) -> bytes:
    """All that the server says until it closes the line."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while data := line.recv(65536):
            said += data
    return said


def status_of(said: bytes) -> int:
    return int(said.split(b" ", 2)[1])


def key_of(said: bytes) -> str:
    return str(json.loads(said.partition(b"\r\n\r\n")[2])["key"])


def cpu_of(server: Served) -> float:
    assert server.process is not None
    times = psutil.Process(server.process.pid).cpu_times()
    return float(times.user + times.system)


def cpu_of_others(server: Served) -> float:
    """Of the processes that it has started."""
    assert server.process is not None
    times = [one.cpu_times() for one in psutil.Process(server.process.pid).children()]
    return float(sum(one.user + one.system for one in times))


def metric(server: Served, name: str) -> float:
    lines = httpx.get(f"{server.url}/metrics").text.splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name))


# -- Heads of requests ----------------------------------------------------------------------------


def test_a_cookie_of_backslashes_is_read_as_quickly_as_any(server: Served) -> None:
    """Python's own reader of cookies took a second of the processor for each of these."""
    cookie = 'seat="' + "\\" * 12_000 + '"'
    before = cpu_of(server)
    for _ in range(10):
        answer = httpx.get(f"{server.url}/api/statistics", headers={"cookie": cookie})
        assert answer.status_code == 200
    assert cpu_of(server) - before < 2


def test_headers_and_paths_have_a_longest_and_are_not_kept_beyond_it(server: Served) -> None:
    for request, status, key in (
        (b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"x" * LONGEST_HEAD, 431, "head_too_long"),
        (b"GET /" + b"x" * LONGEST_LINE + b" HTTP/1.1\r\n", 414, "line_too_long"),
        (b"GET /" + b"x" * LONGEST_LINE, 414, "line_too_long"),
        (b"X" * (LONGEST_HEAD + 1), 414, "line_too_long"),
    ):
        with line_to(server) as line:
            line.sendall(request)
            said = said_on(line)
            assert (status_of(said), key_of(said)) == (status, key)
    with line_to(server) as line:
        line.sendall(b"GET / HTTP/1.1\r\n")
        taken = 0
        with contextlib.suppress(OSError):  # closed, in whatever way
            while taken < 10_000:
                line.sendall(b"X-Header: " + b"x" * 1000 + b"\r\n")
                taken += 1
        assert taken < 10_000


def test_a_head_of_exactly_the_longest_is_served(server: Served) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: "
    with line_to(server) as line:
        line.sendall(head + b"x" * (LONGEST_HEAD - len(head)) + b"\r\n\r\n")
        assert status_of(said_on(line)) == 200


def test_a_head_in_many_pieces_is_read(server: Served) -> None:
    with line_to(server) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n":
            line.sendall(bytes((at,)))
        assert status_of(said_on(line)) == 200


def test_one_request_at_a_time_and_many_on_one_line(server: Served) -> None:
    with line_to(server) as line:
        request = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
        for _ in range(3):
            line.sendall(request)
            said = b""
            while not said.endswith(b"}"):
                said += line.recv(65536)
            assert said.startswith(b"HTTP/1.1 200")
        line.sendall(request * 5000)
        assert b"HTTP/1.1 400" in said_on(line)


def answer_on(line: socket.socket) -> bytes:
    """One answer of the server, in JSON; the line stays open."""
    said = b""
    while b"\r\n\r\n" not in said or not said.endswith(b"}"):
        data = line.recv(65536)
        assert data, said
        said += data
    return said


EARLY = (
    b"DELETE /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n"  # refused by its head alone
)
BODY = b'{"a":1}'
NEXT = b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "size", [b"Content-Length: 7\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"]
)
def test_a_body_that_comes_after_its_answer_takes_nothing_of_the_next_request(
    server: Served, size: bytes
) -> None:
    """Body and next head may come as one piece; then the next body was taken for a head, and waited for for ever."""
    sent = BODY if b"Length" in size else b"7\r\n" + BODY + b"\r\n0\r\n\r\n"
    with line_to(server) as line:
        for _ in range(3):
            line.sendall(EARLY)
            assert status_of(answer_on(line)) == 405
            line.sendall(BODY + NEXT + size)
            time.sleep(
                0.05
            )  # not to be waited for: whether it comes as a piece of its own or not, it is read
            line.sendall(sent)
            assert status_of(answer_on(line)) == 422


def test_what_follows_a_chunked_body_in_one_piece_is_refused(server: Served) -> None:
    with line_to(server) as line:
        line.sendall(EARLY.replace(b"Content-Length: 7", b"Transfer-Encoding: chunked"))
        assert status_of(answer_on(line)) == 405
        line.sendall(b"0\r\n\r\n" + NEXT + b"Content-Length: 7\r\n\r\n")
        assert status_of(said_on(line)) == 400


@pytest.mark.parametrize(
    "odd",
    [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: foo\r\n\r\n",
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST /healthz HTTP/1.0\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_what_follows_an_odd_head_holds_nobody_up(server: Served, odd: bytes) -> None:
    """The first one, of HTTP/2, has no headers: what follows it belonged to nothing, and was looked at for ever."""
    with line_to(server) as line:
        line.sendall(odd + b"x" * 50)
        assert httpx.get(f"{server.url}/healthz").status_code == 200


def test_a_line_whose_body_came_late_makes_room_like_any_that_waits(tmp_path: Path) -> None:
    with (
        served(tmp_path, BULLPEN_CONNECTIONS="10") as server,
        line_to(server) as line,
        contextlib.ExitStack() as all_,
    ):
        line.sendall(EARLY)
        assert status_of(answer_on(line)) == 405
        line.sendall(BODY)
        others = [all_.enter_context(line_to(server)) for _ in range(20)]
        assert said_on(line) == b""  # closed for one of them: it had waited for the longest time
        assert len(others) == 20


# -- Lines that say nothing -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /heal",
        b"GET /healthz HTTP/1.1\r\nHost: a\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
    ],
)
def test_a_request_that_never_gets_whole_is_closed(tmp_path: Path, half: bytes) -> None:
    with served(tmp_path, BULLPEN_HEAD_SECONDS="1", BULLPEN_BODY_SECONDS="1") as server:
        with line_to(server) as line:
            line.sendall(half)
            said = said_on(line)
            assert (status_of(said), key_of(said)) == (408, "request_too_slow")
        assert metric(server, 'bullpen_limited_total{limit="slow"}') == 1
        log = server.log.read_text()
    assert '"limit": "slow"' in log
    assert "Traceback" not in log


def test_one_address_has_so_many_connections(tmp_path: Path) -> None:
    with (
        served(tmp_path, BULLPEN_CONNECTIONS_PER_ADDRESS="4") as server,
        contextlib.ExitStack() as all_,
    ):
        lines = [all_.enter_context(line_to(server)) for _ in range(4)]
        with line_to(server) as line:
            said = said_on(line)
            assert (status_of(said), key_of(said)) == (429, "too_many_connections")
        lines[0].close()

        def is_let_in() -> bool:
            with line_to(server) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return status_of(said_on(line)) == 200

        until(is_let_in)  # there is room again, as soon as the server has noticed


FEW_FILES = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)); {RUN}"


@pytest.mark.parametrize(
    ("run", "settings"),
    [(FEW_FILES, {}), (RUN, {"BULLPEN_CONNECTIONS": "30"})],
    ids=["as many as the system has files", "as many as there may be"],
)
def test_silent_lines_never_keep_others_out(
    tmp_path: Path, run: str, settings: dict[str, str]
) -> None:
    """Whoever has said nothing for the longest time makes room."""
    with served(tmp_path, run, **settings) as server, contextlib.ExitStack() as all_:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        silent = [all_.enter_context(line_to(server)) for _ in range(300)]

        async def story() -> None:
            async with (
                seated(server.url, table, tokens[0]) as anna,
                seated(server.url, table, tokens[1]) as bo,
            ):
                for player in (anna, bo):
                    assert (await player.move())["type"] == "accepted"

        asyncio.run(story())
        assert httpx.get(f"{server.url}/healthz").status_code == 200
        assert len(silent) == 300


# -- Frames of any kind -----------------------------------------------------------------------------


def upgraded(server: Served, table: str) -> socket.socket:
    """A spectator's socket, byte by byte."""
    line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    key = base64.b64encode(os.urandom(16)).decode()
    words = f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
    words += f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    line.sendall(words.encode())
    assert line.recv(12).startswith(b"HTTP/1.1 101")
    return line


def closing_code(said: bytes) -> int:
    at = said.rindex(b"\x88\x02")
    return int.from_bytes(said[at + 2 : at + 4], "big")


@pytest.mark.parametrize(
    "frames",
    [
        Frame(Opcode.PING, b"").serialize(mask=True) * 20_000,
        Frame(Opcode.PONG, b"").serialize(mask=True) * 20_000,
        Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)
        + Frame(Opcode.CONT, b"", fin=False).serialize(mask=True) * 20_000,
    ],
    ids=["pings", "pongs", "empty fragments"],
)
def test_a_flood_of_frames_is_cut_off_before_it_costs_anything(
    counting: Served, frames: bytes
) -> None:
    table, _ = started_table(counting.url, "six-nimmt", people(2))
    before = frames_read(counting)
    with upgraded(counting, table) as line:
        with contextlib.suppress(OSError):
            line.sendall(frames)
        assert closing_code(said_on(line)) == 1008
    assert frames_read(counting) - before < 4_000  # to read all 20,000 took two seconds
    assert metric(counting, 'bullpen_limited_total{limit="frames"}') > 0


# Notes in a file how many frames the library has been given to read.
COUNTING = f"""
import os
from websockets.frames import Frame
parse, count = Frame.parse, 0

def counted(cls, *given, **named):
    global count
    count += 1
    with open(os.environ["FRAMES_READ"], "w") as noted:
        noted.write(str(count))
    return parse(*given, **named)

Frame.parse = classmethod(counted)
{RUN}"""


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("counting")
    with served(folder, COUNTING, FRAMES_READ=str(folder / "frames read")) as running:
        yield running


def frames_read(server: Served) -> int:
    noted = Path(server.settings["FRAMES_READ"])
    return int(noted.read_text()) if noted.exists() else 0


def test_a_few_pings_and_fragments_are_answered(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with connect(
            socket_url(server.url, table), additional_headers=bearer(tokens[0])
        ) as line:
            await line.recv()
            for _ in range(20):
                await asyncio.wait_for(await line.ping(), PATIENCE)
            await line.send(['{"type":', '"ping"}'])
            while json.loads(await line.recv())["type"] != "pong":
                pass

    asyncio.run(story())


def test_texts_that_are_no_utf8_close_the_socket_without_a_traceback(server: Served) -> None:
    table, _ = started_table(server.url, "six-nimmt", people(2))
    bad = Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True)
    with upgraded(server, table) as line:
        line.sendall(bad + bad + bad)
        assert closing_code(said_on(line)) == 1007
    assert httpx.get(f"{server.url}/healthz").status_code == 200
    assert "Traceback" not in server.log.read_text()


def test_all_sockets_of_a_seat_share_what_it_may_say(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with contextlib.AsyncExitStack() as all_:
            ours = [
                await all_.enter_async_context(seated(server.url, table, tokens[0]))
                for _ in range(5)
            ]
            for player in ours[:2]:  # each one is heard before the next one speaks
                for _ in range(10):
                    await player.say(type="ping")
                    await player.hear_of("pong")
            for player in ours[2:]:
                await player.say(type="ping")
                assert (await player.hear_of("error"))["key"] == "too_fast"
            for _ in range(MOST_OF_A_SEAT - len(ours)):
                await all_.enter_async_context(seated(server.url, table, tokens[0]))
            with pytest.raises(InvalidStatus) as refused:
                await all_.enter_async_context(seated(server.url, table, tokens[0]))
            assert refused.value.response.status_code == 429

    allowed = {"BULLPEN_MESSAGES": "20", "BULLPEN_MESSAGES_SECONDS": "100000"}  # nothing comes back
    with served(tmp_path, **allowed) as server:
        asyncio.run(story(server))


# -- What is stored ---------------------------------------------------------------------------------


def test_a_secret_choice_can_be_changed_so_many_times(patient: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(patient.url, "six-nimmt", people(2))
        async with (
            seated(patient.url, table, tokens[0]) as anna,
            seated(patient.url, table, tokens[1]) as bo,
        ):
            offers = [one["action"] for one in anna.asked["moves"]]
            answer = await anna.move(offers[0])
            before = metric(patient, "bullpen_events_total")
            number = answer["next"]
            for change in range(1, 3 * MOST_CHANGES):
                await anna.say(type="move", decision=number, action=offers[change % 2])
                while (answer := await anna.hear())["type"] not in ("accepted", "refused"):
                    pass
                if answer["type"] == "refused":
                    break
                number = answer["next"]
            assert (answer["type"], answer["key"]) == ("refused", "changed_too_often")
            assert change == MOST_CHANGES + 1
            assert metric(patient, "bullpen_events_total") - before == MOST_CHANGES
            assert (await bo.move())["type"] == "accepted"  # and the game goes on
            assert (await bo.hear_of("view"))["steps"][0]["event"]["event"] == "reveal"

    asyncio.run(story())


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("six-nimmt", {"rounds": 101}),
        ("six-nimmt", {"limit": 1001}),
        ("x-nimmt", {"rounds": 1_000_000}),
        ("baron-oxx", {"games": 101}),
        ("eleven-nimmt", {"rounds": 1000}),
    ],
)
def test_a_served_game_ends_one_day(server: Served, game: str, options: dict[str, int]) -> None:
    body = {"game": game, "name": "A", "seats": people(1, bots=1), "options": options}
    answer = httpx.post(f"{server.url}/api/tables", json=body)
    assert answer.status_code == 422
    assert answer.json()["key"] in ("option_too_large", "bad_request")


def test_no_mini_game_is_opened(server: Served) -> None:
    body = {"game": "six-nimmt", "name": "A", "seats": people(1, bots=1), "options": {"hand": 2}}
    answer = httpx.post(f"{server.url}/api/tables", json=body)
    assert (answer.status_code, answer.json()["key"]) == (422, "mini_not_served")
    assert "6 nimmt! mini (hand 2)" in answer.json()["message"]


def test_a_page_learns_how_long_a_game_may_be(server: Served) -> None:
    games = {one["id"]: one for one in httpx.get(f"{server.url}/api/games").json()["games"]}
    most = {one["name"]: one.get("most") for one in games["six-nimmt"]["options"]}
    assert (most["rounds"], most["limit"], most["deck"]) == (100, 1000, None)


def test_bots_stop_when_nobody_is_there_and_go_on_when_somebody_comes(tmp_path: Path) -> None:
    settings = {"BULLPEN_SLEEP_SECONDS": "1", "BULLPEN_AWAY_SECONDS": "0.1"}

    async def story(server: Served) -> None:
        wishes = {"options": {"rounds": 100}, "clock": None}
        table, tokens = started_table(server.url, "six-nimmt", people(2, bots=2), **wishes)
        async with seated(server.url, table, tokens[0]):
            pass
        stored = -1.0
        given_up = time.monotonic() + PATIENCE
        while (now := metric(server, "bullpen_events_total")) != stored:
            assert time.monotonic() < given_up, "bots play on for nobody"
            stored = now
            await asyncio.sleep(1.5)
        async with seated(server.url, table, tokens[0]) as anna:
            assert anna.result is None
            turn = anna.shown["turn"]
            if anna.question:
                await anna.move()
            while anna.shown["turn"] == turn:  # the bots go on, and so does who plays for the other
                await anna.hear()

    with served(tmp_path, **settings) as server:
        asyncio.run(story(server))


# -- Counted when it begins -------------------------------------------------------------------------


def test_many_requests_at_once_do_not_pass_a_limit_together(tmp_path: Path) -> None:
    settings = {"BULLPEN_TABLES_PER_ADDRESS": "10", "BULLPEN_SOCKETS_PER_ADDRESS": "7"}
    body = {"game": "six-nimmt", "name": "A", "seats": people(2), "as": "program"}

    async def sit(server: Served, table: str, all_: contextlib.AsyncExitStack) -> int:
        try:
            await all_.enter_async_context(seated(server.url, table, None))
        except InvalidStatus as refused:
            return refused.response.status_code
        return 101

    async def story(server: Served) -> None:
        limits = httpx.Limits(max_connections=80)
        async with httpx.AsyncClient(base_url=server.url, limits=limits) as http:
            answers = await asyncio.gather(
                *(http.post("/api/tables", json=body) for _ in range(80))
            )
        assert sorted(answer.status_code for answer in answers) == [201] * 10 + [429] * 70
        table = next(answer.json()["table"] for answer in answers if answer.status_code == 201)
        async with contextlib.AsyncExitStack() as all_:
            codes = await asyncio.gather(*(sit(server, table, all_) for _ in range(60)))
            assert sorted(codes) == [101] * 7 + [429] * 53

    with served(tmp_path, **settings) as server:
        asyncio.run(story(server))


# -- Who is who -------------------------------------------------------------------------------------


def test_an_ipv6_client_counts_by_its_network() -> None:
    assert (
        network_of("2001:db8:1:2::1")
        == network_of("2001:db8:1:2:ffff::9")
        != network_of("2001:db8:1:3::1")
    )
    assert (
        network_of("203.0.113.7") == network_of("::ffff:203.0.113.7") != network_of("203.0.113.8")
    )
    banned = Networks(["203.0.113.0/24", "2001:db8::/32"])
    assert "203.0.113.9" in banned
    assert "2001:db8:5::1" in banned
    assert "203.0.114.9" not in banned
    assert "nobody" not in banned


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("[::1]:8000", 200),
        ("bullpen:8000", 200),
        ("table.local", 200),
        ("play.example.org", 200),
        ("PLAY.example.org.:443", 200),
        ("evil.example", 421),
        ("play.example.org.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
    ],
)
def test_a_foreign_name_that_leads_here_is_not_served(
    named: Served, host: str, status: int
) -> None:
    answer = httpx.get(f"{named.url}/api/games", headers={"host": host})
    assert answer.status_code == status
    if status == 421:
        assert answer.json()["key"] == "foreign_host"


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    settings = {"BULLPEN_ORIGIN": "https://play.example.org"}
    with served(tmp_path_factory.mktemp("named"), **settings) as running:
        yield running


def test_a_banned_address_is_not_served(tmp_path: Path) -> None:
    settings = {"BULLPEN_PROXY": "127.0.0.1", "BULLPEN_BANNED": "203.0.113.0/24"}
    with served(tmp_path, **settings) as server:
        for address, status in (("203.0.113.9", 403), ("203.0.114.9", 200)):
            answer = httpx.get(f"{server.url}/api/games", headers={"x-forwarded-for": address})
            assert answer.status_code == status


# -- What is large ----------------------------------------------------------------------------------


def test_nobody_waits_for_the_replay_of_a_long_game(tmp_path: Path) -> None:
    """Nor for reading it from the store: the process through which everybody's moves go does the least part of the
    work.  In processor time, which is the same on a busy machine."""
    server = served(tmp_path)
    longest = dealt(an_id(1), "six-nimmt", 10, rounds=100)
    longest.play_to_the_end(Random(1))
    asyncio.run(finished_in(server.settings["BULLPEN_DB"], longest))

    async def story() -> float:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with (
            seated(server.url, table, tokens[0]) as anna,
            seated(server.url, table, tokens[1]) as bo,
        ):
            playing = asyncio.gather(played_at_leisure(anna), played_at_leisure(bo))
            share = await share_of_work(server, everything_of(server, longest.table))
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing
            assert min(anna.shown["turn"], bo.shown["turn"]) > 2  # and they have played meanwhile
            return share

    with server:
        assert asyncio.run(story()) < 0.5


async def share_of_work(server: Served, work: Awaitable[None]) -> float:
    """How much of it the server's own process does, and not those that it has started."""
    before, others_before = cpu_of(server), cpu_of_others(server)
    await work
    own, others = cpu_of(server) - before, cpu_of_others(server) - others_before
    return own / (own + others)


async def everything_of(server: Served, table: str) -> None:
    address = f"{server.url}/api/tables/{table}"
    async with httpx.AsyncClient(timeout=120) as http:
        seats = [http.get(f"{address}/replay?seat={seat}&lang=pl") for seat in range(6)]
        answers = await asyncio.gather(http.get(f"{address}/replay"), *seats)
        codes = [answer.status_code for answer in answers]
        assert codes[0] == 200
        assert set(codes) <= {200, 429}
        for path in ("/record", "/fair", ""):
            assert (await http.get(f"{address}{path}")).status_code == 200


async def played_at_leisure(player: Player) -> None:
    answered = -1
    while player.result is None:
        if (question := player.question) and question["number"] != answered:
            answered = question["number"]
            assert (await player.move())["type"] == "accepted"
            await asyncio.sleep(0.1)
        else:
            await player.hear()


def test_a_replay_is_made_once_and_a_few_are_made_at_a_time(server: Served) -> None:
    options = {"rounds": 1, "deck": "tactical"}
    table, tokens = started_table(server.url, "six-nimmt", people(2), options=options)
    asyncio.run(play_together(server.url, table, tokens))

    async def story() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=server.url) as http:
            languages = ("en", "pl", "en", "pl")
            paths = [
                f"/api/tables/{table}/replay?seat={seat}&lang={language}"
                for seat in range(2)
                for language in languages
            ]
            return await asyncio.gather(*(http.get(path) for path in paths))

    answers = asyncio.run(story())
    keys = {answer.json()["key"] for answer in answers if answer.status_code == 429}
    assert keys <= {"too_much_work"}
    assert {answer.status_code for answer in answers} <= {200, 429}
    one, again = (httpx.get(f"{server.url}/api/tables/{table}/replay") for _ in range(2))
    assert one.content == again.content
    record = checked(httpx.get(f"{server.url}/api/tables/{table}/record"))
    assert record["game"] == "six-nimmt"


def test_a_hint_does_not_wait_for_a_review(server: Served) -> None:
    async def story() -> None:
        options = {"rounds": 6}
        long, tokens = started_table(server.url, "six-nimmt", people(1, bots=3), options=options)
        await asyncio.to_thread(lambda: asyncio.run(play_together(server.url, long, tokens)))
        table, keys = started_table(server.url, "six-nimmt", people(1, bots=2), coach=True)
        async with seated(server.url, table, keys[0]) as anna, httpx.AsyncClient() as http:
            review = f"{server.url}/api/tables/{long}/review"
            assert (await http.get(review)).status_code == 202
            for _ in range(2):  # the first may come before the review has begun
                await anna.say(type="hint", decision=anna.asked["number"])
                while (told := await anna.hear())["type"] != "hint":
                    assert told["type"] != "error"
            assert (await http.get(review)).status_code == 202  # it still thinks

    asyncio.run(story())


def test_a_lobby_left_by_its_maker_does_not_count_for_ever(tmp_path: Path) -> None:
    settings = {"BULLPEN_TABLES_PER_ADDRESS": "2", "BULLPEN_LOBBY_MINUTES": "0.01"}
    with served(tmp_path, **settings) as server:
        for _ in range(2):
            new_table(server.url, "six-nimmt", people(1, bots=1))
        body = {"game": "six-nimmt", "name": "A", "seats": people(2)}
        until(
            lambda: httpx.post(f"{server.url}/api/tables", json=body).status_code != 429,
        )


def test_who_is_cut_off_may_come_back(server: Served) -> None:
    async def story() -> None:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        async with seated(server.url, table, tokens[0]) as anna:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(200):
                    await anna.socket.pong()
                while True:
                    await anna.hear()
        async with seated(server.url, table, tokens[0]) as anna:
            assert (await anna.move())["type"] == "accepted"

    asyncio.run(story())
