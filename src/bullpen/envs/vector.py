"""Thousands of games at once as one Gymnasium vector environment, in compiled code.

>>> envs = vector_env("x-nimmt", num_envs=1000, players=4, jobs=1)
>>> observations, infos = envs.reset(seed=1)
>>> observations, rewards, terminations, truncations, infos = envs.step(envs.sample())
>>> observations.shape, infos["action_mask"].shape, infos["rewards"].shape
((1000, 115), (1000, 204), (1000, 4))

Each game waits for one decision, of the seat `infos["actor"][i]`, and shows what that seat knows.  With
`seat=` all decisions are of that one seat, and the others play at random.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from random import SystemRandom
from typing import Any, Literal

from bullpen.cards import Problem
from bullpen.envs import missing

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from bullpen import fast
    from bullpen.envs.observation_space import observation_box
    from bullpen.envs.observing import Memory
    from bullpen.envs.playing import (
        PLAYERS,
        Files,
        Relative,
        Reward,
        Setting,
        check_choice,
        setting,
    )
    from bullpen.fast import playouts
    from bullpen.fast.crew import LEAST_GAMES_PER_THREAD, Crew
except ModuleNotFoundError as error:
    raise missing(error, "envs") from None

from bullpen.game import BadOption, OptionValue, Seat

Shown = Literal["full", "masks"]
Arrays = Literal["fresh", "reused"]


def vector_env(
    game: str,
    num_envs: int = 1,
    players: int = PLAYERS,
    *,
    options: Mapping[str, OptionValue] | None = None,
    seat: Seat | None = None,
    shown: Shown = "full",
    memory: Memory = "perfect",
    form: Literal["places"] = "places",
    reward: Reward = "final",
    relative: Relative = "none",
    arrays: Arrays = "fresh",
    deck_files: Files = (),
    jobs: int | None = None,
    **named_options: OptionValue,
) -> Tables:
    """So many games; `shown="masks"` leaves the observations out, and is quicker."""
    check_choice("shown", shown)
    check_choice("arrays", arrays)
    if form != "places":  # the others are made of it, by `Layout.planes`
        raise Problem("env_choice", parameter="form", value=form, known="places")
    wished = setting(
        game,
        players,
        options=options,
        memory=memory,
        form=form,
        reward=reward,
        relative=relative,
        deck_files=deck_files,
        **named_options,
    )
    if type(num_envs) is not int or num_envs < 1:
        raise Problem("batch_size", n=num_envs)
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise BadOption("no_such_seat", seat=seat, last=players - 1)
    return Tables(wished, num_envs, seat, shown, arrays, jobs or os.cpu_count() or 1)


class Tables(VectorEnv[Any, Any, Any]):
    """A game that ends starts again in the same step (`AutoresetMode.SAME_STEP`): the observation is of
    the new game, and `infos["final_obs"]` has the last one of the old."""

    def __init__(
        self,
        wished: Setting,
        num_envs: int,
        seat: Seat | None,
        shown: Shown,
        arrays: Arrays,
        jobs: int,
    ) -> None:
        from bullpen.envs.compiled import stepping

        self.wished, self.num_envs, self.shown, self.arrays = wished, num_envs, shown, arrays
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        form, n = wished.layout, num_envs
        self.single_action_space = spaces.Discrete(form.actions)
        self.single_observation_space = (
            observation_box(form, "places")
            if shown == "full"
            else spaces.Box(0, 1, (form.actions,), np.int8)
        )
        self.action_space = batch_space(self.single_action_space, n)
        self.observation_space = batch_space(self.single_observation_space, n)
        self._twin = fast.twin(wished.rules.ID)
        table = wished.rules.set_up(wished.players, wished.options, wished.deck)
        fresh = self._twin.to_record(table)
        self.states = np.repeat(fresh, n)
        self._games = playouts.Games(self.states, fresh, np.zeros((n, 1), np.uint64))
        self._is_seeded = False
        self._is_dealt = False
        memory = stepping.NOT_OBSERVED
        if shown == "full":
            memory = stepping.PERFECT if wished.memory == "perfect" else stepping.SHOWN
        self._terms = stepping.Terms(
            seat=stepping.EVERY_SEAT if seat is None else seat,
            memory=memory,
            by_change=wished.reward == "change",
            relative=("none", "mean", "best").index(wished.relative),
            sign=wished.sign,
        )
        self._observed = (n if shown == "full" else 0, form.length)
        self._hidden = stepping.Hidden(
            legal=np.zeros((n, -(-form.actions // 64)), np.uint64),
            proposed=np.zeros(n, np.int64),
            before=np.zeros((n, self._twin.SEATS), np.int32),
            points=np.zeros((n, self._twin.SEATS), np.int32),
            last_observations=np.zeros(self._observed, np.int16),
        )
        self._stepping, self._crew = stepping, Crew(jobs, LEAST_GAMES_PER_THREAD)
        self._make_arrays()

    # -- Playing --------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """New games everywhere; without a seed, the next ones of the same chance."""
        if isinstance(seed, list):
            raise Problem("env_one_seed")
        if seed is not None and not isinstance(seed, (int, np.integer)):
            raise Problem("env_seed", seed=repr(seed))
        if seed is not None or not self._is_seeded:
            playouts.seed_all(
                self._games.rngs, SystemRandom().getrandbits(62) if seed is None else seed
            )
            self._is_seeded = True
        if self.arrays == "fresh":
            self._make_arrays()
        deals = np.full(self.num_envs, self._stepping.DEAL, np.int64)
        self._crew.share(lambda first, last: self._advance(deals, first, last), self.num_envs)
        self._is_dealt = True
        return self._seen(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One decision in every game; an illegal one anywhere changes nothing."""
        if not self._is_dealt:
            raise Problem("env_not_reset")
        wished = np.asarray(actions)
        if wished.shape != (self.num_envs,) or wished.dtype.kind not in "iu":
            raise Problem("batch_actions", shape=wished.shape, n=self.num_envs)
        given = np.ascontiguousarray(wished, np.int64)
        at = self._stepping.first_illegal(self._hidden.legal, self.wished.layout.actions, given)
        if at >= 0:
            move = self.wished.rules.NOTATION.get(int(given[at]), str(given[at]))
            raise Problem("batch_illegal", at=at, move=move, seat=int(self.actors[at]))
        if self.arrays == "fresh":
            self._make_arrays()
        self._crew.share(lambda first, last: self._advance(given, first, last), self.num_envs)
        infos = self._infos()
        infos["rewards"] = self._results.rewards
        if self._results.done.any():
            self._add_ends(infos)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._seen(), self._results.own_rewards, self._results.done, truncated, infos

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every game; the same ones until the next step."""
        return self._hidden.proposed.copy()

    def action_masks(self) -> NDArray[np.int8]:
        """Ones where an action is legal [num_envs, actions]."""
        return self.masks.copy()

    # -- Inside ---------------------------------------------------------------------------------

    def _make_arrays(self) -> None:
        n, form = self.num_envs, self.wished.layout
        self._results = self._stepping.Results(
            actors=np.zeros(n, np.int8),
            masks=np.empty((n, form.actions), np.int8),
            rewards=np.empty((n, form.seats), np.float64),
            own_rewards=np.empty(n, np.float64),
            done=np.empty(n, np.bool_),
            observations=np.empty(self._observed, np.int16),
        )
        self.actors, self.masks = self._results.actors, self._results.masks

    def _advance(self, actions: NDArray[np.int64], first: int, last: int) -> None:
        self._stepping.step_all(
            self._games, self._terms, actions, self._hidden, self._results, first, last
        )

    def _seen(self) -> NDArray[Any]:
        return self._results.observations if self.shown == "full" else self.masks

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.masks, "actor": self.actors}

    def _add_ends(self, infos: dict[str, Any]) -> None:
        """As Gymnasium tells the ends of games that start again in the same step."""
        done = self._results.done.copy()
        ended = np.flatnonzero(done)
        finals = np.empty(self.num_envs, object)
        scores = np.zeros((self.num_envs, self.wished.players), np.int32)
        scores[ended] = self._hidden.points[ended, : self.wished.players]
        if self.shown == "full":
            last = self._hidden.last_observations[ended]
        else:
            last = np.zeros((len(ended), self.masks.shape[1]), np.int8)
        for at, observation in zip(ended.tolist(), last, strict=True):
            finals[at] = observation
        infos["final_obs"], infos["_final_obs"] = finals, done
        infos["final_info"] = {"scores": scores, "_scores": done}
        infos["_final_info"] = done
