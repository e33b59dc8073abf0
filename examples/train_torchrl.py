"""TorchRL: its PPO on the compiled vector, hundreds of games in one environment.

    python examples/train_torchrl.py --minutes 4 --agent agent.pt
    BULLPEN_AGENT=agent.pt bullpen tournament six-nimmt --table examples/train_ppo.py:choose,careful --option rounds=1

Needs PyTorch, torchrl and the extra `envs`; see docs/training.md.  `Tables` is all that lies between the two: it serves
every game.  The net is that of `train_ppo.py`, which also plays it as a bot.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE
from train_ppo import GAME, OPTIONS, POINTS, TASK, CardNet

from bullpen.envs.vector import vector_env


class Tables(EnvBase):  # type: ignore[misc]
    """The vector as TorchRL knows an environment of many games.  It is told which of them begin anew, so they do not by
    themselves."""

    def __init__(self, game: str, num_envs: int, **wishes: Any) -> None:
        super().__init__(device="cpu", batch_size=[num_envs])
        self.envs = vector_env(game, num_envs, autoreset_mode="Disabled", **wishes)
        (length,), actions = (
            self.envs.single_observation_space.shape,
            self.envs.wished.layout.actions,
        )
        self.observation_spec = Composite(
            observation=Unbounded((num_envs, length)),
            action_mask=Binary(n=actions, shape=(num_envs, actions), dtype=torch.bool),
            shape=(num_envs,),
        )
        self.action_spec = Categorical(actions, shape=(num_envs,))
        self.reward_spec = Unbounded((num_envs, 1))
        self._seed: int | None = None

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed

    def _reset(self, tensordict: TensorDict | None = None, **_: Any) -> TensorDict:
        wanted = None if tensordict is None else tensordict.get("_reset", None)
        if wanted is None:
            seen, infos = self.envs.reset(seed=self._seed)
            self._seed = None
        else:
            mask = wanted.reshape(self.num_envs).numpy()
            seen, infos = self.envs.reset(options={"reset_mask": mask})
        return self._shown(seen, infos, np.zeros(self.num_envs, np.bool_))

    def _step(self, tensordict: TensorDict) -> TensorDict:
        seen, rewards, over, cut, infos = self.envs.step(tensordict["action"].numpy())
        shown = self._shown(seen, infos, over | cut)
        shown["terminated"] = torch.from_numpy(over.copy())[:, None]
        shown["reward"] = torch.from_numpy(rewards / POINTS).float()[:, None]
        return shown

    def _shown(self, seen: Any, infos: dict[str, Any], done: Any) -> TensorDict:
        ended = torch.from_numpy(done)[:, None]
        shown = {
            "observation": torch.from_numpy(seen).float(),
            "action_mask": torch.from_numpy(infos["action_mask"]) > 0,
            "done": ended,
            "terminated": ended.clone(),
        }
        return TensorDict(shown, batch_size=self.batch_size)

    @property
    def num_envs(self) -> int:
        return int(self.batch_size[0])


class Flat(nn.Module):
    """The net for any number of leading dimensions: TorchRL asks with [games, steps, length], too."""

    def __init__(self, net: CardNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, seen: Any) -> tuple[Any, Any]:
        logits, values = self.net(seen.flatten(0, -2))
        return logits.unflatten(0, seen.shape[:-1]), values.reshape(*seen.shape[:-1], 1)


def policy_of(net: CardNet) -> tuple[ProbabilisticActor, TensorDictModule]:
    """Who acts and who judges, with the same weights."""
    actor = ProbabilisticActor(
        TensorDictModule(Flat(net), ["observation"], ["logits", "_"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        distribution_kwargs={"neg_inf": -1e9},
        return_log_prob=True,
    )
    return actor, TensorDictModule(Flat(net), ["observation"], ["_", "state_value"])


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
    tables = Tables(GAME, games, players=players, seat=0, level=against, jobs=1, **OPTIONS, **TASK)
    tables.set_seed(seed)
    net = CardNet(tables.envs.wished.layout)
    actor, critic = policy_of(net)
    loss = ClipPPOLoss(
        actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True
    )
    advantage = GAE(gamma=1.0, lmbda=0.9, value_network=critic)
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-5)
    collector = Collector(
        tables,
        actor,
        frames_per_batch=games * steps,
        total_frames=-1,
        auto_register_policy_transforms=False,
    )
    begun, decisions = time.process_time(), 0
    for batch in collector:
        with torch.no_grad():
            advantage(batch)
        flat = batch.reshape(-1)
        decisions += len(flat)
        for _ in range(3):
            for some in torch.randperm(len(flat)).split(2048):
                parts = loss(flat[some])
                total = sum(parts[f"loss_{part}"] for part in ("objective", "critic", "entropy"))
                optimiser.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimiser.step()
        if time.process_time() - begun > 60 * minutes:
            break
    collector.shutdown()
    return net, decisions


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
