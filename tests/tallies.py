"""Last positions of real games and their points: what the browser's tallies are compared with.

`make landings` writes web/tests/tallies.json anew; test_tallies.py and web/tests/tallies.test.ts compare.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import bullpen
from bullpen.game import OptionValue
from bullpen.match import Match
from tests.positions import as_text

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
    return as_text((facts(game), all_positions(game)) for game in WANTED)


def facts(game: str) -> dict[str, Any]:
    match = bullpen.new(game, SEATS, seed=0)
    names = {str(card): name for card, name in match.game.CARD_NAMES.items()}
    return {"game": game, "deck": match.deck.as_json(), "card_names": names}


def all_positions(game: str) -> list[dict[str, Any]]:
    return [last_position(game, seed) for seed in range(GAMES)]


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.tallies --write")
    FILE.write_text(written(), "utf-8")
