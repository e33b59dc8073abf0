"""What the environments share: what was wished for, and one game being played by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bullpen.cards import Problem
from bullpen.deck import Deck, load_deck
from bullpen.envs.layouts import Layout, Mask, layout_of
from bullpen.envs.observing import Memory, action_mask, observe
from bullpen.game import Action, Game, OptionValue, Seat, complete_options, illegal
from bullpen.games import game_called
from bullpen.match import Match

Form = Literal["places", "planes"]
Reward = Literal["final", "change"]
Relative = Literal["none", "mean", "best"]
Illegal = Literal["stay", "refuse"]

# What may be wished for, by the parameter's name; see docs/environments.md.
CHOICES: dict[str, tuple[str, ...]] = {
    "memory": ("perfect", "shown"),
    "form": ("places", "planes"),
    "reward": ("final", "change"),
    "relative": ("none", "mean", "best"),
    "shown": ("full", "masks"),
    "arrays": ("fresh", "reused"),
    "illegal": ("stay", "refuse"),
    "render_mode": ("ansi", "rgb_array", "human"),
}
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
    reward: Reward
    relative: Relative
    sign: int  # 1 where the most points win, -1 where the fewest do


def setting(
    game: str,
    players: int,
    *,
    options: Mapping[str, OptionValue] | None = None,
    memory: Memory = "perfect",
    form: Form = "places",
    reward: Reward = "final",
    relative: Relative = "none",
    deck_files: Files = (),
    **named_options: OptionValue,
) -> Setting:
    """What all environments can be asked for; the game's options as a mapping, or by their names."""
    check_choice("memory", memory)
    check_choice("form", form)
    check_choice("reward", reward)
    check_choice("relative", relative)
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
        reward,
        relative,
        -1 if rules.best(complete) is min else 1,
    )


def check_choice(name: str, value: object) -> None:
    if value not in CHOICES[name]:
        raise Problem("env_choice", parameter=name, value=value, known=", ".join(CHOICES[name]))


class Play:
    """One game in a setting: what the seats observe, and what their actions bring them."""

    def __init__(self, wished: Setting, rng: Random) -> None:
        self.wished, self.rules = wished, wished.rules
        self.match = Match(
            wished.rules, wished.players, wished.options, wished.deck, (), rng.shuffle
        )
        self._scores = self._so_far()

    @property
    def waiting_for(self) -> list[Seat]:
        return self.match.waiting_for

    @property
    def is_over(self) -> bool:
        return self.match.is_over

    def observation(self, seat: Seat) -> NDArray[Any]:
        seen = observe(self.rules, self.match.view(seat), self.wished.memory)
        return seen if self.wished.form == "places" else self.wished.layout.planes(seen)

    def mask(self, seat: Seat) -> Mask:
        return action_mask(self.rules, self.rules.legal(self.match.table, seat))

    def check(self, seat: Seat, action: Any) -> Action:
        """The action as our own number, if this seat may take it now."""
        most = self.wished.layout.actions - 1
        if not isinstance(action, (int, np.integer)) or not 0 <= action <= most:
            raise Problem("env_action", action=repr(action), most=most)
        number = int(action)
        table, legal = self.match.table, self.rules.legal(self.match.table, seat)
        if number not in legal:
            refusal = self.rules.why_not(table, seat, number)
            raise illegal(seat, number, refusal, self.rules.NOTATION, legal)
        return number

    def act(self, seat: Seat, action: Any) -> list[float]:
        """The rewards of all seats for what came of it."""
        self.match.act(seat, self.check(seat, action))
        before, self._scores = self._scores, self._so_far()
        changes = [now - earlier for now, earlier in zip(self._scores, before, strict=True)]
        return compared(changes, self.wished.relative)

    def _so_far(self) -> list[int]:
        """The points that count as reward by now; more is better."""
        if self.wished.reward == "final" and not self.match.is_over:
            return [0] * self.wished.players
        return [self.wished.sign * points for points in self.match.scores]


def compared(points: Sequence[int], relative: Relative) -> list[float]:
    """Points as they are, or less the mean or the best of the others'."""
    if relative == "none":
        return [float(own) for own in points]
    others = [[*points[:seat], *points[seat + 1 :]] for seat in range(len(points))]
    if relative == "mean":
        return [own - sum(of) / len(of) for own, of in zip(points, others, strict=True)]
    return [float(own - max(of)) for own, of in zip(points, others, strict=True)]
