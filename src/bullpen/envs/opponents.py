"""Who sits on the other seats: a bot by its name, a policy of one's own, or a pool of them.

A policy is called with observations [games, length] and masks [games, actions] and gives an action for each,
as a network does; a pool seats another one of its policies in every game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.bots import Bot, bot_called
from bullpen.envs.playing import Play
from bullpen.game import Action, BadOption, Game, Seat, View

# Bots that compiled code plays in a vector, by the numbers of `bullpen.envs.compiled.stepping`.  A habit is
# the careful bot's rule of thumb at a glance, which playouts go by, too; in 6 nimmt! they go by more.
HABIT = "habit"
COMPILED = {"uniform": 1, HABIT: 2}
Policy = Callable[[NDArray[Any], NDArray[np.int8]], Any]
OnePlayer = str | Policy


@dataclass(frozen=True)
class Pool:
    """Players of whom one is drawn for each game, as likely as its weight says; past selves, for example."""

    players: tuple[OnePlayer, ...]
    weights: tuple[float, ...] | None = None

    def __init__(
        self, players: Sequence[OnePlayer], weights: Sequence[float] | None = None
    ) -> None:
        if not players or (weights is not None and len(weights) != len(players)):
            raise BadOption("env_pool", players=len(players), weights=len(weights or ()))
        object.__setattr__(self, "players", tuple(players))
        object.__setattr__(self, "weights", None if weights is None else tuple(weights))
        for player in players:
            check_player(player)

    def draw(self, rng: Random) -> OnePlayer:
        return rng.choices(self.players, self.weights)[0]


Opponent = OnePlayer | Pool
Level = Opponent | Sequence[Opponent]


def check_player(player: object) -> None:
    """Refuses at once what could not play later."""
    if isinstance(player, str):
        bot_named(player)
    elif not callable(player):
        raise BadOption("env_player", player=repr(player))


def others(level: Level, seat: Seat, players: int) -> dict[Seat, Opponent]:
    """Who sits where, clockwise from the seat: all alike, or one for each."""
    is_one = isinstance(level, (str, Pool)) or callable(level)
    if not is_one and not isinstance(level, Sequence):
        raise BadOption("env_player", player=repr(level))
    every: list[Opponent] = [level] * (players - 1) if is_one else list(level)  # type: ignore[list-item, arg-type]
    if len(every) != players - 1:
        raise BadOption("env_levels", given=len(every), players=players, needed=players - 1)
    for opponent in every:
        if not isinstance(opponent, Pool):
            check_player(opponent)
    seats = [(seat + step) % players for step in range(1, players)]
    return dict(zip(seats, every, strict=True))


def drawn(opponents: dict[Seat, Opponent], rng: Random) -> dict[Seat, OnePlayer]:
    """Who plays the next game."""
    return {
        seat: who.draw(rng) if isinstance(who, Pool) else who for seat, who in opponents.items()
    }


def choice_of(player: OnePlayer, play: Play, seat: Seat, rng: Random) -> Action:
    """In a game that is played by itself."""
    if isinstance(player, str):
        return bot_named(player)(play.rules, play.view(seat), rng)
    chosen = player(play.observation(seat)[None], play.mask(seat)[None])
    return int(np.asarray(chosen).reshape(-1)[0])


@cache
def bot_named(name: str) -> Bot:
    return choose_by_habit if name == HABIT else bot_called(name)


def choose_by_habit(game: Game[Any], view: View[Any], rng: Random) -> Action:
    """On a table that could be: a habit looks at nothing that its seat does not see."""
    from bullpen.envs.compiled.stepping import habitual

    twin = fast.twin(game.ID)
    record = twin.to_record(game.imagine(view, rng))[0]
    record["actor"] = view.seat
    words = np.zeros(max(game.NOTATION) // 64 + 1, np.uint64)
    return int(habitual(record, words, np.array([rng.getrandbits(63) | 1], np.uint64)))
