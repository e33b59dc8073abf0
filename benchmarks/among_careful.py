"""One that thinks among careful players, in Baron Oxx: `python -m benchmarks.among_careful [SEATS] [--deals N] [--playouts N] [--seed N]`.

The one sits in each seat in turn.  It reads the others and judges as `expert` does, but stops where one move is sure to be the best; they
do what is usual.  All of it is compiled, so there is time for thousands of games: 1,000 deals tell its share of wins to 1.5 %.  Told are its
lead in points over the mean of the others and its share of wins, with the 95 % interval of the deals.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.duel import mean_and_interval
from bullpen import fast
from bullpen.bots.evaluation import Evaluator
from bullpen.fast import evaluation
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import apply, is_over, scores, usual
from bullpen.fast.evaluation import GIVEN, PLAYED, Position
from bullpen.fast.playouts import LONGEST_DECK, list_legal, shuffle_and_deal
from bullpen.fast.words import seeded
from bullpen.games import GAMES, about
from bullpen.games.baron_oxx.facts import LONGEST
from bullpen.games.baron_oxx.reading import read_turns
from bullpen.games.baron_oxx.rules import CARDS_EACH, HAND_SIZE, LAYING, PLAY
from bullpen.games.baron_oxx.twin import ROWS, SEATS, take_back_choices
from bullpen.match import new

GAME = GAMES["baron-oxx"]
EVERY = 25  # deals between two lines
MOST_MOVES, MOST_TURNS = max(HAND_SIZE, ROWS), max(CARDS_EACH.values())
PORTION, LOOKS = 200, 8  # tables between two looks, at least; and looks at a stage, at the most
SURE = 5.0  # standard errors that are enough


class Memory(NamedTuple):
    """Of the turns, what all saw: as `rules.Turn`."""

    rows: NDArray[np.int64]  # [turns, rows, cards]
    seen: NDArray[np.uint64]  # [turns, 2]
    held: NDArray[np.int64]  # [turns, seats]
    laid: NDArray[np.int64]  # [turns, seats]


class One(NamedTuple):
    """Who thinks."""

    position: Position
    memory: Memory
    playouts: int  # of a decision
    usual_first: float  # how likely others are taken to do what is usual before they have played


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.among_careful", description=__doc__)
    parser.add_argument("seats", nargs="?", type=int, default=4, choices=GAME.SEATS)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--playouts", type=int, default=2000, help="of a decision")
    parser.add_argument("--seed", type=int, default=0)
    wished = parser.parse_args()
    if wished.deals < 2 or wished.playouts < 1:
        parser.error("an interval takes at least two deals, and a choice one playout")
    leads, shares = list[float](), list[float]()
    while len(leads) < wished.deals:
        deals = min(EVERY, wished.deals - len(leads))
        seed = wished.seed * 1_000_000 + len(leads)
        lead, share = outcomes(played(wished.seats, deals, wished.playouts, seed))
        leads += list(lead)
        shares += list(100 * share)
        print(
            "{} deals: {:+.2f} ± {:.2f} points,".format(len(leads), *mean_and_interval(leads)),
            "{:.1f} ± {:.1f} % won".format(*mean_and_interval(shares)),
            flush=True,
        )


def played(seats: int, deals: int, playouts: int, seed: int) -> NDArray[np.int32]:
    """The scores [deals, own seat, seats]."""
    match = new(GAME.ID, seats)
    fresh = fast.twin(GAME.ID).to_record(GAME.set_up(seats, match.options, match.deck))
    position = Evaluator(GAME, match.view(0), 0).position
    points = np.zeros((deals, seats, seats), np.int32)
    play_deals(One(position, no_memory(seats), playouts, about(GAME).by_thumb), fresh, seed, points)
    return points


def no_memory(seats: int) -> Memory:
    return Memory(
        np.zeros((MOST_TURNS, ROWS, LONGEST), np.int64),
        np.zeros((MOST_TURNS, 2), np.uint64),
        np.zeros((MOST_TURNS, seats), np.int64),
        np.zeros((MOST_TURNS, seats), np.int64),
    )


def outcomes(points: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """By deal: the lead and the share of wins, on average over the seats."""
    own = np.diagonal(points, axis1=1, axis2=2)
    others = (points.sum(axis=2) - own) / (points.shape[2] - 1)
    first = points == points.min(axis=2, keepdims=True)
    won = np.diagonal(first, axis1=1, axis2=2) / first.sum(axis=2)
    return (others - own).mean(axis=1), won.mean(axis=1)


# -- A game ---------------------------------------------------------------------------------------


@compiled
def play_deals(one: Any, fresh: Any, seed: Any, points: Any) -> None:
    chance = np.empty(1, np.uint64)
    for deal in range(points.shape[0]):
        for own in range(points.shape[1]):
            seeded(chance, seed + deal)
            play_game(fresh.copy()[0], own, one, chance, points[deal, own])


@compiled
def play_game(state: Any, own: Any, one: Any, chance: Any, points: Any) -> None:
    shuffle_and_deal(state, np.empty(LONGEST_DECK, np.int16), chance)
    turn, thought = 0, np.int64(chance[0] >> np.uint64(2))
    while not is_over(state):  # type: ignore[no-untyped-call]
        seat, is_laying = np.int64(state.actor), state.phase == LAYING
        if is_laying and seat == 0:
            remember(state, one.memory, turn)
        if seat == own:
            action = choose(state, one, turn if is_laying else turn + 1, thought)
            thought += one.playouts
        else:
            action = usual(state, chance)  # type: ignore[no-untyped-call]
        if is_laying:
            one.memory.laid[turn, seat] = action - PLAY
        apply(state, action)  # type: ignore[no-untyped-call]
        turn += state.phase == LAYING and state.actor == 0
    scores(state, points)  # type: ignore[no-untyped-call]


@compiled
def remember(state: Any, memory: Any, turn: Any) -> None:
    """What lies open before the cards of this turn are."""
    memory.rows[turn] = 0
    for row in range(1, ROWS + 1):
        card = np.int64(state.row_end[row])
        for at in range(np.int64(state.row_length[row]) - 1, -1, -1):
            memory.rows[turn, row - 1, at] = card
            card = np.int64(state.lies_on[card])
    memory.seen[turn] = state.seen
    for seat in range(memory.held.shape[1]):
        memory.held[turn, seat] = state.in_hand[seat]


# -- A choice, as `judgement.choose` makes it -------------------------------------------------------


@compiled
def choose(state: Any, one: Any, turns: Any, seed: Any) -> Any:
    """By all that was seen in so many turns."""
    position, memory = one.position, one.memory
    candidates = np.empty(MOST_MOVES, np.int64)
    count = list_legal(state, position.words, candidates)
    if count == 1:
        return candidates[0]
    own: Any = np.int64(state.actor)
    states = position.states
    states[GIVEN] = state
    states[GIVEN].turns = 0
    if state.phase == LAYING:
        take_back_choices(states[GIVEN], own)
        states[GIVEN].laid_by, states[GIVEN].actor = 0, 0
    states[PLAYED] = states[GIVEN]
    odds = np.full(SEATS, one.usual_first / (1.0 - one.usual_first))
    position.likely[:] = 1.0
    read_turns(
        states[PLAYED],
        memory.rows[:turns],
        memory.seen[:turns],
        memory.held[:turns],
        memory.laid[:turns],
        odds,
        position.likely,
    )
    seen_by_own = Position(
        states,
        own,
        position.sign,
        position.looks,
        position.aimless,
        odds / (1.0 + odds),
        position.likely,
        state.left[own] == state.in_hand[own],  # no draw pile is left
        position.words,
    )
    return best_by_halving(seen_by_own, candidates[:count], one.playouts, seed)


@compiled
def best_by_halving(position: Any, candidates: Any, playouts: Any, seed: Any) -> Any:
    totals, stages = np.zeros(candidates.size), 1
    while 1 << stages < candidates.size:
        stages += 1
    for _ in range(stages):
        tables = max(1, playouts // stages // candidates.size)
        worths = np.empty((tables, candidates.size))
        leads = np.empty((tables, candidates.size))
        first = 0
        while first < tables:
            end = min(tables, first + max(PORTION, tables // LOOKS))
            evaluation.play_candidates(
                position, seed + first, candidates, leads[first:end], worths[first:end]
            )
            first = end
            if is_sure(worths[:end]):
                return candidates[worths[:end].sum(axis=0).argmax()]
        seed += tables
        totals += worths.sum(axis=0)
        better = np.argsort(-totals, kind="mergesort")[: (candidates.size + 1) // 2]
        totals = totals[better]
        candidates = candidates[better]
    return candidates[0]


@compiled
def is_sure(worths: Any) -> Any:
    """Whether one is ahead of each of the others by far more than chance."""
    best = worths.sum(axis=0).argmax()
    for other in range(worths.shape[1]):
        if other != best:
            ahead = worths[:, best] - worths[:, other]
            if ahead.mean() <= SURE * ahead.std() / ahead.size**0.5:
                return False
    return worths.shape[0] >= PORTION


if __name__ == "__main__":
    main()
