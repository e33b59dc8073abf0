"""A hint: the candidates of a decision in order, and which of them are as good as the best.

>>> import bullpen
>>> match = bullpen.new("six-nimmt", seats=3, seed=7)
>>> advice = hint(match.game, match.view(0), playouts=2000, seed=0)
>>> len(advice.candidates), advice.best == advice.candidates[0].move
(10, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bullpen.cards import Problem
from bullpen.coach.candidates import USUAL_PLAYOUTS, Candidate, are_exact, ranked_candidates
from bullpen.coach.grades import CLEAR
from bullpen.game import Game, Seat, View
from bullpen.match import Match


@dataclass(frozen=True, slots=True)
class Hint:
    game: str
    seat: Seat
    candidates: list[Candidate]  # the best first; none where there is nothing to choose
    best: str
    as_good: list[str]  # other moves that may be as good as the best one, the better first
    playouts: int
    seed: int

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "bullpen-hint",
            "version": 1,
            "game": self.game,
            "seat": self.seat,
            "playouts": self.playouts,
            "seed": self.seed,
            "best": self.best,
            "as_good": self.as_good,
            "is_exact": are_exact(self.candidates),
            "candidates": [candidate.as_json() for candidate in self.candidates],
        }


def hint(game: Game[Any], view: View[Any], playouts: int = USUAL_PLAYOUTS, seed: int = 0) -> Hint:
    """For the seat that has to decide.  The same view that came about in the same way, playouts and seed give the same hint."""
    if view.seat is None or not view.legal:
        raise Problem("hint_not_deciding", seat=view.seat)
    if len(view.legal) == 1:
        return Hint(game.ID, view.seat, [], game.NOTATION[view.legal[0]], [], 0, seed)
    candidates = ranked_candidates(game, view, playouts, seed)
    best, *others = candidates
    as_good = [one.move for one in others if one.behind <= CLEAR * one.behind_error]
    if are_exact(candidates):
        playouts = 0
    return Hint(game.ID, view.seat, candidates, best.move, as_good, playouts, seed)


def deciding_seat(match: Match, wished: Seat | None, people: list[Seat]) -> Seat:
    """Whom a hint is for: the seat that was asked for, or a person who has to decide, or anybody."""
    waiting = match.waiting_for
    if not waiting:
        raise Problem("hint_game_over")
    if wished is None:
        return next((seat for seat in waiting if seat in people), waiting[0])
    match.legal(wished)  # refuses a seat that there is not
    if wished not in waiting:
        raise Problem("hint_not_deciding", seat=wished, waiting=", ".join(map(str, waiting)))
    return wished
