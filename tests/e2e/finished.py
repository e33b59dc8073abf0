"""Games that are over, for the pages that look back at them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

import httpx

from tests.server.running import people, play_together, started_table

T = TypeVar("T")
QUICK: dict[str, dict[str, Any]] = {
    "six-nimmt": {"rounds": 2, "deck": "tactical"},
    "x-nimmt": {"rounds": 1},
    "eleven-nimmt": {"rounds": 1},
}
GAMES = ("hornochsen", "eleven-nimmt", "x-nimmt", "baron-oxx", "bullenparty", "six-nimmt")


def beside(work: Callable[[], T]) -> T:
    """Playwright keeps this thread's event loop for itself."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(work).result()


@cache
def finished(url: str, game: str) -> str:
    """The table of a game that two programs have played to its end; one for all tests."""

    def play() -> str:
        table, tokens = started_table(url, game, people(2), options=QUICK.get(game, {}))
        asyncio.run(play_together(url, table, tokens))
        return table

    return beside(play)


def replay_of(url: str, table: str, **query: Any) -> Any:
    return httpx.get(f"{url}/api/tables/{table}/replay", params=query).json()
