"""Which people sit at which table: rows that follow from the headers, written with them in one transaction."""

from __future__ import annotations

from typing import NamedTuple

from bullpen.game import Seat
from bullpen.server.store.chain import checked_header
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import LIVING, LOBBY, Json

PEOPLE = ("person", "program")
KEPT = -1  # in place of a part: the seat is kept for them


class Sitting(NamedTuple):
    seat: Seat
    part: int  # 0: sits there now; from 1 on: sat there before somebody took it over; or KEPT
    device: str | None  # a program has none


def seated(header: Json) -> list[Sitting]:
    """The seats of people."""
    seats, found = header.get("seats"), list[Sitting]()
    for seat, taken in enumerate(seats if isinstance(seats, list) else ()):
        if not isinstance(taken, dict):
            continue
        if taken.get("kind") in PEOPLE and not taken.get("sent_away"):
            found.append(Sitting(seat, 0, taken.get("device")))
        if device := (taken.get("kept_for") or {}).get("device"):
            found.append(Sitting(seat, KEPT, device))
        for part, earlier in enumerate(taken.get("earlier", ()), start=1):
            if device := earlier.get("device"):
                found.append(Sitting(seat, part, device))
    return found


def name_at(header: Json, seat: Seat, part: int) -> str:
    """Of somebody who sits there, or sat there."""
    taken = header["seats"][seat]
    return str(taken["earlier"][part - 1]["name"] if part > 0 else taken["name"])


def sit_down(connection: Connection, table: str, header: Json) -> None:
    """As this header says, and nobody else."""
    connection.run("DELETE FROM sitting WHERE table_id = ?", table)
    is_living = int(header.get("state", LOBBY) in LIVING)
    for seat, part, device in seated(header):
        living = is_living if part == 0 else 0
        row = (table, seat, part, device, living)
        connection.run("INSERT INTO sitting VALUES (?, ?, ?, ?, ?)", *row)


def sit_all_down(connection: Connection) -> None:
    """Of a store that did not know it yet.  A damaged table is left to itself, as everywhere."""
    for table, *row in connection.run(
        "SELECT id, kind, state, header, header_hash FROM game_table"
    ):
        if (header := checked_header(table, tuple(row))) is not None:
            sit_down(connection, table, header)
