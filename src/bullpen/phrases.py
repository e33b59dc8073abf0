"""What a move means, in a few words beside it: `→ row 2`, `takes row 2: 5 heads`, `choose: row 1, 3`.

The words follow from the move's effect (offers.py) and stand in the locale files; what a place is called stands
with its game's other words.  Nothing is said where the move itself says it already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bullpen.cards import UNSEEN, Action, Card
from bullpen.game import Game, View
from bullpen.offers import NEW_HEAP, Meaning, meaning
from bullpen.places import FACE_UP, Family
from bullpen.table import Table
from bullpen.text import Voice

VERB_AND_CARD = 2  # words: `play 43`; one with more of them says itself where the card goes


def phrase(voice: Voice, game: Game[Any], view: View[Any], action: Action) -> str:
    """For one of `view.legal`; empty where there is nothing to add."""
    meant, table = meaning(game, view, action), view.table
    is_said = meant.card is None or says_where(game, action)
    if meant.effect == "takes":
        what = counted(voice, game, table, meant)
        return what if is_said or not what else taking(voice, game, table, meant, what)
    if meant.next and (meant.effect == "chooses" or not is_said):
        return voice.say("means.chooses", places=choice(voice, game, table, meant.next))
    if meant.effect == "joins" and not is_said and is_shown(game, table, meant.place):
        return voice.say("means.joins", place=called(voice, game, table, meant.place))
    return ""


def says_where(game: Game[Any], action: Action) -> bool:
    """Whether the move itself, as it is written, says where its card goes."""
    return len(game.NOTATION[action].split()) > VERB_AND_CARD


def phrases(voice: Voice, game: Game[Any], view: View[Any]) -> dict[str, str]:
    """By move, for all that may be made now."""
    return {game.NOTATION[action]: phrase(voice, game, view, action) for action in view.legal}


def taking(voice: Voice, game: Game[Any], table: Table, meant: Meaning, what: str) -> str:
    """What lies before oneself is not taken, but goes away."""
    family = family_of(game, table, meant.place)
    key = "clears" if family is not None and family.kind == "seat" else "takes"
    return voice.say(f"means.{key}", place=called(voice, game, table, meant.place), what=what)


def counted(voice: Voice, game: Game[Any], table: Table, meant: Meaning) -> str:
    """What is taken, as this deck counts it; nothing is said where more lies under what one sees."""
    family = family_of(game, table, meant.place)
    if family is None or family.sight != FACE_UP:
        return ""
    deck, cards = table.deck, meant.taken
    if deck.colours:
        return voice.say("means.bulls", count=deck.shown_on(cards))
    if deck.has_red_heads and meant.points is not None:
        return voice.say("means.points", count=meant.points)
    return voice.say("means.heads", count=sum(heads_of(game, table, card) for card in cards))


def heads_of(game: Game[Any], table: Table, card: Card) -> int:
    if name := game.CARD_NAMES.get(card):
        return table.deck.heads_on_bull(name) or 0
    return table.deck.heads[card]


# -- Places -----------------------------------------------------------------------------------


def family_of(game: Game[Any], table: Table, name: str | None) -> Family | None:
    place = game.places(table).get(name or "")
    return None if place is None else table.PLACES.family_of(place)


def is_shown(game: Game[Any], table: Table, name: str | None) -> bool:
    """Whether a card that goes there lies openly, and not only until all have chosen."""
    if name == NEW_HEAP:
        return True
    family = family_of(game, table, name)
    return family is not None and family.sight == FACE_UP and family.secret_in < 0


def called(voice: Voice, game: Game[Any], table: Table, name: str | None) -> str:
    family = family_of(game, table, name)
    if name is None or name == NEW_HEAP or family is None:
        return voice.say("means.new")
    return voice.place(game, family.name, marked(game, table, family, name))


def choice(voice: Voice, game: Game[Any], table: Table, names: Sequence[str]) -> str:
    """`row 1, 2, 4`: the family is named once."""
    families = [family_of(game, table, name) for name in names]
    first = families[0]
    if first is None or any(family != first for family in families):
        return ", ".join(called(voice, game, table, name) for name in names)
    marks = [marked(game, table, first, name) for name in names]
    shown = [str(mark) for mark in marks if mark is not None]
    return voice.place(game, first.name, ", ".join(shown) if shown else None)


def marked(game: Game[Any], table: Table, family: Family, name: str) -> str | None:
    """What tells a place from others of its family: its number, or the number that a heap ends in."""
    if family.kind == "number":
        return name.removeprefix(f"{family.name} ")
    if family.kind == "heap":
        cards = table.lying[game.places(table)[name]]
        numbers = [card for card in cards if card != UNSEEN and card not in game.CARD_NAMES]
        return str(numbers[-1]) if numbers else None
    return None
