"""Pages and files of the client: found where they are, kept as long as they may be, and nothing else handed out."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.server import pages
from bullpen.server.nearby import address_for_others, qr_drawing
from bullpen.server.settings import Settings
from bullpen.text import voice
from scripts import web, wire_types
from tests.server.running import Served


class Client:
    """Asks an application without a server around it."""

    def __init__(self, app: FastAPI) -> None:
        self.transport = httpx.ASGITransport(app=app)

    def get(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        async def asked() -> httpx.Response:
            async with httpx.AsyncClient(transport=self.transport, base_url="http://x") as http:
                return await http.get(path, headers=headers)

        return asyncio.run(asked())


@pytest.fixture
def client(tmp_path: Path) -> Client:
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<p>the table</p>")
    (web / "assets" / "main-1a2b.js").write_text("play()")
    (web / "assets" / "main-1a2b.js.gz").write_bytes(gzip.compress(b"play()"))
    (web / ".stamp").write_text("secret of the build")
    (tmp_path / "beside.txt").write_text("not for anybody")
    app = FastAPI()
    pages.add(app, web)
    return Client(app)


@pytest.mark.parametrize("path", ["/", "/table/abc", "/replay/abc", "/rules/x-nimmt", "/cards"])
def test_every_page_of_the_client_is_its_index(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.text == "<p>the table</p>"
    assert answer.headers["cache-control"] == "no-cache"


def test_files_with_a_hash_are_kept_for_ever_and_sent_packed(client: Client) -> None:
    answer = client.get("/assets/main-1a2b.js")
    assert answer.text == "play()"
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    plain = client.get("/assets/main-1a2b.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == "play()"


@pytest.mark.parametrize(
    "path",
    [
        "/../beside.txt",
        "/%2e%2e/beside.txt",
        "/assets/..%2f..%2fbeside.txt",
        "/.stamp",
        "//etc/hosts.txt",
        "/assets/main-1a2b.js.gz",
        "/nothing.js",
        "/api/nothing",
        "/a%00.txt",
        "/" + "é" * 150 + ".js",
    ],
)
def test_nothing_else_is_handed_out(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_server_without_a_client_says_how_to_get_one(tmp_path: Path) -> None:
    app = FastAPI()
    pages.add(app, tmp_path)
    assert "make web" in Client(app).get("/").text
    assert "make web" in Client(app).get("/", headers={"accept-language": "pl"}).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_browser_keeps_begins_in_its_language(client: Client, language: str) -> None:
    asked = {"accept-language": f"tlh,{language};q=0.8,en;q=0.5"}
    kept = client.get("/offline.html", headers=asked)
    assert kept.headers["vary"] == "accept-language"
    assert f'<html lang="{language}">' in kept.text
    titles = re.findall(r"<h1>(.*?)</h1>", kept.text)
    assert titles[0] == voice(language).say("server.pages.offline_title")
    assert len(set(titles)) == len(LANGUAGES)


def test_an_installed_page_is_described_in_the_readers_language(tmp_path: Path) -> None:
    (tmp_path / "bullpen.webmanifest").write_text('{"name": "Bullpen"}')
    app = FastAPI()
    pages.add(app, tmp_path)
    for language in LANGUAGES:
        told = Client(app).get("/bullpen.webmanifest", headers={"accept-language": language})
        assert told.headers["content-type"] == "application/manifest+json"
        said = voice(language).say("server.pages.description")
        assert told.json() == {"name": "Bullpen", "lang": language, "description": said}


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("pl", "pl"),
        ("pl-PL,en;q=0.8", "pl"),
        ("en;q=0.3, pl;q=0.9", "pl"),
        ("tlh, pl;q=0", "en"),
        ("pl;q=x", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_a_browser_is_answered_in_the_language_that_it_likes_best(
    client: Client, accepted: str, language: str
) -> None:
    page = client.get("/offline.html", headers={"accept-language": accepted}).text
    assert f'<html lang="{language}">' in page


def test_the_browser_speaks_the_languages_of_the_server() -> None:
    assert set(web.LANGUAGES) == set(LANGUAGES)


def test_the_types_of_the_browser_are_those_of_the_wire() -> None:
    assert wire_types.TYPES.read_text("utf-8") == wire_types.written(), "run: make wire"


BUDGET = 150_000  # bytes: the whole client in one language, packed
LATER_BUDGET = (
    40_000  # the same of pages beside the table, which are fetched only when somebody opens them
)


def test_the_whole_client_stays_small() -> None:
    assert (web.BUILT / "index.html").is_file(), "run: make web"
    weights = web.weights()
    assert set(weights) == set(LANGUAGES)
    assert max(weights.values()) < BUDGET, weights
    later = web.later_weights()
    assert 0 < max(later.values()) < LATER_BUDGET, later


def test_nobody_fetches_a_page_beside_the_table_before_opening_it() -> None:
    page = (web.BUILT / "index.html").read_text("utf-8")
    assert not [name for name in re.findall(r"assets/([\w.-]+)", page) if web.is_later(name)]
    assert "daily" not in (web.BUILT / "assets").joinpath(
        next(iter(re.findall(r"assets/([\w.-]+\.css)", page)))
    ).read_text("utf-8")
    assert web.is_later("later-1a2b.js")
    assert web.is_later("ratings.pl-1a2b.js")
    assert not web.is_later("pl-1a2b.js")
    assert not web.is_later("play-1a2b.js")


def test_a_browser_fetches_one_language_and_svelte_once() -> None:
    scripts = [path.name for path in (web.BUILT / "assets").glob("*.js")]
    for start in ("svelte-", *(f"{language}-" for language in LANGUAGES)):
        assert len([name for name in scripts if name.startswith(start)]) == 1, start
    # What of the languages is fetched with the page itself would be fetched by everybody.
    page = (web.BUILT / "index.html").read_text("utf-8")
    assert "/assets/svelte-" in page
    assert not re.search(rf"/assets/({'|'.join(LANGUAGES)})-", page)


def test_every_option_of_every_game_has_a_sentence_where_a_table_is_set() -> None:
    said = (web.WEB / "src" / "i18n" / "en" / "lobby.ts").read_text("utf-8")
    for game in GAMES.values():
        explained = voice("en").sentences["browser"][game.ID]
        for option in game.OPTIONS:
            common = re.search(rf"^  option_{option.name}:\s+['\"]", said, re.MULTILINE)
            assert common or explained[f"option_{option.name}"], option.name
            assert explained[f"about_{option.name}"]


# -- How others find it ---------------------------------------------------------------------------


def test_a_qr_code_is_drawn_as_squares(server: Served) -> None:
    text = "http://192.168.1.20:8000/table/abc#invite=secret"
    drawn = httpx.post(f"{server.url}/api/qr", json={"text": text}).json()
    assert drawn == dict(zip(("size", "path"), qr_drawing(text), strict=True))
    squares = {
        (int(x) + step, int(y))
        for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", drawn["path"])
        for step in range(int(length))
    }
    corner = {(x, y) for x in range(7) for y in range(7) if x in (0, 6) or y in (0, 6)}
    assert corner <= squares
    assert (1, 1) not in squares
    assert max(max(square) for square in squares) == drawn["size"] - 1


def test_a_qr_code_of_too_much_is_refused(server: Served) -> None:
    assert httpx.post(f"{server.url}/api/qr", json={"text": "x" * 301}).status_code == 422


def test_a_server_for_this_machine_alone_has_no_address_for_others(server: Served) -> None:
    assert httpx.get(f"{server.url}/api/here").json() == {"address": None}


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        (Settings(host="127.0.0.1"), None),
        (Settings(host="192.168.7.7"), "http://192.168.7.7:8123"),
        (Settings(origin=("https://play.example.org",)), "https://play.example.org"),
    ],
)
def test_the_address_for_others_is_the_public_one(settings: Settings, address: str | None) -> None:
    assert address_for_others(settings, 8123) == address
