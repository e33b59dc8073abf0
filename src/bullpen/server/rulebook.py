"""The rules for reading, with positions to try them on.

A scene is a real game, dealt from a seed and played up to the moment in which a rule matters.  The reader sits on
the first seat and may do there whatever the rules allow: the same rules as at every table answer.  Nothing is kept:
the client sends all that its reader has done in a scene so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path, Query, Request
from starlette.exceptions import HTTPException

from bullpen.deck import load_deck
from bullpen.game import Action, Seat, complete_options
from bullpen.games import game_called
from bullpen.server.catalogue import deck_note
from bullpen.server.languages import language_of
from bullpen.server.messages import DEALT_BY_SEED, VERSION
from bullpen.server.play import Play, new_play
from bullpen.server.requests import GameId
from bullpen.server.routes import REFUSALS, Language
from bullpen.server.sight import Happened, Sight, Telling, happened
from bullpen.text import voice

Json = dict[str, Any]

READER: Seat = 0
OTHERS = ("Bella", "Carlo", "Dana")
MOST_MOVES = 12  # that a reader may make in one scene


class Scene(NamedTuple):
    """A position in which `rule` shows, and what to do to see it: then `event` happens."""

    rule: str
    event: str
    seats: int
    seed: int
    moment: int  # so many questions were answered before
    moves: tuple[str, ...]


SCENES: dict[str, tuple[Scene, ...]] = {
    "hornochsen": (
        Scene("HO-8", "place", 3, 1, 0, ("play 82",)),
        Scene("HO-11", "special", 3, 14, 8, ("x2 on 19",)),
        Scene("HO-12", "take", 3, 14, 8, ("play 12",)),
    ),
    "eleven-nimmt": (
        Scene("EN-6", "place", 3, 1, 3, ("play 22 on 19",)),
        Scene("EN-9", "take", 3, 2, 3, ("take 91",)),
        Scene("EN-11", "bull", 3, 1, 3, ("take 19",)),
        Scene("EN-14", "place", 3, 1, 9, ("play 45 on 44", "play 49 on 44")),
    ),
    "x-nimmt": (
        Scene("XN-5", "place", 3, 26, 2, ("play 82",)),
        Scene("XN-6", "collect", 3, 34, 1, ("play 55", "keep 15")),
        Scene("XN-7", "collect", 3, 3, 1, ("play 27", "row 1")),
        Scene("XN-10", "x_flush", 3, 22, 2, ("play 94", "play 60", "keep 33")),
    ),
    "baron-oxx": (
        Scene("BO-6", "place", 3, 2, 0, ("play 100", "row 1")),
        Scene("BO-9", "take", 3, 13, 6, ("play 85",)),
        Scene("BO-10", "take", 3, 36, 11, ("play 17",)),
        Scene("BO-11", "take", 3, 18, 0, ("play 16", "row 1")),
    ),
    "bullenparty": (
        Scene("BP-9", "take", 3, 1, 0, ("bid 40", "take 1")),
        Scene("BP-10", "extend", 3, 1, 0, ("bid 0", "extend 1")),
        Scene("BP-12", "bull", 3, 1, 0, ("bid 0", "extend 1", "bid 0", "extend 2")),
        Scene("BP-16", "pile", 3, 15, 7, ("pile 93 on 67",)),
    ),
    "six-nimmt": (
        Scene("SN-4", "place", 3, 2, 1, ("play 66",)),
        Scene("SN-5", "take", 3, 5, 3, ("play 96",)),
        Scene("SN-6", "take", 3, 2, 2, ("play 1", "row 1")),
    ),
}


# -- Playing a scene ----------------------------------------------------------------------------


def other_choice(play: Play, scene: Scene, seat: Seat) -> Action:
    """The same whatever the reader does, as long as the seat may do the same."""
    rng = Random(f"{scene.seed} {play.moment} {seat}")
    return rng.choice(play.offers(seat))


def deal(play: Play, rng: Random) -> list[Happened]:
    told: list[Happened] = []
    while cards := play.game.to_shuffle(play.table):
        before = play.table
        rng.shuffle(cards)
        told += happened(play.game, before, play.shuffle(cards))
    return told


def decide(play: Play, seat: Seat, action: Action) -> list[Happened]:
    before = play.table
    events = play.move(seat, play.numbers[seat], action, "bot")
    return happened(play.game, before, events)


def answer(play: Play, scene: Scene, mine: Action | None) -> list[Happened]:
    """One question answered by all who are asked; the reader's part is `mine`."""
    told: list[Happened] = []
    for seat in play.waiting:
        is_mine = seat == READER and mine is not None
        action = mine if is_mine else other_choice(play, scene, seat)
        assert action is not None
        told += decide(play, seat, action)
    return told + deal(play, Random(f"{scene.seed} {len(play.shuffles)}"))


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
    told: list[Happened] = []
    for action in actions:
        told = answer(play, scene, action)
        while play.waiting and READER not in play.waiting:
            told += answer(play, scene, None)
    return play, told


def suggested(game_id: str, scene: Scene) -> list[Action]:
    numbers = {move: action for action, move in game_called(game_id).NOTATION.items()}
    return [numbers[move] for move in scene.moves]


# -- Telling it ---------------------------------------------------------------------------------


def welcome(game_id: str, scene: Scene, actions: Sequence[Action], language: str) -> Json:
    """As a table's socket would begin (docs/wire.md), so that a client shows it like any table."""
    play, told = tried(game_id, scene, actions)
    game, names = play.game, reader_and_others(scene, language)
    telling = Telling(game, voice(language), names)
    view = Sight(play, told, telling, None).to(READER)
    table = {
        "id": f"{game_id} {scene.rule}",
        "game": game_id,
        "title": game.TITLE,
        "options": dict(play.options),
        "basis": play.deck.basis,
        "deck": play.deck.as_json(),
        "card_names": {str(card): name for card, name in game.CARD_NAMES.items()},
        "clock": None,
        "coach": False,
        "memory_aid": False,
        "practice": True,
        "listed": False,
        "spectators": False,
        "stand_in": "easy",
    }
    lobby = {"status": "playing", "host": READER, "spectators": 0, "rematch": None}
    return {
        "type": "welcome",
        "version": VERSION,
        "seat": READER,
        "language": language,
        "table": table,
        "lobby": {**lobby, "seats": [seat_shown(seat, name) for seat, name in enumerate(names)]},
        "fair": DEALT_BY_SEED,
        "phrases": [],
        "chat": [],
        "view": view,
        "left": None,
        "result": None,
    }


def reader_and_others(scene: Scene, language: str) -> list[str]:
    return [voice(language).say("server.rulebook.reader"), *OTHERS[: scene.seats - 1]]


def seat_shown(seat: Seat, name: str) -> Json:
    kind, level = ("person", None) if seat == READER else ("bot", "easy")
    known = {"seat": seat, "kind": kind, "name": name, "level": level}
    here = {"connected": True, "stand_in": False, "sent_away": False}
    return {**known, **here, "muted": False, "reserved_for": None}


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
        "deck_note": deck_note(game, load_deck(game.DECK_FILES), language),
        "options": [{"name": name, "text": text} for name, text in page.options],
        "sections": [
            {
                "heading": heading,
                "rules": [{"id": rule, "name": name, "text": text} for rule, name, text in told],
            }
            for heading, told in page.sections
        ],
        "lessons": speaker.sentences["lessons"][game_id],  # for the first game, by the moment
        "scenes": [
            {
                "rule": scene.rule,
                "name": speaker.rule(scene.rule)[0],
                "moves": suggested(game_id, scene),
            }
            for scene in SCENES[game_id]
        ],
    }


# -- Over HTTP ----------------------------------------------------------------------------------

Rule = Annotated[str, Path(min_length=1, max_length=10)]
Moves = Annotated[list[int] | None, Query(max_length=MOST_MOVES)]


def router() -> APIRouter:
    api = APIRouter(prefix="/api/rules", responses=REFUSALS)

    @api.get("/{game}", summary="The rules of a game for reading, and its scenes")
    def read(request: Request, game: GameId, lang: Language = None) -> Json:  # noqa: ARG001
        return rules(game, language_of(request.scope))

    @api.get("/{game}/{rule}", summary="A position to try a rule on, after the moves made there")
    def scene(
        request: Request,
        game: GameId,
        rule: Rule,
        move: Moves = None,
        lang: Language = None,  # noqa: ARG001
    ) -> Json:
        found = next((one for one in SCENES[game] if one.rule == rule), None)
        if found is None:
            raise HTTPException(404)
        return welcome(game, found, move or [], language_of(request.scope))

    return api
