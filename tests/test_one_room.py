"""A folder is a game: nothing outside of it names one."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from pathlib import Path

import pytest

from bullpen.games import GAMES

ROOT = Path(__file__).parent.parent
NAMES = [
    *GAMES,
    *(game.replace("-", "_") for game in GAMES),
    *(g.title().replace("-", "") for g in GAMES),
    *(game.TITLE for game in GAMES.values()),
]
NAMED = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, NAMES))})(?![\w-])")
# Where a game may be named: its folder, its board and words in the browser, what people read, and what tries, measures or
# shows one game or another.
ROOMS = (
    "docs/",
    "tests/",
    "web/tests/",
    "benchmarks/",
    "examples/",
    "src/bullpen/games/",
    "src/bullpen/locale/",  # examples in help pages
    "src/bullpen/arena/family-1.json",  # the frozen benchmark of the six
    "web/src/games/",
    "web/src/i18n/",
)
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
        if not file.startswith(ROOMS) and not file.endswith(".md")
        for number, line in named_in(ROOT / file)
        if not line.startswith("description = ")  # of the package, for people
    ]
    assert not found, "\n".join(found)


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
