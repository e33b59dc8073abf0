"""PPO in one file: an agent learns 6 nimmt! against a compiled opponent, in thousands of games at once.

    python examples/train_ppo.py --minutes 4 --agent agent.pt
    BULLPEN_AGENT=agent.pt bullpen tournament six-nimmt --table examples/train_ppo.py:choose,careful --option rounds=1

Needs PyTorch and the extra `envs`; see docs/training.md.  Minutes are those of the processor.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from bullpen.envs.forms import in_form
from bullpen.envs.layouts import Layout, layout_of
from bullpen.envs.observing import observe
from bullpen.envs.rows import OF_CARD, rows_length
from bullpen.envs.vector import vector_env
from bullpen.game import Action, Game, View
from bullpen.games import game_called

GAME, OPTIONS = "six-nimmt", {"rounds": 1}
TASK: dict[str, Any] = {"form": "rows", "reward": "change", "relative": "mean"}
HAND = 10  # the most cards that are looked at: the net judges those in hand, not the whole deck
POINTS = 10.0  # what counts as one


@dataclass(frozen=True)
class Wishes:
    minutes: float = 4.0  # of the processor
    players: int = 2
    against: str = "habit"  # any bot; `habit` and `uniform` are compiled
    games: int = 512  # at once
    steps: int = 32  # of each before the net learns
    epochs: int = 3
    batch: int = 2048
    rate: float = 1e-3
    discount: float = 1.0
    trace: float = 0.9
    clip: float = 0.2
    entropy: float = 0.01
    seed: int = 1


class CardNet(nn.Module):
    """One judgement for all cards: each is seen with its own numbers, those of the rows, and the mean of the hand.
    What is no card (taking a row) is judged from the table as a whole."""

    def __init__(self, form: Layout, width: int = 64) -> None:
        super().__init__()
        self.cards, self.actions = form.cards, form.actions
        plays = {name: action for action, name in game_called(form.game).NOTATION.items()}
        actions = [plays[f"play {card}"] for card in range(1, form.cards + 1)]
        self.register_buffer("action_of", torch.tensor(actions))
        table = rows_length(form) - len(OF_CARD) * form.cards
        self.card = nn.Sequential(
            nn.Linear(len(OF_CARD) + 1 + table, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
        )
        self.worth = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 1))
        self.other = nn.Linear(width + table, form.actions)
        self.value = nn.Sequential(nn.Linear(width + table, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [games, actions] and values [games] of observations [games, length]."""
        split = self.cards * len(OF_CARD)
        cards, table = seen[:, :split].view(len(seen), self.cards, -1), seen[:, split:]
        own, at = cards[:, :, 0].topk(HAND)
        facts = torch.cat(
            [
                cards.gather(1, at[:, :, None].expand(-1, -1, cards.shape[2])),
                (at[:, :, None] + 1) / self.cards,
                table[:, None].expand(-1, HAND, -1),
            ],
            dim=2,
        )
        known = self.card(facts) * own[:, :, None]
        hand = known.sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        whole = torch.cat([hand, table], 1)
        worth = self.worth(torch.cat([known, hand[:, None].expand_as(known)], 2))[:, :, 0]
        logits = self.other(whole).scatter(1, self.action_of[at], worth)
        return logits, self.value(whole)[:, 0]


def masked(logits: Tensor, mask: Tensor) -> Categorical:
    return Categorical(logits=logits.masked_fill(mask == 0, -1e9), validate_args=False)


def train(wishes: Wishes, say: Any = print) -> tuple[CardNet, int]:
    """The net, and how many decisions it has made."""
    torch.manual_seed(wishes.seed)
    torch.set_num_threads(1)
    envs = vector_env(
        GAME, wishes.games, wishes.players, seat=0, level=wishes.against, jobs=1, **OPTIONS, **TASK
    )
    net = CardNet(envs.wished.layout)
    optimiser = torch.optim.Adam(net.parameters(), lr=wishes.rate, eps=1e-5)
    seen, infos = envs.reset(seed=wishes.seed)
    shape, start, decisions = (wishes.steps, wishes.games), time.process_time(), 0
    observations = torch.zeros((*shape, seen.shape[1]))
    masks = torch.zeros((*shape, infos["action_mask"].shape[1]), dtype=torch.int8)
    actions = torch.zeros(shape, dtype=torch.int64)
    chances, rewards, dones, values = (torch.zeros(shape) for _ in range(4))
    while (spent := time.process_time() - start) < 60 * wishes.minutes:
        optimiser.param_groups[0]["lr"] = wishes.rate * max(0.05, 1 - spent / 60 / wishes.minutes)
        for step in range(wishes.steps):
            observations[step] = torch.from_numpy(seen)
            masks[step] = torch.from_numpy(infos["action_mask"])
            with torch.no_grad():
                logits, values[step] = net(observations[step])
                chosen = masked(logits, masks[step])
                actions[step] = chosen.sample()
                chances[step] = chosen.log_prob(actions[step])
            seen, earned, over, _, infos = envs.step(actions[step].numpy())
            rewards[step] = torch.from_numpy(earned).float() / POINTS
            dones[step] = torch.from_numpy(over).float()
        with torch.no_grad():
            later = net(torch.from_numpy(seen))[1]
        advantages, ahead = torch.zeros(shape), torch.zeros(wishes.games)
        for step in reversed(range(wishes.steps)):
            goes_on = 1 - dones[step]
            surprise = rewards[step] + wishes.discount * later * goes_on - values[step]
            ahead = surprise + wishes.discount * wishes.trace * goes_on * ahead
            advantages[step], later = ahead, values[step]
        returns = (advantages + values).flatten()
        flat = [of.flatten(0, 1) for of in (observations, masks, actions, chances, advantages)]
        decisions += actions.numel()
        for _ in range(wishes.epochs):
            for some in torch.randperm(actions.numel()).split(wishes.batch):
                learn(net, optimiser, wishes, [of[some] for of in flat], returns[some])
        say(f"{spent:6.0f} s {decisions:9,} decisions, {POINTS * rewards.mean():+.3f} points each")
    return net, decisions


def learn(
    net: CardNet, optimiser: Any, wishes: Wishes, some: list[Tensor], returns: Tensor
) -> None:
    """One step of PPO's clipped objective."""
    observations, masks, actions, chances, advantages = some
    logits, values = net(observations)
    chosen = masked(logits, masks)
    ratio = (chosen.log_prob(actions) - chances).exp()
    gain = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    clipped = ratio.clamp(1 - wishes.clip, 1 + wishes.clip)
    loss = -torch.min(gain * ratio, gain * clipped).mean()
    loss = loss + 0.5 * (returns - values).square().mean()
    loss = loss - wishes.entropy * chosen.entropy().mean()
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    optimiser.step()


# -- As a bot ---------------------------------------------------------------------------------------


def files() -> list[str]:
    """What it plays by besides this code: after another training it is another bot."""
    return [os.environ.get("BULLPEN_AGENT", "agent.pt")]


@cache
def trained(players: int) -> CardNet:
    net = CardNet(layout_of(game_called(GAME), players, OPTIONS))
    net.load_state_dict(torch.load(*files(), weights_only=True))
    torch.set_num_threads(1)
    return net


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:  # noqa: ARG001
    """The action that its network takes for the best one."""
    form = layout_of(game, view.table.seats, view.table.options)
    seen = in_form("rows", form, view.table.deck, observe(game, view))
    with torch.no_grad():
        logits = trained(form.seats)(torch.from_numpy(seen[None]))[0][0].numpy()
    legal = np.array(view.legal)
    return int(legal[logits[legal].argmax()])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--against", default="habit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agent", default="agent.pt")
    given = parser.parse_args()
    learnt, _ = train(Wishes(minutes=given.minutes, against=given.against, seed=given.seed))
    torch.save(learnt.state_dict(), given.agent)
