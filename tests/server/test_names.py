"""What people may be called, over the wire; each refusal says why, in both languages."""

import httpx
import pytest

from bullpen.languages import LANGUAGES
from bullpen.text import voice
from tests.server.running import Served, checked, people

EMPTY = [
    "\u3164",
    "\u2800",
    "\u115f\u1160",
    "\uffa0",
    " \u2800 ",
    "\u034f",
    "\ufe0f",
    "...",
    "\u00a0",
]
HIDDEN = [
    "a\u202eb",
    "\u2066x\u2069",
    "An\u200bna",
    "A\u00adnna",
    "x\u200dy",
    "a\x00b",
    "\ue000",
    "a\u3164",
]
STACKED = [
    "Z\u0337\u0322\u0335",
    "a\u0301\u0301\u0301",
    "\u0301Anna",
    "Anna \u0301",
    "1\u0301",
    "и\u0300\u0301\u0301",
]
MIXED = ["Аnna", "Bοb", "Ann\u0430", "ꓮꓠꓠꓮ", "ᎪᏙ", "田中Ken"]
FINE = {
    "Anna": "Anna",
    "  Łukasz   Żółć ": "Łukasz Żółć",
    "Jose\u0301": "José",
    "Ａｎｎａ": "Anna",
    "Nguyễn Thị": "Nguyễn Thị",
    "Ἀλέξανδρος": "Ἀλέξανδρος",
    "Ольга": "Ольга",
    "שרה": "שרה",
    "مُحَمَّد": "مُحَمَّد",
    "प्रिया": "प्रिया",
    "健二ケン": "健二ケン",
    "김철수": "김철수",
    "O'Neil-Smith 2": "O'Neil-Smith 2",
    "🐂": "🐂",
    "Bo ❤\ufe0f": "Bo ❤",
}  # fmt: skip
ALIKE = [
    ("Anna", "ANNA"),
    ("Anna", "Ánna"),
    ("Anna", "An na."),
    ("Bob", "B0b"),
    ("Bill", "Bi1l"),
    ("Lodz", "Łódź"),
    ("HATA", "НАТА"),  # the second one in Cyrillic
    ("TOM", "ТОМ"),
    ("ΝΙΚΟΣ", "Νίκος"),
    ("Bella", "ʙᴇʟʟᴀ"),
    ("राम", "राम"),
]
DIFFERENT = [("Anna", "Anne"), ("P1", "P2"), ("राम", "रीम"), ("か", "が"), ("Bo", "Bo 2")]


def table_of(server: Served, name: str, **wishes: object) -> httpx.Response:
    wish = {"game": "six-nimmt", "name": name, "seats": people(2), "listed": True, **wishes}
    return httpx.post(f"{server.url}/api/tables", json=wish)


def joined(server: Served, table: str, name: str) -> httpx.Response:
    return httpx.post(f"{server.url}/api/tables/{table}/join", json={"name": name})


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((name, ("name_empty", "name_hidden")) for name in EMPTY),
        *((name, ("name_hidden",)) for name in HIDDEN),
        *((name, ("name_marks",)) for name in STACKED),
        *((name, ("name_scripts",)) for name in MIXED),
        ("ﷺ" * 2, ("name_long",)),
    ],
)
def test_a_name_that_cannot_be_read_is_refused(
    server: Served, name: str, key: tuple[str, ...]
) -> None:
    answer = table_of(server, name)
    assert answer.status_code == 422
    assert answer.json()["key"] in key
    table = checked(table_of(server, "Anna"))["table"]
    assert joined(server, table, name).json()["key"] in key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_name_is_explained_in_the_language_of_the_reader(
    server: Served, language: str
) -> None:
    wish = {"game": "six-nimmt", "name": "Аnna", "seats": people(2)}
    answer = httpx.post(f"{server.url}/api/tables?lang={language}", json=wish)
    told = voice(language).sentences["problems"]["name_scripts"]
    assert answer.json()["message"].lower() == told.lower()


@pytest.mark.parametrize("name", FINE)
def test_a_name_of_any_language_is_shown_tidily(server: Served, name: str) -> None:
    table = checked(table_of(server, name))["table"]
    lobby = checked(httpx.get(f"{server.url}/api/tables/{table}"))["lobby"]
    assert lobby["seats"][0]["name"] == FINE[name]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_two_at_a_table_have_names_that_can_be_told_apart(
    server: Served, one: str, other: str
) -> None:
    for first, second in ((one, other), (other, one)):
        table = checked(table_of(server, first))["table"]
        answer = joined(server, table, second)
        assert (answer.status_code, answer.json()["key"]) == (409, "name_taken")


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_differ_sit_at_one_table(server: Served, one: str, other: str) -> None:
    table = checked(table_of(server, one))["table"]
    assert joined(server, table, other).status_code == 200


def test_nobody_is_called_like_a_bot_at_the_table(server: Served) -> None:
    seats = people(2, bots=2)
    made = checked(table_of(server, "Be11a", seats=seats))
    address = f"{server.url}/api/tables/{made['table']}"
    names = [seat["name"] for seat in checked(httpx.get(address))["lobby"]["seats"]]
    assert "Bella" not in names
    answer = joined(server, made["table"], names[-1].upper())
    assert answer.json()["key"] == "name_taken"
