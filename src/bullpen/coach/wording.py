"""What the coach says: advice for a decision, and what decided a game."""

from __future__ import annotations

from typing import Any

from bullpen.coach.accounts import Account
from bullpen.coach.candidates import Candidate, are_exact
from bullpen.coach.hint import Hint
from bullpen.coach.reasons import Reason, reason
from bullpen.coach.review import Judged, Review, SeatReview
from bullpen.game import Game, View
from bullpen.games import part
from bullpen.phrases import called, phrases
from bullpen.text import Voice

LEVEL = 0.05  # points: what rounds to nothing
NAMED = 4  # moves in one sentence
NEARLY = 0.97  # of all tables
CLEARLY_MORE = 0.5  # heads


def decimal(voice: Voice, number: float, places: int = 1) -> str:
    """With a point or a comma, as the language writes it."""
    return voice.decimal(number, places)


def signed(voice: Voice, number: float) -> str:
    """`+1.2`, `-0.3`, and plain `0.0`."""
    rounded = round(number, 1)
    return ("+" if rounded > 0 else "") + decimal(voice, rounded + 0.0)


def when(voice: Voice, game: Game[Any]) -> str:
    """When the expected result is counted: at the end of the round, of a game without rounds, or after as
    many turns as a playout has."""
    return at_the_end(voice, game, "coach.when")


def until(voice: Voice, game: Game[Any]) -> str:
    """How far playouts go on."""
    return at_the_end(voice, game, "coach.until")


def at_the_end(voice: Voice, game: Game[Any], words: str) -> str:
    turns = getattr(part(game.ID, "twin"), "FORESIGHT", None)
    return voice.say(f"{words}.{'turns' if turns else span(game)}", turns=turns)


def span(game: Game[Any]) -> str:
    has_rounds = any(option.name in ("rounds", "games") for option in game.OPTIONS)
    return "round" if has_rounds else "game"


def lead(voice: Voice, points: float) -> str:
    """`3.2 points ahead of the average of the others`"""
    key = "level" if abs(points) < LEVEL else "ahead" if points > 0 else "behind"
    return voice.say(f"coach.lead.{key}", points=decimal(voice, abs(points)))


# -- Hints ------------------------------------------------------------------------------------


def advice(voice: Voice, game: Game[Any], hint: Hint) -> list[str]:
    """What to play and why, in a few sentences."""
    if not hint.candidates:
        return [voice.say("coach.hint.single", move=voice.typed(hint.best))]
    best = hint.candidates[0]
    facts = {
        "lead": lead(voice, best.lead),
        "error": decimal(voice, best.error),
        "when": when(voice, game),
    }
    if not hint.as_good:
        found = [voice.say("coach.hint.clear", move=voice.typed(best.move), **facts)]
        found.append(voice.say("coach.hint.second", **cost(voice, hint.candidates[1])))
    else:
        equal = [f"`{voice.typed(move)}`" for move in (best.move, *hint.as_good)]
        more = len(equal) - NAMED
        key = "close" if more <= 0 else "close_and_more"
        found = [voice.say(f"coach.hint.{key}", moves=equal[:NAMED], more=more, **facts)]
    worst = hint.candidates[-1]
    if worst.move not in hint.as_good and worst is not hint.candidates[1]:
        found.append(voice.say("coach.hint.worst", **cost(voice, worst)))
    return found


def why(voice: Voice, game: Game[Any], view: View[Any], found: Reason) -> list[str]:
    """What speaks for a move, and against it."""
    said = [taking(voice, found)] if found.takes or found.nothing < 1 or found.heads == 0 else []
    place = called(voice, game, view.table, found.place) if found.place else ""
    if found.place and found.takes and found.there < NEARLY:
        said.append(voice.say("coach.why.cleared", spared=percent(1 - found.there), place=place))
    elif found.place and not found.takes and found.there > 1 - NEARLY:
        said.append(voice.say("coach.why.filled", there=percent(found.there), place=place))
    if found.safe:
        said.append(voice.say("coach.why.keeps", count=found.safe))
    return said


def reasoned(
    voice: Voice, game: Game[Any], view: View[Any], hint: Hint
) -> tuple[list[str], Reason | None]:
    """Why the best one, in sentences and in numbers; nothing, where there was no choice."""
    if not hint.candidates:
        return [], None
    actions = {game.NOTATION[action]: action for action in view.legal}
    found = reason(game, view, actions[hint.best], hint.seed)
    said = exactly(voice, game, hint) + why(voice, game, view, found)
    worthy = (hint.best, *hint.as_good)
    other = next((one.move for one in hint.candidates if one.move not in worthy), None)
    if other is not None and game.best(view.table.options) is min:
        against = reason(game, view, actions[other], hint.seed)
        said += why_not(voice, voice.move(game, other), against, found)
    return said, found


def exactly(voice: Voice, game: Game[Any], hint: Hint) -> list[str]:
    """That this was solved, and how often to take what, where one should not always take the same."""
    if not are_exact(hint.candidates):
        return []
    mixed = [one for one in hint.candidates if one.share]
    if len(mixed) == 1:
        return [voice.say("coach.why.exact")]
    moves = [f"{voice.move(game, one.move)} ({round(100 * (one.share or 0))} %)" for one in mixed]
    return [voice.say("coach.why.exact"), voice.say("coach.why.mixed", moves=moves)]


def taking(voice: Voice, found: Reason) -> str:
    facts = {"tables": found.tables, "nothing": percent(found.nothing)}
    if found.nothing >= NEARLY:
        return voice.say("coach.why.takes_nothing", **facts)
    if found.heads is None:
        return voice.say("coach.why.takes_some", **facts)
    key = "takes" if found.nothing > 1 - NEARLY else "takes_always"
    return voice.say(f"coach.why.{key}", heads=decimal(voice, found.heads), **facts)


def why_not(voice: Voice, move: str, found: Reason, best: Reason) -> list[str]:
    """What speaks against another one, where heads are bad and it is more than chance."""
    if found.heads is None or best.heads is None or found.heads < best.heads + CLEARLY_MORE:
        return []
    return [voice.say("coach.why.instead", move=move, heads=decimal(voice, found.heads))]


def percent(share: float) -> int:
    """As exactly as a few hundred tables tell it."""
    return 5 * round(20 * share)


def cost(voice: Voice, candidate: Candidate) -> dict[str, str]:
    points = decimal(voice, candidate.behind)
    error = decimal(voice, candidate.behind_error)
    return {"move": voice.typed(candidate.move), "points": points, "error": error}


# -- Reviews ----------------------------------------------------------------------------------


def means(voice: Voice, game: Game[Any], one: Judged) -> dict[str, str]:
    """By move, where the grade is not fine: what it would have done, as the offer said then."""
    return {} if one.view is None else phrases(voice, game, one.view)


def verdict(voice: Voice, review: Review, seat: SeatReview) -> list[str]:
    """What decided the game for one seat, in a few sentences."""
    whole = seat.whole
    key = "result" if whole.is_finished else "so_far"
    found = [voice.say(f"coach.verdict.{key}", lead=lead(voice, whole.result))]
    found.append(cause(voice, whole))
    worst = next((one for one in review.decisions if one.number == seat.worst), None)
    if worst is None:
        found.append(voice.say("coach.verdict.no_mistake"))
    else:
        found.append(mistakes(voice, seat, worst))
    return found


def cause(voice: Voice, whole: Account) -> str:
    """Of luck, skill and mistakes, the one that weighed most."""
    parts = {"deal": whole.deal, "play": whole.play, "skill": whole.skill}
    name = max(parts, key=lambda part: abs(parts[part]))
    if whole.result < 0 and whole.lost > abs(parts[name]):
        return voice.say("coach.verdict.lost_most")
    side = "good" if parts[name] >= 0 else "bad"
    return voice.say(f"coach.verdict.{name}_{side}", points=decimal(voice, abs(parts[name])))


def mistakes(voice: Voice, seat: SeatReview, worst: Judged) -> str:
    return voice.say(
        "coach.verdict.mistakes",
        points=decimal(voice, seat.whole.lost),
        error=decimal(voice, seat.whole.lost_error),
        number=worst.number,
        move=voice.typed(worst.move),
        best=voice.typed(worst.best),
        worst=decimal(voice, worst.lost),
    )


def notes(voice: Voice, review: Review) -> list[str]:
    """What one must know about this review: that it is not whole, or shows what is still hidden."""
    found = []
    if not review.is_complete:
        found.append(voice.say("coach.review.interrupted", decisions=len(review.decisions)))
    if not review.match.is_over:
        found.append(voice.say("coach.review.unfinished"))
    if exact := sum(one.is_exact for one in review.decisions):
        found.append(voice.say("coach.review.exact", count=exact))
    return found
