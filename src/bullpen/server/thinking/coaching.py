"""The coach's answers, as a thinking process gives them."""

from __future__ import annotations

from typing import Any

from bullpen.games import game_called
from bullpen.text import voice

Json = dict[str, Any]

HINT_PLAYOUTS, REVIEW_PLAYOUTS = 20_000, 5_000


def hint(question: Json) -> Json:
    from bullpen.coach.hint import hint as advice

    game, view = game_called(question["game"]), question["view"]
    given = advice(game, view, playouts=HINT_PLAYOUTS)
    action = next(action for action in view.legal if game.NOTATION[action] == given.best)
    label = voice(question["language"]).move(game, given.best, question["names"])
    return {"action": action, "message": label, "details": given.as_json()}


def review(question: Json) -> Json:
    from bullpen.coach.review import review as judgement
    from bullpen.server.play import as_match
    from bullpen.server.thinking.writing import finished

    room = finished(question)
    assert room.play is not None
    match = as_match(room.play, room.header.names)
    judged = judgement(match, playouts=REVIEW_PLAYOUTS, jobs=1)
    return {"review": judged.as_json()}
