"""The command line: what it prints for other programs and people, and how it answers bad input."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import bullpen
from bullpen.cards import Problem
from bullpen.cli import COMMANDS, game_ids, help_page, main
from bullpen.game import BadOption
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.terminal.commands import app, flags_of
from bullpen.terminal.names import game_meant
from bullpen.terminal.program import program
from tests.patience import PATIENCE
from tests.referee import check
from tests.terminal_session import environment


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English, in a folder of our own."""
    for name, value in environment(tmp_path, {}).items():
        monkeypatch.setenv(name, value)
    for name in ("BULLPEN_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def run(home: Path, *words: str, extra: Mapping[str, str] | None = None) -> Any:
    """In a process of its own, with nothing to read."""
    return subprocess.run(
        [sys.executable, "-m", "bullpen", *words],
        env=environment(home, extra or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )


def played(path: Path, moves: int | None = None) -> Path:
    """The record of a game of first moves, finished or up to so many moves."""
    match = bullpen.new("x-nimmt", seats=2, seed=7, options={"rounds": 1}, names=["Anna", "Bob"])
    while not match.is_over and (moves is None or len(match.decisions) < moves):
        seat = match.waiting_for[0]
        match.move(seat, match.legal(seat)[0])
    bullpen.save(match, path)
    return path


# -- Bad input --------------------------------------------------------------------------------

BAD = {  # what is typed, and what the answer must mention
    "plya": "did you mean play?",
    "dance": "play, resume, replay",
    "--foo": "--help, --version, --terminal, --lang",
    "play": "hornochsen, eleven-nimmt",
    "play foo": "hornochsen, eleven-nimmt",
    "play xnimt": "did you mean x-nimmt?",
    "play x-nimmt --players 9": "2 to 4 players",
    "play x-nimmt --players -1": "2 to 4 players",
    "play x-nimmt --players two": "whole number",
    "play x-nimmt --players 99999999999999999999999999": "too large",
    "play x-nimmt --players 4 --bots 5": "at most 4",
    "play x-nimmt --bots -1": "0 or more",
    "play x-nimmt --bot clever": "easy, medium, hard, expert",
    "play x-nimmt --players 4 --bots 3 --bot careful --bot uniform": "once for each",
    "play x-nimmt --players 2 --name A --name B --name C": "2 players",
    "play x-nimmt --option rounds": "name=value",
    "play x-nimmt --option speed=9": "rounds, x_choice, memory_aid",
    "play x-nimmt --option rounds=0": "1, 2, 3",
    "play x-nimmt --option x_choice=any": "strict | free",
    "play x-nimmt --deck nowhere.csv": "nowhere.csv",
    "play x-nimmt --deck broken.csv": "line 2",
    "play x-nimmt --seed -3": "0 or more",
    "play x-nimmt --seed": "--seed needs",
    "play x-nimmt --colour red": "--players, --bots",
    "play x-nimmt again": "again",
    "play x-nimmt --save broken.csv": "choose another name",
    "play x-nimmt --lang tlh": ", ".join(LANGUAGES),
    "--lang": "--lang needs",
    "resume": "bullpen play GAME",
    "resume nowhere.json": "nowhere.json",
    "resume broken.json": "broken.json, line 2",
    "resume finished.json": "bullpen replay finished.json",
    "replay": "FILE",
    "replay nowhere.json": "cannot be read",
    "replay broken.json": "breaks off",
    "replay binary.json": "not text",
    "replay .": "folder",
    "play x-nimmt --save .": "folder",
    "play x-nimmt --name Bo --name Bo": "of their own",
    "foo --help": "play, resume, replay",
    "help foo": "play, resume, replay",
    "--version extra": "extra",
    "verify": "FILE",
    "verify broken.json": "breaks off",
    "rules chess": "hornochsen",
    "rules x-nimmt now": "NOW",
    "games all": "all",
    "trace": "hornochsen",
    "trace x-nimmt": "--players",
    "trace x-nimmt --players 3": "--seed",
    "trace x-nimmt --players 9 --seed 1": "2 to 4 players",
    "trace x-nimmt --players 3 --seed x": "whole number",
    "trace x-nimmt --players 3 --seed 1 --games 0": "1 or more",
    "trace x-nimmt --players 3 --seed 1 --option rounds=no": "1, 2, 3",
    "trace x-nimmt --players 3 --seed 1 --deck nowhere.csv": "nowhere.csv",
}


@pytest.fixture
def bad_files(tmp_path: Path) -> None:
    (tmp_path / "broken.csv").write_text("number,heads\n1,many\n")
    (tmp_path / "broken.json").write_text('{\n"format": ')
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    played(tmp_path / "finished.json")


def one_line(captured: Any) -> str:
    """The error output, which must be one line and not a traceback."""
    error: str = captured.err
    assert error.endswith("\n")
    assert error.count("\n") == 1, error
    assert "Traceback" not in error
    return error


@pytest.mark.usefixtures("bad_files")
@pytest.mark.parametrize("typed", BAD)
def test_bad_input_gets_one_line_that_says_what_instead(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(typed.split()) == 2
    captured = capsys.readouterr()
    assert BAD[typed] in one_line(captured)
    assert captured.out == ""


@pytest.mark.parametrize(
    "words", [["play", "x-nimmt", "--save"], ["play", "x-nimmt", "--deck"], ["verify"], ["resume"]]
)
def test_an_empty_file_name_is_missed(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, ""]) == 2
    assert "file name is missing" in one_line(capsys.readouterr())


@pytest.mark.usefixtures("bad_files")
@pytest.mark.parametrize("typed", BAD)
def test_bad_input_is_answered_in_the_language_that_was_asked_for(
    typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(typed.split()) == 2
    english = capsys.readouterr()
    monkeypatch.setenv("LC_ALL", "pl_PL.UTF-8")
    assert main(typed.split()) == 2
    assert one_line(capsys.readouterr()) != english.err


def test_a_closed_input_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "x-nimmt", "--seed", "1"]) == 2
    assert "bullpen resume" in one_line(capsys.readouterr())
    assert main([]) == 2
    assert "bullpen --help" in one_line(capsys.readouterr())


def test_output_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "bullpen", "rules", "x-nimmt"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            words, env=environment(tmp_path, {}), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["trace", "x-nimmt", "--players", "4", "--seed", "1", "--games", "50"],
        ["rules", "bullenparty"],
        ["play", "six-nimmt", "--players", "3", "--bots", "3", "--seed", "1"],
    ],
    ids=lambda words: words[0],
)
def test_a_closed_pipe_ends_it_silently(words: Sequence[str], tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bullpen", *words],
        env=environment(tmp_path, {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


# -- Games and languages ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("x-nimmt", "x-nimmt"),
        ("X nimmt!", "x-nimmt"),
        ("x_nimmt", "x-nimmt"),
        ("XNIMMT", "x-nimmt"),
        ("6nimmt", "six-nimmt"),
        ("6 nimmt!", "six-nimmt"),
        ("11nimmt", "eleven-nimmt"),
        ("baron", "baron-oxx"),
        ("6 nimmt! Baron Oxx", "baron-oxx"),
        ("Horn", "hornochsen"),
        ("bullen-party", "bullenparty"),
    ],
)
def test_a_game_may_be_named_loosely(typed: str, game: str) -> None:
    assert game_meant(typed) is GAMES[game]


@pytest.mark.parametrize("typed", ["", "!", "nim", "chess"])
def test_what_names_no_game_is_refused(typed: str) -> None:
    with pytest.raises(BadOption):
        game_meant(typed)


@pytest.mark.parametrize(
    ("flags", "wishes", "polish"),
    [
        ([], {}, False),
        (["--lang", "pl"], {}, True),
        (["--lang=PL"], {}, True),
        ([], {"BULLPEN_LANG": "pl"}, True),
        (["--lang", "en"], {"BULLPEN_LANG": "pl", "LC_ALL": "pl_PL.UTF-8"}, False),
        ([], {"LC_ALL": "pl_PL.UTF-8"}, True),
        ([], {"LC_ALL": "sv_SE.UTF-8", "LANG": "pl_PL.UTF-8"}, False),
        ([], {"LC_ALL": "", "LANG": "pl"}, True),
        ([], {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "pl_PL.UTF-8"}, True),
        ([], {"LANG": "sv_SE.UTF-8", "LANGUAGE": "sv:pl:en"}, True),
        ([], {"LANG": "pl_PL.UTF-8", "LANGUAGE": "en_GB:pl"}, False),
        ([], {"LC_ALL": "C.UTF-8", "LANGUAGE": "pl"}, False),
        ([], {"LANGUAGE": "pl"}, True),
    ],
)
def test_the_language_comes_from_the_flag_or_the_environment(
    flags: list[str],
    wishes: dict[str, str],
    polish: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in wishes.items():
        monkeypatch.setenv(name, value)
    assert main([*flags, "rules"]) == 0
    assert ("graczy" in capsys.readouterr().out) == polish


# -- Help -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_flag_stands_on_the_help_page_of_its_command(
    command: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help", "--lang", language]) == 0
    page = capsys.readouterr().out
    assert page == help_page(command, language)
    for flag in flags_of(command).split(", "):
        assert re.search(rf"^ +{flag}\b", page, re.MULTILINE)
    assert max(map(len, page.splitlines())) <= 80


def test_the_first_help_page_lists_the_games_without_loading_them() -> None:
    assert game_ids() == sorted(GAMES)
    assert ", ".join(sorted(GAMES)) in help_page("page", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_stands_on_the_first_help_page(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for flag in ("--help", "-h", "help"):
        assert main([flag, "--lang", language]) == 0
        page = capsys.readouterr().out
        for command in COMMANDS:
            assert f"bullpen {command}" in page
        assert all(game in page for game in GAMES)


def test_the_commands_are_those_that_there_are() -> None:
    assert {info.callback.__name__ for info in app.registered_commands if info.callback} == set(
        COMMANDS
    )


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (["--help"], {"rich", "typer", "bullpen.text", "bullpen.games"}),
        (["--version"], {"rich", "typer", "bullpen.text", "bullpen.games"}),
        (["trace", "x-nimmt", "--players", "2", "--seed", "1"], {"rich", "bullpen.text"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_must_be_quick_imports_nothing_heavy(words: list[str], unneeded: set[str]) -> None:
    program = f"import sys; from bullpen.cli import main; main({words!r})"
    program += "; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not unneeded & set(done.stderr.split())


@pytest.mark.parametrize(
    ("started", "on_path", "typed"),
    [
        (".venv/bin/bullpen", None, ".venv/bin/bullpen"),
        ("/opt/bullpen", "/opt/bullpen", "bullpen"),
        ("/my folder/bullpen", "/opt/bullpen", "'/my folder/bullpen'"),
        ("/x/bullpen/__main__.py", "/opt/bullpen", "bullpen"),
        ("/x/pytest", None, "bullpen"),
    ],
)
def test_people_are_told_to_type_what_works(
    started: str, on_path: str | None, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [started])
    monkeypatch.setattr("bullpen.terminal.program.which", lambda _: on_path)
    assert program() == typed


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bullpen {bullpen.__version__}\n"


# -- Traces, records, rules -------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_trace_is_what_the_referee_expects(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", game, "--players", "3", "--seed", "5", "--games", "3"]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert check(lines) == []
    assert sum(1 for line in lines if line.startswith('{"game"')) == 3
    assert captured.err == ""


def test_traces_take_options_preferences_and_the_seeds_that_follow(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["trace", "bullenparty", "--players", "2", "--prefer", "bid 0"]
    assert main([*words, "--seed", "1", "--games", "2", "--option", "memory_aid=on"]) == 0
    both = capsys.readouterr().out
    assert '"memory_aid":true' in both
    assert both.count('"move":"bid 0"') > both.count('"move":"bid 1')
    assert main([*words, "--seed", "2", "--option", "memory_aid=on"]) == 0
    assert both.endswith(capsys.readouterr().out)


def test_an_own_deck_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{card},1\n" for card in range(1, 101))
    (tmp_path / "mine.csv").write_text("number,heads\n" + rows)
    assert main(["trace", "x-nimmt", "--players", "2", "--seed", "1", "--deck", "mine.csv"]) == 0
    assert f'"heads":{[1] * 100}'.replace(" ", "") in capsys.readouterr().out


def test_verify_says_of_every_record_whether_it_is_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, left = played(tmp_path / "good.json"), played(tmp_path / "left.json", moves=3)
    changed = tmp_path / "changed.json"
    changed.write_text(good.read_text().replace('"Bob"', '"Eve"'))
    cheat = tmp_path / "cheat.json"
    cheat.write_text(good.read_text().replace('"play 2"', '"play 99"', 1))
    assert main(["verify", str(good), str(left)]) == 0
    captured = capsys.readouterr()
    assert captured.out.count(": valid (") == 2
    assert "not finished" in captured.out
    assert main(["verify", str(changed), str(good), str(cheat)]) == 2
    captured = capsys.readouterr()
    assert captured.out.count(": valid (") == 1
    first, second = captured.err.splitlines()
    assert "changed.json, line" in first
    assert "checksum" in first
    assert "cheat.json, line" in second
    assert "XN-3" in second


def test_a_record_is_replayed_into_a_pipe_as_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(played(tmp_path / "game.json"))
    assert main(["replay", record]) == 0
    out = capsys.readouterr().out
    assert "Anna plays 2, Bob" in out
    assert "The game is over" in out
    assert main(["replay", record, "--lang", "pl"]) == 0
    assert "Anna zagrywa 2" in capsys.readouterr().out
    assert main(["replay", str(played(tmp_path / "left.json", moves=3))]) == 0
    assert "not finished" in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_has_every_rule_with_its_id(
    game: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", game, "--lang", language]) == 0
    out = capsys.readouterr().out
    exact = Path(__file__).parent.parent / "docs" / "games" / f"{game}.md"
    for rule in re.findall(r"\*\*([A-Z]{2}-\d+)\*\*", exact.read_text("utf-8")):
        assert re.search(rf"^{rule}  ", out, re.MULTILINE)
    assert "\x1b" not in out


@pytest.mark.parametrize("rule", ["XN-4", "xn-4", "4"])
def test_one_rule_can_be_read(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "x-nimmt", rule]) == 0
    assert capsys.readouterr().out.startswith(" · XN-4  Ascending")


def test_all_games_are_listed_with_players_options_and_the_basis_of_their_cards(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    for game in GAMES.values():
        assert game.ID in out
        assert all(f"--option {option.name}=" in out for option in game.OPTIONS)
    assert "reconstruct" in out
    assert "x_choice=strict" in out
    assert "strict | free" in out


def test_polish_is_written_in_plain_letters_where_there_are_no_others(tmp_path: Path) -> None:
    extra = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = run(tmp_path, "rules", "x-nimmt", "--lang", "pl", extra=extra)
    assert done.returncode == 0
    out = done.stdout.decode("ascii")
    assert "Najmniejsza roznica" in out
    assert out.count("?") == 1  # nothing but a question
    done = run(tmp_path, "play", "ząb", "--lang", "pl", extra=extra)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_a_closed_output_does_no_harm(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec {sys.executable} -m bullpen games >&- <&-"],
        env=environment(tmp_path, {}),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""


# -- The sentences ----------------------------------------------------------------------------


def test_a_problem_carries_its_facts() -> None:
    problem = Problem("not_a_number", flag="--seed", value="x")
    assert (problem.key, problem.facts) == ("not_a_number", {"flag": "--seed", "value": "x"})
    assert str(problem) == "--seed must be a whole number, not “x”. (not a number)"
