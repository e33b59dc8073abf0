"""The coach's answers, as a thinking process gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bullpen.game import Game, View
from bullpen.games import game_called
from bullpen.languages import LANGUAGES
from bullpen.phrases import phrases
from bullpen.text import Voice, voice

if TYPE_CHECKING:
    from bullpen.coach.hint import Hint

Json = dict[str, Any]

PLAYOUTS = 5_000  # of a judgement, in a hint and in a review alike: what is advised now must not be blamed later


def hint(question: Json) -> Json:
    from bullpen.coach.hint import hint as advice

    game, view = game_called(question["game"]), question["view"]
    given = advice(game, view, playouts=PLAYOUTS)
    action = next(action for action in view.legal if game.NOTATION[action] == given.best)
    spoken = voice(question["language"])
    label = spoken.move(game, given.best, question["names"])
    return {"action": action, "message": label, "details": explained(spoken, view, given)}


def explained(spoken: Voice, view: View[Any], given: Hint) -> Json:
    """The hint, with what each candidate would do in words where there is something to say."""
    from bullpen.coach import wording

    game = game_called(given.game)
    means = phrases(spoken, game, view)
    details = given.as_json()
    for candidate in details["candidates"]:
        if said := means[candidate["move"]]:
            candidate["means"] = said
    why, found = wording.reasoned(spoken, game, view, given)
    if found is not None:
        details |= {"why": why, "reason": found.as_json()}
    return details


def review(question: Json) -> Json:
    from bullpen.coach.review import review as judgement
    from bullpen.server.play import as_match
    from bullpen.server.thinking.writing import table_of

    room = table_of(question)
    assert room.play is not None
    match = as_match(room.play, room.header.names)
    judged = judgement(match, playouts=PLAYOUTS, jobs=1)
    found = judged.as_json()
    for one, shown in zip(judged.decisions, found["decisions"], strict=True):
        if one.view is not None:
            shown["means"] = in_every_language(match.game, one.view)
    return {"review": found}


def puzzle(question: Json) -> Json:
    from bullpen.coach.puzzles import puzzles_of, verdict

    game = game_called(question["game"])
    known = puzzles_of(game)[question["number"] - 1]
    return {"said": verdict(voice(question["language"]), game, known, question["move"])}


def in_every_language(game: Game[Any], view: View[Any]) -> dict[str, dict[str, str]]:
    """What each move would have done: a review is made once, for readers of all languages."""
    return {language: phrases(voice(language), game, view) for language in LANGUAGES}
