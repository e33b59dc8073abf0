"""A game from another package in the browser: found in the lobby, begun and played by clicks, on the board for all."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.sitting import ByKeys, Sitting
from tests.e2e.table import DESKTOP, PHONE, Visit, expect_table, fits, play_now
from tests.e2e.test_accessible import faults
from tests.patience import MS
from tests.server.running import Served, served
from tests.seventh import surroundings

pytestmark = pytest.mark.e2e

TITLE = "Highest Takes"


@pytest.fixture(scope="module")
def seventh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    settings = {"BULLPEN_MESSAGES": "1000000", "BULLPEN_OPEN_SECONDS": "60"}
    with served(tmp_path_factory.mktemp("seventh-e2e"), **settings, **surroundings()) as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


@pytest.fixture
def visit_seventh(chromium: Browser, seventh: Served) -> Iterator[Visit]:
    made: list[tuple[BrowserContext, Page, list[str]]] = []
    yield Visit(chromium, seventh.url, made)
    for context, _, _ in made:
        context.close()
    assert not [line for _, _, lines in made for line in lines]


def scores_shown(page: Page) -> list[int]:
    return [int(text) for text in page.locator("dialog[open] li b[title]").all_inner_texts()]


def check_result(page: Page) -> None:
    """The fewest points stand first, and are said to win."""
    result = page.locator("dialog[open]")
    expect(result.get_by_text("Minus points: the lowest score wins.")).to_be_visible()
    shown = scores_shown(page)
    assert len(shown) >= 2
    assert shown == sorted(shown)
    assert sum(shown) > 0
    expect(result.locator("li:has(b[title])").first.locator("svg")).to_be_visible()  # the crown


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_it_is_begun_and_played_to_the_end_by_clicks(
    visit_seventh: Visit, size: tuple[int, int]
) -> None:
    page = visit_seventh("/", size)
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
    play_now(page, TITLE)
    assert fits(page)
    sitting = Sitting(page)
    sitting.play_to_the_end()
    assert any("Pick a card" in said for said in sitting.said), sitting.said
    check_result(page)


def test_a_table_of_ones_own_wish_is_made_and_played_by_keys(visit_seventh: Visit) -> None:
    page = visit_seventh("/", DESKTOP)
    page.get_by_role("link", name=f"Friends, options…: {TITLE}").click()
    expect(page.get_by_role("heading", name=f"New table: {TITLE}")).to_be_visible()
    page.get_by_role("button", name=re.compile("^(Start|Set up the table)$")).click()
    start = page.get_by_role("button", name=re.compile("^Start"))
    expect(page.locator("[data-card]").first.or_(start)).to_be_visible()
    if start.count():
        start.click()
    expect_table(page)
    ByKeys(page, seed=2).play_to_the_end()
    check_result(page)


def test_what_it_declares_lies_on_the_table_with_its_words(visit_seventh: Visit) -> None:
    page = visit_seventh("/", DESKTOP)
    play_now(page, TITLE)
    shown = page.locator("[data-place]").evaluate_all(
        "places => places.map(place => place.dataset.place)"
    )
    assert {"taken 0", "taken 1", "hand 1"} <= set(shown), shown
    expect(page.locator("main [data-place='taken 0']")).to_have_attribute(
        "aria-label", "Taken: 0 cards"
    )


@pytest.mark.parametrize(("language", "size"), [("en", PHONE), ("pl", DESKTOP)])
def test_it_has_no_faults(visit_seventh: Visit, language: str, size: tuple[int, int]) -> None:
    page = visit_seventh("/", size, language=language)
    assert faults(page) == []
    page.locator("button", has_text=re.compile("Play now|Zagraj")).last.click()
    expect_table(page)
    assert faults(page) == []


def test_what_others_have_chosen_lies_face_down_in_the_middle(visit_seventh: Visit) -> None:
    page = visit_seventh("/", DESKTOP)
    play_now(page, TITLE)
    expect(page.locator("main .tray .seat .big .card")).to_have_count(2)  # the bots


def test_nobody_is_told_where_a_secret_card_goes(visit_seventh: Visit) -> None:
    """Who takes it is not known before all have chosen."""
    page = visit_seventh("/", DESKTOP)
    play_now(page, TITLE)
    Sitting(page, patience=MS).pick(0)
    expect(page.locator(".say")).to_contain_text("You would lay it face down")
    expect(page.locator("main .aim")).to_have_count(0)
