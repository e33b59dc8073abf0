"""Passkeys on the wire: another device comes back by one, nobody comes by one twice, and they go with their player."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import httpx
import pytest

from bullpen.server.passkeys import site_of
from bullpen.server.refused import Refused
from bullpen.server.store.passkeys import MOST
from tests.server.authenticator import Authenticator
from tests.server.running import Json, Served, checked, served
from tests.server.test_players import Device, refusal


class AtHome(Device):
    """A browser that has opened the server by a name."""

    def __init__(self, server: Served) -> None:
        super().__init__(server)
        self.origin = f"http://localhost:{server.port}"
        self.base_url = httpx.URL(f"{self.origin}/api")
        self.headers["origin"] = self.origin

    def asked(self, what: str) -> Json:
        return checked(self.post(f"/me/passkeys/{what}"))

    def passkey(self, step: int = 1) -> Authenticator:
        """A new one of this player."""
        key = Authenticator(self.origin)
        key.step = step
        credential = key.makes(self.asked("new"))
        checked_list(self.post("/me/passkeys", json={"credential": credential}))
        return key

    def comes_by(self, credential: Json) -> httpx.Response:
        return self.post("/me/passkeys/use", json={"credential": credential})


def checked_list(answer: httpx.Response) -> list[Json]:
    assert answer.is_success, answer.text
    found: list[Json] = answer.json()
    return found


def test_another_device_comes_back_by_a_passkey_and_sees_the_same_tables(server: Served) -> None:
    with AtHome(server) as anna, AtHome(server) as phone, AtHome(server) as thief:
        table = anna.table()["table"]
        key = anna.passkey(step=0)  # no counter helps against who says it again
        assert [one["number"] for one in anna.get("/me/passkeys").json()] == [1]
        assert phone.running() == []
        answer = key.signs(phone.asked("ask"))
        assert checked(phone.comes_by(answer))["name"] == "Anna"
        assert [one["table"] for one in phone.running()] == [table]
        assert anna.get("/me/passkeys").json()[0]["used"] is not None
        # The same once more, by whoever has overheard it, is nothing.
        assert refusal(phone.comes_by(answer)) == (403, "passkey_refused")
        assert refusal(thief.comes_by(answer)) == (403, "passkey_refused")
        # Nor is a new signature under the question that another device was asked.
        answer = key.signs(phone.asked("ask"))
        assert refusal(thief.comes_by(answer)) == (403, "passkey_refused")
        checked(phone.comes_by(answer))
        assert thief.player() is None


def test_a_passkey_of_another_site_another_key_or_an_old_count_is_refused(server: Served) -> None:
    with AtHome(server) as anna, AtHome(server) as phone:
        anna.table()
        key = anna.passkey()
        foreign, other = Authenticator("https://elsewhere.example"), Authenticator(anna.origin)
        for wrong in (foreign, other):
            wrong.id = key.id
        foreign.key = key.key
        for wrong in (foreign, other, Authenticator(anna.origin)):
            wrong.count = 90
            answer = wrong.signs(phone.asked("ask"))
            assert refusal(phone.comes_by(answer)) == (403, "passkey_refused")
        key.count = -1  # a copy of the authenticator, which has not signed since
        answer = key.signs(phone.asked("ask"))
        assert refusal(phone.comes_by(answer)) == (403, "passkey_refused")
        assert phone.player() is None
        # What was asked for making one is good for nothing else.
        key.count = 50
        answer = key.signs(anna.asked("new"))
        assert refusal(anna.comes_by(answer)) == (403, "passkey_refused")


@pytest.mark.parametrize(
    "credential",
    [{}, {"response": None}, {"response": {"clientDataJSON": "e30"}}, {"id": 7, "response": []}],
)
def test_whatever_is_no_passkey_is_refused_in_words(server: Served, credential: Json) -> None:
    with AtHome(server) as anna:
        anna.table()
        body = {"credential": credential}
        assert refusal(anna.comes_by(credential)) == (403, "passkey_refused")
        assert refusal(anna.post("/me/passkeys", json=body)) == (403, "passkey_refused")


def test_passkeys_are_bounded_removed_taken_along_without_keys_and_gone_with_their_player(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as server, AtHome(server) as anna, AtHome(server) as phone:
        assert refusal(anna.post("/me/passkeys/new")) == (404, "no_player")
        anna.table()
        keys = [anna.passkey() for _ in range(MOST)]
        one_more = Authenticator(anna.origin).makes(anna.asked("new"))
        answer = anna.post("/me/passkeys", json={"credential": one_more})
        assert refusal(answer) == (409, "passkey_not_kept")
        excluded = anna.asked("new")["excludeCredentials"]
        assert len(excluded) == MOST
        told = anna.get("/me/export").json()["passkeys"]
        assert [set(one) for one in told] == [{"number", "created", "used"}] * MOST
        left = checked_list(anna.delete("/me/passkeys/own/1"))
        assert [one["number"] for one in left] == list(range(2, MOST + 1))
        assert refusal(anna.delete("/me/passkeys/own/1")) == (404, "no_passkey")
        assert refusal(phone.delete("/me/passkeys/own/2")) == (404, "no_passkey")
        gone = keys[0].signs(phone.asked("ask"))
        assert refusal(phone.comes_by(gone)) == (403, "passkey_refused")
        last = keys[-1].signs(phone.asked("ask"))
        checked(anna.delete("/me"))
        assert refusal(phone.comes_by(last)) == (403, "passkey_refused")
        with sqlite3.connect(tmp_path / "tables.db") as db:
            assert db.execute("SELECT COUNT(*) FROM passkey").fetchone() == (0,)
        db.close()
        assert "Traceback" not in server.log.read_text()


def test_at_an_address_in_figures_or_without_https_there_are_none(server: Served) -> None:
    with Device(server) as anna:  # at 127.0.0.1
        anna.table()
        for what in ("new", "ask"):
            assert refusal(anna.post(f"/me/passkeys/{what}")) == (409, "passkeys_not_here")
    assert site_of("https://play.example.org:8443").host == "play.example.org"
    assert site_of("http://localhost:8000").host == "localhost"
    for origin in (
        None,
        "",
        "http://play.example.org",
        "https://192.0.2.1",
        "https://[::1]",
        "null",
    ):
        with pytest.raises(Refused):
            site_of(origin)


def test_a_passkey_works_whichever_worker_asked_and_whichever_is_answered(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_WORKERS="2") as server, AtHome(server) as anna:
        anna.table()
        key = anna.passkey()
        for _ in range(6):
            with AtHome(server) as phone:
                question = phone.asked("ask")
                phone.close()
                with AtHome(server) as same:  # on a line of its own, which any worker may get
                    same.cookies = phone.cookies
                    assert checked(same.comes_by(key.signs(question)))["name"] == "Anna"
