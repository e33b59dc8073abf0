"""`bullpen prune`: people are taken out of a server's old games, or the games are deleted."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bullpen.cards import Problem
from bullpen.text import Voice

if TYPE_CHECKING:  # needs packages that playing does not
    from bullpen.server.store.connection import Connection

Told = Iterator[tuple[str, dict[str, Any]]]  # sentences and their facts
DAY = 86_400.0
AT_ONCE = 100  # tables in one transaction


class Wish(NamedTuple):
    older_than: float  # days
    abandon_after: float | None
    how: Literal["blank", "delete"]


def days(flag: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise Problem("prune_days", flag=flag, value=text)
    return number


def prune(voice: Voice, url: str, wish: Wish, do: Literal["do", "tell"]) -> int:
    from bullpen.server.store.backup import existing
    from bullpen.server.store.database import connected, opened

    existing(url)
    with connected(lambda: opened(url).connect_writer("prune")) as connection:
        for key, facts in done(connection, wish) if do == "do" else planned(connection, wish):
            print(voice.say(f"store.{key}", **facts))
    return 0


def times(wish: Wish) -> tuple[float, float]:
    """Before which a table must have been touched last, if it is over and if it is not."""
    now = time.time()
    asleep = now - DAY * wish.abandon_after if wish.abandon_after else 0.0
    return now - DAY * wish.older_than, asleep


def planned(connection: Connection, wish: Wish) -> Told:
    from bullpen.server.store import retention

    due = retention.due(connection, *times(wish), wish.how)
    if wish.abandon_after:
        yield "plan_abandon", {"tables": due.asleep, "days": f"{wish.abandon_after:g}"}
    yield f"plan_{wish.how}", {"tables": due.over, "days": f"{wish.older_than:g}"}
    yield "add_yes", {}


def done(connection: Connection, wish: Wish) -> Told:
    from bullpen.server.header import without_people
    from bullpen.server.store import retention
    from bullpen.server.store.claims import Claims

    claims = Claims("prune", "bullpen prune", 0.0)
    over, asleep = times(wish)
    if wish.abandon_after:
        abandoned = in_portions(connection, lambda c: retention.abandon(c, claims, asleep, AT_ONCE))
        yield "abandoned", {"tables": abandoned}
    pruned = in_portions(
        connection, lambda c: retention.prune(c, over, AT_ONCE, wish.how, without_people)
    )
    yield "blanked" if wish.how == "blank" else "deleted", {"tables": pruned}


def in_portions(connection: Connection, work: Callable[[Connection], list[str]]) -> int:
    """A transaction each: a server that runs meanwhile does not wait for long."""
    count = 0
    while some := committed(connection, work):
        count += len(some)
    return count


def committed(connection: Connection, work: Callable[[Connection], list[str]]) -> list[str]:
    connection.begin()
    try:
        some = work(connection)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return some
