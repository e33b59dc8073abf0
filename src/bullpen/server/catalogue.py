"""What there is to play, for a page that lets people choose."""

from __future__ import annotations

from typing import Any

from bullpen.deck import Deck, load_deck
from bullpen.game import Game, OneOf, Option, SeatNumber, Switch, WholeNumber, WholeNumberOrNull
from bullpen.games import GAMES
from bullpen.server import messages
from bullpen.server.facts import PHASES
from bullpen.server.levels import LEVELS
from bullpen.server.requests import most_of
from bullpen.text import voice

Json = dict[str, Any]


def catalogue(language: str) -> Json:
    return {
        "games": [game_shown(game, language) for game in GAMES.values()],
        "levels": [
            {"level": level, "text": voice(language).say(f"server.levels.{level}")}
            for level in LEVELS
        ],
        "phrases": messages.phrases(language),
    }


def game_shown(game: Game[Any], language: str) -> Json:
    page, deck = voice(language).rules(game), load_deck(game.DECK_FILES)
    words = dict(page.options)
    return {
        "id": game.ID,
        "title": game.TITLE,
        "players": page.players,
        "goal": page.goal,
        "least": game.SEATS[0],
        "most": game.SEATS[-1],
        "options": [
            {**option_shown(option, game.SEATS[0]), "text": words.get(option.name, option.name)}
            for option in game.OPTIONS
        ],
        "basis": deck.basis,
        "deck": deck.as_json(),
        "deck_note": deck_note(game, deck, language),
        "card_names": {str(card): name for card, name in game.CARD_NAMES.items()},
        "phases": list(PHASES[game.ID].values()),
        "rules": [
            {
                "heading": heading,
                "rules": [{"id": rule, "name": name, "text": text} for rule, name, text in rules],
            }
            for heading, rules in page.sections
        ],
    }


def deck_note(game: Game[Any], deck: Deck, language: str) -> str:
    """How sure the cards are, for people who have no files."""
    return voice(language).say(f"server.decks.{deck.basis}", title=game.TITLE)


def option_shown(option: Option, seats: int) -> Json:
    kind = option.kind
    shown: Json = {"name": option.name, "default": option.default(seats)}
    match kind:
        case OneOf(values):
            return {**shown, "kind": "one_of", "values": list(values)}
        case Switch():
            return {**shown, "kind": "switch"}
        case WholeNumber(least):
            return {**shown, "kind": "number", "least": least, "most": most_of(option.name)}
        case WholeNumberOrNull(WholeNumber(least)):
            return {**shown, "kind": "number_or_null", "least": least, "most": most_of(option.name)}
        case SeatNumber():
            return {**shown, "kind": "seat"}
