"""How many playouts a second the bots that think have on one core, with their habits and without."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from bullpen.bots.evaluation import Evaluator
from bullpen.bots.search import TreeSearch
from bullpen.game import Seat
from bullpen.games import GAMES, about
from bullpen.match import Match, new

RANDOM = 1  # looks: any legal move


def start_of_a_deal(game: str, seats: int) -> tuple[Match, Seat]:
    match = new(game, seats, seed=1)
    return match, match.waiting_for[0]


def middle_of_a_deal(game: str, seats: int) -> tuple[Match, Seat]:
    """After about half the cards that a round of the careful bots takes."""
    from random import Random

    from bullpen.bots import bot_called

    choose, rng = bot_called("careful"), Random(1)
    match = new(game, seats, seed=1)
    for _ in range(4 * seats):
        seat = match.waiting_for[0]
        match.act(seat, choose(match.game, match.view(seat), rng))
    return match, match.waiting_for[0]


def rate(kind: type[Evaluator], match: Match, seat: Seat, looks: int, seconds: float) -> float:
    """Playouts a second of the core's time; the best of four."""
    view = match.view(seat)
    evaluator = kind(match.game, view, 1)
    evaluator.position = evaluator.position._replace(looks=looks)
    candidates = np.array(view.legal)
    evaluator.play_out(candidates, 10)
    return max(playout_rate(evaluator, candidates, seconds / 4) for _ in range(4))


def playout_rate(evaluator: Evaluator, candidates: np.ndarray, seconds: float) -> float:
    playouts, start = 0, time.thread_time()
    while time.thread_time() - start < seconds:
        evaluator.play_out(candidates, 100)
        playouts += 100 * len(candidates)
    return playouts / (time.thread_time() - start)


def lines(seconds: float) -> Iterator[str]:
    yield ""
    yield "### Thinking: playouts a second of one core, each to the end of the round (Baron Oxx: four turns)"
    yield ""
    yield "| game | position | Monte Carlo, habits | Monte Carlo, random moves | trees, habits | trees, random moves |"
    yield "|---|---|---:|---:|---:|---:|"
    for game in GAMES:
        seats = 3 if game == "bullenparty" else 4
        for name, position in (("first decision", start_of_a_deal), ("middle", middle_of_a_deal)):
            match, seat = position(game, seats)
            rates = [
                f"{rate(kind, match, seat, looks, seconds):,.0f}"
                for kind in (Evaluator, TreeSearch)
                for looks in (about(GAMES[game]).looks, RANDOM)
            ]
            yield f"| {game} | {name} | {' | '.join(rates)} |"
