"""Whole games in words are as they were; if a change is meant, `make playthroughs` and read the diff."""

from __future__ import annotations

from difflib import unified_diff

import pytest

import bullpen
from bullpen.games import GAMES
from tests import playthroughs


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_as_it_was(name: str) -> None:
    path = playthroughs.FOLDER / f"{name}.txt"
    was, now = path.read_text("utf-8").splitlines(), playthroughs.told(name).splitlines()
    difference = list(unified_diff(was, now, f"{path.name}, as it was", "now", lineterm="", n=6))
    if difference:
        pytest.fail(
            "\n".join([*difference[:60], "If this is meant: make playthroughs"]), pytrace=False
        )


def test_every_game_is_told() -> None:
    assert set(playthroughs.GAMES) == set(GAMES)
    assert {path.stem for path in playthroughs.FOLDER.glob("*.txt")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_every_event_can_be_told(name: str) -> None:
    """Also those that do not happen in the game that is told."""
    values: dict[str, object] = {
        "cards": [1, 2],
        "bids": [0, None],
        "specials": ["x2"],
        "bulls": [4],
    }
    for event, fields in bullpen.GAMES[name].EVENTS.items():
        sentence = playthroughs.in_words({"event": event} | {f: values.get(f, 7) for f in fields})
        assert "{" not in sentence
        assert "None" not in sentence
