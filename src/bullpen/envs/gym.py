"""The games in Gymnasium: one seat, against bots.  Importing this registers an id for each game.

>>> import gymnasium
>>> env = gymnasium.make("bullpen/XNimmt-v0", players=3, level="easy")
>>> observation, info = env.reset(seed=7)
>>> observation.shape, int(info["action_mask"].sum())
((112,), 8)
>>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from bullpen.cards import Problem
from bullpen.envs import missing

try:
    import gymnasium
    from gymnasium import spaces
    from numpy.typing import NDArray

    from bullpen.envs.drawing import render
    from bullpen.envs.layouts import Mask
    from bullpen.envs.observation_space import observation_box
    from bullpen.envs.playing import PLAYERS, Illegal, Play, check_choice, setting
except ModuleNotFoundError as error:
    raise missing(error, "envs") from None

from bullpen.bots import Bot, bot_called
from bullpen.game import BadOption, IllegalMove, Seat
from bullpen.games import GAMES
from bullpen.text import voice


def environment_id(game: str) -> str:
    """`x-nimmt` is `bullpen/XNimmt-v0` there."""
    return f"bullpen/{game.title().replace('-', '')}-v0"


IDS = {game: environment_id(game) for game in GAMES}


class OneSeat(gymnasium.Env[Any, Any]):
    """A step is a decision of `seat` and all that follows, up to its next decision or the end."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (Gymnasium declares it so)
        "render_modes": ["ansi", "rgb_array", "human"],
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        players: int = PLAYERS,
        *,
        seat: Seat = 0,
        level: str | Sequence[str] = "medium",
        illegal: Illegal = "stay",
        render_mode: str | None = None,
        **wishes: Any,
    ) -> None:
        """`level`: of all bots, or of each one clockwise from the seat; any name of a bot will do.  What
        else can be wished for: `playing.setting`."""
        if render_mode is not None:
            check_choice("render_mode", render_mode)
        check_choice("illegal", illegal)
        self.wished = setting(game, players, **wishes)
        if type(seat) is not int or not 0 <= seat < players:
            raise BadOption("no_such_seat", seat=seat, last=players - 1)
        self.seat, self.render_mode, self.illegal = seat, render_mode, illegal
        self._bots = others(level, seat, players)
        self.action_space = spaces.Discrete(self.wished.layout.actions)
        self.observation_space = observation_box(self.wished.layout, self.wished.form)
        self._play: Play | None = None
        self._chance = Random()  # of the bots

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        super().reset(seed=seed)
        deal, bots = (Random(int(self.np_random.integers(2**62))) for _ in range(2))
        self._play, self._chance = Play(self.wished, deal), bots
        self._let_others_play()
        self._show()
        return self._play.observation(self.seat), self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        play = self._being_played()
        if play.is_over:
            raise Problem("env_not_reset")
        try:
            reward = play.act(self.seat, action)[self.seat]
        except IllegalMove as refused:
            if self.illegal == "refuse":
                raise
            reason = voice("en").refusal(play.rules, refused, play.match.names)
            return (
                play.observation(self.seat),
                0.0,
                False,
                False,
                {**self._info(), "illegal": reason},
            )
        reward += self._let_others_play()
        self._show()
        return play.observation(self.seat), reward, play.is_over, False, self._info()

    def action_masks(self) -> Mask:
        """Ones where an action is legal, under the name that maskable algorithms ask for."""
        return self._being_played().mask(self.seat)

    def render(self) -> Any:
        """The table as the seat sees it."""
        if self.render_mode is None:
            raise Problem("env_no_render_mode")
        play = self._being_played()
        shown = play.match.view(self.seat).table
        return render(play.rules, shown, shown.lying, play.waiting_for, self.render_mode)

    def _being_played(self) -> Play:
        if self._play is None:
            raise Problem("env_not_reset")
        return self._play

    def _let_others_play(self) -> float:
        """Up to the seat's next decision; what that brings the seat."""
        play, reward = self._being_played(), 0.0
        while (waiting := play.waiting_for) and self.seat not in waiting:
            other = waiting[0]
            view = play.match.view(other)
            action = self._bots[other](play.rules, view, self._chance)
            reward += play.act(other, action)[self.seat]
        return reward

    def _info(self) -> dict[str, Any]:
        play = self._being_played()
        info: dict[str, Any] = {"action_mask": play.mask(self.seat)}
        if play.is_over:
            info["scores"] = play.match.scores
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def others(level: str | Sequence[str], seat: Seat, players: int) -> dict[Seat, Bot]:
    """The bots of the other seats, clockwise."""
    names = [level] * (players - 1) if isinstance(level, str) else list(level)
    if len(names) != players - 1:
        raise BadOption("env_levels", given=len(names), players=players, needed=players - 1)
    seats = [(seat + step) % players for step in range(1, players)]
    return {other: bot_called(name) for other, name in zip(seats, names, strict=True)}


def register() -> None:
    """The ids of all games, also for `gymnasium.make_vec`, which then plays in compiled code."""
    for game, environment in IDS.items():
        if environment not in gymnasium.registry:
            gymnasium.register(
                environment,
                entry_point="bullpen.envs.gym:OneSeat",
                vector_entry_point="bullpen.envs.vector:vector_env",
                kwargs={"game": game},
            )


register()
