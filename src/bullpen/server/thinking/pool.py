"""The processes that think, as the server sees them: questions go out, answers come back in time or not at all."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import sys
from collections.abc import Sequence
from typing import Any

from bullpen.server.thinking.worker import LENGTH

log = logging.getLogger("bullpen.thinking")

WORKER = (sys.executable, "-m", "bullpen.server.thinking.worker")
SECONDS_TO_START = 60.0
LONGEST_ANSWER = 4 * 1024 * 1024


class NoAnswer(Exception):
    """It took too long, it crashed, or it had nothing to say."""


class Died(NoAnswer):
    """Its process ended before it could answer."""


class Thinker:
    """One process; replaced when it has to be ended."""

    def __init__(self, command: Sequence[str], megabytes: int) -> None:
        self.command = (*command, str(megabytes))
        self.process: asyncio.subprocess.Process | None = None
        # Two who read from it at once would take each other's answers.
        self.in_use = asyncio.Lock()

    async def start(self) -> None:
        async with self.in_use:
            await self._started()

    async def _started(self) -> None:
        if self.process is not None and self.process.returncode is not None:
            await self.end()  # it has died since the last question: another one answers
        if self.process is None:
            pipe = asyncio.subprocess.PIPE
            # In a session of its own: Ctrl-C is for the server, also before this process can ignore it.
            self.process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=pipe,
                stdout=pipe,
                limit=LONGEST_ANSWER,
                start_new_session=True,
            )
            await self._line(SECONDS_TO_START)

    async def ask(self, question: bytes, seconds: float) -> dict[str, Any]:
        async with self.in_use:
            try:
                await self._started()
                assert self.process is not None
                assert self.process.stdin is not None
                self.process.stdin.write(LENGTH.pack(len(question)) + question)
                answer = await self._line(seconds)
            except TimeoutError as error:
                await self.end()
                raise NoAnswer(type(error).__name__) from None
            except (OSError, ValueError, RuntimeError) as error:
                # A RuntimeError is uvloop's word for a pipe that nobody reads any more.
                await self.end()
                raise Died(type(error).__name__) from None
            except BaseException:
                await self.end()  # its answer must not be taken for the next one's
                raise
        if "failed" in answer:
            raise NoAnswer(answer["failed"])
        return answer

    async def _line(self, seconds: float) -> dict[str, Any]:
        assert self.process is not None
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), seconds)
        answer = json.loads(line)  # nothing, where it has died: a ValueError
        assert isinstance(answer, dict)
        return answer

    async def end(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()


class Pool:
    """As many processes as may think at a time; a question waits until one is free."""

    def __init__(self, size: int, megabytes: int, command: Sequence[str] = WORKER) -> None:
        self.thinkers = [Thinker(command, megabytes) for _ in range(size)]
        self.free: asyncio.LifoQueue[Thinker] = asyncio.LifoQueue()
        for thinker in self.thinkers:
            self.free.put_nowait(thinker)
        self.asked = self.failed = 0

    async def start(self) -> None:
        await asyncio.gather(*(thinker.start() for thinker in self.thinkers))

    async def ask(self, kind: str, seconds: float, **facts: Any) -> dict[str, Any]:
        """Raises NoAnswer; the time runs from when a process takes the question."""
        question = pickle.dumps({"kind": kind, **facts}, pickle.HIGHEST_PROTOCOL)
        thinker = await self.free.get()
        self.asked += 1
        try:
            return await thinker.ask(question, seconds)
        except NoAnswer as failure:
            self.failed += 1
            log.warning("no answer", extra={"kind": kind, "reason": str(failure)})
            raise
        finally:
            self.free.put_nowait(thinker)

    async def ask_persistently(self, kind: str, seconds: float, **facts: Any) -> dict[str, Any]:
        """A process that was ended by somebody says nothing about the question: another one is asked."""
        try:
            return await self.ask(kind, seconds, **facts)
        except Died:
            return await self.ask(kind, seconds, **facts)

    def busy(self) -> int:
        return len(self.thinkers) - self.free.qsize()

    async def close(self) -> None:
        await asyncio.gather(*(thinker.end() for thinker in self.thinkers))
