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
from bullpen.envs.layouts import layout

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Its files are found beside each other, as when one of them is run."""
    monkeypatch.syspath_prepend(EXAMPLES)
    yield
    for name in {path.stem for path in EXAMPLES.glob("*.py")}:
        sys.modules.pop(name, None)


def needs(*packages: str) -> None:
    """What is not in our lock files: PyTorch brings gigabytes on most machines."""
    for package in packages:
        pytest.importorskip(
            package, reason=f"{package} is not installed: `make learning` runs this test"
        )


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


@pytest.mark.parametrize("name", ["train_ppo", "train_dqn_vector", "train_nfsp"])
def test_an_algorithm_is_one_file_of_two_hundred_lines_at_most(name: str) -> None:
    lines = (EXAMPLES / f"{name}.py").read_text("utf-8").splitlines()
    assert len(lines) <= 200


@pytest.mark.usefixtures("examples")
def test_ppo_in_one_file_learns_and_joins_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("torch")
    import torch

    train_ppo = module("train_ppo")
    earned: list[str] = []
    wishes = train_ppo.Wishes(minutes=0.1, games=64, batch=512)
    net, decisions = train_ppo.train(wishes, earned.append)
    assert decisions == len(earned) * 64 * wishes.steps > 0
    points = [float(line.split()[-3]) for line in earned]
    assert sum(points[-3:]) > sum(points[:3])  # it takes fewer heads than at first

    agent = tmp_path / "agent.pt"
    torch.save(net.state_dict(), agent)
    monkeypatch.setenv("BULLPEN_AGENT", str(agent))
    table = [f"{EXAMPLES / 'train_ppo.py'}:choose", "uniform"]
    played = tournament.play("six-nimmt", table=table, deals=2, options={"rounds": 1}, jobs=1)
    assert played.standings.games == 4


@pytest.mark.usefixtures("examples")
def test_the_memory_of_dqn_knows_what_followed_a_step() -> None:
    """Also where the ring begins anew; of the newest step nothing is told."""
    needs("torch")
    import torch

    memory = module("train_dqn_vector").Memory(steps=5, games=3, length=1, actions=4)
    for step in range(12):
        seen = torch.tensor([[10.0 * step + game] for game in range(3)])
        masks = torch.ones((3, 4), dtype=torch.bool)
        actions = torch.full((3,), step % 4)
        memory.add(seen, masks, actions, np.full(3, 10.0 * step), np.full(3, step % 3 == 0))
        if step:
            some = memory.sample(64)
            assert torch.equal(some.later, some.seen + 10)
            then = some.seen[:, 0] // 10
            assert set(then.tolist()) <= set(range(max(0, step - 4), step))
            assert torch.equal(some.rewards, then)  # in tens of points
            assert torch.equal(some.ends, then % 3 == 0)
            assert torch.equal(some.actions, then.long() % 4)


@pytest.mark.usefixtures("examples")
def test_the_reservoir_of_nfsp_keeps_each_decision_as_likely() -> None:
    needs("torch")
    import torch

    reservoir = module("train_nfsp").Reservoir(room=200, length=1, actions=2, seed=1)
    masks = torch.ones((100, 2), dtype=torch.bool)
    for part in range(20):
        seen = torch.full((100, 1), float(part))
        reservoir.add(seen, masks, torch.full((100,), part))
        kept = reservoir.actions[: min(reservoir.count, 200)]
        assert torch.equal(kept, reservoir.seen[: len(kept), 0].long())
        assert len(kept) == min(200, 100 * (part + 1))
    assert (kept < 10).sum() == pytest.approx(100, abs=35)  # half of the stream: five deviations


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("name", "wishes", "bot"),
    [
        ("train_dqn_vector", "Wishes", "train_ppo"),
        ("train_nfsp", "SelfPlay", "train_nfsp"),
    ],
)
def test_an_agent_of_the_vector_learns_and_joins_a_tournament(
    name: str, wishes: str, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("torch")
    import torch

    trainer, said = module(name), list[str]()
    wish = getattr(trainer, wishes)
    small = {"games": 32, "batch": 64, "remembered": 16, "reports": 2}
    fresh, none = trainer.train(wish(minutes=0.0, **small))
    net, decisions = trainer.train(wish(minutes=0.03, **small), said.append)
    assert none == 0
    assert decisions >= 32 * 16
    assert len(said) == 2
    first, learnt = fresh.state_dict(), net.state_dict()
    assert all(bool(torch.isfinite(learnt[key].float()).all()) for key in first)
    assert any(not torch.equal(learnt[key], first[key]) for key in first)

    agent = tmp_path / "agent.pt"
    torch.save(learnt, agent)
    assert agent.stat().st_size < 2_000_000
    monkeypatch.setenv("BULLPEN_AGENT", str(agent))
    table = [f"{EXAMPLES / bot}.py:choose", "uniform"]
    played = tournament.play("six-nimmt", table=table, deals=2, options={"rounds": 1}, jobs=1)
    assert played.standings.games == 4
    assert str(agent) in played.plan.files


@pytest.mark.usefixtures("examples")
def test_stable_baselines_learns_on_the_vector_with_its_masks() -> None:
    needs("torch", "stable_baselines3", "sb3_contrib")
    train_sb3 = module("train_sb3")
    tables = train_sb3.Tables("x-nimmt", 8, players=3, seat=0, level="uniform", jobs=1)
    tables.seed(3)
    seen = tables.reset()
    for _ in range(60):
        masks = np.stack(tables.env_method("action_masks"))
        assert np.array_equal(masks, tables.envs.masks)
        seen, rewards, over, told = tables.step(masks.argmax(1))  # an illegal one would be refused
        for at in np.flatnonzero(over):
            assert told[at]["terminal_observation"].shape == seen[at].shape
    assert over.shape == rewards.shape == (8,)
    agent = train_sb3.train(0.05, games=32)
    assert agent.num_timesteps >= 32 * agent.n_steps


def has_learnt(net: Any) -> bool:
    """Its weights are numbers still, and others than those of the same seed at first."""
    import torch

    train_ppo = module("train_ppo")
    torch.manual_seed(1)
    first = train_ppo.CardNet(layout("six-nimmt", 2)).state_dict()
    learnt = net.state_dict()
    assert all(bool(torch.isfinite(learnt[name].float()).all()) for name in first)
    return any(not torch.equal(learnt[name], first[name]) for name in first)


@pytest.mark.usefixtures("examples")
@pytest.mark.filterwarnings("ignore")
def test_tianshou_learns_on_the_vector_with_its_masks() -> None:
    needs("torch", "tianshou")
    train_tianshou = module("train_tianshou")
    tables = train_tianshou.Tables("x-nimmt", 8, players=3, seat=0, level="uniform", jobs=1)
    actions = tables.envs.single_action_space.n
    seen, _ = tables.reset()
    ended = 0
    for _ in range(60):
        masks = seen[:, -actions:]
        assert np.array_equal(masks, tables.envs.masks)
        seen, rewards, over, _, told = tables.step(masks.argmax(1))  # an illegal one is refused
        assert len(rewards) == len(told) == 8
        if over.any():
            again = np.flatnonzero(over)
            seen[again], _ = tables.reset(again)
            ended += len(again)
    assert ended
    assert tables.action_space == [tables.envs.single_action_space] * 8
    with pytest.raises(NotImplementedError):
        tables.step(masks.argmax(1)[:4], np.arange(4))
    assert not has_learnt(train_tianshou.train(0.0, games=32)[0])
    net, decisions = train_tianshou.train(0.03, games=32, steps=8)
    assert decisions >= 32 * 8
    assert has_learnt(net)


@pytest.mark.usefixtures("examples")
@pytest.mark.filterwarnings("ignore")
def test_torchrl_learns_on_the_vector_with_its_masks() -> None:
    needs("torch", "torchrl")
    from tensordict.nn import TensorDictModule
    from torchrl.envs.utils import check_env_specs

    train_torchrl = module("train_torchrl")
    wishes: dict[str, Any] = {"players": 3, "seat": 0, "level": "uniform", "jobs": 1}
    check_env_specs(train_torchrl.Tables("x-nimmt", 8, illegal="stay", **wishes))
    tables = train_torchrl.Tables("x-nimmt", 8, **wishes)
    tables.set_seed(3)

    first_legal = TensorDictModule(
        lambda mask: mask.int().argmax(1), ["action_mask"], ["action"]
    )  # an illegal one is refused
    played = tables.rollout(60, first_legal, break_when_any_done=False)
    assert played.batch_size == (8, 60)
    assert played["next", "done"].any()
    assert played["action_mask"].any(-1).all()  # where a game ended, the next one begins
    net, decisions = train_torchrl.train(0.03, games=32, steps=8)
    assert decisions >= 32 * 8
    assert has_learnt(net)


@pytest.mark.usefixtures("examples")
@pytest.mark.filterwarnings("ignore")
def test_rllib_learns_on_the_vector_with_its_masks() -> None:
    needs("torch", "ray.rllib")
    train_rllib = module("train_rllib")
    tables = train_rllib.WithMasks("x-nimmt", 8, players=3, seat=0, level="uniform", jobs=1)
    actions = tables.single_action_space.n
    seen, _ = tables.reset(seed=3)
    ended = 0
    for _ in range(60):
        assert tables.observation_space.contains(seen)
        seen, _, over, _, _ = tables.step(seen[:, -actions:].argmax(1))
        ended += int(over.sum())
    assert ended
    net, decisions = train_rllib.train(0.03, games=32, steps=8)
    assert decisions >= 32 * 8
    assert has_learnt(net)
