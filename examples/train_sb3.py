"""Stable-Baselines3: MaskablePPO on the compiled vector, hundreds of games in one environment.

    python examples/train_sb3.py --minutes 4 --agent agent.pt
    BULLPEN_AGENT=agent.pt bullpen tournament six-nimmt --table examples/train_ppo.py:choose,careful --option rounds=1

Needs PyTorch, stable-baselines3, sb3-contrib and the extra `envs`; see docs/training.md.  `Tables` is all that lies
between the two: it serves every game and every algorithm of Stable-Baselines3.  The net is that of `train_ppo.py`,
which also plays it as a bot.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv, VecMonitor
from torch import Tensor, nn
from train_ppo import GAME, OPTIONS, POINTS, TASK, CardNet

from bullpen.envs.layouts import layout_of
from bullpen.envs.vector import vector_env
from bullpen.games import game_called


class Tables(VecEnv):  # type: ignore[misc]
    """The vector as Stable-Baselines3 knows one.  Masks are asked for with `action_masks`."""

    def __init__(self, game: str, num_envs: int, **wishes: Any) -> None:
        self.envs = vector_env(game, num_envs, **wishes)
        super().__init__(
            num_envs, self.envs.single_observation_space, self.envs.single_action_space
        )
        self._seed: int | None = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> Any:
        seen, _ = self.envs.reset(seed=self._seed)
        self._seed = None
        return seen

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> Any:
        seen, rewards, over, cut, infos = self.envs.step(self._actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for at in np.flatnonzero(over | cut):
            told[at]["terminal_observation"] = infos["final_obs"][at]
            told[at]["TimeLimit.truncated"] = bool(cut[at])
        return seen, (rewards / POINTS).astype(np.float32), over | cut, told

    def env_method(self, method_name: str, *words: Any, indices: Any = None, **named: Any) -> Any:
        return list(getattr(self.envs, method_name)(*words, **named)[self._which(indices)])

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs, attr_name)] * len(self._which(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError("the games of a vector share their settings")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ARG002
        return [False] * len(self._which(indices))

    def _which(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))

    def close(self) -> None:
        self.envs.close()


class ByCards(nn.Module):
    """`CardNet` as the part of a policy that comes before actions and values."""

    def __init__(self, players: int) -> None:
        super().__init__()
        form = layout_of(game_called(GAME), players, OPTIONS)
        self.net = CardNet(form)
        self.latent_dim_pi, self.latent_dim_vf = form.actions, 1

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        logits, values = self.net(seen)
        return logits, values[:, None]

    def forward_actor(self, seen: Tensor) -> Tensor:
        return self(seen)[0]

    def forward_critic(self, seen: Tensor) -> Tensor:
        return self(seen)[1]


class CardPolicy(MaskableActorCriticPolicy):  # type: ignore[misc]
    """Nothing is left to do after the net: what it gives are logits and values."""

    def __init__(self, *words: Any, players: int = 2, **named: Any) -> None:
        self.players = players
        super().__init__(*words, **{**named, "ortho_init": False})

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = ByCards(self.players)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net, self.value_net = nn.Identity(), nn.Identity()
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )


class Minutes(BaseCallback):  # type: ignore[misc]
    """Ends the training after so many minutes of the processor; lets the rate fall until then."""

    def __init__(self, minutes: float, rate: float) -> None:
        super().__init__()
        self.seconds, self.rate, self.begun = 60 * minutes, rate, time.process_time()

    def _on_step(self) -> bool:
        return time.process_time() - self.begun < self.seconds

    def _on_rollout_end(self) -> None:
        left = max(0.05, 1 - (time.process_time() - self.begun) / self.seconds)
        self.model.lr_schedule = lambda _: self.rate * left


def train(
    minutes: float, *, players: int = 2, against: str = "habit", games: int = 512, seed: int = 1
) -> MaskablePPO:
    """An agent after so many minutes of the processor."""
    torch.set_num_threads(1)
    tables = Tables(GAME, games, players=players, seat=0, level=against, jobs=1, **OPTIONS, **TASK)
    agent = MaskablePPO(
        CardPolicy,
        VecMonitor(tables),
        policy_kwargs={"players": players},
        n_steps=32,
        batch_size=2048,
        n_epochs=3,
        learning_rate=1e-3,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=0.01,
        seed=seed,
        device="cpu",
    )
    return agent.learn(10**9, callback=Minutes(minutes, 1e-3))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--against", default="habit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agent", type=Path, default=Path("agent.pt"))
    given = parser.parse_args()
    learnt = train(given.minutes, against=given.against, seed=given.seed)
    print(f"{learnt.num_timesteps:,} decisions")
    torch.save(learnt.policy.mlp_extractor.net.state_dict(), given.agent)
