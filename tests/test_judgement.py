"""One judgement for `expert`, hints, reviews and puzzles: the way that is proven with this game and number of players."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from random import Random
from statistics import fmean

import numpy as np
import pytest

import bullpen
from bullpen.bots import bot_called, readiness
from bullpen.bots.judgement import evaluate, judge_for
from bullpen.bots.levels import LEVELS
from bullpen.bots.search import TreeSearch
from bullpen.games import GAMES, about, package

hornochsen = GAMES["hornochsen"]


def test_expert_is_the_judgement() -> None:
    assert LEVELS["expert"].bot == "judgement"


@pytest.mark.parametrize(("players", "by_trees"), [(2, True), (3, False), (4, False)])
def test_hornochsen_is_judged_by_trees_with_two_players_only(players: int, by_trees: bool) -> None:
    view = bullpen.new("hornochsen", players, seed=5).view(0)
    assert isinstance(judge_for(hornochsen, view, 1), TreeSearch) == by_trees


@pytest.mark.parametrize("game", ["bullenparty", "x-nimmt"])
def test_two_games_are_judged_by_trees_with_any_number_of_players(game: str) -> None:
    for players in GAMES[game].SEATS:
        view = bullpen.new(game, players, seed=5).view(0)
        assert isinstance(judge_for(GAMES[game], view, 1), TreeSearch)


def test_where_nothing_else_is_proven_it_is_judged_by_playouts_alone() -> None:
    view = bullpen.new("hornochsen", 4, seed=5).view(0)
    for chance in range(3):
        judged, played_on = (
            bot_called(f"{name}:playouts=900")(hornochsen, view, Random(chance))
            for name in ("judgement", "montecarlo")
        )
        assert judged == played_on


def test_what_the_coach_finds_far_better_the_bot_plays() -> None:
    match = bullpen.new("hornochsen", 2, seed=5)
    careful, rng, clear = bot_called("careful"), Random(5), 0
    while not match.is_over:
        seat = match.waiting_for[0]
        view = match.view(seat)
        best, *others = sorted(
            evaluate(hornochsen, view, playouts=4000, seed=1), key=lambda one: one.behind
        )
        if others and others[0].behind > 5 * others[0].behind_error:
            clear += 1
            assert bot_called("judgement:playouts=4000")(hornochsen, view, rng) == best.action
        match.act(seat, careful(hornochsen, view, rng))
    assert clear > 1


def test_two_looks_by_trees_differ_no_more_than_their_errors_say() -> None:
    match, careful, rng = bullpen.new("hornochsen", 2, seed=6), bot_called("careful"), Random(6)
    apart = []
    while not match.is_over:
        seat = match.waiting_for[0]
        view = match.view(seat)
        if len(view.legal) > 2 and rng.random() < 1 / 3:
            looks = [evaluate(hornochsen, view, playouts=20_000, seed=seed) for seed in (1, 10**9)]
            apart += [
                abs(one.lead - other.lead) / hypot(one.error, other.error)
                for one, other in zip(*looks, strict=True)
            ]
        match.act(seat, careful(hornochsen, view, rng))
    assert len(apart) > 50
    assert fmean(one < 3 for one in apart) > 0.95


def test_whatever_judges_is_compiled_before_the_first_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert readiness.ways_of("expert", hornochsen) == ("playouts", "trees")
    monkeypatch.setattr(package("x-nimmt"), "ABOUT", replace(about(GAMES["x-nimmt"]), trees=()))
    assert readiness.ways_of("expert", GAMES["x-nimmt"]) == ("playouts",)
    assert readiness.ways_of("hard", hornochsen) == ("playouts",)
    assert readiness.ways_of("guessing:ms=5", GAMES["x-nimmt"]) == ("playouts", "guesses")
    assert readiness.ways_of("medium", hornochsen) == ()


def test_what_trees_are_told_to_play_they_play_and_tell() -> None:
    view = bullpen.new("hornochsen", 2, seed=5).view(0)
    for tables in (3, 8, 83):
        found = evaluate(hornochsen, view, playouts=tables * len(view.legal), seed=1)
        assert {one.playouts for one in found} == {max(8, tables // 8 * 8)}
    assert len(TreeSearch(hornochsen, view, 1).play_out(np.array(view.legal), 83).leads) == 83
