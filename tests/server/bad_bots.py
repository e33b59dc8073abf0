"""Bots that loop, crash, eat memory, cheat and print: a thinking process with all of them in it."""

import os
import time
from typing import Any

from bullpen import bots
from bullpen.server.thinking import worker


def loop(game: Any, view: Any, rng: Any) -> int:
    while True:
        time.monotonic()


def crash(game: Any, view: Any, rng: Any) -> int:
    os._exit(3)


def fail(game: Any, view: Any, rng: Any) -> int:
    raise ValueError("no idea")


def eat(game: Any, view: Any, rng: Any) -> int:
    eaten = []
    while True:
        eaten.append(bytearray(64 * 1024 * 1024))


def cheat(game: Any, view: Any, rng: Any) -> int:
    return 999_999


def chatter(game: Any, view: Any, rng: Any) -> int:
    print("x" * 100_000)
    return int(view.legal[0])


BAD = {"loop": loop, "crash": crash, "fail": fail, "eat": eat, "cheat": cheat, "chatter": chatter}

if __name__ == "__main__":
    usual = bots.bot_called
    bots.bot_called = lambda name: BAD[name] if name in BAD else usual(name)
    worker.main()
