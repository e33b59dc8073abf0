"""The tables, and how they have changed: forward only, and never without a backup."""

from __future__ import annotations

import time
from collections.abc import Callable

from bullpen.cards import Problem
from bullpen.server.store.connection import Connection, Corrupt
from bullpen.server.store.sitting import sit_all_down

Step = (
    str | Callable[[Connection], None]
)  # a statement, or what no statement of both databases can do

# Each entry leads from one version to the next.  What stands here is never changed, only added to.
MIGRATIONS: list[tuple[Step, ...]] = [
    (
        "CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) {kind}",
        """CREATE TABLE game_table (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            header TEXT NOT NULL,
            header_hash TEXT NOT NULL,
            last_seq {integer} NOT NULL,
            last_hash TEXT NOT NULL,
            owner TEXT NOT NULL,
            epoch {integer} NOT NULL,
            created {real} NOT NULL,
            touched {real} NOT NULL,
            finished {real}
        ) {kind}""",
        "CREATE INDEX game_table_by_state ON game_table (state, created)",
        "CREATE INDEX game_table_by_finish ON game_table (finished, id)",
        """CREATE TABLE event (
            table_id TEXT NOT NULL,
            seq {integer} NOT NULL,
            seat {integer},
            decision {integer},
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            time {real} NOT NULL,
            hash TEXT NOT NULL,
            PRIMARY KEY (table_id, seq),
            UNIQUE (table_id, seat, decision)
        ) {kind}""",
        """CREATE TABLE token (
            hash TEXT NOT NULL PRIMARY KEY,
            table_id TEXT NOT NULL,
            seat {integer},
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            created {real} NOT NULL,
            exchanged {real}
        ) {kind}""",
        "CREATE INDEX token_by_table ON token (table_id)",
        """CREATE TABLE chat (
            table_id TEXT NOT NULL,
            number {integer} NOT NULL,
            seat {integer},
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            time {real} NOT NULL,
            PRIMARY KEY (table_id, number)
        ) {kind}""",
        """CREATE TABLE result (
            table_id TEXT NOT NULL,
            seat {integer} NOT NULL,
            game TEXT NOT NULL,
            name TEXT NOT NULL,
            device TEXT,
            score {integer} NOT NULL,
            won {integer} NOT NULL,
            finished {real} NOT NULL,
            PRIMARY KEY (table_id, seat)
        ) {kind}""",
        "CREATE INDEX result_by_device ON result (device, game)",
    ),
    (
        # The processes that keep tables: until when the lease of each runs, and its last transaction (SQLite).
        """CREATE TABLE server (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            lock {integer} NOT NULL,
            until {real} NOT NULL,
            mark {integer} NOT NULL
        ) {kind}""",
        "UPDATE game_table SET owner = ''",  # it was a name for people, now it is the id of a server
        "ALTER TABLE game_table ADD COLUMN listed {integer} NOT NULL DEFAULT 0",
        """UPDATE game_table SET listed = 1 WHERE header LIKE '%"listed":true%'""",
        # Whether people have been taken out of it, long after it was over.
        "ALTER TABLE game_table ADD COLUMN pruned {integer} NOT NULL DEFAULT 0",
        "CREATE INDEX game_table_by_listing ON game_table (listed, state, created)",
        "CREATE INDEX game_table_by_touch ON game_table (state, pruned, touched)",
    ),
    (
        # Who comes back: a player has devices, and what is kept of a game names the device it was played on.
        """CREATE TABLE player (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            colour {integer} NOT NULL,
            language TEXT NOT NULL,
            created {real} NOT NULL
        ) {kind}""",
        """CREATE TABLE device (
            hash TEXT NOT NULL PRIMARY KEY,
            player TEXT NOT NULL,
            created {real} NOT NULL
        ) {kind}""",
        "CREATE INDEX device_by_player ON device (player)",
        # By which another device becomes this player's: one of each kind, and until when it is good.
        """CREATE TABLE player_code (
            hash TEXT NOT NULL PRIMARY KEY,
            player TEXT NOT NULL,
            kind TEXT NOT NULL,
            until {real}
        ) {kind}""",
        "CREATE INDEX player_code_by_player ON player_code (player)",
        # Devices of people who were deleted, and what stands in place of their names; see players.py.
        """CREATE TABLE former_device (
            hash TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            since {real} NOT NULL
        ) {kind}""",
        # Which people sit at a table (part 0), or sat there, as its header says: so that a player's tables are found without reading all.
        """CREATE TABLE sitting (
            table_id TEXT NOT NULL,
            seat {integer} NOT NULL,
            part {integer} NOT NULL,
            device TEXT,
            is_living {integer} NOT NULL,
            PRIMARY KEY (table_id, seat, part)
        ) {kind}""",
        "CREATE INDEX sitting_by_device ON sitting (device, is_living)",
        sit_all_down,
        "CREATE INDEX result_by_finish ON result (device, finished, table_id)",
    ),
]
TABLES = (
    *("meta", "game_table", "event", "token", "chat", "result"),
    *("player", "device", "player_code", "former_device", "sitting"),
)
OF_PROCESSES = "server"  # is of no use in a copy


def version_of(connection: Connection) -> int:
    """0: nothing is there yet."""
    if not connection.has("meta"):
        return 0
    found = connection.run("SELECT value FROM meta WHERE name = 'schema'")
    if len(found) != 1 or not str(found[0][0]).isdecimal() or not int(found[0][0]):
        raise Corrupt("meta")
    return int(found[0][0])


def refuse_newer(version: int) -> None:
    if version > len(MIGRATIONS):
        raise Problem("store_newer", found=version, known=len(MIGRATIONS))


def migrate(connection: Connection, start: int, end: int) -> None:
    """Within a transaction of the caller."""
    for statements in MIGRATIONS[start:end]:
        for step in statements:
            if callable(step):
                step(connection)
            else:
                connection.run(step.format(**connection.dialect))
    if start == 0:
        connection.run("INSERT INTO meta VALUES ('schema', '0')")
        connection.run("INSERT INTO meta VALUES ('created', ?)", str(int(time.time())))
    connection.run("UPDATE meta SET value = ? WHERE name = 'schema'", str(end))


def prepare(connection: Connection, back_up: Callable[[int], None]) -> None:
    """Bring the schema up to date.  `back_up` is called before anything that is there is changed."""
    from bullpen import __version__

    version = version_of(connection)
    refuse_newer(version)
    if 0 < version < len(MIGRATIONS):
        back_up(version)
    connection.begin()
    try:
        connection.alone()
        version = version_of(connection)  # another process may have been quicker
        refuse_newer(version)
        if version < len(MIGRATIONS):
            migrate(connection, version, len(MIGRATIONS))
        if connection.run("SELECT value FROM meta WHERE name = 'rules'") != [(__version__,)]:
            connection.run("DELETE FROM meta WHERE name = 'rules'")
            connection.run("INSERT INTO meta VALUES ('rules', ?)", __version__)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
