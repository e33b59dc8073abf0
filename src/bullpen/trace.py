"""A trace: a game of random legal moves, line by line, so that other programs can check it.

The form is fixed in docs/rules/README.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bullpen.deck import Deck
from bullpen.game import Action, Event, Game, Options, Seat

PREFERRED = 0.9  # how often a preferred move is taken where it is legal


def trace(
    game: Game[Any], seats: int, options: Options, deck: Deck, seed: int, prefer: str = ""
) -> Iterator[str]:
    """The lines of one game with this seed."""
    rng = Random(seed)
    yield line(game=game.ID, players=seats, options=dict(options), deck=deck.as_json())
    table = game.set_up(seats, options, deck)
    rounds = 0
    while True:
        if cards := game.to_shuffle(table):
            rng.shuffle(cards)
            yield line(shuffle=[game.CARD_NAMES.get(card, card) for card in cards])
            table, events = game.deal(table, cards)
            yield from map(event_line, events)
            continue
        waiting = game.waiting_for(table)
        if not waiting:
            break
        for seat in waiting:
            legal = game.legal(table, seat)
            action = choose(game, legal, prefer, rng)
            yield decision_line(game, seat, legal, action)
            table, events = game.apply(table, seat, action)
            yield from map(event_line, events)
        for points in game.rounds(table)[rounds:]:
            rounds += 1
            yield line(round=rounds, scores=list(points))
    yield line(scores=game.scores(table), winners=game.winners(table))


def choose(game: Game[Any], legal: Sequence[Action], prefer: str, rng: Random) -> Action:
    preferred = [action for action in legal if prefer and game.NOTATION[action].startswith(prefer)]
    if preferred and rng.random() < PREFERRED:
        return rng.choice(preferred)
    return rng.choice(legal)


def decision_line(game: Game[Any], seat: Seat, legal: Sequence[Action], action: Action) -> str:
    spelled = [game.NOTATION[allowed] for allowed in legal]
    return line(seat=seat, legal=spelled, move=game.NOTATION[action])


def event_line(event: Event) -> str:
    return line(**event)


def line(**facts: Any) -> str:
    return json.dumps(facts, separators=(",", ":"))
