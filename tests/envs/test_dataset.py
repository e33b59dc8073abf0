"""Datasets: what is written is what was known, what was chosen and what was hidden; and making one can go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import bullpen
from bullpen import cli
from bullpen.arena.plan import new_plan, one_table
from bullpen.arena.workers import in_this_process
from bullpen.cards import Problem
from bullpen.deck import load_deck
from bullpen.envs import dataset
from bullpen.envs.observing import observe
from bullpen.game import Game
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.text import voice

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.ID)
# Short games, where the usual ones are long.
SHORT = {"six-nimmt": {"rounds": 1}, "x-nimmt": {"rounds": 1}, "eleven-nimmt": {"rounds": 1}}


def plan_of(game: Game[Any], *bots: str, seed: int = 3) -> Any:
    table = one_table(bots or ("uniform", "careful", "uniform"))
    options = SHORT.get(game.ID, {})
    return new_plan(game, table, options, load_deck(game.DECK_FILES), seed)


def made(folder: Path, game: str = "six-nimmt", deals: int = 2, **wishes: Any) -> dataset.Dataset:
    dataset.make(plan_of(GAMES[game], **wishes), deals, in_this_process, folder)
    return dataset.load(folder)


def rows_of(data: dataset.Dataset) -> list[dict[str, Any]]:
    return [
        {name: column[at] for name, column in rows.items()}
        for rows in data.batches(100)
        for at in range(len(rows["seat"]))
    ]


@every_game
def test_every_decision_is_written_as_its_game_has_it(game: Game[Any], tmp_path: Path) -> None:
    """Played again on the plain rules, from the shuffles and moves that are kept beside."""
    data = made(tmp_path / "data", game.ID, deals=1)
    rows = iter(rows_of(data))
    lines = (tmp_path / "data" / "games.jsonl").read_text("utf-8").splitlines()[1:]
    for line in map(json.loads, lines):
        shuffles = iter(line["shuffles"])
        names = {name: card for card, name in game.CARD_NAMES.items()}

        def shuffle(cards: list[int], to: Any = shuffles, names: Any = names) -> None:
            cards[:] = [names.get(card, card) for card in next(to)]

        match = Match(game, 3, data.plan.options, data.plan.deck, line["bots"], shuffle)
        actions = {name: action for action, name in game.NOTATION.items()}
        for step, move in enumerate(line["moves"]):
            seat, action = int(move.split()[0]), actions[move.split(" ", 1)[1]]
            row = next(rows)
            view = match.view(seat)
            assert (row["game"], row["deal"], row["step"]) == (line["number"], line["deal"], step)
            assert (row["seat"], row["bot"], row["action"]) == (seat, line["bots"][seat], action)
            assert np.array_equal(row["observation"], observe(game, view))
            assert row["legal"].tolist() == sorted(view.legal)
            assert np.array_equal(row["holders"], true_holders(match, seat))
            assert row["points"].tolist() == line["scores"][seat:] + line["scores"][:seat]
            assert row["won"] == pytest.approx(
                (seat in line["winners"]) / len(line["winners"]), abs=1e-6
            )
            match.act(seat, action)
    assert next(rows, None) is None


def true_holders(match: Match, seat: int) -> np.ndarray[Any, Any]:
    """From the open table: hands, and what lies face down before somebody."""
    rules, table, found = match.game.rules, match.table, np.zeros(len(match.game.CARDS), np.int8)
    families = {family.name: family for family in rules.places.families}
    held = [families["hand"]]
    held += [family for family in families.values() if family.secret_in == table.phase]
    for family in held:
        for other in range(table.seats):
            for card in table.lying[family.first + other]:
                found[card - 1] = 1 + (other - seat) % table.seats
    return found


def test_the_labels_tell_what_the_observation_does_not(tmp_path: Path) -> None:
    data = made(tmp_path / "data", deals=1)
    hidden = data.layout.code("unknown")
    for row in rows_of(data):
        own = row["observation"][: data.layout.cards] == data.layout.code("hand 0")
        assert ((row["holders"] == 1) >= own).all()
        others = row["holders"] > 1
        assert (row["observation"][: data.layout.cards][others] == hidden).all()


def test_a_second_command_goes_on_and_changes_nothing_that_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "GAMES_A_PART", 4)
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    made(whole, deals=4)
    made(stopped, deals=2)
    first = stopped / "part-00000.parquet"
    before = first.stat().st_mtime_ns
    (stopped / "part-00001.parquet").write_bytes(b"torn by a crash")
    made(stopped, deals=4)
    assert first.stat().st_mtime_ns == before  # four games of six: it was whole
    for part in sorted(whole.glob("*.parquet")):
        assert pq.read_table(part).equals(pq.read_table(stopped / part.name))
    assert (whole / "README.md").read_text("utf-8") == (stopped / "README.md").read_text("utf-8")


@pytest.mark.parametrize("other", [{"seed": 4}, {"bots": ("uniform", "uniform", "careful")}])
def test_other_settings_are_not_mixed_in(tmp_path: Path, other: dict[str, Any]) -> None:
    folder = tmp_path / "data"
    made(folder)
    plan = plan_of(GAMES["six-nimmt"], *other.get("bots", ()), seed=other.get("seed", 3))
    with pytest.raises(Problem, match="tournament settings"):
        dataset.make(plan, 2, in_this_process, folder)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(Problem, match="dataset foreign"):
        made(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    with pytest.raises(Problem, match="dataset empty"):
        dataset.load(tmp_path)


def test_columns_are_chosen_by_name(tmp_path: Path) -> None:
    data = made(tmp_path / "data", deals=1)
    (rows, *_) = data.batches(16, ["observation", "holders"])
    assert {name: column.shape for name, column in rows.items()} == {
        "observation": (16, data.layout.length),
        "holders": (16, 104),
    }
    assert len(data.deals()) == len(data)
    with pytest.raises(Problem) as refused:
        next(data.batches(16, ["colour"]))
    assert "“colour”" in voice("en").problem(refused.value)


def test_the_card_says_how_it_was_made(tmp_path: Path) -> None:
    data = made(tmp_path / "data", deals=1)
    text = (tmp_path / "data" / "README.md").read_text("utf-8")
    for told in (f"{len(data):,} decisions", "`careful`", "seed 3", bullpen.__version__, "CC0"):
        assert told in text
    assert all(f"| `{name}` |" in text for name in dataset.COLUMNS)


def test_the_command_makes_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dataset", "make", "x-nimmt", "--bots", "careful,uniform", "--players", "2"]
    words += ["--option", "rounds=1", "--deals", "1", "--jobs", "1", "--lang", "en"]
    assert cli.main([*words, "--out", str(tmp_path / "data")]) == 0
    decisions = len(dataset.load(tmp_path / "data"))
    assert capsys.readouterr().out.startswith(f"{decisions} decisions are in")
    assert cli.main(words) == 2
    assert "--out FOLDER" in capsys.readouterr().err
    assert cli.main(["dataset", "burn", "x-nimmt", "--out", str(tmp_path / "x")]) == 2
    assert "write make" in capsys.readouterr().err


def test_a_model_of_belief_learns_from_it(tmp_path: Path) -> None:
    """The mean of the labels already tells more than a guess: cards once shown are held by nobody."""
    data = made(tmp_path / "data", deals=4)
    held = np.concatenate([rows["holders"] > 1 for rows in data.batches(256, ["holders"])])
    seen = np.concatenate([rows["observation"] for rows in data.batches(256, ["observation"])])
    unknown = seen[:, : data.layout.cards] == 0
    assert held[~unknown].mean() == 0
    assert 0 < held[unknown].mean() < 1
