"""A game at a real pseudo-terminal: what is typed into it, and what stands on its screen."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pexpect
import pyte

from tests.patience import PATIENCE

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
LEFT_OUT = [
    "PYTHONDONTWRITEBYTECODE",
    "NO_COLOR",
    "FORCE_COLOR",
    "BULLPEN_LANG",
    "COLUMNS",
    "LINES",
    "DISPLAY",  # else `bullpen` alone would open a browser
    "WAYLAND_DISPLAY",
]
PROMPT = r"> $"
REMATCH = r"\([ytj]/n\) $"
EXAMPLE = re.compile(r"(?:such as|np\.|etwa) `?(.+?)`?\. (?:Also|Także|Außerdem)")


def environment(home: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """Our own folder for games, and bytecode kept, so that every start after the first is quick."""
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    return {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPYCACHEPREFIX": str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode"),
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        **extra,
    }


def hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def at_a_terminal(*words: str, **spawned: Any) -> pexpect.spawn[str]:
    """A run of `bullpen` that hears Ctrl-C: what a shell starts in the background may ignore it."""
    return pexpect.spawn(
        sys.executable,
        ["-m", "bullpen", *words],
        encoding="utf-8",
        preexec_fn=hear_ctrl_c,
        timeout=PATIENCE,
        **spawned,
    )


class Session:
    """One run of `bullpen`; `said` is what it has written since the last time we looked."""

    def __init__(
        self,
        home: Path,
        *words: str,
        size: tuple[int, int] = (50, 80),
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self.child = at_a_terminal(*words, dimensions=size, env=environment(home, extra or {}))
        self.child.delaybeforesend = None
        self.screen = pyte.Screen(size[1], size[0])
        self.stream = pyte.Stream(self.screen)
        self.raw = ""

    @property
    def said(self) -> str:
        return ESCAPES.sub("", self.raw).replace("\r", "")

    @property
    def shown(self) -> str:
        """What can be read on the screen now."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait_for(self, *patterns: str) -> int:
        """Read on until one of the patterns comes; which one."""
        found = self.child.expect(list(patterns))
        after = self.child.after if isinstance(self.child.after, str) else ""
        self.raw = f"{self.child.before}{after}"
        self.stream.feed(self.raw)
        return found

    def type(self, text: str, until: str = PROMPT) -> str:
        """Type a line, wait for what must follow, and return what was said meanwhile."""
        self.child.sendline(text)
        self.wait_for(until)
        return self.said

    def offered(self) -> str:
        """The move that the prompt gives as its example: the first that is possible."""
        moves: list[str] = EXAMPLE.findall(" ".join(self.said.split()))
        return moves[-1]

    def end(self) -> int:
        """Wait for the end; the exit code."""
        self.child.expect(pexpect.EOF)
        self.raw = self.child.before or ""
        self.stream.feed(self.raw)
        self.child.close()
        return self.child.exitstatus if self.child.exitstatus is not None else -1


def at_first_prompt(home: Path, words: Sequence[str], **how: object) -> Session:
    session = Session(home, *words, **how)  # type: ignore[arg-type]
    session.wait_for(PROMPT)
    return session
