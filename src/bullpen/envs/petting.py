"""The games in PettingZoo: seats one after the other (`aec_env`), or all at once (`parallel_env`).

>>> env = aec_env("x-nimmt", players=3)
>>> env.reset(seed=7)
>>> observation, reward, termination, truncation, info = env.last()
>>> env.agent_selection, sorted(observation), int(observation["action_mask"].sum())
('seat_0', ['action_mask', 'observation'], 8)

A secret choice is a commit in the one and simultaneous in the other: nobody's observation tells that,
or what, another seat has chosen, before all have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bullpen.cards import Problem
from bullpen.envs import missing

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv

    from bullpen.envs.chance import Chance, wanted_shuffles
    from bullpen.envs.drawing import render
    from bullpen.envs.forms import observation_box
    from bullpen.envs.playing import PLAYERS, Play, Setting, check_choice, setting
    from bullpen.envs.twin_play import play_of
except ModuleNotFoundError as error:
    raise missing(error, "envs") from None

from bullpen.game import Seat

Agent = str  # "seat_0", "seat_1", …
Observed = dict[str, Any]  # "observation" and "action_mask"


def aec_env(
    game: str, players: int = PLAYERS, *, render_mode: str | None = None, **wishes: Any
) -> SeatsInTurn:
    """One seat after the other; what can be wished for: `playing.setting`."""
    return SeatsInTurn(setting(game, players, **wishes), render_mode)


def parallel_env(
    game: str, players: int = PLAYERS, *, render_mode: str | None = None, **wishes: Any
) -> SeatsAtOnce:
    """All seats at once; a seat that has nothing to decide passes."""
    return SeatsAtOnce(setting(game, players, **wishes), render_mode)


class Seats:
    """What both kinds have: agents, spaces, chance and pictures."""

    def __init__(self, wished: Setting, render_mode: str | None, actions: int) -> None:
        if render_mode is not None:
            check_choice("render_mode", render_mode)
        self.wished, self.render_mode = wished, render_mode
        self.metadata = {
            "name": f"bullpen_{wished.rules.ID.replace('-', '_')}_v0",
            "render_modes": ["ansi", "rgb_array", "human"],
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(wished.players)]
        self.agents: list[Agent] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_box(wished.layout, wished.form, wished.history),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._state_space = observation_box(wished.layout, wished.form, wished.history)
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._chance = Chance()
        self._play: Play | None = None

    def observation_space(self, agent: Agent) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: Agent) -> Any:
        return self._action_spaces[agent]

    @property
    def play(self) -> Play:
        if self._play is None:
            raise Problem("env_not_reset")
        return self._play

    def deal(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """A new game; without a seed, the next one of the same chance."""
        chance = self._chance if seed is None else Chance(seed)
        chance.expect(wanted_shuffles(options))
        self._play, self._chance = play_of(self.wished, chance), chance
        self.agents = self.possible_agents[:]

    def state(self) -> Any:
        """The whole table, which no seat knows; laid out as an observation of seat 0."""
        return self.play.state()

    @property
    def state_space(self) -> Any:
        return self._state_space

    def render(self) -> Any:
        """The whole table, all cards open."""
        if self.render_mode is None:
            raise Problem("env_no_render_mode")
        play = self.play
        return render(play.rules, play.table, play.table.lying, play.waiting_for, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """There is no window to close."""


class SeatsInTurn(Seats, AECEnv[Agent, Observed, int]):
    """`agent_selection` decides; in a secret choice the lowest seat that has not chosen yet."""

    def __init__(self, wished: Setting, render_mode: str | None) -> None:
        super().__init__(wished, render_mode, wished.layout.actions)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deal(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.play.actor]
        self._show()

    def observe(self, agent: Agent) -> Observed:
        observation, mask = self.play.shown(self._seats[agent])
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        play, agent = self.play, self.agent_selection  # without a game there is no agent
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        rewards = play.act(self._seats[agent], action)
        self._cumulative_rewards[agent] = 0.0
        if any(rewards):
            self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
            self._accumulate_rewards()
        elif any(self.rewards.values()):
            self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        if play.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[play.actor]
        self._show()


class SeatsAtOnce(Seats, ParallelEnv[Agent, Observed, int]):
    """All seats that must decide do so in one step.  The action after the game's own ones is a pass: the
    only one of a seat that has nothing to decide, which may also be left out of a step."""

    def __init__(self, wished: Setting, render_mode: str | None) -> None:
        self.pass_action = wished.layout.actions
        super().__init__(wished, render_mode, wished.layout.actions + 1)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Agent, Observed], dict[Agent, dict[str, Any]]]:
        self.deal(seed, options)
        self._show()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[Agent, int]
    ) -> tuple[
        dict[Agent, Observed],
        dict[Agent, float],
        dict[Agent, bool],
        dict[Agent, bool],
        dict[Agent, dict[str, Any]],
    ]:
        """An illegal action anywhere changes nothing."""
        chosen = self._checked(actions)
        total = [0.0] * self.wished.players
        for seat, action in chosen.items():
            rewards = self.play.act(seat, action)
            total = [sum(both) for both in zip(total, rewards, strict=True)]
        agents, over = self.agents, self.play.is_over
        observations = self._observations()
        if over:
            self.agents = []
        self._show()
        return (
            observations,
            dict(zip(self.possible_agents, total, strict=True)) if agents else {},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def _checked(self, actions: Mapping[Agent, int]) -> dict[Seat, int]:
        """The choices of those who must decide; the others may only pass."""
        play = self.play
        deciding = play.waiting_for
        chosen: dict[Seat, int] = {}
        for seat, agent in enumerate(self.possible_agents):
            if seat in deciding:
                if agent not in actions:
                    raise Problem("env_action_missing", agent=agent)
                chosen[seat] = play.check(seat, actions[agent])
            elif agent in actions and actions[agent] != self.pass_action:
                raise Problem("env_not_deciding", agent=agent, passing=self.pass_action)
        return chosen

    def _observations(self) -> dict[Agent, Observed]:
        play = self.play
        observed = {}
        for seat, agent in enumerate(self.possible_agents if self.agents else ()):
            observation, legal = play.shown(seat)
            mask = np.zeros(self.pass_action + 1, np.int8)
            mask[:-1] = legal
            mask[-1] = not legal.any()
            observed[agent] = {"observation": observation, "action_mask": mask}
        return observed
