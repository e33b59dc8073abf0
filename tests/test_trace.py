"""Traces of every game, read by a referee that shares no code with the games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bullpen.deck import Deck, load_deck
from bullpen.game import Game
from bullpen.games import GAMES
from bullpen.trace import trace
from tests.referee import check
from tests.walks import PREFER, Setup, every_setup, set_up

TABLES = [(game, seats) for game in GAMES.values() for seats in game.SEATS]
AT_EVERY_TABLE = pytest.mark.parametrize(
    ("game", "seats"), TABLES, ids=[f"{game.ID}-{seats}" for game, seats in TABLES]
)
FOR_EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def lines(setup: Setup, seed: int, prefer: str = "", deck: Deck | None = None) -> list[str]:
    return list(
        trace(setup.game, setup.seats, setup.options, deck or setup.deck, seed, prefer=prefer)
    )


def with_memory_aid(setup: Setup) -> Setup:
    return setup._replace(options={**setup.options, "memory_aid": True})


# -- What the referee says ------------------------------------------------------------------------


@AT_EVERY_TABLE
def test_the_referee_finds_nothing_with_any_options(game: Game[Any], seats: int) -> None:
    for number, setup in enumerate(every_setup(game, seats)):
        for seed in (2 * number, 2 * number + 1):
            traced = lines(setup, seed)
            assert check(traced) == [], f"{setup}, seed {seed}"
        assert lines(with_memory_aid(setup), seed)[1:] == traced[1:]


@AT_EVERY_TABLE
def test_the_referee_finds_nothing_where_a_move_is_preferred(game: Game[Any], seats: int) -> None:
    for seed, prefer in enumerate(PREFER[game.ID]):
        assert check(lines(set_up(game, seats, memory_aid=True), seed, prefer)) == [], prefer


@FOR_EVERY_GAME
def test_the_referee_finds_nothing_in_a_stream_of_several_games(game: Game[Any]) -> None:
    setup = set_up(game, game.SEATS[0])
    assert check([line for seed in range(3) for line in lines(setup, seed)]) == []


EVERY_SETUP = [setup for game, seats in TABLES for setup in every_setup(game, seats)]


@pytest.mark.soak
@pytest.mark.parametrize("setup", EVERY_SETUP, ids=repr)
def test_the_referee_finds_nothing_in_a_thousand_games(setup: Setup) -> None:
    """With `memory_aid` and without; and twenty-five games more for every preferred move."""
    problems: list[str] = []
    for seed in range(1000):
        traced = lines(setup, seed)
        problems += [f"seed {seed}: {problem}" for problem in check(traced)]
        if lines(with_memory_aid(setup), seed)[1:] != traced[1:]:
            problems.append(f"seed {seed}: memory_aid changes the game")
    for prefer in PREFER[setup.game.ID]:
        for seed in range(1000, 1025):
            traced = lines(with_memory_aid(setup), seed, prefer)
            problems += [f"{prefer!r}, seed {seed}: {problem}" for problem in check(traced)]
    assert problems == []


# -- The form -------------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_the_same_seed_gives_the_same_trace(game: Game[Any]) -> None:
    setup = set_up(game, game.SEATS[-1])
    assert lines(setup, 7) == lines(setup, 7)
    assert lines(setup, 7)[1:] != lines(setup, 8)[1:]


@FOR_EVERY_GAME
def test_a_trace_begins_with_all_options_and_the_deck_and_ends_with_the_result(
    game: Game[Any],
) -> None:
    setup = set_up(game, game.SEATS[0])
    first, *_, last = map(json.loads, lines(setup, 1))
    assert list(first) == ["game", "players", "options", "deck"]
    assert first["options"] == setup.options
    assert set(first["options"]) == {option.name for option in game.OPTIONS}
    assert first["deck"] == setup.deck.as_json()
    assert list(last) == ["scores", "winners"]
    assert len(last["scores"]) == setup.seats
    assert last["winners"] == sorted(last["winners"]) != []


@FOR_EVERY_GAME
def test_a_line_is_one_compact_json_object(game: Game[Any]) -> None:
    for line in lines(set_up(game, game.SEATS[0]), 1):
        assert line == json.dumps(json.loads(line), separators=(",", ":"))


@FOR_EVERY_GAME
def test_a_preferred_move_is_taken_about_nine_times_in_ten(game: Game[Any]) -> None:
    """Where it is legal, and not the only move."""
    prefer = PREFER[game.ID][0]
    taken = offered = 0
    for seed in range(12):
        for line in map(json.loads, lines(set_up(game, game.SEATS[-1]), seed, prefer)):
            preferred = [move for move in line.get("legal", ()) if move.startswith(prefer)]
            if 0 < len(preferred) < len(line.get("legal", ())):
                offered += 1
                taken += line["move"] in preferred
    assert offered > 20
    assert 0.8 < taken / offered < 1


# -- Custom decks -----------------------------------------------------------------------------------


def own_decks(tmp_path: Path, game: Game[Any]) -> Iterator[Path]:
    """For every deck file of a game one of the same form with its faces in another order."""
    for form in game.DECK_FILES:
        header, *rows = form.path.read_text().split()
        numbers, faces = zip(*[row.split(",", maxsplit=1) for row in rows], strict=True)
        if game.ID == "baron-oxx":  # the two Barons must keep their faces
            moved = [face for at, face in enumerate(faces, start=1) if at not in (52, 104)]
            moved = [*moved[1:], moved[0]]
            faces = (*moved[:51], faces[51], *moved[51:102], faces[103], *moved[102:])
        else:
            faces = (*islice(faces, 1, None), faces[0])
        path = tmp_path / f"own-{form.path.name}"
        path.write_text("\n".join([header, *map(",".join, zip(numbers, faces, strict=True))]))
        yield path


@FOR_EVERY_GAME
def test_a_custom_deck_is_traced_and_only_changes_what_the_cards_show(
    game: Game[Any], tmp_path: Path
) -> None:
    setup = set_up(game, game.SEATS[0])
    deck = load_deck(game.DECK_FILES, list(own_decks(tmp_path, game)))
    assert deck.basis == "own"
    assert deck.as_json() != setup.deck.as_json()
    for seed in range(3):
        traced = lines(setup, seed, deck=deck)
        assert json.loads(traced[0])["deck"] == deck.as_json()
        assert check(traced) == []
        assert traced[1] == lines(setup, seed)[1]  # the same shuffle
