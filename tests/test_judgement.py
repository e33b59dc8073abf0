"""One judgement for `expert`, hints, reviews and puzzles: the way that is proven with this game and number of players."""

from __future__ import annotations

from random import Random

import pytest

import bullpen
from bullpen.bots import bot_called, readiness
from bullpen.bots.judgement import evaluate, grows_trees
from bullpen.bots.levels import LEVELS
from bullpen.games import GAMES

hornochsen = GAMES["hornochsen"]


def test_expert_is_the_judgement() -> None:
    assert LEVELS["expert"].bot == "judgement"


@pytest.mark.parametrize(("players", "way"), [(2, "search"), (4, "guessing")])
def test_hornochsen_is_judged_by_trees_with_two_players_only(players: int, way: str) -> None:
    view = bullpen.new("hornochsen", players, seed=5).view(0)
    assert grows_trees(hornochsen, view) == (way == "search")
    for chance in range(3):
        judged, by_the_way = (
            bot_called(f"{name}:playouts=900")(hornochsen, view, Random(chance))
            for name in ("judgement", way)
        )
        assert judged == by_the_way


def test_what_trees_say_is_counted_when_a_third_of_the_effort_has_made_them_grow() -> None:
    view = bullpen.new("hornochsen", 2, seed=5).view(0)
    shared = 90 * len(view.legal)
    evaluations = evaluate(hornochsen, view, playouts=shared, seed=1)
    assert {one.playouts for one in evaluations} == {60}
    assert evaluations == evaluate(hornochsen, view, playouts=shared, seed=1)


def test_whatever_judges_is_compiled_before_the_first_decision() -> None:
    assert readiness.ways_of("judgement", hornochsen) == ("guessing", "search")
    assert readiness.ways_of("judgement", GAMES["x-nimmt"]) == ("guessing",)
    assert readiness.ways_of("montecarlo", hornochsen) == ("montecarlo",)
