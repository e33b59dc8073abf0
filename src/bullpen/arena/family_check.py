"""A result card that somebody hands in: its games are played again as they are told, and its figures counted anew.

What a card needs beside it are the files of its games, one a table, as the benchmark keeps them.  The bot itself is not
needed.  The deals are those of the benchmark, its plain opponents are asked again, and whatever else was played must be
legal: so a card can tell of a bot that nobody else has, but not of games that were not played.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bullpen.arena import plan as planning
from bullpen.arena.family import Cell, Result, cells, kind_of, result_of, score_of, suite
from bullpen.arena.family_card import FORMAT, VERSION, rounded
from bullpen.arena.games_file import read_lines
from bullpen.arena.one_game import line_of, outcome_in, play_game
from bullpen.arena.plan import Plan
from bullpen.arena.tournament import Tournament
from bullpen.bots import bot_called
from bullpen.bots.outside import Choose
from bullpen.cards import Problem
from bullpen.deck import load_deck
from bullpen.game import Action, Game, View

FROZEN = (
    "uniform",
    "careful",
)  # opponents who answer the same for ever; the luck of others is not fixed
UNKNOWN_MOVE = -1


class Checked(NamedTuple):
    """What was found in order."""

    bot: str
    tables: int
    games: int
    frozen: int  # of these, games whose opponents were asked again


class Retold:
    """A bot whose moves are known: those of each seat, in their order."""

    def __init__(self, game: Game[Any], moves: Sequence[str]) -> None:
        by_name = {spelled: action for action, spelled in game.NOTATION.items()}
        self.left: dict[int, deque[Action]] = {}
        for move in moves:
            seat, _, spelled = str(move).partition(" ")
            if seat.isdecimal():
                mine = self.left.setdefault(int(seat), deque())
                mine.append(by_name.get(spelled, UNKNOWN_MOVE))

    def __call__(self, game: Game[Any], view: View[Any], rng: Random) -> Action:  # noqa: ARG002
        mine = self.left.get(-1 if view.seat is None else view.seat)
        return mine.popleft() if mine else UNKNOWN_MOVE


def check_card(card: Path, folder: Path) -> Checked:
    """Raises a Problem that names the first thing that is not so."""
    facts = read_card(card)
    bot, tables = str(facts.get("bot")), facts.get("results")
    files = games_in(folder, facts.get("files"))
    results: list[Result] = []
    for row in tables if isinstance(tables, list) else ():
        cell = cell_of(card, bot, row)
        lineup = planning.one_table([bot, *[cell.opponent] * (cell.players - 1)])[0]
        path = files.get((cell.game, lineup))
        if path is None:
            raise Problem("benchmark_check_missing", game=cell.game, table=", ".join(lineup))
        result = check_table(path, cell, bot, row["deals"])
        if result.as_json() != row:
            raise Problem("benchmark_check_figures", file=card, table=", ".join(lineup))
        results.append(result)
    kinds = dict.fromkeys(kind_of(result.cell.opponent) for result in results)
    scores = [rounded(asdict(score_of(kind, results))) for kind in kinds]
    games = sum(result.games for result in results)
    if not results or (scores, games) != (facts.get("scores"), facts.get("games")):
        raise Problem("benchmark_check_figures", file=card, table=bot)
    frozen = sum(result.games for result in results if result.cell.opponent in FROZEN)
    return Checked(bot, len(results), games, frozen)


def read_card(path: Path) -> Mapping[str, Any]:
    try:
        facts = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        facts = None
    wanted = {"format": FORMAT, "version": VERSION, "family": suite().version}
    if not isinstance(facts, dict) or any(facts.get(key) != wanted[key] for key in wanted):
        raise Problem("benchmark_check_card", file=path, family=suite().version)
    return facts


def games_in(folder: Path, made_of: Any) -> dict[tuple[str, tuple[str, ...]], Path]:
    """The files of games in a folder, by their game and who sat at the table, as far as the bot was made of the same
    files: before it was trained again, one of the same name was another."""
    found = {}
    for path in sorted(folder.glob("*.jsonl")):
        plan, _ = read_lines(path)
        if plan.files == made_of:
            found[plan.game, plan.lineups[0]] = path
    return found


def cell_of(card: Path, bot: str, row: Any) -> Cell:
    """The table of the benchmark that a line of the card is about."""
    try:
        of_game = cells(bot, [row["game"]], [row["players"]])
        (cell,) = [cell for cell in of_game if cell.opponent == row["opponent"]]
        is_counted = type(row["deals"]) is int and 1 <= row["deals"] <= suite().deals
    except (TypeError, KeyError, ValueError, Problem):
        is_counted = False
    if not is_counted:
        raise Problem("benchmark_check_card", file=card, family=suite().version)
    return cell


def check_table(path: Path, cell: Cell, bot: str, deals: int) -> Result:
    """The games of one table, each of them played again."""
    plan, lines = read_lines(path)
    lineups = tuple(planning.one_table([bot, *[cell.opponent] * (cell.players - 1)]))
    deck = load_deck(cell.rules.DECK_FILES)
    if plan != Plan(cell.game, cell.options, deck, suite().seed, lineups, plan.files):
        raise Problem("benchmark_check_plan", file=path)
    games = deals * len(plan.seatings)
    outcomes = []
    for number in range(1, games + 1):
        line = lines[number - 1] if number <= len(lines) else b""
        if not is_as_told(plan, number, line, bot, cell.opponent):
            raise Problem("benchmark_check_game", file=path, number=number)
        outcomes.append(outcome_in(line.decode()))
    return result_of(cell, bot, Tournament(plan, deals, outcomes))


def is_as_told(plan: Plan, number: int, line: bytes, bot: str, opponent: str) -> bool:
    """Whether the same moves on the deal of this number give what the line tells."""
    try:
        claimed = json.loads(line)
        again = Retold(plan.rules, claimed["moves"])
        bots: dict[str, Choose] = {bot: again, opponent: again}
        if opponent in FROZEN:
            bots[opponent] = bot_called(opponent)
        return bool(json.loads(line_of(plan, number, play_game(plan, number, bots))) == claimed)
    except (ValueError, KeyError, TypeError, RecursionError, Problem):
        return False
