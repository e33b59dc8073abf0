"""The rules for reading, with positions to try them on.

A scene is a real game, dealt from a seed and played up to the moment in which a rule matters.  The reader sits on
the first seat and may do there whatever the rules allow: the same rules as at every table answer.  Nothing is kept:
the client sends all that its reader has done in a scene so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.exceptions import HTTPException

from bullpen.about import Picture, Scene
from bullpen.deck import load_deck
from bullpen.game import Action, Game, Seat, complete_options
from bullpen.games import about, game_called
from bullpen.server.catalogue import deck_note
from bullpen.server.declared import game_facts
from bullpen.server.languages import language_of
from bullpen.server.messages import DEALT_BY_SEED, VERSION
from bullpen.server.play import Play, new_play
from bullpen.server.requests import GameId
from bullpen.server.routes.parameters import REFUSALS, LanguageQuery
from bullpen.server.sight import Happened, Sight, Telling, happened
from bullpen.text import Voice, voice

Json = dict[str, Any]

READER: Seat = 0
OTHERS = ("Bella", "Carlo", "Dana")
MOST_MOVES = 12  # that a reader may make in one scene


# -- Playing a scene ----------------------------------------------------------------------------


def other_choice(play: Play, scene: Scene, seat: Seat) -> Action:
    """The same whatever the reader does, as long as the seat may do the same."""
    rng = Random(f"{scene.seed} {play.moment} {seat}")
    return rng.choice(play.offers(seat))


def deal(play: Play, rng: Random) -> list[Happened]:
    steps: list[Happened] = []
    while cards := play.game.to_shuffle(play.table):
        before = play.table
        rng.shuffle(cards)
        steps += happened(play, before, play.shuffle(cards))
    return steps


def decide(play: Play, seat: Seat, action: Action) -> list[Happened]:
    before = play.table
    events = play.move(seat, play.numbers[seat], action, "bot")
    return happened(play, before, events)


def answer(play: Play, scene: Scene, mine: Action | None) -> list[Happened]:
    """One question answered by all who are asked; the reader's part is `mine`."""
    steps: list[Happened] = []
    for seat in play.waiting:
        is_mine = seat == READER and mine is not None
        action = mine if is_mine else other_choice(play, scene, seat)
        assert action is not None
        steps += decide(play, seat, action)
    return steps + deal(play, Random(f"{scene.seed} {len(play.shuffles)}"))


@lru_cache(maxsize=64)
def position(game_id: str, scene: Scene) -> Play:
    game = game_called(game_id)
    options = complete_options(game, scene.seats, {})
    play = new_play(game, scene.seats, options, load_deck(game.DECK_FILES))
    deal(play, Random(f"{scene.seed} 0"))
    while play.moment < scene.moment:
        answer(play, scene, None)
    return play


def tried(game_id: str, scene: Scene, actions: Sequence[Action]) -> tuple[Play, list[Happened]]:
    """The scene after the reader's actions, and what the last of them led to."""
    play = position(game_id, scene).copy()
    steps: list[Happened] = []
    for action in actions:
        steps = answer(play, scene, action)
        while play.waiting and READER not in play.waiting:
            steps += answer(play, scene, None)
    return play, steps


def suggested(game_id: str, scene: Scene) -> list[Action]:
    numbers = {move: action for action, move in game_called(game_id).NOTATION.items()}
    return [numbers[move] for move in scene.moves]


# -- Telling it ---------------------------------------------------------------------------------


def welcome(game_id: str, scene: Scene, actions: Sequence[Action], language: str) -> Json:
    play, steps = tried(game_id, scene, actions)
    names = reader_and_others(READER, scene.seats, language)
    return as_table(f"{game_id} {scene.rule}", play, steps, READER, names, language)


def as_table(
    table_id: str,
    play: Play,
    steps: Sequence[Happened],
    reader: Seat,
    names: Sequence[str],
    language: str,
) -> Json:
    """As a table's socket would begin (docs/wire.md), so that a client shows it like any table."""
    game = play.game
    telling = Telling(game, voice(language), names)
    view = Sight(play, steps, telling, None).to(reader, detail="explained")
    table = {
        "id": table_id,
        "game": game.ID,
        "options": dict(play.options),
        "clock": None,
        "coach": False,
        "memory_aid": False,
        "practice": True,
        "listed": False,
        "spectators": False,
        "stand_in": "easy",
        **game_facts(game, play.options, play.deck),
    }
    lobby = {"status": "playing", "host": reader, "spectators": 0, "rematch": None}
    seats = [seat_shown(seat, name, reader) for seat, name in enumerate(names)]
    return {
        "type": "welcome",
        "version": VERSION,
        "seat": reader,
        "language": language,
        "table": table,
        "lobby": {**lobby, "seats": seats},
        "fair": DEALT_BY_SEED,
        "phrases": [],
        "chat": [],
        "view": view,
        "left": None,
        "result": None,
    }


def reader_and_others(reader: Seat, seats: int, language: str) -> list[str]:
    names = list(OTHERS[: seats - 1])
    names.insert(reader, voice(language).say("server.rulebook.reader"))
    return names


def seat_shown(seat: Seat, name: str, reader: Seat) -> Json:
    kind, level = ("person", None) if seat == reader else ("bot", "easy")
    known = {"seat": seat, "kind": kind, "name": name, "level": level}
    here = {"connected": True, "stand_in": False, "sent_away": False}
    return {**known, **here, "muted": False, "reserved_for": None}


def lessons(game: Game[Any], speaker: Voice) -> list[Json]:
    """For the first game: what is told, and at which moment."""
    words = speaker.sentences["lessons"].get(game.ID, {})
    return [
        {
            "name": lesson.name,
            "text": words[lesson.name],
            "moment": lesson.moment,
            "asks": lesson.kind == "asks",
        }
        for lesson in about(game).lessons
    ]


def pictured(picture: Picture) -> list[list[Json]]:
    """Step by step, and place by place: the cards there, and those of them that have just come."""
    return [[lane(line) for line in step.split(" / ")] for step in picture]


def lane(line: str) -> Json:
    place, _, cards = line.partition(": ")
    return {
        "place": place,
        "cards": [int(card.lstrip("*")) for card in cards.split()],
        "come": [int(card[1:]) for card in cards.split() if card.startswith("*")],
    }


def rules(game_id: str, language: str) -> Json:
    game = game_called(game_id)
    speaker = voice(language)
    page = speaker.rules(game)
    return {
        "id": game.ID,
        "title": game.TITLE,
        "players": page.players,
        "goal": page.goal,
        "seen": page.seen,
        "age": about(game).age,
        "examples": list(page.examples),
        "pictures": [pictured(one) for one in about(game).pictures],
        "deck_note": deck_note(game, load_deck(game.DECK_FILES), language),
        "options": [{"name": name, "text": text} for name, text in page.options],
        "sections": [
            {
                "heading": heading,
                "rules": [{"id": rule, "name": name, "text": text} for rule, name, text in rules],
            }
            for heading, rules in page.sections
        ],
        "lessons": lessons(game, speaker),
        "practice": {
            "seed": about(game).practice_seed,
            "options": about(game).practice_options,
        },
        "scenes": [
            {
                "rule": scene.rule,
                "name": speaker.rule(scene.rule)[0],
                "moves": suggested(game_id, scene),
            }
            for scene in about(game).scenes
        ],
    }


# -- Over HTTP ----------------------------------------------------------------------------------

Rule = Annotated[str, Path(min_length=1, max_length=10)]
Moves = Annotated[list[int] | None, Query(max_length=MOST_MOVES)]


def router() -> APIRouter:
    api = APIRouter(prefix="/api/rules", responses=REFUSALS)

    @api.get("/{game}", summary="The rules of a game for reading, and its scenes")
    def read(request: Request, game: GameId, lang: LanguageQuery = None) -> Json:  # noqa: ARG001
        return rules(game, language_of(request.scope))

    @api.get("/{game}/{rule}", summary="A position to try a rule on, after the moves made there")
    def scene(
        request: Request,
        game: GameId,
        rule: Rule,
        move: Moves = None,
        lang: LanguageQuery = None,  # noqa: ARG001
    ) -> Json:
        found = next((one for one in about(game_called(game)).scenes if one.rule == rule), None)
        if found is None:
            raise HTTPException(404)
        return welcome(game, found, move or [], language_of(request.scope))

    return api
