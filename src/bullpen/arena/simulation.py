"""Mass simulation: random complete games on the compiled twins, and a report of what happened.

Game i is dealt from seed + i, so the result depends on the seed and on the number of games, not on how
many threads shared the work.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.cards import Problem
from bullpen.deck import Deck
from bullpen.fast import compiling, playouts
from bullpen.fast.counting import count_games
from bullpen.game import Game, Options, OptionValue

SHARE = 5_000  # games a piece of work: short enough for Ctrl-C and a lively progress bar
MOST_THREADS = 256
CONFIDENCE = 1.96  # standard errors on either side: 95 %

Progress = Callable[[int, int], None]  # games and decisions done so far


@dataclass
class Counts:
    """How often each whole number came up."""

    times: dict[int, int] = field(default_factory=dict)

    def add(self, least: int, times: NDArray[np.int64]) -> None:
        """So many times the numbers from `least` on."""
        for number, more in enumerate(times.tolist(), least):
            if more:
                self.times[number] = self.times.get(number, 0) + more

    @property
    def total(self) -> int:
        return sum(self.times.values())

    @property
    def mean(self) -> float:
        return sum(number * times for number, times in self.times.items()) / self.total

    @property
    def deviation(self) -> float:
        mean = self.mean
        squares = sum(times * (number - mean) ** 2 for number, times in self.times.items())
        return float((squares / self.total) ** 0.5)

    def quantile(self, share: float) -> int:
        """The smallest number below or at which this share of the results lies."""
        seen = 0
        for number in sorted(self.times):
            seen += self.times[number]
            if seen >= share * self.total:
                break
        return number

    def as_json(self) -> dict[str, Any]:
        return {
            "mean": self.mean,
            "deviation": self.deviation,
            "least": min(self.times),
            "median": self.quantile(0.5),
            "most": max(self.times),
            "times": {str(number): self.times[number] for number in sorted(self.times)},
        }


@dataclass
class Report:
    """What a simulation found."""

    game: Game[Any]
    seats: int
    options: Options
    seed: int
    jobs: int
    facts: tuple[str, ...]  # what `tally` counts
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    scores: list[Counts] = field(default_factory=list)  # by seat
    lengths: Counts = field(default_factory=Counts)  # decisions a game
    # Games won, by seat and by how many won the same one: whole numbers, whose sums depend on no order.
    won: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 1), np.int64))
    tally: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def add(self, points: NDArray[np.int32], lengths: NDArray[np.int32], tally: Any) -> None:
        counted = count_games(points, lengths, -1 if self.game.best(self.options) is min else 1)
        self.games += len(lengths)
        self.decisions += counted.decisions
        self.lengths.add(counted.least_length, counted.lengths[0])
        for counts, times in zip(self.scores, counted.scores, strict=True):
            counts.add(counted.least_score, times)
        self.won += counted.won
        self.tally += tally

    @property
    def wins(self) -> NDArray[np.float64]:
        """By seat, ties split."""
        return self.shares_to_the(1)

    def shares_to_the(self, power: int) -> NDArray[np.float64]:
        """The sum of each seat's shares of games, to this power."""
        shares: NDArray[np.float64] = (1 / np.arange(1, self.seats + 1)) ** power
        return self.won[:, 1:] @ shares

    def win_share(self, seat: int) -> tuple[float, float, float]:
        """A seat's share of the wins, with the ends of its 95 % interval."""
        share = self.wins[seat] / self.games
        variance = max(self.shares_to_the(2)[seat] / self.games - share**2, 0.0)
        margin = CONFIDENCE * (variance / self.games) ** 0.5
        return float(share), float(share - margin), float(share + margin)

    def as_json(self) -> dict[str, Any]:
        shares = [self.win_share(seat) for seat in range(self.seats)]
        return {
            "game": self.game.ID,
            "players": self.seats,
            "options": dict(self.options),
            "seed": self.seed,
            "jobs": self.jobs,
            "games": self.games,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "scores": [counts.as_json() for counts in self.scores],
            "wins": [{"share": share, "low": low, "high": high} for share, low, high in shares],
            "lengths": self.lengths.as_json(),
            "per_game": {
                fact: float(count) / self.games
                for fact, count in zip(self.facts, self.tally, strict=True)
            },
        }


def simulate(
    game: Game[Any],
    seats: int,
    options: Mapping[str, OptionValue],
    deck: Deck,
    games: int,
    seed: int,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Random complete games.  Ctrl-C gives the report of those that were finished by then."""
    if games < 1:
        raise Problem("simulate_games", games=games)
    if jobs is not None and jobs < 1:
        raise Problem("simulate_jobs", jobs=jobs)
    twin, fresh = prepare(game, seats, options, deck)
    workers = min(jobs or os.cpu_count() or 1, MOST_THREADS)
    report = empty_report(game, seats, options, seed, workers, twin)
    start = time.perf_counter()
    try:
        for points, lengths, tally in finished(twin, fresh, games, seed, workers):
            report.add(points[:, :seats], lengths, tally)
            if progress:
                progress(report.games, report.decisions)
    except KeyboardInterrupt:
        pass
    report.seconds = time.perf_counter() - start
    return report


def empty_report(
    game: Game[Any], seats: int, options: Options, seed: int, jobs: int, twin: Any
) -> Report:
    return Report(
        game,
        seats,
        options,
        seed,
        jobs,
        twin.TALLY,
        scores=[Counts() for _ in range(seats)],
        won=np.zeros((seats, seats + 1), np.int64),
        tally=np.zeros(len(twin.TALLY), np.int64),
    )


def is_compiled(game: Game[Any]) -> bool:
    """Whether the first game will start at once, or after some seconds of compiling."""
    return compiling.is_compiled(game.ID)


def prepare(game: Game[Any], seats: int, options: Options, deck: Deck) -> tuple[Any, Any]:
    """The twin and a fresh record; compiles, or loads what was compiled before."""
    twin = fast.twin(game.ID)
    fresh = twin.to_record(game.set_up(seats, options, deck))
    with compiling.collection_paused():
        play(twin, fresh, 1, 0)
    compiling.mark_compiled(game.ID)
    return twin, fresh


def play(twin: Any, fresh: Any, games: int, seed: int) -> tuple[Any, Any, Any]:
    """So many games in one go: points [games, seats], lengths [games], and what was counted."""
    states = np.repeat(fresh, 2)
    points = np.zeros((games, twin.SEATS), np.int32)
    lengths, tally = np.zeros(games, np.int32), np.zeros(len(twin.TALLY), np.int64)
    playouts.play_games(states, seed, points, lengths, tally)
    return points, lengths, tally


def finished(
    twin: Any, fresh: Any, games: int, seed: int, workers: int
) -> Iterator[tuple[Any, Any, Any]]:
    """The results of the pieces of work, always in the same order."""
    firsts = iter(range(0, games, SHARE))
    with ThreadPoolExecutor(workers) as threads:

        def start(first: int) -> Future[tuple[Any, Any, Any]]:
            share = min(SHARE, games - first)
            return threads.submit(play, twin, fresh, share, seed + first)

        running = deque(start(first) for first in islice(firsts, 2 * workers))
        try:
            while running:
                done = running.popleft().result()
                running.extend(start(first) for first in islice(firsts, 1))
                yield done
        finally:
            for piece in running:
                piece.cancel()


def histogram(counts: Counts, bars: int) -> Sequence[tuple[int, int, int]]:
    """The results in at most so many equal ranges: from, to, and how many."""
    least, most = min(counts.times), max(counts.times)
    width = -(-(most - least + 1) // bars)
    found: dict[int, int] = {}
    for number, times in counts.times.items():
        start = least + (number - least) // width * width
        found[start] = found.get(start, 0) + times
    return [(start, start + width - 1, found[start]) for start in sorted(found)]
