"""Simulated people whose strengths are known: ratings find them out, and say honestly how sure they are."""

from __future__ import annotations

import pytest

from benchmarks import strengths
from benchmarks.converging import World, a_world
from bullpen.games import GAMES, folder_of
from bullpen.server.strengths import NEW, of_levels


def test_intervals_hold_the_truth_in_at_least_nine_of_ten_from_few_games_to_many() -> None:
    world = a_world(people=120, seed=18)
    found = [world.until(games) for games in (10, 40, 150)]
    assert all(one.covered >= 0.9 for one in found)
    assert all(one.sure_ordered >= 0.99 for one in found)
    errors, sigmas = [one.error for one in found], [one.sigma for one in found]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < NEW.sigma / 3
    assert sigmas == sorted(sigmas, reverse=True)
    assert found[-1].ordered > 0.87


def test_people_who_are_clearly_apart_come_into_the_right_order() -> None:
    world = World([13 + 4 * at for at in range(7)], seed=18)
    world.until(400)
    order = sorted(world.known, key=lambda one: world.known[one].mu)
    assert order == list(world.truth)


def test_ten_games_against_bots_give_an_honest_first_number() -> None:
    """Alone, each against levels: right on average, and as unsure as it is."""
    for truth in (15.0, 25.0, 35.0):
        world = World([truth] * 60, seed=18)
        found = world.until(10)
        assert found.covered >= 0.9
        mean = sum(one.mu for one in world.known.values()) / len(world.known)
        assert abs(mean - truth) < abs(NEW.mu - truth) or truth == NEW.mu


@pytest.mark.parametrize("game", GAMES)
def test_the_strengths_of_the_levels_follow_from_the_page_of_levels(game: str) -> None:
    rows = [row for row in strengths.read(strengths.PAGE.read_text("utf-8")) if row.game == game]
    written = strengths.written(strengths.strengths(rows))
    assert written in (folder_of(GAMES[game]) / "__init__.py").read_text("utf-8")
    own = of_levels(game)
    assert own["easy"].mu < own["medium"].mu == NEW.mu < own["hard"].mu <= own["expert"].mu
