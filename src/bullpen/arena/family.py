"""The family benchmark: fixed deals, frozen opponents, and one score for any bot.

What is fixed stands in family-1.json: which deals of which games, with how many players, against whom.  It
also holds checksums of the decks, of the deals, and of how the plain opponents play; a test compares
them, so that results of different times can be compared.  Whoever changes one of these makes a new version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bullpen.arena import plan as planning
from bullpen.arena.one_game import DealShuffler, play_games
from bullpen.arena.plan import Plan
from bullpen.arena.standings import drawn_means, draws, grouped, mean, middle, won
from bullpen.arena.tournament import Tournament, run
from bullpen.arena.workers import Workers
from bullpen.cards import Problem
from bullpen.deck import load_deck
from bullpen.game import BadOption, Game, Options, complete_options
from bullpen.games import GAMES, game_called

VERSION = 1
FILE = Path(__file__).with_name(f"family-{VERSION}.json")
SHORT = 16  # signs of a checksum


@dataclass(frozen=True)
class Suite:
    """What a version of the benchmark fixes."""

    version: int
    seed: int
    deals: int
    quick_deals: int
    quick_players: tuple[int, ...]
    players: tuple[int, ...]  # with how many it is usually played
    games: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Cell:
    """One table of the benchmark: a game, how many play, and who sits in the other seats."""

    game: str
    players: int
    opponent: str
    options: Options

    @property
    def rules(self) -> Game[Any]:
        return GAMES[self.game]


@dataclass(frozen=True)
class Result:
    """How the bot did at one table."""

    cell: Cell
    deals: int
    games: int
    win_share: float
    low: float
    high: float
    points: float
    their_points: float
    drawn: tuple[float, ...]  # win shares with other deals

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.cell.game,
            "players": self.cell.players,
            "opponent": self.cell.opponent,
            "options": dict(self.cell.options),
            "deals": self.deals,
            "games": self.games,
            "win_share": round(self.win_share, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "points": round(self.points, 2),
            "their_points": round(self.their_points, 2),
        }


@dataclass(frozen=True)
class Score:
    """Over all tables with one kind of opponent: 0 is even, 1 wins every game."""

    opponent: str
    score: float
    low: float
    high: float
    tables: int


@cache
def suite() -> Suite:
    fixed = json.loads(FILE.read_text("utf-8"))
    del fixed["name"]
    return Suite(
        **{
            **fixed,
            "players": tuple(fixed["players"]),
            "quick_players": tuple(fixed["quick_players"]),
        }
    )


# -- The tables -------------------------------------------------------------------------------


def cells(bot: str, games: Sequence[str] = (), players: Sequence[int] = ()) -> list[Cell]:
    """The tables of some games, or of all; a bot is not measured against itself."""
    found = []
    for game in games or GAMES:
        rules = game_called(game)
        fixed = suite().games[rules.ID]
        for seats in players or suite().players:
            options = complete_options(rules, seats, fixed["options"])
            found += [
                Cell(rules.ID, seats, opponent, options)
                for opponent in fixed["opponents"]
                if opponent != bot
            ]
    return found


def plan_of(cell: Cell, bot: str) -> Plan:
    lineup = planning.one_table([bot, *[cell.opponent] * (cell.players - 1)])
    deck = load_deck(cell.rules.DECK_FILES)
    return planning.new_plan(cell.rules, lineup, cell.options, deck, suite().seed)


# -- Playing them -----------------------------------------------------------------------------

Progress = Callable[[int], None]  # how many games are finished, over all tables


def nobody(games: int) -> None:
    """Wants to know."""


@dataclass(frozen=True)
class Ahead:
    """Tells the games of one table on top of those of the tables before."""

    games: int
    progress: Progress

    def __call__(self, games: int) -> None:
        self.progress(self.games + games)


class Benchmark:
    """The tables of one bot, played one after the other."""

    def __init__(self, bot: str, tables: Sequence[Cell], deals: int) -> None:
        if not 1 <= deals <= suite().deals:
            raise BadOption("benchmark_deals", deals=deals, most=suite().deals)
        self.bot, self.deals = bot, deals
        self.plans = [(cell, plan_of(cell, bot)) for cell in tables]
        self.results: list[Result] = []
        self.stopped_by: Problem | None = None
        self.is_interrupted = False

    @property
    def games(self) -> int:
        return sum(self.deals * len(plan.seatings) for _, plan in self.plans)

    @property
    def is_finished(self) -> bool:
        return len(self.results) == len(self.plans)

    def play(self, workers: Workers, folder: Path | None, progress: Progress = nobody) -> None:
        """Whatever stops it, finished games are kept in the folder, and are not played again."""
        before = 0
        for cell, plan in self.plans:
            name = f"{plan.game}-{plan.seats}-{plan.digest}.jsonl"
            out = None if folder is None else folder / name
            played = run(plan, self.deals, workers, out, Ahead(before, progress))
            before += played.games
            self.stopped_by, self.is_interrupted = played.stopped_by, played.is_interrupted
            if not played.is_finished:
                return
            self.results.append(result_of(cell, self.bot, played))
            progress(before)

    @property
    def scores(self) -> list[Score]:
        opponents = dict.fromkeys(result.cell.opponent for result in self.results)
        kinds = dict.fromkeys(kind_of(opponent) for opponent in opponents)
        return [score_of(kind, self.results) for kind in kinds]


def result_of(cell: Cell, bot: str, played: Tournament) -> Result:
    groups = grouped(played.plan, played.outcomes, played.deals)
    own = [group[bot] for group in groups]
    others = [group[cell.opponent] for group in groups]
    drawn = drawn_means(draws(len(groups)), own, won)
    low, high = middle(drawn) if played.deals > 1 else (0.0, 1.0)
    return Result(
        cell,
        played.deals,
        len(played.outcomes),
        mean(own, won),
        low,
        high,
        mean(own, lambda tally: tally.points),
        mean(others, lambda tally: tally.points),
        tuple(drawn),
    )


def kind_of(opponent: str) -> str:
    """`montecarlo`, however many playouts it has in a game."""
    return opponent.partition(":")[0]


def score_of(kind: str, results: Sequence[Result]) -> Score:
    own = [result for result in results if kind_of(result.cell.opponent) == kind]
    lifts = [lifted(result.win_share, result.cell.players) for result in own]
    drawn = [
        sum(lifted(share, result.cell.players) for result, share in zip(own, shares, strict=True))
        / len(own)
        for shares in zip(*(result.drawn for result in own), strict=True)
    ]
    low, high = middle(drawn)
    return Score(kind, sum(lifts) / len(lifts), low, high, len(own))


def lifted(win_share: float, players: int) -> float:
    """A win share on a scale that does not depend on the number of players."""
    return (win_share - 1 / players) / (1 - 1 / players)


# -- What is frozen ---------------------------------------------------------------------------


def checksum(facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:SHORT]


def checksum_of_deck(game: str) -> str:
    return checksum(load_deck(GAMES[game].DECK_FILES).as_json())


def checksum_of_deals(game: str, players: int) -> str:
    """Where every card lies after each of the deals, by the names of the places."""
    rules, fixed = GAMES[game], suite().games[game]
    options, deck = complete_options(rules, players, fixed["options"]), load_deck(rules.DECK_FILES)
    tables = []
    for deal in range(1, suite().deals + 1):
        table, shuffle = rules.set_up(players, options, deck), DealShuffler(suite().seed, deal)
        while cards := rules.to_shuffle(table):
            shuffle(cards)
            table, _ = rules.deal(table, cards)
        alike = table.PLACES.alike
        tables.append(
            {
                name: table.lying[place]
                for name, place in sorted(rules.places(table).items())
                if place not in alike
            }
        )
    return checksum(tables)


def checksum_of_play(game: str, opponent: str) -> str:
    """The moves of an opponent against itself, in the first deal, with the fewest players."""
    rules, fixed = GAMES[game], suite().games[game]
    players = rules.SEATS[0]
    options, deck = complete_options(rules, players, fixed["options"]), load_deck(rules.DECK_FILES)
    table = planning.one_table([opponent] * players)
    work = play_games(planning.new_plan(rules, table, options, deck, suite().seed), [1])
    assert work.problem is None, work.problem
    return checksum(json.loads(work.lines[0])["moves"])


def checksums(game: str) -> dict[str, Any]:
    """All that must stay as it is, for one game.  Not the moves of `montecarlo`: they follow from random
    numbers of compiled code, and a quicker twin may draw them in another order, no stronger or weaker."""
    return {
        "deck": checksum_of_deck(game),
        "deals": {str(n): checksum_of_deals(game, n) for n in GAMES[game].SEATS},
        "play": {name: checksum_of_play(game, name) for name in ("uniform", "careful")},
    }
