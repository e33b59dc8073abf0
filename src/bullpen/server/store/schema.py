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
    (
        # How strong players are, by game; see ratings.py.  What was played before is not rated: of it nobody wrote down
        # whether two seats were one person's.
        """CREATE TABLE rating (
            game TEXT NOT NULL,
            player TEXT NOT NULL,
            mu {real} NOT NULL,
            sigma {real} NOT NULL,
            careful {real} NOT NULL,
            games {integer} NOT NULL,
            PRIMARY KEY (game, player)
        ) {kind}""",
        "CREATE INDEX rating_by_place ON rating (game, careful, player)",
        "CREATE INDEX rating_by_player ON rating (player)",
        # Every game that counts, once: without a number as long as it waits.
        """CREATE TABLE rated_game (
            table_id TEXT NOT NULL PRIMARY KEY,
            game TEXT NOT NULL,
            finished {real} NOT NULL,
            contestants TEXT NOT NULL,
            number {integer}
        ) {kind}""",
        "CREATE INDEX rated_game_waiting ON rated_game (finished, table_id) WHERE number IS NULL",
        """CREATE TABLE rating_change (
            table_id TEXT NOT NULL,
            player TEXT NOT NULL,
            game TEXT NOT NULL,
            number {integer} NOT NULL,
            mu_before {real} NOT NULL,
            sigma_before {real} NOT NULL,
            mu {real} NOT NULL,
            sigma {real} NOT NULL,
            why_not TEXT,
            finished {real} NOT NULL,
            PRIMARY KEY (table_id, player)
        ) {kind}""",
        "CREATE INDEX rating_change_by_player ON rating_change (player, game, number)",
        "INSERT INTO meta VALUES ('rated', '0')",
    ),
    (
        # Who has begun which deal of the day; the score stands in the results.  See daily.py.
        """CREATE TABLE daily (
            table_id TEXT NOT NULL PRIMARY KEY,
            day TEXT NOT NULL,
            game TEXT NOT NULL,
            device TEXT,
            network TEXT,
            is_counted {integer} NOT NULL,
            begun {real} NOT NULL
        ) {kind}""",
        "CREATE UNIQUE INDEX daily_by_day ON daily (day, game, device)",
        "CREATE INDEX daily_by_device ON daily (device, day)",
    ),
    (
        # Tables over days: until when each seat has to decide, by the wall clock.  See deadlines.py.
        """CREATE TABLE deadline (
            table_id TEXT NOT NULL,
            seat {integer} NOT NULL,
            decision {integer} NOT NULL,
            due {real},
            notice TEXT NOT NULL,
            stands_in {integer} NOT NULL,
            PRIMARY KEY (table_id, seat)
        ) {kind}""",
        "CREATE INDEX deadline_by_time ON deadline (due) WHERE due IS NOT NULL",
        "CREATE INDEX deadline_open ON deadline (due) WHERE notice = 'open' AND due IS NOT NULL",
        # Where "your turn" is sent to: one address for each device that wants it.  See pushes.py.
        """CREATE TABLE push_subscription (
            device TEXT NOT NULL PRIMARY KEY,
            endpoint TEXT NOT NULL,
            p256dh TEXT NOT NULL,
            auth TEXT NOT NULL,
            created {real} NOT NULL
        ) {kind}""",
        "CREATE UNIQUE INDEX push_subscription_by_endpoint ON push_subscription (endpoint)",
    ),
    (
        # Groups of players, their tables and standings, and their tournaments; see clubs.py and tournaments.py.
        """CREATE TABLE club (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            invite TEXT NOT NULL,
            keeper TEXT NOT NULL,
            created {real} NOT NULL
        ) {kind}""",
        """CREATE TABLE club_member (
            club TEXT NOT NULL,
            number {integer} NOT NULL,
            player TEXT NOT NULL,
            joined {real} NOT NULL,
            PRIMARY KEY (club, number)
        ) {kind}""",
        "CREATE UNIQUE INDEX club_member_by_player ON club_member (player, club)",
        """CREATE TABLE club_table (
            table_id TEXT NOT NULL PRIMARY KEY,
            club TEXT NOT NULL,
            tournament TEXT,
            created {real} NOT NULL,
            finished {real}
        ) {kind}""",
        "CREATE INDEX club_table_by_club ON club_table (club, finished, created)",
        # What a game was worth to each member who played it.
        """CREATE TABLE club_result (
            table_id TEXT NOT NULL,
            player TEXT NOT NULL,
            club TEXT NOT NULL,
            game TEXT NOT NULL,
            place {real} NOT NULL,
            points {real} NOT NULL,
            score {integer} NOT NULL,
            won {integer} NOT NULL,
            finished {real} NOT NULL,
            PRIMARY KEY (table_id, player)
        ) {kind}""",
        "CREATE INDEX club_result_by_club ON club_result (club, finished)",
        "CREATE INDEX club_result_by_player ON club_result (player)",
        """CREATE TABLE tournament (
            id TEXT NOT NULL PRIMARY KEY,
            club TEXT NOT NULL,
            maker TEXT NOT NULL,
            plan TEXT NOT NULL,
            state TEXT NOT NULL,
            round {integer} NOT NULL,
            begun {real} NOT NULL,
            created {real} NOT NULL
        ) {kind}""",
        "CREATE INDEX tournament_by_club ON tournament (club, created)",
        "CREATE INDEX tournament_by_state ON tournament (state)",
        """CREATE TABLE entrant (
            tournament TEXT NOT NULL,
            number {integer} NOT NULL,
            player TEXT,
            name TEXT NOT NULL,
            is_out {integer} NOT NULL,
            PRIMARY KEY (tournament, number)
        ) {kind}""",
        "CREATE INDEX entrant_by_player ON entrant (player)",
        # Where an entrant sits in a round, and what came of it: without points as long as it is played.
        """CREATE TABLE tournament_seat (
            tournament TEXT NOT NULL,
            round {integer} NOT NULL,
            entrant {integer} NOT NULL,
            table_id TEXT,
            number {integer},
            seat {integer},
            place {real},
            points {real},
            score {integer},
            won {integer} NOT NULL,
            PRIMARY KEY (tournament, round, entrant)
        ) {kind}""",
        "CREATE INDEX tournament_seat_by_table ON tournament_seat (table_id)",
    ),
    (
        # How well players decide; see quality.py.  Games that wait to be judged, and who is at it; nobody is named here.
        """CREATE TABLE judging (
            table_id TEXT NOT NULL PRIMARY KEY,
            game TEXT NOT NULL,
            finished {real} NOT NULL,
            taken_by TEXT NOT NULL,
            until {real} NOT NULL,
            tries {integer} NOT NULL
        ) {kind}""",
        """CREATE TABLE judged (
            table_id TEXT NOT NULL,
            player TEXT NOT NULL,
            game TEXT NOT NULL,
            decisions {integer} NOT NULL,
            lost {real} NOT NULL,
            squares {real} NOT NULL,
            finished {real} NOT NULL,
            PRIMARY KEY (table_id, player)
        ) {kind}""",
        "CREATE INDEX judged_by_player ON judged (player, game)",
        """CREATE TABLE quality (
            game TEXT NOT NULL,
            player TEXT NOT NULL,
            games {integer} NOT NULL,
            decisions {integer} NOT NULL,
            lost {real} NOT NULL,
            squares {real} NOT NULL,
            game_squares {real} NOT NULL,
            products {real} NOT NULL,
            lengths {real} NOT NULL,
            PRIMARY KEY (game, player)
        ) {kind}""",
        "CREATE INDEX quality_by_player ON quality (player)",
        # What an operator has decided about somebody, and what players have reported; see decency.py.
        "CREATE TABLE silenced (player TEXT NOT NULL PRIMARY KEY, until {real} NOT NULL) {kind}",
        """CREATE TABLE refused_name (
            player TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (player, name)
        ) {kind}""",
        """CREATE TABLE renamed_device (
            hash TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            since {real} NOT NULL
        ) {kind}""",
        """CREATE TABLE report (
            id TEXT NOT NULL PRIMARY KEY,
            time {real} NOT NULL,
            table_id TEXT NOT NULL,
            seat {integer} NOT NULL,
            about TEXT NOT NULL,
            name TEXT NOT NULL,
            note TEXT NOT NULL,
            lines TEXT NOT NULL,
            device TEXT,
            reporter TEXT
        ) {kind}""",
        "CREATE INDEX report_by_time ON report (time, id)",
        "CREATE INDEX report_by_device ON report (device)",
        "CREATE INDEX report_by_reporter ON report (reporter)",
        # Public keys by which another device becomes a player's, and what is to be signed for it; see passkeys.py.
        """CREATE TABLE passkey (
            credential TEXT NOT NULL PRIMARY KEY,
            player TEXT NOT NULL,
            number {integer} NOT NULL,
            public_key TEXT NOT NULL,
            sign_count {integer} NOT NULL,
            created {real} NOT NULL,
            used {real}
        ) {kind}""",
        "CREATE INDEX passkey_by_player ON passkey (player)",
        # Who has solved which puzzle at the first try, and how many have; see puzzles.py.
        """CREATE TABLE puzzle_try (
            player TEXT NOT NULL,
            game TEXT NOT NULL,
            number {integer} NOT NULL,
            solved {integer} NOT NULL,
            time {real} NOT NULL,
            PRIMARY KEY (player, game, number)
        ) {kind}""",
        """CREATE TABLE puzzle_count (
            game TEXT NOT NULL,
            number {integer} NOT NULL,
            tries {integer} NOT NULL,
            solved {integer} NOT NULL,
            PRIMARY KEY (game, number)
        ) {kind}""",
        """CREATE TABLE passkey_challenge (
            hash TEXT NOT NULL PRIMARY KEY,
            purpose TEXT NOT NULL,
            device TEXT NOT NULL,
            until {real} NOT NULL
        ) {kind}""",
    ),
]
TABLES = (
    *("meta", "game_table", "event", "token", "chat", "result"),
    *("player", "device", "player_code", "former_device", "sitting"),
    *("rating", "rated_game", "rating_change"),
    "daily",
    *("deadline", "push_subscription"),
    *("club", "club_member", "club_table", "club_result"),
    *("tournament", "entrant", "tournament_seat"),
    *("judging", "judged", "quality"),
    *("silenced", "refused_name", "renamed_device", "report"),
    *("passkey", "passkey_challenge"),
    *("puzzle_try", "puzzle_count"),
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
