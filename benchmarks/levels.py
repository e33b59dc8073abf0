"""Whether each level beats the one below: `python -m benchmarks.levels [--deals N] [--keep FOLDER] [--write]`.

One of a level sits among others of the level below, in all rotations of the same deals, at every number of
players asked for.  `expert` gets a number of playouts instead of its time, so that a run can be repeated
and does not take days.  With --keep the games are kept in that folder, one file a line of the table: ended by Ctrl-C and begun
again it goes on where it was, and a greater --deals adds to what is there.  --write puts the table into docs/levels.md.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

from benchmarks.__main__ import processor
from benchmarks.duel import mean_and_interval
from bullpen.arena.tournament import Tournament, play
from bullpen.bots.levels import LEVELS
from bullpen.coach.positions import lead
from bullpen.games import GAMES

PAGE = Path(__file__).parent.parent / "docs" / "levels.md"
MARK = "<!-- measured -->\n"
BELOW = dict(zip(LEVELS, ("uniform", *LEVELS), strict=False))
EXPERT_PLAYOUTS, IN_HORNOCHSEN = 3000, 20_000  # it chooses among many moves


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.levels", description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--game", choices=tuple(GAMES), help="only this game")
    parser.add_argument("--level", choices=tuple(LEVELS), help="only this level")
    parser.add_argument(
        "--players", type=int, action="append", help="only so many; may be repeated"
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="the games, to go on later")
    parser.add_argument("--jobs", type=int, help="processes; as many as cores, if not given")
    parser.add_argument("--write", action="store_true", help="add to docs/levels.md")
    wished = parser.parse_args()
    lines = [f"\n{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {processor()}.\n"]
    lines += [
        "| game | players | one | among | deals | win share | 95 % | even | lead in points |",
        "|---|---:|---|---|---:|---:|---|---:|---:|",
    ]
    for line in lines:
        print(line, flush=True)
    try:
        for name in [wished.game] if wished.game else GAMES:
            for level in [wished.level] if wished.level else LEVELS:
                for line in rows(name, level, wished):
                    print(line, flush=True)
                    lines.append(line)
    except KeyboardInterrupt:
        print("Ended; what is kept will not be played again." if wished.keep else "Ended.")
    if wished.write:
        head, _, tables = PAGE.read_text("utf-8").partition(MARK)
        PAGE.write_text(head + MARK + tables + "\n".join([*lines, ""]), "utf-8")


def rows(name: str, level: str, wished: argparse.Namespace) -> Iterator[str]:
    seats, deals = GAMES[name].SEATS, wished.deals
    for count in wished.players or sorted({seats[0], 4, seats[-1]}):
        if count not in seats:
            continue
        playouts = IN_HORNOCHSEN if name == "hornochsen" else EXPERT_PLAYOUTS
        bot = f"{level}:playouts={playouts}" if level == "expert" else level
        table = (bot, *[BELOW[level]] * (count - 1))
        played = play(
            name,
            table=table,
            deals=deals,
            jobs=wished.jobs,
            out=kept(wished.keep, name, count, bot),
        )
        if played.is_interrupted:
            raise KeyboardInterrupt
        (own,) = [row for row in played.standings.bots if row.bot == bot]
        yield (
            f"| {name} | {count} | {bot} | {BELOW[level]} | {deals} | {own.win_share:.1%}"
            f" | {own.low:.1%} to {own.high:.1%} | {1 / count:.0%} | {lead_of(bot, played)} |"
        )


def lead_of(bot: str, played: Tournament) -> str:
    """Over the mean of the others, with the 95 % interval of the deals: it tells small differences sooner than wins do."""
    leads = defaultdict(list)
    for outcome in played.outcomes:
        seat = outcome.bots.index(bot)
        leads[outcome.deal].append(
            lead(GAMES[played.plan.game], played.plan.options, outcome.scores, seat)
        )
    return "{:+.2f} ± {:.2f}".format(*mean_and_interval([fmean(found) for found in leads.values()]))


def kept(folder: Path | None, game: str, players: int, bot: str) -> Path | None:
    """The file of one line of the table."""
    if folder is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{game}-{players}-{bot.replace(':', '-').replace('=', '-')}.jsonl"


if __name__ == "__main__":
    main()
