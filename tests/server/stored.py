"""Games put straight into a store, as a server would have left them: too long, or too many, for a test to play."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import apsw
import psycopg

from bullpen import fair
from bullpen.game import complete_options
from bullpen.games import GAMES
from bullpen.server.dealing import Dealer
from bullpen.server.header import Header, SeatTaken
from bullpen.server.house import ID_LENGTH, ID_LETTERS
from bullpen.server.play import MOVE, SHUFFLE, Play, new_play
from bullpen.server.store import (
    FINISHED,
    PLAYING,
    NewEvent,
    Result,
    open_store,
    token_hash,
)
from bullpen.server.store.chain import canonical, chained, first_hash, header_hash
from bullpen.server.store.sqlite import path_of


@dataclass
class Told:
    """A table, and all that went into its game so far."""

    table: str
    header: Header
    play: Play
    events: list[NewEvent] = field(default_factory=list)

    def deal(self) -> None:
        dealer = Dealer(self.table, self.header)
        while cards := self.play.game.to_shuffle(self.play.table):
            shuffled = dealer.shuffled(cards, len(self.play.shuffles))
            self.play.shuffle(shuffled)
            self.events.append(NewEvent(None, None, SHUFFLE, {"cards": shuffled}))

    def play_to_the_end(self, rng: Random) -> None:
        while not self.play.is_over:
            seat = self.play.waiting[0]
            number, action = self.play.numbers[seat], rng.choice(self.play.offers(seat))
            self.play.move(seat, number, action, "program")
            self.play.settle()
            self.events.append(NewEvent(seat, number, MOVE, {"action": action, "by": "program"}))
            self.deal()


def dealt(table: str, game: str, seats: int, **options: Any) -> Told:
    """A table of programs with their first cards; without shares in the deal."""
    secret, rules = secrets.token_bytes(32), GAMES[game]
    header = Header(
        game=game,
        rules_version=rules.RULES,
        options=complete_options(rules, seats, options),
        seats=[SeatTaken(kind="program", name=f"P{seat}") for seat in range(seats)],
        scheme=fair.SCHEME,
        secret=secret.hex(),
        commitment=fair.commitment(secret),
        state=PLAYING,
    )
    told = Told(table, header, new_play(rules, seats, header.options, header.cards()))
    told.deal()
    return told


def an_id(number: int) -> str:
    """That of a table, always the same for a number."""
    letters = ""
    for _ in range(ID_LENGTH):
        number, letter = divmod(number, len(ID_LETTERS))
        letters = ID_LETTERS[letter] + letters
    return letters


# -- One long game --------------------------------------------------------------------------------


async def finished_in(url: str, told: Told) -> None:
    """Stored as it was played, with its result."""
    game, play = told.play.game, told.play
    scores, winners = game.scores(play.table), game.winners(play.table)
    results = [
        Result(seat, name, None, scores[seat], seat in winners)
        for seat, name in enumerate(told.header.names)
    ]
    result = {"scores": scores, "winners": winners}
    final = told.header.model_copy(update={"state": FINISHED, "result": result})
    store = await open_store(url)
    await store.create(told.table, told.header.game, told.header.model_dump())
    await store.append(told.table, 1, told.events)
    await store.finish(told.table, final.model_dump(), final.game, results)
    await store.close()


# -- Very many ------------------------------------------------------------------------------------

COLUMNS = {
    "game_table": "id, kind, state, header, header_hash, last_seq, last_hash, owner, epoch, created, touched",
    "event": "table_id, seq, seat, decision, kind, payload, time, hash",
    "token": "hash, table_id, seat, kind, name, created",
}
Rows = dict[str, list[Sequence[Any]]]  # by the database's table


def token_of(table: str, seat: int) -> str:
    return f"of seat {seat} at {table}"


async def many_in(url: str, tables: Iterable[str], touched: Sequence[float]) -> None:
    """Two programs at each of these tables, all with the same cards; since then nobody has been there."""
    await (await open_store(url)).close()
    told, rows = dealt("", "six-nimmt", 2), Rows({name: [] for name in COLUMNS})
    header, game = canonical(told.header.model_dump()), told.header.game
    for table, then in zip(tables, touched, strict=True):
        events = list(chained(table, first_hash(table), 1, told.events, then))
        hashed = header_hash(table, game, PLAYING, header)
        head = (len(events), events[-1][-1], "", 1, then, then)
        rows["game_table"].append((table, game, PLAYING, header, hashed, *head))
        rows["event"] += events
        rows["token"] += (
            (token_hash(token_of(table, seat)), table, seat, "session", name, then)
            for seat, name in enumerate(told.header.names)
        )
    write = written_to_postgres if url.startswith("postgresql:") else written_to_file
    write(url, rows)


def written_to_file(url: str, rows: Rows) -> None:
    with contextlib.closing(apsw.Connection(str(path_of(url)))) as file, file:
        for name, columns in COLUMNS.items():
            marks = ", ".join("?" * len(columns.split(",")))
            file.executemany(f"INSERT INTO {name} ({columns}) VALUES ({marks})", rows[name])


def written_to_postgres(url: str, rows: Rows) -> None:
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        for name, columns in COLUMNS.items():
            with cursor.copy(f"COPY {name} ({columns}) FROM STDIN".encode()) as copy:
                for row in rows[name]:
                    copy.write_row(row)
