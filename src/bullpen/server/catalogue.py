"""What there is to play, for a page that lets people choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bullpen.deck import Deck, load_deck
from bullpen.game import (
    Game,
    OneOf,
    Option,
    SeatNumber,
    Switch,
    WholeNumber,
    WholeNumberOrNull,
    complete_options,
)
from bullpen.games import GAMES, about
from bullpen.server import messages
from bullpen.server.declared import game_facts
from bullpen.server.levels import OFFERED
from bullpen.server.requests import most_of
from bullpen.text import voice

Json = dict[str, Any]


def catalogue(language: str) -> Json:
    return {
        "games": [game_shown(game, language) for game in sorted(GAMES.values(), key=place_of)],
        "levels": [
            {"level": level, "text": voice(language).say(f"server.levels.{level}")}
            for level in OFFERED
        ],
        "phrases": messages.phrases(language),
    }


def place_of(game: Game[Any]) -> int:
    """On the first page; who does not say it stands behind those who do."""
    cover = about(game).cover
    return len(GAMES) + 1 if cover is None else cover.place


def game_shown(game: Game[Any], language: str) -> Json:
    page, deck = voice(language).rules(game), load_deck(game.DECK_FILES)
    words = dict(page.options)
    return {
        "id": game.ID,
        "players": page.players,
        "goal": page.goal,
        "least": game.SEATS[0],
        "most": game.SEATS[-1],
        "options": [
            {**option_shown(option, game.SEATS), "text": words.get(option.name, option.name)}
            for option in game.OPTIONS
        ],
        "deck_note": deck_note(game, deck, language),
        **game_facts(game, complete_options(game, game.SEATS[0], {}), deck),
        "cover": cover._asdict() if (cover := about(game).cover) else None,
        "phases": game.phases,
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


def option_shown(option: Option, seats: Sequence[int]) -> Json:
    """Without a default where it depends on how many play."""
    kind, usual = option.kind, {option.default(number) for number in seats}
    default = usual.pop() if len(usual) == 1 else None
    shown: Json = {"name": option.name, "default": default}
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
