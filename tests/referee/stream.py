"""Reading a stream of traces against the scripts, and writing one by random play."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.referee import baron_oxx, bullenparty, eleven_nimmt, hornochsen, six_nimmt, x_nimmt
from tests.referee.script import Decide, Game, Header, Shuffle, Step, Tell, is_whole

GAMES: dict[str, Game] = {
    "hornochsen": hornochsen,
    "eleven-nimmt": eleven_nimmt,
    "x-nimmt": x_nimmt,
    "baron-oxx": baron_oxx,
    "bullenparty": bullenparty,
    "six-nimmt": six_nimmt,
}
KINDS = ("game", "shuffle", "event", "seat", "round", "scores")  # the first a line has tells it
LONGEST = 300  # characters of a faulty line that a problem shows


@dataclass(frozen=True)
class Problem:
    """A line that is not what the rules ask for (one past the last if a line is missing)."""

    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f"line {self.line}: expected {self.expected}; found {self.found}"


class GameLost(Exception):
    """The referee cannot follow this game any further."""


def check(lines: Iterable[str]) -> list[Problem]:
    """Every deviation from the rules in a stream of one or several traces.

    A game is followed on the referee's own table for as long as its lines can be understood;
    after a shuffle, a seat or a move that cannot be, the referee goes on with the next game.
    """
    reader = Reader(lines)
    if reader.current is None:
        reader.report("the header of a game", "nothing")
    while reader.current is not None:
        if kind(reader.current) == "game":
            try:
                check_game(reader)
            except GameLost:
                while reader.current is not None and kind(reader.current) != "game":
                    reader.advance()
        else:
            reader.report("the header of a game or the end of the stream")
            reader.advance()
    return reader.problems


class Reader:
    """The current line of the stream, and the problems met so far."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.number = 0
        self.text = ""
        self.current: Any = None  # the parsed line; None after the last, [] if it is no JSON object
        self.problems: list[Problem] = []
        self.advance()

    def advance(self) -> None:
        """Go to the next line."""
        self.number += 1
        try:
            self.text = next(self.lines).rstrip("\r\n")
        except StopIteration:
            self.text, self.current = "the end of the stream", None
            return
        try:
            parsed = json.loads(self.text, object_pairs_hook=without_repetition)
        except ValueError:
            parsed = []
        self.current = parsed if isinstance(parsed, dict) else []

    def report(self, expected: str, found: str | None = None) -> None:
        """Note a problem with the current line."""
        found = found or self.text or "an empty line"
        shown = found if len(found) <= LONGEST else found[:LONGEST] + " ..."
        self.problems.append(Problem(self.number, expected, shown))

    def line(self, wanted: str | None, step: Step) -> dict[str, Any]:
        """The current line, if it is of the kind that the step asks for."""
        if self.current is None or kind(self.current) != wanted:
            self.report(in_words(step))
            raise GameLost
        line: dict[str, Any] = self.current
        return line


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object must not name a key twice."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("repeated key")
    return dict(pairs)


def kind(line: Any) -> str | None:
    """What a line is: named by the first of KINDS among its keys."""
    return next((word for word in KINDS if word in line), None)


def canonical(value: Any) -> str:
    """One spelling for equal JSON values; keeps 1, 1.0 and true apart."""
    return json.dumps(value, sort_keys=True)


def spelling(move: Any) -> str:
    """A move as it stands; what is no text is never the spelling of a move."""
    return move if isinstance(move, str) else canonical(move)


def in_words(step: Step) -> str:
    """What a step asks for."""
    if isinstance(step, Shuffle):
        return f"a shuffle of {compact(sorted(step.cards))}"
    if isinstance(step, Decide):
        return f"seat {step.seat} to choose among {compact(sorted(step.legal))}"
    return compact(step.line)


def compact(value: Any) -> str:
    """A value as a trace line writes it."""
    return json.dumps(value, separators=(",", ":"))


# -- Checking -------------------------------------------------------------------------------------


def check_game(reader: Reader) -> None:
    """One game, from its header to its last line."""
    try:
        game, header = read_header(reader)
    finally:
        reader.advance()
    script = game.script(header)
    step = next(script)
    while True:
        answer = read_step(reader, step)
        reader.advance()
        try:
            step = script.send(answer)
        except StopIteration:
            return


def read_header(reader: Reader) -> tuple[Game, Header]:
    """The first line: game, players, every option with its value, the deck."""
    line = reader.current
    check_keys(reader, line, "game", "players", "options", "deck")
    name, players = line["game"], line.get("players")
    options, deck = line.get("options"), line.get("deck")
    if not isinstance(name, str) or name not in GAMES:
        reader.report(f"one of the games {', '.join(GAMES)}", compact(name))
        raise GameLost
    game = GAMES[name]
    if not is_whole(players) or players not in game.SEATS:
        reader.report(f"{game.SEATS[0]} to {game.SEATS[-1]} players", compact(players))
        raise GameLost
    if not isinstance(options, dict) or not isinstance(deck, dict):
        reader.report("options and deck as JSON objects")
        raise GameLost
    faults = len(reader.problems)
    for key, option in game.options(players).items():
        if key not in options:
            reader.report(f"option {key}", f"options {compact(options)}")
        elif not option.allows(options[key]):
            reader.report(f"option {key}: {option.words}", compact(options[key]))
    for key in sorted(options.keys() - game.options(players).keys()):
        reader.report("only options of the game", f"option {key}")
    for expected, found in game.deck_faults(deck):
        reader.report(expected, found)
    if len(reader.problems) > faults:
        raise GameLost
    return game, Header(players, options, deck)


def read_step(reader: Reader, step: Step) -> Any:
    """The answer to a step, from the current line."""
    if isinstance(step, Shuffle):
        return read_shuffle(reader, step)
    if isinstance(step, Decide):
        return read_decision(reader, step)
    line = reader.line(kind(step.line), step)
    if canonical(line) != canonical(step.line):
        reader.report(in_words(step))
    return None


def read_shuffle(reader: Reader, step: Shuffle) -> list[Any]:
    """A shuffle of exactly the cards asked for."""
    line = reader.line("shuffle", step)
    check_keys(reader, line, "shuffle")
    cards = line["shuffle"]
    if not isinstance(cards, list):
        reader.report("a list of cards")
        raise GameLost
    wanted, found = Counter(map(canonical, step.cards)), Counter(map(canonical, cards))
    if wanted != found:
        missing, surplus = list(wanted - found), list(found - wanted)
        found_words = f"one without {', '.join(missing)}; with {', '.join(surplus)} too many"
        reader.report(in_words(step), found_words)
        raise GameLost
    return cards


def read_decision(reader: Reader, step: Decide) -> str:
    """A decision of the right seat, with exactly the legal moves, for one of them."""
    line = reader.line("seat", step)
    check_keys(reader, line, "seat", "legal", "move")
    seat, legal, move = line["seat"], line.get("legal"), line.get("move")
    if canonical(seat) != canonical(step.seat):
        reader.report(in_words(step))
        raise GameLost
    if not isinstance(legal, list):
        reader.report("legal as a list")
    else:
        wanted, found = Counter(step.legal), Counter(map(spelling, legal))
        if missing := wanted - found:
            reader.report(in_words(step), f"legal without {', '.join(missing)}")
        if surplus := found - wanted:
            reader.report(in_words(step), f"legal with {', '.join(surplus)} too many")
    if not isinstance(move, str) or move not in step.legal:
        reader.report(in_words(step), f"move {compact(move)}")
        raise GameLost
    return move


def check_keys(reader: Reader, line: Mapping[str, Any], *keys: str) -> None:
    """A line has exactly its keys."""
    if set(line) != set(keys):
        reader.report(f"a line with exactly the keys {', '.join(keys)}")


# -- Playing --------------------------------------------------------------------------------------


def play(
    game: str,
    players: int,
    options: Mapping[str, Any],
    deck: Mapping[str, Any],
    rng: Random,
    prefer: str | None = None,
) -> list[str]:
    """The trace of a game of random moves, played by the referee with itself.

    Options that are not given have their defaults. Where it is legal, a move that begins with
    `prefer` is taken nine times in ten.
    """
    rules = GAMES[game]
    defaults = {key: option.default for key, option in rules.options(players).items()}
    header = Header(players, {**defaults, **options}, deck)
    lines: list[dict[str, Any]] = [
        {"game": game, "players": players, "options": dict(header.options), "deck": dict(deck)}
    ]
    script = rules.script(header)
    step = next(script)
    while True:
        answer, line = random_answer(step, rng, prefer)
        lines.append(line)
        try:
            step = script.send(answer)
        except StopIteration:
            return [compact(line) for line in lines]


def random_answer(step: Step, rng: Random, prefer: str | None) -> tuple[Any, dict[str, Any]]:
    """A random answer to a step, and the line that says so."""
    if isinstance(step, Tell):
        return None, step.line
    if isinstance(step, Shuffle):
        cards = rng.sample(step.cards, len(step.cards))
        return list(cards), {"shuffle": cards}
    preferred = [move for move in step.legal if prefer is not None and move.startswith(prefer)]
    move = rng.choice(preferred if preferred and rng.random() < 0.9 else step.legal)
    return move, {"seat": step.seat, "legal": step.legal, "move": move}
