"""`bullpen tournament`: the plan, a progress bar, then the standings as a table, as JSON, as a page."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bullpen.arena.plan import Plan
from bullpen.arena.report_page import Words, write_report
from bullpen.arena.standings import Standing, Standings
from bullpen.arena.tournament import Tournament, run
from bullpen.arena.workers import Workers
from bullpen.cards import Problem
from bullpen.game import titled
from bullpen.terminal import streams
from bullpen.terminal.complaint import complain
from bullpen.terminal.progress import Bar, games_bar
from bullpen.terminal.screen import Screen, write
from bullpen.terminal.simulate import decimal, percent
from bullpen.terminal.store import games_folder
from bullpen.text import printable

INTERRUPTED = 130  # exit code
FEW_DEALS = 20


@dataclass(frozen=True)
class Wishes:
    """The tournament that somebody asks for."""

    plan: Plan
    deals: int
    workers: Workers
    out: Path
    report: Path | None
    as_json: bool


def bots_named(text: str) -> list[str]:
    """`careful,uniform`; a name with a comma in it stands in quotation marks."""
    return [name.strip() for row in csv.reader([text], skipinitialspace=True) for name in row]


def usual_file(plan: Plan) -> Path:
    """A file for these settings, and for no others."""
    folder = games_folder().parent / "tournaments"
    return folder / f"{plan.game}-{plan.seats}-{plan.digest}.jsonl"


def hold(screen: Screen, wishes: Wishes) -> int:
    """Play, show, and say what stopped it if something did; returns the exit code."""
    errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    announce(screen, errors, wishes)
    with TournamentBar(screen, errors, wishes) as progress, streams.kept_for_results():
        played = run(wishes.plan, wishes.deals, wishes.workers, wishes.out, progress.update)
    found = played.standings
    if wishes.as_json:
        sys.stdout.write(json.dumps(played.as_json()) + "\n")
    elif found.deals:
        tell(screen, played, found)
    if wishes.report and found.deals:
        write_report(wishes.report, found, wishes.plan.seats, words(screen, played, found))
        errors.print(screen.voice.say("tournament.report", file=wishes.report))
    return tell_end(screen, errors, wishes, played)


def announce(screen: Screen, errors: Console, wishes: Wishes) -> None:
    plan = wishes.plan
    a_deal = len(plan.seatings)
    errors.print(
        screen.voice.say(
            "tournament.plan",
            title=titled(plan.rules, plan.options),
            players=plan.seats,
            lineups=len(plan.lineups),
            a_deal=a_deal,
            deals=wishes.deals,
            games=a_deal * wishes.deals,
        )
    )
    errors.print(screen.voice.say("tournament.file", file=wishes.out))


def tell_end(screen: Screen, errors: Console, wishes: Wishes, played: Tournament) -> int:
    if played.is_finished:
        return 0
    code = INTERRUPTED
    sys.stdout.flush()
    if played.stopped_by:
        code = complain(played.stopped_by, screen.voice.language)
    facts = {"games": len(played.outcomes), "all": played.games, "file": wishes.out}
    # A bot from a file that is mended is another one, and its games are of another tournament.
    key = "to_start_anew" if played.stopped_by and wishes.plan.files else "to_go_on"
    errors.print(screen.voice.say(f"tournament.{key}", **facts))
    return code


class TournamentBar(Bar):
    """Games finished, rate and time left; nothing where nobody watches."""

    def __init__(self, screen: Screen, errors: Console, wishes: Wishes) -> None:
        self.screen, self.first, self.seconds = screen, -1, 0.0
        games = len(wishes.plan.seatings) * wishes.deals
        super().__init__(games_bar(errors), screen.voice.say("tournament.progress"), games)

    def update(self, games: int) -> None:
        """The rate counts from the first games that came in: those read from the file took no time."""
        elapsed = self.shown.tasks[0].elapsed or 0.0
        if self.first < 0:
            self.first, self.seconds = games, elapsed
        pace = (games - self.first) / max(elapsed - self.seconds, 1e-9)
        rate = self.screen.voice.say("tournament.rate", rate=decimal(self.screen, pace, 1))
        self.shown.update(self.task, completed=games, rate=rate)


# -- The standings ----------------------------------------------------------------------------


def tell(screen: Screen, played: Tournament, found: Standings) -> None:
    write(screen, title_of(screen, played, found), style="bold")
    table = Table(box=None, pad_edge=False)
    for at, column in enumerate(columns(screen)):
        if at:
            table.add_column(column, justify="right", no_wrap=True)
        else:
            table.add_column(column, overflow="fold")
    for row in found.bots:
        table.add_row(*cells(screen, row))
    screen.console.print(table)
    for sentence in [*facts_of(screen, played, found), *comparisons(screen, found)]:
        write(screen, sentence)


def title_of(screen: Screen, played: Tournament, found: Standings) -> str:
    facts = {"deals": found.deals, "games": found.games, "players": played.plan.seats}
    return screen.voice.say(
        "tournament.title", title=titled(played.plan.rules, played.plan.options), **facts
    )


def columns(screen: Screen) -> list[str]:
    names = ("bot", "share", "points", "round", "rating")
    return [screen.voice.say(f"tournament.{name}") for name in names]


def cells(screen: Screen, row: Standing) -> list[str]:
    share = percent(screen, row.win_share)
    points = decimal(screen, row.mean_points, 2)
    if row.points_low is not None and row.points_high is not None:
        low, high = decimal(screen, 100 * row.low, 1), decimal(screen, 100 * row.high, 1)
        share += f" ({low}–{high})"
        low, high = decimal(screen, row.points_low, 2), decimal(screen, row.points_high, 2)
        points += f" ({low} – {high})"
    a_round = "–" if row.points_per_round is None else decimal(screen, row.points_per_round, 2)
    rating = f"{decimal(screen, row.rating.mu, 1)} ±{decimal(screen, row.rating.sigma, 1)}"
    return [printable(row.bot), share, points, a_round, rating]


def facts_of(screen: Screen, played: Tournament, found: Standings) -> list[str]:
    """How the table is meant."""
    say, plan = screen.voice.say, played.plan
    sentences = [
        say("tournament.even", even=percent(screen, 1 / plan.seats)),
        screen.voice.best(plan.rules, plan.options),
    ]
    if found.deals == 1:
        sentences.append(say("tournament.one_deal"))
    elif found.deals < FEW_DEALS:
        sentences.append(say("tournament.few_deals", deals=found.deals))
    return sentences


def comparisons(screen: Screen, found: Standings) -> list[str]:
    """The best bot with every other one."""
    if found.deals < 2:
        return []
    return [
        screen.voice.say(
            "tournament.comparison",
            bot=printable(pair.bot),
            other=printable(pair.other),
            difference=decimal(screen, 100 * pair.difference, 1),
            low=decimal(screen, 100 * pair.low, 1),
            high=decimal(screen, 100 * pair.high, 1),
        )
        for pair in found.comparisons
        if pair.bot == found.bots[0].bot
    ]


def words(screen: Screen, played: Tournament, found: Standings) -> Words:
    """What the report page says."""
    say, plan = screen.voice.say, played.plan
    options = ", ".join(f"{name}={json.dumps(value)}" for name, value in plan.options.items())
    headings = ("standings", "shares", "points", "ratings", "comparisons")
    return Words(
        screen.voice.language,
        title_of(screen, played, found),
        [
            *facts_of(screen, played, found),
            say("tournament.settings", seed=plan.seed, options=options),
            screen.voice.deck_note(plan.rules, plan.deck),
        ],
        columns(screen),
        [cells(screen, row) for row in found.bots],
        comparisons(screen, found),
        {row.bot: percent(screen, row.win_share) for row in found.bots},
        percent(screen, 1 / plan.seats),
        {name: say(f"tournament.heading_{name}") for name in headings},
    )


def checked_seats(table: Sequence[str] | None, players: int | None) -> None:
    """With a table, --players is not needed; another number than it has seats is a mistake."""
    if table is not None and players is not None and players != len(table):
        raise Problem("tournament_players", seats=len(table), players=players)
