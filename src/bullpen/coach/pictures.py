"""Which cards a move is about, and what the places of a picture are called."""

from __future__ import annotations

import re
from typing import Any

from bullpen.cards import UNSEEN, Card
from bullpen.game import Game, View, read_move
from bullpen.offers import meaning
from bullpen.phrases import says_where
from bullpen.text import Voice


def cards_of(game: Game[Any], view: View[Any], move: str) -> list[Card]:
    """`play 43`: that card; `play 36 on 31`: both; `row 2`: what lies there; `stop`: none."""
    table, seat = view.table, view.seat
    assert seat is not None, "a spectator has no moves"
    action = read_move(game, table, seat, move)
    meant = meaning(game, view, action)
    place = game.places(table).get(meant.place or "")
    there = [card for card in table.lying[place] if card != UNSEEN] if place is not None else []
    if meant.card is None:
        return there
    return [meant.card, *there[-1:]] if says_where(game, action) else [meant.card]


def place_name(voice: Voice, place: str) -> str:
    """`row 3` and `hand 0` as the reader calls them; whose hand it is is clear.  What has no words says its name."""
    kind = re.sub(r" \d.*", "", place)
    words = voice.sentences["coach"]["place"].get(kind.replace(" ", "_"), kind)
    number = re.search(r"\d+", place)
    return voice.filled(words, {"number": number[0] if number else ""})
