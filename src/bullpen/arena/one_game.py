"""One game of a tournament, played from its number.

All chance follows from the seed of the plan: the n-th shuffle of a deal is the same in all its games, and
each bot draws from a source of its own.  So a game comes out the same wherever it is played.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from bullpen.arena.plan import Lineup, Plan
from bullpen.bots import bot_called
from bullpen.bots.outside import Choose, checked
from bullpen.cards import Card, Problem
from bullpen.game import Action, Game, Seat, View
from bullpen.match import Match

listeners: list[
    Callable[[int], None]
] = []  # told the number of each bot that is asked, in this process


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    number: int
    deal: int
    bots: Lineup
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    rounds: int  # 0 for a game without rounds


class Work(NamedTuple):
    """What came of some games: a line each, and the problem that stopped them, if one did."""

    lines: list[str]
    problem: tuple[str, dict[str, Any]] | None = None  # its key and facts; a Problem cannot travel


class DealShuffler:
    """The shuffles of one deal, one after the other; see `match.Shuffler`."""

    def __init__(self, seed: int, deal: int) -> None:
        self.seed, self.deal, self.done = seed, deal, 0

    def __call__(self, cards: list[Card]) -> None:
        self.done += 1
        cards.sort()  # in whatever order they were gathered up
        Random(f"shuffle {self.seed} {self.deal} {self.done}").shuffle(cards)


def play_game(plan: Plan, number: int, bots: Mapping[str, Choose]) -> Match:
    deal, seating = plan.where(number)
    shuffler = DealShuffler(plan.seed, deal)
    match = Match(plan.rules, plan.seats, plan.options, plan.deck, seating, shuffler)
    chance = [
        Random(f"bot {plan.seed} {deal} {'|'.join(seating)} {seat}") for seat in range(plan.seats)
    ]
    while waiting := match.waiting_for:
        for seat in waiting:
            action = bots[seating[seat]](match.game, match.view(seat), chance[seat])
            match.act(seat, action)
    return match


def play_games(plan: Plan, numbers: Iterable[int]) -> Work:
    """These games in this process, up to the first one that a bot spoils."""
    lines: list[str] = []
    try:
        bots = {
            bot: announced(number, checked(bot, bot_called(bot)))
            for number, bot in enumerate(plan.bots)
        }
        for number in numbers:
            lines.append(line_of(plan, number, play_game(plan, number, bots)))  # noqa: PERF401
    except Problem as problem:
        facts = {name: portable(value) for name, value in problem.facts.items()}
        return Work(lines, (problem.key, facts))
    return Work(lines)


def announced(number: int, choose: Choose) -> Choose:
    """The same bot; whoever listens hears that it is asked, before it can end this process."""
    if not listeners:
        return choose

    def choose_announced(game: Game[Any], view: View[Any], rng: Random) -> Action:
        for listener in listeners:
            listener(number)
        return choose(game, view, rng)

    return choose_announced


def portable(value: Any) -> Any:
    """A fact in a form that can travel: a bot may answer anything at all."""
    return value if value is None or isinstance(value, (int, str)) else str(value)


# -- A game as a line -------------------------------------------------------------------------


def line_of(plan: Plan, number: int, match: Match) -> str:
    """What went in, so that the game can be replayed, and what came out."""
    deal, seating = plan.where(number)
    names, notation = match.game.CARD_NAMES, match.game.NOTATION
    line = {
        "number": number,
        "deal": deal,
        "bots": list(seating),
        "scores": match.scores,
        "winners": match.winners,
        "rounds": len(match.rounds),
        "shuffles": [[names.get(card, card) for card in cards] for cards in match.shuffles],
        "moves": [f"{made.seat} {notation[made.action]}" for made in match.decisions],
    }
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def outcome_in(line: str) -> Outcome:
    """Raises ValueError, KeyError or TypeError where the line is none of ours."""
    fields = json.loads(line)
    return Outcome(
        fields["number"],
        fields["deal"],
        tuple(fields["bots"]),
        tuple(fields["scores"]),
        tuple(fields["winners"]),
        fields["rounds"],
    )
