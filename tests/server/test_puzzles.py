"""Puzzles over the wire: seen as their seat sees them, answered, and explained in the reader's language."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import httpx
import pytest

from bullpen.coach.puzzles import match_of, puzzles_of
from bullpen.games import GAMES
from bullpen.server.puzzles import by_ease, interval
from bullpen.server.sight import places_shown
from bullpen.server.store.puzzles import Counted
from tests.patience import PATIENCE
from tests.server.running import Json, Served, checked, served
from tests.server.test_players import Device, devices

WITH_PUZZLES = [name for name, game in GAMES.items() if puzzles_of(game)]


def got(server: Served, path: str, **query: object) -> Json:
    return checked(httpx.get(f"{server.url}/api/puzzles{path}", params=query, timeout=60))  # type: ignore[arg-type]


def test_there_are_as_many_as_are_shipped(server: Served) -> None:
    found = httpx.get(f"{server.url}/api/puzzles").json()
    assert {one["game"]: one["puzzles"] for one in found} == {
        name: len(puzzles_of(game)) for name, game in GAMES.items()
    }


@pytest.mark.parametrize("game", WITH_PUZZLES)
def test_a_puzzle_shows_what_its_seat_sees_and_no_more(server: Served, game: str) -> None:
    puzzle = puzzles_of(GAMES[game])[0]
    shown = got(server, f"/{game}/1")
    match = match_of(GAMES[game], puzzle)
    lying = match.view(puzzle.seat).table.lying
    assert shown["view"]["places"] == places_shown(match.game.places(match.table), lying)
    hidden = [place for place in shown["view"]["places"].values() if isinstance(place, int)]
    assert hidden
    assert {move["move"] for move in shown["view"]["decision"]["moves"]} == set(
        match.legal(puzzle.seat)
    )


def test_a_move_is_judged_and_explained_in_the_language_of_the_reader(server: Served) -> None:
    game, puzzle = "six-nimmt", puzzles_of(GAMES["six-nimmt"])[0]
    moves = got(server, f"/{game}/1")["view"]["decision"]["moves"]
    actions = {one["move"]: one["action"] for one in moves}
    right = got(server, f"/{game}/1/answer", move=actions[puzzle.answer], lang="en")
    wrong = got(server, f"/{game}/1/answer", move=actions[puzzle.second], lang="pl")
    assert (right["right"], wrong["right"]) == (True, False)
    assert right["action"] == wrong["action"] == actions[puzzle.answer]
    assert right["said"][0].startswith("Right: ")
    assert wrong["said"][0].startswith("Nie ")
    assert len(right["said"]) > 2


def test_what_is_no_puzzle_and_no_move_is_refused(server: Served) -> None:
    url = f"{server.url}/api/puzzles"
    refused = [
        (404, "no_such_puzzle", "/six-nimmt/99999"),
        (422, "puzzle_no_move", "/six-nimmt/1/answer?move=99999"),
    ]
    for status, key, path in refused:
        answer = httpx.get(url + path)
        assert (answer.status_code, answer.json()["key"]) == (status, key)
    assert httpx.get(f"{url}/chess/1").status_code == 422
    assert httpx.get(f"{url}/six-nimmt/0").status_code == 422


# -- Who solves them ----------------------------------------------------------------------------


def actions_of(one: Device, game: str, number: int) -> dict[str, int]:
    shown = checked(one.get(f"/puzzles/{game}/{number}"))
    return {move["move"]: move["action"] for move in shown["view"]["decision"]["moves"]}


def tries(one: Device, number: int, which: str) -> bool:
    """The answer, or the second-best move; whether it was right."""
    puzzle = puzzles_of(GAMES["six-nimmt"])[number - 1]
    move = actions_of(one, "six-nimmt", number)[getattr(puzzle, which)]
    wish = {"move": move}
    answer = one.post(f"/puzzles/six-nimmt/{number}/try", json=wish, timeout=PATIENCE)
    return bool(checked(answer)["right"])


def test_the_first_try_of_a_player_counts_and_easy_puzzles_come_first(tmp_path: Path) -> None:
    with served(tmp_path) as server, devices(server, 3) as (anna, bert, looker):
        for one in (anna, bert):
            one.table()  # which makes a player of them
        assert tries(anna, 3, "answer")
        assert not tries(bert, 3, "second")
        assert tries(bert, 3, "answer")  # too late
        assert tries(anna, 2, "answer")
        assert not tries(anna, 1, "second")
        assert tries(looker, 1, "answer")  # of nobody nothing is kept
        found = checked(anna.get("/puzzles/six-nimmt"))
        counted = {one["number"]: (one["solved"], one["tries"]) for one in found["solvers"]}
        assert counted == {1: (0, 1), 2: (1, 1), 3: (1, 2)}
        assert (found["tried"], found["solved"]) == ([1, 2, 3], [2, 3])
        assert found["order"][0] == 2
        assert found["order"][-1] == 1
        assert sorted(found["order"]) == list(range(1, len(found["order"]) + 1))
        told = anna.get("/me/export").json()["puzzles"]
        assert [(one["number"], one["solved"]) for one in told] == [(3, 1), (2, 1), (1, 0)]
        checked(anna.delete("/me"))
        assert checked(anna.get("/puzzles/six-nimmt"))["tried"] == []
        with sqlite3.connect(tmp_path / "tables.db") as db:
            assert db.execute("SELECT COUNT(*) FROM puzzle_try").fetchone() == (1,)  # Bert's
        db.close()


def test_the_interval_of_solvers_is_wide_for_few_and_never_certain() -> None:
    assert interval(0, 1)[1] > 0.7
    assert interval(1, 1)[0] < 0.3
    least, most = interval(50, 100)
    assert 0.39 < least < 0.41 < 0.59 < most < 0.61
    assert interval(100, 100)[0] < 1
    assert by_ease(3, [Counted(1, 10, 1), Counted(3, 10, 9)]) == [3, 2, 1]
