"""Behind nginx and behind Caddy, as docs/tls.md says: HTTPS, sockets, cookies, addresses, and what is kept inside."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bullpen.server.guard import LONGEST_BODY
from bullpen.server.transport import LONGEST_HEAD, LONGEST_LINE
from tests.patience import until_soon
from tests.ports import own_port
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.proxies import CONTRIB, NAMES, Proxy, proxied
from tests.server.running import Player, Served, checked, connect, people, served, socket_url

SHORT = {"rounds": 1, "deck": "tactical"}
TABLE = {"game": "six-nimmt", "seats": people(2), "clock": None, "options": SHORT}
ONE_EACH = httpx.Limits(max_keepalive_connections=0)  # no connection is left open


class Front(SimpleNamespace):
    """A server and the proxy before it."""

    server: Served
    proxy: Proxy


@pytest.fixture(scope="module", params=NAMES)
def front(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    folder = tmp_path_factory.mktemp(request.param)
    server = served(folder, BULLPEN_PROXY="127.0.0.1")
    server.port = own_port()
    with proxied(request.param, folder / "proxy", server.port) as proxy:
        server.settings["BULLPEN_ORIGIN"] = proxy.url
        server.settings["BULLPEN_TABLES_PER_ADDRESS"] = "3"
        with server:
            yield Front(server=server, proxy=proxy)
    assert "Traceback" not in server.log.read_text()


class Browser:
    """Keeps cookies, says where its page came from, and sits at its own address."""

    def __init__(self, proxy: Proxy, address: str = "127.0.0.1") -> None:
        self.proxy, self.context = proxy, proxy.trusting
        transport = httpx.HTTPTransport(verify=self.context, local_address=address, limits=ONE_EACH)
        self.http = httpx.Client(
            base_url=proxy.url, transport=transport, headers={"origin": proxy.url}
        )

    def make_table(self) -> tuple[str, str]:
        made = checked(self.http.post("/api/tables", json={**TABLE, "name": "Anna"}))
        assert made["token"] is None
        return made["table"], made["invite"]

    def join(self, table: str, invite: str) -> None:
        checked(self.http.post(f"/api/tables/{table}/join", json={"name": "Bo", "invite": invite}))

    def cookies(self, table: str) -> str:
        request = self.http.build_request("GET", f"/api/tables/{table}/socket")
        return request.headers["cookie"]

    @contextlib.asynccontextmanager
    async def seated(self, table: str, seed: int) -> AsyncIterator[Player]:
        headers = {"cookie": self.cookies(table), "origin": self.proxy.url}
        address = socket_url(self.proxy.url, table)
        async with connect(address, ssl=self.context, additional_headers=headers) as socket:
            player = Player(socket, Random(seed))
            await player.hear()
            yield player


def two_at_a_table(proxy: Proxy, address: str) -> tuple[Browser, Browser, str]:
    anna, bo = Browser(proxy, address), Browser(proxy, address)
    table, invite = anna.make_table()
    bo.join(table, invite)
    checked(anna.http.post(f"/api/tables/{table}/start"))
    return anna, bo, table


async def play_on(browsers: tuple[Browser, Browser], table: str) -> list[list[int]]:
    async def one(browser: Browser, seed: int) -> list[int]:
        async with browser.seated(table, seed) as player:
            scores: list[int] = (await player.play_on())["scores"]
            return scores

    return await asyncio.gather(*(one(browser, seed) for seed, browser in enumerate(browsers)))


def test_two_browsers_play_a_game_over_https(front: Front) -> None:
    anna, bo, table = two_at_a_table(front.proxy, "127.0.0.10")
    for line in httpx_cookies(anna):
        assert "; Secure" in line, line
    one, other = asyncio.run(play_on((anna, bo), table))
    assert one == other


def httpx_cookies(browser: Browser) -> list[str]:
    answer = browser.http.post("/api/tables", json={**TABLE, "name": "Anna"})
    found = answer.headers.get_list("set-cookie")
    assert {line.split("=")[0] for line in found} >= {"seat", "device"}
    return found


def test_foreign_pages_are_refused_through_it(front: Front) -> None:
    anna, _, table = two_at_a_table(front.proxy, "127.0.0.11")
    foreign = {"origin": "https://evil.example", "cookie": anna.cookies(table)}
    assert anna.http.post(f"/api/tables/{table}/leave", headers=foreign).status_code == 403

    async def socket_status() -> int:
        address = socket_url(front.proxy.url, table)
        with pytest.raises(InvalidStatus) as refused:
            await connect(address, ssl=anna.context, additional_headers=foreign)
        return refused.value.response.status_code

    assert asyncio.run(socket_status()) == 403


def test_each_visitor_has_an_address_and_nobody_makes_one_up(front: Front) -> None:
    """Of one address there may be three tables."""

    def statuses(browser: Browser, count: int, **headers: str) -> list[int]:
        wish = {**TABLE, "name": "Anna"}
        return [
            browser.http.post("/api/tables", json=wish, headers=headers).status_code
            for _ in range(count)
        ]

    assert statuses(Browser(front.proxy, "127.0.0.12"), 4) == [201, 201, 201, 429]
    assert statuses(Browser(front.proxy, "127.0.0.13"), 1) == [201]
    made_up = {"x-forwarded-for": "192.0.2.9", "forwarded": "for=192.0.2.9"}
    assert statuses(Browser(front.proxy, "127.0.0.12"), 1, **made_up) == [429]
    # And past the proxy: whoever is not the proxy is not believed.
    transport = httpx.HTTPTransport(local_address="127.0.0.14", limits=ONE_EACH)
    past = httpx.Client(transport=transport, headers={"origin": front.proxy.url})
    for number, status in enumerate((201, 201, 201, 429)):
        answer = past.post(
            f"{front.server.url}/api/tables",
            json={**TABLE, "name": "Anna"},
            headers={"x-forwarded-for": f"192.0.2.{number}", "x-forwarded-proto": "https"},
        )
        assert answer.status_code == status
        assert "Secure" not in answer.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "path",
    [
        "/metrics",
        "/metrics/",
        "//metrics",
        "/%6detrics",
        "/./metrics",
        "/x/../metrics",
        "/metrics?",
    ],
)
def test_the_metrics_stay_inside(front: Front, path: str) -> None:
    assert "bullpen_tables" in httpx.get(f"{front.server.url}/metrics").text
    anna = Browser(front.proxy)
    answer = anna.http.get(httpx.URL(front.proxy.url, raw_path=path.encode()))
    assert "bullpen_tables" not in answer.text


def test_what_is_too_long_is_refused_and_no_more(front: Front) -> None:
    anna = Browser(front.proxy)
    for size in (LONGEST_BODY + 1, 1_000_000):
        assert anna.http.post("/api/tables", content=b" " * size).status_code == 413
    assert anna.http.get("/healthz", headers={"x-padding": "x" * 3_000}).status_code == 200
    assert anna.http.get("/healthz", headers={"x-padding": "x" * 40_000}).status_code in (400, 431)


def test_browsers_are_sent_to_https_and_kept_there(front: Front) -> None:
    plain = f"http://localhost:{front.proxy.plain_port}/"
    moved = httpx.get(plain)
    assert moved.status_code == 308
    assert moved.headers["location"].startswith("https://localhost")
    answer = Browser(front.proxy).http.get("/healthz")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert front.proxy.protocol() == "h2"


def test_a_game_goes_on_when_the_server_is_started_anew(front: Front) -> None:
    anna, bo, table = two_at_a_table(front.proxy, "127.0.0.15")

    async def story() -> list[list[int]]:
        async with anna.seated(table, 0) as player:
            await player.move()
            loop = asyncio.get_running_loop()
            ending = loop.run_in_executor(None, front.server.end)
            with pytest.raises(ConnectionClosed):
                await player.hear_of("nothing")
            assert player.told[-1]["type"] == "closing"
            assert await ending == 0
        await loop.run_in_executor(None, front.server.start)
        async with anna.seated(table, 0) as player:
            assert player.shown["decision"]["choice"] is not None  # what was accepted is there
        return await play_on((anna, bo), table)

    one, other = asyncio.run(story())
    assert one == other


@pytest.mark.parametrize("name", NAMES)
def test_all_requests_of_a_table_reach_the_same_of_several_servers(
    name: str,
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    one = Served(postgres_url, tmp_path / "one.txt", BULLPEN_PROXY="127.0.0.1")
    other = Served(postgres_url, tmp_path / "other.txt", BULLPEN_PROXY="127.0.0.1")
    one.port, other.port = own_port(), own_port()
    with proxied(name, tmp_path / "proxy", one.port, other.port) as proxy:
        for server in (one, other):
            server.settings["BULLPEN_ORIGIN"] = proxy.url
        with one, other:
            for _ in range(4):
                anna, bo, table = two_at_a_table(proxy, "127.0.0.1")
                asyncio.run(both_sit_at_one((anna, bo), table, one, other))


async def both_sit_at_one(browsers: tuple[Browser, Browser], table: str, *servers: Served) -> None:
    def sockets() -> list[float]:
        return sorted(map(open_sockets, servers))

    async with contextlib.AsyncExitStack() as stack:
        for seed, browser in enumerate(browsers):
            await stack.enter_async_context(browser.seated(table, seed))
        # Those who left the table before this one may be noticed a little later.
        await until_soon(lambda: sockets() == [0, 2], sockets)


def open_sockets(server: Served) -> float:
    text = httpx.get(f"{server.url}/metrics").text
    (found,) = re.findall(r"^bullpen_sockets (\S+)$", text, re.MULTILINE)
    return float(found)


# -- The files ----------------------------------------------------------------------------------


def test_heads_and_bodies_may_be_as_long_as_for_the_server() -> None:
    nginx = (CONTRIB / "nginx.conf").read_text("utf-8")
    caddy = (CONTRIB / "Caddyfile").read_text("utf-8")
    assert re.findall(r"client_max_body_size (\d+)k;", nginx) == [str(LONGEST_BODY // 1024)]
    ((count, size),) = re.findall(r"large_client_header_buffers (\d+) (\d+)k;", nginx)
    assert int(size) * 1024 == LONGEST_LINE
    assert int(count) * LONGEST_LINE == LONGEST_HEAD
    assert re.findall(r"max_header_size (\d+)KiB", caddy) == [str(LONGEST_HEAD // 1024)]
