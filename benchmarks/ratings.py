"""How quickly leaderboards and histories answer where many have played for long: `python -m benchmarks ratings`.

A SQLite store with 100,000 rated players and 1,000,000 finished games of two, made here; then each question again and again,
about somebody else each time, with the statements that a server asks.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from bullpen.server.players import PAGE
from bullpen.server.ratings import HISTORY, PLACES
from bullpen.server.store import ratings
from bullpen.server.store.connection import Connection
from bullpen.server.store.database import opened
from bullpen.server.store.players import Before, devices_of, played

PLAYERS, GAMES = 100_000, 1_000_000
GAME = "six-nimmt"
TIMES = 1000
SEED = 18
MOST_MS = 20.0

# One row for each number; ids as random as real ones, and the same every time.
NUMBERS = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {of})"
ID = "printf('%016x', {i} * 2654435761 % 4294967296 * 1000003)"
PLAYER, TABLE = ID.format(i="({i} + 7)"), ID.format(i="({i} + 7777777)")
WHO = "((i * {step} + i / {players}) % {players})"  # everybody about as often, in another order each time
MADE = (
    "INSERT INTO player SELECT {player}, 'Player ' || i, i % 6, 'en', i FROM n",
    "INSERT INTO device SELECT 'd' || i, {player}, i FROM n",
    """INSERT INTO rating SELECT '{game}', {player}, 25 + (i * 7919 % 2000 - 1000) / 100.0, 1.5 + i % 60 / 10.0,
        25 + (i * 7919 % 2000 - 1000) / 100.0 - 2 * (1.5 + i % 60 / 10.0), 1 + i % 300 FROM n""",
)
PLAYED = (
    "INSERT INTO rated_game SELECT {table}, '{game}', i * 30.0, '', i + 1 FROM n",
    """INSERT INTO result SELECT {table}, {seat}, '{game}', 'Player ' || {who}, 'd' || {who}, i % 66, {seat}, i * 30.0
        FROM n""",
    """INSERT INTO rating_change SELECT {table}, {of_who}, '{game}', i + 1, 25, 2, 25.1, 2, NULL, i * 30.0 FROM n""",
)


class Measured(NamedTuple):
    what: str
    median: float  # milliseconds
    p99: float
    worst: float
    p99_busy: float  # of the processor's time, which other work on the machine does not change


def lines(folder: Path | None = None) -> Iterator[str]:
    yield ""
    yield f"### Ratings: {PLAYERS:,} players, {GAMES:,} games, on SQLite"
    yield ""
    with tempfile.TemporaryDirectory() as made:
        path = (folder or Path(made)) / "ratings.db"
        begun = time.perf_counter()
        connection = opened(f"sqlite:///{path}").connect()
        fill(connection)
        size, seconds = path.stat().st_size / 1e6, time.perf_counter() - begun
        yield f"Made in {seconds:.0f} s, {size:,.0f} MB. {TIMES:,} questions of each kind; at most {MOST_MS:.0f} ms are wanted for 99 of 100. Machine load {os.getloadavg()[0]:.1f}, niceness {os.nice(0)}."
        yield ""
        yield "| question | median, ms | p99, ms | worst, ms | p99 of processor time, ms |"
        yield "|---|---:|---:|---:|---:|"
        for one in measured(connection):
            yield f"| {one.what} | {one.median:.2f} | {one.p99:.2f} | {one.worst:.2f} | {one.p99_busy:.2f} |"
        connection.close()


def fill(connection: Connection) -> None:
    facts = {"game": GAME, "players": PLAYERS, "player": PLAYER.format(i="i")}
    connection.begin()
    for statement in MADE:
        run(connection, statement, PLAYERS, **facts)
    run(connection, PLAYED[0], GAMES, table=TABLE.format(i="i"), game=GAME)
    for seat, step in ((0, 17), (1, 31)):
        who = WHO.format(step=step, players=PLAYERS)
        if seat:  # nobody sits beside themselves
            who = f"(CASE WHEN {who} = {WHO.format(step=17, players=PLAYERS)} THEN ({who} + 1) % {PLAYERS} ELSE {who} END)"
        for statement in PLAYED[1:]:
            run(
                connection,
                statement,
                GAMES,
                table=TABLE.format(i="i"),
                game=GAME,
                seat=seat,
                who=who,
                of_who=PLAYER.format(i=who),
            )
    connection.commit()
    connection.run("PRAGMA wal_checkpoint(TRUNCATE)")


def run(connection: Connection, statement: str, of: int, **facts: object) -> None:
    insert, _, select = statement.format(**facts).partition(" SELECT ")
    connection.run(f"{insert} {NUMBERS.format(of=of)} SELECT {select}")


def measured(connection: Connection) -> Iterator[Measured]:
    chance = Random(SEED)
    last = PLAYERS - PLACES
    marks = ratings.marked(connection, GAME)  # as a server does it in the background

    def somebody() -> str:
        return f"d{chance.randrange(PLAYERS)}"

    def page(first: int) -> None:
        found = ratings.page(connection, GAME, first, PLACES, somebody(), marks)
        assert len(found) == PLACES

    def own_place() -> None:
        (own,) = ratings.ratings_of(connection, somebody())
        ratings.standing(connection, own, marks)

    def finished(before: Before | None) -> None:
        device = somebody()
        games = played(connection, devices_of(connection, device), None, before, PAGE + 1)
        assert games
        ratings.changes(connection, device, [one.table for one in games])

    asked: list[tuple[str, Callable[[], object]]] = [
        ("leaderboard, first page", lambda: page(1)),
        ("leaderboard, any page", lambda: page(1 + chance.randrange(last))),
        ("leaderboard, last page", lambda: page(last)),
        ("own rating and place", own_place),
        (
            "own changes, the last hundred",
            lambda: ratings.history(connection, somebody(), GAME, HISTORY),
        ),
        ("own finished games, first page", lambda: finished(None)),
        ("own finished games, from the middle", lambda: finished(Before(GAMES * 15.0, ""))),
    ]
    for what, ask in asked:
        found = [timed(connection, ask) for _ in range(TIMES)]
        times, busy = sorted(one[0] for one in found), sorted(one[1] for one in found)
        late = TIMES * 99 // 100
        yield Measured(what, times[TIMES // 2], times[late], times[-1], busy[late])


def timed(connection: Connection, ask: Callable[[], object]) -> tuple[float, float]:
    """By the clock, and of the processor."""
    begun, busy = time.perf_counter(), time.thread_time()
    connection.begin(reading=True)
    ask()
    connection.rollback()
    return 1000 * (time.perf_counter() - begun), 1000 * (time.thread_time() - busy)
