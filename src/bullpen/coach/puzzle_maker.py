"""Looks through games between bots for puzzles: games by number, so that it can be interrupted, and shared out.

A position is looked at three times, each time with more playouts: most of them show soon that they are none.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bullpen.bots import bot_called
from bullpen.coach.candidates import Candidate, ranked_candidates
from bullpen.coach.grades import limits
from bullpen.coach.positions import Position, positions
from bullpen.coach.puzzles import Puzzle, read_puzzles
from bullpen.coach.turns import view_after
from bullpen.deck import load_deck
from bullpen.game import Game, complete_options
from bullpen.games import game_called
from bullpen.match import Match

SURE = 8.0  # standard errors between the answer and the second-best move
LEAST_CANDIDATES = 3
LOOKS = (60, 400, 10_000)  # tables a candidate, of each look
SURE_ENOUGH = (1.5, 4.0, SURE)
MISSED_BY = "medium"  # what this one plays at once is no puzzle
CHANCES = 3  # of it to find the answer
PLAYERS = (3, 4)
BOTS = ("medium", "easy")
AHEAD = 4  # games for each process, so that none waits


@dataclass(frozen=True, slots=True)
class Looked:
    number: int
    puzzle: Puzzle | None


def look_at(game_id: str, number: int) -> Looked:
    """One game, and the first position of it, in an order of its own, that is a puzzle."""
    game, rng = game_called(game_id), Random(f"puzzle {game_id} {number}")
    match = played(game, rng)
    found = [one for one in positions(match) if len(one.view.legal) >= LEAST_CANDIDATES]
    rng.shuffle(found)
    for position in found:
        if (ranked := proof(game, position, number)) is not None:
            return Looked(number, puzzle_at(match, position, ranked, number))
    return Looked(number, None)


def played(game: Game[Any], rng: Random) -> Match:
    seats = rng.choice([seats for seats in PLAYERS if seats in game.SEATS])
    short = {option.name: 1 for option in game.OPTIONS if option.name == "rounds"}
    options = complete_options(game, seats, short)
    match = Match(game, seats, options, load_deck(game.DECK_FILES), (), rng.shuffle)
    bots = [bot_called(rng.choice(BOTS)) for _ in range(seats)]
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.act(seat, bots[seat](game, match.view(seat), rng))
    return match


def proof(game: Game[Any], position: Position, number: int) -> list[Candidate] | None:
    """The candidates in their order where the first is better beyond doubt; else none."""
    view, least = position.view, limits(game)["mistake"]  # what is milder is not worth a puzzle
    ranked: list[Candidate] = []
    for look, (tables, sure) in enumerate(zip(LOOKS, SURE_ENOUGH, strict=True)):
        seed = 1_000_003 * number + 10 * position.number + look
        ranked = ranked_candidates(game, view, tables * len(view.legal), seed)
        second = ranked[1]
        if second.behind < least or second.behind < sure * second.behind_error:
            return None
        if not look and is_found(game, position, ranked[0].move):
            return None
    actions = {game.NOTATION[action]: action for action in view.legal}
    # Where the turn goes on, a playout blames the order (see turns.py): no doubt may come from that.
    on = [view_after(game, view, actions[one.move], number) for one in ranked[:2]]
    return ranked if on == [None, None] else None


def is_found(game: Game[Any], position: Position, move: str) -> bool:
    bot = bot_called(MISSED_BY)
    return any(
        game.NOTATION[bot(game, position.view, Random(chance))] == move for chance in range(CHANCES)
    )


def puzzle_at(match: Match, position: Position, ranked: list[Candidate], number: int) -> Puzzle:
    game, names = match.game, match.game.CARD_NAMES
    first = [one for one in match.decisions if one.moment < position.moment]
    best, second = ranked[:2]
    dealt = dealt_until(match, len(first))
    return Puzzle(
        number=number,
        options=match.options,
        players=match.seats,
        shuffles=[[names.get(card, card) for card in cards] for cards in match.shuffles[:dealt]],
        moves=[f"{one.seat} {game.NOTATION[one.action]}" for one in first],
        seat=position.seat,
        answer=best.move,
        second=second.move,
        behind=round(second.behind, 3),
        error=round(second.behind_error, 4),
        candidates=len(ranked),
        tables=best.playouts,
    )


def dealt_until(match: Match, moves: int) -> int:
    """How many shuffles lie before the decision after so many moves."""
    shuffles = iter(match.shuffles)
    used = 0

    def count(cards: list[int]) -> None:
        nonlocal used
        cards[:] = next(shuffles)
        used += 1

    again = Match(match.game, match.seats, match.options, match.deck, (), count)
    for one in match.decisions[:moves]:
        again.act(one.seat, one.action)
    return used


# -- Many games -----------------------------------------------------------------------------------


def make(game: Game[Any], file: Path, wanted: int, jobs: int) -> Iterator[Looked]:
    """Adds puzzles to the file until it has as many as wanted; goes on behind the last one that stands there."""
    known = read_puzzles(file) if file.is_file() else []
    file.write_text("".join(one.as_line() + "\n" for one in known), "utf-8")  # without half a line
    first = known[-1].number + 1 if known else 0
    missing = wanted - len(known)
    with file.open("a", encoding="utf-8") as out:
        looking = looked_at(game.ID, first, jobs)
        while missing > 0:
            looked = next(looking)
            if looked.puzzle is not None:
                out.write(looked.puzzle.as_line() + "\n")
                out.flush()
                missing -= 1
            yield looked
        looking.close()


def looked_at(game: str, first: int, jobs: int) -> Generator[Looked, None, None]:
    """Games without end, in their order, here or in so many processes."""
    number = first
    if jobs == 1:
        while True:
            yield look_at(game, number)
            number += 1
    # Compiled code does not survive a fork, so every process starts afresh.
    context = multiprocessing.get_context("spawn")
    running: deque[Future[Looked]] = deque()
    with ProcessPoolExecutor(jobs, context, initializer=leave_interrupts) as pool:
        try:
            while True:
                while len(running) < jobs * AHEAD:
                    running.append(pool.submit(look_at, game, number))
                    number += 1
                yield running.popleft().result()
        finally:
            for one in running:
                one.cancel()


def leave_interrupts() -> None:
    """Ctrl-C is for the process that writes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
