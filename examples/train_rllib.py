"""RLlib: its PPO on the compiled vector, hundreds of games in one environment.

    python examples/train_rllib.py --minutes 4 --agent agent.pt
    BULLPEN_AGENT=agent.pt bullpen tournament six-nimmt --table examples/train_ppo.py:choose,careful --option rounds=1

Needs PyTorch, ray[rllib] and the extra `envs`; see docs/training.md.  `WithMasks` is all that lies between the two: it
serves every game.  The mask stands behind each observation.  The net is that of `train_ppo.py`, which also plays it as a
bot.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import ray
import torch
from gymnasium import spaces
from gymnasium.vector import VectorWrapper
from gymnasium.vector.utils import batch_space
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.tune.registry import register_env
from train_ppo import GAME, OPTIONS, POINTS, TASK, CardNet

from bullpen.envs.layouts import layout_of
from bullpen.envs.vector import vector_env
from bullpen.games import game_called

TABLES = "bullpen_tables"


class WithMasks(VectorWrapper):  # type: ignore[type-arg]
    """The vector as RLlib takes one: masks behind the observations, rewards small, a new deal in the next step."""

    def __init__(self, game: str, num_envs: int, **wishes: Any) -> None:
        super().__init__(vector_env(game, num_envs, autoreset_mode="NextStep", **wishes))
        seen: Any = self.env.single_observation_space
        low, high = (
            np.concatenate([bound, np.full(self.env.single_action_space.n, mask)])
            for bound, mask in ((seen.low, 0), (seen.high, 1))
        )
        self.single_observation_space = spaces.Box(low.astype("f4"), high.astype("f4"))
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(self, **wishes: Any) -> tuple[Any, dict[str, Any]]:
        seen, infos = self.env.reset(**wishes)
        return self._with_masks(seen, infos), {}

    def step(self, actions: Any) -> Any:
        seen, rewards, over, cut, infos = self.env.step(np.asarray(actions))
        return self._with_masks(seen, infos), rewards / POINTS, over.copy(), cut, {}

    def _with_masks(self, seen: Any, infos: dict[str, Any]) -> Any:
        return np.concatenate([seen, infos["action_mask"]], axis=1, dtype=np.float32)


class CardModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """`CardNet` as RLlib knows a module."""

    def setup(self) -> None:
        self.net = CardNet(layout_of(game_called(GAME), self.model_config["players"], OPTIONS))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen, mask = self.split(batch)
        logits = self.net(seen)[0].masked_fill(mask == 0, -1e9)
        return {Columns.ACTION_DIST_INPUTS: logits}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:  # noqa: ARG002
        return self.net(self.split(batch)[0])[1]

    def split(self, batch: dict[str, Any]) -> tuple[Any, Any]:
        both = batch[Columns.OBS]
        return both[:, : -self.net.actions], both[:, -self.net.actions :]


def make_tables(words: Any) -> WithMasks:
    """`words` are what RLlib hands on: the task, and how many games."""
    return WithMasks(GAME, **{"num_envs": 1, **words})


def plan(players: int, against: str, games: int, steps: int, seed: int) -> Any:
    """One process that plays and learns: the games are quick enough."""
    register_env(TABLES, make_tables)
    task = {"players": players, "seat": 0, "level": against, "jobs": 1, **OPTIONS, **TASK}
    return (
        PPOConfig()
        .environment(TABLES, env_config=task)
        .env_runners(
            num_env_runners=0,
            num_envs_per_env_runner=games,
            gym_env_vectorize_mode="vector_entry_point",
            rollout_fragment_length=steps,
        )
        .learners(num_learners=0)
        .rl_module(
            rl_module_spec=RLModuleSpec(module_class=CardModule, model_config={"players": players})
        )
        .training(
            train_batch_size=games * steps,
            minibatch_size=min(2048, games * steps),
            num_epochs=3,
            lr=1e-3,
            gamma=1.0,
            lambda_=0.9,
            clip_param=0.2,
            vf_loss_coeff=0.5,
            entropy_coeff=0.01,
            grad_clip=0.5,
            use_kl_loss=False,
        )
        .debugging(seed=seed, log_level="ERROR")
    )


def train(
    minutes: float,
    *,
    players: int = 2,
    against: str = "habit",
    games: int = 256,
    steps: int = 32,
    seed: int = 1,
) -> tuple[CardNet, int]:
    """The net after so many minutes of the processor, and how many decisions it has made."""
    torch.set_num_threads(1)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        ppo = plan(players, against, games, steps, seed).build_algo()
        begun, decisions = time.process_time(), 0
        while time.process_time() - begun < 60 * minutes:
            told = ppo.train()
            decisions = int(told["env_runners"]["num_env_steps_sampled_lifetime"])
        weights = ppo.get_module().net.state_dict()
        ppo.stop()
    finally:
        ray.shutdown()
    net = CardNet(layout_of(game_called(GAME), players, OPTIONS))
    net.load_state_dict(weights)
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
