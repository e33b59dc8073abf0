"""What a view shows by the names of the places, for every game."""

from __future__ import annotations

import rlcompleter

import pytest

import bullpen
from bullpen.cards import UNSEEN, Problem
from bullpen.games import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_hand_and_the_rows_are_those_that_lie_at_the_table(game: str) -> None:
    match = bullpen.new(game, seats=2, seed=3)
    for seat in match.waiting_for:
        view = match.view(seat)
        places = match.game.places(view.table)
        assert view.hand == view.table.lying[places[f"hand {seat}"]] == view.cards("hand")
        assert set(view.cards(f"hand {1 - seat}")) == {UNSEEN}
        assert view.rows == {name: view.table.lying[places[name]] for name in view.rows}
        kinds = {name.partition(" ")[0] for name in view.rows}
        assert kinds in ({"row"}, {"stack"})


def test_rows_that_come_and_go_keep_their_names() -> None:
    match = bullpen.new("eleven-nimmt", seats=2, seed=3)
    while len(match.view(0).rows) < 2:
        seat = match.waiting_for[0]
        match.move(
            seat, next((m for m in match.legal(seat) if m.startswith("take")), match.legal(seat)[0])
        )
    assert list(match.view(0).rows) == [
        name for name in match.game.places(match.table) if "stack" in name
    ]


def test_a_place_that_is_not_there_is_refused_with_those_that_are() -> None:
    view = bullpen.new("x-nimmt", seats=2, seed=1).view(0)
    with pytest.raises(Problem, match="row 1, row 2, row 3, collected, hand 0"):
        view.cards("row 4")


def test_a_spectator_has_no_hand() -> None:
    with pytest.raises(Problem, match="spectator"):
        _ = bullpen.new("x-nimmt", seats=2, seed=1).view(None).hand


def test_all_names_of_the_library_are_found_by_dir_and_by_completion() -> None:
    assert {*bullpen.__all__, "__version__"} <= set(dir(bullpen))
    completer = rlcompleter.Completer({"bullpen": bullpen})
    found = [completer.complete("bullpen.n", number) for number in range(3)]
    assert "bullpen.new(" in found


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"seats": "2"}, "must be a whole number, not '2'"),
        ({"seats": 2, "seed": "a"}, "a seed must be a whole number, not 'a'"),
        ({"seats": 2, "seed": 1.5}, "a seed must be a whole number, not 1.5"),
    ],
)
def test_a_number_that_is_none_is_refused_as_that(wish: dict[str, object], said: str) -> None:
    with pytest.raises(Problem) as refused:
        bullpen.new("x-nimmt", **wish)  # type: ignore[arg-type]
    assert said.lower() in str(refused.value).lower()
