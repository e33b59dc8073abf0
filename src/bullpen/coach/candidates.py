"""The candidates of one decision, judged with what its seat knows and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bullpen import fast
from bullpen.game import Action, Game, View
from bullpen.games import has_part

# Of one judgement, by a hint and a review alike: the same playouts on the same imagined tables, so that the coach
# does not contradict itself.
USUAL_PLAYOUTS = 20_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that could be made, and what it is worth."""

    move: str
    lead: float  # expected over the mean of the others where the playouts end; more is better
    error: float  # its standard error
    behind: float  # how much less it is worth than the best candidate
    behind_error: float
    playouts: int  # none where it was solved
    share: float | None = None  # solved, not estimated: how often a player without a fault takes it

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


def are_exact(candidates: Sequence[Candidate]) -> bool:
    """Whether these were solved: no other way of going on is better for either side."""
    return any(one.share is not None for one in candidates)


def ranked_candidates(
    game: Game[Any], view: View[Any], playouts: int, seed: int
) -> list[Candidate]:
    """All candidates, the best first.  The playouts are shared out evenly among them."""
    if has_part(game.ID, "twin"):
        fast.twin(game.ID)  # says what is missing, before anything else needs it
    from bullpen.bots.judgement import evaluate

    found = [
        Candidate(game.NOTATION[one.action], *one[1:])
        for one in evaluate(game, view, playouts=playouts, seed=seed)
    ]
    return sorted(found, key=lambda one: (max(0.0, one.behind), -(one.share or 0.0)))


def compared(
    game: Game[Any], view: View[Any], actions: Sequence[Action], playouts: int, seed: int
) -> list[Candidate]:
    """The same for some of the legal actions only, which then share all the playouts."""
    return ranked_candidates(game, replace(view, legal=list(actions)), playouts, seed)
