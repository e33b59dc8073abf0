"""A bot as it was at an earlier revision, in a process of its own: `earlier:REVISION:BOT` where `benchmarks.duel` takes a bot.

The earlier version plays the same game along: it deals by the same seed and is told every move.  So nothing but seeds, options and
moves in notation goes between the two, and tables may have changed in between.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from random import Random
from typing import IO, Protocol

from bullpen.bots import Bot, bot_called
from bullpen.game import Action, Options, Seat, read_move
from bullpen.match import Match

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / ".tools" / "earlier"
PREFIX = "earlier:"

# Runs in the earlier version.  What a bot may print must not get between the answers.
ANSWERING = """
import json, os, sys
from random import Random
import bullpen
from bullpen.bots import bot_called

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
choose = bot_called(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    if "game" in asked:
        match = bullpen.new(asked["game"], asked["seats"], seed=asked["seed"], options=asked["options"])
    elif "move" in asked:
        match.move(asked["seat"], asked["move"])
    else:
        seat = asked["seat"]
        action = choose(match.game, match.view(seat), Random(asked["chance"]))
        print(match.game.NOTATION[action], file=answers, flush=True)
"""


class Player(Protocol):
    """Who sits at a table of a benchmark."""

    def begin(self, game: str, seats: int, seed: int, options: Options) -> None: ...

    def choose(self, match: Match, seat: Seat, rng: Random) -> Action: ...

    def see(self, seat: Seat, move: str) -> None: ...


def player_of(spec: str) -> Player:
    """One of this version, or an earlier one's."""
    if not spec.startswith(PREFIX):
        return Present(bot_called(spec))
    revision, _, name = spec.removeprefix(PREFIX).partition(":")
    return Earlier(revision, name)


class Present:
    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def begin(self, game: str, seats: int, seed: int, options: Options) -> None:
        """The match is all that it needs."""

    def choose(self, match: Match, seat: Seat, rng: Random) -> Action:
        return self.bot(match.game, match.view(seat), rng)

    def see(self, seat: Seat, move: str) -> None:
        """It is in the match already."""


class Earlier:
    def __init__(self, revision: str, name: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", ANSWERING, name],
            env={**os.environ, "PYTHONPATH": str(sources_of(revision))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, game: str, seats: int, seed: int, options: Options) -> None:
        self._say(game=game, seats=seats, seed=seed, options=dict(options))

    def choose(self, match: Match, seat: Seat, rng: Random) -> Action:
        self._say(seat=seat, chance=rng.getrandbits(62))
        move = self._pipe(self.process.stdout).readline().rstrip("\n")
        if not move:
            raise SystemExit(f"the earlier version ended with exit code {self.process.wait()}")
        return read_move(match.game, match.table, seat, move)

    def see(self, seat: Seat, move: str) -> None:
        self._say(seat=seat, move=move)

    def _say(self, **what: object) -> None:
        questions = self._pipe(self.process.stdin)
        questions.write(json.dumps(what) + "\n")
        questions.flush()

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe


def sources_of(revision: str) -> Path:
    """Unpacked in a place that stays the same, so that what is compiled there is found again."""
    found = subprocess.run(
        ["git", "rev-parse", "--short=12", f"{revision}^{{commit}}"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    folder = SOURCES / found.stdout.strip()
    if not folder.exists():
        packed = subprocess.run(
            ["git", "archive", revision, "src"], cwd=ROOT, check=True, capture_output=True
        )
        SOURCES.mkdir(parents=True, exist_ok=True)
        unpacked = Path(tempfile.mkdtemp(dir=SOURCES))
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
            archive.extractall(unpacked, filter="data")
        try:
            unpacked.rename(folder)  # whole, or not at all
        except OSError:
            if not folder.exists():
                raise
            shutil.rmtree(unpacked)  # another process was quicker
    return folder / "src"
