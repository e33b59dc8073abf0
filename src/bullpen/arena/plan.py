"""The plan of a tournament: who sits where in which game.

Games are numbered from 1.  They go deal by deal; the games of one deal are the same shuffles with every
lineup in every rotation.  Which game has which number follows from the plan alone, so a tournament can
stop anywhere and go on, and it does not matter who plays the games.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import Any

from bullpen.bots import bot_called
from bullpen.bots.outside import files_of
from bullpen.cards import Problem
from bullpen.deck import Deck, deck_from_json
from bullpen.game import BadOption, Game, Options, OptionValue, complete_options
from bullpen.games import GAMES

FORMAT, VERSION = "bullpen-tournament", 1
MOST_GAMES_A_DEAL = 10_000

Lineup = tuple[str, ...]  # the bots of a table, by seat


@dataclass(frozen=True)
class Plan:
    """All that the games of a tournament follow from; how many deals are played is not part of it."""

    game: str
    options: Mapping[str, OptionValue]
    deck: Deck
    seed: int
    lineups: tuple[Lineup, ...]
    files: Mapping[str, str]  # bots from outside: what they are made of, with checksums

    @property
    def rules(self) -> Game[Any]:
        return GAMES[self.game]

    @property
    def seats(self) -> int:
        return len(self.lineups[0])

    @cached_property
    def bots(self) -> list[str]:
        return list(dict.fromkeys(bot for lineup in self.lineups for bot in lineup))

    @cached_property
    def seatings(self) -> list[Lineup]:
        """Of one deal."""
        return [seating for lineup in self.lineups for seating in rotations(lineup)]

    def where(self, number: int) -> tuple[int, Lineup]:
        """The deal of a game, from 1, and who sits where."""
        deal, at = divmod(number - 1, len(self.seatings))
        return deal + 1, self.seatings[at]

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "players": self.seats,
            "options": dict(self.options),
            "basis": self.deck.basis,
            "deck": self.deck.as_json(),
            "seed": self.seed,
            "lineups": [list(lineup) for lineup in self.lineups],
            "files": dict(self.files),
        }

    @property
    def digest(self) -> str:
        """Short, for the name of a file; other settings have another one."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()[:10]


def new_plan(
    game: Game[Any], lineups: Sequence[Lineup], options: Options, deck: Deck, seed: int = 0
) -> Plan:
    """A plan with everything checked that can be checked before the first game."""
    complete = complete_options(game, len(lineups[0]), options)
    bots = dict.fromkeys(bot for lineup in lineups for bot in lineup)
    for bot in bots:
        bot_called(bot)
    games = sum(len(rotations(lineup)) for lineup in lineups)
    if games > MOST_GAMES_A_DEAL:
        raise too_many_games(len(bots), len(lineups[0]), games)
    files = {file: checksum for bot in bots for file, checksum in files_of(bot).items()}
    return Plan(game.ID, complete, deck, seed, tuple(lineups), files)


def plan_from_json(header: Mapping[str, Any]) -> Plan:
    """The plan that `as_json` gave."""
    game = GAMES[header["game"]]
    deck = deck_from_json(game.DECK_FILES, header["deck"], header["basis"])
    lineups = tuple(tuple(lineup) for lineup in header["lineups"])
    options = complete_options(game, header["players"], header["options"])
    return Plan(game.ID, options, deck, header["seed"], lineups, header["files"])


# -- Lineups ----------------------------------------------------------------------------------


def rotations(lineup: Lineup) -> list[Lineup]:
    """Every bot in every seat with the same neighbours; those that look alike only once."""
    turned = [lineup[-turn:] + lineup[:-turn] for turn in range(len(lineup))]
    return list(dict.fromkeys(turned))


def one_table(bots: Iterable[str]) -> list[Lineup]:
    table = tuple(bots)
    if not table or not all(table):
        raise BadOption("tournament_bot_missing", bots=", ".join(table))
    return [table]


def every_mix(bots: Iterable[str], seats: int) -> list[Lineup]:
    """All tables of these bots at which at least two different ones sit."""
    kinds = list(bots)
    if not all(kinds):
        raise BadOption("tournament_bot_missing", bots=", ".join(kinds))
    if twice := next((bot for bot in kinds if kinds.count(bot) > 1), None):
        raise BadOption("tournament_bot_twice", bot=twice)
    if len(kinds) < 2:
        raise BadOption("tournament_one_bot", bot=", ".join(kinds))
    tables = comb(len(kinds) + seats - 1, seats) - len(kinds)
    if tables > MOST_GAMES_A_DEAL:
        raise too_many_games(len(kinds), seats, tables)
    return [mix for mix in combinations_with_replacement(kinds, seats) if len(set(mix)) > 1]


def too_many_games(bots: int, seats: int, games: int) -> Problem:
    most = MOST_GAMES_A_DEAL
    return BadOption("tournament_too_many", bots=bots, seats=seats, games=games, most=most)
