"""Where compiled code is kept, and what happens where it cannot be kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bullpen import fast
from bullpen.cards import Problem
from bullpen.fast import compiling

PLAY_ONE = """
from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES
x_nimmt = GAMES['x-nimmt']
from bullpen.arena.simulation import simulate
options = complete_options(x_nimmt, 2, {})
print(simulate(x_nimmt, 2, options, load_deck(x_nimmt.DECK_FILES), 3, 1, 1).games)
"""


def test_a_folder_that_cannot_be_written_is_said_and_everything_works_without(
    tmp_path: Path,
) -> None:
    file = tmp_path / "not a folder"
    file.write_text("")
    environment = {**os.environ, "BULLPEN_CACHE": str(file)}
    ran = subprocess.run(
        [sys.executable, "-c", PLAY_ONE],
        check=True,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.stdout.strip() == "3"
    assert "cannot be written" in ran.stderr
    assert "BULLPEN_CACHE" in ran.stderr


def test_the_folder_is_named_by_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change in any source gives another folder, so no stale code is ever run."""
    package = tmp_path / "bullpen"
    for name in (
        "cards.py",
        "deck.py",
        "game.py",
        "games/x/rules.py",
        "games/x/deck.csv",
        "fast/x.py",
    ):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("")
    monkeypatch.setattr(compiling, "PACKAGE", package)
    before = compiling.cache_folder()
    assert compiling.cache_folder() == before
    (package / "games/x/rules.py").write_text("HAND_SIZE = 9")
    assert (other_rules := compiling.cache_folder()) != before
    (package / "games/x/deck.csv").write_text("1,7")
    assert compiling.cache_folder() not in (before, other_rules)


def test_what_a_compiled_game_is_is_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes longer than a decision with few playouts, and every decision asks for its twin."""
    from bullpen.fast import dispatch

    twin = fast.twin("x-nimmt")
    monkeypatch.setattr(dispatch, "from_dtype", None)  # whoever asks again would fail
    assert fast.twin("x-nimmt") is twin
    assert twin in dispatch.TWINS.values()


def test_without_numba_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bullpen.fast.dispatch", raising=False)
    monkeypatch.delattr(fast, "dispatch", raising=False)
    monkeypatch.setitem(sys.modules, "numba.extending", None)
    with pytest.raises(Problem) as refused:
        fast.twin("x-nimmt")
    assert refused.value.key == "fast_missing"


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
from random import Random
import bullpen
from bullpen.bots import bot_called
from bullpen.bots.readiness import is_ready
from bullpen.cards import Problem
from bullpen.coach.hint import hint
match = bullpen.new("x-nimmt", 2, seed=1)
for ask in (
    lambda: hint(match.game, match.view(0)),
    lambda: bot_called("hard")(match.game, match.view(0), Random(1)),
    lambda: is_ready("hard", match.game),
):
    try:
        ask()
    except Problem as problem:
        print(problem.key)
"""


def test_without_numba_who_needs_compiled_code_is_told_so() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], check=True, capture_output=True, text=True
    )
    assert ran.stdout.split() == ["fast_missing"] * 3


# Functions that are called by their names, not copied into whoever calls them: they are too long for that.
TWO_RECORDS = """
import sys
import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype
from bullpen.fast.compiling import compiled

WANTED = [np.dtype([(name, np.int64)]) for name in sys.argv[1:]]
NAMES = {from_dtype(dtype): name for dtype, name in zip(WANTED, sys.argv[1:])}

def number(state):
    "What is found by the type of the record, as a game's functions are."

@overload(number)
def _number(state):
    found = int(NAMES[state][-1])
    return lambda state: found

@compiled
def long_way(state, x):
    MANY_LINES
    return number(state) + (x == 987654321)

@compiled
def all_numbers(states):
    found = 0
    for at in range(states.size):
        found = 10 * found + long_way(states[at], at)
        found = 10 * found + long_way(states[at], -at)
    return found

print(*(all_numbers(np.zeros(1, dtype)) for dtype in WANTED))
""".replace("MANY_LINES", "; ".join(f"x = (x * {line} + 1) ^ (x >> 3)" for line in range(3, 203)))


def test_games_compiled_by_two_processes_keep_their_own_code_in_a_third(tmp_path: Path) -> None:
    script = tmp_path / "records.py"
    script.write_text(TWO_RECORDS)

    def run(*names: str) -> str:
        environment = {**os.environ, "BULLPEN_CACHE": str(tmp_path)}
        command = [sys.executable, str(script), *names]
        return subprocess.check_output(command, env=environment, text=True).strip()

    assert run("game_1") == "11"
    assert run("game_2") == "22"
    assert run("game_1", "game_2") == "11 22"
    assert list(tmp_path.rglob("records.all_numbers*.nbc")), "nothing was kept"
