"""A bot as it was at an earlier revision, in a process of its own: `earlier:REVISION:BOT` where `benchmarks.duel` takes a bot.

Views go there and moves come back by pickle, so both versions must have the same tables.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from bullpen.bots import Bot, bot_called
from bullpen.game import Action, Game, View

ROOT = Path(__file__).parent.parent
PREFIX = "earlier:"

# Runs in the earlier version.  What a bot may print must not get between the answers.
ANSWERING = """
import os, pickle, sys
from bullpen.bots import bot_called
from bullpen.games import GAMES

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
choose = bot_called(sys.argv[1])
while True:
    try:
        game, view, rng = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    pickle.dump(choose(GAMES[game], view, rng), answers)
    answers.flush()
"""


def bot_of(spec: str) -> Bot:
    """One of this version, or an earlier one's."""
    if not spec.startswith(PREFIX):
        return bot_called(spec)
    revision, _, name = spec.removeprefix(PREFIX).partition(":")
    return Earlier(revision, name)


class Earlier:
    def __init__(self, revision: str, name: str) -> None:
        self.sources = tempfile.TemporaryDirectory()
        packed = subprocess.run(
            ["git", "archive", revision, "src"], cwd=ROOT, check=True, capture_output=True
        )
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
            archive.extractall(self.sources.name, filter="data")
        self.process = subprocess.Popen(
            [sys.executable, "-c", ANSWERING, name],
            env={**os.environ, "PYTHONPATH": str(Path(self.sources.name, "src"))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __call__(self, game: Game[Any], view: View[Any], rng: Random) -> Action:
        questions, answers = self.process.stdin, self.process.stdout
        assert questions is not None
        assert answers is not None
        pickle.dump((game.ID, view, Random(rng.getrandbits(62))), questions)
        questions.flush()
        action: Action = pickle.load(answers)
        return action
