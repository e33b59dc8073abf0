"""The lease of a process on its tables, let run out when a test says so: a machine that stands still for a moment must
not end one that is renewed."""

from __future__ import annotations

import asyncio
from typing import Any

from bullpen.server.store.claims import LEASE_SECONDS
from tests.patience import LOOKS_EVERY, PATIENCE
from tests.store.stories import look

BEATS = 100  # of a lease, which is as long as always
MOMENT = 0.1  # seconds


async def end_of(store: Any) -> float:
    asked = "SELECT until FROM server WHERE id = ?"
    ((until,),) = await look(store, lambda connection: connection.run(asked, store.claims.server))
    return float(until)


async def has_renewed(store: Any) -> None:
    """By itself, since this was asked."""
    before = await end_of(store)
    async with asyncio.timeout(PATIENCE):
        while await end_of(store) <= before:
            await asyncio.sleep(LOOKS_EVERY)


async def fall_silent(store: Any) -> None:
    """As a process that hangs: its lease runs out in a moment."""
    store.beating.cancel()
    store.claims.lease = MOMENT
    await store._renew()


async def come_back(store: Any) -> None:
    store.claims.lease = LEASE_SECONDS
    await store.probe()
