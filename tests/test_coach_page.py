"""What the coach says and draws, in both languages, at the command line and on a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from bullpen.cli import main
from bullpen.coach import wording
from bullpen.coach.hint import hint
from bullpen.coach.page import page
from bullpen.coach.pictures import cards_of
from bullpen.coach.review import Review, review
from bullpen.game import OptionValue
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.match import Match
from bullpen.phrases import phrases
from bullpen.record import save
from bullpen.text import voice
from tests.games import bullenparty, eleven_nimmt, hornochsen, six_nimmt
from tests.tables import table
from tests.terminal_session import at_first_prompt
from tests.test_cli import one_line
from tests.test_coach import DEAR_ROW, PLAYOUTS, SETUPS, each_setup, played

NASTY = "<b>&\"'"  # a name that would be markup


def reviewed(game: str, seats: int, options: dict[str, OptionValue]) -> Review:
    match = played(game, seats, options)
    match.names = [f"{NASTY} {seat}" for seat in range(seats)]
    return review(match, playouts=PLAYOUTS)


# -- The page ---------------------------------------------------------------------------------


@each_setup
def test_the_page_is_well_formed_and_needs_nothing_else(
    game: str, seats: int, options: dict[str, OptionValue]
) -> None:
    found = reviewed(game, seats, options)
    for language in LANGUAGES:
        text = page(voice(language), found)
        root = ET.fromstring(text.removeprefix("<!DOCTYPE html>"))
        assert root.get("lang") == language
        assert not re.search(r"https?:|//|@import|url\(|<script|<link|<iframe|<img", text)
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        for element in root.iter():
            assert element.get("href", "#bull") == "#bull"
            assert set((element.get("aria-labelledby") or "").split()) <= ids
            if element.tag == "svg" and element.get("aria-hidden") != "true":
                (title,) = element.findall("title")
                assert title.text
            if element.tag == "table":
                assert element.find("thead") is not None
            if element.tag == "th":
                assert element.get("scope") in ("row", "col")
        said = " ".join(root.itertext())
        assert NASTY in said
        assert not re.search(r"\{\w+\}|None|\bnan\b", said)


def test_what_a_move_costs_on_the_page_goes_with_the_lead_beside_it() -> None:
    found = reviewed("six-nimmt", 3, {"rounds": 2})
    root = ET.fromstring(page(voice("en"), found).removeprefix("<!DOCTYPE html>"))
    moments = [part for part in root.iter("div") if part.get("class") == "moment"]
    assert moments
    for moment in moments:
        rows = [[cell.text or "" for cell in row.findall("td")] for row in moment.iter("tr")]
        costs = [float(row[1].split(" ")[0]) for row in rows if len(row) == 2 and row[1]]
        assert costs == sorted(costs)


def test_the_page_draws_the_worst_moments_with_the_cards_of_both_moves() -> None:
    found = reviewed("six-nimmt", 3, {"rounds": 2})
    worst = found.worst(1)[0]
    root = ET.fromstring(page(voice("en"), found).removeprefix("<!DOCTYPE html>"))
    moment = next(part for part in root.iter("div") if part.get("class") == "moment")
    cards = [part for part in moment.iter("svg") if (part.get("class") or "").startswith("card")]
    framed = {
        kind: {one.findtext("text") for one in cards if f"is-{kind}" in (one.get("class") or "")}
        for kind in ("best", "chosen")
    }
    for kind, move in (("best", worst.best), ("chosen", worst.move)):
        assert worst.view is not None
        assert {str(card) for card in cards_of(found.game, worst.view, move)} == framed[kind]
    assert {part.text for part in moment.iter("code")} >= {worst.best, worst.move}


ROWS = "row 1: 6\nrow 2: 7 9\nrow 3: 80\nrow 4: 90\nhand 0: 5 43\nhand 1: 8 44"
STACKS = "stack 1: 20 31\nstack 2: 46\nhand 0: 36 98\nhand 1: 2 3\ndraw: 50 51 52 53"
RING = "row 1: 10 12\nrow 2: 35\nhand 0: 43 x2 +5\nhand 1: 44 x2 +5"
BIDS = "row 1: 1 8\nrow 2: 7 9\ndraw: 31 32 33\nhand 0: 41 A\nhand 1: 51 B"


@pytest.mark.parametrize(
    ("game", "drawing", "fields", "move", "cards"),
    [
        (six_nimmt, ROWS, {}, "play 43", [43]),
        (
            six_nimmt,
            ROWS.replace("5 43", "43\nlaid 0: 5"),
            {"phase": six_nimmt.rules.TAKING},
            "row 2",
            [7, 9],
        ),
        (eleven_nimmt, STACKS, {}, "play 36 on 31", [36, 31]),
        (eleven_nimmt, STACKS.replace("36", "97"), {}, "take 46", [46]),
        (hornochsen, RING, {}, "play 43", [43]),
        (hornochsen, RING, {}, "x2 on 35", [hornochsen.rules.X2, 35]),
        (hornochsen, RING, {"played": 1}, "stop", []),
        (bullenparty, BIDS, {}, "bid 41", [41]),
        (bullenparty, BIDS, {}, "bid 0", [bullenparty.rules.ZEROS[0]]),
    ],
)
def test_the_cards_of_a_move_are_those_it_is_about(
    game: Any, drawing: str, fields: dict[str, Any], move: str, cards: list[int]
) -> None:
    t = table(game, drawing, **fields)
    assert move in [game.NOTATION[action] for action in game.legal(t, 0)]
    assert cards_of(game, game.view(t, 0), move) == cards


# -- Sentences --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_names_the_best_move_what_it_brings_and_the_worst(language: str) -> None:
    t = table(six_nimmt, DEAR_ROW, phase=six_nimmt.rules.TAKING, actor=0)
    found = hint(six_nimmt, six_nimmt.view(t, 0), 800, 0)
    said = " ".join(wording.advice(voice(language), six_nimmt, found))
    best, worst = (f"`{voice(language).typed(move)}`" for move in ("row 2", "row 1"))
    assert best in said
    assert worst in said.partition(best)[2]
    assert wording.decimal(voice(language), found.candidates[-1].behind) in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_that_cannot_be_told_apart_are_called_equal(language: str) -> None:
    drawing = "row 1: 1\nrow 2: 2\nrow 3: 3\nrow 4: 4\nhand 0: 50 51 52 53 54\nhand 1: 6 7 8 9 10"
    t = table(six_nimmt, drawing)
    found = hint(six_nimmt, six_nimmt.view(t, 0), 50, 0)
    assert found.as_good
    said = wording.advice(voice(language), six_nimmt, found)[0]
    assert f"`{voice(language).typed(found.best)}`" in said
    assert f"`{voice(language).typed(found.as_good[0])}`" in said


def test_numbers_are_written_as_the_language_does() -> None:
    en, pl = voice("en"), voice("pl")
    assert (wording.signed(en, 1.25), wording.signed(pl, -1.26)) == ("+1.2", "-1,3")
    assert wording.signed(en, -0.01) == "0.0"


# -- Commands ---------------------------------------------------------------------------------


@pytest.fixture
def running(tmp_path: Path) -> Path:
    save(played("six-nimmt", 3, {"rounds": 1}, moves=12), tmp_path / "running.json")
    return tmp_path / "running.json"


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    save(played("six-nimmt", 3, {"rounds": 1}), tmp_path / "finished.json")
    return tmp_path / "finished.json"


def few(*words: str | Path) -> list[str]:
    return [*map(str, words), "--playouts", str(PLAYOUTS)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_for_a_saved_game_is_told(
    language: str, running: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(few("hint", running, "--lang", language)) == 0
    told = capsys.readouterr().out
    assert "seat 2" in told  # its card was too low
    assert f"`{voice(language).typed('row 1')}`" in told
    assert voice(language).say("coach.why.takes_always", tables=0, heads="")[:12] in told  # why
    assert main(few("hint", running, "--seat", "2", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["seat"] == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_told_written_and_drawn(
    language: str, finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "review.html"
    assert main(few("review", finished, "--html", out, "--lang", language)) == 0
    told = capsys.readouterr()
    assert str(out) in told.err.replace("\n", "")
    for key in ("summary", "chart", "verdicts", "worst"):
        assert voice(language).say(f"coach.review.{key}") in told.out
    assert max(map(len, told.out.splitlines())) <= 88
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert main(few("review", finished, "--json", "--seat", "1", "--jobs", "1")) == 0
    assert {one["seat"] for one in json.loads(capsys.readouterr().out)["decisions"]} == {1}


def test_a_review_of_a_running_game_says_that_it_shows_hidden_cards(
    running: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(few("review", running)) == 0
    assert voice("en").say("coach.review.unfinished").split(".")[0] in capsys.readouterr().out


BAD = {
    "hint": "FILE",
    "hint nowhere.json": "cannot be read",
    "hint finished.json": "over",
    "hint running.json --seat 9": "seat",
    "hint running.json --playouts 0": "1 or more",
    "hint running.json --playouts 9999999999": "at most 1000000",
    "hint running.json --seed x": "whole number",
    "review": "FILE",
    "review nowhere.json": "cannot be read",
    "review broken.json": "breaks off",
    "review empty.json": "nothing to review",
    "review running.json --seat 3": "seat",
    "review running.json --jobs 0": "1 or more",
    "review running.json --html page.pdf": ".html",
    "review running.json --html nowhere/page.html": "choose another place",
    "review running.json --colour": "--playouts",
}


@pytest.mark.usefixtures("running", "finished")
@pytest.mark.parametrize("typed", BAD)
def test_bad_input_gets_one_line_that_says_what_instead(
    typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.json").write_text('{\n"format": ')
    save(played("x-nimmt", 2, {}, moves=0), tmp_path / "empty.json")
    assert main(typed.split()) == 2
    told = capsys.readouterr()
    english = one_line(told)
    assert BAD[typed] in english
    assert told.out == ""
    assert main([*typed.split(), "--lang", "pl"]) == 2
    assert one_line(capsys.readouterr()) != english


@pytest.mark.parametrize(("word", "language"), [("hint", "en"), ("podpowiedź", "pl")])
def test_a_hint_can_be_asked_for_in_a_running_game(
    word: str, language: str, tmp_path: Path
) -> None:
    words = ["play", "six-nimmt", "--players", "3", "--seed", "4", "--lang", language]
    session = at_first_prompt(tmp_path, words)
    said = session.type(word)
    note = voice(language).say("coach.hint.note", playouts=20_000)
    assert note[:20] in " ".join(said.split())
    play = voice(language).typed("play")
    best = re.search(rf"^({play} \d+) .* [+-]?\d", said, re.MULTILINE)
    assert best
    assert session.type(best[1])  # the advice can be typed as it stands
    session.child.close()


def test_all_six_games_are_tried() -> None:
    assert {game for game, *_ in SETUPS} == set(GAMES)
    assert isinstance(played("x-nimmt", 2, {}, moves=0), Match)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_candidate_would_have_done_stands_beside_it_as_the_offer_said(language: str) -> None:
    found, speaker = reviewed("six-nimmt", 3, {"rounds": 2}), voice(language)
    worst = found.worst(1)[0]
    assert worst.view is not None
    said = phrases(speaker, found.game, worst.view)[worst.move]
    assert said
    root = ET.fromstring(page(speaker, found).removeprefix("<!DOCTYPE html>"))
    assert said in [part.text for part in root.iter("small")]
