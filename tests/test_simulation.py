"""`bullpen simulate`: the same seed gives the same report, and Ctrl-C gives what was done so far."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pexpect
import pytest

from bullpen.arena import simulation
from bullpen.arena.simulation import Counts, histogram, simulate
from bullpen.cards import Problem
from bullpen.cli import main
from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.text import voice
from tests.terminal_session import at_a_terminal


def report_of(game: str, games: int, jobs: int = 1, seed: int = 5, **options: Any) -> Any:
    rules = GAMES[game]
    chosen = complete_options(rules, 3, options)
    return simulate(rules, 3, chosen, load_deck(rules.DECK_FILES), games, seed, jobs)


@pytest.mark.parametrize("game", GAMES)
def test_a_report_adds_up(game: str) -> None:
    report = report_of(game, 300).as_json()
    assert report["games"] == 300
    assert sum(report["lengths"]["times"].values()) == 300
    assert report["decisions"] == sum(
        int(length) * times for length, times in report["lengths"]["times"].items()
    )
    assert [sum(seat["times"].values()) for seat in report["scores"]] == [300] * 3
    assert sum(seat["share"] for seat in report["wins"]) == pytest.approx(1)
    assert all(seat["low"] <= seat["share"] <= seat["high"] for seat in report["wins"])
    assert all(times >= 0 for times in report["per_game"].values())
    assert any(report["per_game"].values())


def without_time(report: Any) -> Any:
    return {k: v for k, v in report.as_json().items() if k not in ("seconds", "jobs")}


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "SHARE", 70)
    one, three = (report_of("x-nimmt", 500, jobs) for jobs in (1, 3))
    assert without_time(one) == without_time(three)


def test_another_seed_gives_other_games() -> None:
    assert without_time(report_of("x-nimmt", 200, seed=1)) != without_time(
        report_of("x-nimmt", 200, seed=2)
    )


def test_the_best_result_wins_and_ties_are_split() -> None:
    """6 nimmt!: the fewest points; two seats with as few share the win."""
    report = simulation.empty_report(GAMES["six-nimmt"], 3, {}, 0, 1, type("T", (), {"TALLY": ()}))
    points = np.array([[3, 5, 3], [9, 1, 2]], np.int32)
    report.add(points, np.array([4, 4], np.int32), np.zeros(0, np.int64))
    assert report.wins.tolist() == [0.5, 1.0, 0.5]


def test_a_histogram_counts_everything_once() -> None:
    counts = Counts({-3: 2, 0: 1, 7: 4, 8: 1})
    assert histogram(counts, 4) == [(-3, -1, 2), (0, 2, 1), (6, 8, 5)]
    assert counts.quantile(0.5) == 7
    assert counts.mean == pytest.approx(30 / 8)


@pytest.mark.parametrize(
    ("games", "jobs", "key"), [(0, 1, "simulate_games"), (5, 0, "simulate_jobs")]
)
def test_a_simulation_of_nothing_is_refused(games: int, jobs: int, key: str) -> None:
    with pytest.raises(Problem) as refused:
        report_of("x-nimmt", games, jobs)
    assert refused.value.key == key


# -- On the command line ----------------------------------------------------------------------


def test_the_report_comes_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", "x-nimmt", "--players", "2", "--games", "50", "--seed", "3", "--json"])
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 50
    assert len(report["scores"]) == 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_report_is_told_in_both_languages(
    game: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", game, "--players", "2", "--games", "20", "--lang", language]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert voice(language).say("simulate.facts") in told
    assert not re.search(r"[{}]", told)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_plots_are_drawn(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"plot.{kind}"
    assert main(["simulate", "x-nimmt", "--games", "50", "--plot", str(file)]) == 0
    begins = {"png": b"\x89PNG", "svg": b"<?xml"}[kind]
    assert file.read_bytes().startswith(begins)


@pytest.mark.parametrize(
    "words",
    [
        "simulate",
        "simulate chess",
        "simulate x-nimmt --players 9",
        "simulate x-nimmt --games 0",
        "simulate x-nimmt --games many",
        "simulate x-nimmt --jobs 0",
        "simulate x-nimmt --seed -1",
        "simulate x-nimmt --option rounds=0",
        "simulate x-nimmt --deck nowhere.csv",
        "simulate x-nimmt --plot plot.gif",
        "simulate x-nimmt --plot /nowhere/plot.png",
        "simulate x-nimmt --colour",
    ],
)
def test_bad_input_gets_one_clear_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1


def test_ctrl_c_gives_the_report_of_what_was_done_so_far() -> None:
    command = "simulate six-nimmt --games 900000000 --jobs 1 --lang en"
    session = at_a_terminal(*command.split())
    session.expect("million decisions")
    session.sendintr()
    session.expect("Interrupted")
    session.expect("Points by seat")
    session.expect(pexpect.EOF)
    session.close()
    assert session.exitstatus == 0
