"""Plain Python: random play through the contract of a game, and a tight loop as the limit."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES

SEATS = 4


def plain_rate(game_id: str, seconds: float) -> float:
    """Decisions a second on one core: choose from `legal`, `apply`, events."""
    game = GAMES[game_id]
    options, deck = complete_options(game, SEATS, {}), load_deck(game.DECK_FILES)
    rng, decisions = Random(1), 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        decisions += random_game(game, options, deck, rng)
    return decisions / (time.perf_counter() - start)


def random_game(game: Any, options: Any, deck: Any, rng: Random) -> int:
    table, decisions, random = game.set_up(SEATS, options, deck), 0, rng.random
    while True:
        while waiting := game.waiting_for(table):
            for seat in waiting:
                legal = game.legal(table, seat)
                table, _events = game.apply(table, seat, legal[int(random() * len(legal))])
                decisions += 1
        cards = game.to_shuffle(table)
        if not cards:
            return decisions
        rng.shuffle(cards)
        table, _events = game.deal(table, cards)


def tight_rate(seconds: float) -> float:
    """6 nimmt! as short as plain Python gets: no views, no events, no checks, one fixed table."""
    heads, rng, decisions = load_deck(GAMES["six-nimmt"].DECK_FILES).heads, Random(1), 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        points = [0] * SEATS
        while max(points) < 66:
            decisions += tight_round(heads, points, rng)
    return decisions / (time.perf_counter() - start)


def tight_round(heads: Any, points: list[int], rng: Random) -> int:
    deck = list(range(1, 105))
    rng.shuffle(deck)
    rows = [[card] for card in deck[:4]]
    hands = [deck[4 + 10 * seat : 14 + 10 * seat] for seat in range(SEATS)]
    decisions = 10 * SEATS
    for _ in range(10):
        for card, seat in sorted((hand.pop(), seat) for seat, hand in enumerate(hands)):
            lower = [row for row in rows if row[-1] < card]
            if lower:
                row = max(lower, key=lambda cards: cards[-1])
                full = len(row) == 5
            else:
                row, full = rows[int(rng.random() * 4)], True
                decisions += 1
            if full:
                points[seat] += sum([heads[taken] for taken in row])
                row.clear()
            row.append(card)
    return decisions
