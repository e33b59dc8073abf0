"""Bots from outside: a function in a file, a program that speaks JSON; both see a view and no more."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import bullpen
from bullpen.bots import bot_called, programs
from bullpen.bots.outside import files_of, hello_of, question, view_as_json
from bullpen.cards import UNSEEN, Problem
from bullpen.game import Game
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.match import Match
from bullpen.text import voice

EXAMPLES = Path(__file__).parent.parent / "examples"
FUNCTION = f"{EXAMPLES / 'mybot.py'}:choose"
PROGRAM = f"program:{shlex.join([sys.executable, str(EXAMPLES / 'program_bot.py')])}"

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.fixture(autouse=True)
def programs_end() -> Iterator[None]:
    yield
    programs.end_all()


def play_out(match: Match, spec: str, rng: Random) -> None:
    """The bot in seat 0, anything elsewhere."""
    own, others = bot_called(spec), bot_called("uniform")
    while not match.is_over:
        seat = match.waiting_for[0]
        bot = others if seat else own
        match.act(seat, bot(match.game, match.view(seat), rng))


def first_view(game: str = "x-nimmt") -> tuple[Any, Any, Random]:
    match = bullpen.new(game, 2, seed=1)
    return match.game, match.view(match.waiting_for[0]), Random(1)


def problem_with(spec: str) -> Problem:
    """What comes of asking this bot, told in both languages."""
    with pytest.raises(Problem) as caught:
        bot_called(spec)(*first_view())
    for language in LANGUAGES:
        line = voice(language).problem(caught.value)
        assert line.isprintable()
        assert "{" not in line or "{" in str(caught.value.facts)
    return caught.value


# -- The examples -------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("spec", [FUNCTION, PROGRAM], ids=["function", "program"])
def test_an_example_plays_every_game_to_its_end(spec: str, game: Game[Any]) -> None:
    match = bullpen.new(game.ID, 3, seed=4)
    play_out(match, spec, Random(3))
    assert match.winners


@pytest.mark.parametrize("spec", [FUNCTION, PROGRAM], ids=["function", "program"])
def test_an_example_chooses_the_same_for_the_same_view_and_chance(spec: str) -> None:
    bot = bot_called(spec)
    assert bot(*first_view()) == bot(*first_view())


def test_the_program_needs_nothing_of_ours(tmp_path: Path) -> None:
    """In isolated mode Python finds no package that is installed in an environment."""
    game, view, rng = first_view()
    spoken = [hello_of(game, view), question(game, view, rng), {"type": "bye"}]
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(EXAMPLES / "program_bot.py")],
        input="".join(json.dumps(message) + "\n" for message in spoken),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert json.loads(done.stdout)["move"] in spoken[1]["legal"]
    assert done.stderr == ""


def test_a_file_without_a_function_named_means_choose() -> None:
    assert bot_called(str(EXAMPLES / "mybot.py"))(*first_view()) == bot_called(FUNCTION)(
        *first_view()
    )


# -- What a program is told ---------------------------------------------------------------------


@every_game
def test_a_program_learns_no_card_that_its_seat_may_not_know(game: Game[Any]) -> None:
    """Another table that gives the same view gives the same JSON, to the letter."""
    match, rng = bullpen.new(game.ID, 3, seed=2), Random(2)
    for _ in range(30):
        if match.is_over:
            break
        for seat in match.waiting_for:
            view = match.view(seat)
            told = json.dumps(question(game, view, Random(0)))
            imagined = game.view(game.imagine(view, rng), seat)
            assert json.dumps(question(game, imagined, Random(0))) == told
        seat = match.waiting_for[0]
        match.act(seat, rng.choice(game.legal(match.table, seat)))


@every_game
def test_a_program_is_told_all_that_the_view_holds(game: Game[Any]) -> None:
    match, rng = bullpen.new(game.ID, 3, seed=2), Random(2)
    for _ in range(40):
        if match.is_over:
            break
        seat = match.waiting_for[0]
        view = match.view(seat)
        told = json.loads(json.dumps(view_as_json(game, view)))
        for name, place in game.places(view.table).items():
            for shown, lying in (("places", view.table.lying), ("remembered", view.remembered)):
                cards = [game.CARD_NAMES.get(card, card) or None for card in lying[place]]
                assert told[shown][name] == cards
        for name in ("phase", "actor"):
            assert told["state"].get(name) == getattr(view.table, name, None)
        for name in view.table.MEMORY:
            mask = getattr(view.table, name)
            assert len(told["state"][name]) == mask.bit_count()
            assert UNSEEN not in told["state"][name]
        match.act(seat, rng.choice(view.legal))


def test_every_seat_has_a_process_of_its_own(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    bot = written(
        tmp_path,
        f"""
        import json, os, sys
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "hello": seat = message["seat"]
            if message["type"] == "decide":
                with open({str(notes)!r}, "a") as file: print(os.getpid(), seat, message["view"]["seat"], file=file)
                print(json.dumps({{"move": message["legal"][0]}}), flush=True)
        """,
    )
    match, rng = bullpen.new("x-nimmt", 2, seed=1, options={"rounds": 1}), Random(1)
    while not match.is_over:
        seat = match.waiting_for[0]
        match.act(seat, bot_called(bot)(match.game, match.view(seat), rng))
    noted = {tuple(map(int, line.split())) for line in notes.read_text().splitlines()}
    assert len({process for process, _, _ in noted}) == 2
    assert {(seat, seen) for _, seat, seen in noted} == {(0, 0), (1, 1)}
    programs.end_all()
    for process, _, _ in noted:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


# -- What goes wrong ----------------------------------------------------------------------------


def written(folder: Path, text: str) -> str:
    """A program of these lines, as a bot is named."""
    file = folder / "bot.py"
    lines = text.splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    file.write_text("\n".join(line[indent:] for line in lines))
    return f"program:{shlex.join([sys.executable, str(file)])}"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    found = problem_with(f"{tmp_path}/nobot.py:choose")
    assert found.key == "bot_file_missing"
    assert "nobot.py" in voice("en").problem(found)


def test_a_function_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("choose = 3\n")
    for function in ("choose", "think", ""):
        assert problem_with(f"{tmp_path}/bot.py:{function}").key == "bot_function_missing"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def choose(:\n", "SyntaxError: invalid syntax (bot.py, line 1)"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
        ("raise SystemExit('no')\n", "SystemExit: no"),
    ],
)
def test_a_file_that_cannot_be_loaded_says_why(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(text)
    found = problem_with(f"{tmp_path}/bot.py")
    assert found.key == "bot_file_broken"
    assert reason in found.facts["reason"]


def test_a_bot_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_own_bot.py").write_text("def last(moves): return moves[-1]\n")
    (tmp_path / "random.py").write_text(
        "from beside_own_bot import last\ndef choose(game, view, rng): return last(view.legal)\n"
    )
    game, view, rng = first_view()
    assert bot_called(f"{tmp_path}/random.py")(game, view, rng) == view.legal[-1]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("1 // 0", "ZeroDivisionError: integer division or modulo by zero (bot.py, line 2)"),
        ("int('one\\ntwo')", "ValueError: invalid literal"),
        ("exit()", "SystemExit ("),
    ],
)
def test_a_function_that_raises_is_named_with_its_line(
    wrong: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(
        f"from sys import exit\ndef choose(game, view, rng): return {wrong}\n"
    )
    found = problem_with(f"{tmp_path}/bot.py:choose")
    assert found.key == "bot_raised"
    assert found.facts["reason"].startswith(reason)
    assert found.facts["reason"].endswith("(bot.py, line 2)")


@pytest.mark.parametrize("answer", ["99999", "None", "'play 3'", "True", "[1]", "object()"])
def test_a_function_that_answers_what_is_not_allowed_is_named(answer: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"def choose(game, view, rng): return {answer}\n")
    found = problem_with(f"{tmp_path}/bot.py:choose")
    assert found.key == "bot_illegal"
    assert "play " in found.facts["moves"]


@pytest.mark.parametrize(
    ("text", "key", "told"),
    [
        ('print(\'{"move": "play 999"}\', flush=True); open(0).read()', "bot_illegal", "play 999"),
        ("print('play 3', flush=True); open(0).read()", "bot_no_answer", "play 3"),
        ("print('[]', flush=True); open(0).read()", "bot_no_answer", "[]"),
        ("print('{\"move\": 3}', flush=True); open(0).read()", "bot_no_answer", "3"),
        ("import sys; sys.stdout.write('x' * 200_000); open(0).read()", "bot_no_answer", "xxx"),
        ("raise ValueError('lost')", "bot_ended", "ValueError: lost"),
        ("import sys; sys.exit(3)", "bot_ended", "exit code 3"),
    ],
)
def test_a_program_that_goes_wrong_is_named(text: str, key: str, told: str, tmp_path: Path) -> None:
    """Those that answer read on until nothing more is asked: one that had ended would be told of as such."""
    found = problem_with(written(tmp_path, text))
    assert found.key == key
    assert told in voice("en").problem(found)


def test_a_program_that_thinks_too_long_is_ended(tmp_path: Path) -> None:
    spec = written(tmp_path, "import time; time.sleep(600)")
    found = problem_with(spec.replace("program:", "program:1s:"))
    assert (found.key, found.facts["seconds"]) == ("bot_too_slow", 1)
    assert not programs.RUNNING or all(not one.is_running for one in programs.RUNNING)


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ("program:", "bot_command"),
        ("program:'open", "bot_command"),
        ("program:/nowhere/bot", "bot_not_started"),
    ],
)
def test_a_command_that_cannot_be_started_is_told(spec: str, key: str) -> None:
    assert problem_with(spec).key == key


def test_the_files_of_a_bot_are_known_by_their_content(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("ONE = 1\n")
    before = files_of(f"{bot}:choose")
    assert files_of(f"program:python3 {bot} --fast") == before
    bot.write_text("TWO = 2\n")
    assert files_of(f"{bot}:choose") != before
    assert files_of("careful") == {}
