"""One run on one database: start, load, faults, drain, collect, check."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import orjson

from tests.faults import checker, conduct
from tests.faults.checker import Trouble, sorted_out
from tests.faults.collecting import collect_again
from tests.faults.databases import DATABASES
from tests.faults.episodes import Stage, run_faults
from tests.faults.history import RUN, History, now, read
from tests.faults.parties import Crowd, next_address
from tests.faults.people import Manners
from tests.faults.report import Report
from tests.faults.servers import Fleet, Server, Way
from tests.faults.wire import Desk

TOLD_EVERY = 10.0  # seconds
LAG = 0.25  # seconds that the test itself may stand still unnoticed
DRAIN_SECONDS = 40.0  # for the games under way to come to their end
MANY_PARTIES, FEW_PARTIES = 10, 6

Tell = Callable[[str], None]


class Run:
    def __init__(
        self,
        database: str,
        seconds: float,
        seed: int,
        folder: Path,
        only: Sequence[str],
        tell: Tell,
    ) -> None:
        self.only = only
        self.seconds, self.folder, self.tell, self.begun = seconds, folder, tell, now()
        self.rng = Random(f"{seed} {database}")
        self.history = History(folder / "history")
        self.database: Any = DATABASES[database](folder)
        self.servers = [
            Server(f"server-{number + 1}", self.database.url, folder, self.history, workers)
            for number, workers in enumerate(self.database.servers)
        ]
        self.fleet = Fleet(self.servers, self.history)
        self.report = Report(database, seed, seconds)
        self.report.disk = (
            "its own file system, filled up"
            if self.database.disk
            else "no mount allowed; limit on the size of files"
        )
        self.fault = ""
        self.crowd = Crowd(self.history, self.fleet, self.rng, Manners(), [])

    # -- Running ------------------------------------------------------------------------------

    async def play(self) -> None:
        """Faults until the time is up but for the reserve, then the games under way to their end."""
        reserve = min(30.0, 0.25 * self.seconds)
        await self.fleet.start()
        self.begun = now()
        watching = [asyncio.create_task(one) for one in (self._watch(), self._progress())]
        count = MANY_PARTIES if self.seconds > 60 else FEW_PARTIES
        self.crowd.devices = [await self._device() for _ in range(3)]
        parties = [asyncio.create_task(self.crowd.party(number)) for number in range(count)]
        try:
            until = self.begun + self.seconds - reserve
            pace = min(1.0, self.seconds / 60)
            stage = Stage(self.history, self.fleet, self.database, self.only, until, pace)
            faults = asyncio.create_task(run_faults(stage, self.rng, self._note_fault))
            await self._any_failure(faults, parties)
            self.crowd.closing = True
            self.crowd.manners.hurry()
            self._note_fault("games to their end")
            await self._drain(parties)
            await self._collect_again()
        finally:
            for task in (*parties, *watching):
                task.cancel()
            await asyncio.gather(*parties, *watching, return_exceptions=True)
            await self.fleet.stop()

    async def _any_failure(
        self, faults: asyncio.Task[None], parties: list[asyncio.Task[None]]
    ) -> None:
        """A fault in the test itself ends it at once."""
        await asyncio.wait([faults, *parties], return_when=asyncio.FIRST_COMPLETED)
        for task in (faults, *parties):
            if task.done() and (error := task.exception()):
                raise error
        await faults

    async def _drain(self, parties: list[asyncio.Task[None]]) -> None:
        _, late = await asyncio.wait(parties, timeout=DRAIN_SECONDS)
        for party in late:
            party.cancel()
        for result in await asyncio.gather(*parties, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        for played in self.crowd.tables:
            if played.started and not played.ended:
                why = f"{played.game}, within {DRAIN_SECONDS:.0f} s after the last fault"
                self.history.note(RUN, "did not end", table=played.table, why=why)

    async def _collect_again(self) -> None:
        self.history.note(RUN, "closing time")
        desks = [Desk(self.history, Way(self.fleet), next_address()) for _ in range(4)]
        ended = [played for played in self.crowd.tables if played.ended]
        for number, played in enumerate(ended):
            await collect_again(self.history, desks[number % len(desks)], played.table)
        for device in self.crowd.devices:
            answer = await desks[0].ask("GET", "/api/statistics", device=device)
            self.history.note(RUN, "statistics", device=device, said=answer.body)
        for desk in desks:
            await desk.close()

    async def _device(self) -> str:
        """A browser that has sat down once; nobody starts that table."""
        desk = Desk(self.history, Way(self.fleet), next_address())
        seats = [{"kind": "person"}, {"kind": "bot"}]
        body = {"game": "x-nimmt", "name": "Device", "seats": seats}
        answer = await desk.ask("POST", "/api/tables", body)
        await desk.close()
        return answer.cookies["device"]

    # -- Watching -----------------------------------------------------------------------------

    def _note_fault(self, kind: str) -> None:
        self.fault = kind

    async def _watch(self) -> None:
        """Memory, the room on the disk, and whether this process itself stands still."""
        ticks = 0
        while True:
            before = now()
            await asyncio.sleep(0.1)
            if (late := now() - before - 0.1) > LAG:
                self.history.note(RUN, "lag", seconds=late)
            ticks += 1
            if ticks % 10 == 0:
                self._weigh()

    def _weigh(self) -> None:
        for server in self.servers:
            if server.is_running and not server.is_frozen:
                self.history.note(RUN, "memory", server=server.name, megabytes=server.weigh())
        if self.database.disk:
            self.database.disk.settle()

    async def _progress(self) -> None:
        while True:
            await asyncio.sleep(TOLD_EVERY)
            self.history.flush()
            ended = sum(played.ended for played in self.crowd.tables)
            seconds = now() - self.begun
            tables = f"{len(self.crowd.tables)} tables, {ended} finished"
            self.tell(
                f"{self.report.database} {seconds:4.0f} s: {tables}; now: {self.fault or 'recovering'}"
            )

    # -- Checking -----------------------------------------------------------------------------

    def check(self) -> Report:
        self.history.flush()
        report, folder = self.report, self.history.folder
        lines = read(folder, RUN)
        calendar = conduct.Calendar(lines)
        waits = conduct.Waits(calendar)
        tables = []
        for name in self.history.tables():
            table = sorted_out(name, read(folder, name))
            report.troubles += checker.check(table, report.counts)
            conduct.waits_of_moves(table, waits)
            report.reconnects += sum(line["what"] == "connected" for line in table.lines)
            tables.append(kept_small(table))
        conduct.waits_of_requests(lines, waits)
        report.troubles += [
            *conduct.answers(lines, calendar),
            *conduct.ends(lines),
            *waits.troubles,
        ]
        report.troubles += conduct.statistics(tables, lines)
        report.troubles += conduct.logs([server.log for server in self.servers])
        self._sum_up(lines)
        report.waits = dict(waits.longest)
        report.troubles += self._verified()
        return report

    def _sum_up(self, lines: list[dict[str, Any]]) -> None:
        report = self.report
        report.tables = len(self.crowd.tables)
        report.finished = sum(played.ended for played in self.crowd.tables)
        report.games = Counter(played.game for played in self.crowd.tables if played.ended)
        report.memory = max(server.most_memory for server in self.servers)
        for line in lines:
            if line["what"] == "fault":
                report.faults[line["kind"]] += 1
            elif line["what"] == "commits lost":
                report.commits_lost += line["count"]
            elif line["what"] == "nuisance":
                report.did.update(line["told"])
            elif line["what"] == "http":
                report.answers += 1

    def _verified(self) -> list[Trouble]:
        """By `bullpen verify`, as anybody can."""
        folder, files = self.folder / "records", []
        folder.mkdir(exist_ok=True)
        for played in self.crowd.tables:
            lines = read(self.history.folder, played.table) if played.ended else []
            record = next((line["record"] for line in lines if line["what"] == "record"), None)
            if record:
                files.append(folder / f"{played.table}.json")
                files[-1].write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))
        if not files:
            return []
        words = [sys.executable, "-m", "bullpen", "verify", *(str(file) for file in files)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.report.verified = len(files)
        if done.returncode:
            return [Trouble("a record does not hold", (done.stdout + done.stderr)[-1500:], RUN)]
        return []

    def clean_up(self) -> None:
        self.fleet.kill()
        with contextlib.suppress(Exception):
            self.database.close()


def kept_small(table: checker.Table) -> checker.Table:
    """All that statistics need; the views of hundreds of tables need much memory."""
    begun = [line for line in table.lines if line["what"] == "table"]
    return checker.Table(table.id, begun, results=table.results[:1])


def run(
    database: str, seconds: float, seed: int, folder: Path, only: Sequence[str], tell: Tell
) -> Report:
    """Always a report: what goes wrong in the test itself is found, too."""
    one = Run(database, seconds, seed, folder, only, tell)
    failure = ""
    try:
        try:
            asyncio.run(one.play())
        except Exception:
            failure = traceback.format_exc()
        report = one.check()
        if failure:
            report.troubles.append(Trouble("the run broke off", failure[-3000:]))
        return report
    finally:
        one.clean_up()
