"""Tianshou: its PPO on the compiled vector, hundreds of games in one environment.

    python examples/train_tianshou.py --minutes 4 --agent agent.pt
    BULLPEN_AGENT=agent.pt bullpen tournament six-nimmt --table examples/train_ppo.py:choose,careful --option rounds=1

Needs PyTorch, tianshou and the extra `envs`; see docs/training.md.  `Tables` is all that lies between the two: it serves
every game.  The mask stands behind each observation.  The net is that of `train_ppo.py`, which also plays it as a bot.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import BaseVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step
from torch import Tensor, nn
from train_ppo import GAME, OPTIONS, POINTS, TASK, CardNet

from bullpen.envs.layouts import Layout
from bullpen.envs.vector import vector_env


class Tables(BaseVectorEnv):  # type: ignore[misc]
    """The vector as Tianshou knows one.  It is told which games begin anew, so they do not by themselves."""

    def __init__(self, game: str, num_envs: int, *, seed: int = 1, **wishes: Any) -> None:
        self.envs = vector_env(game, num_envs, autoreset_mode="Disabled", **wishes)
        self.envs.reset(seed=seed)
        self.env_num, self.is_async, self.is_closed = num_envs, False, False

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        single = getattr(self.envs, f"single_{key}", None) or getattr(self.envs, key)
        return [single] * len(self._wrap_id(id))

    def seed(self, seed: Any = None) -> list[Any]:
        self.envs.reset(seed=seed)
        return [seed] * self.env_num

    def reset(self, env_id: Any = None, **kwargs: Any) -> tuple[Any, Any]:  # noqa: ARG002
        games = np.asarray(self._wrap_id(env_id))
        wanted = np.zeros(self.env_num, np.bool_)
        wanted[games] = True
        seen, infos = self.envs.reset(options={"reset_mask": wanted})
        return with_masks(seen, infos)[games], nothing_to_tell(len(games))

    def step(self, action: Any, id: Any = None) -> tuple[Any, ...]:
        games = self._wrap_id(id)
        if len(games) != self.env_num:
            raise NotImplementedError("the games of a vector take their steps together")
        seen, rewards, over, cut, infos = self.envs.step(np.asarray(action))
        told = nothing_to_tell(self.env_num)
        return with_masks(seen, infos), rewards / POINTS, over.copy(), cut, told

    def close(self) -> None:
        self.envs.close()
        self.is_closed = True


def with_masks(seen: Any, infos: dict[str, Any]) -> Any:
    return np.concatenate([seen, infos["action_mask"]], axis=1, dtype=np.float32)


def nothing_to_tell(games: int) -> Any:
    return np.array([{} for _ in range(games)])


class Judgement(nn.Module):
    """The net, asked for one of its two answers."""

    def __init__(self, net: CardNet) -> None:
        super().__init__()
        self.net = net

    def split(self, seen: Any) -> tuple[Tensor, Tensor]:
        both = torch.as_tensor(seen, dtype=torch.float32)
        return both[:, : -self.net.actions], both[:, -self.net.actions :]


class Actor(Judgement):
    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:  # noqa: ARG002
        seen, mask = self.split(obs)
        return self.net(seen)[0].masked_fill(mask == 0, -1e9), state


class Critic(Judgement):
    def forward(self, obs: Any, **_: Any) -> Tensor:
        values: Tensor = self.net(self.split(obs)[0])[1]
        return values[:, None]


def learner(form: Layout, tables: Tables, rate: float) -> PPO:
    net = CardNet(form)
    policy = DiscreteActorPolicy(actor=Actor(net), action_space=tables.envs.single_action_space)
    return PPO(
        policy=policy,
        critic=Critic(net),
        optim=AdamOptimizerFactory(lr=rate),
        ent_coef=0.01,
        max_grad_norm=0.5,
        gae_lambda=0.9,
        gamma=1.0,
        max_batchsize=2048,
    )


def train(
    minutes: float,
    *,
    players: int = 2,
    against: str = "habit",
    games: int = 512,
    steps: int = 32,
    seed: int = 1,
) -> tuple[CardNet, int]:
    """The net after so many minutes of the processor, and how many decisions it has made."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    wishes = {"players": players, "seat": 0, "level": against, "jobs": 1, **OPTIONS, **TASK}
    tables = Tables(GAME, games, seed=seed, **wishes)
    ppo = learner(tables.envs.wished.layout, tables, 1e-3)
    collector = Collector(ppo, tables, VectorReplayBuffer(games * steps, games))
    collector.reset()
    begun, decisions = time.process_time(), 0
    while time.process_time() - begun < 60 * minutes:
        with policy_within_training_step(ppo.policy):
            decisions += collector.collect(n_step=games * steps).n_collected_steps
            ppo.update(collector.buffer, batch_size=2048, repeat=3)
        collector.reset_buffer(keep_statistics=True)
    return ppo.policy.actor.net, decisions


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--against", default="habit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agent", type=Path, default=Path("agent.pt"))
    given = parser.parse_args()
    learnt, made = train(given.minutes, against=given.against, seed=given.seed)
    print(f"{made:,} decisions")
    torch.save(learnt.state_dict(), given.agent)
