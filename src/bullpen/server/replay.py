"""A finished game for everybody to look at: all cards open, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from bullpen.game import Seat
from bullpen.record import as_record, record_text
from bullpen.server import messages
from bullpen.server.dealing import fairness_of
from bullpen.server.facts import facts_of, phase_of
from bullpen.server.header import Header
from bullpen.server.play import Made, Play, as_match, new_play
from bullpen.server.room import Room
from bullpen.server.sight import Happened, Telling, happened, places_shown
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
    """The game once more, from its shuffles and decisions."""
    assert room.play is not None
    game, shuffles = room.game, iter(room.play.shuffles)
    play = new_play(game, room.play.seats, room.options, room.deck)

    def dealt() -> list[Happened]:
        told: list[Happened] = []
        while game.to_shuffle(play.table):
            before = play.table
            told += happened(game, before, play.shuffle(next(shuffles)))
        return told

    yield turn(play, [], dealt(), telling, seat, you)
    for _, together in groupby(room.play.made, key=attrgetter("moment")):
        moment = list(together)
        told: list[Happened] = []
        for one in moment:
            before = play.table
            events = play.move(one.seat, play.numbers[one.seat], one.action, one.by)
            told += happened(game, before, events)
        yield turn(play, moment, told + dealt(), telling, seat, you)


def turn(
    play: Play,
    decisions: list[Made],
    told: list[Happened],
    telling: Telling,
    seat: Seat | None,
    you: Seat | None,
) -> Json:
    game, table = play.game, play.table
    offers = telling.offers([one.action for one in decisions])
    if seat is None:
        # Everything is told openly now: a seat sees its own side of an event.
        steps = [
            telling.steps([one], one.event.get("seat"), play.options)[0]
            | {"text": telling.steps([one], you, play.options)[0]["text"]}
            for one in told
        ]
        places = {name: list(table.lying[place]) for name, place in play.places.items()}
    else:
        steps = telling.steps(told, seat, play.options)
        if you not in (None, seat):  # in whatever chair: “you” is who reads it
            steps = [retold(telling, step, you) for step in steps]
        places = places_shown(play.places, play.view(seat).table.lying)
    return {
        "decisions": [
            {"seat": one.seat, "by": one.by, **offer}
            for one, offer in zip(decisions, offers, strict=True)
        ],
        "steps": steps,
        "phase": phase_of(game, table),
        "places": places,
        "facts": facts_of(game, table),
        "scores": game.scores(table),
        "rounds": game.rounds(table),
    }


def retold(telling: Telling, step: Json, you: Seat | None) -> Json:
    event = step["event"]
    if event["event"] == "deal":
        return step
    return {**step, "text": telling.voice.event(telling.game, event, telling.names, you)}


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
