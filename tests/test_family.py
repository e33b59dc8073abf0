"""The family benchmark: what is frozen, what the numbers mean, what the command says and keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bullpen.arena import family
from bullpen.arena.family import Benchmark, Cell, Result, cells, lifted, score_of, suite
from bullpen.arena.family_card import card, is_repeatable
from bullpen.arena.family_check import check_card
from bullpen.arena.games_file import read_lines
from bullpen.arena.one_game import line_of, play_game
from bullpen.arena.workers import in_this_process
from bullpen.bots import bot_called
from bullpen.cards import Problem
from bullpen.cli import main
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.terminal.benchmark import Wishes
from bullpen.terminal.screen import Screen
from bullpen.text import voice

SMALL = ["--game", "x-nimmt", "--players", "2", "--deals", "2", "--jobs", "1"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


# -- What is frozen ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_decks_deals_and_opponents_are_those_that_were_frozen(game: str) -> None:
    """If this fails, results can no longer be compared: make a new version of the benchmark."""
    assert family.checksums(game) == suite().games[game]["checksums"]


def test_a_deal_is_another_one_with_another_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    other = family.Suite(**{**vars(suite()), "seed": suite().seed + 1})
    before = family.checksum_of_deals("x-nimmt", 2)
    monkeypatch.setattr(family, "suite", lambda: other)
    assert family.checksum_of_deals("x-nimmt", 2) != before


def test_every_game_and_every_number_of_players_has_its_deals() -> None:
    assert set(suite().games) == set(GAMES)
    for game, rules in GAMES.items():
        assert list(suite().games[game]["checksums"]["deals"]) == [str(n) for n in rules.SEATS]
        assert set(suite().players) <= set(rules.SEATS)


# -- What the numbers mean --------------------------------------------------------------------


def result(players: int, opponent: str, win_share: float, drawn: tuple[float, ...]) -> Result:
    cell = Cell("x-nimmt", players, opponent, {})
    return Result(cell, 4, 4 * players, win_share, 0.0, 1.0, 0.0, 0.0, drawn)


def test_a_score_is_zero_when_even_and_one_when_everything_is_won() -> None:
    assert lifted(0.25, 4) == 0
    assert lifted(0.5, 2) == 0
    assert lifted(1.0, 4) == lifted(1.0, 2) == 1
    assert lifted(0.0, 2) == -1


def test_a_score_is_the_mean_over_tables_and_its_interval_that_of_the_means() -> None:
    many = 2000
    tables = [
        result(2, "montecarlo:playouts=40", 0.75, (0.5,) * (many // 2) + (1.0,) * (many // 2)),
        result(4, "montecarlo:playouts=100", 0.25, (0.25,) * many),
        result(4, "uniform", 1.0, (1.0,) * many),
    ]
    score = score_of("montecarlo", tables)
    assert (score.score, score.low, score.high, score.tables) == (0.25, 0.0, 0.5, 2)
    assert score_of("uniform", tables).score == 1


def test_a_bot_is_not_measured_against_itself() -> None:
    assert {cell.opponent for cell in cells("careful", ["x-nimmt"])} == {
        "uniform",
        "montecarlo:playouts=100",
    }
    assert len(cells("hard")) == 6 * 2 * 3


def test_the_careful_bot_wins_more_than_its_share_and_the_deals_are_played_from_every_seat() -> (
    None
):
    tables = [cell for cell in cells("careful", ["six-nimmt"], [2]) if cell.opponent == "uniform"]
    benchmark = Benchmark("careful", tables, 10)
    told: list[int] = []
    benchmark.play(in_this_process, None, told.append)
    assert benchmark.is_finished
    assert told[-1] == benchmark.games == 20
    (found,) = benchmark.results
    assert found.win_share > 0.6
    assert found.low <= found.win_share <= found.high
    assert found.points < found.their_points
    (score,) = benchmark.scores
    assert score.score == pytest.approx(2 * found.win_share - 1)


@pytest.mark.parametrize(
    ("bot", "expected"),
    [("careful", True), ("hard", True), ("expert", False), ("search:ms=5", False)],
)
def test_a_card_says_whether_the_bot_plays_the_same_every_time(bot: str, expected: bool) -> None:
    assert is_repeatable(bot) is expected
    assert is_repeatable("program:./anything") is False


def test_a_first_impression_is_quick_and_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[Benchmark] = []

    def keep(_: Screen, wishes: Wishes) -> int:
        held.append(wishes.benchmark)
        return 0

    monkeypatch.setattr("bullpen.terminal.benchmark.hold", keep)
    assert main(["benchmark", "hard", "--quick"]) == 0
    assert main(["benchmark", "hard", "--quick", "--players", "3"]) == 0
    first, more = held
    assert {cell.game for cell, _ in first.plans} == set(GAMES)
    assert first.games == 72
    assert {cell.players for cell, _ in more.plans} == {3}


# -- The command ------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_tells_the_results_and_writes_a_card(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["benchmark", "careful", *SMALL, "--card", "card.json", "--lang", language]
    assert main(words) == 0
    told = capsys.readouterr()
    assert "X nimmt!" in told.out
    assert "uniform" in told.out
    assert "card.json" in told.err
    kept = json.loads(Path("card.json").read_text("utf-8"))
    assert kept["format"] == "bullpen-benchmark"
    assert [row["opponent"] for row in kept["results"]] == ["uniform", "montecarlo:playouts=100"]
    assert [row["games"] for row in kept["results"]] == [4, 4]
    page = Path("card.md").read_text("utf-8")
    assert page.startswith("# careful ")
    assert "| X nimmt! | 2 | uniform |" in page


def test_the_same_command_gives_the_same_card_and_plays_nothing_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["benchmark", "careful", *SMALL, "--json"]
    assert main(words) == 0
    first = capsys.readouterr().out

    def refuse(*_: object) -> Any:
        raise AssertionError("a game is played again")

    monkeypatch.setattr("bullpen.arena.one_game.play_game", refuse)
    assert main(words) == 0
    assert capsys.readouterr().out == first
    assert json.loads(first)["family"] == 1


def test_a_bot_from_a_file_is_measured_and_its_file_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "lowest.py"
    bot.write_text("def choose(game, view, rng):\n    return min(view.legal)\n", "utf-8")
    assert main(["benchmark", "lowest.py:choose", *SMALL, "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert list(kept["files"]) == ["lowest.py"]
    assert len(kept["results"]) == 3


def test_a_bot_that_fails_stops_the_benchmark_with_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.py").write_text("def choose(game, view, rng):\n    return -5\n", "utf-8")
    assert main(["benchmark", "bad.py", *SMALL]) == 2
    told = capsys.readouterr().err
    assert "bad.py" in told
    assert "0 of 3 tables" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nobody"], "nobody"),
        (["careful", "--deals", "51"], "50"),
        (["careful", "--players", "11"], "2"),
        (["careful", "--game", "chess"], "chess"),
        (["careful", "--card", "card.txt"], ".json"),
        ([], "BOT"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_measured_is_refused_in_one_line(
    words: list[str], said: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["benchmark", *words, "--lang", language]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert said in told


def test_a_file_that_is_no_card_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.json").write_text('{"precious": true}', "utf-8")
    assert main(["benchmark", "careful", *SMALL, "--card", "mine.json"]) == 2
    assert Path("mine.json").read_text("utf-8") == '{"precious": true}'
    assert "nothing is overwritten" in capsys.readouterr().err


def test_a_card_that_cannot_be_written_is_said() -> None:
    benchmark = Benchmark("careful", cells("careful", ["x-nimmt"], [2]), 2)
    from bullpen.arena.family_card import write_card

    Path("file").write_text("", "utf-8")
    with pytest.raises(Problem) as found:
        write_card(Path("file/card.json"), {**card_without_results(benchmark)}, [])
    assert "--card" in voice("en").problem(found.value)


def card_without_results(benchmark: Benchmark) -> dict[str, Any]:
    return card(benchmark)


# -- Cards that are handed in -----------------------------------------------------------------


def handed_in() -> tuple[Path, Path]:
    """A card of two tables, and the folder of its games."""
    assert main(["benchmark", "careful", *SMALL, "--card", "card.json"]) == 0
    (games,) = Path().glob("**/family-1")
    return Path("card.json"), games


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_that_is_handed_in_is_checked_by_playing_its_games_again(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    card, games = handed_in()
    found = check_card(card, games)
    assert found == ("careful", 2, 8, 4)  # `montecarlo` cannot be asked again
    words = ["--card", str(card), "--check", str(games), "--lang", language]
    capsys.readouterr()
    assert main(["benchmark", "careful", *words]) == 0
    assert "careful" in capsys.readouterr().out
    assert main(["benchmark", "easy", *words]) == 2  # of another bot


def test_the_cards_of_a_bot_before_and_after_it_was_changed_have_games_of_their_own(
    tmp_path: Path,
) -> None:
    """In the same folder, under the same name."""
    bot = tmp_path / "own.py"
    for at, which in enumerate(("min", "max")):
        bot.write_text(f"def choose(game, view, rng):\n    return {which}(view.legal)\n", "utf-8")
        assert main(["benchmark", "own.py:choose", *SMALL, "--card", f"card-{at}.json"]) == 0
    (games,) = Path().glob("**/family-1")
    cards = [Path("card-0.json"), Path("card-1.json")]
    assert json.loads(cards[0].read_text()) != json.loads(cards[1].read_text())
    for one in cards:
        assert check_card(one, games).bot == "own.py:choose"


def test_better_figures_than_those_of_its_games_are_found(tmp_path: Path) -> None:
    path, games = handed_in()
    true = json.loads(path.read_text("utf-8"))
    for better in (
        {"results": [{**true["results"][0], "win_share": 1.0}, *true["results"][1:]]},
        {"scores": [{**score, "score": 0.99} for score in true["scores"]]},
        {"games": 800},
    ):
        other = tmp_path / "better.json"
        other.write_text(json.dumps({**true, **better}), "utf-8")
        with pytest.raises(Problem, match="benchmark check figures"):
            check_card(other, games)


def told_otherwise(games: Path, opponent: str, change: Any) -> None:
    """The first game of a table, with something else in it."""
    for path in games.glob("*.jsonl"):
        header, first, *rest = path.read_text("utf-8").splitlines()
        if opponent in header:
            line = json.loads(first)
            change(line)
            path.write_text("\n".join([header, json.dumps(line), *rest, ""]), "utf-8")


@pytest.mark.parametrize("opponent", ["uniform", "montecarlo"])
def test_games_that_were_not_played_so_are_found(opponent: str) -> None:
    """Another result, another deal, or a move that the rules do not allow."""
    for change in (
        lambda line: line.update(winners=[0], scores=[0, 99]),
        lambda line: line["shuffles"][0].reverse(),
        lambda line: line["moves"].__setitem__(0, "0 row 1"),
        lambda line: line["moves"].pop(),
        lambda line: line.update(moves=[7]),
    ):
        card, games = handed_in()
        told_otherwise(games, opponent, change)
        with pytest.raises(Problem, match="benchmark check game"):
            check_card(card, games)
        for path in games.glob("*.jsonl"):
            path.unlink()


def test_an_opponent_who_was_helped_is_found() -> None:
    """`uniform` is asked again: a legal move that it did not choose is not its own."""
    card, games = handed_in()
    path = next(path for path in games.glob("*.jsonl") if "uniform" in path.read_text("utf-8"))
    plan, lines = read_lines(path)
    line = json.loads(lines[0])
    bots = {"careful": bot_called("careful"), "uniform": bot_called("easy")}
    helped = line_of(plan, 1, play_game(plan, 1, bots))
    assert json.loads(helped)["moves"] != line["moves"]
    text = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([text[0], helped, *text[2:], ""]), "utf-8")
    with pytest.raises(Problem, match="benchmark check game"):
        check_card(card, games)


def test_a_card_without_its_games_or_of_no_benchmark_is_refused(tmp_path: Path) -> None:
    card, games = handed_in()
    with pytest.raises(Problem, match="benchmark check missing"):
        check_card(card, tmp_path / "nowhere")
    for text in ("[]", "{", '{"format": "bullpen-benchmark", "version": 1, "family": 2}'):
        (tmp_path / "other.json").write_text(text, "utf-8")
        with pytest.raises(Problem, match="benchmark check card"):
            check_card(tmp_path / "other.json", games)
    facts = json.loads(card.read_text("utf-8"))
    facts["results"][0]["opponent"] = "easy"
    card.write_text(json.dumps(facts), "utf-8")
    with pytest.raises(Problem, match="benchmark check card"):
        check_card(card, games)


def test_games_of_other_deals_are_refused() -> None:
    card, games = handed_in()
    for path in games.glob("*.jsonl"):
        header, *rest = path.read_text("utf-8").splitlines()
        plan = {**json.loads(header), "seed": 12345}
        path.write_text("\n".join([json.dumps(plan), *rest, ""]), "utf-8")
    with pytest.raises(Problem, match="benchmark check plan"):
        check_card(card, games)
