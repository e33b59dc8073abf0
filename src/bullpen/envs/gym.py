"""The games in Gymnasium: one seat against others, or every seat.  Importing this registers ids for each game.

>>> import gymnasium
>>> env = gymnasium.make("bullpen/XNimmt-v0", players=3, level="easy")
>>> observation, info = env.reset(seed=7)
>>> observation.shape, int(info["action_mask"].sum())
((112,), 8)
>>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
"""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.cards import Problem
from bullpen.envs import missing

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

    from bullpen.envs.chance import Chance, wanted_shuffles
    from bullpen.envs.drawing import render
    from bullpen.envs.forms import observation_box
    from bullpen.envs.layouts import Mask
    from bullpen.envs.opponents import Level, OnePlayer, choice_of, drawn, others
    from bullpen.envs.playing import (
        PLAYERS,
        Illegal,
        Play,
        check_choice,
        check_seat,
        longest_episode,
        setting,
    )
    from bullpen.envs.twin_play import play_of
except ModuleNotFoundError as error:
    raise missing(error, "envs") from None

from bullpen.game import IllegalMove, Seat
from bullpen.games import GAMES
from bullpen.text import voice


def environment_id(game: str, kind: str = "") -> str:
    """`x-nimmt` is `bullpen/XNimmt-v0` there."""
    return f"bullpen/{game.title().replace('-', '')}{kind}-v0"


IDS = {game: environment_id(game) for game in GAMES}
SELF_PLAY_IDS = {game: environment_id(game, "SelfPlay") for game in GAMES}


class OneGame(gymnasium.Env[Any, Any]):
    """A game of which some decisions come from outside: what both kinds have."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (Gymnasium declares it so)
        "render_modes": ["ansi", "rgb_array", "human"],
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        players: int,
        illegal: Illegal,
        penalty: float,
        max_episode_steps: int | None,
        render_mode: str | None,
        wishes: dict[str, Any],
    ) -> None:
        if render_mode is not None:
            check_choice("render_mode", render_mode)
        check_choice("illegal", illegal)
        self.wished = setting(game, players, **wishes)
        self.render_mode, self.illegal, self.penalty = render_mode, illegal, float(penalty)
        self.max_episode_steps = longest_episode(self.wished, max_episode_steps)
        self.action_space = spaces.Discrete(self.wished.layout.actions)
        self.observation_space = observation_box(
            self.wished.layout, self.wished.form, self.wished.history
        )
        self._play: Play | None = None
        self._deals = Chance()
        self._steps = 0

    def _deal(self, seed: int | None, options: dict[str, Any] | None) -> Play:
        """A new game; without a seed, the next one of the same chance."""
        super().reset(seed=seed)
        deals = self._deals if seed is None else Chance(seed)
        deals.expect(wanted_shuffles(options))
        self._play, self._deals, self._steps = play_of(self.wished, deals), deals, 0
        return self._play

    def _being_played(self) -> Play:
        if self._play is None:
            raise Problem("env_not_reset")
        return self._play

    def _rewards(self, seat: Seat, action: Any) -> list[float] | str:
        """What the action brings, or why it is not legal; where that is refused, the refusal is raised."""
        play = self._being_played()
        if play.is_over:
            raise Problem("env_not_reset")
        try:
            rewards = play.act(seat, action)
        except IllegalMove as refused:
            if self.illegal == "refuse":
                raise
            names = [f"seat {other}" for other in range(self.wished.players)]
            self._steps += 1
            return voice("en").refusal(play.rules, refused, names)
        self._steps += 1
        return rewards

    @property
    def _is_too_long(self) -> bool:
        """Whoever does not look at masks may never come to an end."""
        return self._steps >= self.max_episode_steps and not self._being_played().is_over

    @property
    def actor(self) -> Seat:
        """Whose decision the next action is."""
        raise NotImplementedError

    def action_masks(self) -> Mask:
        """Ones where an action is legal, under the name that maskable algorithms ask for."""
        play = self._being_played()
        return play.mask(self.actor)

    def render(self) -> Any:
        """The table as the seat sees it."""
        if self.render_mode is None:
            raise Problem("env_no_render_mode")
        play = self._being_played()
        shown = play.view(self.actor).table
        return render(play.rules, shown, shown.lying, play.waiting_for, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class OneSeat(OneGame):
    """A step is a decision of `seat` and all that follows, up to its next decision or the end."""

    def __init__(
        self,
        game: str,
        players: int = PLAYERS,
        *,
        seat: Seat = 0,
        level: Level = "medium",
        illegal: Illegal = "stay",
        penalty: float = 0.0,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **wishes: Any,
    ) -> None:
        """`level`: of all others, or of each one clockwise from the seat: any name of a bot, a policy or a
        pool (`bullpen.envs.opponents`).  What else can be wished for: `playing.setting`."""
        super().__init__(game, players, illegal, penalty, max_episode_steps, render_mode, wishes)
        check_seat(seat, players)
        self.seat = seat
        self._opponents = others(level, seat, players)
        self._seated: dict[Seat, OnePlayer] = {}
        self._chance = Random()  # of the others

    @property
    def actor(self) -> Seat:
        return self.seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        play = self._deal(seed, options)
        self._chance = Random(int(self.np_random.integers(2**62)))
        self._seated = drawn(self._opponents, self._chance)
        self._let_others_play()
        self._show()
        return play.observation(self.seat), self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        play, rewards = self._being_played(), self._rewards(self.seat, action)
        info: dict[str, Any] = {}
        if isinstance(rewards, str):
            reward, info["illegal"] = self.penalty, rewards
        else:
            reward = rewards[self.seat] + self._let_others_play()
            self._show()
        seen = play.observation(self.seat)
        return seen, reward, play.is_over, self._is_too_long, {**self._info(), **info}

    def _let_others_play(self) -> float:
        """Up to the seat's next decision; what that brings the seat."""
        play, reward = self._being_played(), 0.0
        while (waiting := play.waiting_for) and self.seat not in waiting:
            other = waiting[0]
            action = choice_of(self._seated[other], play, other, self._chance)
            reward += play.act(other, action)[self.seat]
        return reward

    def _info(self) -> dict[str, Any]:
        play = self._being_played()
        info: dict[str, Any] = {"action_mask": play.mask(self.seat)}
        if play.is_over:
            info["scores"] = play.scores
        return info


class EverySeat(OneGame):
    """Self-play: every decision comes from outside, of the seat `info["actor"]`, and the observation is what
    that seat knows.  The reward is that of the seat that has just decided; `info["rewards"]` has those of
    all, `info["since"]` what each seat got since its own last decision."""

    def __init__(
        self,
        game: str,
        players: int = PLAYERS,
        *,
        illegal: Illegal = "stay",
        penalty: float = 0.0,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **wishes: Any,
    ) -> None:
        super().__init__(game, players, illegal, penalty, max_episode_steps, render_mode, wishes)
        self._actor: Seat = 0
        self._since = np.zeros(players)

    @property
    def actor(self) -> Seat:
        return self._actor

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        play = self._deal(seed, options)
        self._actor, self._since = play.actor, np.zeros(self.wished.players)
        self._show()
        return play.observation(self._actor), self._info(np.zeros(self.wished.players))

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        play, decider, info = self._being_played(), self._actor, {}
        outcome = self._rewards(decider, action)
        rewards = np.zeros(self.wished.players)
        if isinstance(outcome, str):
            rewards[decider], info["illegal"] = self.penalty, outcome
        else:
            rewards[:] = outcome
            self._since[decider] = 0.0
            if not play.is_over:
                self._actor = play.actor
            self._show()
        self._since = self._since + rewards
        seen = play.observation(self._actor)
        own = float(rewards[decider])
        return seen, own, play.is_over, self._is_too_long, {**self._info(rewards), **info}

    def _info(self, rewards: NDArray[Any]) -> dict[str, Any]:
        play = self._being_played()
        info: dict[str, Any] = {
            "action_mask": play.mask(self._actor),
            "actor": self._actor,
            "rewards": rewards,
            "since": self._since,
        }
        if play.is_over:
            info["scores"] = play.scores
        return info


def register() -> None:
    """The ids of all games; with `gymnasium.make_vec` the same tasks in compiled code."""
    for ids, single, vector in (
        (IDS, "bullpen.envs.gym:OneSeat", "bullpen.envs.vector:one_seat_vector"),
        (SELF_PLAY_IDS, "bullpen.envs.gym:EverySeat", "bullpen.envs.vector:vector_env"),
    ):
        for game, environment in ids.items():
            if environment not in gymnasium.registry:
                gymnasium.register(
                    environment,
                    entry_point=single,
                    vector_entry_point=vector,
                    kwargs={"game": game},
                )


register()
