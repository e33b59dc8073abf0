"""A game from another package, rules and English words only, is played in every room."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE
from tests.server.running import Served, people, play_together, served, started_table
from tests.seventh import EXAMPLE, GAME, surroundings
from tests.terminal_session import PROMPT, REMATCH, at_first_prompt


def bullpen(*words: str) -> str:
    return run("-m", "bullpen", *words)


def run(*words: str) -> str:
    ran = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **surroundings(), "COLUMNS": "100", "BULLPEN_LANG": "en"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("seventh"), **surroundings()) as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


def test_it_is_rules_and_english_words_only() -> None:
    files = sorted(path.name for path in (EXAMPLE / "src" / "highest_takes").iterdir())
    assert [name for name in files if name != "__pycache__"] == [
        "__init__.py",
        "deck.csv",
        "rules.py",
        "words.en.toml",
    ]
    listed = (EXAMPLE / "README.md").read_text("utf-8")
    assert all(f"`src/highest_takes/{name}`" in listed for name in files if name != "__pycache__")


def test_without_it_nobody_knows_the_game() -> None:
    from bullpen.games import GAMES

    assert GAME not in GAMES


def test_in_the_terminal_it_is_played_to_the_end(tmp_path: Path) -> None:
    words = ["play", GAME, "--players", "3", "--seed", "5", "--lang", "en"]
    session = at_first_prompt(tmp_path, words, extra=surroundings())
    assert "Which card do you play?" in session.said
    assert "Your hand" in session.said
    session.type("hint")
    assert "play " in session.said
    while True:
        session.child.sendline(session.offered())
        if session.wait_for(REMATCH, PROMPT) == 0:
            break
    assert "them all" in session.said
    session.child.sendline("n")
    assert session.end() == 0
    (saved,) = (tmp_path / "data" / "bullpen" / "games").glob("*.json")
    assert json.loads(saved.read_text())["game"] == GAME
    assert "Highest Takes" in bullpen("replay", str(saved))


def test_over_the_wire_it_is_played_recorded_and_replayed(server: Served, tmp_path: Path) -> None:
    table, tokens = started_table(server.url, GAME, people(2, bots=1, level="medium"))
    first, second = asyncio.run(play_together(server.url, table, tokens))
    assert first.ended["scores"] == second.ended["scores"]
    record = httpx.get(f"{server.url}/api/tables/{table}/record", timeout=PATIENCE)
    file = tmp_path / "record.json"
    file.write_text(record.text)
    assert "valid (Highest Takes" in bullpen("verify", str(file))
    replay = httpx.get(f"{server.url}/api/tables/{table}/replay", timeout=PATIENCE).json()
    assert replay["turns"][-1]["phase"] == "over"
    assert replay["turns"][-1]["scores"] == first.ended["scores"]


def test_the_server_says_what_each_offer_means(server: Served) -> None:
    games = httpx.get(f"{server.url}/api/games?lang=pl", timeout=PATIENCE).json()["games"]
    shown = next(game for game in games if game["id"] == GAME)
    assert shown["title"] == "Highest Takes"  # in English: it has no other words
    assert [place["name"] for place in shown["places"]] == ["hand", "laid", "taken"]
    assert shown["best"] == "fewest"


def test_pettingzoo_finds_nothing_wrong_with_it() -> None:
    run(
        "-c",
        "from pettingzoo.test import api_test\n"
        "from bullpen.envs.petting import aec_env\n"
        f"api_test(aec_env('{GAME}', players=3), num_cycles=200)",
    )


def test_gymnasium_finds_nothing_wrong_with_it() -> None:
    run(
        "-c",
        "import gymnasium\nimport bullpen.envs.gym\n"
        "from gymnasium.utils.env_checker import check_env\n"
        "env = gymnasium.make('bullpen/HighestTakes-v0', players=3, level='easy', illegal='stay')\n"
        "check_env(env.unwrapped, skip_render_check=True)",
    )


def test_in_the_arena_bots_play_it(tmp_path: Path) -> None:
    words = "--bots careful,uniform,hard --players 3 --deals 2 --jobs 1"
    out = str(tmp_path / "games.jsonl")
    assert "careful" in bullpen("tournament", GAME, *words.split(), "--out", out)


def test_the_coach_gives_a_hint_and_reviews_a_game(tmp_path: Path) -> None:
    code = (
        "import bullpen, sys\n"
        "from random import Random\n"
        "from bullpen.coach.hint import hint\n"
        "from bullpen.record import save\n"
        f"match, rng = bullpen.new('{GAME}', seats=2, seed=3), Random(1)\n"
        "print(hint(match.game, match.view(0), playouts=200, seed=0).best)\n"
        "while not match.is_over:\n"
        "    seat = match.waiting_for[0]\n"
        "    match.move(seat, rng.choice(match.legal(seat)))\n"
        "save(match, sys.argv[1])\n"
    )
    file = tmp_path / "game.json"
    assert run("-c", code, str(file)).startswith("play ")
    reviewed = bullpen("review", str(file), "--playouts", "200", "--lang", "en")
    assert "Highest Takes" in reviewed


def test_what_needs_a_twin_says_so() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bullpen", "simulate", GAME, "--games", "10", "--lang", "en"],
        env={**os.environ, **surroundings()},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode != 0
    assert "Traceback" not in ran.stderr
    assert "Highest Takes" in ran.stderr or GAME in ran.stderr
