"""How strong the bots are: `python -m benchmarks.strength [WHAT] [--deals N] [--write]`.

Each line is one table in all its rotations, the same deals for everybody, with a 95 % interval.  Efforts
are numbers of playouts, so a run can be repeated; they are below what the levels have in their time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from benchmarks.__main__ import RESULTS, processor
from bullpen.arena.tournament import play
from bullpen.games import GAMES

# What takes 10 to 60 ms a move on one core; `expert` thinks more than ten times as long.
PLAYOUTS = {
    "hornochsen": 3000,
    "eleven-nimmt": 1000,
    "x-nimmt": 2000,
    "baron-oxx": 2000,
    "bullenparty": 300,
    "six-nimmt": 3000,
}


class Table(NamedTuple):
    what: str
    game: str
    bots: tuple[str, ...]
    options: tuple[tuple[str, int], ...] = ()


def seats_of(game: str) -> int:
    return 3 if game == "bullenparty" else 4


def tables() -> Iterator[Table]:
    for game in GAMES:
        others = seats_of(game) - 1
        yield Table("careful", game, ("careful", *["uniform"] * others))
    for game, playouts in PLAYOUTS.items():
        expert = f"expert:playouts={playouts}"
        yield Table("expert", game, (expert, *["careful"] * (seats_of(game) - 1)))
        yield Table("duel", game, (expert, "careful"))
    for game, playouts in PLAYOUTS.items():
        search, flat = f"search:playouts={playouts}", f"montecarlo:playouts={playouts}"
        yield Table("search", game, (search, *[flat] * (seats_of(game) - 1)))
    one_deal, expert = (("rounds", 1),), f"expert:playouts={PLAYOUTS['six-nimmt']}"
    yield Table("deal", "six-nimmt", (expert, "uniform", "uniform", "uniform"), one_deal)
    yield Table("deal", "six-nimmt", (expert, "uniform", "careful", "hard"), one_deal)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument(
        "what", nargs="?", help="careful, expert, duel or search: only these tables"
    )
    parser.add_argument("--game", choices=tuple(GAMES), help="only this game")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--write", action="store_true", help="add to benchmarks/results.md")
    wished = parser.parse_args()
    lines = [*report(wished.what, wished.game, wished.deals)]
    if wished.write:
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *lines, ""]))


def report(what: str | None, game: str | None, deals: int) -> Iterator[str]:
    heading = f"### Strength, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {processor()}, {deals} deals in all rotations"
    rows = (
        row(table, deals)
        for table in tables()
        if what in (None, table.what) and game in (None, table.game)
    )
    for line in (
        heading,
        "",
        "| game | table | win share of the first | 95 % | even | its points | those of the second |",
        "|---|---|---:|---|---:|---:|---:|",
    ):
        print(line, flush=True)
        yield line
    for line in rows:
        print(line, flush=True)
        yield line


def row(table: Table, deals: int) -> str:
    found = play(table.game, table=table.bots, deals=deals, options=dict(table.options)).standings
    standing = {bot.bot: bot for bot in found.bots}
    first, other = standing[table.bots[0]], standing[table.bots[1]]
    others = ", ".join(table.bots[1:])
    return (
        f"| {table.game} | {table.bots[0]} with {others}"
        f" | {first.win_share:.1%} | {first.low:.1%} to {first.high:.1%} | {1 / len(table.bots):.0%}"
        f" | {first.mean_points:.1f} | {other.mean_points:.1f} |"
    )


if __name__ == "__main__":
    main()
