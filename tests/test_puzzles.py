"""Puzzles: shipped ones are what they say, more are found in pieces as in one go, and a wrong answer is noticed."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bullpen.cards import Problem
from bullpen.cli import main
from bullpen.coach import puzzle_maker
from bullpen.coach.grades import limits
from bullpen.coach.puzzle_maker import LEAST_CANDIDATES, SURE, make
from bullpen.coach.puzzles import checked, match_of, puzzles_of, read_puzzles, verdict
from bullpen.game import Game
from bullpen.games import GAMES
from bullpen.text import voice

WITH_PUZZLES = {name: game for name, game in GAMES.items() if puzzles_of(game)}
every_game = pytest.mark.parametrize("game", WITH_PUZZLES.values(), ids=WITH_PUZZLES)
SIX = GAMES["six-nimmt"]


@every_game
def test_a_shipped_puzzle_is_a_position_with_its_proof(game: Game[Any]) -> None:
    for puzzle in puzzles_of(game):
        match = match_of(game, puzzle)
        assert puzzle.seat in match.waiting_for
        legal = match.legal(puzzle.seat)
        assert {puzzle.answer, puzzle.second} <= set(legal)
        assert puzzle.answer != puzzle.second
        assert len(legal) == puzzle.candidates >= LEAST_CANDIDATES
        assert puzzle.behind >= limits(game)["mistake"]
        assert puzzle.behind >= SURE * puzzle.error - 0.001  # as rounded
        assert puzzle.tables >= puzzle_maker.LOOKS[-1]


@every_game
def test_no_two_shipped_puzzles_are_of_one_game(game: Game[Any]) -> None:
    numbers = [puzzle.number for puzzle in puzzles_of(game)]
    assert numbers == sorted(set(numbers))


def test_a_wrong_answer_is_noticed_and_a_right_one_stands() -> None:
    for puzzle in puzzles_of(SIX)[:2]:
        assert checked(SIX, puzzle, seed=5, times=1).holds
        wrong = replace(puzzle, answer=puzzle.second, second=puzzle.answer)
        assert not checked(SIX, wrong, seed=5, times=1).holds


def test_check_names_a_puzzle_that_has_lost_its_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.jsonl"
    good, other = (replace(one, tables=500) for one in puzzles_of(SIX)[:2])
    wrong = replace(other, answer=other.second, second=other.answer)
    file.write_text(f"{good.as_line()}\n{wrong.as_line()}\n", "utf-8")
    assert main(["puzzles", "check", "six-nimmt", "--file", str(file), "--lang", "en"]) == 1
    said = capsys.readouterr()
    assert "1 of 2 keep their answer" in said.out
    assert f"{other.answer} instead of {other.second}" in said.err


def test_making_goes_on_where_it_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzle_maker, "LOOKS", (40, 200, 400))  # about going on, not about proof
    whole, pieces = tmp_path / "whole.jsonl", tmp_path / "pieces.jsonl"
    looked = list(make(SIX, whole, 3, jobs=1))
    assert [one.number for one in looked] == list(range(len(looked)))
    list(islice(make(SIX, pieces, 3, jobs=1), 4))
    with pieces.open("a", encoding="utf-8") as out:
        out.write('{"number": 17, "opt')  # killed in the middle of a line
    list(make(SIX, pieces, 3, jobs=1))
    assert pieces.read_text("utf-8") == whole.read_text("utf-8")
    assert len(read_puzzles(whole)) == 3


def test_a_file_of_something_else_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text("{}\n{}\n", "utf-8")
    with pytest.raises(Problem) as refused:
        read_puzzles(file)
    assert "Line 1" in voice("en").problem(refused.value)
    for words in (["puzzles", "solve"], ["puzzles", "play"], ["puzzles", "check", "--file", "no"]):
        assert main([*words, "--lang", "en"]) == 2


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_the_answer_is_explained(language: str) -> None:
    puzzle, speaker = puzzles_of(SIX)[0], voice(language)
    right, wrong = (verdict(speaker, SIX, puzzle, one) for one in (puzzle.answer, puzzle.second))
    assert right[0] != wrong[0]
    assert speaker.move(SIX, puzzle.answer) in wrong[0]
    assert len(right) > 2


def test_in_the_terminal_a_puzzle_is_shown_tried_and_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = io.StringIO("nonsense\n1\nq\n")
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["puzzles", "play", "six-nimmt", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "Puzzle 1 of" in said
    assert "“nonsense” is none of the moves" in said
    assert "The second-best move" in said
    assert "of 1." in said
