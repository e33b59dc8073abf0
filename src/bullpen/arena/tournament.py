"""Tournaments: the same deals for all, every bot in every seat, and what that says about them.

>>> result = play("x-nimmt", table=["careful", "uniform"], deals=2, seed=1, jobs=1)
>>> result.standings.games, result.standings.bots[0].bot
(4, 'careful')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bullpen.arena import plan as planning
from bullpen.arena.games_file import GamesFile
from bullpen.arena.one_game import Outcome, outcome_in
from bullpen.arena.plan import Plan
from bullpen.arena.ray_workers import ray_cluster
from bullpen.arena.standings import Standings, standings
from bullpen.arena.workers import Workers, one_at_a_time, processes, usual_jobs
from bullpen.bots import programs
from bullpen.cards import Problem
from bullpen.deck import load_deck
from bullpen.game import BadOption, OptionValue
from bullpen.games import game_called

USUAL_DEALS = 100
USUAL_SEATS = 4

Progress = Callable[[int], None]  # how many games are finished


@dataclass
class Tournament:
    """A tournament, finished or not."""

    plan: Plan
    deals: int  # that were asked for
    outcomes: list[Outcome] = field(default_factory=list)
    stopped_by: Problem | None = None  # what a bot did, or what happened to a worker
    is_interrupted: bool = False

    @property
    def games(self) -> int:
        """That were asked for."""
        return self.deals * len(self.plan.seatings)

    @property
    def is_finished(self) -> bool:
        return len(self.outcomes) == self.games

    @property
    def standings(self) -> Standings:
        return standings(self.plan, self.outcomes)

    def as_json(self) -> dict[str, Any]:
        found = self.standings
        return {
            "game": self.plan.game,
            "players": self.plan.seats,
            "options": dict(self.plan.options),
            "seed": self.plan.seed,
            "lineups": [list(lineup) for lineup in self.plan.lineups],
            "finished": self.is_finished,
            "deals": found.deals,
            "games": found.games,
            "standings": [row.as_json() for row in found.bots],
            "comparisons": [asdict(pair) for pair in found.comparisons],
        }


def play(
    game: str,
    *,
    table: Sequence[str] | None = None,
    bots: Sequence[str] | None = None,
    players: int | None = None,
    deals: int = USUAL_DEALS,
    seed: int = 0,
    options: Mapping[str, OptionValue] | None = None,
    deck: str | Path | Sequence[str | Path] = (),
    jobs: int | None = None,
    ray: str | None = None,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play one `table` in all its rotations, or every mix of some `bots` with so many `players`.

    With `out` the games are kept in that file, and those that stand there are not played again.  With
    `ray` (an address, or "local") they are played on that cluster.  Ctrl-C ends it with what was finished
    by then; a bot that does something wrong raises its `Problem`.
    """
    rules = game_called(game)
    usual = min(USUAL_SEATS, rules.SEATS[-1])
    lineups = lineups_of(table, bots, usual if players is None else players)
    cards = load_deck(rules.DECK_FILES, deck)
    plan = planning.new_plan(rules, lineups, options or {}, cards, seed)
    workers = chosen_workers(jobs, ray)
    played = run(plan, deals, workers, None if out is None else Path(out), progress)
    if played.stopped_by:
        raise played.stopped_by
    return played


def lineups_of(
    table: Sequence[str] | None, bots: Sequence[str] | None, players: int
) -> list[planning.Lineup]:
    if table is not None and bots is None:
        return planning.one_table(table)
    if bots is not None and table is None:
        return planning.every_mix(bots, players)
    raise BadOption("tournament_table_or_bots")


def chosen_workers(jobs: int | None, ray: str | None) -> Workers:
    if jobs is not None and jobs < 1:
        raise BadOption("simulate_jobs", jobs=jobs)
    if ray is not None:
        return ray_cluster(ray, jobs)
    jobs = jobs or usual_jobs()
    return one_at_a_time if jobs == 1 else processes(jobs)


def run(
    plan: Plan,
    deals: int,
    workers: Workers,
    out: Path | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """Play what is not finished yet; whatever stops it, the finished games are kept."""
    if deals < 1:
        raise BadOption("tournament_deals", deals=deals)
    tournament = Tournament(plan, deals)
    file = None if out is None else GamesFile(out, plan)
    try:
        if file:
            tournament.outcomes += file.outcomes[: tournament.games]
        play_on(tournament, workers, file, progress)
    except KeyboardInterrupt:
        tournament.is_interrupted = True
    finally:
        programs.end_all()
        if file:
            file.close()
    return tournament


def play_on(
    tournament: Tournament, workers: Workers, file: GamesFile | None, progress: Progress | None
) -> None:
    numbers = range(len(tournament.outcomes) + 1, tournament.games + 1)
    if not numbers:
        return
    try:
        for work in workers(tournament.plan, numbers):
            if file:
                file.write(work.lines)
            tournament.outcomes += map(outcome_in, work.lines)
            if progress:
                progress(len(tournament.outcomes))
            if work.problem:
                why, facts = work.problem
                raise Problem(why, **facts)
    except Problem as problem:
        tournament.stopped_by = problem
