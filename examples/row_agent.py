"""A player made of a small network, for the games in which cards find their row: 6 nimmt! and X nimmt!

What the network is told, card by card: whether it may be played; how full the row is that it would go to
and how many heads lie there; how many cards could still come in between; and, if it is too low for all
rows, what the cheapest one costs.  Then the rows, in case one has to be taken.  What the network says is
what each action is worth.  `train_dqn.py` trains it, `trained_bot.py` plays with it; only NumPy is needed
for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.cards import UNSEEN
from bullpen.envs.observing import layout
from bullpen.game import Game, View

Floats = NDArray[np.float32]

KNOWN_GAMES = ("six-nimmt", "x-nimmt")
FACTS = 6  # for each card
SCALES = np.array([1, 6, 20, 20, 1, 20], np.float32)


def length(game: str, players: int) -> int:
    """Of what the network is told."""
    form = layout(game, players)
    return form.cards * FACTS + 4 * 2 + 2


def outlook(game: Game[Any], view: View[Any]) -> Floats:
    """What the network is told about a view."""
    rules: Any = game.rules
    table, form = view.table, layout(game.ID, view.table.seats)
    rows = [table.lying[rules.ROW + row] for row in rules.ROWS]
    heads = [sum(table.deck.heads[card] for card in row) for row in rows]
    unseen = unseen_up_to(view, form.cards)
    facts = np.zeros((form.cards, FACTS), np.float32)
    for card in playable(rules, view):
        row = rules.row_for(table, card)
        if row is None:
            facts[card - 1] = (1, 0, 0, 0, 1, min(heads))
        else:
            between = unseen[card - 1] - unseen[rows[row - 1][-1]]
            facts[card - 1] = (1, len(rows[row - 1]), heads[row - 1], between, 0, 0)
    about_rows = np.zeros((2, 4), np.float32)
    about_rows[0, : len(rows)] = [points / 20 for points in heads]
    about_rows[1, : len(rows)] = [row[-1] / form.cards if row else 0 for row in rows]
    must_choose = not playable(rules, view)
    rest = (float(must_choose), len(view.table.lying[rules.HAND + view.seat]) / 10)
    return np.concatenate([(facts / SCALES).ravel(), about_rows.ravel(), rest], dtype=np.float32)


def playable(rules: Any, view: View[Any]) -> list[int]:
    is_laying = view.table.phase == rules.LAYING
    return [action - rules.PLAY for action in view.legal] if is_laying else []


def unseen_up_to(view: View[Any], cards: int) -> NDArray[np.int64]:
    """By card: how many cards up to it might be in somebody's hand."""
    hidden = np.ones(cards + 1, np.int64)
    hidden[UNSEEN] = 0
    for place in view.remembered:
        hidden[list(place)] = 0
    return np.cumsum(hidden)


# -- The network --------------------------------------------------------------------------------


def worth(weights: Sequence[Floats], told: Floats) -> Floats:
    """What each action is worth; [..., told] becomes [..., actions]."""
    for at in range(0, len(weights), 2):
        told = told @ weights[at] + weights[at + 1]
        if at + 2 < len(weights):
            told = np.maximum(told, 0)
    return told


def best_of(legal: Sequence[int], values: Floats) -> int:
    return int(legal[int(values[list(legal)].argmax())])


# -- In a file ----------------------------------------------------------------------------------


class Agent(NamedTuple):
    game: str
    players: int
    weights: list[Floats]


def save(path: Path, agent: Agent) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    layers = {f"layer{at}": one.astype(np.float16) for at, one in enumerate(agent.weights)}
    np.savez_compressed(path, game=agent.game, players=agent.players, **layers)  # type: ignore[arg-type]


def load(path: Path) -> Agent:
    with np.load(path, allow_pickle=False) as kept:
        count = sum(name.startswith("layer") for name in kept)
        weights = [kept[f"layer{at}"].astype(np.float32) for at in range(count)]
        return Agent(str(kept["game"]), int(kept["players"]), weights)
