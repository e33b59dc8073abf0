"""Several processes behind one port: each keeps the tables of its share, and a connection goes to whoever keeps the
table that it asks for.

Whichever process accepts a connection reads the head of its first request.  Where the table in its path belongs to
another process, the connection itself is handed over, with what was read: from then on only that process has it.  So a
table's people are all in the process that keeps it, and no message of a game ever passes through a second one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from select import select
from typing import Any, NamedTuple

from bullpen.cards import Problem
from bullpen.server.settings import Settings
from bullpen.server.store import Share, keeper_of, served_alone, shared_out
from bullpen.server.transport import LONGEST_HEAD

log = logging.getLogger("bullpen.workers")

# A table, or a game and a size: who looks for a quick match of one kind is brought to one process.
TABLE_IN_PATH = re.compile(rb"[A-Z]+ /api/(?:tables/([a-z0-9]+)[/? ]|quick/([a-z0-9-]+/\d+)[? ])")
LONGEST_HANDED = 3 * LONGEST_HEAD  # bytes: a head, and a body that came along with it
LOOK_SECONDS = 0.5  # until a start looks whether all are alive
STOP_SECONDS = 20.0  # that a process has to end
SHORT_LIFE, MOST_SHORT_LIVES = 5.0, 5  # seconds; after so many in a row it is no accident


class Family(NamedTuple):
    """What a process knows of the others: by number, where to hand a connection over."""

    share: Share
    doors: Sequence[socket.socket]
    own_door: socket.socket


class Handing:
    """Hands connections over to the process that keeps their table."""

    def __init__(self, family: Family) -> None:
        self.family = family

    def keeper(self, head: bytes) -> int | None:
        """The process that a request is for, where it is not this one."""
        found = TABLE_IN_PATH.match(head)
        if found is None:
            return None
        keeper = keeper_of((found[1] or found[2]).decode(), self.family.share.of)
        return None if keeper == self.family.share.number else keeper

    def takes(self, head: bytes, transport: asyncio.Transport) -> bool:
        keeper = self.keeper(head)
        if keeper is None or len(head) > LONGEST_HANDED or transport.get_write_buffer_size():
            return False
        handle = transport.get_extra_info("socket").fileno()
        try:
            socket.send_fds(self.family.doors[keeper], [head], [handle])
        except (BlockingIOError, OSError) as error:
            log.warning("not handed over", extra={"to": keeper, "reason": str(error)})
            return False
        return True

    def listen(self, receive: Callable[[socket.socket, bytes], None]) -> None:
        """Connections that others hand over to this process."""
        own = self.family.own_door

        def handed() -> None:
            with suppress(BlockingIOError):
                head, handles, _, _ = socket.recv_fds(own, LONGEST_HANDED, 1)
                for handle in handles:
                    keep_to_oneself(handle)
                    receive(socket.socket(fileno=handle), head)

        asyncio.get_running_loop().add_reader(own.fileno(), handed)


def keep_to_oneself(*handles: int) -> None:
    """A thinking process that is started later would have them too, and a connection that we close would stay open:
    its client would not notice."""
    for handle in handles:
        os.set_inheritable(handle, False)  # noqa: FBT003


# -- A process of several -----------------------------------------------------------------------


def main() -> None:
    """Started by `run_several` with what it needs as JSON."""
    from bullpen.server.serving import run_one

    given: dict[str, Any] = json.loads(sys.argv[1])
    settings = Settings(**{**given["settings"], **tuples(given["settings"])})
    keep_to_oneself(*given["doors"], given["own_door"], given["listening"])
    doors = [socket.socket(fileno=handle) for handle in given["doors"]]
    own = socket.socket(fileno=given["own_door"])
    family = Family(Share(*given["share"]), doors, own)
    listening = socket.socket(fileno=given["listening"])
    end_with(given["life"])

    def tell(_port: int) -> None:
        os.write(given["ready"], b".")

    try:
        run_one(settings, tuple(given["worker"]), tell, listening, family)
    except Problem as problem:
        log.error("not started", extra={"reason": problem.key, **problem.facts})
        raise SystemExit(1) from None


def tuples(settings: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) for name, value in settings.items() if isinstance(value, list)}


def end_with(life: int) -> None:
    """When whoever started us is gone, however it ended, so are we: a thread waits for the end of a pipe."""
    from threading import Thread

    def wait() -> None:
        os.read(life, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=wait, name="life", daemon=True).start()


# -- The process that starts them ---------------------------------------------------------------


class Several:
    """Starts the processes, starts one again that has died, and ends them all."""

    def __init__(
        self, settings: Settings, worker: tuple[str, ...], listening: socket.socket, metrics: str
    ) -> None:
        self.settings, self.worker, self.listening = settings, worker, listening
        self.metrics = metrics  # a folder
        self.pairs = [
            socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(settings.workers)
        ]
        for pair in self.pairs:
            for end in pair:
                end.settimeout(0)
        self.life = os.pipe()
        self.ready = os.pipe()
        self.running: dict[int, subprocess.Popen[bytes]] = {}  # by number
        self.begun: dict[int, float] = {}
        self.short_lives = 0
        self.is_stopping = False

    def start(self, number: int) -> None:
        doors, own = [pair[0].fileno() for pair in self.pairs], self.pairs[number][1].fileno()
        each = max(1, self.settings.thinkers // self.settings.workers)
        given = {
            "settings": asdict(replace(self.settings, thinkers=each)),
            "worker": self.worker,
            "share": [number, self.settings.workers],
            "listening": self.listening.fileno(),
            "doors": doors,
            "own_door": own,
            "life": self.life[0],
            "ready": self.ready[1],
        }
        handles = [self.listening.fileno(), *doors, own, self.life[0], self.ready[1]]
        words = [sys.executable, "-m", "bullpen.server.workers", json.dumps(given)]
        environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": self.metrics}
        self.running[number] = subprocess.Popen(  # noqa: S603 — ourselves
            words, pass_fds=handles, env=environment
        )
        self.begun[number] = time.monotonic()

    def start_all(self) -> None:
        for number in range(self.settings.workers):
            self.start(number)
        missing = self.settings.workers
        while missing:
            if select([self.ready[0]], [], [], LOOK_SECONDS)[0]:
                missing -= len(os.read(self.ready[0], missing))
            elif any(process.poll() is not None for process in self.running.values()):
                raise Problem("workers_failed")

    def watch(self) -> int:
        """Until we are told to stop; the exit code."""
        while not self.is_stopping:
            pid, status = os.waitpid(-1, 0)
            number = next((n for n, one in self.running.items() if one.pid == pid), None)
            if number is None or self.is_stopping:
                continue
            self.running[number].returncode = os.waitstatus_to_exitcode(status)
            log.error("worker died", extra={"worker": number, "code": status})
            if not self.may_start_again(number):
                self.stop()
                return 1
            self.start(number)
        return 0

    def may_start_again(self, number: int) -> bool:
        lived = time.monotonic() - self.begun[number]
        self.short_lives = self.short_lives + 1 if lived < SHORT_LIFE else 0
        return self.short_lives < MOST_SHORT_LIVES

    def stop(self) -> None:
        self.is_stopping = True
        for process in self.running.values():
            if process.poll() is None:
                process.terminate()
        until = time.monotonic() + STOP_SECONDS
        for process in self.running.values():
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def stopped_by_signals(several: Several) -> Iterator[None]:
    def on_signal(_signal: int, _frame: object) -> None:
        several.is_stopping = True
        raise InterruptedError

    before = {name: signal.signal(name, on_signal) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    except InterruptedError:
        pass
    finally:
        for name in before:
            signal.signal(name, signal.SIG_IGN)  # once is enough
        several.stop()
        for name, handler in before.items():
            signal.signal(name, handler)


def run_several(
    settings: Settings,
    worker: tuple[str, ...],
    tell: Callable[[int], None],
    listening: socket.socket,
) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="bullpen-metrics-") as metrics,
        served_alone(settings.db),
        shared_out(settings.db),
    ):
        several = Several(settings, worker, listening, metrics)
        code = 0
        with stopped_by_signals(several):
            several.start_all()
            port = listening.getsockname()[1]
            log.info("several serve", extra={"workers": settings.workers, "port": port})
            tell(port)
            code = several.watch()
    log.info("stopped")
    if code:
        raise SystemExit(code)


if __name__ == "__main__":
    main()
