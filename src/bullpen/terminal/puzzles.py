"""`bullpen puzzles`: solve them, look for more, check those that are there."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from bullpen.cards import Problem
from bullpen.coach.puzzle_maker import make
from bullpen.coach.puzzles import (
    Puzzle,
    checked,
    match_of,
    puzzles_of,
    read_puzzles,
    verdict,
)
from bullpen.game import Game
from bullpen.match import Match
from bullpen.terminal.boards import drawn_table
from bullpen.terminal.moves import in_notation, meant, offered
from bullpen.terminal.screen import InputEnded, Screen, blank, rule, show, typed, write
from bullpen.terminal.sight import sight_of

USUAL = 100  # puzzles of a game
FAILED = 1  # exit code: a puzzle has lost its answer
EVERY = 10  # games, between two lines of progress


def usual_file(game: Game[Any]) -> Path:
    return Path(f"{game.ID}-puzzles.jsonl")


def known_puzzles(game: Game[Any], file: Path | None) -> Sequence[Puzzle]:
    return puzzles_of(game) if file is None else read_puzzles(file)


# -- Solving --------------------------------------------------------------------------------------


def play(screen: Screen, game: Game[Any], file: Path | None, count: int | None, seed: int) -> int:
    """In an order that follows from the seed, until they are all solved or somebody has had enough."""
    puzzles = list(known_puzzles(game, file))
    if not puzzles:
        raise Problem("puzzles_none", game=game.ID)
    Random(seed).shuffle(puzzles)
    tried = solved = 0
    say = screen.voice.say
    for puzzle in puzzles[:count]:
        blank(screen)
        facts = {"number": tried + 1, "count": len(puzzles[:count]), "game": game.TITLE}
        rule(screen, say("coach.puzzle.title", **facts))
        match = match_of(game, puzzle)
        move = answer(screen, match, puzzle)
        if move is None:
            break
        tried += 1
        solved += move == puzzle.answer
        for sentence in verdict(screen.voice, game, puzzle, move):
            write(screen, sentence)
    blank(screen)
    write(screen, say("coach.puzzle.solved", solved=solved, tried=tried))
    return 0


def answer(screen: Screen, match: Match, puzzle: Puzzle) -> str | None:
    """The move that was typed; None: enough for now."""
    sight, legal = sight_of(match, puzzle.seat, screen), match.legal(puzzle.seat)
    show(screen, drawn_table(sight))
    blank(screen)
    show(screen, offered(sight, legal))
    while True:
        try:
            words = typed(screen.voice.say("coach.puzzle.ask") + " ")
        except InputEnded:
            return None
        if words.lower() in screen.voice.say("coach.puzzle.leave").split():
            return None
        found = meant(in_notation(screen.voice, words, legal), legal)
        if len(found) == 1:
            return found[0]
        write(screen, screen.voice.say("coach.puzzle.not_a_move", words=words))


# -- Making and checking --------------------------------------------------------------------------


def make_more(screen: Screen, game: Game[Any], file: Path, wanted: int, jobs: int) -> int:
    """Can be interrupted at any time: the same command goes on where it was."""
    errors = Console(stderr=True, highlight=False, markup=False)
    say = screen.voice.say
    looked = 0
    found = len(read_puzzles(file)) if file.is_file() else 0
    for one in make(game, file, wanted, jobs):
        looked += 1
        found += one.puzzle is not None
        if looked % EVERY == 0:
            errors.print(say("coach.puzzle.so_far", found=found, wanted=wanted, looked=looked))
    write(screen, say("coach.puzzle.made", found=found, file=str(file), looked=looked))
    return 0


def check(
    screen: Screen, games: Sequence[Game[Any]], file: Path | None, count: int | None, seed: int
) -> int:
    """Whether the answers stand at ten times the tables; each that does not is named."""
    say, code = screen.voice.say, 0
    for game in games:
        puzzles = known_puzzles(game, file)[:count]
        kept = 0
        for puzzle in puzzles:
            again = checked(game, puzzle, seed + puzzle.number)
            kept += again.holds
            if not again.holds:
                best = again.ranked[0].move
                facts = {"answer": puzzle.answer, "best": best, "number": puzzle.number}
                print(say("coach.puzzle.lost", game=game.ID, **facts), file=sys.stderr, flush=True)
                code = FAILED
        facts = {"game": game.ID, "kept": kept, "count": len(puzzles)}
        write(screen, say("coach.puzzle.checked", **facts))
    return code
