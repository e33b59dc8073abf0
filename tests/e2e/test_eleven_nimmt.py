"""11 nimmt! in the browser: whole games, taking in two steps, a refusal in words, many stacks and seats."""

from __future__ import annotations

import contextlib
import re

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.e2e.sitting import ASKED, ByKeys, Sitting, sit_down
from tests.e2e.table import DESKTOP, PHONE, SMALL_PHONE, Visit, fits

pytestmark = pytest.mark.e2e

ONE_ROUND = {"rounds": 1}


def test_a_whole_game_is_played_by_mouse(visit: Visit) -> None:
    page = sit_down(visit, "eleven-nimmt", PHONE, options=ONE_ROUND)
    sitting = Sitting(page)
    sitting.play_to_the_end()
    assert any("fits on" in said for said in sitting.said)
    assert any("and all cards under it" in said for said in sitting.said)


def test_a_whole_game_is_played_by_keyboard_alone(visit: Visit) -> None:
    page = sit_down(visit, "eleven-nimmt", DESKTOP, options=ONE_ROUND)
    ByKeys(page, seed=1).play_to_the_end()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_a_stack_is_taken_only_when_it_is_said_twice(visit: Visit) -> None:
    page = sit_down(visit, "eleven-nimmt", PHONE, options=ONE_ROUND)
    held = page.locator("[data-card]").count()
    page.get_by_role("button", name=re.compile("^Take the stack")).click()
    expect(page.locator(".say")).to_contain_text("Three or more bring you a bull card")
    assert page.locator("[data-card]").count() == held
    page.keyboard.press("Escape")
    expect(page.locator(".say")).not_to_contain_text("Tap once more")
    page.get_by_role("button", name=re.compile("^Take the stack")).click()
    page.get_by_role("button", name=re.compile("^Yes, take the stack")).click()
    expect(page.locator("[data-card]")).to_have_count(held + 1)


def test_a_card_that_fits_nowhere_is_refused_with_the_rule(visit: Visit) -> None:
    page = sit_down(visit, "eleven-nimmt", DESKTOP, options=ONE_ROUND)
    page.wait_for_selector(ASKED)  # else it would be somebody else's turn
    page.locator('[data-card][aria-disabled="true"]').first.focus()
    page.keyboard.press("Space")
    expect(page.locator(".say")).to_contain_text(
        "must be higher than the top card of the stack by 1 to 10; after 100 comes 1 (EN-6)"
    )


A_STACK = "main .choose"
WITHOUT_SCROLLING = (
    12  # of more stacks a small phone shows cards that can be read, and scrolls (test_sizes.py)
)


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE])
def test_seven_seats_and_many_stacks_fit_on_a_phone(visit: Visit, size: tuple[int, int]) -> None:
    page = sit_down(visit, "eleven-nimmt", size, seats=7, options=ONE_ROUND)
    sitting = Sitting(page)
    for _ in range(4):
        page.wait_for_selector("dialog[open], main .choose")
        if (
            page.locator("dialog[open]").count()
            or page.locator(A_STACK).count() > WITHOUT_SCROLLING
        ):
            break
        with contextlib.suppress(TimeoutError):  # pressed, but the table went on meanwhile
            sitting.use_place()
        page.wait_for_selector("dialog[open], main .choose")
        assert fits(page) or page.locator(A_STACK).count() > WITHOUT_SCROLLING
    for button in page.locator("main .choose").all():
        box = button.bounding_box()
        assert box is None or min(box["width"], box["height"]) >= 44


@pytest.mark.parametrize("game", ["hornochsen", "eleven-nimmt", "bullenparty", "six-nimmt"])
def test_a_card_that_flies_away_never_makes_the_page_longer(visit: Visit, game: str) -> None:
    """Its copy keeps the looks of the place that it leaves, but not its position."""
    page = sit_down(visit, game, DESKTOP)
    page.wait_for_selector("main [data-flip]")
    position = page.evaluate(
        """() => {
            const copy = document.querySelector('main [data-flip]').cloneNode(true);
            copy.classList.add('leaving');
            document.body.append(copy);
            const found = getComputedStyle(copy).position;
            copy.remove();
            return found;
        }"""
    )
    assert position == "fixed"
