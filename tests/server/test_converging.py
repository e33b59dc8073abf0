"""Simulated people whose strengths are known: ratings find them out, and say honestly how sure they are."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean, stdev

import pytest

from benchmarks import levels, strengths
from benchmarks.converging import World, a_world
from bullpen.arena.tournament import play
from bullpen.games import GAMES, about, folder_of
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


def test_of_all_tables_on_the_page_only_the_rows_of_levels_are_read() -> None:
    page = """
| game | players | one | among | deals | win share | 95 % | even | lead in points |
|---|---:|---|---|---:|---:|---|---:|---:|
| x-nimmt | 2 | hard | medium | 60 | 85.4% | 79.6% to 91.2% | 50% | +19.29 ± 3.20 |
| x-nimmt | 4 | expert:playouts=3000 | hard | 14 | 42.9% | 33.9% to 52.7% | 25% | -1.20 ± 3.44 |
| x-nimmt | 4 | 3,000 | 14 | +1.14 ± 0.83 | 30.2 ± 4.5 % |
"""
    first, second = strengths.read(page)
    assert first == pytest.approx(("x-nimmt", 2, "hard", "medium", 60, 0.854, 0.796, 0.912))
    assert second == pytest.approx(("x-nimmt", 4, "expert", "hard", 14, 0.429, 0.339, 0.527))


def test_the_lead_of_a_level_is_the_mean_over_deals_with_their_interval() -> None:
    played = play("six-nimmt", table=("medium", "uniform", "uniform"), deals=6, jobs=1)
    by_deal = defaultdict(list)
    for outcome in played.outcomes:
        own = outcome.scores[outcome.bots.index("medium")]
        others = (sum(outcome.scores) - own) / 2
        by_deal[outcome.deal].append(others - own)  # the fewest win
    means = [fmean(leads) for leads in by_deal.values()]
    assert [len(leads) for leads in by_deal.values()] == [3] * 6
    assert fmean(means) > 0
    off = 1.96 * stdev(means) / 6**0.5
    assert levels.lead_of("medium", played) == f"{fmean(means):+.2f} ± {off:.2f}"


@pytest.mark.parametrize("game", GAMES)
def test_the_strengths_of_the_levels_follow_from_the_page_of_levels(game: str) -> None:
    rows = [row for row in strengths.read(strengths.PAGE.read_text("utf-8")) if row.game == game]
    written = strengths.written(strengths.strengths(rows))
    assert written in (folder_of(GAMES[game]) / "__init__.py").read_text("utf-8")
    own = of_levels(game)
    assert own["easy"].mu < own["medium"].mu == NEW.mu < own["hard"].mu <= own["expert"].mu


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_ratings_tells_the_strengths_of_the_levels(game: str) -> None:
    page = (strengths.PAGE.parent / "ratings.md").read_text("utf-8")
    told = " | ".join(
        f"{mu:.0f} ± {sigma:.0f}" if level == "medium" else f"{mu:.1f} ± {sigma:.1f}"
        for level, (mu, sigma) in zip(strengths.LEVELS, about(GAMES[game]).strengths, strict=True)
    )
    assert f"| {GAMES[game].TITLE} | {told} |" in page
