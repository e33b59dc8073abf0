"""Bots from outside: a function in a Python file, or a program that speaks JSON lines.

`mybot.py:choose` names a file and a function in it; `program:./mybot --flag` a command to start.  What
such a bot does wrongly is a `Problem` that names the bot.  See docs/arena.md.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import re
import shlex
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import fields
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from bullpen.bots.programs import Program
from bullpen.cards import UNSEEN, Card, Lying, Problem
from bullpen.game import Action, Game, View

Choose = Callable[[Game[Any], View[Any], Random], Action]

PYTHON_FILE = re.compile(r"(?P<file>.+\.py)(?::(?P<function>.*))?", re.DOTALL)
PROGRAM = re.compile(r"program:(?:(?P<seconds>[0-9]{1,5})s:)?(?P<command>.*)", re.DOTALL)
USUAL_FUNCTION = "choose"
USUAL_SECONDS = 10  # for an answer
MOVES_NAMED = 12  # in a problem
PROTOCOL = 1
SEED_BITS = 53  # of a whole number that every language can hold exactly


def bot_from(spec: str) -> Choose | None:
    """The bot that a file or a program is; None if the name has neither form."""
    if PROGRAM.fullmatch(spec):
        return checked(spec, spoken_to(spec))
    if python := PYTHON_FILE.fullmatch(spec):
        choose = loaded(Path(python["file"]), python["function"] or USUAL_FUNCTION)
        return checked(spec, printing_aside(choose))
    return None


def is_python(spec: str) -> bool:
    """Whether it is code that plays in our own process."""
    return PYTHON_FILE.fullmatch(spec) is not None


def printing_aside(choose: Choose) -> Choose:
    """The same bot; what it prints goes to the error output, because the output is for results."""

    def choose_aside(game: Game[Any], view: View[Any], rng: Random) -> Action:
        with redirect_stdout(sys.stderr):
            return choose(game, view, rng)

    return choose_aside


def checked(spec: str, choose: Choose) -> Choose:
    """The same bot; what it does wrongly is reported with its name."""

    def choose_legally(game: Game[Any], view: View[Any], rng: Random) -> Action:
        try:
            action = choose(game, view, rng)
        except Problem:
            raise
        except (Exception, SystemExit) as error:
            raise Problem("bot_raised", bot=spec, reason=said(error)) from error
        if type(action) is not int:
            raise not_allowed(spec, game, view, repr(action))
        if action not in view.legal:
            raise not_allowed(spec, game, view, game.NOTATION.get(action, action))
        return action

    return choose_legally


def not_allowed(spec: str, game: Game[Any], view: View[Any], answer: Any) -> Problem:
    legal = [game.NOTATION[action] for action in view.legal[:MOVES_NAMED]]
    more = ", …" if len(view.legal) > MOVES_NAMED else ""
    return Problem(
        "bot_illegal", bot=spec, seat=view.seat, answer=answer, moves=", ".join(legal) + more
    )


def said(error: BaseException) -> str:
    """`ZeroDivisionError: division by zero (mybot.py, line 7)`"""
    cause = ": ".join([type(error).__name__, *str(error).splitlines()[:1]])
    if isinstance(error, SyntaxError):  # it names its file and line itself
        return cause
    if frames := traceback.extract_tb(error.__traceback__)[1:]:
        cause += f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
    return cause


def files_of(spec: str) -> dict[str, str]:
    """The files that a bot from outside is made of, as far as its name or itself tells, and their checksums."""
    words: list[str] = []
    if PROGRAM.fullmatch(spec):
        words, _ = command_of(spec)
    elif python := PYTHON_FILE.fullmatch(spec):
        file = Path(python["file"])
        words = [python["file"], *map(str, imported_beside(file)), *read_by(spec, file)]
    found = {}
    for word in words:
        try:
            found[word] = hashlib.sha256(Path(word).read_bytes()).hexdigest()
        except (OSError, ValueError):  # an argument that is no file
            continue
    return found


def read_by(spec: str, file: Path) -> list[str]:
    """What a bot says that it plays by besides its code, by a function `files`: a network that was trained, say."""
    told = getattr(module_of(file), "files", None)
    try:
        return [str(one) for one in told()] if callable(told) else []
    except Exception as error:
        raise Problem("bot_raised", bot=spec, reason=said(error)) from error


def imported_beside(file: Path) -> list[Path]:
    """The modules beside a file that it imports, and those that they import."""
    found, ahead = list[Path](), [file]
    while ahead:
        for name in imports_in(ahead.pop()):
            path = file.parent.joinpath(*name.split("."))
            for module in (path.with_suffix(".py"), path / "__init__.py"):
                if module not in (file, *found) and module.is_file():
                    found.append(module)
                    ahead.append(module)
    return sorted(found)


def imports_in(file: Path) -> set[str]:
    """Names of modules, and of what may be one; none of a file that cannot be read as Python."""
    try:
        lines = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError):
        return set()
    names = {alias.name for line in lines if isinstance(line, ast.Import) for alias in line.names}
    for line in lines:
        if isinstance(line, ast.ImportFrom) and line.module and not line.level:
            names |= {line.module} | {f"{line.module}.{alias.name}" for alias in line.names}
    return names


# -- A function in a file ---------------------------------------------------------------------


def loaded(file: Path, function: str) -> Choose:
    chosen = getattr(module_of(file), function, None)
    if not callable(chosen):
        raise Problem("bot_function_missing", file=file, function=function)
    return chosen  # type: ignore[no-any-return]


def module_of(file: Path) -> ModuleType:
    if not file.is_file():
        raise Problem("bot_file_missing", file=file)
    # Under a name of its own, by what stands in it: a bot called random.py must not hide the module of
    # that name, and an edited bot is another bot.
    try:
        content = str(file.resolve()).encode() + file.read_bytes()
    except OSError as error:
        raise Problem("bot_file_broken", file=file, reason=error.strerror) from None
    name = f"bullpen_bot_{hashlib.sha256(content).hexdigest()[:16]}"
    if name not in sys.modules:
        run_file(name, file)
    return sys.modules[name]


def run_file(name: str, file: Path) -> None:
    if (folder := str(file.resolve().parent)) not in sys.path:
        sys.path.append(folder)  # a bot may import what lies beside it
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise Problem("bot_file_broken", file=file, reason=said(error)) from error


# -- A program --------------------------------------------------------------------------------


def command_of(spec: str) -> tuple[list[str], int]:
    """The words of the command, and how many seconds an answer may take."""
    program = PROGRAM.fullmatch(spec)
    assert program is not None
    try:
        words = shlex.split(program["command"])
    except ValueError as error:
        raise Problem("bot_command", bot=spec, reason=error) from None
    if not words:
        raise Problem("bot_command", bot=spec, reason="nothing to start")
    return words, int(program["seconds"] or USUAL_SECONDS)


@cache
def spoken_to(spec: str) -> Choose:
    """Every seat gets a process of its own, so that no seat learns what another one sees."""
    command, seconds = command_of(spec)
    running: dict[str, Program] = {}

    def choose(game: Game[Any], view: View[Any], rng: Random) -> Action:
        hello = json.dumps(hello_of(game, view))
        if hello not in running or not running[hello].is_running:
            running[hello] = Program(spec, command, hello)
        answer = running[hello].ask(json.dumps(question(game, view, rng)), seconds)
        for action in view.legal:
            if game.NOTATION[action] == answer:
                return action
        raise not_allowed(spec, game, view, answer)

    return choose


def hello_of(game: Game[Any], view: View[Any]) -> dict[str, Any]:
    table = view.table
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "game": game.ID,
        "seats": table.seats,
        "seat": view.seat,
        "options": dict(table.options),
        "deck": table.deck.as_json(),
    }


def question(game: Game[Any], view: View[Any], rng: Random) -> dict[str, Any]:
    return {
        "type": "decide",
        "view": view_as_json(game, view),
        "legal": [game.NOTATION[action] for action in view.legal],
        "seed": rng.getrandbits(SEED_BITS),
    }


# -- A view as JSON ---------------------------------------------------------------------------

TOLD_ELSEWHERE = ("seats", "options", "deck", "heaps", "lying")  # fields of a table


def view_as_json(game: Game[Any], view: View[Any]) -> dict[str, Any]:
    """All that a view holds: a hidden card is null, a place without cards an empty list."""
    places = game.places(view.table)

    def named(lying: Lying) -> dict[str, list[Any]]:
        return {
            name: [card_as_json(game, card) for card in lying[at]] for name, at in places.items()
        }

    state = {
        name: cards_of(game, value) if name in view.table.MEMORY else value
        for name, value in (
            (one.name, getattr(view.table, one.name)) for one in fields(view.table) if one.compare
        )
        if name not in TOLD_ELSEWHERE
    }
    state |= game.facts(view.table)
    shown, remembered = named(view.table.lying), named(view.remembered)
    return {"seat": view.seat, "places": shown, "remembered": remembered, "state": state}


def card_as_json(game: Game[Any], card: Card) -> int | str | None:
    return None if card == UNSEEN else game.CARD_NAMES.get(card, card)


def cards_of(game: Game[Any], mask: int) -> list[int | str | None]:
    return [card_as_json(game, card) for card in range(1, mask.bit_length()) if mask >> card & 1]
