"""The examples that learn and search, in small: they run, and what they make is of use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import bullpen
from bullpen.arena import tournament
from bullpen.cards import Problem

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Its files are found beside each other, as when one of them is run."""
    monkeypatch.syspath_prepend(EXAMPLES)
    yield
    for name in ("row_agent", "train_dqn", "ismcts_bot", "ismcts_duel"):
        sys.modules.pop(name, None)


def module(name: str) -> Any:
    return import_module(name)


@pytest.mark.usefixtures("examples")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_an_agent_learns_and_joins_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("jax")
    train_dqn = module("train_dqn")
    wishes = train_dqn.Wishes(
        minutes=0.05, tables=16, hidden=(32,), batch=32, reports=2, test_games=32
    )
    agent, picture = tmp_path / "agent.npz", tmp_path / "curve.svg"
    reports = train_dqn.train(wishes, agent, picture)
    assert len(reports) == 3
    assert reports[-1].decisions > reports[0].decisions
    assert all(0 <= report.win_share <= 1 for report in reports)
    assert "seconds of training" in picture.read_text("utf-8") or picture.stat().st_size > 1000

    monkeypatch.setenv("BULLPEN_AGENT", str(agent))
    bot = f"{EXAMPLES / 'trained_bot.py'}:choose"
    table = [bot, "uniform"]
    played = tournament.play("six-nimmt", table=table, deals=3, options={"rounds": 1}, jobs=1)
    assert played.standings.games == 6
    with pytest.raises(Problem, match=r"six-nimmt with 2 players"):
        tournament.play("x-nimmt", table=table, deals=1, jobs=1)


@pytest.mark.usefixtures("examples")
def test_learning_changes_the_network_towards_what_was_rewarded() -> None:
    """A buffer in which one action is always worth 1 and all others 0: the agent comes to prefer it."""
    pytest.importorskip("jax")
    train_dqn = module("train_dqn")
    training = train_dqn.Training(train_dqn.Wishes(tables=1, hidden=(16,), batch=32, rate=0.01))
    buffer = training.buffer
    seen = np.ones(buffer.seen.shape[1], np.float32)
    for at in range(256):
        buffer.seen[at], buffer.actions[at] = seen, at % 104 + 1
        buffer.rewards[at], buffer.final[at] = float(at % 104 + 1 == 7), True
    buffer.count = 256
    for _ in range(60):
        training.learn()
    worth = module("row_agent").worth(training.weights, seen)
    assert int(worth[1:105].argmax()) + 1 == 7


@pytest.mark.usefixtures("examples")
def test_what_the_network_is_told_does_not_depend_on_hidden_cards() -> None:
    row_agent = module("row_agent")
    for game in row_agent.KNOWN_GAMES:
        match = bullpen.new(game, seats=3, seed=4)
        view = match.view(0)
        told = row_agent.outlook(match.game, view)
        assert told.shape == (row_agent.length(game, 3),)
        other = match.game.view(match.game.imagine(view, Random(9)), 0)
        assert np.array_equal(row_agent.outlook(match.game, other), told)


@pytest.mark.usefixtures("examples")
def test_the_network_is_told_what_a_card_would_cost() -> None:
    """At the first decision: which cards are in hand, which are too low, and the heads of their rows."""
    row_agent = module("row_agent")
    match = bullpen.new("six-nimmt", seats=2, seed=1)
    rules, table = match.game.rules, match.view(0).table
    hand = table.lying[rules.HAND]
    facts = row_agent.outlook(match.game, match.view(0))[: 104 * row_agent.FACTS].reshape(104, -1)
    assert {int(card) + 1 for card in np.flatnonzero(facts[:, 0])} == set(hand)
    for card in hand:
        row = rules.row_for(table, card)
        assert facts[card - 1, 4] == (row is None)
        if row is not None:
            (end,) = table.lying[rules.ROW + row]
            assert facts[card - 1, 2] * 20 == pytest.approx(table.deck.heads[end])


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("function", ["choose", "choose_compiled"])
def test_the_search_of_open_spiel_plays_as_a_bot(
    function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setenv("BULLPEN_ISMCTS_MS", "5")
    table = [f"{EXAMPLES / 'ismcts_bot.py'}:{function}", "uniform"]
    played = tournament.play("six-nimmt", table=table, deals=1, options={"rounds": 1}, jobs=1)
    assert played.standings.games == 2


def test_the_duel_prints_a_table_with_intervals() -> None:
    pytest.importorskip("pyspiel")
    words = ["--game", "x-nimmt", "--ms", "5", "--deals", "1"]
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / "ismcts_duel.py"), *words],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line for line in ran.stdout.splitlines() if line.startswith("| x-nimmt")]
    assert len(rows) == 2
    assert all(row.count("|") == 8 for row in rows)
