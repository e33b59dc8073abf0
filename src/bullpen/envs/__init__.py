"""The games as environments for programs that learn; see docs/environments.md.

- `bullpen.envs.petting`: PettingZoo, seats in turn (`aec_env`) or at once (`parallel_env`);
- `bullpen.envs.gym`: Gymnasium, one seat against bots;
- `bullpen.envs.vector`: Gymnasium, thousands of games in compiled code;
- `bullpen.envs.spiel`: OpenSpiel;
- `bullpen.envs.dataset`: games of bots, decision by decision.

All see the games as `bullpen.envs.observing` says.  They need extras: `envs`, `openspiel`, `dataset`, `train`.
"""

from __future__ import annotations

from bullpen.cards import Problem
from bullpen.text import voice


def missing(error: ModuleNotFoundError, extra: str) -> Problem:
    """What to say where a package is not installed: whoever imports us reads it in a traceback, so it is
    the whole sentence."""
    problem = Problem("extra_missing", package=error.name, extra=extra)
    problem.args = (voice("en").problem(problem),)
    return problem
