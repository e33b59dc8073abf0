"""A board from what a game declares: for a game that the browser knows nothing of, shown with one that it knows."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bullpen.games import GAMES
from tests.e2e.sitting import ByKeys, Sitting, sit_down
from tests.e2e.table import DESKTOP, PHONE, SMALL_PHONE, TABLET, Visit, expect_table, fits, resize
from tests.e2e.test_accessible import faults
from tests.patience import MS

pytestmark = pytest.mark.e2e

ONE_ROUND = {"rounds": 1}
# Boxes of what lies on the table that are not wholly to be seen.
CUT_OFF = """() => {
    const room = document.querySelector('main').getBoundingClientRect();
    return [...document.querySelectorAll('main .board [data-place]')].filter((node) => {
        const box = node.getBoundingClientRect();
        return box.top < room.top - 1 || box.bottom > room.bottom + 1
            || box.left < room.left - 1 || box.right > room.right + 1;
    }).map((node) => node.dataset.place);
}"""
GENERIC = "?board=generic"


def sit_down_plainly(visit: Visit, game: str, size: tuple[int, int], **wishes: Any) -> Page:
    page = sit_down(visit, game, size, **wishes)
    page.goto(page.url + GENERIC)
    expect_table(page)
    return page


def test_a_whole_game_is_played_by_mouse(visit: Visit) -> None:
    page = sit_down_plainly(visit, "x-nimmt", PHONE, options=ONE_ROUND)
    Sitting(page).play_to_the_end()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_a_whole_game_is_played_by_keyboard_alone(visit: Visit) -> None:
    page = sit_down_plainly(visit, "x-nimmt", DESKTOP, options=ONE_ROUND)
    ByKeys(page, seed=1).play_to_the_end()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_every_place_that_is_declared_lies_on_the_table(visit: Visit) -> None:
    page = sit_down_plainly(visit, "x-nimmt", PHONE, options=ONE_ROUND)
    places = page.locator("main [data-place]").evaluate_all(
        "places => places.map(place => place.dataset.place)"
    )
    assert places == ["row 1", "row 2", "row 3", "collected", "x row 0", "x pile 0"]
    expect(page.get_by_role("group", name=re.compile("^Row [123]:"))).to_have_count(3)
    for size in (PHONE, SMALL_PHONE, TABLET, DESKTOP):
        resize(page, size)
        assert fits(page), size


@pytest.mark.parametrize("game", GAMES)
def test_every_game_lies_wholly_in_its_room(visit: Visit, game: str) -> None:
    page = sit_down_plainly(visit, game, DESKTOP, seats=3)
    for size in (DESKTOP, PHONE):
        resize(page, size)
        assert page.evaluate(CUT_OFF) == [], size


@pytest.mark.parametrize("game", ["hornochsen", "eleven-nimmt"])
def test_there_is_no_place_for_a_pile_that_nobody_can_begin(visit: Visit, game: str) -> None:
    page = sit_down_plainly(visit, game, DESKTOP)
    Sitting(page, patience=MS).pick(0)
    expect(page.locator("main .pile.aim").first).to_be_visible()
    expect(page.locator("main [data-target='new']")).to_have_count(0)


@pytest.mark.parametrize(("language", "size"), [("en", PHONE), ("pl", DESKTOP)])
def test_it_has_no_faults(visit: Visit, language: str, size: tuple[int, int]) -> None:
    page = sit_down_plainly(visit, "x-nimmt", size, language=language)
    assert faults(page) == []
