"""Finished games for everybody to look at: written out by a process of their own, once, and kept as files.

A long game makes megabytes; in the loop everybody else would wait for them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from bullpen.server.budget import Held
from bullpen.server.refused import Refused
from bullpen.server.room import Room
from bullpen.server.thinking.pool import NoAnswer, Pool

log = logging.getLogger("bullpen.archive")

SECONDS = 60.0  # that one may take
MOST_BYTES = 256 * 1024 * 1024  # of all files that are kept
WAITING = 50  # that may be asked for at a time

Names = tuple[str, ...]  # as they are at the table now: whoever is deleted has another one
Wish = tuple[str, str, Names, tuple[tuple[str, Any], ...]]  # table, kind, names, details


class Archive:
    def __init__(self, writers: Pool, by_address: Held) -> None:
        self.writers, self.by_address = writers, by_address
        self.folder: TemporaryDirectory[str] | None = None  # until something is written
        self.files: dict[Wish, Path] = {}  # the one that was asked for last stands last
        self.writing: dict[Wish, asyncio.Task[Path]] = {}
        self.number = 0

    async def file(self, address: str, room: Room, kind: str, **details: Any) -> BinaryIO:
        """Opened before anybody waits again: whatever makes room for others meanwhile, or stops, it can be read."""
        path = await self._path(address, room, kind, details)
        try:
            return path.open("rb")
        except FileNotFoundError:
            raise Refused(503, "not_made") from None  # the server is stopping

    async def _path(self, address: str, room: Room, kind: str, details: Mapping[str, Any]) -> Path:
        """Several who ask for the same wait for the same writing."""
        wish: Wish = (room.id, kind, tuple(room.header.names), tuple(details.items()))
        if path := self.files.pop(wish, None):
            self.files[wish] = path
            return path
        if wish in self.writing:
            return await written(self.writing[wish])
        if len(self.writing) >= WAITING:
            raise Refused(503, "not_made")
        if not self.by_address.takes(address):
            raise Refused(429, "too_much_work", most=self.by_address.most)
        task = self.writing[wish] = asyncio.create_task(self._write(room, wish, details))
        task.add_done_callback(lambda _: self._written(address, wish))
        return await written(task)

    @contextmanager
    def work_for(self, address: str) -> Iterator[None]:
        """Something else that is made of a finished game: it counts like what is written."""
        if not self.by_address.takes(address):
            raise Refused(429, "too_much_work", most=self.by_address.most)
        try:
            yield
        finally:
            self.by_address.give_back(address)

    def _written(self, address: str, wish: Wish) -> None:
        del self.writing[wish]
        self.by_address.give_back(address)

    async def _write(self, room: Room, wish: Wish, details: Mapping[str, Any]) -> Path:
        self.folder = self.folder or TemporaryDirectory(prefix="bullpen-archive-")
        self.number += 1
        path = Path(self.folder.name) / f"{self.number}.json"
        try:
            facts = {**room.written_out(), **details, "path": str(path)}
            await self.writers.ask_persistently(wish[1], SECONDS, **facts)
        except NoAnswer as failure:
            log.error("not written", extra={"table": room.id, "reason": str(failure)})
            raise Refused(503, "not_made") from None
        self.files[wish] = path
        self._drop_old_names(wish)
        self._make_room()
        return path

    def _drop_old_names(self, wish: Wish) -> None:
        for other in [one for one in self.files if one[0] == wish[0] and one[2] != wish[2]]:
            self.files.pop(other).unlink()

    def _make_room(self) -> None:
        while sum(path.stat().st_size for path in self.files.values()) > MOST_BYTES:
            self.files.pop(next(iter(self.files))).unlink()

    def close(self) -> None:
        for task in self.writing.values():
            task.cancel()
        if self.folder:
            self.folder.cleanup()


async def written(task: asyncio.Task[Path]) -> Path:
    """Whoever gives up waiting stops nobody; and a server that stops says so."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise Refused(503, "not_made") from None
        raise
