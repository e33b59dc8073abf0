"""`bullpen tournament`, as a user meets it: tables, JSON, a page, Ctrl-C, crashes and bad input."""

import json
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pexpect
import psutil
import pytest

from bullpen.cli import main
from bullpen.languages import LANGUAGES
from bullpen.terminal.commands import with_usual_ray
from bullpen.terminal.tournament import bots_named
from bullpen.text import voice
from tests.patience import PATIENCE, until
from tests.terminal_session import at_a_terminal

TABLE = ["--table", "careful,uniform,uniform", "--seed", "6", "--lang", "en"]
LONG = ["tournament", "x-nimmt", *TABLE, "--deals", "4000"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is written beside the files of the person who runs the tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def short(*words: str) -> list[str]:
    return ["tournament", "x-nimmt", "--table", "careful,uniform", "--jobs", "1", *words]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "bullpen", *words]


def test_the_standings_come_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(short("--deals", "3", "--json")) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["deals"], result["games"], result["finished"]) == (3, 6, True)
    for row in result["standings"]:
        assert row["low"] <= row["win_share"] <= row["high"]
        assert isinstance(row["mean_points"], float)
    assert sum(row["win_share"] for row in result["standings"]) == pytest.approx(1)
    assert {row["bot"] for row in result["standings"]} == {"careful", "uniform"}


def test_a_mix_says_beforehand_how_many_games_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--bots careful,uniform --players 3 --deals 2 --option rounds=1 --jobs 1 --lang en"
    assert main(["tournament", "x-nimmt", *words.split()]) == 0
    assert "2 lineups, 6 games per deal, 2 deals, 12 games in all" in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_standings_are_told_in_both_languages(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(short("--deals", "2", "--lang", language)) == 0
    told = capsys.readouterr()
    assert voice(language).say("tournament.share") in told.out
    assert not re.search(r"[{}]|None", told.out + told.err)


def test_one_deal_is_enough_but_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(short("--deals", "1", "--lang", "en")) == 0
    assert "One deal gives no interval" in capsys.readouterr().out


def test_the_same_command_again_goes_on_without_being_told_where(
    own_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(short("--deals", "2")) == 0
    (file,) = (own_folder / "data" / "bullpen" / "tournaments").iterdir()
    written = file.stat().st_mtime_ns
    first = capsys.readouterr().out
    assert main(short("--deals", "2")) == 0
    assert capsys.readouterr().out == first
    assert file.stat().st_mtime_ns == written
    assert main(short("--deals", "2", "--seed", "1")) == 0
    assert len(list(file.parent.iterdir())) == 2


def test_a_game_of_a_tournament_can_be_replayed_and_verified(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(short("--deals", "2", "--out", "games.jsonl")) == 0
    capsys.readouterr()
    assert main(["replay", "games.jsonl:3", "--lang", "en"]) == 0
    assert "At the table: careful and uniform" in capsys.readouterr().out
    assert main(["verify", "games.jsonl:4", "games.jsonl", "--lang", "en"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "games.jsonl: valid (a tournament, 4 games)"
    for wrong in ("games.jsonl:5", "games.jsonl:0", "games.jsonl"):
        assert main(["replay", wrong]) == 2
        assert "games.jsonl" in capsys.readouterr().err


def test_a_game_that_was_tampered_with_does_not_verify(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(short("--deals", "2", "--out", "games.jsonl")) == 0
    file = Path("games.jsonl")
    lines = file.read_text("utf-8").splitlines(keepends=True)
    game = json.loads(lines[3])
    game["scores"][0] += 1
    file.write_text("".join([*lines[:3], json.dumps(game) + "\n", *lines[4:]]), "utf-8")
    assert main(["verify", "games.jsonl", "--lang", "en"]) == 2
    assert "games.jsonl:3: “scores” is" in capsys.readouterr().err
    assert main(["verify", "games.jsonl:2"]) == 0


def test_bots_are_named_with_commas_and_a_comma_inside_stands_in_quotation_marks() -> None:
    assert bots_named("careful, uniform") == ["careful", "uniform"]
    assert bots_named('careful,"program:./bot a,b"') == ["careful", "program:./bot a,b"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--ray", "--ray=local"),
        ("--ray --json", "--ray=local --json"),
        ("--ray 192.0.2.7:6379 --json", "--ray 192.0.2.7:6379 --json"),
        ("--ray=auto", "--ray=auto"),
    ],
)
def test_ray_may_stand_without_an_address(typed: str, meant: str) -> None:
    assert with_usual_ray(typed.split()) == meant.split()


# -- The page -----------------------------------------------------------------------------------


class Page(HTMLParser):
    """Counts tags, and checks that each is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "circle", "rect", "line"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_is_one_page_with_plots(language: str) -> None:
    assert main(short("--deals", "3", "--report", "report.html", "--lang", language)) == 0
    text = Path("report.html").read_text("utf-8")
    page = Page(text)
    assert page.open == []
    assert page.links == []
    assert page.tags.count("svg") == 3
    assert f'<html lang="{language}">' in text
    assert voice(language).say("tournament.heading_ratings") in text
    assert "prefers-color-scheme: dark" in text
    assert page.tags.count("circle") == 4  # two bots: win share and rating


def test_a_name_in_the_report_cannot_be_a_tag() -> None:
    Path("<b>&.py").write_text("def choose(game, view, rng): return view.legal[0]\n")
    words = ["--table", "<b>&.py,uniform", "--deals", "2", "--jobs", "1", "--report", "r.html"]
    assert main(["tournament", "x-nimmt", *words]) == 0
    text = Path("r.html").read_text("utf-8")
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;.py" in text


def test_a_report_replaces_a_report_but_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(short("--deals", "2", "--report", "r.html")) == 0
    assert main(short("--deals", "3", "--report", "r.html")) == 0
    Path("mine.html").write_text("my page")
    assert main(short("--deals", "2", "--report", "mine.html")) == 2
    assert Path("mine.html").read_text() == "my page"


# -- Interrupted, killed, and no room -----------------------------------------------------------


def test_ctrl_c_gives_the_standings_so_far_and_says_how_to_go_on() -> None:
    session = at_a_terminal(*LONG, "--jobs", "2", "--out", "games.jsonl")
    session.expect(r"[1-9]\d+/12000")
    session.sendintr()
    session.expect("wins per seat")
    session.expect("careful")
    session.expect(r"games are finished and kept in\s+games.jsonl")
    session.expect(pexpect.EOF)
    session.close()
    assert session.exitstatus == 130
    assert "Traceback" not in (session.before or "")
    assert main(["verify", "games.jsonl"]) == 0


def test_a_killed_tournament_leaves_no_process_and_goes_on_to_the_same_file() -> None:
    with subprocess.Popen(
        command(*LONG, "--jobs", "2", "--out", "killed.jsonl"), stderr=subprocess.DEVNULL
    ) as running:
        until(lambda: Path("killed.jsonl").exists() and lines("killed.jsonl") > 12)
        workers = psutil.Process(running.pid).children(recursive=True)
        assert len(workers) >= 2
        running.kill()
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert alive == []
    deals = str(lines("killed.jsonl") // 3 + 2)
    words = [deals if word == "4000" else word for word in LONG]
    assert main([*words, "--jobs", "1", "--out", "killed.jsonl"]) == 0
    assert main([*words, "--jobs", "1", "--out", "whole.jsonl"]) == 0
    assert Path("killed.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


def lines(file: str) -> int:
    return Path(file).read_bytes().count(b"\n")


def test_a_full_disk_is_told_in_one_line_and_what_was_written_is_kept() -> None:
    """A limit on the size of files stands for the full disk."""
    limited = (
        f"ulimit -f 40; exec {sys.executable} -m bullpen {' '.join(LONG)} --jobs 1 --out g.jsonl"
    )
    done = subprocess.run(
        ["bash", "-c", limited], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 2
    assert "cannot be written (File too large)" in done.stderr
    assert "Traceback" not in done.stderr
    kept = lines("g.jsonl") - 1
    assert kept > 0
    words = ["tournament", "x-nimmt", *TABLE, "--deals", str(kept // 3 + 1), "--out", "g.jsonl"]
    assert main(words) == 0


def test_a_closed_pipe_is_no_reason_to_complain() -> None:
    words = " ".join(command(*short("--deals", "2", "--json")))
    done = subprocess.run(
        ["bash", "-c", f"{words} | true"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr


# -- Bad input ----------------------------------------------------------------------------------

BAD = {
    "tournament": "needs a game",
    "tournament chess": "chess",
    "tournament x-nimmt": "--table",
    "tournament x-nimmt --table careful,uniform --bots careful,uniform": "--table",
    "tournament x-nimmt --table wizard,uniform": "wizard",
    "tournament x-nimmt --table careful": "2 to 4",
    "tournament x-nimmt --table careful,uniform,uniform,uniform,uniform": "2 to 4",
    "tournament x-nimmt --table careful,uniform --players 3": "2 seats",
    "tournament x-nimmt --table careful,,uniform": "missing",
    "tournament x-nimmt --table careful,uniform --deals 0": "--deals",
    "tournament x-nimmt --table careful,uniform --deals many": "many",
    "tournament x-nimmt --table careful,uniform --seed -1": "--seed",
    "tournament x-nimmt --table careful,uniform --jobs 0": "--jobs",
    "tournament x-nimmt --table careful,uniform --option rounds=0": "rounds",
    "tournament x-nimmt --table careful,uniform --out .": "--out",
    "tournament x-nimmt --table careful,uniform --out /dev/full": "--out",
    "tournament x-nimmt --table careful,uniform --report .": "report",
    "tournament x-nimmt --table careful,uniform --report nowhere/r.html": "report",
    "tournament x-nimmt --table careful,uniform --colour": "--colour",
    "tournament x-nimmt --bots careful": "two bots",
    "tournament x-nimmt --bots careful,careful": "twice",
    "tournament x-nimmt --bots careful,uniform --players 9": "2 to 4",
    "tournament x-nimmt --bots careful,uniform --players 1": "2 to 4",
    "tournament x-nimmt --bots careful,uniform --players 0": "2 to 4",
    "tournament x-nimmt --table careful,uniform --out r.jsonl --report r.jsonl": ".html",
    "tournament x-nimmt --table careful,nowhere.py:choose": "no such file",
    "tournament x-nimmt --table careful,program:": "program:./mybot",
}


@pytest.mark.parametrize("words", BAD)
def test_bad_input_gets_one_clear_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words.split(), "--lang", "en"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    *announced, complaint = shown.err.splitlines()
    assert BAD[words] in complaint
    assert len(announced) in (0, 2)  # the plan and the file, where only the file is bad


def test_a_bot_that_goes_wrong_is_named_and_the_games_before_are_kept(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("cheat.py").write_text("def choose(game, view, rng): return 999\n")
    words = "--table uniform,cheat.py:choose --deals 2 --jobs 2 --out games.jsonl --lang en"
    assert main(["tournament", "x-nimmt", *words.split()]) == 2
    told = capsys.readouterr().err
    assert "The bot cheat.py:choose answered “999” in seat 1, which is not allowed" in told
    assert "0 of 4 games are finished and kept in games.jsonl" in told


def test_sigterm_ends_the_workers_too() -> None:
    with subprocess.Popen(
        command(*LONG, "--jobs", "2", "--out", "ended.jsonl"), stderr=subprocess.DEVNULL
    ) as running:
        until(lambda: Path("ended.jsonl").exists() and lines("ended.jsonl") > 3)
        workers = psutil.Process(running.pid).children(recursive=True)
        running.send_signal(signal.SIGTERM)
    assert psutil.wait_procs(workers, timeout=PATIENCE)[1] == []
