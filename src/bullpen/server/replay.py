"""A finished game for everybody to look at: all cards open, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bullpen.game import Seat
from bullpen.record import as_record, record_text
from bullpen.server import messages
from bullpen.server.dealing import fairness_of
from bullpen.server.header import Header
from bullpen.server.play import Made, Play, as_match
from bullpen.server.retelling import turns_again
from bullpen.server.room import Room
from bullpen.server.sight import Happened, Telling, places_shown
from bullpen.text import voice

Json = dict[str, Any]


def replay(room: Room, language: str, seat: Seat | None = None, you: Seat | None = None) -> Json:
    """With a seat: as that seat saw it.  Told to whoever sat at `you`, or to nobody in particular."""
    telling = Telling(room.game, voice(language), room.header.names)
    return {
        "table": messages.table(room),
        "players": messages.lobby(room)["seats"],
        "you": you,
        "result": messages.result(room, seat if you is None else you, language),
        "turns": list(turns(room, telling, seat, you)),
    }


def turns(
    room: Room, telling: Telling, seat: Seat | None = None, you: Seat | None = None
) -> Iterator[Json]:
    assert room.play is not None
    for play, decisions, happenings in turns_again(room.play):
        yield turn(play, decisions, happenings, telling, seat, you)


def turn(
    play: Play,
    decisions: list[Made],
    happenings: list[Happened],
    telling: Telling,
    seat: Seat | None,
    you: Seat | None,
) -> Json:
    game, table = play.game, play.table
    offers = telling.offers([one.action for one in decisions])
    if seat is None:
        # Everything is told openly now: a seat sees its own side of an event.
        texts = [step["text"] for step in telling.steps(happenings, you, play.options)]
        steps = [
            telling.worded(one, one.event, (one.event or {}).get("seat")) | {"text": text}
            for one, text in zip(happenings, texts, strict=True)
        ]
        places = {name: list(table.lying[place]) for name, place in play.places.items()}
    else:
        steps = telling.steps(happenings, seat, play.options)
        if you not in (None, seat):  # in whatever chair: “you” is who reads it
            steps = [retold(telling, step, you) for step in steps]
        places = places_shown(play.places, play.view(seat).table.lying)
    return {
        "decisions": [
            {"seat": one.seat, "by": one.by, **offer}
            for one, offer in zip(decisions, offers, strict=True)
        ],
        "steps": steps,
        "phase": game.phase_name(table),
        "places": places,
        "facts": game.facts(table),
        "scores": game.scores(table),
        "rounds": game.rounds(table),
    }


def retold(telling: Telling, step: Json, you: Seat | None) -> Json:
    event = step["event"]
    return step if event is None else {**step, "text": telling.sentence(event, you)}


def labels(room: Room, review: Json, language: str) -> dict[str, str]:
    """Every move that a review names, in words."""
    made = {decision["move"] for decision in review["decisions"]}
    others = {one["move"] for decision in review["decisions"] for one in decision["candidates"]}
    speaker = voice(language)
    return {
        move: speaker.move(room.game, move, room.header.names) for move in sorted(made | others)
    }


def record(room: Room) -> str:
    """As `bullpen verify` checks it: with what is needed to check the deal."""
    assert room.play is not None
    return record_text(recorded(room.id, room.play, room.header))


def recorded(table: str, play: Play, header: Header) -> Json:
    match = as_match(play, header.names)
    if header.commitment is not None:
        match.fair = fairness_of(table, header).as_json()
    return as_record(match)


def with_names(review: Json, names: Sequence[str]) -> Json:
    """As they are now: since it was made somebody may have been deleted."""
    seats = [{**one, "name": names[one["seat"]]} for one in review["seats"]]
    return {**review, "players": list(names), "seats": seats}


def worded(review: Json, language: str) -> list[Json]:
    """The decisions of a review, with what each candidate would have done in the reader's language."""
    return [
        one if "means" not in one else with_means(one, one["means"][language])
        for one in review["decisions"]
    ]


def with_means(one: Json, means: dict[str, str]) -> Json:
    candidates = [
        {**candidate, "means": means[candidate["move"]]}
        if means.get(candidate["move"])
        else candidate
        for candidate in one["candidates"]
    ]
    return {
        **{name: fact for name, fact in one.items() if name != "means"},
        "candidates": candidates,
    }
