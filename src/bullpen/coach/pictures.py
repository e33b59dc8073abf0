"""Which cards a move is about, and what the places of a picture are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bullpen.cards import Card
from bullpen.game import STANDALONE_NUMBER, Game
from bullpen.text import Voice

Seen = Sequence[tuple[str, Sequence[Card]]]  # places and what lies there


def cards_of(game: Game[Any], move: str, seen: Seen) -> list[Card]:
    """`play 36 on 31`: both; `row 2`: what lies there; `end`: none."""
    lying = dict(seen)
    numbers = [int(number) for number in STANDALONE_NUMBER.findall(move)]
    if move.startswith(("row", "take", "extend")) and (row := lying.get(f"row {numbers[0]}")):
        return list(row)
    if move.startswith(("row", "extend", "bull")):
        return []
    if move == "bid 0":
        return special(game, lying, list("ABCDE"))
    if re.match(r"x2|\+5", move):
        return special(game, lying, [move[:2]]) + numbers
    return numbers


def special(game: Game[Any], lying: dict[str, Sequence[Card]], names: Sequence[str]) -> list[Card]:
    """The own card without a number that is called so."""
    hands = [cards for place, cards in lying.items() if place.startswith("hand")]
    return [card for hand in hands for card in hand if game.CARD_NAMES.get(card) in names]


def place_name(voice: Voice, place: str) -> str:
    """`row 3` and `hand 0` as the reader calls them; whose hand it is is clear.  What has no words says its name."""
    kind = re.sub(r" \d.*", "", place)
    words = voice.sentences["coach"]["place"].get(kind.replace(" ", "_"), kind)
    number = re.search(r"\d+", place)
    return voice.filled(words, {"number": number[0] if number else ""})
