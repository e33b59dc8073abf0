"""Servers that begin where their imports are done: one process has made them, and forks for each.

Importing the server takes a second of processor time, and tests start hundreds of them.  A fork is a process like any
other: it has its own environment, folder and log, it is killed, stopped and waited for.  What is about the start itself,
or about modules that are missing, is started `anew`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Protocol

ROOT = Path(__file__).parent.parent.parent
LENGTH = struct.Struct("!I")
# What Python, or who counts the lines that it runs, looks at once, when it starts.
READ_AT_THE_START = ("PYTHON", "COVERAGE_PROCESS", "LD_")


class Process(Protocol):
    """As much of subprocess.Popen as servers need."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...


Start = Callable[[str, dict[str, str], BinaryIO], Process]  # of code, in an environment, to a log


def anew(code: str, environment: dict[str, str], log: BinaryIO) -> Process:
    """By a Python of its own."""
    command = [sys.executable, "-c", code]
    return subprocess.Popen(command, env=environment, stderr=log, stdout=log)


def forked(code: str, environment: dict[str, str], log: BinaryIO) -> Process:
    """By a fork, where that makes no difference but in time."""
    if not hasattr(os, "pidfd_open") or starts_otherwise(environment):
        return anew(code, environment, log)
    return Forked(mother(), code, environment, log)


def starts_otherwise(environment: dict[str, str]) -> bool:
    """Than the Python that forks: it was started in the environment of the tests."""
    names = {*environment, *os.environ}
    return any(
        name.startswith("COVERAGE_PROCESS") or environment.get(name) != os.environ.get(name)
        for name in names
        if name.startswith(READ_AT_THE_START)
    )


# -- In the process of the tests ----------------------------------------------------------------


class Mother:
    """The process that forks; one for each process of tests.  Its forks are its children: only it can tell how they ended."""

    def __init__(self) -> None:
        self.door, other = socket.socketpair()
        self.in_use = threading.Lock()
        with other:
            command = [sys.executable, "-m", __name__, str(other.fileno())]
            self.process = subprocess.Popen(command, pass_fds=[other.fileno()], cwd=ROOT)
        atexit.register(self.end)

    def ask(self, handles: list[int], **question: Any) -> Any:
        with self.in_use:
            send(self.door, question, handles)
            answer = receive(self.door)
        assert answer is not None, "the process that forks for servers has died"
        return answer[0]["answer"]

    def end(self) -> None:
        self.door.close()
        self.process.wait()


@cache
def mother() -> Mother:
    return Mother()


class Forked:
    def __init__(
        self, mother: Mother, code: str, environment: dict[str, str], log: BinaryIO
    ) -> None:
        self.mother, self.returncode = mother, None
        self.pid: int = mother.ask(
            [log.fileno()], code=code, environment=environment, folder=str(Path.cwd())
        )

    returncode: int | None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self.mother.ask([], ended=self.pid)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.poll() is None:
            handle = os.pidfd_open(self.pid)  # its pid stays its own until somebody has asked
            try:
                ready, _, _ = select.select([handle], [], [], timeout)
            finally:
                os.close(handle)
            if not ready:
                raise subprocess.TimeoutExpired(f"fork {self.pid}", timeout or 0)
        ended = self.poll()
        assert ended is not None
        return ended

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)


# -- What they say to each other ----------------------------------------------------------------


def send(door: socket.socket, message: dict[str, Any], handles: list[int]) -> None:
    text = json.dumps(message).encode()
    socket.send_fds(door, [LENGTH.pack(len(text))], handles)
    door.sendall(text)


def receive(door: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """None where nobody is there any more."""
    head, handles, _, _ = socket.recv_fds(door, LENGTH.size, 1)
    if not head:
        return None
    (length,) = LENGTH.unpack(head)
    text = door.recv(length, socket.MSG_WAITALL)
    return json.loads(text), handles


# -- In the process that forks ------------------------------------------------------------------

ENDED: dict[int, int] = {}  # forks, and with which code


def code_of_next_server(door: socket.socket) -> str:
    """Returns in forks alone, which have become what was asked for."""
    while asked := receive(door):
        question, handles = asked
        if "ended" in question:
            answer = exit_code(question["ended"])
        else:
            answer = os.fork()
            ENDED.pop(answer, None)  # of an earlier process with this number
            if answer == 0:
                door.close()
                become(question, *handles)
                return str(question["code"])
            os.close(*handles)
        send(door, {"answer": answer}, [])
    sys.exit()


def exit_code(pid: int) -> int | None:
    if pid not in ENDED:  # the system tells once only
        ended, status = os.waitpid(pid, os.WNOHANG)
        if not ended:
            return None
        ENDED[pid] = os.waitstatus_to_exitcode(status)
    return ENDED[pid]


def become(question: dict[str, Any], log: int) -> None:
    """What a process is given when it starts, and what its Python makes of it."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    os.chdir(question["folder"])
    os.environ.clear()
    os.environ.update(question["environment"])
    time.tzset()
    random.seed()
    sys.argv[:], sys.path[0] = ["-c"], ""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def import_all() -> None:
    """All that a server imports by the time somebody can connect, also where it does so late."""
    import uvloop  # noqa: F401

    import bullpen.server.serving
    import bullpen.server.store.postgres
    import bullpen.server.store.sqlite  # noqa: F401


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, which then leave us
    import_all()
    gc.freeze()  # what is shared stays shared
    exec(code_of_next_server(socket.socket(fileno=int(sys.argv[1]))), {"__name__": "__main__"})
