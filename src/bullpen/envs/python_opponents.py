"""Who is asked in a vector of games where no compiled code decides: bots by name, policies, pools."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.cards import Problem
from bullpen.envs.opponents import COMPILED, OnePlayer, Opponent, Pool, bot_named
from bullpen.game import Seat

# As `bullpen.envs.compiled.stepping` numbers them, between them those of `COMPILED`.
OUTSIDE, ASKED = 0, 3


class PythonOpponents:
    """The other seats of so many games."""

    def __init__(self, opponents: dict[Seat, Opponent], games: int) -> None:
        self.opponents = opponents
        self._rng = Random()
        pools = {seat: who for seat, who in opponents.items() if isinstance(who, Pool)}
        self._drawn: dict[Seat, list[OnePlayer]] = {
            seat: [pool.players[0]] * games for seat, pool in pools.items()
        }
        self._seats = np.array([at for at in opponents if self.kind_of(at) == ASKED], np.int8)

    def __bool__(self) -> bool:
        return bool(self._seats.size)

    def kind_of(self, seat: Seat) -> int:
        who = self.opponents.get(seat)
        if who is None:
            return OUTSIDE
        return COMPILED.get(who, ASKED) if isinstance(who, str) else ASKED

    def seed(self, seed: int) -> None:
        self._rng = Random(seed)

    def draw(self, games: Iterable[int]) -> None:
        """Who of a pool plays in these games, which begin."""
        if self._drawn:
            for game in games:
                for seat, players in self._drawn.items():
                    players[game] = self.opponents[seat].draw(self._rng)  # type: ignore[union-attr]

    def waiting(self, actors: NDArray[np.int8]) -> NDArray[np.int64]:
        """The games that wait for one of these seats."""
        return np.flatnonzero(np.isin(actors, self._seats))

    def choices(self, tables: Any, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """What they choose; a policy is asked once for all its games."""
        chosen = np.zeros(games.size, np.int64)
        by_player: dict[int, tuple[OnePlayer, list[int]]] = {}
        for at, game in enumerate(games.tolist()):
            player = self._player(int(tables.actors[game]), game)
            by_player.setdefault(id(player), (player, []))[1].append(at)
        for player, which in by_player.values():
            if isinstance(player, str):
                chosen[which] = [self._by_bot(player, tables, int(games[at])) for at in which]
            else:
                asked = games[which]
                answer = np.asarray(player(tables.seen_in(asked), tables.masks[asked]))
                if answer.shape != (len(which),) or answer.dtype.kind not in "iu":
                    raise Problem("batch_actions", shape=answer.shape, n=len(which))
                chosen[which] = answer
        return chosen

    def _player(self, seat: Seat, game: int) -> OnePlayer:
        who = self.opponents[seat]
        return self._drawn[seat][game] if isinstance(who, Pool) else who

    def _by_bot(self, name: str, tables: Any, game: int) -> int:
        rules, table = tables.wished.rules, tables.table(game)
        view = rules.view(table, int(tables.actors[game]))
        return bot_named(name)(rules, view, self._rng)
