"""Small stories that the tests of the store share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from bullpen.server.store import (
    Damage,
    Event,
    NewEvent,
    Result,
    Store,
    events,
    open_store,
    tables,
)
from bullpen.server.store.connection import Connection
from bullpen.server.store.contract import LIVING
from bullpen.server.store.sql_store import SqlStore

P = ParamSpec("P")
T = TypeVar("T")


def in_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Runs a test that waits."""

    @wraps(test)
    def run(*words: P.args, **named: P.kwargs) -> None:
        async def waited() -> None:
            await test(*words, **named)

        asyncio.run(waited())

    return run


@asynccontextmanager
async def a_store(url: str, owner: str | None = None) -> AsyncIterator[Store]:
    store = await open_store(url, owner=owner)
    try:
        yield store
    finally:
        await store.close()


async def a_table(store: Store, table: str = "alpha", events: int = 0) -> str:
    """A table being played, with so many moves."""
    await store.create(table, "game", {"state": "playing", "game": "x-nimmt", "seats": 2})
    if events:
        await store.append(table, 1, [move(n) for n in range(1, events + 1)])
    return table


def move(decision: int, seat: int = 0, text: str = "play 43") -> NewEvent:
    return NewEvent(seat, decision, "move", {"move": text})


def shuffle(*cards: int) -> NewEvent:
    return NewEvent(None, None, "shuffle", {"cards": list(cards)})


def told(events: list[Event]) -> list[NewEvent]:
    """What was given to the store."""
    return [NewEvent(e.seat, e.decision, e.kind, e.payload) for e in events]


# -- What only tests want to know -----------------------------------------------------------------


async def look(store: Store, at: Callable[[Connection], T]) -> T:
    assert isinstance(store, SqlStore)
    return await store._read(at)


async def all_tables(store: Store) -> list[str]:
    return await look(store, tables.all_tables)


async def live_tables(store: Store) -> list[str]:
    headers = {table: await store.header(table) for table in await all_tables(store)}
    return [
        table
        for table, header in headers.items()
        if header is not None and tables.state_of(header) in LIVING
    ]


async def check(store: Store, table: str) -> Damage | None:
    return await look(store, lambda c: events.check(c, table))


async def results(store: Store, table: str) -> list[Result]:
    return await look(store, lambda c: tables.results(c, table))


async def meta(store: Store) -> dict[str, str]:
    return dict(await look(store, lambda c: c.run("SELECT name, value FROM meta")))
