"""Where served tables are kept: acknowledged means on disk.

Beyond the first sketch of this interface there are: `NotOwner`, `NoSuchTable` and `TableDamaged`
(`events` raises it); `claim`, `release`, `delete`, `reap`, `finish`, `results`, `statistics`, tokens,
chat, `changes`, `meta`.  `header["state"]` (contract.LOBBY …) is what `live_tables` goes by; `finished` is
paged by the id of a table.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from bullpen.cards import Problem
from bullpen.server.store.contract import (
    ABANDONED,
    CHAT_KEPT,
    FINISHED,
    LOBBY,
    PLAYING,
    ChatLine,
    Conflict,
    Damage,
    Event,
    Finished,
    Json,
    Key,
    NewEvent,
    NoSuchTable,
    NotOwner,
    Result,
    Standing,
    Store,
    StoreUnavailable,
    TableDamaged,
)
from bullpen.server.store.people import new_token, token_hash

__all__ = [
    "ABANDONED",
    "CHAT_KEPT",
    "FINISHED",
    "LOBBY",
    "PLAYING",
    "ChatLine",
    "Conflict",
    "Damage",
    "Event",
    "Finished",
    "Json",
    "Key",
    "NewEvent",
    "NoSuchTable",
    "NotOwner",
    "Result",
    "Standing",
    "Store",
    "StoreUnavailable",
    "TableDamaged",
    "new_token",
    "open_store",
    "served_alone",
    "token_hash",
]


async def open_store(url: str, *, owner: str | None = None) -> Store:
    """`sqlite:///folder/file.db` (relative), `sqlite:////folder/file.db` or `postgresql://…`.

    `owner` names this process to people who look into the database; it need not be unique.
    """
    import asyncio

    from bullpen.server.store.database import opened, troubles_told
    from bullpen.server.store.kept import KeptStore

    if not url.startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise Problem("store_url", url=url)
    database = await asyncio.to_thread(opened, url)
    with troubles_told():
        return KeptStore(database, owner or "")


def served_alone(url: str) -> AbstractContextManager[None]:
    """For as long as a server runs: on a SQLite file there is only one."""
    from bullpen.server.store import sqlite

    is_file = url.startswith("sqlite:///") and sqlite.path_of(url).name
    return sqlite.served_alone(url) if is_file else nullcontext()
