"""NFSP in one file: an agent learns 6 nimmt! from nobody but itself, on the compiled vector.

    python examples/train_nfsp.py --minutes 4 --agent agent.pt
    BULLPEN_AGENT=agent.pt bullpen tournament six-nimmt --table examples/train_nfsp.py:choose,careful --option rounds=1

Neural fictitious self-play (Heinrich and Silver, 2016): one net learns the best response to the others, another one what
has been played as a best response on average, and the others play the average, or in a share of the games the best
response.  Here the seat that learns always plays the best response, so that both nets learn from all its decisions.

Needs PyTorch and the extra `envs`; see docs/training.md.  Minutes are those of the processor.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from train_dqn_vector import Learner, Memory, Wishes, lead_and_wins, tables_of, tensors, worths
from train_ppo import CardNet, files, masked, trained

from bullpen.envs.forms import in_form
from bullpen.envs.layouts import layout_of
from bullpen.envs.observing import observe
from bullpen.envs.opponents import Pool
from bullpen.game import Action, Game, View

__all__ = ["choose", "files"]  # what a tournament asks for


@dataclass(frozen=True)
class SelfPlay(Wishes):
    best_others: float = 0.1  # the share of games in which the others play the best response
    kept: int = 100_000  # decisions, of all that were made as likely


class Reservoir:
    """Decisions out of all that ever came, each as likely to be kept."""

    def __init__(self, room: int, length: int, actions: int, seed: int) -> None:
        self.room, self.count, self.rng = room, 0, np.random.default_rng(seed)
        self.seen = torch.zeros((room, length), dtype=torch.float16)
        self.masks = torch.zeros((room, actions), dtype=torch.bool)
        self.actions = torch.zeros(room, dtype=torch.int64)

    def add(self, seen: Tensor, masks: Tensor, actions: Tensor) -> None:
        order = self.count + np.arange(len(seen))
        places = np.where(order < self.room, order, self.rng.integers(0, order + 1))
        taken = torch.from_numpy(np.flatnonzero(places < self.room))
        into = torch.from_numpy(places)[taken]
        self.seen[into], self.masks[into] = seen[taken].half(), masks[taken]
        self.actions[into] = actions[taken]
        self.count += len(seen)

    def sample(self, count: int) -> tuple[Tensor, Tensor, Tensor]:
        at = torch.randint(min(self.count, self.room), (count,))
        return self.seen[at].float(), self.masks[at], self.actions[at]


class Average:
    """The net that learns what has been played as a best response."""

    def __init__(self, net: CardNet, rate: float) -> None:
        self.net, self.rate = net, rate
        self.optimiser = torch.optim.Adam(net.parameters(), lr=rate)

    def choose(self, seen: Any, masks: Any) -> Any:
        """As often as it has learnt; for the others at the table."""
        with torch.no_grad():
            logits = self.net(torch.as_tensor(seen))[0]
            return masked(logits, torch.as_tensor(masks)).sample().numpy()

    def learn(self, seen: Tensor, masks: Tensor, actions: Tensor, left: float) -> None:
        self.optimiser.param_groups[0]["lr"] = self.rate * max(0.05, left)
        loss = nn.functional.cross_entropy(worths(self.net, seen, masks), actions)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()


def train(wishes: SelfPlay, say: Any = print) -> tuple[CardNet, int]:
    """The average of what it has played, and how many decisions it has made."""
    torch.manual_seed(wishes.seed)
    torch.set_num_threads(1)
    form = tables_of(1, wishes.players, "uniform").wished.layout
    learner, average = Learner(CardNet(form), wishes), Average(CardNet(form), wishes.rate)

    def respond(seen: Any, masks: Any) -> Any:
        mask = torch.as_tensor(masks).bool()
        return learner.choose(torch.as_tensor(seen), mask, 0.0).numpy()

    shares = (1 - wishes.best_others, wishes.best_others)
    envs = tables_of(wishes.games, wishes.players, Pool((average.choose, respond), shares))
    seen, masks = tensors(*envs.reset(seed=wishes.seed))
    memory = Memory(wishes.remembered, wishes.games, seen.shape[1], masks.shape[1])
    past = Reservoir(wishes.kept, seen.shape[1], masks.shape[1], wishes.seed)
    budget, decisions, told, testing = 60 * wishes.minutes, 0, 0, 0.0
    start = time.process_time()
    while (spent := time.process_time() - start - testing) < budget:
        explore = max(wishes.explore, 0.5 - spent / budget)
        best = learner.choose(seen, masks, 0.0)
        tried = torch.multinomial(masks.float(), 1)[:, 0]
        actions = torch.where(torch.rand(len(seen)) < explore, tried, best)
        past.add(seen, masks, best)  # what it tried to find out is no part of its policy
        observed, rewards, over, _, infos = envs.step(actions.numpy())
        memory.add(seen, masks, actions, rewards, over)
        seen, masks = tensors(observed, infos)
        decisions += wishes.games
        if memory.count > 1:
            left = 1 - spent / budget
            learner.learn(memory.sample(wishes.batch), left)
            average.learn(*past.sample(wishes.batch), left)
        if spent > told * budget / wishes.reports:
            before, told = time.process_time(), told + 1
            lead, wins = lead_and_wins(average.net, wishes.players)
            say(f"{spent:6.0f} s {decisions:9,} decisions, {lead:+.2f} points a game, {wins:.1%}")
            testing += time.process_time() - before  # takes no time from learning
    return average.net, decisions


# -- As a bot ---------------------------------------------------------------------------------------


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:
    """Each legal action as often as the average says: an equilibrium mixes."""
    form = layout_of(game, view.table.seats, view.table.options)
    seen = in_form("rows", form, view.table.deck, observe(game, view))
    with torch.no_grad():
        logits = trained(form.seats)(torch.from_numpy(seen[None]))[0][0, view.legal]
    return rng.choices(view.legal, logits.softmax(0).tolist())[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agent", default="agent.pt")
    given = parser.parse_args()
    learnt, _ = train(SelfPlay(minutes=given.minutes, seed=given.seed))
    torch.save(learnt.state_dict(), given.agent)
