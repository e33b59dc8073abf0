"""Monte Carlo that first learns what the others are likely to choose; see `bullpen.fast.guesses`.

Where that was not proven to help (`About.guesses`), and where nobody else chooses now, it is `montecarlo`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.bots import endgames
from bullpen.bots.effort import Effort
from bullpen.bots.evaluation import GUESSING, Evaluator, evaluator_for
from bullpen.bots.montecarlo import PORTION, best_by_halving
from bullpen.game import Action, Game, View


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """The candidate that leads to the best results on average, or what a solution says."""
    if (action := endgames.without_thinking(game, view, rng)) is not None:
        return action
    evaluator = evaluator_for(game, view, rng.getrandbits(62))
    if evaluator.guesses_help:
        assert isinstance(evaluator, Evaluator)
        for stage in effort.share(GUESSING).stages(1):
            for portion in stage.portions(PORTION):
                evaluator.guess(portion)
        effort = effort.share(1 - GUESSING)
    return best_by_halving(view.legal, evaluator, effort)
