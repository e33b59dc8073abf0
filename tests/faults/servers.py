"""The servers under test: `bullpen serve`, as anybody starts it, with settings by the environment."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import psutil

from tests.faults.history import RUN, History, now
from tests.ports import HOST, own_port

SETTINGS = {
    "BULLPEN_WARM": "no",
    "BULLPEN_THINKERS": "2",
    "BULLPEN_LOG": "info",
    "BULLPEN_AWAY_SECONDS": "2",
    "BULLPEN_QUALITY_SHARE": "0",
}
THINKING = "bullpen.server.thinking"  # what a thinking process runs
DOWN_SECONDS = (
    3.0  # for which a server that does not answer is not asked again, where there is another
)
SERVING = b'"message": "serving"'  # a line of its log
START_SECONDS, STOP_SECONDS = 60.0, 20.0
FILES = (
    512  # that a server may have open: fewer than usual, so that few connections can use them up
)


class Server:
    """One process, which can be killed, frozen and started again on the same port."""

    def __init__(self, name: str, db: str, folder: Path, history: History, workers: int) -> None:
        self.name, self.folder, self.history = name, folder, history
        self.port = own_port()
        self.environment = {
            **os.environ,
            **SETTINGS,
            "BULLPEN_DB": db,
            "BULLPEN_PORT": str(self.port),
            "BULLPEN_WORKERS": str(workers),
        }
        self.log = folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.served: subprocess.Popen[bytes] | None = None  # the last one that said that it serves
        self.is_frozen = False
        self.down_until = 0.0  # as far as those know who could not reach it
        self.helpers: dict[int, psutil.Process] = {}  # its child processes, also past ones
        self.most_memory = 0.0  # megabytes

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bullpen", "serve"],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        psutil.Process(self.pid).rlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
        # Not straight into a file: a limit on the size of files must not silence the log.
        threading.Thread(target=self._keep_log, args=[self.process], daemon=True).start()

    def _keep_log(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with self.log.open("ab", buffering=0) as log:
            for line in process.stdout:
                log.write(line)
                if SERVING in line:
                    self.served = process

    async def ready(self, seconds: float = START_SECONDS) -> bool:
        """Whether it says in time that it and its store work; where it ends, it is started again.

        It, and not the workers that one killed before has left for a moment."""
        until = now() + seconds
        while now() < until:
            if self.served is self.process and await self.health() == 200:
                return True
            if not self.is_running:
                self.start()
                await asyncio.sleep(0.5)
            await asyncio.sleep(0.05)
        return False

    async def health(self) -> int:
        transport = httpx.AsyncHTTPTransport(local_address="127.2.0.1", verify=False)
        async with httpx.AsyncClient(transport=transport, timeout=3, trust_env=False) as http:
            try:
                status = (await http.get(f"{self.url}/healthz")).status_code
            except httpx.TransportError:
                return 0
        return status

    # -- What is done to it -------------------------------------------------------------------

    def send(self, how: signal.Signals) -> None:
        """To the process that was started; where it has workers, they notice."""
        self.children()
        if self.is_running:
            os.kill(self.pid, how)
        self.is_frozen = how == signal.SIGSTOP

    def send_all(self, how: signal.Signals) -> None:
        """To every process that serves, at once."""
        own = workers(self.children())
        self.send(how)
        for worker in own:
            with contextlib.suppress(psutil.Error):
                worker.send_signal(how)

    async def ended(self, seconds: float = STOP_SECONDS) -> int | None:
        """Its exit code; None: it did not end, and was killed."""
        until = now() + seconds
        while self.is_running and now() < until:
            await asyncio.sleep(0.02)
        if self.is_running:
            self.send(signal.SIGKILL)
            assert self.process is not None
            self.process.wait()
            return None
        return self.process.returncode if self.process else None

    def children(self) -> list[psutil.Process]:
        """Its thinking processes, and its workers where it has some."""
        if not self.is_running:
            return []
        try:
            found = psutil.Process(self.pid).children(recursive=True)
        except psutil.Error:
            return []
        self.helpers.update({child.pid: child for child in found})
        return found

    def weigh(self) -> float:
        """Megabytes of the process that serves and needs most; those that think have a limit of their own."""
        try:
            server = psutil.Process(self.pid)
            weight = max(one.memory_info().rss for one in [server, *workers(self.children())])
        except (psutil.Error, AssertionError):
            return 0.0
        megabytes: float = weight / 2**20
        self.most_memory = max(self.most_memory, megabytes)
        return megabytes

    def survivors(self) -> list[int]:
        """Helpers that have outlived their server."""
        own = {child.pid for child in self.children()}
        return [pid for pid, one in self.helpers.items() if pid not in own and is_alive(one)]


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def is_thinker(process: psutil.Process) -> bool:
    try:
        return any(word.startswith(THINKING) for word in process.cmdline())
    except psutil.Error:
        return False


def thinkers(children: list[psutil.Process]) -> list[psutil.Process]:
    return [child for child in children if is_thinker(child)]


def workers(children: list[psutil.Process]) -> list[psutil.Process]:
    return [child for child in children if not is_thinker(child)]


class Fleet:
    """All servers on one store."""

    def __init__(self, servers: list[Server], history: History) -> None:
        self.servers, self.history = servers, history
        self._turns = itertools.count()

    async def start(self) -> None:
        for server in self.servers:  # one after the other: the first one makes the store
            server.start()
            if not await server.ready():
                raise RuntimeError(f"{server.name} does not start: see {server.log}")

    def next_server(self) -> int:
        return next(self._turns) % len(self.servers)

    async def stop(self) -> None:
        """In order; who does not stop is killed, and that is told."""
        for server in self.servers:
            if server.is_frozen:
                server.send_all(signal.SIGCONT)
            server.send(signal.SIGTERM)
        for server in self.servers:
            code = await server.ended()
            self.history.note(RUN, "stopped", server=server.name, code=code)
        await asyncio.sleep(0.5)
        for server in self.servers:
            self.history.note(RUN, "survivors", server=server.name, pids=server.survivors())
            for pid in server.survivors():
                server.helpers[pid].kill()

    def kill(self) -> None:
        for server in self.servers:
            server.children()
            for one in (
                *server.helpers.values(),
                *([psutil.Process(server.pid)] if server.is_running else []),
            ):
                if is_alive(one):
                    one.kill()


class Way:
    """Which server the people of a table speak with: always the same one, and while it cannot be reached another,
    as behind a proxy that goes by the table."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet, self.home = fleet, fleet.next_server()

    @property
    def url(self) -> str:
        servers = self.fleet.servers
        in_order = servers[self.home :] + servers[: self.home]
        return next((one for one in in_order if one.down_until < now()), in_order[0]).url

    def failed(self, url: str) -> None:
        """It did not answer."""
        for server in self.fleet.servers:
            if server.url == url:
                server.down_until = now() + DOWN_SECONDS
