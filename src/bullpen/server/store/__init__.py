"""Where served tables are kept: acknowledged means on disk.

`Store` (contract.py) is what a server sees of it; `header["state"]` says whether a table lives.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from urllib.parse import quote

from bullpen.cards import Problem
from bullpen.server.store.contract import (
    ABANDONED,
    CHAT_KEPT,
    FINISHED,
    LOBBY,
    OPENING,
    PLAYING,
    ChatLine,
    Conflict,
    Damage,
    Event,
    GivenUp,
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
from bullpen.server.store.players import AtTable, Before, Played, Player
from bullpen.server.store.sharing import ALL, Share, keeper_of

POSTGRES = ("postgresql://", "postgres://")

__all__ = [
    "ABANDONED",
    "ALL",
    "CHAT_KEPT",
    "FINISHED",
    "LOBBY",
    "OPENING",
    "PLAYING",
    "AtTable",
    "Before",
    "ChatLine",
    "Conflict",
    "Damage",
    "Event",
    "GivenUp",
    "Json",
    "Key",
    "NewEvent",
    "NoSuchTable",
    "NotOwner",
    "Played",
    "Player",
    "Result",
    "Share",
    "Standing",
    "Store",
    "StoreUnavailable",
    "TableDamaged",
    "keeper_of",
    "new_token",
    "open_store",
    "served_alone",
    "shared_out",
    "token_hash",
    "url_of",
]


def url_of(named: str) -> str:
    """A store as somebody names it: by its address, or, of a SQLite file, by its plain path."""
    path = Path(named)
    is_path = "://" not in named and (path.suffix or len(path.parts) > 1 or path.is_file())
    if not is_path or named.startswith(("sqlite:", "postgres")):
        return named
    return f"sqlite:///{quote(path.as_posix(), safe='/:')}"


async def open_store(url: str, *, owner: str | None = None, share: Share = ALL) -> Store:
    """`sqlite:///folder/file.db` (relative), `sqlite:////folder/file.db` or `postgresql://…`.

    `owner` names this process to people who look into the database; it need not be unique.  `share`: one of
    several processes on this database that divide the tables among them; on a SQLite file they are started
    within `shared_out`.
    """
    import asyncio
    from secrets import token_hex

    from bullpen.server.store.database import opened, troubles_told
    from bullpen.server.store.sql_store import Keeper, SqlStore

    if not url.startswith(("sqlite:///", *POSTGRES)):
        raise Problem("store_url", url=url)
    database = await asyncio.to_thread(opened, url)
    # On a file the successor of a killed process has its id, and takes over its tables at once.
    server = token_hex(8) if url.startswith(POSTGRES) else f"{share.number} of {share.of}"
    with troubles_told():
        store = SqlStore(database, Keeper(server, owner or ""), share)
    await store.enter()
    return store


def served_alone(url: str) -> AbstractContextManager[None]:
    """For as long as a server runs, whether in one process or in several: on a SQLite file there is only one."""
    from bullpen.server.store import sqlite

    return sqlite.served_alone(url) if is_file(url) else nullcontext()


def shared_out(url: str) -> AbstractContextManager[None]:
    """For the process that starts several others on one database: around them, within `served_alone`."""
    from bullpen.server.store import sqlite
    from bullpen.server.store.database import opened

    opened(url)
    return sqlite.shared_out(url) if is_file(url) else nullcontext()


def is_file(url: str) -> bool:
    from bullpen.server.store import sqlite

    return url.startswith("sqlite:///") and bool(sqlite.path_of(url).name)
