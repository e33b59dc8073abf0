"""What is kept of somebody's conduct, for who is told of it, deleted, or turns out to be another's: see decency.py."""

from __future__ import annotations

import time

from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import Json

EACH = "(SELECT value ->> 0 FROM {each})"


def silenced_until(connection: Connection, player: str) -> float:
    found = connection.run("SELECT until FROM silenced WHERE player = ?", player)
    return float(found[0][0]) if found and found[0][0] > time.time() else 0.0


def refused_names(connection: Connection, player: str) -> list[str]:
    sql = "SELECT name FROM refused_name WHERE player = ? ORDER BY name"
    return [name for (name,) in connection.run(sql, player)]


def silence(connection: Connection, player: str, until: float) -> None:
    """Until then; a time that is past gives the voice back."""
    connection.run("DELETE FROM silenced WHERE player = ?", player)
    if until > time.time():
        connection.run("INSERT INTO silenced VALUES (?, ?)", player, until)


# -- Players that go ----------------------------------------------------------------------------


def data_of(connection: Connection, player: str, devices: str) -> Json:
    """Of reports about somebody how many there are: they are others' words."""
    names = "time, table_id, seat, about, name, note"
    sql = f"SELECT {names} FROM report WHERE reporter IN {EACH} ORDER BY time"  # noqa: S608
    made = connection.run(sql.format(**connection.dialect), devices)
    about = f"SELECT COUNT(*) FROM report WHERE device IN {EACH}"  # noqa: S608
    ((count,),) = connection.run(about.format(**connection.dialect), devices)
    return {
        "silenced_until": silenced_until(connection, player) or None,
        "refused_names": refused_names(connection, player),
        "reports": [dict(zip(names.split(", "), row, strict=True)) for row in made],
        "reports_about_you": count,
    }


def take_away(connection: Connection, player: str) -> None:
    """Before their devices go."""
    own = "(SELECT hash FROM device WHERE player = ?)"
    connection.run(f"DELETE FROM report WHERE device IN {own}", player)  # noqa: S608
    connection.run(f"UPDATE report SET reporter = NULL WHERE reporter IN {own}", player)  # noqa: S608
    connection.run(f"DELETE FROM renamed_device WHERE hash IN {own}", player)  # noqa: S608
    connection.run("DELETE FROM silenced WHERE player = ?", player)
    connection.run("DELETE FROM refused_name WHERE player = ?", player)


def hand_over(connection: Connection, before: str, player: str) -> None:
    """Two players turn out to be one: nobody gets rid of anything by that."""
    both = connection.run("SELECT MAX(until) FROM silenced WHERE player IN (?, ?)", before, player)
    if both[0][0] is not None:
        silence(connection, player, both[0][0])
    connection.run(
        "INSERT INTO refused_name SELECT ?, name FROM refused_name WHERE player = ?"
        " ON CONFLICT (player, name) DO NOTHING",
        *(player, before),
    )
