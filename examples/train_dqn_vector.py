"""Double DQN in one file, on the compiled vector: the agent learns 6 nimmt! in hundreds of games at once.

    python examples/train_dqn_vector.py --minutes 4 --agent agent.pt
    BULLPEN_AGENT=agent.pt bullpen tournament six-nimmt --table examples/train_ppo.py:choose,careful --option rounds=1

Needs PyTorch and the extra `envs`; see docs/training.md.  Minutes are those of the processor.  The net is that of
`train_ppo.py`, which also plays it as a bot: what PPO takes for preferences are worths here.
"""

from __future__ import annotations

import argparse
import time
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from train_ppo import GAME, OPTIONS, POINTS, TASK, CardNet

from bullpen.envs.vector import vector_env

TEST_GAMES = 512


@dataclass(frozen=True)
class Wishes:
    minutes: float = 4.0  # of the processor
    players: int = 2
    against: str = "habit"  # any bot; `habit` and `uniform` are compiled
    games: int = 256  # at once
    remembered: int = 256  # steps of each of them
    batch: int = 512
    lessons: int = 1  # after each step of all games
    rate: float = 1e-3
    discount: float = 0.9
    explore: float = 0.05  # in the end; at first in half of the decisions, and less and less
    follow: float = 0.02  # how much of the way the net that is aimed at follows with each lesson
    seed: int = 1
    reports: int = 12


class Steps(NamedTuple):
    """Decisions of many games, and what came of them."""

    seen: Tensor
    masks: Tensor
    actions: Tensor
    rewards: Tensor
    ends: Tensor
    later: Tensor  # what was seen at the next decision
    later_masks: Tensor


class Memory:
    """The last steps of all games, as a ring: what follows a step of a game is its next one."""

    def __init__(self, steps: int, games: int, length: int, actions: int) -> None:
        self.steps, self.games, self.count = steps, games, 0
        self.seen = torch.zeros((steps, games, length), dtype=torch.float16)
        self.masks = torch.zeros((steps, games, actions), dtype=torch.bool)
        self.actions = torch.zeros((steps, games), dtype=torch.int64)
        self.rewards = torch.zeros((steps, games))
        self.ends = torch.zeros((steps, games), dtype=torch.bool)

    def add(self, seen: Tensor, masks: Tensor, actions: Tensor, rewards: Any, ends: Any) -> None:
        at = self.count % self.steps
        self.seen[at], self.masks[at], self.actions[at] = seen, masks, actions
        self.rewards[at] = torch.from_numpy(rewards) / POINTS
        self.ends[at] = torch.from_numpy(ends)
        self.count += 1

    def sample(self, count: int) -> Steps:
        """Of any but the newest step, since nothing is known to follow it."""
        ages = torch.randint(2, min(self.count, self.steps) + 1, (count,))
        at, game = (self.count - ages) % self.steps, torch.randint(self.games, (count,))
        after = (at + 1) % self.steps
        return Steps(
            self.seen[at, game].float(),
            self.masks[at, game],
            self.actions[at, game],
            self.rewards[at, game],
            self.ends[at, game],
            self.seen[after, game].float(),
            self.masks[after, game],
        )


class Learner:
    """The net that judges, the net that it aims at, and its lessons."""

    def __init__(self, net: CardNet, wishes: Wishes) -> None:
        self.net, self.aim, self.wishes = net, deepcopy(net), wishes
        self.optimiser = torch.optim.Adam(net.parameters(), lr=wishes.rate)

    def choose(self, seen: Tensor, masks: Tensor, explore: float) -> Tensor:
        """The best of the legal actions, or now and then any of them."""
        with torch.no_grad():
            best = worths(self.net, seen, masks).argmax(1)
        anything = torch.multinomial(masks.float(), 1)[:, 0]
        return torch.where(torch.rand(len(seen)) < explore, anything, best)

    def learn(self, some: Steps, left: float) -> None:
        """One step towards what came of decisions and what is aimed at behind them."""
        self.optimiser.param_groups[0]["lr"] = self.wishes.rate * max(0.05, left)
        with torch.no_grad():
            best = worths(self.net, some.later, some.later_masks).argmax(1, keepdim=True)
            aimed = worths(self.aim, some.later, some.later_masks)
            ahead = self.wishes.discount * aimed.gather(1, best)[:, 0] * ~some.ends
        judged = worths(self.net, some.seen, some.masks)
        worth = judged.gather(1, some.actions[:, None])[:, 0]
        loss = nn.functional.smooth_l1_loss(worth, some.rewards + ahead)
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        with torch.no_grad():
            for aimed_at, own in zip(self.aim.parameters(), self.net.parameters(), strict=True):
                aimed_at.lerp_(own, self.wishes.follow)


def worths(net: CardNet, seen: Tensor, masks: Tensor) -> Tensor:
    """What the hand is worth, and by how much each action is better than the mean of the legal ones (duelling)."""
    better, value = net(seen)
    mean = (better * masks).sum(1) / masks.sum(1)
    worth: Tensor = better + (value - mean)[:, None]
    return worth.masked_fill(~masks, -1e9)


def tables_of(games: int, players: int, against: Any) -> Any:
    wishes: dict[str, Any] = {**OPTIONS, **TASK, "level": against}
    return vector_env(GAME, games, players, seat=0, jobs=1, **wishes)


def tensors(seen: Any, infos: dict[str, Any]) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(seen), torch.from_numpy(infos["action_mask"]).bool()


def lead_and_wins(net: CardNet, players: int) -> tuple[float, float]:
    """What it leads by in a game, and the share that it wins, on deals that it has not learnt from; it plays what
    it thinks best."""
    envs = tables_of(TEST_GAMES, players, "habit")
    seen, masks = tensors(*envs.reset(seed=999))
    leads, first = np.zeros(TEST_GAMES), np.ones(TEST_GAMES, bool)
    while first.any():
        with torch.no_grad():
            actions = worths(net, seen, masks).argmax(1)
        observed, rewards, over, _, infos = envs.step(actions.numpy())
        seen, masks = tensors(observed, infos)
        leads += np.where(first, rewards, 0.0)
        first &= ~over
    return float(leads.mean()), float(((leads > 0) + (leads == 0) / 2).mean())


def train(wishes: Wishes, say: Any = print) -> tuple[CardNet, int]:
    """The net, and how many decisions it has made."""
    torch.manual_seed(wishes.seed)
    torch.set_num_threads(1)
    envs = tables_of(wishes.games, wishes.players, wishes.against)
    learner = Learner(CardNet(envs.wished.layout), wishes)
    seen, masks = tensors(*envs.reset(seed=wishes.seed))
    memory = Memory(wishes.remembered, wishes.games, seen.shape[1], masks.shape[1])
    budget, decisions, told, testing = 60 * wishes.minutes, 0, 0, 0.0
    start = time.process_time()
    while (spent := time.process_time() - start - testing) < budget:
        explore = max(wishes.explore, 0.5 - spent / budget)
        actions = learner.choose(seen, masks, explore)
        observed, rewards, over, _, infos = envs.step(actions.numpy())
        memory.add(seen, masks, actions, rewards, over)
        seen, masks = tensors(observed, infos)
        decisions += wishes.games
        for _ in range(wishes.lessons if memory.count > 1 else 0):
            learner.learn(memory.sample(wishes.batch), 1 - spent / budget)
        if spent > told * budget / wishes.reports:
            before, told = time.process_time(), told + 1
            lead, wins = lead_and_wins(learner.net, wishes.players)
            say(f"{spent:6.0f} s {decisions:9,} decisions, {lead:+.2f} points a game, {wins:.1%}")
            testing += time.process_time() - before  # takes no time from learning
    return learner.net, decisions


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--against", default="habit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agent", default="agent.pt")
    given = parser.parse_args()
    learnt, _ = train(Wishes(minutes=given.minutes, against=given.against, seed=given.seed))
    torch.save(learnt.state_dict(), given.agent)
