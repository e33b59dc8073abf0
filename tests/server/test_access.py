"""Who may do what: tokens, origins, headers."""

import re
import sqlite3
from pathlib import Path

import httpx
import pytest

from tests.server.running import Served, new_table, people, served, started_table

TABLE = {"game": "six-nimmt", "name": "Anna", "seats": people(2)}
UPGRADE = {
    "connection": "upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
}


# -- Tokens -------------------------------------------------------------------------------------


def test_a_browser_gets_its_seat_as_a_cookie_that_scripts_cannot_read(server: Served) -> None:
    origin = {"origin": server.url}
    made = httpx.post(f"{server.url}/api/tables", json=TABLE, headers=origin)
    assert made.status_code == 201
    assert made.json()["token"] is None
    table = made.json()["table"]
    cookies = {line.split("=")[0]: line for line in made.headers.get_list("set-cookie")}
    assert "HttpOnly" in cookies["seat"]
    assert "SameSite=strict" in cookies["seat"]
    assert f"Path=/api/tables/{table}" in cookies["seat"]
    seat = re.match(r"seat=([^;]+)", cookies["seat"])
    assert seat is not None
    assert len(seat[1]) >= 43  # 256 bits
    started = httpx.post(
        f"{server.url}/api/tables/{table}/start", cookies={"seat": seat[1]}, headers=origin
    )
    assert started.status_code == 200


def test_an_invitation_stands_behind_the_hash(server: Served) -> None:
    made = httpx.post(f"{server.url}/api/tables", json=TABLE).json()
    path, hash_sign, fragment = made["link"].partition("#")
    assert hash_sign
    assert made["invite"] in fragment
    assert made["invite"] not in path


def test_no_token_is_in_the_store_or_in_a_log(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_LOG="debug") as server:
        made = httpx.post(f"{server.url}/api/tables", json={**TABLE, "as": "program"}).json()
        wish = {"name": "Bo", "invite": made["invite"], "as": "program"}
        joined = httpx.post(f"{server.url}/api/tables/{made['table']}/join", json=wish).json()
        headers = {"authorization": f"Bearer {made['token']}"}
        assert httpx.post(
            f"{server.url}/api/tables/{made['table']}/start", headers=headers
        ).is_success
        httpx.get(f"{server.url}/api/tables/{made['table']}/socket", headers={**UPGRADE, **headers})
    tokens = [made["token"], made["invite"], joined["token"]]
    with sqlite3.connect(tmp_path / "tables.db") as db:
        secret = re.findall(r'"secret": ?"([0-9a-f]{64})"', "\n".join(db.iterdump()))
        kept = "\n".join(db.iterdump())
    log = (tmp_path / "log.txt").read_text()
    assert made["table"] in log
    assert secret
    for token in tokens:
        assert token not in kept
        assert token not in log
    assert secret[0] not in log


@pytest.mark.parametrize("token", ["x", "A" * 43, "Bearer", "ż" * 10, "a" * 5000, "'; --"])
def test_a_wrong_token_is_nobodys(server: Served, token: str) -> None:
    table, _ = new_table(server.url, "six-nimmt", people(2))
    headers = {b"authorization": f"Bearer {token}".encode()}
    assert httpx.post(f"{server.url}/api/tables/{table}/start", headers=headers).status_code == 403


def test_a_seat_of_one_table_is_none_of_another(server: Served) -> None:
    one, tokens = new_table(server.url, "six-nimmt", people(2))
    other, _ = new_table(server.url, "six-nimmt", people(2))
    headers = {"authorization": f"Bearer {tokens[0]}"}
    assert httpx.post(f"{server.url}/api/tables/{other}/start", headers=headers).status_code == 403
    assert httpx.post(f"{server.url}/api/tables/{one}/start", headers=headers).status_code == 200


def test_a_private_table_is_joined_by_invitation_alone(server: Served) -> None:
    made = httpx.post(f"{server.url}/api/tables", json=TABLE).json()
    address = f"{server.url}/api/tables/{made['table']}/join"
    for invite in (None, "x" * 43):
        answer = httpx.post(address, json={"name": "Bo", "invite": invite})
        assert answer.status_code == 403
        assert answer.json()["key"] == "invite_needed"
    assert httpx.post(address, json={"name": "Bo", "invite": made["invite"]}).status_code == 200


# -- Origins ------------------------------------------------------------------------------------

FOREIGN = [
    "null",
    "http://evil.example",
    "https://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "http://127.0.0.1:{port}.evil.example",
    "http://127.0.0.1:{port}@evil.example",
    "http://evil.127.0.0.1:{port}",
    "http://evil127.0.0.1:{port}",
    "http://localhost:{port}",
    "https://127.0.0.1:{port}",
    "HTTP://127.0.0.1:{port}",
    "http://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}1",
    "ws://127.0.0.1:{port}",
    "file://",
    "",
]


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("kind", ["post", "post with cookie", "socket"])
def test_foreign_pages_are_refused(server: Served, origin: str, kind: str) -> None:
    headers = {"origin": origin.format(port=server.port)}
    if kind == "post with cookie":
        headers["cookie"] = "seat=x"
    if kind == "socket":
        table, _ = started_table(server.url, "six-nimmt", people(2))
        answer = httpx.get(
            f"{server.url}/api/tables/{table}/socket", headers={**UPGRADE, **headers}
        )
    else:
        answer = httpx.post(f"{server.url}/api/tables", json=TABLE, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["key"] == "foreign_origin"


def test_a_cookie_without_an_origin_is_refused(server: Served) -> None:
    table, _ = started_table(server.url, "six-nimmt", people(2))
    cookie = {"cookie": "seat=x"}
    posted = httpx.post(f"{server.url}/api/tables/{table}/leave", headers=cookie)
    upgraded = httpx.get(f"{server.url}/api/tables/{table}/socket", headers={**UPGRADE, **cookie})
    assert (posted.status_code, upgraded.status_code) == (403, 403)


def test_the_named_origins_are_served_and_no_others(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_ORIGIN="https://play.example,https://b.example/") as server:
        for origin, status in [
            ("https://play.example", 201),
            ("https://b.example", 201),
            ("https://play.example.evil", 403),
            ("http://play.example", 403),
            (server.url, 403),
        ]:
            answer = httpx.post(f"{server.url}/api/tables", json=TABLE, headers={"origin": origin})
            assert answer.status_code == status, origin


# -- Headers ------------------------------------------------------------------------------------


def addresses(server: Served) -> list[tuple[str, str]]:
    paths = httpx.get(f"{server.url}/openapi.json").json()["paths"]
    known = [
        (method, re.sub(r"{\w+}", "x", path)) for path, ways in paths.items() for method in ways
    ]
    more = [("get", path) for path in ("/", "/api", "/no.such", "/table/abc", "/style.css")]
    return [*known, *more, ("delete", "/api/tables"), ("post", "/healthz"), ("get", "/api/x/y")]


def test_every_answer_has_the_headers_that_browsers_need(server: Served) -> None:
    asked = addresses(server)
    assert len(asked) > 20
    for method, path in asked:
        answer = httpx.request(method, server.url + path)
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.status_code < 500


def test_a_refused_socket_has_them_too(server: Served) -> None:
    answer = httpx.get(f"{server.url}/api/tables/nowhere/socket", headers=UPGRADE)
    assert answer.status_code == 404
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_metrics_are_read_by_prometheus(server: Served) -> None:
    from prometheus_client.parser import text_string_to_metric_families

    text = httpx.get(f"{server.url}/metrics").text
    families = {family.name for family in text_string_to_metric_families(text)}
    assert {"bullpen_tables", "bullpen_sockets", "bullpen_events"} <= families
