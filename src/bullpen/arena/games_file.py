"""The file of a tournament: its plan on the first line, then one line of JSON a game, in their order.

Lines are only ever added.  So whatever happens, the file holds the first games of the tournament and at
worst a torn last line, and the tournament can go on behind them.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedRandom
from pathlib import Path
from typing import Any

from bullpen.arena.one_game import Outcome, outcome_in
from bullpen.arena.plan import FORMAT, VERSION, Plan, plan_from_json
from bullpen.cards import Problem
from bullpen.locks import lock_at_once
from bullpen.record import FORMAT as RECORD_FORMAT
from bullpen.record import VERSION as RECORD_VERSION
from bullpen.record import digest, record_text
from bullpen.text import printable


class GamesFile:
    """The file of a running tournament; nobody else may write to it meanwhile."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.file = opened(path)
        except OSError as error:
            raise Problem("tournament_file", file=path, reason=error.strerror) from None
        try:
            self.lock()
            self.outcomes = self.finished_before()
        except BaseException:
            self.file.close()
            raise

    def lock(self) -> None:
        try:
            lock_at_once(self.file)
        except BlockingIOError:
            raise Problem("tournament_busy", file=self.path) from None
        except OSError:  # a file system without locks: a rare one, and no reason not to play
            pass

    def finished_before(self) -> list[Outcome]:
        """The games that stand in the file already; a new file gets its first line."""
        first = json.dumps(self.plan.as_json(), ensure_ascii=False)
        try:
            text = self.file.read()
        except OSError as error:
            raise Problem("tournament_file", file=self.path, reason=error.strerror) from None
        whole = text[: text.rfind(b"\n") + 1]
        if first.encode().startswith(text):  # nothing, or a first line that a crash has torn
            self.go_to(0)
            self.write([first])
            return []
        header, *lines = whole.splitlines() or [text]
        self.check(header)
        outcomes = list(outcomes_in(self.path, self.plan, lines))
        if whole != text:
            self.go_to(len(whole))
        return outcomes

    def go_to(self, end: int) -> None:
        """Write from here on; a line that a crash has torn is cut off, once the others are checked."""
        try:
            self.file.seek(end)
            self.file.truncate()
        except OSError as error:
            raise Problem("tournament_file", file=self.path, reason=error.strerror) from None

    def check(self, header: bytes) -> None:
        """Whether the file belongs to the same tournament."""
        found, wanted = header_in(self.path, header), self.plan.as_json()
        for key, value in wanted.items():
            if found.get(key) != value:
                if key == "files":  # the same settings, and a bot that was changed
                    raise Problem(
                        "tournament_bot_changed", file=self.path, bots=changed(found, value)
                    )
                raise Problem(
                    "tournament_settings",
                    file=self.path,
                    key=key,
                    found=shown(found.get(key)),
                    wanted=shown(value),
                )

    def write(self, lines: Sequence[str]) -> None:
        try:
            self.file.write("".join(f"{line}\n" for line in lines).encode())
            self.file.flush()
        except OSError as error:
            raise Problem("tournament_write", file=self.path, reason=error.strerror) from None

    def close(self) -> None:
        try:
            self.file.close()
        except OSError as error:  # a full disk is noticed here, too
            raise Problem("tournament_write", file=self.path, reason=error.strerror) from None


def changed(header: Mapping[str, Any], files: Mapping[str, str]) -> str:
    before = header.get("files")
    known = before if isinstance(before, dict) else {}
    return ", ".join(file for file in files if known.get(file) != files[file]) or ", ".join(known)


def opened(path: Path) -> BufferedRandom:
    """To be read and added to, made if it is not there."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "no plain file")
    return os.fdopen(
        os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b"
    )


def shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# -- Reading ----------------------------------------------------------------------------------


def header_in(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise Problem("tournament_format", file=path)
    if header.get("version") != VERSION:
        found = header.get("version")
        raise Problem("tournament_version", file=path, found=found, version=VERSION)
    return header


def outcomes_in(path: Path, plan: Plan, lines: Sequence[bytes]) -> Iterator[Outcome]:
    for number, line in enumerate(lines, start=1):
        try:
            outcome = outcome_in(line.decode())
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Problem("tournament_line", file=path, line=number + 1) from None
        expected = (number, *plan.where(number), plan.seats)
        if (outcome.number, outcome.deal, outcome.bots, len(outcome.scores)) != expected:
            raise Problem("tournament_line", file=path, line=number + 1)
        yield outcome


def read_lines(path: Path) -> tuple[Plan, list[bytes]]:
    """The plan and the games of a file that is only read; a torn last line is left out."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise Problem("tournament_file", file=path, reason=error.strerror) from None
    lines = text[: text.rfind(b"\n") + 1].splitlines()
    header = header_in(path, lines[0] if lines else b"")
    try:
        return plan_from_json(header), lines[1:]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Problem("tournament_line", file=path, line=1) from None


def is_games_file(path: Path) -> bool:
    """Whether the file begins as one of a tournament."""
    try:
        with path.open("rb") as file:
            return FORMAT.encode() in file.read(len(FORMAT) + 20)
    except OSError:
        return False


def record_of(path: Path, number: int) -> str:
    """One game of the file, as the text of a record."""
    plan, lines = read_lines(path)
    if not 1 <= number <= len(lines):
        raise Problem("tournament_no_game", file=path, number=number, games=len(lines))
    return as_record_text(path, plan, number, lines[number - 1])


def records_in(path: Path) -> Iterator[str]:
    """All games of the file, in their order."""
    plan, lines = read_lines(path)
    for number, line in enumerate(lines, start=1):
        yield as_record_text(path, plan, number, line)


def names_of(bots: Sequence[str]) -> list[str]:
    """By bot; where one holds several seats, with the seat."""
    names = [" ".join(printable(bot).split()) for bot in bots]
    return [
        name if names.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(names)
    ]


def as_record_text(path: Path, plan: Plan, number: int, text: bytes) -> str:
    try:
        line = json.loads(text)
        moves = [move.split(" ", 1) for move in line["moves"]]
        record = {
            "format": RECORD_FORMAT,
            "version": RECORD_VERSION,
            "game": plan.game,
            "players": names_of(line["bots"]),
            "options": dict(plan.options),
            "basis": plan.deck.basis,
            "deck": plan.deck.as_json(),
            "shuffles": line["shuffles"],
            "moves": [{"seat": int(seat), "move": move} for seat, move in moves],
            "scores": line["scores"],
            "winners": line["winners"],
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Problem("tournament_line", file=path, line=number + 1) from None
    return record_text({**record, "sha256": digest(record)})
