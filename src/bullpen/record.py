"""Records: a match as a file that replays exactly, on any machine, for ever.

A record is JSON with one shuffle or move a line, so that a fault can be named by its line.  It holds
only what went in (shuffles and moves); everything else follows from the rules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import SystemRandom
from typing import Any

from bullpen.cards import Card, Problem
from bullpen.deck import deck_from_json, load_deck
from bullpen.fair import fairness
from bullpen.game import Game, IllegalMove
from bullpen.games import GAMES
from bullpen.match import Match

FORMAT, VERSION = "bullpen-record", 1
KEYS = {
    "format",
    "version",
    "game",
    "players",
    "options",
    "basis",
    "deck",
    "shuffles",
    "moves",
    "scores",
    "winners",
    "sha256",
}
OPTIONAL_KEYS = {"fair"}


class BadRecord(Problem):
    """A record that cannot be read, or that does not hold when it is replayed."""

    def __init__(self, why: str, line: int, /, **facts: Any) -> None:
        super().__init__(why, line=line, **facts)
        self.line = line


# -- Writing ----------------------------------------------------------------------------------


def as_record(match: Match) -> dict[str, Any]:
    """A match, finished or not, as the data of a record."""
    names, notation = match.game.CARD_NAMES, match.game.NOTATION
    record: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": match.game.ID,
        "players": match.names,
        "options": match.options,
        "basis": match.deck.basis,
        "deck": match.deck.as_json(),
        "shuffles": [[names.get(card, card) for card in cards] for cards in match.shuffles],
        "moves": [{"seat": d.seat, "move": notation[d.action]} for d in match.decisions],
        "scores": match.scores,
        "winners": match.winners if match.is_over else None,
    }
    if match.fair is not None:
        record["fair"] = dict(match.fair)
    return {**record, "sha256": digest(record)}


def digest(record: dict[str, Any]) -> str:
    """Of everything but itself, however the file is laid out."""
    content = {key: value for key, value in record.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def record_text(record: dict[str, Any]) -> str:
    """One line a shuffle and a move, one line for everything else."""
    return "{\n" + ",\n".join(_entry(key, value) for key, value in record.items()) + "\n}\n"


def _entry(key: str, value: Any) -> str:
    if key in ("shuffles", "moves") and value:
        lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in value)
        return f'"{key}": [\n{lines}\n]'
    return f'"{key}": {json.dumps(value, ensure_ascii=False)}'


def save(match: Match, path: str | Path) -> None:
    """Write the record beside its place and then into it, so that a crash leaves the old one whole."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_text(record_text(as_record(match)), "utf-8")
    beside.replace(path)


# -- Reading ----------------------------------------------------------------------------------


def load(path: str | Path) -> Match:
    """The match of a record file, replayed to its end."""
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise Problem("record_unreadable", file=path, reason=error.strerror) from None
    except UnicodeDecodeError:
        raise Problem("record_not_text", file=path) from None
    return replay(text)


def replay(text: str, moves: int | None = None) -> Match:
    """The match of a record's text, up to so many moves, or to the end with everything checked."""
    try:
        record = parsed(text)
        match = _Replayed(text, record).played(moves)
        if moves is None:
            _check_end(text, record, match)
    except RecursionError:  # nested more deeply than any record
        raise BadRecord("record_not_json", 1) from None
    return match


def parsed(text: str) -> dict[str, Any]:
    """The record's data, if it has the form of a record of this version."""
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        if text.strip() and not text.lstrip().startswith("{"):  # not damaged: something else
            raise BadRecord("record_none", 1) from None
        why = "record_truncated" if error.pos >= len(text.rstrip()) else "record_not_json"
        raise BadRecord(why, error.lineno) from None
    except ValueError:  # a number without end
        raise BadRecord("record_not_json", 1) from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise BadRecord("record_format", 1, format=FORMAT)
    found = record.get("version")
    if type(found) is not int or found != VERSION:
        raise BadRecord("record_version", line_of(text, "version"), found=found, version=VERSION)
    if missing := sorted(KEYS - set(record)):
        last = text.rstrip().count("\n") + 1
        raise BadRecord("record_incomplete", last, missing=", ".join(missing))
    if unknown := sorted(set(record) - KEYS - OPTIONAL_KEYS):
        raise BadRecord("record_unknown", line_of(text, unknown[0]), unknown=", ".join(unknown))
    if not isinstance(record["game"], str) or record["game"] not in GAMES:
        line = line_of(text, "game")
        raise BadRecord("unknown_game", line, game=record["game"], known=", ".join(GAMES))
    _check_types(text, record)
    return record


def _check_types(text: str, record: dict[str, Any]) -> None:
    expected = {"players": list, "options": dict, "shuffles": list, "moves": list, "scores": list}
    for key, kind in expected.items():
        if not isinstance(record[key], kind):
            raise BadRecord("record_type", line_of(text, key), key=key)
    if record["basis"] not in ("established", "reconstruction", "own"):
        raise BadRecord("record_type", line_of(text, "basis"), key="basis")
    if "fair" in record:
        try:
            fairness(record["fair"], len(record["players"]))
        except Problem as problem:
            raise BadRecord(problem.key, line_of(text, "fair")) from None


class _Replayed:
    """Plays a record's moves, with the record's shuffles as the source of chance."""

    def __init__(self, text: str, record: dict[str, Any]) -> None:
        self.text, self.record = text, record
        self.game: Game[Any] = GAMES[record["game"]]
        self.match: Match | None = None
        self.dealt = 0

    def played(self, moves: int | None) -> Match:
        record = self.record
        try:
            deck = deck_from_json(self.game.DECK_FILES, record["deck"], record["basis"])
        except Problem as problem:
            raise BadRecord(problem.key, line_of(self.text, "deck"), **problem.facts) from None
        if deck.basis != "own" and deck != load_deck(self.game.DECK_FILES):
            raise BadRecord("record_basis", line_of(self.text, "basis"), basis=deck.basis)
        try:
            match = Match(
                self.game, len(record["players"]), record["options"], deck, record["players"], self
            )
        except BadRecord:
            raise
        except Problem as problem:
            key = "options" if "option" in problem.facts else "players"
            raise BadRecord(problem.key, line_of(self.text, key), **problem.facts) from None
        self.match, match.fair = match, record.get("fair")
        for at, move in enumerate(record["moves"][:moves]):
            self.play(match, at, move)
        # Beyond the record, chance is chance again: an unfinished match can be played on.
        match.shuffler = SystemRandom().shuffle if moves is None else self
        return match

    def play(self, match: Match, at: int, move: Any) -> None:
        try:
            match.move(*_seat_and_text(move))
        except IllegalMove as illegal:
            facts = {"move": illegal.move, "rule": illegal.refusal.rule, "seat": illegal.seat}
            raise BadRecord("record_illegal", line_of(self.text, "moves", at), **facts) from None
        except BadRecord:
            raise
        except Problem as problem:
            line = line_of(self.text, "moves", at)
            raise BadRecord(problem.key, line, **problem.facts) from None

    def __call__(self, cards: list[Card]) -> None:
        """The next shuffle of the record; see `match.Shuffler`."""
        shuffles, names = self.record["shuffles"], self.game.CARD_NAMES
        if self.match:  # `undo` takes shuffles back
            self.dealt = len(self.match.shuffles)
        if self.dealt == len(shuffles):
            raise BadRecord("record_shuffle_missing", line_of(self.text, "shuffles"))
        by_name = {json.dumps(names.get(card, card)): card for card in cards}
        shuffled = shuffles[self.dealt]
        spelled = [json.dumps(card) for card in shuffled] if isinstance(shuffled, list) else []
        if sorted(spelled) != sorted(by_name):
            raise BadRecord("record_shuffle", line_of(self.text, "shuffles", self.dealt))
        cards[:] = [by_name[card] for card in spelled]
        self.dealt += 1


def _seat_and_text(move: Any) -> tuple[Any, str]:
    match move:
        case {"seat": seat, "move": str(text)} if len(move) == 2:
            return seat, text
    raise Problem("record_move")


def _check_end(text: str, record: dict[str, Any], match: Match) -> None:
    if len(match.shuffles) != len(record["shuffles"]):
        line = line_of(text, "shuffles", len(match.shuffles))
        raise BadRecord("record_shuffle_unused", line)
    held = as_record(match)
    for key in ("scores", "winners", "moves", "options", "players"):
        if json.dumps(record[key], sort_keys=True) != json.dumps(held[key], sort_keys=True):
            line = line_of(text, key)
            raise BadRecord("record_differs", line, key=key, found=record[key], held=held[key])
    if record["sha256"] != digest(record):
        raise BadRecord("record_changed", line_of(text, "sha256"))


# -- Lines ------------------------------------------------------------------------------------


def line_of(text: str, key: str, item: int | None = None) -> int:
    """The line on which a key of the record stands, or the given item of its list."""
    members = list(_parts(text, text.index("{") + 1))
    for name, value in zip(members[::2], members[1::2], strict=True):
        if json.loads(text[slice(*name)]) == key:
            at = name[0]
            if item is not None:
                at = next(islice(_parts(text, value[0] + 1), item, None))[0]
            return text.count("\n", 0, at) + 1
    return 1


def _parts(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Where each part of a list begins and ends, or each name and value of an object."""
    decoder = json.JSONDecoder()
    while True:
        while text[at] in " \t\r\n,:":
            at += 1
        if text[at] in "]}":
            return
        _, end = decoder.raw_decode(text, at)
        yield at, end
        at = end
