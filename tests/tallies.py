"""Last positions of real games and their points: what the browser's tallies are compared with.

`make landings` writes web/tests/tallies.json anew; test_tallies.py and web/tests/tallies.test.ts compare.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import bullpen
from bullpen.game import OptionValue
from bullpen.match import Match

FILE = Path(__file__).parent.parent / "web" / "tests" / "tallies.json"
GAMES, SEATS = 6, 3
WANTED: dict[str, dict[str, OptionValue]] = {
    "hornochsen": {},
    "bullenparty": {},
    "x-nimmt": {"rounds": 1},
}
COUNTED = ("pile ", "hand ", "bulls ", "x pile ")  # places, as their names begin


def last_position(game: str, seed: int) -> dict[str, Any]:
    rng, match = Random(seed), bullpen.new(game, SEATS, seed=seed, options=WANTED[game])
    while not match.is_over:
        seat = rng.choice(match.waiting_for)
        match.move(seat, chosen(match.legal(seat), seed, rng))
    places = {name: cards for name, cards in lying(match).items() if name.startswith(COUNTED)}
    return {"places": places, "scores": list(match.scores)}


def chosen(legal: list[str], seed: int, rng: Random) -> str:
    """In every other game so that special cards stay in hands, and bulls come to rows: they count, too."""
    rare = [move for move in legal if move == "bid 0" or move.startswith("play ")]
    return rng.choice(rare if rare and seed % 2 else legal)


def lying(match: Match) -> dict[str, list[int]]:
    places = match.game.places(match.table)
    return {name: list(match.table.lying[place]) for name, place in places.items()}


def written() -> str:
    """One position a line, so that a difference can be read."""
    parts = []
    for game in WANTED:
        match = bullpen.new(game, SEATS, seed=0)
        facts = {
            "game": game,
            "deck": match.deck.as_json(),
            "card_names": {str(card): name for card, name in match.game.CARD_NAMES.items()},
        }
        head = json.dumps(facts, separators=(",", ":"))[:-1]
        lines = (
            json.dumps(last_position(game, seed), separators=(",", ":")) for seed in range(GAMES)
        )
        positions = ",\n".join(lines)
        parts.append(f'{head},"positions":[\n{positions}\n]}}')
    return "[\n" + ",\n".join(parts) + "\n]\n"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.tallies --write")
    FILE.write_text(written(), "utf-8")
