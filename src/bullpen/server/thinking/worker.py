"""A process that thinks: it reads questions from its input and writes answers to its output.

A question is a pickle from the server with its length before it; an answer is a line of JSON.  Started as
`python -m bullpen.server.thinking.worker MEGABYTES`; the server ends it when it takes too long.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, BinaryIO

from bullpen.games import game_called
from bullpen.server.limits import limit_memory

Answer = dict[str, Any]
LENGTH = struct.Struct("!I")


def choose(question: dict[str, Any]) -> Answer:
    """An action for every seat asked about, each by its own bot and from its own view alone."""
    from bullpen.bots import bot_called

    game = game_called(question["game"])
    actions = [
        bot_called(bot)(game, view, Random(seed)) for bot, view, seed in question["questions"]
    ]
    return {"actions": [int(action) for action in actions]}


def hint(question: dict[str, Any]) -> Answer:
    from bullpen.server.thinking import coaching

    return coaching.hint(question)


def review(question: dict[str, Any]) -> Answer:
    from bullpen.server.thinking import coaching

    return coaching.review(question)


def quality(question: dict[str, Any]) -> Answer:
    from bullpen.server.thinking import quality as decisions

    return decisions.quality(question)


def puzzle(question: dict[str, Any]) -> Answer:
    from bullpen.server.thinking import coaching

    return coaching.puzzle(question)


def replay(question: dict[str, Any]) -> Answer:
    from bullpen.server.thinking import writing

    return writing.replay(question)


def record(question: dict[str, Any]) -> Answer:
    from bullpen.server.thinking import writing

    return writing.record(question)


def story(question: dict[str, Any]) -> Answer:
    from bullpen.server.thinking import writing

    return writing.story(question)


def warm(question: dict[str, Any]) -> Answer:
    """Compile what the stronger bots need, so that nobody waits for it at a table."""
    import bullpen
    from bullpen.bots import readiness

    match = bullpen.new(question["game"], seats=2, seed=1)
    view = match.view(match.waiting_for[0])
    readiness.make_ready(question["bot"], match.game, view)
    choose({"game": question["game"], "questions": [(question["bot"], view, 1)]})
    return {}


ANSWERS: dict[str, Callable[[dict[str, Any]], Answer]] = {
    "choose": choose,
    "hint": hint,
    "review": review,
    "quality": quality,
    "puzzle": puzzle,
    "replay": replay,
    "record": record,
    "story": story,
    "warm": warm,
}


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    answers.write(b'{"ready":true}\n')
    answers.flush()
    while head := questions.read(LENGTH.size):
        # Only the server writes here: this is its own data coming back to its own code.
        question = pickle.loads(questions.read(*LENGTH.unpack(head)))  # noqa: S301
        try:
            answer = ANSWERS[question["kind"]](question)
        except Exception as error:  # whatever a bot does wrong is no reason to die
            answer = {"failed": f"{type(error).__name__}: {error}"[:200]}
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    limit_memory(int(sys.argv[1]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a bot that prints disturbs nobody
    with suppress(BrokenPipeError):  # the server was killed: nobody waits for an answer
        serve(sys.stdin.buffer, answers)
        answers.close()


if __name__ == "__main__":
    main()
