"""Ratings of bots in games of several players: Plackett-Luce, by the package openskill."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bullpen.arena.one_game import Outcome
from bullpen.arena.plan import Plan


@dataclass(frozen=True)
class Rating:
    mu: float  # how strong
    sigma: float  # how unsure that is


def ratings(plan: Plan, outcomes: Iterable[Outcome]) -> dict[str, Rating]:
    """After all the games, in their order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)  # a bot does not get better or worse as the games go on
    rated = {bot: model.rating(name=bot) for bot in plan.bots}
    best = plan.rules.best(plan.options)
    for outcome in outcomes:
        ranks = [float(-points if best is max else points) for points in outcome.scores]
        after = model.rate([[rated[bot]] for bot in outcome.bots], ranks=ranks)
        for bot in set(outcome.bots):
            # A bot in several seats gets the mean of what each of them would give it.
            new = [own for name, (own,) in zip(outcome.bots, after, strict=True) if name == bot]
            mu, sigma = (sum(getattr(own, part) for own in new) for part in ("mu", "sigma"))
            rated[bot] = model.rating(mu=mu / len(new), sigma=sigma / len(new), name=bot)
    return {bot: Rating(own.mu, own.sigma) for bot, own in rated.items()}
