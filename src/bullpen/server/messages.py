"""The messages of docs/wire.md, built as plain dictionaries; wire/server_messages.py has their models."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bullpen.fair import SCHEME
from bullpen.game import Seat
from bullpen.server import seating
from bullpen.server.dealing import fairness_of
from bullpen.server.declared import game_facts
from bullpen.server.sight import Detail, Sight, tally_shown
from bullpen.server.store import FINISHED, LOBBY, OPENING
from bullpen.text import voice

if TYPE_CHECKING:
    from bullpen.server.room import Room

Json = dict[str, Any]
VERSION = 2
INSTEAD = ("stand_in", "clock")  # who decides for somebody who is away, or late
PHRASES = (
    "hello",
    "good_luck",
    "well_played",
    "ouch",
    "thinking",
    "hurry",
    "thanks",
    "good_game",
    "again",
    "bye",
)


def accepted(decision: int, action: int) -> Json:
    return {"type": "accepted", "decision": decision, "action": action, "next": decision + 1}


def refused(decision: int | None, key: str, message: str, rule: str | None) -> Json:
    return {
        "type": "refused",
        "decision": decision,
        "key": key,
        "rule": rule,
        "message": message,
    }


def undo(seat: Seat, state: str, waiting: Sequence[Seat]) -> Json:
    return {"type": "undo", "seat": seat, "state": state, "waiting": list(waiting)}


def error(key: str, language: str, **facts: Any) -> Json:
    return {
        "type": "error",
        "key": key,
        "message": voice(language).say(f"server.errors.{key}", **facts),
    }


def presence(room: Room, seat: Seat) -> Json:
    return {
        "type": "presence",
        "seat": seat,
        "connected": room.here.is_here(seat),
        "stand_in": seat in room.here.stand_ins,
        "left": seat in room.here.left,
    }


# -- The table --------------------------------------------------------------------------------


def lobby(room: Room) -> Json:
    header = room.header
    over = room.play is not None and room.play.is_over
    early = {LOBBY: "waiting", OPENING: "opening"}
    status = early.get(header.state, "over" if over else "playing")
    seats = [
        {
            "seat": seat,
            "kind": taken.kind,
            "name": taken.name,
            "level": taken.level,
            "connected": taken.kind == "bot" or (taken.kind != "open" and room.here.is_here(seat)),
            "stand_in": seat in room.here.stand_ins,
            "left": seat in room.here.left,
            "sent_away": taken.sent_away,
            "muted": taken.muted,
            "reserved_for": taken.kept_for.name if taken.kept_for else None,
        }
        for seat, taken in enumerate(header.seats)
    ]
    return {
        "status": status,
        "host": header.host,
        "seats": seats,
        "spectators": room.here.spectators,
        "rematch": header.rematch,
        "again": sorted(room.again),
        "asking": [
            {"request": one.number, "name": one.name, "seat": one.seat}
            for one in room.asking.open()
        ],
        "talk": header.talk,
    }


def table(room: Room) -> Json:
    header, game = room.header, room.game
    return {
        "id": room.id,
        "game": game.ID,
        "options": header.options,
        "clock": header.clock,
        "coach": header.coach,
        "memory_aid": bool(header.options["memory_aid"]),
        "practice": header.practice is not None,
        "listed": header.listed,
        "spectators": header.spectators,
        "stand_in": header.stand_in,
        "latecomers": header.latecomers,
        "played_on": header.played_on and header.played_on.model_dump(),
        "bots_in": seating.seconds_to_bots(header, room.waited()),
        "daily": header.daily,
        "club": header.club,
        "tournament": header.tournament,
        **game_facts(game, header.options, room.deck),
    }


def table_changed(room: Room, changed: Sequence[str]) -> Json:
    return {"type": "table", "table": table(room), "changed": list(changed), "by": room.header.host}


NO_SHARES: Json = {"commitments": None, "unopened": None, "secret": None, "shares": None}
DEALT_BY_SEED: Json = {"scheme": None, "commitment": None, **NO_SHARES}


def fair(room: Room) -> Json:
    """Commitments from the start on, who has not opened a share from the deal on, the secret and the shares
    when the game is over: with all of them everybody could compute every card."""
    header = room.header
    if header.commitment is None:
        return DEALT_BY_SEED
    shown = {"scheme": header.scheme, "commitment": header.commitment, **NO_SHARES}
    if header.scheme == SCHEME and header.state != LOBBY:
        shown["commitments"] = header.commitments
    if room.play is None:
        return shown
    known = fairness_of(room.id, header).as_json()
    shown["unopened"] = known.get("unopened")
    if room.play.is_over and not header.is_sealed:
        shown |= {"secret": known["secret"], "shares": known.get("shares")}
    return shown


def open_shares(room: Room, seconds: float) -> Json:
    header = room.header
    sealed = {"commitment": header.commitment, "commitments": header.commitments}
    return {"type": "open_shares", **sealed, "seconds": seconds}


def sight(room: Room, language: str) -> Sight:
    assert room.play is not None
    return Sight(room.play, room.last_steps, room.telling(language), room.header.clock)


def view(room: Room, seat: Seat | None, language: str, detail: Detail = "plain") -> Json:
    return sight(room, language).to(seat, room.undo_seat, detail)


def result(room: Room, seat: Seat | None, language: str) -> Json:
    assert room.play is not None
    game, play = room.game, room.play
    scores, winners = game.scores(play.table), game.winners(play.table)
    names = room.header.names
    played_for = Counter(made.seat for made in play.made if made.by in INSTEAD)
    return {
        "type": "result",
        "scores": scores,
        "rounds": game.rounds(play.table),
        "winners": winners,
        "played_for": [played_for[one] for one in range(play.seats)],
        "parts": [parts(room, one) for one in range(play.seats)],
        "text": voice(language).result(game, room.options, scores, winners, names, seat),
        "fair": fair(room),
        "replay": f"/replay/{room.id}",
        "tally": tally_shown(game, game.tally(play.table), voice(language)),
    }


def parts(room: Room, seat: Seat) -> list[Json]:
    """Who made how many decisions of a seat that was taken over; nothing where one played it from the start."""
    assert room.play is not None
    taken = room.header.seats[seat]
    if not taken.earlier:
        return []
    made = [one.by for one in room.play.made if one.seat == seat]
    bounds = [0, *(part.decisions for part in taken.earlier)]
    if taken.earlier[-1].kind == "bot":  # what it had chosen in secret, and its successor let stand
        bounds[-1] += made[bounds[-1] :].count("bot")
    people = [(part.name, part.kind) for part in taken.earlier] + [(taken.name, taken.kind)]
    ends = [*bounds[1:], len(made)]
    return [
        {"name": name, "kind": kind, "decisions": max(0, end - begin)}
        for (name, kind), begin, end in zip(people, bounds, ends, strict=True)
    ]


def phrases(language: str) -> list[Json]:
    say = voice(language).say
    return [{"phrase": phrase, "text": say(f"server.phrases.{phrase}")} for phrase in PHRASES]


def chat_line(line: Json, language: str) -> Json:
    """A phrase is read in the reader's own language."""
    if line["phrase"] is None:
        return line
    return {**line, "text": voice(language).say(f"server.phrases.{line['phrase']}")}


def welcome(room: Room, seat: Seat | None, language: str, detail: Detail = "plain") -> Json:
    playing = room.play is not None
    now = asyncio.get_running_loop().time()
    return {
        "type": "welcome",
        "version": VERSION,
        "seat": seat,
        "language": language,
        "table": table(room),
        "lobby": lobby(room),
        "fair": fair(room),
        "phrases": phrases(language),
        "chat": [chat_line(line, language) for line in room.chat],
        "view": view(room, seat, language, detail) if playing else None,
        "left": None if seat is None else left(room, seat, now),
        "clocks": all_left(room, now),
        "result": result(room, seat, language) if room.header.state == FINISHED else None,
    }


def all_left(room: Room, now: float) -> list[float | None]:
    """By seat: the seconds until its clock runs out; None for whoever has no decision to make."""
    return [left(room, seat, now) for seat in range(len(room.header.seats))]


def left(room: Room, seat: Seat, now: float) -> float | None:
    """An empty chair may have more time, or time where there is no clock: whoever gets this is here."""
    clock, seconds = room.header.clock, room.deadlines.left(seat, now)
    if clock is None or seconds is None:
        return None
    return min(seconds, clock + max(0.0, room.deadlines.animated_until - now))
