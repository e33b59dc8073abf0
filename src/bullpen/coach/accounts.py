"""Where a result comes from: the luck of the deal, the luck of play, and one's own choices.

At each decision a seat has an expectation before it chooses (any legal move, at random) and one with the
move that it makes.  The difference is what its choice was worth: its skill.  Whatever changes from there
to the next decision, and up to the end of the round, others did, or the cards: that is luck.  So, for
each seat and round and therefore for the whole game:

    result = start + luck of the deal + luck of play + skill

Neither expectation is picked for being large, so chance in the estimates favours nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


class Expectation(NamedTuple):
    """At one decision: the lead before the choice and with it, and what was clearly given away."""

    at_random: float
    chosen: float
    lost: float
    lost_error: float


@dataclass(frozen=True, slots=True)
class Account:
    """One seat in one round, or in all of them; leads over the mean of the others, in points."""

    start: float
    deal: float  # what was expected before the first choice, less `start`
    play: float  # what others' choices and the cards changed afterwards
    skill: float  # what the own choices were worth, compared with any choices
    lost: float  # by clear mistakes, compared with the best choices; the skill would be that much more
    lost_error: float
    result: float  # at the end of the round, or what is expected as far as one can see
    is_finished: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def account(start: float, expected: Sequence[Expectation], end: float | None) -> Account:
    """One round of a seat.  Without an `end`, the last expectation stands for the result."""
    if not expected:  # nothing to choose in the whole round: whatever happened was luck
        result = start if end is None else end
        return Account(start, 0.0, result - start, 0.0, 0.0, 0.0, result, end is not None)
    play, after = 0.0, expected[0].at_random
    for now in expected:
        play += now.at_random - after
        after = now.chosen
    if end is not None:
        play += end - after
    return Account(
        start,
        deal=expected[0].at_random - start,
        play=play,
        skill=sum(now.chosen - now.at_random for now in expected),
        lost=sum(now.lost for now in expected),
        lost_error=root_of_squares(now.lost_error for now in expected),
        result=after if end is None else end,
        is_finished=end is not None,
    )


def together(rounds: Sequence[Account]) -> Account:
    """The account of a whole game."""
    return Account(
        start=rounds[0].start,
        deal=sum(one.deal for one in rounds),
        play=sum(one.play for one in rounds),
        skill=sum(one.skill for one in rounds),
        lost=sum(one.lost for one in rounds),
        lost_error=root_of_squares(one.lost_error for one in rounds),
        result=rounds[-1].result,
        is_finished=all(one.is_finished for one in rounds),
    )


def root_of_squares(errors: Iterable[float]) -> float:
    return float(sum(error**2 for error in errors) ** 0.5)
