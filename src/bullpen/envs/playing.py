"""What the environments share: what was wished for, and one game being played by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.cards import Problem
from bullpen.deck import Deck, load_deck
from bullpen.envs.chance import Chance
from bullpen.envs.engines import can_be_compiled
from bullpen.envs.forms import in_form
from bullpen.envs.history import History, Laid, history_length, laid_in, seen_plays
from bullpen.envs.layouts import Layout, Mask, Observation, layout_of
from bullpen.envs.observing import Memory, action_mask, observe, observe_all
from bullpen.game import Action, BadOption, Game, OptionValue, Seat, View, complete_options, illegal
from bullpen.games import game_called, package

Form = Literal["places", "planes", "rows"]
Reward = Literal["final", "change"]
Relative = Literal["none", "mean", "best"]
Illegal = Literal["stay", "refuse"]
Engine = Literal["compiled", "plain"]

# What may be wished for, by the parameter's name; see docs/environments.md.
CHOICES: dict[str, tuple[str, ...]] = {
    "memory": ("perfect", "shown"),
    "form": ("places", "planes", "rows"),
    "history": ("none", "plays"),
    "reward": ("final", "change"),
    "relative": ("none", "mean", "best"),
    "shown": ("full", "masks"),
    "arrays": ("fresh", "reused"),
    "illegal": ("stay", "refuse"),
    "engine": ("compiled", "plain"),
    "render_mode": ("ansi", "rgb_array", "human"),
}
MOST_STEPS = 10_000  # of a game that does not say how long it can get
PLAYERS = 4  # where nothing else is said: every game can be played by four
Files = str | Path | Sequence[str | Path]


@dataclass(frozen=True)
class Setting:
    """A game and the way in which an environment shows it, checked."""

    rules: Game[Any]
    players: int
    options: Mapping[str, OptionValue]
    deck: Deck
    layout: Layout
    memory: Memory
    form: Form
    history: History
    reward: Reward
    relative: Relative
    sign: int  # 1 where the most points win, -1 where the fewest do
    engine: Engine  # what the rules of a single game run on

    @cached_property
    def length(self) -> int:
        """Of an observation by places."""
        return self.layout.length + history_length(self.layout, self.history)

    @cached_property
    def fresh_table(self) -> Any:
        """Before the first deal; tables never change, so all games begin with this one."""
        return self.rules.set_up(self.players, self.options, self.deck)

    @cached_property
    def fresh_record(self) -> NDArray[Any]:
        """The same for compiled code."""
        record: NDArray[Any] = fast.twin(self.rules.ID).to_record(self.fresh_table)
        return record


def setting(
    game: str,
    players: int,
    *,
    options: Mapping[str, OptionValue] | None = None,
    memory: Memory = "perfect",
    form: Form = "places",
    history: History = "none",
    reward: Reward = "final",
    relative: Relative = "none",
    deck_files: Files = (),
    engine: Engine | None = None,
    **named_options: OptionValue,
) -> Setting:
    """What all environments can be asked for; the game's options as a mapping, or by their names."""
    check_choice("memory", memory)
    check_choice("form", form)
    check_choice("history", history)
    check_choice("reward", reward)
    check_choice("relative", relative)
    if engine is not None:
        check_choice("engine", engine)
    rules = game_called(game)
    twice = sorted(set(options or {}) & set(named_options))
    if twice:
        raise Problem("env_option_twice", option=twice[0])
    complete = complete_options(rules, players, {**(options or {}), **named_options})
    return Setting(
        rules,
        players,
        complete,
        load_deck(rules.DECK_FILES, deck_files),
        layout_of(rules, players, complete),
        memory,
        form,
        history,
        reward,
        relative,
        -1 if rules.best(complete) is min else 1,
        engine or ("compiled" if can_be_compiled(rules.ID) else "plain"),
    )


def check_choice(name: str, value: object) -> None:
    if value not in CHOICES[name]:
        raise Problem("env_choice", parameter=name, value=value, known=", ".join(CHOICES[name]))


def check_seat(seat: object, players: int) -> None:
    if type(seat) is not int or not 0 <= seat < players:
        raise BadOption("no_such_seat", seat=seat, last=players - 1)


def longest_episode(wished: Setting, wish: int | None) -> int:
    """After how many steps an episode is cut off: where nothing is wished, after more than a game can have, so
    that only a game that stands still is."""
    if wish is not None:
        if type(wish) is not int or wish < 1:
            raise Problem("env_steps", given=repr(wish))
        return wish
    bounds = getattr(package(wished.rules.ID), "bounds", None)
    if bounds is None:
        return MOST_STEPS
    return int(bounds(wished.players, wished.options, wished.deck).decisions) + 1


class Play:
    """One game in a setting, on the plain rules: what the seats observe, and what their actions bring them."""

    def __init__(self, wished: Setting, chance: Chance) -> None:
        self.wished, self.rules, self.chance = wished, wished.rules, chance
        self._start()
        self._scores = self._so_far()

    def _start(self) -> None:
        self._table = self.wished.fresh_table
        self._plays: tuple[Laid, ...] = ()  # of this round
        self._deal()

    @property
    def table(self) -> Any:
        """With all cards open, as the plain rules know it."""
        return self._table

    @property
    def waiting_for(self) -> list[Seat]:
        return self.rules.waiting_for(self.table)

    @property
    def actor(self) -> Seat:
        """Who decides next; in a secret choice the lowest seat that has not chosen yet."""
        return self.waiting_for[0]

    @property
    def is_over(self) -> bool:
        return not self.waiting_for

    @property
    def scores(self) -> list[int]:
        """The points counted so far, as the rules count them."""
        return self.rules.scores(self.table)

    @property
    def winners(self) -> list[Seat]:
        """Who has won; nobody while the game is being played."""
        return self.rules.winners(self.table) if self.is_over else []

    def view(self, seat: Seat) -> View[Any]:
        return self.rules.view(self.table, seat)

    def observation(self, seat: Seat) -> NDArray[Any]:
        seen = observe(self.rules, self.view(seat), self.wished.memory)
        return self._in_form(self._with_plays(seen, seat))

    def state(self) -> NDArray[Any]:
        """The whole table, as somebody at seat 0 would observe it who saw all cards."""
        return self._in_form(self._with_plays(observe_all(self.rules, self.table), 0))

    def _with_plays(self, seen: Observation, seat: Seat) -> Observation:
        if self.wished.history == "none":
            return seen
        return np.concatenate([seen, self._seen_plays(seat)])

    def _seen_plays(self, seat: Seat) -> Observation:
        return seen_plays(self._plays, self.wished.layout, seat)

    def mask(self, seat: Seat) -> Mask:
        return action_mask(self.rules, self.rules.legal(self.table, seat))

    def shown(self, seat: Seat) -> tuple[NDArray[Any], Mask]:
        """Observation and mask."""
        return self.observation(seat), self.mask(seat)

    def check(self, seat: Seat, action: Any) -> Action:
        """The action as our own number, if this seat may take it now."""
        number = self._number(action)
        legal = self.rules.legal(self.table, seat)
        if number not in legal:
            refusal = self.rules.why_not(self.table, seat, number)
            raise illegal(seat, number, refusal, self.rules.NOTATION, legal)
        return number

    def _number(self, action: Any) -> Action:
        """Any number of an action, legal or not."""
        most = self.wished.layout.actions - 1
        if not isinstance(action, (int, np.integer)) or not 0 <= action <= most:
            raise Problem("env_action", action=repr(action), most=most)
        return int(action)

    def act(self, seat: Seat, action: Any) -> list[float]:
        """The rewards of all seats for what came of it."""
        self._table, _ = self.rules.apply(self.table, seat, self.check(seat, action))
        self._plays += laid_in(self.rules, self._table)
        self._deal()
        return self._earned()

    def _earned(self) -> list[float]:
        """Since it was counted last."""
        before, self._scores = self._scores, self._so_far()
        changes = [now - earlier for now, earlier in zip(self._scores, before, strict=True)]
        return compared(changes, self.wished.relative)

    def _deal(self) -> None:
        while self.rules.to_shuffle(self.table):
            shuffled = self.chance.shuffled(self.rules, self.table)
            if self.rules.rounds(self.table):
                self._plays = ()
            self._table, _ = self.rules.deal(self.table, shuffled)

    def _in_form(self, seen: Observation) -> NDArray[Any]:
        return in_form(self.wished.form, self.wished.layout, self.wished.deck, seen)

    def _so_far(self) -> list[int]:
        """The points that count as reward by now; more is better."""
        if self.wished.reward == "final" and not self.is_over:
            return [0] * self.wished.players
        return [self.wished.sign * points for points in self.scores]


def compared(points: Sequence[int], relative: Relative) -> list[float]:
    """Points as they are, or less the mean or the best of the others'."""
    if relative == "none":
        return [float(own) for own in points]
    others = [[*points[:seat], *points[seat + 1 :]] for seat in range(len(points))]
    if relative == "mean":
        return [own - sum(of) / len(of) for own, of in zip(points, others, strict=True)]
    return [float(own - max(of)) for own, of in zip(points, others, strict=True)]
