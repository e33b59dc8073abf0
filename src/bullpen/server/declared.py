"""What a game declares, for a client that draws it: its places, and whether many points are good."""

from __future__ import annotations

from typing import Any

from bullpen.deck import Deck
from bullpen.game import Game, Options

Json = dict[str, Any]


def game_facts(game: Game[Any], options: Options, deck: Deck) -> Json:
    """What is the same wherever a game is shown: at a table, in a position of the rules, on the first page."""
    return {
        "title": game.TITLE,
        "basis": deck.basis,
        "deck": deck.as_json(),
        "card_names": {str(card): name for card, name in game.CARD_NAMES.items()},
        "best": "most" if game.best(options) is max else "fewest",
        "places": places_declared(game, options),
    }


def places_declared(game: Game[Any], options: Options) -> list[Json]:
    """In the order in which they are listed; what is out of play is not drawn."""
    rows_end = getattr(game.rules, "rows_end", None)
    has_end = rows_end is None or rows_end(options)
    places = game.rules.places
    return [
        {
            "name": family.name,
            "kind": family.kind,
            "sight": family.sight,
            "count": family.room if family.kind == "number" and not family.one_a_seat else None,
            "room": (list(family.holds) or None) if has_end else None,
            "tray": places.family_of(family.part_of).name if family.secret_in >= 0 else None,
        }
        for family in places.in_order()
        if not family.out_of_play
    ]
