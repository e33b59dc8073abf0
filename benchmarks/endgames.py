"""What a bot loses in endgames that can be solved: `python -m benchmarks.endgames [BOT ...] [--positions N] [--write]`.

6 nimmt! with two players and the tactical deck, so that each knows what the other one holds, at two, three and four cards
each.  A loss is what the chosen card brings less than the best one against an opponent without a fault; a card is
dominated if another one is better whatever the opponent lays.  `playouts=N` is the judgement by N playouts alone, without
solutions.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from statistics import fmean, stdev
from typing import Any

import bullpen
from benchmarks.__main__ import RESULTS, processor
from bullpen.bots import Bot, bot_called
from bullpen.bots.effort import read_effort
from bullpen.bots.endgames import solved
from bullpen.bots.evaluation import evaluator_for
from bullpen.bots.montecarlo import best_by_halving
from bullpen.coach.positions import lead
from bullpen.game import Action, Game, OptionValue, View
from bullpen.match import Match

GAME = "six-nimmt"
OPTIONS: dict[str, OptionValue] = {"deck": "tactical", "rounds": 1}
USUAL = ("expert", "playouts=3000", "careful")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endgames", description=__doc__)
    parser.add_argument("bots", nargs="*", default=USUAL)
    parser.add_argument("--positions", type=int, default=500, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="add to benchmarks/results.md")
    wished = parser.parse_args()
    lines = []
    for line in report(wished.bots, wished.positions, wished.seed):
        print(line, flush=True)
        lines.append(line)
    if wished.write:
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *lines, ""]))


def report(bots: list[str], number: int, seed: int) -> Iterator[str]:
    yield f"### Endgames that can be solved, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {processor()}"
    yield ""
    yield f"`python -m benchmarks.endgames {' '.join(bots)} --positions {number} --seed {seed}`"
    yield ""
    yield "| bot | cards each | positions | points lost a decision | 95 % | dominated cards | ms a decision |"
    yield "|---|---:|---:|---:|---|---:|---:|"
    for cards in (2, 3, 4):
        found = [*positions(cards, number // 3 + (cards <= number % 3 + 1), seed)]
        worths = [worths_of(match) for match in found]
        for bot in bots:
            yield row(bot, cards, found, worths)


def row(bot: str, cards: int, found: list[Match], worths: list[Worths]) -> str:
    choose, rng = called(bot), Random(1)
    choose(found[0].game, found[0].view(0), rng)  # compiles
    losses, dominated, start = [], 0, time.perf_counter()
    for match, gains in zip(found, worths, strict=True):
        view = match.view(0)
        action = choose(match.game, view, rng)
        leads = solved(match.game, view)
        assert leads is not None
        losses.append(max(one.lead for one in leads.values()) - leads[action].lead)
        dominated += is_dominated(gains, action)
    took = (time.perf_counter() - start) / len(found)
    off = 1.96 * stdev(losses) / len(losses) ** 0.5
    mean = fmean(losses)
    return (
        f"| {bot} | {cards} | {len(found)} | {mean:.3f} | {max(0.0, mean - off):.3f} to {mean + off:.3f}"
        f" | {dominated} | {1000 * took:.1f} |"
    )


def called(bot: str) -> Bot:
    if not bot.startswith("playouts="):
        return bot_called(bot)
    effort = read_effort(bot, bot)

    def by_playouts(game: Game[Any], view: View[Any], rng: Random) -> Action:
        return best_by_halving(view.legal, evaluator_for(game, view, rng.getrandbits(62)), effort)

    return by_playouts


# -- Positions --------------------------------------------------------------------------------


def positions(cards: int, number: int, seed: int) -> Iterator[Match]:
    """Deals played by careless bots until each holds so many cards and both choose."""
    choose = bot_called("careless")
    for deal in range(number):
        match, rng = (
            bullpen.new(GAME, 2, seed=seed * 1_000_000 + deal, options=OPTIONS),
            Random(deal),
        )
        while len(match.waiting_for) < 2 or len(match.legal(0)) > cards:
            seat = match.waiting_for[0]
            match.act(seat, choose(match.game, match.view(seat), rng))
        yield match


Worths = dict[Action, list[float]]  # of each own card, by the card that the other one lays


def worths_of(match: Match) -> Worths:
    """By the plain rules: both cards are laid, and what follows is solved."""
    game, found = match.game, {}
    for own in game.legal(match.table, 0):
        table, _ = game.apply(match.table, 0, own)
        replies = (game.apply(table, 1, other)[0] for other in game.legal(table, 1))
        found[own] = [worth(game, reply) for reply in replies]
    return found


def worth(game: Game[Any], table: Any) -> float:
    """The lead of seat 0 if nobody makes a mistake any more."""
    waiting = game.waiting_for(table)
    if not waiting:
        return lead(game, table.options, game.scores(table), 0)
    leads = solved(game, game.view(table, waiting[0]))
    assert leads is not None
    best = max(one.lead for one in leads.values())
    return best if waiting[0] == 0 else -best


def is_dominated(gains: Worths, action: Action) -> bool:
    """Strictly, by another card."""
    return any(
        all(better > own for better, own in zip(gains[other], gains[action], strict=True))
        for other in gains
    )


if __name__ == "__main__":
    main()
