"""The result card of a benchmark: JSON for programs, Markdown for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bullpen.arena.family import Benchmark, suite
from bullpen.bots import WithEffort, bot_called
from bullpen.bots.effort import Milliseconds
from bullpen.bots.outside import PROGRAM, files_of
from bullpen.cards import Problem

FORMAT, VERSION = "bullpen-benchmark", 1


def card(benchmark: Benchmark) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "family": suite().version,
        "bot": benchmark.bot,
        "files": files_of(benchmark.bot),
        "deals": benchmark.deals,
        "all_deals": suite().deals,
        "games": sum(result.games for result in benchmark.results),
        "repeatable": is_repeatable(benchmark.bot),
        "scores": [rounded(asdict(score)) for score in benchmark.scores],
        "results": [result.as_json() for result in benchmark.results],
    }


def rounded(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in facts.items()
    }


def is_repeatable(bot: str) -> bool:
    """Not if it thinks for a time; whether a program uses its seed, nobody knows."""
    if PROGRAM.fullmatch(bot):
        return False
    called = bot_called(bot)
    efforts = (called.usual, *called.by_game.values()) if isinstance(called, WithEffort) else ()
    return not any(isinstance(effort, Milliseconds) for effort in efforts)


def checked_card(path: Path) -> Path:
    """A place for a card: a card of before is written anew, anything else stays as it is."""
    if path.suffix != ".json":
        raise Problem("benchmark_card_name", file=path)
    beside = path.with_suffix(".md")
    if beside.exists() and not path.exists():  # not the page of a card
        raise Problem("benchmark_card_exists", file=beside)
    if path.exists():
        try:
            is_ours = json.loads(path.read_text("utf-8")).get("format") == FORMAT
        except (OSError, ValueError, AttributeError):
            is_ours = False
        if not is_ours:
            raise Problem("benchmark_card_exists", file=path)
    return path


def write_card(path: Path, facts: Mapping[str, Any], page: Sequence[str]) -> Path:
    """The card as JSON, and beside it the same for people; where that is."""
    beside = path.with_suffix(".md")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", "utf-8")
        beside.write_text("\n".join([*page, ""]), "utf-8")
    except OSError as error:
        raise Problem("benchmark_card_unwritable", file=path, reason=error.strerror) from None
    return beside
