"""OpenSpiel's IS-MCTS against our `search`, at equal time a move.

    python examples/ismcts_duel.py [--ms 100] [--deals 20] [--game six-nimmt] [--write]

Two seats, one round where the game has rounds, every deal from both seats.  --write adds the table to
benchmarks/results.md.  Needs the extra `openspiel`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bullpen.arena.tournament import play
from bullpen.game import OptionValue
from bullpen.games import GAMES

HERE = Path(__file__).parent
BOT = HERE / "ismcts_bot.py"
RESULTS = HERE.parent / "benchmarks" / "results.md"
ROLLOUTS = {
    "choose": "OpenSpiel's random rollouts",
    "choose_compiled": "our compiled playouts",
}
SHORT = {"rounds": 1, "games": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description="OpenSpiel's IS-MCTS against our search.")
    parser.add_argument("--ms", type=int, default=100, help="for each move of either side")
    parser.add_argument("--deals", type=int, default=20, help="each is played from both seats")
    parser.add_argument("--game", choices=tuple(GAMES), help="only this game")
    parser.add_argument("--write", action="store_true", help="add to benchmarks/results.md")
    given = parser.parse_args()
    games = [given.game] if given.game else list(GAMES)
    lines = []
    for line in report(games, given.ms, given.deals):
        print(line, flush=True)
        lines.append(line)
    if given.write:
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write("\n".join(["", *lines, ""]))


def report(games: list[str], ms: int, deals: int) -> Iterator[str]:
    yield (
        f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC: OpenSpiel's IS-MCTS against `search`,"
        f" {ms} ms a move"
    )
    yield ""
    yield (
        f"`examples/ismcts_duel.py`, one process of a machine with {os.cpu_count()} cores; two seats, one round, {deals} deals"
        " from both seats. IS-MCTS is OpenSpiel's Python one with its leads as utilities."
    )
    yield ""
    yield "| game | rollouts of IS-MCTS | games | search wins | 95 % | points of search | of IS-MCTS |"
    yield "|---|---|---:|---:|---|---:|---:|"
    for game in games:
        for function, rollouts in ROLLOUTS.items():
            yield row(game, function, rollouts, ms, deals)


def row(game: str, function: str, rollouts: str, ms: int, deals: int) -> str:
    os.environ["BULLPEN_ISMCTS_MS"] = str(ms)  # read when the bot is loaded
    rules = GAMES[game]
    options: dict[str, OptionValue] = {
        option.name: SHORT[option.name] for option in rules.OPTIONS if option.name in SHORT
    }
    other, search = f"{BOT}:{function}", f"search:ms={ms}"
    found = play(game, table=[search, other], deals=deals, options=options, jobs=1).standings
    standing = {bot.bot: bot for bot in found.bots}
    ours, theirs = standing[search], standing[other]
    return (
        f"| {game} | {rollouts} | {found.games} | {ours.win_share:.1%}"
        f" | {ours.low:.1%} to {ours.high:.1%} | {ours.mean_points:.1f} | {theirs.mean_points:.1f} |"
    )


if __name__ == "__main__":
    main()
