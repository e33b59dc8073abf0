"""How long a test waits before it takes something for hung.  That is a limit and never what a test is about: on a busy
machine everything may be late, so no test is quicker to give up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from inspect import signature
from typing import TypeVar

import httpx

T = TypeVar("T")

PATIENCE = 180.0  # seconds
MS = PATIENCE * 1000  # as browsers count
LOOKS_EVERY = 0.02  # seconds: how often it is looked whether something has happened


def until(happens: Callable[[], T], told: Callable[[], object] = str) -> T:
    """Look again and again, until there is something; what there is.  Else what `told` says is shown."""
    given_up = time.monotonic() + PATIENCE
    while not (found := happens()):
        assert time.monotonic() < given_up, told()
        time.sleep(LOOKS_EVERY)
    return found


async def until_soon(happens: Callable[[], T], told: Callable[[], object] = str) -> T:
    """The same while other tasks of this loop go on."""
    given_up = time.monotonic() + PATIENCE
    while not (found := happens()):
        assert time.monotonic() < given_up, told()
        await asyncio.sleep(LOOKS_EVERY)
    return found


def give_httpx_time() -> None:
    """Else its clients give up after five seconds; all of them share this."""
    usual = signature(httpx.Client).parameters["timeout"].default
    usual.connect = usual.read = usual.write = usual.pool = PATIENCE
