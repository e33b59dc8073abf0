"""Counted games, as chess programs count positions (perft): a wrong rule changes a number.

Each file in tests/counts has a fixed deal, and for 1, 2, 3, … decisions
games    in how many ways they can be made, those of a secret choice by seat; and
tables   how many different tables they lead to, those of a secret choice in any order of seats.
Each number is found in two ways: the games by us and by the referee, who shares no code with us; the
tables by the rules alone, comparing tables, and by a match with moves as text and undo, comparing what is
printed and what may be done next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bullpen.cards import Card
from bullpen.game import drawn, read_options
from bullpen.games import GAMES
from bullpen.match import Match
from tests.referee import GAMES as REFEREES
from tests.referee.script import Decide, Header, Shuffle, Step, Tell
from tests.walks import Setup, deck_of, facts

COUNTS = Path(__file__).parent / "counts"


class Counted(NamedTuple):
    setup: Setup
    step: int  # the cards are dealt in this order: each one so much further than the last
    games: list[int]
    tables: list[int]


def read(path: Path) -> Counted:
    said = [line for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]
    settings = dict(line.split(": ") for line in said if ":" in line)
    rows = [[int(word) for word in line.split()] for line in said if ":" not in line]
    game, seats = GAMES[path.stem], int(settings["seats"])
    options = read_options(game, seats, settings.get("options", "").split())
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return Counted(
        Setup(game, seats, options, deck_of(game.ID)),
        int(settings["step"]),
        [row[1] for row in rows],
        [row[2] for row in rows],
    )


FILES = sorted(COUNTS.glob("*.txt"))
FOR_EVERY_FILE = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])


def in_steps(cards: list[Any], step: int) -> list[Any]:
    """Beginning with the first: every card once, if the step and their number have no common factor."""
    shuffled = [cards[at * step % len(cards)] for at in range(len(cards))]
    assert len(set(shuffled)) == len(cards)
    return shuffled


def dealt(counted: Counted) -> Any:
    setup = counted.setup
    table = setup.game.set_up(setup.seats, setup.options, setup.deck)
    while cards := setup.game.to_shuffle(table):
        table, _ = setup.game.deal(table, in_steps(cards, counted.step))
    return table


# -- Ways to play -------------------------------------------------------------------------------------


def games_by_the_rules(counted: Counted, depth: int) -> list[int]:
    """How many ways there are to make 1, 2, … decisions."""
    game, counts = counted.setup.game, []
    tables = [dealt(counted)]
    for _ in range(depth):
        tables = [
            game.apply(table, seat, action)[0]
            for table in tables
            for seat in game.waiting_for(table)[:1]
            for action in game.legal(table, seat)
        ]
        counts.append(len(tables))
    return counts


def games_by_the_referee(counted: Counted, depth: int) -> list[int]:
    """Every game begun anew for each way to go on."""
    played: list[tuple[str, ...]] = [()]
    counts = []
    for _ in range(depth):
        played = [(*moves, move) for moves in played for move in refereed(counted, moves)]
        counts.append(len(played))
    return counts


def refereed(counted: Counted, moves: tuple[str, ...]) -> list[str]:
    """What the referee allows after these moves."""
    setup = counted.setup
    script = REFEREES[setup.game.ID].script(
        Header(setup.seats, setup.options, setup.deck.as_json())
    )
    to_come = iter(moves)
    step: Step = next(script)
    while True:
        match step:
            case Shuffle(cards):
                step = script.send(in_steps(sorted(cards), counted.step))
            case Tell():
                step = next(script)
            case Decide(_, legal):
                move = next(to_come, None)
                if move is None:
                    return legal
                step = script.send(move)


@FOR_EVERY_FILE
def test_there_are_as_many_games_as_the_file_says(path: Path) -> None:
    counted = read(path)
    assert games_by_the_rules(counted, len(counted.games)) == counted.games


@FOR_EVERY_FILE
def test_the_referee_counts_as_many_games(path: Path) -> None:
    counted = read(path)
    levels = [at for at, games in enumerate(counted.games, start=1) if games < 3000]
    assert games_by_the_referee(counted, len(levels)) == counted.games[: len(levels)]


# -- Different tables -----------------------------------------------------------------------------------


def tables_by_the_rules(counted: Counted, depth: int) -> list[int]:
    game, counts = counted.setup.game, []
    tables = [dealt(counted)]
    for _ in range(depth):
        reached = {
            identity(counted, after): after
            for table in tables
            for seat in game.waiting_for(table)
            for action in game.legal(table, seat)
            for after in [game.apply(table, seat, action)[0]]
        }
        tables = list(reached.values())
        counts.append(len(tables))
    return counts


def identity(counted: Counted, table: Any) -> tuple[Any, ...]:
    """Who chose last says nothing about a table for which everybody chooses."""
    values = {
        name: v
        for name, v in facts(table).items()
        if name not in ("options", "deck", "actor", "heaps")
    }
    return *values.values(), *counted.setup.game.waiting_for(table)


def tables_by_a_match(counted: Counted, depth: int) -> list[int]:
    """All orders of all moves, typed and taken back one after the other."""

    def shuffle(cards: list[Card]) -> None:
        cards[:] = in_steps(cards, counted.step)

    setup = counted.setup
    match = Match(setup.game, setup.seats, setup.options, setup.deck, (), shuffle)
    reached: list[set[str]] = [set() for _ in range(depth)]

    def explore(level: int) -> None:
        if level == depth:
            return
        for seat, move in typed(match):
            match.move(seat, move)
            shown = all_that_is_seen(match)
            if shown not in reached[level]:
                reached[level].add(shown)
                explore(level + 1)
            match.undo()

    explore(0)
    return [len(shown) for shown in reached]


def all_that_is_seen(match: Match) -> str:
    """The table, the moves, what everybody remembers of hidden hands, and who got bull cards."""
    offered = [match.legal(seat) for seat in range(match.seats)]
    remembered = drawn(match.game, match.table, match.view(None).remembered)
    bulls = sorted(
        event["seat"] for event in match.events if event.keys() == {"event", "seat", "from"}
    )
    shown = f"{match}{offered}{remembered}{bulls}"
    return re.sub(
        r" +", " ", re.sub(r"\bstack \d+:", "stack:", shown)
    )  # what number it has is no other table


def typed(match: Match) -> Iterator[tuple[int, str]]:
    for seat in match.waiting_for:
        for move in match.legal(seat):
            yield seat, move


@FOR_EVERY_FILE
def test_there_are_as_many_tables_as_the_file_says(path: Path) -> None:
    counted = read(path)
    assert tables_by_the_rules(counted, len(counted.tables)) == counted.tables


@FOR_EVERY_FILE
def test_a_match_comes_to_as_many_tables(path: Path) -> None:
    counted = read(path)
    levels = [at for at, tables in enumerate(counted.tables, start=1) if tables < 3000]
    assert tables_by_a_match(counted, len(levels)) == counted.tables[: len(levels)]


def test_every_game_is_counted() -> None:
    assert {path.stem for path in FILES} == set(GAMES)
