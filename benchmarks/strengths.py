"""How strong each level is on the scale of ratings: `python -m benchmarks.strengths [--write]`.

Read off docs/levels.md, where `python -m benchmarks.levels` has put how often one of a level wins among others of the
level below.  By Plackett-Luce, the model of the ratings, one who is d stronger than n - 1 equal others wins with the
probability e / (e + n - 1) where e = exp(d / (beta sqrt n)); d follows from each row, and all rows of two levels are
put together by how sure they are.  `medium` has 25.  --write puts it into the folders of the games.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bullpen.games import GAMES, folder_of
from bullpen.server.strengths import BETA, START

PAGE = Path(__file__).parent.parent / "docs" / "levels.md"
LEVELS = ("easy", "medium", "hard", "expert")
IN_95 = 1.96  # standard errors to each side of a 95 % interval
LEAST_SIGMA = 1.0  # nobody plays the same against everybody
UNMEASURED = 4.0  # of a level that was not measured and is taken for as strong as the one below
COLUMNS = 9  # of the table in docs/levels.md
LINE = re.compile(r"^    strengths=.*\n", re.MULTILINE)


class Row(NamedTuple):
    """One of a level among others of the level below."""

    game: str
    players: int
    level: str
    below: str
    deals: int
    share: float
    low: float
    high: float


class Gap(NamedTuple):
    """How much stronger, and the standard error of that."""

    mu: float
    error: float


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strengths", description=__doc__)
    parser.add_argument("--write", action="store_true", help="into the folders of the games")
    wished = parser.parse_args()
    rows = list(read(PAGE.read_text("utf-8")))
    for game in GAMES:
        line = written(strengths([row for row in rows if row.game == game]))
        print(f"{game}: {line.strip()}")
        if wished.write:
            write(folder_of(GAMES[game]) / "__init__.py", line)


def write(file: Path, line: str) -> None:
    """In `ABOUT`, in place of the line that stands there, or behind the place of the game."""
    text = LINE.sub("", file.read_text("utf-8"))
    file.write_text(re.sub(r"(ABOUT = About\(\n    order=.*\n)", rf"\g<1>{line}", text), "utf-8")


def read(page: str) -> Iterator[Row]:
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == COLUMNS and cells[0] in GAMES:
            game, players, one, among, deals, share, interval, _, _ = cells
            low, high = (float(part.strip(" %")) / 100 for part in interval.split("to"))
            level = one.partition(":")[0]
            chance = float(share.strip("%")) / 100
            yield Row(game, int(players), level, among, int(deals), chance, low, high)


def gap(row: Row) -> Gap:
    """From one row.  Who has won all games would be infinitely stronger: half a game is taken off."""
    games = row.deals * row.players
    share = min(max(row.share, 0.5 / games), 1 - 0.5 / games)
    error = max((row.high - row.low) / (2 * IN_95), math.sqrt(share * (1 - share) / games))
    scale = BETA * math.sqrt(row.players)
    mu = scale * math.log(share * (row.players - 1) / (1 - share))
    return Gap(mu, scale * error / (share * (1 - share)))


def together(gaps: Sequence[Gap]) -> Gap:
    """By how sure each is.  Where they differ more than that explains, as with the number of players, the error says so."""
    weights = [1 / one.error**2 for one in gaps]
    mu = sum(weight * one.mu for weight, one in zip(weights, gaps, strict=True)) / sum(weights)
    spread = sum(
        weight * (one.mu - mu) ** 2 for weight, one in zip(weights, gaps, strict=True)
    ) / max(1, len(gaps) - 1)
    return Gap(mu, math.sqrt(max(1.0, spread) / sum(weights)))


def strengths(rows: Sequence[Row]) -> dict[str, Gap]:
    """Of each level, `medium` being where the scale begins."""
    found = {"medium": Gap(START, LEAST_SIGMA)}
    for level, below, sign in (
        ("easy", "medium", -1),
        ("hard", "medium", 1),
        ("expert", "hard", 1),
    ):
        one, other = (below, level) if sign < 0 else (level, below)
        gaps = [gap(row) for row in rows if (row.level, row.below) == (one, other)]
        apart = together(gaps) if gaps else Gap(0.0, UNMEASURED)
        base = found[below]
        error = math.hypot(apart.error, 0.0 if below == "medium" else base.error)
        found[level] = Gap(base.mu + sign * apart.mu, max(LEAST_SIGMA, error))
    return found


def written(found: dict[str, Gap]) -> str:
    pairs = ", ".join(f"({found[level].mu:.1f}, {found[level].error:.1f})" for level in LEVELS)
    return f"    strengths=({pairs}),\n"


if __name__ == "__main__":
    main()
