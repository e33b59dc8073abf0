"""A decent place: what hosts, players and the operator can do about words, names and people; and none of it in a log."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bullpen.cli import main
from bullpen.server.store.decency import MOST_REPORTS
from bullpen.server.words import Words
from tests.patience import until
from tests.server.running import Json, Served, checked, seated, served
from tests.server.test_clubs import invite_of, joined, new_club
from tests.server.test_players import Device, devices, refusal
from tests.server.test_tournaments import ask, look, new_tournament


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ox"], "OX!"),
        (["ox"], "you o-x"),
        (["ox"], "0X"),
        (["ox"], "ох"),  # Cyrillic
        (["ox"], "Öx"),
        (["bull*"], "bullish"),
        (["*bull"], "a pitbull"),
        (["*bull*"], "a-p.i.t.b u l l-fight"),
        (["Kuh"], "so eine KÚH …"),
    ],
)
def test_a_refused_word_is_found_however_it_is_dressed_up(words: list[str], said: str) -> None:
    if said == "you o-x":  # across words only what is asked for
        words = ["*ox"]
    assert Words(words).refuses(said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ox"], "foxes"),
        (["ox"], "box office"),
        (["bull*"], "a pitbull"),
        ([], "ox"),
        (["*"], "ox"),
    ],
)
def test_a_word_inside_another_one_is_none(words: list[str], said: str) -> None:
    assert not Words(words).refuses(said)


# -- At a table ---------------------------------------------------------------------------------


def two(anna: Device, bert: Device, name: str = "Bert") -> str:
    """A table with both."""
    made = anna.table(bots=0, others=1)
    table: str = made["table"]
    checked(bert.post(f"/tables/{table}/join", json={"name": name, "invite": made["invite"]}))
    return table


def say(server: Served, one: Device, table: str, *said: Json) -> list[Json]:
    """What comes back for each: a line of chat, or why not."""

    async def talk() -> list[Json]:
        answers = []
        async with seated(server.url, table, one.seat_token(table)) as at_table:
            for message in said:
                await at_table.say(type="chat", **message)
                while (answer := await at_table.hear())["type"] not in ("chat", "error"):
                    pass
                answers.append(answer)
        return answers

    return asyncio.run(talk())


def keys(answers: list[Json]) -> list[str]:
    return [str(one.get("key", one["type"])) for one in answers]


def test_a_host_leaves_phrases_or_nothing_and_refuses_words_of_their_own(patient: Served) -> None:
    words, phrase = {"text": "Good OX game"}, {"phrase": "hello"}
    with devices(patient, 2) as (anna, bert):
        table = two(anna, bert)
        assert keys(say(patient, bert, table, words, phrase)) == ["chat", "chat"]
        talk = f"/tables/{table}/talk"
        assert refusal(bert.post(talk, json={"talk": "off"})) == (403, "only_the_host")
        checked(anna.post(talk, json={"refused": ["ox"]}))
        assert keys(say(patient, bert, table, words, {"text": "good"})) == [
            "chat_refused_here",
            "chat",
        ]
        checked(anna.post(talk, json={"talk": "phrases"}))
        assert keys(say(patient, bert, table, words, phrase)) == ["chat_phrases", "chat"]
        checked(anna.post(talk, json={"talk": "off"}))
        assert keys(say(patient, bert, table, words, phrase)) == ["chat_off", "chat_off"]
        shown = checked(bert.get(f"/tables/{table}"))
        assert shown["lobby"]["talk"] == "off"
        assert "ox" not in str(shown["lobby"])  # the host's words are the host's
        checked(anna.post(talk, json={"talk": "free"}))
        assert keys(say(patient, bert, table, words)) == ["chat_refused_here"]
        checked(anna.post(talk, json={"refused": []}))
        assert keys(say(patient, bert, table, words)) == ["chat"]
        assert refusal(anna.post(talk, json={"talk": "loud"})) == (422, "bad_request")


def test_the_operators_words_are_refused_in_names_and_chat_and_read_again_when_they_change(
    tmp_path: Path,
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# of this house\n*rind*\n", "utf-8")
    with served(tmp_path, BULLPEN_REFUSED_WORDS=str(words)) as server, devices(server, 2) as both:
        anna, bert = both
        body = {"name": "R1ndvieh", "colour": 1, "language": "en"}
        assert refusal(anna.put("/me", json=body)) == (422, "name_refused")
        wish = {"game": "six-nimmt", "name": "rind", "seats": [{"kind": "person"}] * 2}
        for kind in ("person", "program"):
            answer = anna.post("/tables", json={**wish, "as": kind})
            assert refusal(answer) == (422, "name_refused")
        table = two(anna, bert)
        assert keys(say(server, bert, table, {"text": "Rind!"}, {"text": "Kalb"})) == [
            "chat_refused",
            "chat",
        ]
        words.write_text("kalb\n", "utf-8")
        until(lambda: keys(say(server, bert, table, {"text": "Kalb"})) == ["chat_refused"])
        assert keys(say(server, bert, table, {"text": "Rind!"})) == ["chat"]
        words.unlink()
        assert server.end() == 0
        server.settings["BULLPEN_REFUSED_WORDS"] = str(tmp_path / "none.txt")
        with pytest.raises(AssertionError, match="refused_words_file"):
            server.start()


def test_a_report_goes_with_what_was_said_is_bounded_and_nobody_else_hears_of_it(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        table = two(anna, bert)
        say(server, bert, table, {"text": "You cow"}, {"phrase": "hello"})
        path, wish = f"/tables/{table}/report", {"seat": 1, "about": "chat", "note": "rude"}
        for _ in range(2):  # a second time changes nothing
            told = checked(anna.post(path, json=wish))
            assert (told["lines"], told["days"]) == (2, 90)
        assert refusal(anna.post(path, json={**wish, "seat": 0})) == (409, "report_nobody")
        assert refusal(anna.post(path, json={**wish, "seat": 9})) == (409, "report_nobody")
        with Device(server) as stranger:
            assert refusal(stranger.post(path, json=wish)) == (403, "not_your_seat")
        assert reports(tmp_path) == [("chat", "Bert", "rude")]
        (mine,) = anna.get("/me/export").json()["reports"]
        assert (mine["name"], mine["note"]) == ("Bert", "rude")
        theirs = bert.get("/me/export").json()
        assert (theirs["reports"], theirs["reports_about_you"]) == ([], 1)
        assert "rude" not in str(theirs)
        for number in range(MOST_REPORTS - 1):
            other = two(anna, bert)
            wish["note"] = str(number)
            checked(anna.post(f"/tables/{other}/report", json=wish))
        last = two(anna, bert)
        answer = anna.post(f"/tables/{last}/report", json=wish)
        assert refusal(answer) == (429, "too_many_reports")
        checked(anna.delete("/me"))  # who reported is forgotten, what was said is not
        assert len(reports(tmp_path)) == MOST_REPORTS
        checked(bert.delete("/me"))
        assert reports(tmp_path) == []


def reports(folder: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(folder / "tables.db") as db:
        rows = db.execute("SELECT about, name, note FROM report ORDER BY time").fetchall()
    db.close()
    return rows


# -- The operator -------------------------------------------------------------------------------


class Operator:
    """In a terminal of their own, beside a running server."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.db, self.capsys = f"sqlite:///{folder}/tables.db", capsys

    def says(self, *words: str) -> str:
        self.capsys.readouterr()
        assert main(["people", "--db", self.db, "--lang", "en", *words]) == 0
        return self.capsys.readouterr().out

    def is_refused(self, *words: str) -> str:
        self.capsys.readouterr()
        assert main(["people", "--db", self.db, "--lang", "en", *words]) == 2
        return self.capsys.readouterr().err

    def id_of(self, name: str) -> str:
        return self.says("find", name).split()[0]


def test_an_operator_silences_renames_and_deletes_beside_a_running_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    operator = Operator(tmp_path, capsys)
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        table = two(anna, bert, "Rüpel")
        say(server, bert, table, {"text": "grrr"})
        who = operator.id_of("rupel")
        shown = operator.says("show", who)
        assert table in shown
        assert bert.secret() not in shown

        operator.says("silence", who, "--hours", "1")
        said = say(server, bert, table, {"text": "grrr"}, {"phrase": "hello"})
        assert keys(said) == ["silenced", "chat"]
        assert "silenced until" in operator.says("show", who)
        body = {"name": "Lamm", "colour": 1, "language": "en"}
        assert refusal(bert.put("/me", json=body)) == (403, "silenced_name")
        checked(bert.put("/me", json={**body, "name": "Rüpel"}))
        operator.says("silence", who, "--hours", "0")
        assert keys(say(server, bert, table, {"text": "grrr"})) == ["chat"]

        operator.says("rename", who, "Gast 1")
        until(lambda: names(anna, table) == ["Anna", "Gast 1"])
        (line, *_) = say(server, bert, table, {"text": "me"})
        assert line["name"] == "Gast 1"
        with sqlite3.connect(tmp_path / "tables.db") as db:
            assert db.execute("SELECT DISTINCT name FROM chat").fetchall() == [("Gast 1",)]
        db.close()
        assert refusal(bert.put("/me", json={**body, "name": "Rupel"})) == (403, "name_refused")
        checked(bert.put("/me", json={**body, "name": "Lamm"}))

        assert "Would delete Lamm" in operator.says("delete", who)
        assert (bert.player() or {})["name"] == "Lamm"
        operator.says("delete", who, "--yes")
        assert bert.player() is None
        until(lambda: names(anna, table) == ["Anna", ""])  # before the start the seat is free
        assert "Nobody" in operator.says("find", "Lamm")
        assert "Traceback" not in server.log.read_text()


def test_a_table_that_sleeps_gets_the_new_name_when_a_server_looks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    operator = Operator(tmp_path, capsys)
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        table = two(anna, bert, "Rowdy")
        checked(anna.post(f"/tables/{table}/start", json={}))
        server.end()
        operator.says("rename", operator.id_of("Rowdy"), "Gast 2")
        server.start()
        until(lambda: names(anna, table) == ["Anna", "Gast 2"])


def test_nobody_gets_round_an_operators_word_by_a_club(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    operator = Operator(tmp_path, capsys)
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        club = new_club(anna, player="Anna")
        own = new_club(bert, player="Rowdy")
        joined(bert, club)
        tournament = new_tournament(anna, club)
        checked(ask(bert, tournament, "enter"))
        who = operator.id_of("Rowdy")

        operator.says("silence", who, "--hours", "1")
        path, wish = f"/clubs/{own['club']}", {"name": "Grrr"}
        assert refusal(bert.put(path, json=wish)) == (403, "silenced")
        assert refusal(bert.post("/clubs", json=wish)) == (403, "silenced")
        other = {"invite": invite_of(club), "player": "Lamm"}
        refused = bert.post(f"/clubs/{club['club']}/join", json=other)
        assert refusal(refused) == (403, "silenced_name")
        operator.says("silence", who, "--hours", "0")

        operator.says("rename", who, "Gast 1")
        refused = bert.post("/clubs", json={"name": "Meiner", "player": "Rowdy"})
        assert refusal(refused) == (403, "name_refused")
        entrants = look(anna, tournament)["entrants"]
        assert "Gast 1" in [one["name"] for one in entrants]
        assert "Rowdy" not in str(checked(anna.get(f"/clubs/{club['club']}")))


def names(one: Device, table: str) -> list[str]:
    seats = checked(one.get(f"/tables/{table}"))["lobby"]["seats"]
    return [seat["name"] for seat in seats]


def test_reports_are_read_and_closed_and_what_is_typed_wrongly_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    operator = Operator(tmp_path, capsys)
    with served(tmp_path) as server, devices(server, 2) as (anna, bert):
        table = two(anna, bert)
        say(server, bert, table, {"text": "You cow"})
        assert "no reports" in operator.says("reports")
        wish = {"seat": 1, "about": "chat", "note": "every evening"}
        checked(anna.post(f"/tables/{table}/report", json=wish))
        told = operator.says("reports")
        for part in (table, "about what Bert said", "every evening", "| Bert: You cow"):
            assert part in told
        number = told.split()[0]
        assert "You cow" in operator.says("show", operator.id_of("Bert"))
        operator.says("close", number)
        assert "no reports" in operator.says("reports")
        assert "There is no report" in operator.is_refused("close", number)
    assert "There is no player" in operator.is_refused("show", "nobody")
    assert "nothing that bullpen people does" in operator.is_refused("hug", "Bert")
    assert "needs to know" in operator.is_refused("find")
    assert "for how long" in operator.is_refused("silence", operator.id_of("Bert"))
    assert "not a number of hours" in operator.is_refused("silence", "x", "--hours", "-1")
    assert "new name is missing" in operator.is_refused("rename", operator.id_of("Bert"))


def test_names_words_reports_and_addresses_stand_in_no_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("zzverboten\n", "utf-8")
    settings = {"BULLPEN_REFUSED_WORDS": str(words), "BULLPEN_LOG": "debug"}
    operator = Operator(tmp_path, capsys)
    with served(tmp_path, **settings) as server, devices(server, 2) as (anna, bert):
        table = two(anna, bert, "Zzbertold")
        say(server, bert, table, {"text": "zzgesagt"}, {"text": "zzverboten"})
        wish = {"seat": 1, "about": "name", "note": "zznotiz"}
        checked(anna.post(f"/tables/{table}/report", json=wish))
        checked(anna.post(f"/tables/{table}/talk", json={"refused": ["zzwirt"]}))
        anna.put("/me", json={"name": "zzverboten", "colour": 1, "language": "en"})
        who = operator.id_of("Zzbertold")
        operator.says("silence", who, "--hours", "2")
        say(server, bert, table, {"text": "zzstill"})
        operator.says("rename", who, "Zzneu")
        until(lambda: "Zzneu" in names(anna, table))
        operator.says("delete", who, "--yes")
        until(lambda: "Zzneu" not in names(anna, table))
    log = server.log.read_text()
    assert table in log  # something is
    for private in ("zz", "Zz", '127.0.0.1"', "Anna", who, bert.secret()):
        assert private not in log.replace('"host": "127.0.0.1"', ""), private
