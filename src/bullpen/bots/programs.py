"""A program that runs beside us and answers lines of JSON; see docs/arena.md."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from typing import Any
from weakref import WeakSet

from bullpen.cards import Problem

LONGEST_ANSWER = 100_000  # bytes
SECONDS_TO_END = 1.0  # after `bye`, before the program is stopped
BYE = b'{"type": "bye"}\n'
RUNNING: WeakSet[Program] = WeakSet()


class Program:
    """One running program, from its hello to its end."""

    def __init__(self, spec: str, command: Sequence[str], hello: str) -> None:
        if sys.platform == "win32":  # where one cannot wait for a pipe and for a time at once
            raise Problem("bot_programs_not_here", bot=spec)
        self.spec, self.unread = spec, b""
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 — lives as long as the program
        try:
            # In a session of its own: Ctrl-C is for us, and we end the program then.
            self.process = subprocess.Popen(  # noqa: S603 — the user asked for this command
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,
            )
        except OSError as error:
            self.errors.close()
            raise Problem("bot_not_started", bot=spec, reason=error.strerror) from None
        # Not `atexit`: the workers of a pool end without calling that.
        self.end = Finalize(self, end_program, (self.process, self.errors), exitpriority=10)
        RUNNING.add(self)
        self.send(hello)

    @property
    def is_running(self) -> bool:
        return self.end.still_active()

    def ask(self, question: str, seconds: int) -> str:
        """The move that the program answers; whatever else happens ends the program."""
        try:
            self.send(question)
            return self.move_in(self.line(seconds))
        except BaseException:
            self.end()
            raise

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self.ended() from None

    def line(self, seconds: int) -> bytes:
        assert self.process.stdout is not None
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.unread:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise Problem("bot_too_slow", bot=self.spec, seconds=seconds)
                piece = os.read(self.process.stdout.fileno(), 65536)
                self.unread += piece
                if not piece:
                    raise self.ended()
                if len(self.unread) > LONGEST_ANSWER:
                    raise self.no_answer(self.unread)
        line, _, self.unread = self.unread.partition(b"\n")
        return line

    def move_in(self, line: bytes) -> str:
        with suppress(ValueError, RecursionError):
            match json.loads(line):
                case {"move": str(move)}:
                    return " ".join(move.lower().split())
        raise self.no_answer(line)

    # -- What went wrong ----------------------------------------------------------------------

    def no_answer(self, line: bytes) -> Problem:
        return Problem("bot_no_answer", bot=self.spec, answer=line[:200].decode("utf-8", "replace"))

    def ended(self) -> Problem:
        """With the last line of what it wrote to its error output, mostly an exception's."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(SECONDS_TO_END)
        self.errors.seek(0)
        said = self.errors.read()[-2000:].decode("utf-8", "replace").strip().splitlines()
        reason = said[-1] if said else f"exit code {self.process.poll()}"
        self.end()
        return Problem("bot_ended", bot=self.spec, reason=reason)


def end_program(process: subprocess.Popen[bytes], errors: Any) -> None:
    """Politely first; a program that does not listen is stopped."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.write(BYE)
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
    errors.close()


def end_all() -> None:
    """When nothing more will be asked; a program that is asked again is started again."""
    for program in list(RUNNING):
        program.end()
        RUNNING.discard(program)
