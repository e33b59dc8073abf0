"""Web push: the right words for the right people, one a table until they come, and nothing hidden in it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from bullpen.server import web_push
from bullpen.server.endpoints import Forbidden, Reach
from tests.patience import until
from tests.push_service import PushService, from_text, push_service
from tests.server.running import RUN, Served, checked, seated, served
from tests.server.test_players import Device, devices, refusal

DAY = 86_400.0
SHORT = {"rounds": 1, "deck": "tactical"}
AT_ONCE = """
from bullpen.server import pushes
pushes.PAUSES = (0.01, 0.01)
"""


def with_pushes(folder: Path, **settings: str) -> Served:
    wished = {"BULLPEN_PUSH_LOCAL": "yes", "BULLPEN_PUSH_CONTACT": "mailto:op@example.org"}
    return served(folder, AT_ONCE + RUN, BULLPEN_SLEEP_SECONDS="0", **wished, **settings)


class Game:
    """Anna and Bert at a table over days: Anna is told nothing, Bert on his phone."""

    def __init__(self, server: Served, service: PushService, language: str = "en") -> None:
        self.server, self.service = server, service
        self.anna, self.bert = Device(server), Device(server)
        made = self.anna.table(bots=0, others=1, clock=3 * DAY)
        self.table: str = made["table"]
        wish = {"name": "Bert", "invite": made["invite"]}
        joined = self.bert.post(f"/tables/{self.table}/join?lang={language}", json=wish)
        checked(joined)

    def subscribe(self, who: Device) -> str:
        """The name of the browser at the service."""
        wish = self.service.subscription()
        assert checked(who.put("/push", json=wish))["subscribed"]
        return str(wish["endpoint"]).rpartition("/")[2]

    def start(self) -> None:
        checked(self.anna.post(f"/tables/{self.table}/start", json={}))

    def waits_for(self) -> list[int]:
        (one,) = self.anna.running()
        found: list[int] = one["waiting"]
        return found

    def decide(self, seat: int) -> None:
        """Come, decide and go."""
        who = (self.anna, self.bert)[seat]

        async def come() -> None:
            token = who.seat_token(self.table)
            async with seated(self.server.url, self.table, token) as player:
                while player.question is None:
                    await player.hear()
                assert (await player.move())["type"] == "accepted"

        asyncio.run(come())


@contextmanager
def a_game(server: Served, service: PushService, language: str = "en") -> Iterator[Game]:
    game = Game(server, service, language)
    with closing(game.anna), closing(game.bert):
        yield game


def book(folder: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "tables.db", timeout=60)) as store:
        return store.execute(sql, values).fetchall()


def notices(folder: Path, table: str) -> list[str]:
    sql = "SELECT notice FROM deadline WHERE table_id = ? ORDER BY seat"
    return [notice for (notice,) in book(folder, sql, table)]


def test_a_push_says_whose_turn_it_is_in_their_language_and_nothing_hidden(tmp_path: Path) -> None:
    with (
        with_pushes(tmp_path) as server,
        push_service() as service,
        a_game(server, service, language="de") as game,
    ):
        key = checked(game.bert.get("/push"))["key"]
        browser = game.subscribe(game.bert)
        game.start()
        (push,) = until(lambda: service.arrived)
        assert push.browser == browser
        assert push.text == {
            "title": "Du bist am Zug",
            "body": "6 nimmt! mit Anna: noch 3 Tage.",
            "table": game.table,
        }
        assert push.key == key
        assert push.claims["sub"] == "mailto:op@example.org"
        assert 2 * DAY < int(push.headers["ttl"]) <= 3 * DAY
        said = json.dumps([push.text, push.headers, push.claims])
        for secret in (game.bert.secret(), game.bert.seat_token(game.table)):
            assert secret not in said
        assert game.table not in json.dumps(push.headers)
        log = server.log.read_text()
    assert browser not in log
    assert "Traceback" not in log


def test_there_is_one_push_a_table_until_the_player_comes(tmp_path: Path) -> None:
    with (
        with_pushes(tmp_path) as server,
        push_service() as service,
        a_game(server, service) as game,
    ):
        game.subscribe(game.bert)
        game.start()
        until(lambda: service.arrived)
        # Whatever happens at the table meanwhile, and whoever starts the server anew: he knows.
        game.decide(0)
        server.end()
        server.start()
        until(lambda: notices(tmp_path, game.table)[1] == "told")
        assert len(service.arrived) == 1
        # He comes, decides and goes; when it is his turn again, he is told again.
        game.decide(1)
        assert notices(tmp_path, game.table)[1] == "seen"
        while notices(tmp_path, game.table)[1] == "seen":  # he was there when he was asked
            game.decide(1 if 1 in game.waits_for() else 0)
        until(lambda: len(service.arrived) == 2)
        assert {push.text["table"] for push in service.arrived} == {game.table}
        assert {push.headers["topic"] for push in service.arrived} == {
            service.arrived[0].headers["topic"]
        }


def test_who_is_at_the_table_is_not_told(tmp_path: Path) -> None:
    with (
        with_pushes(tmp_path) as server,
        push_service() as service,
        a_game(server, service) as game,
    ):
        game.subscribe(game.bert)
        told = game.subscribe(game.anna)

        async def stay() -> None:
            token = game.bert.seat_token(game.table)
            async with seated(server.url, game.table, token) as bert:
                await asyncio.to_thread(game.start)
                while bert.question is None:
                    await bert.hear()
                # Anna, who is away, is told; by then everybody has been looked at.
                await asyncio.to_thread(until, lambda: service.arrived)

        asyncio.run(stay())
        assert [push.browser for push in service.arrived] == [told]
        assert notices(tmp_path, game.table) == ["told", "seen"]


def test_all_devices_of_a_player_are_told_but_not_those_that_were_switched_off(
    tmp_path: Path,
) -> None:
    with (
        with_pushes(tmp_path) as server,
        push_service() as service,
        a_game(server, service) as game,
        devices(server, 2) as (tablet, laptop),
    ):
        told_on(game, game.bert, tablet, laptop)


def told_on(game: Game, phone: Device, tablet: Device, laptop: Device) -> None:
    service = game.service
    for other in (tablet, laptop):
        checked(other.use(phone.code()))
    names = [game.subscribe(one) for one in (phone, tablet, laptop)]
    off = checked(tablet.delete("/push"))
    assert not off["subscribed"]
    assert not checked(tablet.get("/push"))["subscribed"]
    assert checked(laptop.get("/push"))["subscribed"]
    exported = phone.get("/me/export").json()["pushes"]
    assert len(exported) == 2
    assert not any(name in json.dumps(exported) for name in names)
    game.start()
    until(lambda: len(service.arrived) == 2)
    assert {push.browser for push in service.arrived} == {names[0], names[2]}


def test_who_is_deleted_is_told_nothing_and_leaves_no_address(tmp_path: Path) -> None:
    with (
        with_pushes(tmp_path) as server,
        push_service() as service,
        a_game(server, service) as game,
    ):
        game.subscribe(game.bert)
        told = game.subscribe(game.anna)
        checked(game.bert.delete("/me"))
        assert book(tmp_path, "SELECT COUNT(*) FROM push_subscription") == [(1,)]
        assert refusal(game.bert.put("/push", json=service.subscription())) == (404, "no_player")
        game.start()
        until(lambda: service.arrived)
        assert {push.browser for push in service.arrived} == {told}


@pytest.mark.parametrize("status", [404, 410])
def test_an_address_that_its_service_does_not_know_any_more_is_forgotten(
    tmp_path: Path, status: int
) -> None:
    with (
        with_pushes(tmp_path) as server,
        push_service() as service,
        a_game(server, service) as game,
    ):
        game.subscribe(game.bert)
        service.answers = [status]
        game.start()
        until(lambda: not book(tmp_path, "SELECT 1 FROM push_subscription"))
        assert len(service.calls) == 1
        assert not service.arrived
        assert not checked(game.bert.get("/push"))["subscribed"]


def test_a_service_that_cannot_take_it_now_is_asked_again(tmp_path: Path) -> None:
    with (
        with_pushes(tmp_path) as server,
        push_service() as service,
        a_game(server, service) as game,
    ):
        game.subscribe(game.bert)
        service.answers = [503, 429]
        game.start()
        until(lambda: service.arrived)
        assert len(service.calls) == 3
        assert book(tmp_path, "SELECT COUNT(*) FROM push_subscription") == [(1,)]


def test_two_processes_send_one_push_with_one_key(tmp_path: Path) -> None:
    with (
        with_pushes(tmp_path, BULLPEN_WORKERS="2") as server,
        push_service() as service,
        ExitStack() as stack,
    ):
        games = [stack.enter_context(a_game(server, service)) for _ in range(4)]
        names = []
        for game in games:
            names.append(game.subscribe(game.bert))
            game.start()
        until(lambda: len(service.arrived) >= len(games))
        assert sorted(push.browser for push in service.arrived) == sorted(names)
        assert len({push.key for push in service.arrived}) == 1


# -- Whom we call -------------------------------------------------------------------------------

INSIDE = (
    "http://push.example.org/x",
    "https://127.0.0.1/x",
    "https://10.1.2.3/x",
    "https://192.168.1.1:8443/x",
    "https://169.254.169.254/latest",
    "https://100.64.0.1/x",
    "https://0.0.0.0/x",
    "https://[::1]/x",
    "https://[fd00::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://user@push.example.org/x",
    "https://user:word@push.example.org/x",
    "https:///x",
    "https://push.example.org:99999/x",
    "https://push.example.org/x y",
    "https://push.example.org/\r\nx: y",
    "https://püsh.example.org/x",
    "ftp://push.example.org/x",
    "file:///etc/passwd",
    "",
)


@pytest.mark.parametrize("endpoint", INSIDE)
def test_no_browser_makes_the_server_call_its_own_network(server: Served, endpoint: str) -> None:
    with Device(server) as anna:
        anna.table()
        keys = {"p256dh": "x", "auth": "x"}
        answer = anna.put("/push", json={"endpoint": endpoint, "keys": keys})
        assert refusal(answer) == (422, "push_address")


def test_a_name_that_leads_into_our_own_network_is_not_called() -> None:
    """What was checked is what is called: the name is looked up once."""
    outside = Reach(local=False)

    async def found() -> str:
        return await outside.found(outside.read("https://localhost/x"))

    with pytest.raises(Forbidden):
        asyncio.run(found())


def test_the_keys_of_a_subscription_are_checked(server: Served) -> None:
    with Device(server) as anna:
        anna.table()
        for p256dh, auth in (("x", "y"), ("B" + "A" * 86, "A" * 22), ("é", "A" * 22), ("", "")):
            wish = {
                "endpoint": "https://push.example.org/x",
                "keys": {"p256dh": p256dh, "auth": auth},
            }
            assert refusal(anna.put("/push", json=wish)) == (422, "push_keys")


def test_who_never_played_here_cannot_subscribe(server: Served) -> None:
    own = ec.generate_private_key(ec.SECP256R1()).public_key()
    keys = {"p256dh": web_push.packed(web_push.point_of(own)), "auth": web_push.packed(b"a" * 16)}
    wish = {"endpoint": "https://push.example.org/x", "keys": keys}
    answer = httpx.put(f"{server.url}/api/push", json=wish, headers={"origin": server.url})
    assert refusal(answer) == (404, "no_player")


def test_the_example_of_the_standard_is_encrypted_to_the_same_bytes() -> None:
    """RFC 8291, appendix A."""
    text = b"When I grow up, I want to be a watermelon"
    number = int.from_bytes(from_text("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    own = ec.derive_private_key(number, ec.SECP256R1())
    to = web_push.receiver(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    sealed = web_push.sealed(text, to, own, from_text("DGv6ra1nlYgDCS1FRnbzlw"))
    assert web_push.packed(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
