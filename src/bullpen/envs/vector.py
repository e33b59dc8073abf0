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
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from bullpen.cards import Problem
from bullpen.envs import missing

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from bullpen import fast
    from bullpen.envs.chance import (
        Shuffles,
        checked_seed,
        checked_shuffle,
        streams,
        streams_of_moves,
        wanted_shuffles,
    )
    from bullpen.envs.forms import in_form, observation_box
    from bullpen.envs.history import History, no_plays
    from bullpen.envs.observing import Memory
    from bullpen.envs.opponents import Level, Opponent, others
    from bullpen.envs.playing import (
        PLAYERS,
        Files,
        Form,
        Illegal,
        Relative,
        Reward,
        Setting,
        check_choice,
        check_seat,
        longest_episode,
        setting,
    )
    from bullpen.envs.python_opponents import PythonOpponents
    from bullpen.fast import playouts
    from bullpen.fast.crew import LEAST_GAMES_PER_THREAD, Crew
except ModuleNotFoundError as error:
    raise missing(error, "envs") from None

from bullpen.game import OptionValue, Seat

Shown = Literal["full", "masks"]
Arrays = Literal["fresh", "reused"]


def vector_env(
    game: str,
    num_envs: int = 1,
    players: int = PLAYERS,
    *,
    options: Mapping[str, OptionValue] | None = None,
    seat: Seat | None = None,
    level: Level = "uniform",
    shown: Shown = "full",
    memory: Memory = "perfect",
    form: Form = "places",
    history: History = "none",
    reward: Reward = "final",
    relative: Relative = "none",
    arrays: Arrays = "fresh",
    autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    illegal: Illegal = "refuse",
    penalty: float = 0.0,
    max_episode_steps: int | None = None,
    deck_files: Files = (),
    jobs: int | None = None,
    **named_options: OptionValue,
) -> Tables:
    """So many games; without a `seat` every decision is yours.  `shown="masks"` leaves the observations out, and
    is quicker."""
    check_choice("shown", shown)
    check_choice("arrays", arrays)
    check_choice("illegal", illegal)
    wished = setting(
        game,
        players,
        options=options,
        memory=memory,
        form=form,
        history=history,
        reward=reward,
        relative=relative,
        deck_files=deck_files,
        **named_options,  # type: ignore[arg-type]
    )
    if type(num_envs) is not int or num_envs < 1:
        raise Problem("batch_size", n=num_envs)
    if seat is not None:
        check_seat(seat, players)
    return Tables(
        wished,
        num_envs,
        seat,
        {} if seat is None else others(level, seat, players),
        shown,
        arrays,
        checked_mode(autoreset_mode),
        Misplay(illegal, float(penalty), longest_episode(wished, max_episode_steps)),
        jobs or os.cpu_count() or 1,
    )


def one_seat_vector(
    game: str, num_envs: int = 1, players: int = PLAYERS, *, seat: Seat = 0, **wishes: Any
) -> Tables:
    """The task of `bullpen.envs.gym.OneSeat`, so many times: one seat against bots of a level."""
    usual = {"level": "medium", "illegal": "stay"}
    return vector_env(game, num_envs, players, seat=seat, **{**usual, **wishes})


def checked_mode(wish: AutoresetMode | str) -> AutoresetMode:
    known = {mode.value: mode for mode in AutoresetMode} | {
        mode.name: mode for mode in AutoresetMode
    }
    mode = wish if isinstance(wish, AutoresetMode) else known.get(str(wish))
    if mode is None:
        names = ", ".join(mode.value for mode in AutoresetMode)
        raise Problem("env_choice", parameter="autoreset_mode", value=wish, known=names)
    return mode


def holders(arrays: Iterable[NDArray[Any]]) -> list[int]:
    """By how many each of them is held; a view, or a tensor that shares the memory, holds its array, too."""
    return [sys.getrefcount(array) for array in arrays]


HELD_HERE_ALONE = holders((np.empty(0),))[0]


class Misplay(NamedTuple):
    """What happens to whoever does not look at the masks."""

    illegal: Illegal
    penalty: float
    longest: int  # steps


class Tables(VectorEnv[Any, Any, Any]):
    """By Gymnasium's `AutoresetMode.SAME_STEP` a game that ends starts again in the same step: the observation is
    of the new game, and `infos["final_obs"]` has the last one of the old.  Its other modes are there, too."""

    def __init__(
        self,
        wished: Setting,
        num_envs: int,
        seat: Seat | None,
        opponents: dict[Seat, Opponent],
        shown: Shown,
        arrays: Arrays,
        mode: AutoresetMode,
        misplay: Misplay,
        jobs: int,
    ) -> None:
        self.wished, self.num_envs, self.shown, self.arrays = wished, num_envs, shown, arrays
        self.seat, self.misplay, self.jobs = seat, misplay, jobs
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        form, n = wished.layout, num_envs
        self.single_action_space = spaces.Discrete(form.actions)
        self.single_observation_space = (
            observation_box(form, wished.form, wished.history)
            if shown == "full"
            else spaces.Box(0, 1, (form.actions,), np.int8)
        )
        self.action_space = batch_space(self.single_action_space, n)
        self.observation_space = batch_space(self.single_observation_space, n)
        self._start()
        table = wished.rules.set_up(wished.players, wished.options, wished.deck)
        fresh = self._twin.to_record(table)
        self.states = np.repeat(fresh, n)
        self._games = playouts.Games(self.states, fresh, np.zeros((n, 1), np.uint64))
        self._is_seeded = False
        self._is_dealt = False
        self._ended = np.zeros(n, np.bool_)  # games that wait for a new deal
        self._lengths = np.zeros(n, np.int64)  # steps
        stepping = self._stepping
        memory = stepping.NOT_OBSERVED
        if shown == "full":
            memory = stepping.PERFECT if wished.memory == "perfect" else stepping.SHOWN
        self._python_opponents = PythonOpponents(opponents, n)
        kinds = [self._python_opponents.kind_of(at) for at in range(self._twin.SEATS)]
        self._terms = stepping.Terms(
            players=np.array(kinds, np.int8),
            has_habits=True if stepping.HABIT in kinds else None,
            memory=memory,
            by_change=wished.reward == "change",
            relative=("none", "mean", "best").index(wished.relative),
            sign=wished.sign,
            restarts=mode == AutoresetMode.SAME_STEP,
        )
        self._observed = (n if shown == "full" else 0, wished.length)
        has_history = wished.history == "plays" and shown == "full"
        self._plays = no_plays(wished.rules, form, n) if has_history else None
        seats = self._twin.SEATS
        self._hidden = stepping.Hidden(
            moves=np.zeros((n, 1), np.uint64),
            legal=np.zeros((n, -(-form.actions // 64)), np.uint64),
            proposed=np.zeros(n, np.int64),
            deciders=np.zeros(n, np.int8),
            before=np.zeros((n, seats), np.int32),
            points=np.zeros((n, seats), np.int32),
            change=np.zeros((n, form.seats), np.float64),
            since=np.zeros((n, form.seats), np.float64),
            last_since=np.zeros((n, form.seats), np.float64),
            last_observations=np.zeros(self._observed, np.int16),
        )
        self._make_arrays()

    def _start(self) -> None:
        """What cannot be copied or sent: compiled code and threads."""
        from bullpen.envs.compiled import stepping

        self._twin, self._stepping = fast.twin(self.wished.rules.ID), stepping
        self._crew = Crew(self.jobs, LEAST_GAMES_PER_THREAD)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        for name in ("_twin", "_stepping", "_crew"):
            del state[name]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    # -- Playing --------------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """New games, everywhere or where `options["reset_mask"]` is true; without a seed, the next ones of the
        same chance.  With a list of seeds each game is that of its own."""
        wanted = self._reset_mask(options)
        shuffles = wanted_shuffles(options)
        self._seed(seed, wanted)
        if self.arrays == "fresh":
            earlier = self._results
            self._leave_kept_arrays()
            pairs: Any = zip(self._results, earlier, strict=True)
            for now, before in pairs:
                now[:] = before  # games that are left alone are shown as before
        deals = np.where(wanted, self._stepping.DEAL, self._stepping.WAIT)
        self._python_opponents.draw(np.flatnonzero(wanted))
        if shuffles:
            self._deal_by(shuffles, np.flatnonzero(wanted))
            deals[wanted] = self._stepping.STAY
        self._play_on(deals)
        self._ended[wanted], self._lengths[wanted] = False, 0
        self._is_dealt = True
        return self._seen, self._infos()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One decision in every game; an illegal one anywhere changes nothing, unless it may (`illegal="stay"`)."""
        given = self._checked(actions)
        if self.arrays == "fresh":
            self._leave_kept_arrays()
        misplayed = given == self._stepping.STAY
        self._python_opponents.draw(np.flatnonzero(given == self._stepping.DEAL))
        self._play_on(given)
        results, dealt = self._results, given == self._stepping.DEAL
        self._lengths += 1
        self._ended[dealt], self._lengths[dealt] = False, 0
        if misplayed.any():
            results.own_rewards[misplayed] += self.misplay.penalty
            deciders = self._hidden.deciders[misplayed]
            results.rewards[misplayed, deciders] += self.misplay.penalty
            self._hidden.since[misplayed, deciders] += self.misplay.penalty
        truncated = (self._lengths >= self.misplay.longest) & ~results.done & ~dealt
        ended = results.done | truncated
        infos: dict[str, Any] = {"rewards": results.rewards}
        if ended.any():
            self._end(ended, truncated, infos)
        return (
            self._seen,
            results.own_rewards,
            results.done,
            truncated,
            {**self._infos(), **infos},
        )

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every game; the same ones until the next step."""
        proposed: NDArray[np.int64] = self._hidden.proposed.copy()
        return proposed

    def action_masks(self) -> NDArray[np.int8]:
        """Ones where an action is legal [num_envs, actions]."""
        return self.masks.copy()

    # -- Inside: dealing ------------------------------------------------------------------------

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        """Which games begin anew."""
        wish = (options or {}).get("reset_mask")
        if wish is None:
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(wish)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise Problem("env_reset_mask", n=self.num_envs)
        if not self._is_dealt:
            raise Problem("env_not_reset")
        return mask

    def _seed(self, seed: int | Sequence[int | None] | None, wanted: NDArray[np.bool_]) -> None:
        if isinstance(seed, (list, tuple, np.ndarray)):
            if len(seed) != self.num_envs:
                raise Problem("env_seeds", given=len(seed), n=self.num_envs)
            begins = [wanted[at] and one is not None for at, one in enumerate(seed)]
            chosen = [at for at, one in enumerate(begins) if one or not self._is_seeded]
            starts = [int(streams(checked_seed(seed[at]), 1)[0]) for at in chosen]
            self._start_streams(np.array(chosen, np.int64), np.array(starts, np.uint64))
            self._python_opponents.seed(hash(tuple(starts)))
        elif seed is not None or not self._is_seeded:
            number = checked_seed(seed)
            at = np.flatnonzero(wanted)
            self._start_streams(at, streams(number, self.num_envs)[at])
            self._python_opponents.seed(number)
        self._is_seeded = True

    def _start_streams(self, at: NDArray[np.int64], deals: NDArray[np.uint64]) -> None:
        self._games.rngs[at, 0] = deals
        self._hidden.moves[at, 0] = streams_of_moves(deals)

    def _deal_by(self, shuffles: Shuffles, at: NDArray[np.int64]) -> None:
        """The first deal as it was asked for, the same in all these games."""
        rules = self.wished.rules
        table = rules.set_up(self.wished.players, self.wished.options, self.wished.deck)
        for cards in shuffles:
            wanted = rules.to_shuffle(table)
            if not wanted:
                raise Problem("env_shuffles", given=len(shuffles))
            table, _ = rules.deal(table, checked_shuffle(cards, wanted))
        if rules.to_shuffle(table):
            raise Problem("env_shuffles", given=len(shuffles))
        self.states[at] = self._twin.to_record(table)[0]
        self._hidden.before[at], self._hidden.since[at] = 0, 0.0
        if self._plays is not None:
            self._plays.by_whom[at], self._plays.when[at] = 0, 0
            self._plays.number[at], self._plays.chosen[at] = 0, 0

    # -- Inside: playing ------------------------------------------------------------------------

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        """The actions, with what else is to happen where a game is not to be played."""
        if not self._is_dealt:
            raise Problem("env_not_reset")
        wished, stepping, count = np.asarray(actions), self._stepping, self.wished.layout.actions
        if wished.shape != (self.num_envs,) or wished.dtype.kind not in "iu":
            raise Problem("batch_actions", shape=wished.shape, n=self.num_envs)
        given = np.array(wished, np.int64)
        ended, legal = self._ended, self._hidden.legal
        if ended.any() and self.metadata["autoreset_mode"] == AutoresetMode.DISABLED:
            raise Problem("env_ended", at=int(np.flatnonzero(ended)[0]))
        if self.misplay.illegal == "refuse" and not ended.any():
            at = stepping.first_illegal(legal, count, given)
            if at >= 0:
                self._refuse(at, given)
            return given
        misplayed = self._illegal(given) & ~ended
        if misplayed.any() and self.misplay.illegal == "refuse":
            self._refuse(int(np.flatnonzero(misplayed)[0]), given)
        given[misplayed] = stepping.STAY
        given[ended] = stepping.DEAL
        return given

    def _illegal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        found = np.empty(self.num_envs, np.bool_)
        count = self.wished.layout.actions
        self._stepping.mark_illegal(self._hidden.legal, count, actions, found)
        return found

    def _refuse(self, at: int, given: NDArray[np.int64]) -> None:
        move = self.wished.rules.NOTATION.get(int(given[at]), str(given[at]))
        raise Problem("batch_illegal", at=at, move=move, seat=int(self.actors[at]))

    def _play_on(self, actions: NDArray[np.int64]) -> None:
        """In compiled code as far as that can decide; then whoever else sits there is asked."""
        self._advance(actions, goes_on=False)
        if not self._python_opponents:
            return
        begun = self._results.done & (actions != self._stepping.WAIT)
        self._python_opponents.draw(np.flatnonzero(begun))
        while (at := self._python_opponents.waiting(self.actors)).size:
            answers = np.full(self.num_envs, self._stepping.WAIT, np.int64)
            answers[at] = self._python_opponents.choices(self, at)
            wrong = self._illegal(answers)[at]
            if wrong.any():
                self._refuse(int(at[wrong][0]), answers)
            restarted = self._results.done.copy()
            self._advance(answers, goes_on=True)
            self._python_opponents.draw(np.flatnonzero(self._results.done & ~restarted))

    def _advance(self, actions: NDArray[np.int64], *, goes_on: bool) -> None:
        def some(first: int, last: int) -> None:
            self._stepping.step_all(
                self._games,
                self._terms,
                actions,
                self._hidden,
                self._results,
                self._plays,
                goes_on,
                first,
                last,
            )

        self._crew.share(some, self.num_envs)

    def table(self, at: int) -> Any:
        """A game's table as the plain rules know it, with all cards open."""
        record = self.states[at : at + 1]
        return self._twin.from_record(record, self.wished.options, self.wished.deck)

    def _make_arrays(self) -> None:
        n, form = self.num_envs, self.wished.layout
        self._results = self._stepping.Results(
            actors=np.zeros(n, np.int8),
            masks=np.empty((n, form.actions), np.int8),
            rewards=np.zeros((n, form.seats), np.float64),
            own_rewards=np.zeros(n, np.float64),
            done=np.zeros(n, np.bool_),
            observations=np.empty(self._observed, np.int16),
        )

    def _leave_kept_arrays(self) -> None:
        """To whoever has them; those that nobody has kept are written again: memory that was used just now is quicker
        than other, and masks may be long."""
        results: tuple[NDArray[Any], ...] = self._results
        held = zip(results, holders(results), strict=True)
        left = [array if by == HELD_HERE_ALONE else np.empty_like(array) for array, by in held]
        self._results = self._stepping.Results._make(left)

    @property
    def actors(self) -> NDArray[np.int8]:
        """Whose decision it is [num_envs]."""
        actors: NDArray[np.int8] = self._results.actors
        return actors

    @property
    def masks(self) -> NDArray[np.int8]:
        """Ones where an action is legal [num_envs, actions]; `action_masks` gives a copy."""
        masks: NDArray[np.int8] = self._results.masks
        return masks

    @property
    def _seen(self) -> NDArray[Any]:
        return self._in_form(self._results.observations) if self.shown == "full" else self.masks

    def seen_in(self, games: NDArray[np.int64]) -> NDArray[Any]:
        """What was observed last in these games."""
        if self.shown == "full":
            return self._in_form(self._results.observations[games])
        return self.masks[games]

    def _in_form(self, seen: NDArray[np.int16]) -> NDArray[Any]:
        return in_form(self.wished.form, self.wished.layout, self.wished.deck, seen)

    def _infos(self) -> dict[str, Any]:
        since = self._hidden.since if self.arrays == "reused" else self._hidden.since.copy()
        return {"action_mask": self.masks, "actor": self.actors, "since": since}

    # -- Inside: ends ---------------------------------------------------------------------------

    def _end(self, ended: NDArray[np.bool_], cut: NDArray[np.bool_], infos: dict[str, Any]) -> None:
        """Games that ended or were cut off wait for a deal, or have got one; then their ends are reported as Gymnasium
        tells those of games that start again in the same step."""
        if self.shown == "full":
            self._hidden.last_observations[cut] = self._results.observations[cut]
        self._hidden.last_since[cut] = self._hidden.since[cut]
        for at in np.flatnonzero(cut):
            self._twin.scores(self.states[at], self._hidden.points[at])
        self._ended[:] = ended
        if self.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            infos["scores"], infos["_scores"] = self._scores_of(np.flatnonzero(ended)), ended
            return
        self._add_ends(ended, infos)
        if cut.any():
            rewards = self._results.rewards[cut], self._results.own_rewards[cut]
            done = self._results.done.copy()
            self._python_opponents.draw(np.flatnonzero(cut))
            stepping = self._stepping
            self._play_on(np.where(cut, stepping.DEAL, stepping.WAIT))
            self._results.rewards[cut], self._results.own_rewards[cut] = rewards
            self._results.done[:] = done
        self._ended[:], self._lengths[ended] = False, 0

    def _scores_of(self, ended: NDArray[np.int64]) -> NDArray[np.int32]:
        scores = np.zeros((self.num_envs, self.wished.players), np.int32)
        scores[ended] = self._hidden.points[ended, : self.wished.players]
        return scores

    def _add_ends(self, done: NDArray[np.bool_], infos: dict[str, Any]) -> None:
        ended = np.flatnonzero(done)
        finals = np.empty(self.num_envs, object)
        if self.shown == "full":
            last = self._in_form(self._hidden.last_observations[ended])
        else:
            last = np.zeros((len(ended), self.masks.shape[1]), np.int8)
        for at, observation in zip(ended.tolist(), last, strict=True):
            finals[at] = observation
        infos["final_obs"], infos["_final_obs"] = finals, done
        infos["final_info"] = {
            "scores": self._scores_of(ended),
            "_scores": done,
            "since": np.where(done[:, None], self._hidden.last_since, 0.0),
            "_since": done,
        }
        infos["_final_info"] = done
