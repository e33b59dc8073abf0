"""Monte Carlo that first learns what the others are likely to choose; see `bullpen.fast.guesses`.

Where nobody else chooses now it is `montecarlo`.  In 6 nimmt! with four and ten players it was stronger than that, but among careful
ones much weaker: they do what habit says, so no level and no coach uses it (docs/decisions/0050-ways-that-are-proven.md).
"""

from __future__ import annotations

from random import Random
from typing import Any

from bullpen.bots import endgames
from bullpen.bots.effort import Effort
from bullpen.bots.evaluation import Evaluator, evaluator_for
from bullpen.bots.montecarlo import PORTION, best_by_halving
from bullpen.game import Action, Game, View

GUESSING = 2 / 3  # of an effort goes into what the others are likely to choose


def choose(game: Game[Any], view: View[Any], rng: Random, effort: Effort) -> Action:
    """The candidate that leads to the best results on average, or what a solution says."""
    if (action := endgames.without_thinking(game, view, rng)) is not None:
        return action
    evaluator = evaluator_for(game, view, rng.getrandbits(62))
    if isinstance(evaluator, Evaluator) and evaluator.all_choose:
        for stage in effort.share(GUESSING).stages(1):
            for portion in stage.portions(PORTION):
                evaluator.guess(max(portion, len(view.legal)))
        effort = effort.share(1 - GUESSING)
    return best_by_halving(view.legal, evaluator, effort)
