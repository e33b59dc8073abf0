"""`bullpen people`: an operator finds players of a server, reads reports, renames, silences and deletes.

Nothing secret is shown: no device, no token, no code.  A server that runs meanwhile hears of it within seconds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bullpen.cards import Problem
from bullpen.text import Voice

if TYPE_CHECKING:  # needs packages that playing does not
    from bullpen.server.store.connection import Connection
    from bullpen.server.store.decency import Report

T = TypeVar("T")
Told = Iterator[str]
HOUR = 3600.0
MOST_HOURS = 24 * 366 * 10.0
FOUND_AT_MOST = 50
TABLES_SHOWN = 20
VERBS = ("find", "show", "rename", "silence", "delete", "reports", "close")


class Wish(NamedTuple):
    verb: str
    who: str | None  # a name to find, the id of a player or of a report
    name: str | None  # a new one
    hours: float | None
    is_sure: bool


def hours(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= MOST_HOURS:
        raise Problem("people_hours", value=text)
    return number


def people(voice: Voice, url: str, wish: Wish) -> int:
    from bullpen.server.store.backup import existing
    from bullpen.server.store.database import connected, opened

    if wish.verb not in VERBS:
        raise Problem("people_what", what=wish.verb, known=", ".join(VERBS))
    if wish.who is None and wish.verb != "reports":
        raise Problem("people_who", what=wish.verb)
    existing(url)
    with connected(lambda: opened(url).connect_writer("people")) as connection:
        # All of it is made before anything is printed: what is told stands.
        for line in committed(connection, lambda c: [*DONE[wish.verb](voice, c, wish)]):
            print(line)
    return 0


def committed(connection: Connection, work: Callable[[Connection], T]) -> T:
    connection.begin()
    try:
        done = work(connection)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return done


def day_of(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


# -- Looking ------------------------------------------------------------------------------------


def find(voice: Voice, connection: Connection, wish: Wish) -> Told:
    """By a part of the name, as a glance would see it."""
    from bullpen.server.names import looks

    wanted = looks(str(wish.who))
    rows = connection.run("SELECT id, name, created FROM player ORDER BY created DESC, id")
    found = [
        row
        for row in rows
        if any(part in look for look in looks(row[1]) for part in wanted if part)
    ]
    for player, name, created in found[:FOUND_AT_MOST]:
        yield f"{player}  {name}  {day_of(created)[:10]}"
    if not found:
        yield voice.say("people.nobody", name=wish.who)
    elif len(found) > FOUND_AT_MOST:
        yield voice.say("people.more", count=len(found) - FOUND_AT_MOST)


def known(connection: Connection, wish: Wish) -> tuple[str, str, str, float]:
    """Id, name, language and since when."""
    sql = "SELECT id, name, language, created FROM player WHERE id = ?"
    for row in connection.run(sql, wish.who):
        return row[0], row[1], row[2], row[3]
    raise Problem("people_unknown", player=wish.who)


def devices_of(connection: Connection, player: str) -> list[str]:
    return [one for (one,) in connection.run("SELECT hash FROM device WHERE player = ?", player)]


def show(voice: Voice, connection: Connection, wish: Wish) -> Told:
    from bullpen.server.store import conduct, decency

    player, name, language, created = known(connection, wish)
    devices = devices_of(connection, player)
    yield f"{player}  {name}"
    facts = {"day": day_of(created)[:10], "language": language, "devices": len(devices)}
    yield voice.say("people.since", **facts)
    for row in tables_of(connection, player):
        yield voice.say("people.at_table", table=row[0], game=row[1], state=row[2])
    ((played,),) = connection.run(
        "SELECT COUNT(*) FROM result JOIN device ON device.hash = result.device WHERE player = ?",
        player,
    )
    yield voice.say("people.played", games=played)
    if until := conduct.silenced_until(connection, player):
        yield voice.say("people.is_silenced", until=day_of(until))
    for one in decency.reports(connection, devices):
        yield from report_lines(voice, one)


def tables_of(connection: Connection, player: str) -> list[tuple[Any, ...]]:
    return connection.run(
        "SELECT DISTINCT game_table.id, kind, state, touched FROM sitting"
        " JOIN device ON device.hash = sitting.device JOIN game_table ON game_table.id = table_id"
        " WHERE player = ? ORDER BY touched DESC LIMIT ?",
        *(player, TABLES_SHOWN),
    )


def reports(voice: Voice, connection: Connection, _: Wish) -> Told:
    from bullpen.server.store import decency

    found = decency.reports(connection)
    for one in found:
        yield from report_lines(voice, one)
        for player, name in connection.run(
            "SELECT player.id, player.name FROM device JOIN player ON player.id = device.player"
            " WHERE hash = ?",
            one.device or "",
        ):
            yield f"  = {player}  {name}"
    if not found:
        yield voice.say("people.no_reports")


def report_lines(voice: Voice, one: Report) -> Told:
    said = voice.say(f"people.report_{one.about}", name=one.name)
    yield f"{one.id}  {day_of(one.time)}  {one.table}  {said}"
    if one.note:
        yield f"  {voice.say('people.note', note=one.note)}"
    for line in one.lines:
        yield f"  | {line['name']}: {line['text']}"


# -- Deciding -----------------------------------------------------------------------------------


def rename(voice: Voice, connection: Connection, wish: Wish) -> Told:
    from bullpen.server.names import tidy_name
    from bullpen.server.store import decency

    if not wish.name:
        raise Problem("people_name")
    player, before, *_ = known(connection, wish)
    name = tidy_name(wish.name)
    if name != before:
        decency.rename(connection, player, name)
    yield voice.say("people.renamed", before=before, name=name)


def silence(voice: Voice, connection: Connection, wish: Wish) -> Told:
    from bullpen.server.store import conduct

    player, name, *_ = known(connection, wish)
    if wish.hours is None:
        raise Problem("people_how_long")
    until = time.time() + HOUR * wish.hours
    conduct.silence(connection, player, until if wish.hours else 0.0)
    if wish.hours:
        yield voice.say("people.silenced", name=name, until=day_of(until))
    else:
        yield voice.say("people.speaks", name=name)


def delete(voice: Voice, connection: Connection, wish: Wish) -> Told:
    """What is left at tables is taken away by a server, now or when one is started."""
    from bullpen.server.store import players
    from bullpen.text import voice as voice_of

    player, name, language, _ = known(connection, wish)
    if not wish.is_sure:
        yield voice.say("people.would_delete", name=name)
        return
    former = voice_of(language).say("server.former_player")
    devices = devices_of(connection, player)
    if devices:
        players.made_former(connection, devices[0], former)
        players.forget_results(connection, dict.fromkeys(devices, former))
    yield voice.say("people.deleted", name=name)


def close(voice: Voice, connection: Connection, wish: Wish) -> Told:
    from bullpen.server.store import decency

    if not decency.closed(connection, str(wish.who)):
        raise Problem("people_no_report", report=wish.who)
    yield voice.say("people.closed", report=wish.who)


DONE: dict[str, Callable[[Voice, Connection, Wish], Told]] = {
    "find": find,
    "show": show,
    "rename": rename,
    "silence": silence,
    "delete": delete,
    "reports": reports,
    "close": close,
}
