"""The agent that `train_dqn.py` has trained, as a bot in a tournament.

    bullpen tournament six-nimmt --table examples/trained_bot.py:choose,uniform --option rounds=1

It reads `examples/trained/agent.npz`, or the file that BULLPEN_AGENT names.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import row_agent

from bullpen.game import Action, Game, View

USUAL = Path(__file__).parent / "trained" / "agent.npz"


def files() -> list[Path]:
    """What it plays by besides this code: after another training it is another bot."""
    return [Path(os.environ.get("BULLPEN_AGENT", USUAL))]


@cache
def trained() -> row_agent.Agent:
    (path,) = files()
    if not path.is_file():
        raise FileNotFoundError(f"no agent in {path}; train one with examples/train_dqn.py")
    return row_agent.load(path)


def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:  # noqa: ARG001
    """The action that its network takes for the best one."""
    agent = trained()
    if (game.ID, view.table.seats) != (agent.game, agent.players):
        learnt = f"{agent.game} with {agent.players} players"
        raise ValueError(f"this agent has learnt {learnt} and nothing else")
    return row_agent.best_of(
        view.legal, row_agent.worth(agent.weights, row_agent.outlook(game, view))
    )
