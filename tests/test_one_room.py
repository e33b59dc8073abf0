"""A folder is a game: nothing outside of it names one."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from bullpen.game import OneOf
from bullpen.games import GAMES, folder_of
from bullpen.languages import LOCALE

ROOT = Path(__file__).parent.parent
TITLES = [game.TITLE for game in GAMES.values()]
NAMES = [
    *GAMES,
    *(game.replace("-", "_") for game in GAMES),
    *(g.title().replace("-", "") for g in GAMES),
    *TITLES,
]
NAMED = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, NAMES))})(?![\w-])")
# Where a game may be named: its folder, its board in the browser, what people read, and what tries, measures or
# shows one game or another.
ROOMS = (
    "docs/",
    "tests/",
    "web/tests/",
    "benchmarks/",
    "examples/",
    "src/bullpen/games/",
    "src/bullpen/locale/",  # examples in help pages: below
    "src/bullpen/arena/family-1.json",  # the frozen benchmark of the six
    "web/src/games/boards/",
)
CREDITS = "/common.ts"  # of each language
# A string before a comment, so that `//` in an address begins none; the strings stay.
STRING = r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`"""
NO_CODE = {
    ".ts": rf"({STRING})|/\*.*?\*/|//[^\n]*",
    ".svelte": rf"({STRING})|/\*.*?\*/|(?<!:)//[^\n]*|<!--.*?-->",
    ".css": rf"({STRING})|/\*.*?\*/",
    ".toml": rf"({STRING})|#[^\n]*",
}


def code_of(path: Path) -> str:
    """A file line by line without what only people read in it."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return python_code_of(text)
    comments = NO_CODE.get(path.suffix)  # elsewhere all of it counts
    return text if comments is None else re.sub(comments, kept, text, flags=re.DOTALL)


def kept(found: re.Match[str]) -> str:
    """A string as it is; of a comment its lines."""
    return found[1] or "\n" * found[0].count("\n")


def python_code_of(text: str) -> str:
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for first, last in docstrings_in(ast.parse(text)):
        lines[first - 1 : last] = [""] * (last - first + 1)
    return "\n".join(lines)


def docstrings_in(tree: ast.Module) -> list[tuple[int, int]]:
    """From line to line."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    firsts = [node.body[0] for node in ast.walk(tree) if isinstance(node, documented) and node.body]
    return [
        (first.lineno, first.end_lineno or first.lineno)
        for first in firsts
        if isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ]


def named_in(path: Path) -> list[tuple[int, str]]:
    lines = code_of(path).splitlines()
    return [(at, line.strip()) for at, line in enumerate(lines, start=1) if NAMED.search(line)]


def test_nothing_outside_a_folder_names_a_game() -> None:
    words = [word for name in NAMES for word in ("-e", name)]
    files = subprocess.run(
        ["git", "grep", "-lIF", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = [
        f"{file}:{number}: {line}"
        for file in files
        if not file.startswith(ROOMS) and not file.endswith((".md", CREDITS))
        for number, line in named_in(ROOT / file)
        if not line.startswith("description = ")  # of the package, for people
    ]
    assert not found, "\n".join(found)


def test_words_for_all_games_name_one_only_to_show_a_command() -> None:
    """`bullpen play x-nimmt`, over one line or two."""
    named = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, [*GAMES, *TITLES]))})(?![\w-])")
    for words in LOCALE.glob("*.toml"):
        for line in code_of(words).splitlines():
            command = re.search(r"\bbullpen [a-z]|^ +--", line)
            assert not named.search(line) or command, f"{words.name}: {line}"


def own_words(part: str, *parts: str) -> dict[str, set[str]]:
    """By game: what its folder says there, in all languages."""
    found: dict[str, set[str]] = {}
    for game in GAMES.values():
        for path in folder_of(game).glob("words.*.toml"):
            said = tomllib.loads(path.read_text("utf-8")).get(part, {})
            for name in parts:
                said = said.get(name, {})
            found.setdefault(game.ID, set()).update(said)
    return found


def test_a_word_that_only_one_game_types_stands_with_that_game() -> None:
    typed = {
        game.ID: {
            word for move in game.NOTATION.values() for word in move.split() if word.isalpha()
        }
        for game in GAMES.values()
    }
    having = Counter(word for words in typed.values() for word in words)
    own = own_words("terminal", "typed")
    for game, words in typed.items():
        assert own[game] == {word for word in words if having[word] == 1}, game


def test_what_only_one_games_rules_refuse_is_said_by_that_game() -> None:
    refused = {
        game.ID: set(
            re.findall(r'BadOption\(\s*"(\w+)"', (folder_of(game) / "rules.py").read_text())
        )
        for game in GAMES.values()
    }
    assert own_words("problems") == refused


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.py", 'x = "x-nimmt"  # a comment', [1]),
        ("a.py", 'x = f"`{six_nimmt}`"', [1]),
        ("a.py", "if game == 'Baron Oxx':\n    pass", []),
        ("a.py", "if game == '6 nimmt! Baron Oxx':\n    pass", [1]),
        ("a.py", '"""As `x-nimmt`\n\n>>> new("x-nimmt")\n"""\ny = 1  # x-nimmt', []),
        ("a.py", 'def f():\n    """`x-nimmt`"""\n    """x-nimmt"""', [3]),
        ("a.ts", "const x = `x-nimmt`; // why", [1]),
        ("a.ts", "// x-nimmt\n/* x_nimmt\n x-nimmt */ const y = 'http://a'; // x-nimmt", []),
        ("a.ts", "const y = 'http://a'; const x = 'x-nimmt';", [1]),
        ("a.svelte", "<!-- x-nimmt\n x-nimmt -->\n<p>x-nimmt</p>", [3]),
        ("a.css", "/* x-nimmt */\n.x-nimmt { color: red; }", [2]),
        ("a.toml", "# x-nimmt\nx = 'x-nimmt' # y", [2]),
        ("Makefile", "play:\n\tbullpen play x-nimmt", [2]),
        ("a.sh", "bullpen play x_nimmt", [1]),
    ],
)
def test_what_names_a_game_is_found_and_what_people_read_is_not(
    tmp_path: Path, name: str, text: str, lines: list[int]
) -> None:
    (tmp_path / name).write_text(text)
    assert [number for number, _ in named_in(tmp_path / name)] == lines


# In the boards: no nearest row, no regular expression over notation, nothing that knows whether few points are good, and
# no card that is compared with another one.
RULES_OF_A_BOARD = re.compile(
    r"offer\.move|numberAfter|nearestRow|best:\s*'|FULL_AT|LONGEST|CARDS_A_TURN"
    r"|\b(card|end|top)\s*[<>]=?\s*(card|end|top)\b"
)
# Anywhere: heads are added up to be shown, but neither compared with others nor called good or bad.
HEADS_JUDGED = re.compile(
    r"heads(Of|On)?\([^()]*\)\s*[<>]=?\s*heads|\btoneOf|=== '(fewest|most)'\W+\s*'(good|bad)'"
)


def test_the_browser_has_no_rules() -> None:
    source = ROOT / "web" / "src"
    for path in (*source.rglob("*.ts"), *source.rglob("*.svelte")):
        code = code_of(path)
        assert not HEADS_JUDGED.search(code), path.name
        assert "games" not in path.parts or not RULES_OF_A_BOARD.search(code), path.name


def test_what_only_one_game_can_be_set_to_is_named_in_its_folder() -> None:
    having = Counter(option.name for game in GAMES.values() for option in game.OPTIONS)
    shared = {name for name, games in having.items() if games > 1}
    for words in (ROOT / "web" / "src" / "i18n").glob("*/lobby.ts"):
        named = set(re.findall(r"\b(?:option|value)_(\w+):", words.read_text("utf-8")))
        assert named - {"default"} == shared, words


def test_a_place_that_only_one_game_has_is_called_by_that_game() -> None:
    families = {
        game.ID: {one.name for one in game.rules.places.families} for game in GAMES.values()
    }
    having = Counter(name.replace(" ", "_") for names in families.values() for name in names)
    for words in (ROOT / "web" / "src" / "i18n").glob("*/games.ts"):
        for name in re.findall(r"\bplace_(\w+):", words.read_text("utf-8")):
            assert having[name] > 1, f"{words}: {name}"


def test_every_option_and_value_of_a_game_has_a_name_in_every_language() -> None:
    lobby = (ROOT / "web" / "src" / "i18n" / "en" / "lobby.ts").read_text("utf-8")
    for game in GAMES.values():
        folder = ROOT / "src" / "bullpen" / "games" / game.ID.replace("-", "_")
        wanted = {f"option_{option.name}" for option in game.OPTIONS} | {
            f"value_{value}"
            for option in game.OPTIONS
            if isinstance(option.kind, OneOf)
            for value in option.kind.values
        }
        own = {key for key in wanted if f"{key}:" not in lobby}
        for words in folder.glob("words.*.toml"):
            assert own <= tomllib.loads(words.read_text("utf-8"))["browser"].keys(), words
