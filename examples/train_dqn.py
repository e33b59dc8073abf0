"""Train OpenSpiel's DQN agent on one of the games for a few minutes, and let it join a tournament.

    python examples/train_dqn.py                        # 6 nimmt! with two players, three minutes
    bullpen tournament six-nimmt --table examples/trained_bot.py:choose,uniform --option rounds=1

The agent is `open_spiel.python.jax.dqn.DQN`: its network, its loss with legal-action masks, its target
network.  Many games are played side by side, so that one pass through the network serves them all, and
what happened goes into a replay buffer of NumPy arrays.  The agent sits in one seat; bots of ours sit in
the others.  What it is rewarded for is its lead: each time it is to move, by how much it has grown.

Needs the extra `train`.  See docs/training.md.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only get in the way

import numpy as np
import row_agent
from row_agent import Floats, best_of, outlook, worth

from bullpen.bots import Bot, bot_called
from bullpen.deck import load_deck
from bullpen.envs import missing
from bullpen.envs.observing import action_mask
from bullpen.games import game_called
from bullpen.match import Match

HERE = Path(__file__).parent
POINTS = 10.0  # a lead of so many counts 1
REPORTS = 24  # points of the learning curve
TEST_GAMES = 400  # for each of them


@dataclass
class Wishes:
    """What to train on, and for how long."""

    game: str = "six-nimmt"
    players: int = 2
    options: dict[str, Any] = field(default_factory=lambda: {"rounds": 1})
    against: tuple[str, ...] = ("uniform",)  # bots for the other seats, one of them in each game
    minutes: float = 3.0
    tables: int = 64  # at once
    hidden: tuple[int, ...] = (256, 128)
    batch: int = 256
    remembered: int = 60_000  # transitions
    lessons: int = 2  # for each pass through the tables
    explore: float = 0.1
    rate: float = 5e-4
    seed: int = 1
    reports: int = REPORTS
    test_games: int = TEST_GAMES


# -- Games side by side -------------------------------------------------------------------------


class Step(NamedTuple):
    """A decision of the agent, waiting for what comes of it."""

    seen: Floats
    action: int
    lead: float


class Seat:
    """The agent's seat at one table: plays the others up to its own next decision."""

    def __init__(self, wishes: Wishes, rng: Random, bots: Sequence[Bot]) -> None:
        self.wishes, self.rng, self.bots = wishes, rng, bots
        self.rules = game_called(wishes.game)
        self.deck = load_deck(self.rules.DECK_FILES)
        self.begin()

    def begin(self) -> None:
        self.seat = self.rng.randrange(self.wishes.players)
        self.others = self.rng.choice(self.bots)
        shuffle, options = self.rng.shuffle, self.wishes.options
        self.match = Match(self.rules, self.wishes.players, options, self.deck, (), shuffle)
        self.last: Step | None = None
        self.let_others_play()

    def let_others_play(self) -> None:
        match = self.match
        while (waiting := match.waiting_for) and self.seat not in waiting:
            seat = waiting[0]
            match.act(seat, self.others(match.game, match.view(seat), self.rng))
        self.view = match.view(self.seat)
        self.seen = outlook(match.game, self.view)

    def act(self, action: int) -> None:
        self.match.act(self.seat, action)
        self.let_others_play()

    @property
    def lead(self) -> float:
        """Over the mean of the others, by the points counted and the heads taken in this round."""
        return lead_of(self.match, self.seat)


def lead_of(match: Match, seat: int) -> float:
    points = np.array(match.scores, float)
    if not match.is_over:
        points += getattr(match.table, "heads_taken", 0)
    lead = points[seat] - (points.sum() - points[seat]) / (match.seats - 1)
    return float(-lead if match.game.best(match.options) is min else lead) / POINTS


# -- The replay buffer ----------------------------------------------------------------------------


class Buffer:
    """A ring of transitions, from which OpenSpiel's agent samples what it learns from."""

    def __init__(self, length: int, actions: int, room: int, rng: np.random.Generator) -> None:
        self.room, self.rng = room, rng
        self.count = 0
        self.seen = np.zeros((room, length), np.float32)
        self.next_seen = np.zeros((room, length), np.float32)
        self.legal = np.zeros((room, actions), np.bool_)
        self.actions = np.zeros(room, np.int32)
        self.rewards = np.zeros(room, np.float32)
        self.final = np.zeros(room, np.bool_)

    def __len__(self) -> int:
        return min(self.count, self.room)

    def add(self, step: Step, reward: float, seat: Seat) -> None:
        at = self.count % self.room
        self.seen[at], self.actions[at], self.rewards[at] = step.seen, step.action, reward
        self.final[at], self.next_seen[at] = seat.match.is_over, seat.seen
        self.legal[at] = action_mask(seat.rules, seat.view.legal)
        self.count += 1

    def sample(self, count: int) -> Any:
        from open_spiel.python.jax.dqn import Transition

        at = self.rng.integers(0, len(self), count)
        return Transition(
            self.seen[at],
            self.actions[at],
            self.rewards[at],
            self.next_seen[at],
            self.final[at],
            self.legal[at] | self.final[at][:, None],
        )


class Adapter:
    """What the agent's own `learn` asks of a replay buffer class."""

    init = append = None

    @staticmethod
    def sample(_: Any, buffer: Buffer, count: int) -> Any:
        return buffer.sample(count)


# -- Learning ---------------------------------------------------------------------------------------


class Report(NamedTuple):
    seconds: float
    decisions: int
    win_share: float  # against `uniform`, greedily


class Training:
    """The agent, its tables, and how far it has come."""

    def __init__(self, wishes: Wishes) -> None:
        try:
            from open_spiel.python.jax import dqn
        except ModuleNotFoundError as error:
            raise missing(error, "train") from None

        self.wishes = wishes
        length, actions = row_agent.length(wishes.game, wishes.players), actions_of(wishes.game)
        self.rng = Random(wishes.seed)
        self.numbers = np.random.default_rng(wishes.seed)
        self.buffer = Buffer(length, actions, wishes.remembered, self.numbers)
        self.agent = dqn.DQN(
            0,
            length,
            actions,
            hidden_layers_sizes=list(wishes.hidden),
            batch_size=wishes.batch,
            replay_buffer_class=Adapter,
            learning_rate=wishes.rate,
            optimizer_str="adam",
            loss_str="huber",
            min_buffer_size_to_learn=4 * wishes.batch,
            seed=wishes.seed,
            allow_checkpointing=False,
        )
        self.agent._replay_buffer = self.buffer
        self.bots = [bot_called(name) for name in wishes.against]
        self.seats = [Seat(wishes, self.rng, self.bots) for _ in range(wishes.tables)]
        self.decisions = self.updates = 0
        self.weights = weights_of(self.agent)

    def play_on(self) -> None:
        """One decision at every table."""
        for seat, values in zip(self.seats, self.values_at(self.seats), strict=True):
            action = best_of(seat.view.legal, values)
            if self.rng.random() < self.wishes.explore:
                action = self.rng.choice(seat.view.legal)
            self.record(seat)
            seat.last = Step(seat.seen, action, seat.lead)
            seat.act(action)
            if seat.match.is_over:
                self.record(seat)
                seat.begin()
        self.decisions += len(self.seats)

    def values_at(self, seats: Sequence[Seat]) -> Floats:
        return worth(self.weights, np.stack([seat.seen for seat in seats]))

    def record(self, seat: Seat) -> None:
        if seat.last is not None:
            self.buffer.add(seat.last, seat.lead - seat.last.lead, seat)

    def learn(self) -> None:
        """One update of the network, and now and then of the network that it aims at."""
        from flax import nnx

        agent = self.agent
        if agent.learn() is None:
            return
        self.updates += 1
        self.weights = weights_of(agent)
        if self.updates % 200 == 0:
            nnx.update(agent._target_q_network, nnx.state(agent._q_network, nnx.Param))

    def run(self) -> Iterator[Report]:
        """Learn for as long as wished; a report now and then."""
        began, spent = time.perf_counter(), 0.0
        budget = 60 * self.wishes.minutes
        yield Report(0.0, 0, self.win_share())
        for part in range(1, self.wishes.reports + 1):
            while spent < budget * part / self.wishes.reports:
                self.play_on()
                for _ in range(self.wishes.lessons):
                    self.learn()
                spent += time.perf_counter() - began
                began = time.perf_counter()
            yield Report(spent, self.decisions, self.win_share())
            began = time.perf_counter()  # testing takes no time from learning

    def win_share(self) -> float:
        """Greedily, against bots that play at random, on deals that it has not trained on."""
        rng, wins, left = Random(f"test {self.wishes.seed}"), 0.0, self.wishes.test_games
        uniform = [bot_called("uniform")]
        seats = [Seat(self.wishes, rng, uniform) for _ in range(min(64, left))]
        while left > 0:
            for seat, values in zip(seats, self.values_at(seats), strict=True):
                seat.act(best_of(seat.view.legal, values))
                if seat.match.is_over:
                    winners = seat.match.winners
                    wins += (seat.seat in winners) / len(winners)
                    left -= 1
                    seat.begin()
        return wins / (self.wishes.test_games - left)


# -- The network, as plain arrays -----------------------------------------------------------------


def weights_of(agent: Any) -> list[Floats]:
    """Weights and biases, layer by layer."""
    layers = [block.layers[0] for block in agent._q_network.model.layers]
    return [np.asarray(part[...]) for layer in layers for part in (layer.kernel, layer.bias)]


def actions_of(game: str) -> int:
    return max(game_called(game).NOTATION) + 1


# -- What is kept ---------------------------------------------------------------------------------


def plot(path: Path, wishes: Wishes, reports: Sequence[Report]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    seconds = [report.seconds for report in reports]
    axes.plot(seconds, [100 * report.win_share for report in reports], marker="o", ms=3)
    axes.axhline(100 / wishes.players, color="grey", linestyle=":", label="even")
    axes.set(
        xlabel="seconds of training",
        ylabel="games won against uniform, %",
        title=f"{wishes.game}, {wishes.players} players: DQN",
    )
    axes.legend()
    figure.savefig(path)


def train(wishes: Wishes, out: Path, picture: Path | None = None) -> list[Report]:
    """Train, tell, and keep the network as it was when it did best."""
    training, reports = Training(wishes), []
    best, weights = 0.0, training.weights
    for report in training.run():
        reports.append(report)
        if report.win_share >= best:
            best, weights = report.win_share, training.weights
        print(
            f"{report.seconds:6.1f} s  {report.decisions:8,} decisions"
            f"  {training.updates:6,} updates  wins {report.win_share:.1%} against uniform",
            flush=True,
        )
    row_agent.save(out, row_agent.Agent(wishes.game, wishes.players, weights))
    if picture is not None:
        plot(picture, wishes, reports)
    return reports


def main() -> None:
    usual = Wishes()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", choices=row_agent.KNOWN_GAMES, default=usual.game)
    parser.add_argument("--players", type=int, default=usual.players)
    parser.add_argument("--against", default="uniform", help="bots, with commas between them")
    parser.add_argument("--minutes", type=float, default=usual.minutes)
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--out", type=Path, default=HERE / "trained" / "agent.npz")
    parser.add_argument("--plot", type=Path, help="a picture of the learning curve")
    given = parser.parse_args()
    wishes = Wishes(
        game=given.game,
        players=given.players,
        against=tuple(given.against.split(",")),
        minutes=given.minutes,
        seed=given.seed,
    )
    train(wishes, given.out, given.plot)


if __name__ == "__main__":
    main()
