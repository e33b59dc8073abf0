"""Puzzles: positions of games between bots in which one move is better than all others beyond doubt.

They lie in the games' folders, a line each, with all that went into the game and the figures of their proof.  What the
seat to move does not see is in the file, as in every record, and never in what is shown.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bullpen.cards import Card, Problem
from bullpen.coach.candidates import Candidate, compared
from bullpen.coach.hint import Hint
from bullpen.coach.wording import reasoned
from bullpen.deck import load_deck
from bullpen.game import Game, Options, Seat, View
from bullpen.match import Match
from bullpen.text import Voice

FILE = "puzzles.jsonl"
RIVALS = 3  # that are looked at again with the answer: all others were further behind
TEN_TIMES = 10


@dataclass(frozen=True, slots=True)
class Puzzle:
    number: int  # of the game that it is from, in the maker's count
    options: Options
    players: int
    shuffles: list[list[int | str]]
    moves: list[str]  # "2 play 43": the seat, and its move
    seat: Seat
    answer: str
    second: str
    behind: float  # how much less the second-best move is worth, in points
    error: float  # its standard error
    candidates: int
    tables: int  # imagined ones, on which every candidate was played out

    def as_line(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Checked:
    """What ten times the tables have shown."""

    puzzle: Puzzle
    ranked: list[Candidate]

    @property
    def holds(self) -> bool:
        return self.ranked[0].move == self.puzzle.answer


# -- Files --------------------------------------------------------------------------------------


def file_of(game: Game[Any]) -> Path:
    return game.DECK_FILES[0].path.parent / FILE


@cache
def puzzles_of(game: Game[Any]) -> tuple[Puzzle, ...]:
    """Those that are shipped."""
    file = file_of(game)
    return tuple(read_puzzles(file)) if file.is_file() else ()


def read_puzzles(file: Path) -> list[Puzzle]:
    found = []
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Problem("puzzles_unreadable", file=file, reason=str(error)) from None
    for at, line in enumerate(lines, start=1):
        try:
            found.append(Puzzle(**json.loads(line)))
        except (ValueError, TypeError):
            if at == len(lines):  # it was interrupted while this line was written
                break
            raise Problem("puzzles_line", file=file, line=at) from None
    return found


# -- Positions ----------------------------------------------------------------------------------


def match_of(game: Game[Any], puzzle: Puzzle) -> Match:
    """The game up to the decision."""
    by_name = {game.CARD_NAMES.get(card, card): card for card in game.CARDS}
    shuffles = iter(puzzle.shuffles)

    def next_shuffle(cards: list[Card]) -> None:
        cards[:] = [by_name[name] for name in next(shuffles)]

    deck = load_deck(game.DECK_FILES)
    match = Match(game, puzzle.players, puzzle.options, deck, (), next_shuffle)
    for spelled in puzzle.moves:
        seat, _, move = spelled.partition(" ")
        match.move(int(seat), move)
    return match


def view_of(game: Game[Any], puzzle: Puzzle) -> View[Any]:
    return match_of(game, puzzle).view(puzzle.seat)


def checked(game: Game[Any], puzzle: Puzzle, seed: int, times: int = TEN_TIMES) -> Checked:
    """The answer beside its strongest rivals, on so many times the tables, none of which was used before."""
    view = view_of(game, puzzle)
    actions = {game.NOTATION[action]: action for action in view.legal}
    few = compared(game, view, view.legal, len(view.legal) * 500, seed)
    rivals = [one.move for one in few if one.move != puzzle.answer][:RIVALS]
    if puzzle.second not in rivals:
        rivals[-1] = puzzle.second
    chosen = [actions[move] for move in (puzzle.answer, *rivals)]
    playouts = puzzle.tables * times * len(chosen)
    return Checked(puzzle, compared(game, view, chosen, playouts, seed + 1_000_000_007))


# -- The answer, in words -------------------------------------------------------------------------


def verdict(voice: Voice, game: Game[Any], puzzle: Puzzle, played: str) -> list[str]:
    """Whether it was right, by how much, and why."""
    other = puzzle.second if played == puzzle.answer else played
    facts = {
        "move": voice.move(game, puzzle.answer),
        "second": voice.move(game, puzzle.second),
        "points": voice.decimal(puzzle.behind, 1),
        "error": voice.decimal(puzzle.error, 2),
        "tables": puzzle.tables,
    }
    key = "right" if played == puzzle.answer else "wrong"
    said = [voice.say(f"coach.puzzle.{key}", played=voice.move(game, played), **facts)]
    shown = [
        Candidate(puzzle.answer, 0.0, 0.0, 0.0, 0.0, puzzle.tables),
        Candidate(other, 0.0, 0.0, puzzle.behind, puzzle.error, puzzle.tables),
    ]
    known = Hint(game.ID, puzzle.seat, shown, puzzle.answer, [], 0, puzzle.number)
    why, _ = reasoned(voice, game, view_of(game, puzzle), known)
    return [*said, voice.say("coach.puzzle.proof", **facts), *why]
